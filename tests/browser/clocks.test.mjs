// Games with clocks: chosen before the room is opened, seen to run, and a flag that falls.
import assert from 'node:assert/strict';
import {after, test} from 'node:test';
import {farAway} from '../support/far_away.mjs';
import {Client} from '../support/client.mjs';
import {Player} from '../support/player.mjs';
import {playMoves, setTable, takeSeat} from '../support/table.mjs';
import {assertFits, DESKTOP, eventually, PHONE, SIZES, stage} from './browser.mjs';

const {server, browser} = stage('clocks');

const clock = (visitor, seat) => visitor.page.locator(`[data-clock="${seat}"]`);

test('ten minutes and five seconds a turn: chosen in the dialog, and both clocks go', async () => {
    const [host, guest] = [await browser.visitor('host'), await browser.visitor('guest', PHONE)];
    const far = await farAway(server, 30);
    after(() => far.stop());
    await host.open(server.url);
    await host.page.click('[data-game="chess"] [data-way="friend"]');
    await host.page.locator('.dialog .time label', {hasText: '10 + 5'}).click();
    await host.screenshot('dialog');
    await assertFits(host);
    await host.page.click('.dialog .primary');
    await host.page.waitForURL('**/room/*');
    await guest.open(host.page.url().replace(server.url, far.url));
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
    const lag = host.page.locator('[data-seat="black"] .lag'); // as the server has measured it
    await lag.waitFor();
    assert.match(await lag.innerText(), /^(6\d|[7-9]\d|\d{3,}) ms$/);
    assert.match(await lag.getAttribute('title'), /^Lag: \d+ ms to the server and back; \d+ ms of the last move were not charged$/);
    await host.page.reload();
    await eventually(async () => assert.match(await clock(host, 'black').getAttribute('class'), /runs/));
});

test('a clock of one’s own, with odds: what cannot be is said in place, and so is what the server refuses', async () => {
    const [host, guest] = [await browser.visitor('odds', PHONE), await browser.visitor('strong')];
    await host.open(server.url);
    await host.page.click('[data-game="chess"] [data-way="friend"]');
    await host.page.locator('.dialog .time label', {hasText: 'Other…'}).click();
    const field = name => host.page.getByLabel(name, {exact: true});
    const says = words => host.page.locator('.dialog .problem', {hasText: words}).waitFor();
    const agree = () => host.page.click('.dialog .primary');
    await field('Minutes').fill('0');
    await field('Seconds').fill('0');
    await agree();
    await says('Nobody can play without any time.');
    await field('Minutes').fill('50000');
    await agree();
    await says('Minutes: from 0 to 43200.');
    await host.page.getByLabel('How the clock goes').selectOption({label: 'Byo-yomi periods'});
    await field('Minutes').fill('2');
    await field('Seconds').evaluate(input => input.removeAttribute('min')); // the page lets it pass
    await field('Seconds').fill('0');
    await agree();
    await says('A period has a length, and there is at least one.');
    await field('Seconds').fill('30');
    await host.page.getByLabel('Another time for each').check();
    await field('Minutes, Black').fill('0.5');
    await field('Times, Black').fill('1');
    await host.screenshot('own');
    await assertFits(host);
    await agree();
    await host.page.waitForURL('**/room/*');
    await guest.open(host.page.url());
    await guest.page.click('[data-take="black"]');
    await Promise.all([host.reaches(3), guest.reaches(3)]);
    assert.equal(await clock(host, 'white').innerText(), '2:00');
    assert.equal(await clock(host, 'black').innerText(), '0:30');
    assert.equal(await clock(host, 'black').getAttribute('title'), '30 s + 1 × 30 s');
    await guest.page.getByRole('button', {name: 'Abort'}).click();
    await guest.page.locator('.dialog .danger').click();
    await Promise.all([host.reaches(4), guest.reaches(4)]);

    const otherClock = visitor => visitor.page.getByRole('button', {name: 'Other clock…'});
    await otherClock(guest).click();
    await guest.page.locator('.dialog .time label', {hasText: '3 + 2'}).click();
    await guest.screenshot('rematch');
    await guest.page.click('.dialog .primary');
    await host.page.getByText('Black would like a rematch with another clock: 3 min + 2 s a turn.').waitFor();
    await guest.page.getByText('Black has offered a rematch: 3 min + 2 s a turn.').waitFor();
    assert.equal(await otherClock(guest).count(), 0);
    await host.screenshot('rematch-offered');
    await assertFits(host);
    await otherClock(host).click(); // and another one is offered instead
    await host.page.locator('.dialog .time label', {hasText: 'None'}).click();
    await host.page.click('.dialog .primary');
    await guest.page.getByText('White would like a rematch with another clock: no clock.').waitFor();
    await guest.page.reload();
    await guest.page.getByText('White would like a rematch with another clock: no clock.').waitFor();
    await otherClock(guest).click();
    await guest.page.locator('.dialog .time label', {hasText: 'Other…'}).click();
    await guest.page.getByLabel('Minutes', {exact: true}).fill('7');
    await guest.page.click('.dialog .primary');
    await host.page.getByText('7 min + 10 s a turn').waitFor();
    await host.page.getByRole('button', {name: 'Accept'}).click();
    for (const visitor of [host, guest]) await visitor.page.waitForSelector('.room[data-status="playing"] [data-clock]');
    assert.equal(await clock(host, 'black').innerText(), '7:00');
    assert.equal(await clock(guest, 'white').getAttribute('title'), '7 min + 10 s a turn');
});

