// Pages and dialogs that other files do not come by, as axe-core sees them: a choice between figures, a report, what is not there,
// a lobby with rooms in it.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {Client} from '../support/client.mjs';
import {complaints, DIALOG, lookAt} from './axe.mjs';
import {assertFits, DESKTOP, eventually, PHONE, stage} from './browser.mjs';
import {template} from './make.mjs';

const {server, browser} = stage('dialogs');

// A pawn of each side stands before the last row, where it may choose.
const promoting = {
    ...JSON.parse(template('square')), tests: [],
    initial_position: {each: {king: ['c1'], pawn: ['f5']}},
};
promoting.figures.pawn.promote.to = ['rook', 'king'];

async function publish(name) {
    const client = await Client.open(server);
    const {token} = client;
    await client.end();
    const answer = await fetch(`${server.url}/api/v1/games/${name}?listed=yes`, {method: 'POST', headers: {Authorization: `Bearer ${token}`}, body: JSON.stringify(promoting)});
    assert.equal(answer.status, 201, await answer.text());
}

for (const [name, size, colorScheme] of [['desktop', DESKTOP, 'light'], ['phone', PHONE, 'dark']])
    test(`axe-core has nothing to say about them, and they fit (${name}, ${colorScheme})`, async () => {
        const visitor = await lookAt(browser, name, size, colorScheme);
        visitor.refusals = true; // for what is not there
        await publish(`promoting-${name}`);
        const page = await visitor.open(`${server.url}/game/promoting-${name}`);
        const heard = [];
        const look = async (where, part) => {
            heard.push(...(await complaints(visitor, {part})).map(words => `${where}: ${words}`));
            await assertFits(visitor);
            await visitor.screenshot(where.replaceAll(' ', '-'));
        };
        await page.getByRole('button', {name: 'Report it'}).click();
        await page.locator('.dialog input').waitFor();
        await look('a report', DIALOG);
        await page.getByRole('button', {name: 'Cancel'}).click();
        await page.locator('[data-way="screen"]').click();
        await page.locator('.dialog .primary').click();
        await page.waitForURL('**/room/*');
        await visitor.reaches(2);
        await visitor.click('f5', 'f6');
        await page.locator('.dialog', {hasText: 'Which one?'}).waitFor();
        await look('a choice', DIALOG);
        await page.locator('.dialog button', {hasText: 'Rook'}).click();
        await visitor.reaches(3);
        await page.goto(server.url);
        await page.locator('.my-rooms .room-row').first().waitFor();
        await page.locator('.published-games').scrollIntoViewIfNeeded(); // it is asked for when it comes into sight
        await page.locator('.published a').first().waitFor();
        await look('a lobby with rooms');
        await page.goto(`${server.url}/room/nothing-here`);
        await page.locator('.missing').waitFor();
        await look('no such room');
        await page.goto(`${server.url}/game/nobodys@1`);
        await page.getByRole('heading', {name: 'There is no such game'}).waitFor();
        await look('no such game');
        await page.goto(`${server.url}/rooms/of/mine`);
        await page.getByRole('heading', {name: 'There is nothing here'}).waitFor();
        await look('nothing');
        await page.getByRole('link', {name: 'To the lobby'}).click();
        await page.locator('.game-card').first().waitFor();
        await visitor.enterRoom(server, 'xiangqi', 'screen');
        await visitor.page.locator('.settings-button').click();
        await visitor.page.locator('.dialog .pieces').waitFor();
        await look('the settings', DIALOG);
        assert.deepEqual(heard, []);
        await visitor.context.close();
    });

// Once the page has the size, too.
async function resize({page}, width, height) {
    await page.setViewportSize({width, height});
    await page.waitForFunction(([width, height]) => innerWidth === width && innerHeight === height, [width, height]);
}

// All of it is in the window, and nothing else lies on its middle.
const assertSeen = (visitor, locator, words) => eventually(() => isSeen(visitor, locator, words));

