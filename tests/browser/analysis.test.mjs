// Other moves tried on the page alone: after the end by everybody, meanwhile by who watches, and by no player of a game that
// goes on. The server hears nothing of it, and need not be there.
import assert from 'node:assert/strict';
import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {after, test} from 'node:test';
import {Player} from '../support/player.mjs';
import {assertFits, eventually, PHONE, stage, traffic} from './browser.mjs';

const BUILT = existsSync(new URL('../../build/browser/engine.wasm.gz', import.meta.url));
const skip = BUILT ? false : 'the engine for browsers is not built';
const {server, browser} = stage('analysis');

async function game(words, more = {}) {
    const player = new Player(server);
    after(() => player.close());
    await player.connect();
    const {room} = await player.call({type: 'create', game: 'chess', ...more});
    player.room = room;
    await player.call({type: 'join', room, seat: 'all', name: 'Both'});
    const move = async text => {
        const [from, to] = text.split('-');
        await player.call({type: 'move', room, move: {from, to}});
    };
    for (const word of words.split(' ')) await move(word);
    return {player, room, move};
}

const recorded = join(traffic, 'browser-analysis.ndjson');
const label = async (visitor, cell) => await visitor.cell(cell).getAttribute('aria-label');
const analyse = visitor => visitor.page.getByRole('button', {name: 'Analyse'});
// Who comes late asks for the moves' words, and has them a moment later.
const says = (visitor, words) => eventually(async () => assert.deepEqual(await visitor.page.locator('.moves-list .move').allTextContents(), words));
const shows = (visitor, ply) => visitor.page.waitForSelector(`.room[data-ply="${ply}"]:not(:has(.board-frame[aria-busy="true"]))`);
// Moves that this file's visitors have sent, by what is recorded.
const sent = () => (existsSync(recorded) ? readFileSync(recorded, 'utf8').split('\n').filter(line => /"type":"move"/.test(line)).length : 0);

test('who watches goes another way, takes back, and returns to the game, which has gone on', {skip}, async () => {
    const before = sent();
    const {room, move} = await game('e2-e4 e7-e5 g1-f3');
    const visitor = await browser.visitor('watching');
    await visitor.open(`${server.url}/room/${room}`);
    await visitor.reaches(5);
    await visitor.page.keyboard.press('ArrowLeft');
    await shows(visitor, 2);
    await analyse(visitor).click();
    await visitor.page.locator('.verdict', {hasText: 'Analysis'}).waitFor();
    assert.match(await visitor.verdict(), /White to move/);
    assert.match(await visitor.page.locator('.offers').innerText(), /Only on this page/);
    await shows(visitor, 2);
    await says(visitor, ['e4', 'e5', 'Nf3']);
    await visitor.click('f1', 'c4');
    await shows(visitor, 3);
    await visitor.click('b8', 'c6');
    await shows(visitor, 4);
    await visitor.click('d1', 'h5');
    await shows(visitor, 5);
    await says(visitor, ['e4', 'e5', 'Bc4', 'Nc6', 'Qh5']);
    await visitor.screenshot('another-way');

    await move('b8-c6'); // the game goes on meanwhile
    await visitor.reaches(6);
    assert.match(await visitor.verdict(), /Analysis/);
    assert.match(await label(visitor, 'h5'), /white queen/);

    await visitor.page.getByRole('button', {name: 'Take back'}).click();
    await shows(visitor, 4);
    assert.match(await label(visitor, 'd1'), /white queen/);
    await visitor.page.keyboard.press('ArrowLeft');
    await shows(visitor, 3);
    await visitor.click('g8', 'f6');
    await shows(visitor, 4);
    await visitor.click('d1', 'h5');
    await shows(visitor, 5);
    await visitor.click('a7', 'a6');
    await shows(visitor, 6);
    await visitor.click('h5', 'f7');
    await shows(visitor, 7);
    assert.match(await visitor.verdict(), /White to move|White won|Black to move/);
    await visitor.page.waitForSelector('.board .alarm.shown');

    await visitor.page.getByRole('button', {name: 'Back to the game'}).click();
    await visitor.page.waitForSelector('.room:not(.analysing)');
    assert.doesNotMatch(await visitor.verdict(), /Analysis/);
    await says(visitor, ['e4', 'e5', 'Nf3', 'Nc6']);
    assert.equal(sent(), before);
    await visitor.page.close(); // before the server goes away
});

test('what is tried takes nobody’s time', {skip}, async () => {
    const {room, move} = await game('f2-f3 e7-e5 g2-g4', {clock: {initial_ms: 600_000}});
    const visitor = await browser.visitor('timed');
    await visitor.open(`${server.url}/room/${room}`);
    const runs = visitor.page.locator('.clock.runs');
    await visitor.page.locator('[data-clock="black"].runs').waitFor();
    await analyse(visitor).click();
    await visitor.page.waitForSelector('.room.analysing');
    await visitor.click('b8', 'c6');
    await shows(visitor, 4);
    assert.deepEqual(await runs.evaluateAll(clocks => clocks.map(clock => clock.dataset.clock)), ['black'], 'in the room it is his turn');
    await move('d8-h4');
    await eventually(async () => assert.equal(await runs.count(), 0));
    assert.equal(await visitor.page.locator('.room.analysing [data-clock]').count(), 2);
    await visitor.page.close(); // before the server goes away
});

