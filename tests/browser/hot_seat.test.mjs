// Both sides on one page: the game goes on while there is no server, survives a reload, and comes to the server once, in order.
import assert from 'node:assert/strict';
import {existsSync} from 'node:fs';
import {after, test} from 'node:test';
import {Player} from '../support/player.mjs';
import {assertFits, DESKTOP, PHONE, stage} from './browser.mjs';

const BUILT = existsSync(new URL('../../build/browser/engine.wasm.gz', import.meta.url));
const skip = BUILT ? false : 'the engine for browsers is not built';
const {server, browser} = stage('hot-seat');

const ready = (visitor, count) => visitor.page.waitForSelector(`.room[data-here="${count}"]`);
const words = visitor => visitor.page.locator('.moves-list .move').allTextContents();
const label = async (visitor, cell) => await visitor.cell(cell).getAttribute('aria-label');
const button = (visitor, name) => visitor.page.getByRole('button', {name, exact: true});
const note = visitor => visitor.page.locator('.offer.here');

async function begin(name, size = DESKTOP) {
    const visitor = await browser.visitor(name, size);
    visitor.serverIsAway = true;
    await visitor.enterRoom(server, 'chess', 'screen');
    await ready(visitor, 0);
    return visitor;
}

// With the hand of the test: what the server has.
async function events(room) {
    return (await (await fetch(`${server.url}/api/v1/rooms/${room.split('/').at(-1)}/export`)).json()).events;
}

async function recorded(visitor, url = visitor.page.url()) {
    return (await events(url)).filter(({kind}) => kind === 'moved').map(({body}) => `${body.seat} ${body.move.from}-${body.move.to}`);
}

async function away(visitor) {
    await visitor.isLoaded();
    await server.stop();
    await visitor.page.waitForSelector('.banner:not([hidden])');
}

async function playHere(visitor, text, hand = 'click') {
    for (const [i, word] of text.split(' ').entries()) {
        await visitor[hand](...word.split('-'));
        await ready(visitor, i + 1);
    }
}

test('without a server the game goes on, and is there when it is back: once, and in order', {skip}, async () => {
    const visitor = await begin('alone');
    await visitor.click('e2', 'e4');
    await visitor.reaches(3);
    await ready(visitor, 0);
    await away(visitor);
    await playHere(visitor, 'e7-e5 g1-f3 b8-c6 f1-b5');
    assert.match(await note(visitor).innerText(), /4 moves are only in this browser/);
    assert.deepEqual(await words(visitor), ['e4', 'e5', 'Nf3', 'Nc6', 'Bb5']);
    assert.match(await label(visitor, 'b5'), /white bishop/);
    assert.match(await visitor.verdict(), /Black to move/);
    assert.equal((await visitor.holds()).version, 3);
    await visitor.drag('a8', 'a5'); // why not is known here, too
    await visitor.page.locator('.note', {hasText: 'a7 is in the way'}).waitFor();
    await visitor.page.keyboard.press('ArrowLeft');
    await visitor.page.waitForSelector('.room[data-ply="4"]');
    await visitor.page.keyboard.press('End');
    await visitor.page.waitForSelector('.room[data-ply="5"]');
    await visitor.screenshot('away');
    await server.start();
    await visitor.reaches(7);
    await ready(visitor, 0);
    assert.equal(await note(visitor).count(), 0);
    assert.deepEqual(await recorded(visitor), ['white e2-e4', 'black e7-e5', 'white g1-f3', 'black b8-c6', 'white f1-b5']);
    await visitor.click('a7', 'a6');
    await visitor.reaches(8);
});

test('a game is won and the next one begun without a server: both come to it once, and the page goes along', {skip}, async () => {
    const visitor = await begin('next');
    const first = visitor.page.url();
    await away(visitor);
    await playHere(visitor, 'f2-f3 e7-e5 g2-g4 d8-h4');
    assert.match(await visitor.verdict(), /Black won/);
    await visitor.screenshot('mate');
    await button(visitor, 'Rematch').click();
    await ready(visitor, 5);
    assert.match(await note(visitor).innerText(), /1 new game and 4 moves are only in this browser/);
    assert.match(await visitor.verdict(), /White to move/);
    assert.deepEqual(await words(visitor), []);
    for (const [i, move] of ['c2-c4', 'c7-c5', 'b1-c3'].entries()) {
        await visitor.click(...move.split('-'));
        await ready(visitor, 6 + i);
    }
    assert.deepEqual(await words(visitor), ['c4', 'c5', 'Nc3']);
    await visitor.page.keyboard.press('Home');
    await visitor.page.waitForSelector('.room[data-ply="0"]');
    await visitor.page.keyboard.press('ArrowRight');
    await visitor.page.waitForSelector('.room[data-ply="1"] .board-frame[aria-busy="false"]');
    assert.match(await label(visitor, 'c4'), /white pawn/);
    assert.match(await label(visitor, 'c5'), /empty/);
    await visitor.page.keyboard.press('End');
    await visitor.screenshot('next');
    await server.start();
    await visitor.page.waitForURL(url => url.href !== first);
    await visitor.reaches(4);
    await ready(visitor, 0);
    assert.deepEqual(await recorded(visitor), ['white c2-c4', 'black c7-c5', 'white b1-c3']);
    assert.deepEqual(await recorded(visitor, first), ['white f2-f3', 'black e7-e5', 'white g2-g4', 'black d8-h4']);
    await visitor.click('b8', 'c6');
    await visitor.reaches(5);
});

