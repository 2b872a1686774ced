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
const note = visitor => visitor.page.locator('.offer.here');

async function begin(name, size = DESKTOP) {
    const visitor = await browser.visitor(name, size);
    visitor.serverIsAway = true;
    await visitor.openRoom(server, 'chess', 'screen');
    await ready(visitor, 0);
    return visitor;
}

// With the hand of the test: what the server has.
async function recorded(visitor) {
    const {pathname} = new URL(visitor.page.url());
    const {events} = await (await fetch(`${server.url}/api/v1/rooms/${pathname.split('/').at(-1)}/export`)).json();
    return events.filter(({kind}) => kind === 'moved').map(({body}) => `${body.seat} ${body.move.from}-${body.move.to}`);
}

async function away(visitor) {
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
