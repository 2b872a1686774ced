// A game of chess between two pages, watched by a third, from the invitation to checkmate: with a reload in the
// middle, and a server that is killed and comes back.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {assertConverged, PHONE, stage} from './browser.mjs';

let white, black, watcher;
const {server, browser} = stage('whole-game', async () => {
    white = await browser.visitor('Ada');
    black = await browser.visitor('Grace', PHONE);
    watcher = await browser.visitor('Edsger');
});
let version = 0;

// One game with all that is special: taking in passing, castling, a promotion of either side, and mate by one.
const opening = [
    ['e2', 'e4'],
    ['e7', 'e6'],
    ['e4', 'e5'],
    ['d7', 'd5'],
    ['e5', 'd6'], // in passing
    ['g8', 'e7'],
    ['d2', 'd4'],
    ['a7', 'a6'],
];
const middle = [
    ['c1', 'g5'],
    ['a6', 'a5'],
    ['g1', 'f3'],
    ['a5', 'a4'],
    ['f1', 'e2'],
    ['a4', 'a3'],
];

const all = () => [white, black, watcher];

async function play(moves, first = 0) {
    for (const [index, [from, to, choice]] of moves.entries()) {
        const mover = (first + index) % 2 === 0 ? white : black;
        const hand = mover === black ? 'tap' : ['click', 'drag', 'withKeyboard'][index % 3];
        await mover[hand](from, to);
        if (choice) {
            const button = mover.page.locator('.dialog').getByRole('button', {name: choice});
            await button.waitFor();
            await mover.screenshot('promotion');
            await (mover === black ? button.tap() : button.click());
        }
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

test('the opening is played with mouse, keyboard and finger, a pawn taken in passing included', async () => {
    await play(opening);
    assert.match(await white.cell('d6').getAttribute('aria-label'), /white pawn/);
    assert.match(await watcher.cell('d5').getAttribute('aria-label'), /empty/);
    assert.equal(await black.page.locator('.moves-list .move').count(), opening.length);
    await white.cell('g1').click(); // its targets are shown
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
    assert.match(await white.cell('a3').getAttribute('aria-label'), /black pawn/);
});

test('after kill -9 everybody is where they were, without a reload, and the move made meanwhile arrives', async () => {
    for (const visitor of all()) {
        await visitor.isLoaded();
        visitor.serverIsAway = true;
        await visitor.page.evaluate(() => (window.loadedOnce = true));
    }
    await server.stop('SIGKILL');
    for (const visitor of all()) await visitor.page.waitForSelector('.banner:not([hidden])');
    await white.click('e1', 'g1'); // castling
    await white.screenshot('server-away');
    await black.screenshot('server-away');
    await server.start();
    for (const visitor of all()) await visitor.page.waitForSelector('.banner', {state: 'hidden'});
    version++;
    await assertConverged(all(), version);
    for (const visitor of all()) {
        visitor.serverIsAway = false;
        assert.equal(await visitor.page.evaluate(() => window.loadedOnce), true);
    }
    assert.match(await watcher.cell('g1').getAttribute('aria-label'), /white king/);
    assert.match(await watcher.cell('f1').getAttribute('aria-label'), /white rook/);
    assert.match(await black.verdict(), /Your turn/);
});

test('pawns become what their players choose, and mate is announced with its reason', async () => {
    await play([['a3', 'b2']], 1);
    await play([
        ['d6', 'e7'],
        ['b2', 'a1', 'Knight'],
    ]);
    assert.match(await watcher.cell('a1').getAttribute('aria-label'), /black knight/);
    assert.match(await watcher.page.locator('.moves-list .latest').innerText(), /a1=/);
    await play([['e7', 'd8', 'Queen']]);
    assert.match(await watcher.cell('d8').getAttribute('aria-label'), /white queen/);
    const held = await assertConverged(all(), version);
    assert.equal(held.status, 'finished');
    assert.match(await white.verdict(), /You won\s+Checkmate/);
    assert.match(await black.verdict(), /You lost\s+Checkmate/);
    assert.match(await watcher.verdict(), /White won\s+Checkmate/);
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
