// Rated games on the page: made in the dialog, ratings beside the names, what the game did to them, and the ladder.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {Client} from '../support/client.mjs';
import {assertFits, eventually, PHONE, stage} from './browser.mjs';

const {server, browser} = stage('ratings');

const rating = (visitor, seat) => visitor.page.locator(`.strip[data-seat="${seat}"] .rating`);
const reads = (locator, words) => eventually(async () => assert.match((await locator.innerText()).trim(), words));

test('a rated game from the dialog to the ratings it made, on a desk and on a phone', async () => {
    const [host, guest] = [await browser.visitor('host'), await browser.visitor('guest', PHONE)];
    await host.open(server.url);
    await host.page.click('[data-game="chess"] [data-way="friend"]');
    const box = host.page.locator('.dialog .check.rated');
    await box.waitFor({state: 'hidden'});
    await host.page.locator('.dialog .time label', {hasText: '3 + 2'}).click();
    await box.waitFor({state: 'visible'});
    await box.click();
    await host.screenshot('dialog');
    await assertFits(host);
    await host.page.click('.dialog .primary');
    await host.page.waitForURL('**/room/*');
    await host.page.locator('.subtitle', {hasText: /rated blitz/}).waitFor();
    assert.equal(await host.page.locator('.strip button', {hasText: 'Invite the bot'}).count(), 0);
    await guest.open(host.page.url());
    await guest.page.click('[data-take="black"]');
    await Promise.all([host.reaches(3), guest.reaches(3)]);
    for (const visitor of [host, guest]) for (const seat of ['white', 'black']) await reads(rating(visitor, seat), /^1500\?$/);
    await host.click('f2', 'f3');
    await guest.reaches(4);
    await guest.click('e7', 'e5');
    await host.reaches(5);
    await host.click('g2', 'g4');
    await guest.reaches(6);
    await guest.click('d8', 'h4');
    await host.reaches(7);
    for (const visitor of [host, guest]) {
        await reads(rating(visitor, 'black'), /^1662\? \+162$/);
        await reads(rating(visitor, 'white'), /^1338\? −162$/);
        await assertFits(visitor);
        await visitor.screenshot('counted');
    }
    // Who comes later sees what they are now.
    const late = await browser.visitor('late');
    await late.open(host.page.url());
    await reads(rating(late, 'black'), /^1662\?$/);
});

test('who looks for a rated game says so in the lobby, with a rating', async () => {
    const visitor = await browser.visitor('lobby');
    await visitor.open(server.url);
    const seeker = await Client.open(server);
    const found = seeker.ask({type: 'seek', game: 'chess', name: 'Eve', rated: true, range: {min: 1400, within: 300}, clock: {initial_ms: 180000, increment_ms: 2000}});
    const row = visitor.page.locator('.seek-row', {hasText: 'Eve'});
    await row.filter({hasText: /rated · from 1400 · within 300/}).waitFor();
    await reads(row.locator('.rating'), /^1500\?$/);
    await visitor.screenshot('seek');
    await assertFits(visitor);
    await row.click();
    await visitor.page.locator('.room[data-status="playing"]').waitFor();
    await visitor.page.locator('.subtitle', {hasText: /rated blitz/}).waitFor();
    assert.equal((await found).type, 'ack');
    await seeker.end();
});

test('a rated game is looked for with a clock and a range, on a phone', async () => {
    const visitor = await browser.visitor('range', PHONE);
    await visitor.open(server.url);
    assert.equal(await visitor.page.locator('[data-game="chinese-checkers"] [data-way="rated"]').count(), 0);
    await visitor.page.click('[data-game="chess"] [data-way="rated"]');
    await visitor.page.locator('.dialog .time label', {hasText: '10 + 5'}).click();
    await visitor.page.locator('.dialog .range label', {hasText: 'within 100'}).click();
    await visitor.screenshot('rated-seek');
    await assertFits(visitor);
    await visitor.page.click('.dialog .primary');
    await visitor.page.locator('.seek-bar', {hasText: /Chess.*10 \+ 5, rated, within 100/s}).waitFor();
    const strong = await Client.open(server);
    const clock = {initial_ms: 600000, increment_ms: 5000};
    strong.ask({type: 'seek', game: 'chess', rated: true, clock, range: {min: 1501}}).catch(() => {});
    const equal = await Client.open(server);
    assert.equal((await equal.ask({type: 'seek', game: 'chess', rated: true, clock, range: {min: 1500}})).type, 'ack');
    await visitor.page.locator('.room[data-status="playing"]').waitFor();
    await visitor.page.locator('.subtitle', {hasText: /rated rapid/}).waitFor();
    await strong.end();
    await equal.end();
});

test('the ladder', async () => {
    const [visitor, phone] = [await browser.visitor('ladder'), await browser.visitor('ladder-phone', PHONE)];
    await visitor.open(`${server.url}/ratings/chess/rapid`);
    await visitor.page.locator('.ladder .empty', {hasText: /it takes a dozen/}).waitFor();
    const names = ['Ada Lovelace', 'Bob', 'A name that is as long as a name may be 40'];
    names.forEach((name, i) => server.sql(`INSERT INTO rating (ladder, player, name, bot, rating, deviation, volatility, games, won, drawn, rated_at, sure_until) VALUES ('chess/blitz', 'p_AAAAAAAAAAAAAAA${i}', '${name}', ${i === 1 ? 1 : 0}, ${180000 - 12345 * i}, 6000, 60000, 40, 20, 5, ${Date.now()}, ${Date.now() + 1e9})`));
    for (const one of [visitor, phone]) {
        await one.open(`${server.url}/ratings/chess/blitz`);
        await one.page.locator('h1', {hasText: 'Chess, blitz'}).waitFor();
        await eventually(async () => assert.equal(await one.page.locator('.ladder tbody tr').count(), 3));
        await assertFits(one);
        await one.screenshot('table');
    }
    assert.match(await visitor.page.locator('.ladder tbody tr').first().innerText(), /1\s+Ada Lovelace\s+1800\s+40\s+20\s+5\s+15/);
    await visitor.page.click('.speeds a:has-text("Bullet")');
    await visitor.page.waitForURL('**/ratings/chess/bullet');
    await visitor.page.locator('.ladder .empty').waitFor();
});

test('no page had anything to complain about', () => browser.assertNoErrors());
