// Who has gone when it is his turn: how long he is waited for is counted down, and then the other one may claim the game.
import assert from 'node:assert/strict';
import {after, test} from 'node:test';
import {absenceOf} from '../../server/web/absence.js';
import {takeSeat} from '../support/table.mjs';
import {Client} from '../support/client.mjs';
import {Server} from '../support/server.mjs';
import {assertFits, DESKTOP, eventually, PHONE, stage} from './browser.mjs';

const hasty = new Server(['--absence-ms', '1000']); // where nobody is waited for long
const {server, browser} = stage('absence', () => hasty.start());
after(() => hasty.remove());

const button = (visitor, name) => visitor.page.getByRole('button', {name, exact: true});
const away = visitor => visitor.page.locator('.absence');

// A visitor plays white against a program, and it is the program's turn.
async function table(visitor, server) {
    const url = await visitor.enterRoom(server, 'chess', 'friend', {seat: 'White'});
    const room = url.split('/').at(-1);
    const friend = await Client.open(server);
    await takeSeat(friend, room, 'black');
    await visitor.reaches(3);
    await visitor.click('e2', 'e4');
    await friend.next({type: 'event', version: 4});
    await friend.done({type: 'move', room, move: {from: 'e7', to: 'e5'}});
    await visitor.reaches(5);
    return {room, url, friend};
}

for (const size of [DESKTOP, PHONE]) {
    test(`who has gone is waited for, and how long is counted down, ${size.viewport.width} wide`, async () => {
        const host = await browser.visitor(`waits-${size.viewport.width}`, size);
        const {room, friend} = await table(host, server);
        await host.click('g1', 'f3');
        await host.reaches(6);
        assert.equal(await away(host).innerText(), '');
        await friend.end();
        await away(host).filter({hasText: /Black has gone\. If that lasts, you may claim the game in [45]:\d\d\./}).waitFor();
        assert.equal(await button(host, 'Claim the win').count(), 0);
        await host.screenshot('countdown');
        await assertFits(host);
        await host.page.reload();
        await away(host).filter({hasText: /in [1-4]:\d\d\./}).waitFor();
        const back = await Client.open(server, {token: friend.token});
        await back.done({type: 'resume', room, version: 0});
        await eventually(async () => assert.equal(await away(host).innerText(), ''));
        await back.end();
    });
}

test('then the win is claimed; who watches is asked nothing', async () => {
    const [host, watcher] = [await browser.visitor('host'), await browser.visitor('watcher', PHONE)];
    const {friend, url} = await table(host, hasty);
    await watcher.open(url);
    await watcher.reaches(5);
    await host.click('g1', 'f3');
    await friend.end();
    await button(host, 'Claim the win').waitFor();
    await host.screenshot('claim');
    await assertFits(host);
    assert.equal(await away(watcher).innerText(), '');
    await button(host, 'Claim the win').click();
    for (const visitor of [host, watcher]) await visitor.reaches(7);
    assert.match(await host.verdict(), /You won\s+Absence/);
    assert.match(await watcher.verdict(), /White won\s+Absence/);
    assert.equal(await away(host).innerText(), '');
});

test('on a phone: who comes back plays on; gone again, a draw is claimed', async () => {
    const host = await browser.visitor('phone', PHONE);
    const {room, friend} = await table(host, hasty);
    await friend.end();
    await away(host).filter({hasText: 'Play on: if it is Black’s turn and nobody comes'}).waitFor();
    assert.equal(await button(host, 'Claim the win').count(), 0, 'not in a turn of one’s own');
    await host.screenshot('own-turn');
    await host.click('g1', 'f3');
    await button(host, 'Claim the win').waitFor();
    await host.screenshot('claim');
    await assertFits(host);
    const back = await Client.open(hasty, {token: friend.token});
    await back.done({type: 'resume', room, version: 0});
    await eventually(async () => assert.equal(await away(host).innerText(), ''));
    await back.done({type: 'move', room, move: {from: 'b8', to: 'c6'}});
    await host.reaches(7);
    await back.end();
    await host.click('f1', 'c4');
    await button(host, 'Claim a draw').click();
    await host.reaches(9);
    assert.match(await host.verdict(), /Draw\s+Black was absent/);
});

test('what is said follows from who is to move, and by when', () => {
    const replica = {presence: {absent: {black: 400}, at: 100}};
    const view = {state: {status: 'playing', to_move: 'black'}, mine: ['white'], analysis: null, replica};
    assert.deepEqual(absenceOf(view, 100), {seat: 'black', until: 500, may: false});
    assert.deepEqual(absenceOf(view, 500), {seat: 'black', until: 500, may: true});
    assert.equal(absenceOf({...view, state: {status: 'playing', to_move: 'white'}}, 500).may, false);
    assert.equal(absenceOf({...view, mine: []}, 500), null);
    assert.equal(absenceOf({...view, mine: ['white', 'black']}, 500), null);
    assert.equal(absenceOf({...view, state: {status: 'finished'}}, 500), null);
    const three = {...view, replica: {presence: {absent: {red: 300, black: 400}, at: 100}}};
    assert.equal(absenceOf(three, 450).seat, 'black', 'whoever is to move is waited for');
});

test('no page had anything to complain about', () => browser.assertNoErrors());
