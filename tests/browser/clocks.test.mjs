// Games with clocks: chosen before the room is opened, seen to run, and a flag that falls.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {playMoves, setTable} from '../support/table.mjs';
import {assertFits, eventually, PHONE, stage} from './browser.mjs';

const {server, browser} = stage('clocks');

const clock = (visitor, seat) => visitor.page.locator(`[data-clock="${seat}"]`);

test('ten minutes and five seconds a turn: chosen in the dialog, and both clocks go', async () => {
    const [host, guest] = [await browser.visitor('host'), await browser.visitor('guest', PHONE)];
    await host.open(server.url);
    await host.page.click('[data-game="chess"] [data-way="friend"]');
    await host.page.locator('.dialog .time label', {hasText: '10 + 5'}).click();
    await host.screenshot('dialog');
    await assertFits(host);
    await host.page.click('.dialog .primary');
    await host.page.waitForURL('**/room/*');
    await guest.open(host.page.url());
    await guest.page.click('[data-take="black"]');
    await Promise.all([host.reaches(3), guest.reaches(3)]);
    for (const seat of ['white', 'black']) assert.equal(await clock(guest, seat).innerText(), '10:00');
    await host.click('e2', 'e4');
    await guest.reaches(4);
    await guest.click('e7', 'e5');
    await host.reaches(5);
    await eventually(async () => assert.match(await clock(host, 'white').innerText(), /^9:\d\d$/));
    assert.equal(await clock(host, 'black').innerText(), '10:00', 'nobody’s runs in a first turn');
    assert.match(await clock(host, 'white').getAttribute('class'), /runs/);
    await assertFits(guest);
    await host.screenshot('runs');
    await guest.screenshot('runs');
    await host.click('d2', 'd4');
    await eventually(async () => assert.match(await clock(guest, 'black').getAttribute('class'), /runs/));
    assert.doesNotMatch(await clock(guest, 'white').getAttribute('class'), /runs/);
    await host.page.reload();
    await eventually(async () => assert.match(await clock(host, 'black').getAttribute('class'), /runs/));
});

test('whose flag falls has lost, and who watches reads why', async () => {
    const table = await setTable(server, {create: {game: 'chess', clock: {initial_ms: 1500}}});
    const watcher = await browser.visitor('watcher');
    await playMoves(table, 'e2e4 e7e5');
    await watcher.open(`${server.url}/room/${table.room}`);
    await watcher.reaches(6);
    assert.match(await watcher.verdict(), /Black won\s+Time/);
    assert.equal(await clock(watcher, 'white').innerText(), '0.0');
    assert.equal(await clock(watcher, 'black').innerText(), '1.5');
    await watcher.screenshot('flagged');
    await table.end();
});

test('no page had anything to complain about', () => browser.assertNoErrors());