// What the room says it was made with.
async function clockOf(url) {
    const answer = await fetch(url.replace('/room/', '/api/v1/rooms/'));
    return (await answer.json()).clock;
}

const DAY_MS = 86_400_000;
// How the clock goes, what is entered, what the room is made with, and what is said of it.
const KINDS = [
    ['Increment after each turn', {Minutes: 7, Seconds: 3}, {initial_ms: 420_000, increment_ms: 3_000}, '7 min + 3 s a turn'],
    ['Delay, free at each turn', {Minutes: 5, Seconds: 4}, {initial_ms: 300_000, delay_ms: 4_000}, '5 min + 4 s of each turn free'],
    ['Bronstein delay', {Minutes: 5, Seconds: 4}, {initial_ms: 300_000, delay_ms: 4_000, bronstein: true}, '5 min + 4 s of each turn free'],
    ['Byo-yomi periods', {Minutes: 10, Seconds: 30, Times: 5}, {initial_ms: 600_000, periods: 5, period_ms: 30_000}, '10 min + 5 × 30 s'],
    ['Fixed time for each turn', {Seconds: 45}, {initial_ms: 0, periods: 1, period_ms: 45_000}, '45 s a turn'],
    ['Days a turn', {Days: 14}, {initial_ms: 0, periods: 1, period_ms: 14 * DAY_MS}, '14 d a turn'],
];
const PRESETS = [
    ['3 + 2', {initial_ms: 180_000, increment_ms: 2_000}, '3 min + 2 s a turn'],
    ['30 min', {initial_ms: 1_800_000}, '30 min'],
    ['3 days', {initial_ms: 0, periods: 1, period_ms: 3 * DAY_MS}, '3 d a turn'],
];

// The dialog of a game, with one of the clocks that it offers.
async function askFor(visitor, time, game = 'chess') {
    await visitor.open(server.url);
    await visitor.page.click(`[data-game="${game}"] [data-way="friend"]`);
    await visitor.page.locator('.dialog .time label', {hasText: time}).click();
}

async function opens(visitor) {
    await visitor.page.click('.dialog .primary');
    await visitor.page.waitForURL('**/room/*');
    await visitor.reaches(2);
    return visitor.page.url();
}

