// A bell for who waits: sounds of moves, turns, low time and the end, and a notice while the page is hidden.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {soundsOf} from '../../server/web/ring.js';
import {Client} from '../support/client.mjs';
import {takeSeat} from '../support/table.mjs';
import {assertFits, eventually, PHONE, SIZES, stage} from './browser.mjs';
import {heard, hide, listen} from './heard.mjs';

const {server, browser} = stage('bell');

const bell = visitor => visitor.page.getByRole('button', {name: 'Bell'});
const hears = (visitor, ...sounds) => eventually(async () => assert.deepEqual((await heard(visitor)).sounds, sounds));

for (const [name, size] of SIZES)
    test(`off until it is turned on; then it calls when the other has come, has moved and has resigned (${name})`, async () => {
        const [host, guest] = [await browser.visitor(`host-${name}`, size), await browser.visitor(`guest-${name}`)];
        await listen(host);
        await listen(guest);
        const url = await host.enterRoom(server, 'chess', 'friend', {seat: 'White'});
        await guest.open(url);
        await guest.page.locator('.room:not(.loading)').waitFor();
        assert.equal(await bell(host).getAttribute('aria-pressed'), 'false');
        await host.press(bell(host));
        assert.equal(await bell(host).getAttribute('aria-pressed'), 'true');
        await eventually(async () => assert.deepEqual(await heard(host), {sounds: ['turn'], notices: [], asked: 1}));
        await host.screenshot('on');
        await assertFits(host);
        await hide(host, true);
        await guest.page.click('[data-take="black"]');
        await Promise.all([host.reaches(3), guest.reaches(3)]);
        await eventually(async () => assert.deepEqual((await heard(host)).notices, [`Chess: guest-${name} plays Black`]));
        await hide(host, false);
        await host.play('e2', 'e4');
        await guest.reaches(4);
        await guest.click('d7', 'd5');
        await host.reaches(5);
        await host.play('e4', 'd5');
        await guest.reaches(6);
        await hears(host, 'turn', 'turn', 'move', 'move', 'turn', 'capture');
        assert.equal((await heard(host)).notices.length, 1, 'who sees the page needs no notice');
        await host.page.reload();
        await host.reaches(6); // what has happened before that is not heard
        await eventually(async () => assert.equal(await bell(host).getAttribute('aria-pressed'), 'true'));
        await hide(host, true);
        await guest.click('d8', 'd5');
        await host.reaches(7);
        await hears(host, 'capture', 'turn');
        assert.deepEqual((await heard(host)).notices, []); // not granted any more
        await host.page.evaluate(() => { Notification.permission = 'granted'; });
        await host.play('b1', 'c3');
        await guest.reaches(8);
        await guest.page.getByRole('button', {name: 'Resign', exact: true}).click();
        await guest.page.locator('.dialog .danger').click();
        await eventually(async () => assert.deepEqual((await heard(host)).notices, ['Chess: You won']));
        await hears(host, 'capture', 'turn', 'move', 'over');
        assert.equal((await heard(host)).tag, new URL(url).pathname.split('/').at(-1));
        assert.deepEqual(await heard(guest), {sounds: [], notices: [], asked: 0});
    });

test('who watches hears moves, captures and the end, and is not called', async () => {
    const [host, watcher] = [await browser.visitor('plays'), await browser.visitor('watches', PHONE)];
    await listen(watcher, {on: true});
    const url = await host.enterRoom(server, 'chess', 'screen');
    await watcher.open(url);
    await watcher.reaches(2);
    await hide(watcher, true);
    for (const [i, [from, to]] of ['f2f3', 'e7e5', 'g2g4', 'e5e4', 'f3e4', 'd8h4'].map(move => [move.slice(0, 2), move.slice(2)]).entries()) {
        await host.click(from, to);
        await Promise.all([host.reaches(3 + i), watcher.reaches(3 + i)]);
    }
    await hears(watcher, 'move', 'move', 'move', 'move', 'capture', 'move', 'over');
    assert.deepEqual((await heard(watcher)).notices, []);
});

test('one’s own time is low: told once, of one’s own clock, until there is much more again', async () => {
    const host = await browser.visitor('low');
    await listen(host, {on: true});
    await host.context.clock.install(); // of the page alone: the server's goes on as it does
    const url = await host.enterRoom(server, 'chess', 'friend', {seat: 'White', clock: {initial_ms: 600_000, increment_ms: 60_000}});
    const room = url.split('/').at(-1);
    const friend = await Client.open(server);
    await takeSeat(friend, room, 'black');
    await host.reaches(3);
    await host.click('e2', 'e4');
    await friend.next({type: 'event', version: 4});
    await friend.done({type: 'move', room, move: {from: 'e7', to: 'e5'}});
    await host.reaches(5);
    const begun = ['turn', 'move', 'move', 'turn'];
    await hears(host, ...begun);
    await host.page.clock.fastForward(580_000);
    await host.page.locator('[data-clock="white"].runs', {hasText: /^0:[12]\d$/}).waitFor();
    assert.deepEqual((await heard(host)).sounds, begun, 'not yet');
    await host.page.clock.fastForward(14_000);
    await hears(host, ...begun, 'low');
    await host.page.clock.fastForward(2_000);
    await host.click('g1', 'f3');
    await friend.next({type: 'event', version: 6});
    await host.reaches(6);
    await hears(host, ...begun, 'low', 'move');
    await host.page.clock.fastForward(600_000); // the other one's
    await friend.done({type: 'move', room, move: {from: 'b8', to: 'c6'}});
    await host.reaches(7);
    await hears(host, ...begun, 'low', 'move', 'move', 'turn');
    await host.page.clock.fastForward(660_000);
    await hears(host, ...begun, 'low', 'move', 'move', 'turn', 'low');
    await bell(host).click();
    await friend.end();
});

test('what is heard of a move follows from the figures on the board', () => {
    const stones = (...players) => Object.fromEntries(players.map((player, i) => [`a${i}`, {player, figure: 'stone'}]));
    const heardOf = (before, after, {taken, status} = {}) =>
        soundsOf({kind: 'moved', seat: 'white', patch: status ? {status} : {}}, {state: {status: status ?? 'playing', cells: after, taken}, mine: [], players: ['white', 'black']}, {cells: before}).join();
    const two = stones('white', 'black');
    assert.equal(heardOf(two, two), 'move');
    assert.equal(heardOf(two, stones('white')), 'capture');
    assert.equal(heardOf(two, stones('white', 'black', 'white')), 'move', 'put on the board');
    assert.equal(heardOf(two, stones('white', 'white')), 'capture', 'one put, one taken, as in go');
    assert.equal(heardOf(two, stones('white', 'white', 'white')), 'move', 'one put, one turned over, as in reversi');
    assert.equal(heardOf(two, two, {taken: ['a1']}), 'capture', 'gone when the turn is over');
    assert.equal(heardOf(two, stones('white'), {status: 'finished'}), 'capture,over');
});

test('no page had anything to complain about', () => browser.assertNoErrors());
