// Sets of pieces: a game's file offers them, a player chooses one in the settings, and the game is drawn with it at once, everywhere on the page,
// the next time, and in other games that have one of that name; nobody else sees anything of it.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {Client} from '../support/client.mjs';
import {assertFits, DESKTOP, eventually, PHONE, stage} from './browser.mjs';

const {server, browser} = stage('piece_sets');

const pictures = visitor => visitor.page.locator('.board .pieces image').evaluateAll(images => [...new Set(images.map(image => image.getAttribute('href').replace(/^.*\/games\//, '')))].sort());
const options = visitor => visitor.page.locator('.dialog .pieces label');

async function drawnWith(visitor, folder, kinds) {
    await eventually(async () => {
        const drawn = await pictures(visitor);
        assert.equal(drawn.length, kinds);
        for (const path of drawn) assert.equal(path.slice(0, path.lastIndexOf('/')), folder);
    });
}

async function openSettings({page}) {
    await page.locator('.settings-button').click();
    await page.locator('.dialog .theme').waitFor();
}

const put = visitor => visitor.page.locator('.dialog .choices button').last().click();

async function choose(visitor, name) {
    await openSettings(visitor);
    await options(visitor).filter({hasText: name}).click();
    await put(visitor);
}

for (const [size, shape] of [['desk', DESKTOP], ['phone', PHONE]])
    test(`a set is chosen and drawn at once, and the next time, until another one is (${size})`, async () => {
        const [visitor, friend] = [await browser.visitor(size, shape), await browser.visitor(`friend of ${size}`)];
        const url = await visitor.enterRoom(server, 'xiangqi', 'friend');
        await friend.open(url);
        await friend.reaches(2);
        await drawnWith(visitor, 'xiangqi', 14);
        await openSettings(visitor);
        assert.deepEqual(await options(visitor).allInnerTexts(), ['As the game has it', 'International']);
        assert.deepEqual(await options(visitor).locator('input').evaluateAll(inputs => inputs.map(input => input.checked)), [true, false]);
        const faces = await options(visitor).locator('image').evaluateAll(images => images.map(image => image.getAttribute('href').replace(/^.*\/games\//, '')));
        assert.deepEqual(faces, ['xiangqi/red-general.svg', 'xiangqi/international/red-general.svg']);
        await visitor.screenshot('settings');
        await assertFits(visitor);
        await options(visitor).filter({hasText: 'International'}).click();
        await drawnWith(visitor, 'xiangqi/international', 14);
        await put(visitor);
        await visitor.screenshot('board');
        await drawnWith(friend, 'xiangqi', 14);

        await visitor.open(url);
        await drawnWith(visitor, 'xiangqi/international', 14);
        await visitor.click('b3', 'e3'); // and after a move
        await visitor.page.locator('.verdict').waitFor();
        await drawnWith(visitor, 'xiangqi/international', 14);
        await choose(visitor, 'As the game has it');
        await drawnWith(visitor, 'xiangqi', 14);
        await visitor.open(url);
        await drawnWith(visitor, 'xiangqi', 14);
    });

test('another game that offers a set of that name is drawn with it, one that does not as it is; in hand, too', async () => {
    const visitor = await browser.visitor('traveller');
    await visitor.enterRoom(server, 'janggi', 'screen');
    await choose(visitor, 'International');
    await drawnWith(visitor, 'janggi/international', 10);
    await visitor.enterRoom(server, 'minishogi', 'screen');
    await drawnWith(visitor, 'shogi/international', 12);
    await visitor.click('1e', '1b'); // a rook takes a pawn
    await eventually(async () => {
        const held = await visitor.page.locator('.hand image').evaluateAll(images => images.map(image => image.getAttribute('href')));
        assert.ok(held.length > 0 && held.every(path => path.includes('/shogi/international/')), `${held}`);
    });
    await visitor.screenshot('shogi');
    await visitor.enterRoom(server, 'chess', 'screen');
    await drawnWith(visitor, 'chess', 12);
    await openSettings(visitor);
    assert.equal(await options(visitor).count(), 0, 'chess offers none');
    await put(visitor);
});

test('what a set leaves out looks as the game has it; who chooses gets the name in their language', async () => {
    const sets = {Plain: {figures: {red: {general: 'chess/white-king.svg'}}}};
    const definition = {extends: 'minixiangqi', name: 'mine', title: 'Mine', resources: {sets}, translations: {de: {Plain: 'Schlicht'}}};
    const visitor = await browser.visitor('inventor', {...DESKTOP, locale: 'de-DE'});
    const client = await Client.open(server);
    const {room} = await client.done({type: 'create', definition});
    await client.end();
    await visitor.open(`${server.url}/room/${room}`);
    await visitor.reaches(1);
    await drawnWith(visitor, 'xiangqi', 10);
    await openSettings(visitor);
    assert.deepEqual(await options(visitor).allInnerTexts(), ['Wie im Spiel', 'International', 'Schlicht']);
    await options(visitor).filter({hasText: 'Schlicht'}).click();
    await put(visitor);
    await eventually(async () => {
        const drawn = await pictures(visitor);
        assert.deepEqual(drawn.filter(path => !/^xiangqi\/[^/]+$/.test(path)), ['chess/white-king.svg']);
        assert.equal(drawn.length, 10);
    });
});

test('in the lobby, where no game is drawn, there is nothing to choose', async () => {
    const visitor = await browser.visitor('passer-by', PHONE);
    await visitor.open(server.url);
    await openSettings(visitor);
    assert.equal(await options(visitor).count(), 0);
});