test('each kind of clock, and each that is offered, is the one the room has', async () => {
    const visitor = await browser.visitor('kinds', PHONE);
    for (const [kind, fields, wanted, words] of KINDS) {
        await askFor(visitor, 'Other…');
        await visitor.page.getByLabel('How the clock goes').selectOption({label: kind});
        for (const [name, value] of Object.entries(fields)) await visitor.page.getByLabel(name, {exact: true}).fill(`${value}`);
        if (kind.startsWith('Fixed')) await visitor.screenshot('fixed');
        const url = await opens(visitor);
        assert.deepEqual(await clockOf(url), wanted, kind);
        assert.equal(await clock(visitor, 'white').getAttribute('title'), words);
    }
    for (const [label, wanted, words] of PRESETS) {
        await askFor(visitor, label);
        const url = await opens(visitor);
        assert.deepEqual(await clockOf(url), wanted, label);
        assert.equal(await clock(visitor, 'white').getAttribute('title'), words);
    }
});

test('of three each has another time', async () => {
    const visitor = await browser.visitor('three', PHONE);
    await askFor(visitor, 'Other…', 'chinese-checkers');
    await visitor.page.locator('.dialog .players label', {hasText: '3'}).click();
    await visitor.page.locator('.dialog .seat label', {hasText: 'Red'}).click();
    await visitor.page.getByLabel('Another time for each').check();
    for (const [i, seat] of ['Red', 'Yellow', 'Blue'].entries()) {
        await visitor.page.getByLabel(`Minutes, ${seat}`).fill(`${1 + i}`);
        await visitor.page.getByLabel(`Seconds, ${seat}`).fill(`${10 * i}`);
    }
    await visitor.screenshot('odds');
    await assertFits(visitor);
    const url = await opens(visitor);
    const {seats} = await clockOf(url);
    assert.deepEqual(seats, {yellow: {initial_ms: 120_000, increment_ms: 10_000}, blue: {initial_ms: 180_000, increment_ms: 20_000}});
    const others = [];
    for (const seat of ['yellow', 'blue']) {
        others.push(await Client.open(server));
        await takeSeat(others.at(-1), url.split('/').at(-1), seat);
    }
    await visitor.reaches(4);
    for (const [seat, left] of [['red', '1:00'], ['yellow', '2:00'], ['blue', '3:00']]) assert.equal(await clock(visitor, seat).innerText(), left);
    await visitor.screenshot('plays');
    await assertFits(visitor);
    for (const other of others) await other.end();
});

for (const size of [DESKTOP, PHONE])
    test(`who has to begin is told how long there is, and so is everybody, ${size.viewport.width} wide`, async () => {
        const width = size.viewport.width;
        const [host, watcher] = [await browser.visitor(`begins-${width}`, size), await browser.visitor(`looks-${width}`, size)];
        const url = await host.enterRoom(server, 'chess', 'friend', {seat: 'White', clock: {initial_ms: 600_000, increment_ms: 5_000}});
        await watcher.open(url);
        const countdown = (visitor, seat) => visitor.page.locator(`[data-seat="${seat}"] .to-begin`);
        const seconds = async visitor => Number(/^0:(\d\d) to begin$/.exec(await countdown(visitor, 'white').innerText())?.[1]);
        assert.equal(await host.page.locator('.to-begin').count(), 0, 'nobody plays yet');
        const friend = await Client.open(server);
        await takeSeat(friend, url.split('/').at(-1), 'black');
        for (const visitor of [host, watcher]) {
            await countdown(visitor, 'white').filter({hasText: /^0:([1-4]\d|5[0-7]) to begin$/}).waitFor(); // it goes
            assert.equal(await countdown(visitor, 'black').count(), 0);
            await visitor.screenshot('to-begin');
            await assertFits(visitor);
        }
        const shown = await seconds(host);
        await host.page.reload();
        await countdown(host, 'white').waitFor();
        assert.ok((await seconds(host)) <= shown, 'it does not begin anew');
        await host.click('e2', 'e4');
        await friend.next({type: 'event', version: 4});
        for (const visitor of [host, watcher]) {
            await countdown(visitor, 'black').filter({hasText: /^(1:00|0:5\d) to begin$/}).waitFor();
            assert.equal(await countdown(visitor, 'white').count(), 0);
        }
        await friend.done({type: 'move', room: url.split('/').at(-1), move: {from: 'e7', to: 'e5'}});
        for (const visitor of [host, watcher]) {
            await clock(visitor, 'white').and(visitor.page.locator('.runs')).waitFor();
            assert.equal(await visitor.page.locator('.to-begin').count(), 0);
        }
        await friend.end();
    });