test('a game that is not over makes way for new ones; all of them come to the server, also after a reload', {skip}, async () => {
    const visitor = await begin('several', PHONE);
    const first = visitor.page.url();
    let open = false;
    await visitor.page.routeWebSocket(/\/ws$/, socket => (open ? socket.connectToServer() : socket.close()));
    await visitor.page.reload();
    await ready(visitor, 0);
    await playHere(visitor, 'e2-e4', 'tap');
    for (const count of [2, 3]) {
        await button(visitor, 'New game').click();
        await visitor.page.locator('.dialog .danger').click();
        await ready(visitor, count);
    }
    assert.match(await note(visitor).innerText(), /2 new games and 1 move are only/);
    await assertFits(visitor);
    await visitor.tap('a2', 'a3');
    await ready(visitor, 4);
    await visitor.page.reload();
    await ready(visitor, 4);
    assert.match(await label(visitor, 'a3'), /white pawn/);
    assert.match(await label(visitor, 'e4'), /empty/);
    assert.deepEqual(await words(visitor), ['a3']);
    await visitor.screenshot('several');
    open = true;
    await visitor.page.evaluate(() => window.dispatchEvent(new Event('online')));
    await visitor.page.waitForFunction(() => document.querySelector('.room[data-here="0"] [data-cell="a3"]')?.getAttribute('aria-label').includes('white pawn'));
    assert.deepEqual(await recorded(visitor), ['white a2-a3']);
    assert.deepEqual(await recorded(visitor, first), ['white e2-e4']);
    const ends = await events(first);
    assert.deepEqual(ends.slice(-4).map(({kind}) => kind), ['moved', 'aborted', 'rematch_offered', 'rematch']);
    const between = ends.at(-1).body.next_room;
    assert.deepEqual((await events(between)).map(({kind}) => kind), ['created', 'aborted', 'rematch_offered', 'rematch']);
});

test('a page that is loaded again has what was played, and sends it', {skip}, async () => {
    const visitor = await begin('again', PHONE);
    await away(visitor);
    await playHere(visitor, 'd2-d4 d7-d5', 'tap');
    await assertFits(visitor);
    await visitor.screenshot('away');
    const url = visitor.page.url();
    await visitor.page.close();
    await server.start();
    await visitor.open(url);
    await visitor.reaches(4);
    await ready(visitor, 0);
    assert.deepEqual(await recorded(visitor), ['white d2-d4', 'black d7-d5']);
});

test('a page that is loaded and finds nobody to talk to goes on with what it has', {skip}, async () => {
    const visitor = await begin('silent');
    await visitor.click('e2', 'e4');
    await visitor.reaches(3);
    await ready(visitor, 0);
    let open = false;
    await visitor.page.routeWebSocket(/\/ws$/, socket => (open ? socket.connectToServer() : socket.close()));
    await visitor.page.reload();
    await ready(visitor, 0);
    assert.match(await label(visitor, 'e4'), /white pawn/);
    await playHere(visitor, 'c7-c5');
    assert.match(await note(visitor).innerText(), /1 move is only in this browser/);
    await visitor.page.reload();
    await ready(visitor, 1);
    assert.match(await label(visitor, 'c5'), /black pawn/);
    open = true;
    await visitor.page.evaluate(() => window.dispatchEvent(new Event('online'))); // as a click on “Try now”, which goes away by itself
    await visitor.reaches(4);
    assert.deepEqual(await recorded(visitor), ['white e2-e4', 'black c7-c5']);
});

test('where the game has gone on elsewhere nothing is mixed up, and it is said', {skip}, async () => {
    const visitor = await begin('elsewhere');
    const url = visitor.page.url();
    const token = await visitor.page.evaluate(() => localStorage.getItem('senet.token'));
    await away(visitor);
    await playHere(visitor, 'e2-e4 e7-e5');
    await visitor.page.close();
    await server.start();
    const other = new Player(server);
    after(() => other.close());
    other.token = token;
    other.room = url.split('/').at(-1);
    await other.connect();
    await other.call({type: 'move', room: other.room, move: {from: 'd2', to: 'd4'}});
    other.close();
    await visitor.open(url);
    await visitor.page.locator('.note', {hasText: 'The last 2 moves made on this page could not be kept'}).waitFor();
    assert.match(await label(visitor, 'd4'), /white pawn/);
    assert.match(await label(visitor, 'e4'), /empty/);
    assert.deepEqual(await recorded(visitor), ['white d2-d4']);
});

test('no page had anything to complain about', () => browser.assertNoErrors());