async function isSeen({page}, locator, words) {
    const {x, y, width, height} = await locator.boundingBox();
    const window = page.viewportSize();
    assert.ok(x >= 0 && y >= 0 && x + width <= window.width && y + height <= window.height, `${words} lies at ${x}, ${y}, ${width} × ${height}`);
    const covers = await locator.evaluate(element => {
        const {x, y, width, height} = element.getBoundingClientRect();
        const top = document.elementFromPoint(x + width / 2, y + height / 2);
        return element.contains(top) ? '' : top?.outerHTML.slice(0, 80) ?? 'nothing';
    });
    assert.equal(covers, '', `what lies on ${words}`);
}

// Nothing lies on any letter of it, unless it is not shown at all.
const isWholeOrHidden = ({page}, selector) => page.locator(selector).evaluate(element => {
    const {left, right, y, height} = element.getBoundingClientRect();
    const isUncovered = x => element.contains(document.elementFromPoint(x, y + height / 2));
    return getComputedStyle(element).opacity === '0' || [left + 1, (left + right) / 2, right - 1].every(isUncovered);
});

test('the question before a game is answered without scrolling, in every window', async () => {
    const visitor = await browser.visitor('asked', {viewport: {width: 844, height: 390}});
    for (const [width, height] of [[844, 390], [640, 400], [390, 664], [1280, 800]]) {
        await visitor.open(server.url);
        await resize(visitor, width, height);
        for (const game of ['chinese-checkers', 'chess']) {
            await visitor.page.click(`[data-game="${game}"] [data-way="friend"]`);
            for (const button of await visitor.page.locator('.dialog > .choices button').all()) await assertSeen(visitor, button, `${await button.innerText()} at ${width} × ${height}`);
            await visitor.screenshot(`asked-${game}-${width}`);
            await visitor.page.locator('.dialog button', {hasText: 'Cancel'}).click();
        }
    }
    await visitor.context.close();
});

test('what is said of a lost connection lies on no way to another page', async () => {
    const visitor = await browser.visitor('lost', PHONE);
    // What is said of it may be something else soon, so it is waited for from before it can be said.
    const look = async (where, words, lose) => {
        await Promise.all([visitor.page.locator('.banner:visible', {hasText: words}).waitFor(), lose()]);
        for (const [width, height] of [[390, 844], [320, 640], [844, 390]]) {
            await resize(visitor, width, height);
            for (const way of ['.brand img', '#site-place a']) await assertSeen(visitor, visitor.page.locator(way), `${where}, ${words}: ${way} at ${width}`);
            await eventually(async () => assert.ok(await isWholeOrHidden(visitor, '.brand span'), `${where}, ${words}: half a word is seen at ${width}`));
            await visitor.screenshot(`${where}-${width}`);
        }
    };
    const host = await Client.open(server);
    await host.done({type: 'create', game: 'chess'});
    await visitor.open(server.url);
    await visitor.page.locator('[data-game="chess"]').waitFor();
    await visitor.page.locator('.room-row').first().waitFor(); // it comes by the connection, the games do not
    visitor.serverIsAway = true;
    await look('lobby', 'You are offline', () => visitor.context.setOffline(true));
    await look('lobby-waits', 'Connection lost', async () => {});
    await visitor.context.setOffline(false);
    await visitor.page.locator('.banner').waitFor({state: 'hidden'});
    visitor.serverIsAway = false;
    await visitor.enterRoom(server, 'chess', 'friend'); // whoever has both seats would go on to load the engine
    await visitor.isLoaded();
    visitor.serverIsAway = true;
    await look('room', 'reconnecting in', () => server.stop());
    await server.start();
    await visitor.page.locator('.banner').waitFor({state: 'hidden'});
    visitor.serverIsAway = false;
    await host.end();
});

test('no page had anything to complain about', () => browser.assertNoErrors());
