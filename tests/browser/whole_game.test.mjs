// A game of chess between two pages, watched by a third, from the invitation to the king's end: with a reload in the
// middle, and a server that is killed and comes back.
import assert from 'node:assert/strict';
import {after, before, test} from 'node:test';
import {Server} from '../support/server.mjs';
import {assertConverged, Browser, PHONE} from './browser.mjs';

const browser = new Browser('whole-game');
let server, white, black, watcher;
let version = 0;

const opening = [
    ['e2', 'e4'],
    ['e7', 'e5'],
    ['g1', 'f3'],
    ['b8', 'c6'],
    ['f1', 'c4'],
    ['f8', 'c5'],
    ['e1', 'g1'],
    ['g8', 'f6'],
];
const middle = [
    ['d2', 'd3'],
    ['e8', 'g8'],
    ['c1', 'g5'],
    ['h7', 'h6'],
    ['g5', 'f6'],
    ['d8', 'f6'],
];
const end = [
    ['c3', 'd5'],
    ['f6', 'd8'],
    ['d5', 'f6'],
    ['a7', 'a6'],
    ['f6', 'g8'],
];

before(async () => {
    server = new Server();
    await server.start();
    await browser.start();
    white = await browser.visitor('Ada');
    black = await browser.visitor('Grace', PHONE);
    watcher = await browser.visitor('Edsger');
});

after(async () => {
    await browser.stop();
    await server.remove();
});

const all = () => [white, black, watcher];

async function play(moves, first = 0) {
    for (const [index, [from, to]] of moves.entries()) {
        const mover = (first + index) % 2 === 0 ? white : black;
        const hand = mover === black ? 'tap' : ['click', 'drag', 'withKeyboard'][index % 3];
        await mover[hand](from, to);
        version++;
        for (const visitor of all()) await visitor.reaches(version);
    }
    await assertConverged(all(), version);
}

test('two players find each other by a link, and a third watches', async () => {
    const room = await white.openRoom(server, 'chess', 'friend', {seat: 'White'});
    await white.screenshot('invitation');
    await watcher.open(room);
    await watcher.reaches(2);
    await black.open(room);
    await black.reaches(2);
    await black.screenshot('guest');
    await black.page.tap('[data-take="black"]');
    version = 3; // created, joined, joined
    await assertConverged(all(), version);
    assert.match(await white.verdict(), /Your turn/);
    assert.match(await black.verdict(), /White to move/);
    await white.page.waitForFunction(() => document.querySelector('.subtitle').textContent.includes('1 watching'));
});

test('the opening is played with mouse, keyboard and finger, castling included', async () => {
    await play(opening);
    assert.match(await white.cell('g1').getAttribute('aria-label'), /white king/);
    assert.match(await watcher.cell('f1').getAttribute('aria-label'), /white rook/);
    assert.equal(await black.page.locator('.moves-list .move').count(), opening.length);
    await white.cell('f3').click(); // its targets are shown
    await white.screenshot('opening');
    await white.page.keyboard.press('Escape');
    await black.screenshot('opening');
});

test('chat is heard by everybody, as plain text', async () => {
    await white.page.fill('.chat input', 'Good luck! <img src=x onerror=alert(1)>');
    await white.page.press('.chat input', 'Enter');
    version++;
    await assertConverged(all(), version);
    assert.match(await watcher.page.locator('.chat-list').innerText(), /Ada Good luck! <img src=x/);
    assert.equal(await black.page.locator('.chat-list img').count(), 0);
});

test('whoever reloads is where they were', async () => {
    await white.page.reload();
    await assertConverged(all(), version);
    assert.match(await white.verdict(), /Your turn/);
    assert.match(await white.page.locator('.strips.bottom').innerText(), /Ada/);
    assert.equal(await white.page.locator('.moves-list .move').count(), opening.length);
    await play(middle);
    assert.match(await white.cell('f6').getAttribute('aria-label'), /black queen/);
});

test('after kill -9 everybody is where they were, without a reload, and the move made meanwhile arrives', async () => {
    for (const visitor of all()) {
        visitor.serverIsAway = true;
        await visitor.page.evaluate(() => (window.loadedOnce = true));
    }
    await server.stop('SIGKILL');
    for (const visitor of all()) await visitor.page.waitForSelector('.banner:not([hidden])');
    await white.click('b1', 'c3');
    await white.screenshot('server-away');
    await black.screenshot('server-away');
    await server.start();
    for (const visitor of all()) await visitor.page.waitForSelector('.banner', {state: 'hidden', timeout: 30_000});
    version++;
    await assertConverged(all(), version);
    for (const visitor of all()) {
        visitor.serverIsAway = false;
        assert.equal(await visitor.page.evaluate(() => window.loadedOnce), true);
    }
    assert.match(await watcher.cell('c3').getAttribute('aria-label'), /white knight/);
    assert.match(await black.verdict(), /Your turn/);
});

test('the game goes on to its end, and both see how it ended', async () => {
    await play([['d7', 'd6']], 1);
    await play(end);
    const held = await assertConverged(all(), version);
    assert.equal(held.status, 'finished');
    assert.match(await white.verdict(), /You won/);
    assert.match(await black.verdict(), /You lost/);
    assert.match(await watcher.verdict(), /White won\s+The black king was taken/i);
    await white.screenshot('end');
    await black.screenshot('end');
    await watcher.screenshot('end');
});

test('a rematch begins in a new room, with the seats changed', async () => {
    await black.page.getByRole('button', {name: 'Rematch'}).tap();
    await white.page.getByRole('button', {name: 'Accept'}).click();
    const old = new URL(watcher.page.url()).pathname;
    await white.page.waitForURL(url => url.pathname !== old);
    await black.page.waitForURL(url => url.pathname === new URL(white.page.url()).pathname);
    await black.page.waitForSelector('.verdict.mine');
    assert.match(await white.page.locator('.strips.bottom .seat-name').innerText(), /Black/);
    await watcher.page.getByRole('link', {name: 'Go there'}).click();
    await watcher.page.waitForURL(white.page.url());
});

test('no page had anything to complain about', () => browser.assertNoErrors());