test('a move that is taken back was a beginning, and what a fork came with is none', async () => {
    const table = await setTable(server, {create: {game: 'chess', clock: {initial_ms: 600_000}}});
    const {room} = table;
    const watcher = await browser.visitor('taken-back');
    await watcher.open(`${server.url}/room/${room}`);
    await watcher.reaches(3);
    await watcher.page.locator('[data-seat="white"] .to-begin').waitFor();
    await playMoves(table, 'e2e4');
    await table.white.done({type: 'action', room, kind: 'takeback.offer'});
    await table.black.done({type: 'action', room, kind: 'takeback.accept'});
    for (const again of [false, true]) {
        if (again) await watcher.page.reload();
        await watcher.reaches(6);
        await clock(watcher, 'white').and(watcher.page.locator('.runs')).waitFor();
        assert.equal(await watcher.page.locator('.to-begin').count(), 0);
    }
    await playMoves(table, 'd2d4 d7d5');
    const fork = await setTable(server, {create: {fork: {room, ply: 2}, clock: {initial_ms: 600_000}}});
    await watcher.open(`${server.url}/room/${fork.room}`);
    await watcher.page.locator('[data-seat="white"] .to-begin').waitFor();
    assert.equal(await watcher.page.locator('.clock.runs').count(), 0);
    await Promise.all([table.end(), fork.end()]);
});

test('by correspondence nobody has to hurry to begin', async () => {
    const visitor = await browser.visitor('corresponds');
    const url = await visitor.enterRoom(server, 'chess', 'friend', {seat: 'White', clock: {initial_ms: 0, periods: 1, period_ms: DAY_MS}});
    const friend = await Client.open(server);
    await takeSeat(friend, url.split('/').at(-1), 'black');
    await visitor.reaches(3);
    await visitor.page.locator('.verdict.mine').waitFor();
    assert.equal(await visitor.page.locator('.to-begin').count(), 0);
    assert.equal(await clock(visitor, 'white').innerText(), '1 d 0 h ×1');
    await friend.end();
});

for (const [name, size] of SIZES) {
    test(`whose flag falls has lost, and who watches reads why (${name})`, async () => {
        const table = await setTable(server, {create: {game: 'chess', clock: {initial_ms: 1500}}});
        const watcher = await browser.visitor(`watcher-${name}`, size);
        await playMoves(table, 'e2e4 e7e5');
        await watcher.open(`${server.url}/room/${table.room}`);
        await watcher.reaches(6);
        assert.match(await watcher.verdict(), /Black won\s+Time/);
        assert.equal(await clock(watcher, 'white').innerText(), '0.0');
        assert.equal(await clock(watcher, 'black').innerText(), '1.5');
        await assertFits(watcher);
        await watcher.screenshot('flagged');
        await table.end();
    });

    test(`one's own flag falls, and a rematch is one press away (${name})`, async () => {
        const visitor = await browser.visitor(`flagged-${name}`, size);
        const other = new Player(server);
        after(() => other.close());
        await other.connect();
        const {room} = await other.call({type: 'create', game: 'chess', clock: {initial_ms: 2000}});
        await other.join(room, 'black');
        await visitor.open(`${server.url}/room/${room}`);
        await visitor.press(visitor.page.locator('[data-take="white"]'));
        await visitor.reaches(3);
        await visitor.play('e2', 'e4');
        await visitor.reaches(4);
        await other.call({type: 'move', room, move: {from: 'e7', to: 'e5'}});
        await visitor.page.waitForSelector('.verdict.lost');
        assert.match(await visitor.verdict(), /You lost\s+Time/);
        assert.equal(await clock(visitor, 'white').innerText(), '0.0');
        assert.equal(await visitor.page.getByRole('button', {name: 'Resign'}).count(), 0);
        await assertFits(visitor);
        await visitor.screenshot('lost');
        await visitor.press('Rematch');
        await visitor.page.locator('.offer', {hasText: 'White has offered a rematch'}).waitFor();
    });
}

test('no page had anything to complain about', () => browser.assertNoErrors());