test('after the end the players may, and while it goes on they may not', {skip}, async () => {
    const visitor = await browser.visitor('player', PHONE);
    await visitor.enterRoom(server, 'chess', 'screen');
    await visitor.tap('f2', 'f3');
    await visitor.reaches(3);
    assert.equal(await analyse(visitor).isVisible(), false);
    for (const [i, [from, to]] of [['e7', 'e5'], ['g2', 'g4'], ['d8', 'h4']].entries()) {
        await visitor.tap(from, to);
        await visitor.reaches(4 + i);
    }
    await visitor.page.waitForSelector('.room[data-status="finished"]');
    const before = sent();
    await analyse(visitor).tap();
    await visitor.page.waitForSelector('.room.analysing');
    assert.match(await visitor.verdict(), /Black won/);
    await visitor.page.locator('[data-step="previous"]').tap();
    await shows(visitor, 3);
    await visitor.tap('d8', 'f6');
    await shows(visitor, 4);
    await visitor.screenshot('tried');
    await assertFits(visitor);
    await visitor.page.getByRole('button', {name: 'Back to the game'}).tap();
    await visitor.page.waitForSelector('.room:not(.analysing)');
    assert.match(await label(visitor, 'h4'), /black queen/);
    assert.equal(sent(), before);
    await visitor.page.close();
});

// No server, and no network to fetch anything by.
async function goesAway(visitor) {
    await visitor.isLoaded();
    visitor.serverIsAway = true;
    await visitor.context.setOffline(true);
    await server.stop();
    await visitor.page.waitForSelector('.banner:not([hidden])');
}

async function comesBack(visitor) {
    await server.start();
    await visitor.context.setOffline(false);
    await visitor.page.locator('.banner').waitFor({state: 'hidden'});
}

test('without a connection one looks back and goes other ways all the same', {skip}, async () => {
    const {player, room} = await game('f2-f3 e7-e5 g2-g4 d8-h4');
    player.close();
    const visitor = await browser.visitor('alone');
    await visitor.open(`${server.url}/room/${room}`);
    await visitor.reaches(6);
    await says(visitor, ['f3', 'e5', 'g4', 'Qh4#']);
    await visitor.cell('e8').click();
    await visitor.page.waitForSelector('.room[data-engine="here"]');
    const before = sent();
    await goesAway(visitor);
    await visitor.page.keyboard.press('Home');
    await shows(visitor, 0);
    assert.match(await label(visitor, 'd8'), /black queen/);
    await analyse(visitor).click();
    await visitor.page.waitForSelector('.room.analysing');
    for (const [i, move] of ['d2-d4', 'd7-d5', 'b1-c3'].entries()) {
        await visitor.click(...move.split('-'));
        await shows(visitor, i + 1);
    }
    await says(visitor, ['d4', 'd5', 'Nc3']);
    await visitor.page.getByRole('button', {name: 'Take back'}).click();
    await shows(visitor, 2);
    await visitor.screenshot('without-a-connection');
    await visitor.page.getByRole('button', {name: 'Back to the game'}).click();
    await visitor.page.waitForSelector('.room:not(.analysing)');
    await visitor.page.keyboard.press('End');
    await shows(visitor, 4);
    await visitor.page.keyboard.press('ArrowLeft');
    await shows(visitor, 3);
    assert.match(await label(visitor, 'g4'), /white pawn/);
    await comesBack(visitor);
    await says(visitor, ['f3', 'e5', 'g4', 'Qh4#']);
    assert.equal(sent(), before);
    await visitor.page.close();
});

test('a game of both sides that ends without a connection is analysed there', {skip}, async () => {
    const visitor = await browser.visitor('both');
    await visitor.enterRoom(server, 'chess', 'screen');
    await visitor.page.waitForSelector('.room[data-here="0"]');
    await goesAway(visitor);
    for (const [i, move] of ['f2-f3', 'e7-e5', 'g2-g4', 'd8-h4'].entries()) {
        assert.equal(await analyse(visitor).isVisible(), false);
        await visitor.click(...move.split('-'));
        await visitor.page.waitForSelector(`.room[data-here="${i + 1}"]`);
    }
    assert.match(await visitor.verdict(), /Black won/);
    await analyse(visitor).click();
    await visitor.page.waitForSelector('.room.analysing');
    await visitor.page.keyboard.press('ArrowLeft');
    await shows(visitor, 3);
    await visitor.click('b8', 'c6');
    await shows(visitor, 4);
    await says(visitor, ['f3', 'e5', 'g4', 'Nc6']);
    await comesBack(visitor);
    await visitor.page.waitForSelector('.room[data-here="0"].analysing');
    assert.equal((await visitor.holds()).status, 'finished');
    await visitor.page.getByRole('button', {name: 'Back to the game'}).click();
    await visitor.page.waitForSelector('.room:not(.analysing)');
    await says(visitor, ['f3', 'e5', 'g4', 'Qh4#']);
    await visitor.page.close();
});

test('an engine that could not be fetched without a connection is fetched when there is one', {skip}, async () => {
    const {player, room} = await game('f2-f3 e7-e5 g2-g4 d8-h4');
    player.close();
    const visitor = await browser.visitor('late');
    await visitor.open(`${server.url}/room/${room}`);
    await visitor.reaches(6);
    await goesAway(visitor);
    await analyse(visitor).click();
    await visitor.page.locator('.note', {hasText: 'cannot be loaded without a connection'}).waitFor();
    await visitor.page.waitForSelector('.room[data-engine="missing"]');
    await comesBack(visitor);
    await analyse(visitor).click();
    await visitor.page.waitForSelector('.room.analysing[data-engine="here"]');
});

test('no page had anything to complain about', () => browser.assertNoErrors());
