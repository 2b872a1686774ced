// The lobby: rooms are made, found, joined and found again; and a game of one's own.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {Player} from '../support/player.mjs';
import {assertFits, DESKTOP, eventually, PHONE, stage} from './browser.mjs';
import {readQr} from './qr.mjs';

let host, guest;
const {server, browser} = stage('lobby', async () => {
    host = await browser.visitor('Hypatia');
    guest = await browser.visitor('Gerbert');
});

const row = (visitor, section, room) =>
    visitor.page.locator(`${section} [data-room="${new URL(room).pathname.split('/').at(-1)}"]`);

test('every game of the server is offered', async () => {
    await guest.open(server.url);
    await guest.page.waitForSelector('.game-card img');
    for (const title of ['Chess', 'Checkers', 'Intellector']) {
        assert.equal(await guest.page.locator('.game-card').getByRole('heading', {name: title, exact: true}).count(), 1);
    }
    await guest.screenshot('empty');
});

test('the games are shown before the server says a word, and without their file it is asked', async () => {
    const early = await browser.visitor('early');
    await early.context.routeWebSocket('**/ws', () => {});
    await early.open(server.url);
    await early.page.locator('.game-card').first().waitFor();
    const late = await browser.visitor('late');
    late.refusals = true;
    await late.context.route('**/games.json', route => route.fulfill({status: 404, body: ''}));
    await late.open(server.url);
    await late.page.locator('.game-card').first().waitFor();
    const [these, those] = await Promise.all([early, late].map(({page}) => page.locator('.game-card').evaluateAll(cards => cards.map(card => card.innerText))));
    assert.deepEqual(these, those);
});

test('a new room appears to others at once; its link can be copied, and its seat taken', async () => {
    const room = await host.openRoom(server, 'chess', 'friend', {seat: 'Black'});
    await row(guest, '.open-rooms', room).waitFor();
    await row(guest, '.open-rooms', room)
        .filter({hasText: /White free.*Hypatia.*Join/s})
        .waitFor(); // first it is made, then she sits down
    await host.page.getByRole('button', {name: 'Copy link'}).click();
    await eventually(async () => assert.equal(await host.page.evaluate(() => navigator.clipboard.readText()), room));
    await guest.screenshot('open-room');
    await row(guest, '.open-rooms', room).click();
    await guest.page.locator('[data-take="white"]').click();
    await guest.page.waitForSelector('.verdict.mine');
    await host.page.locator('.strips.top', {hasText: 'Gerbert'}).waitFor();
    assert.match(await host.page.locator('.strips.bottom').innerText(), /Hypatia/);
});

test('one finds one’s own rooms again', async () => {
    const room = host.page.url();
    await host.page.click('.brand');
    await row(host, '.my-rooms', room).filter({hasText: /Gerbert.*Hypatia/s}).waitFor();
    await host.screenshot('my-rooms');
    await row(host, '.my-rooms', room).click();
    await host.page.waitForSelector('.room[data-status="playing"]');
});

test('a private room is found by its link only', async () => {
    const room = await host.openRoom(server, 'checkers', 'friend', {hidden: true});
    const open = await host.enterRoom(server, 'checkers', 'friend');
    await guest.open(server.url);
    await row(guest, '.open-rooms', open).waitFor();
    assert.equal(await row(guest, '.open-rooms', room).count(), 0);
    await guest.page.goto(room);
    await guest.page.waitForSelector('[data-take]');
});

test('both sides are played on one screen', async () => {
    await host.openRoom(server, 'chess', 'screen');
    await host.click('e2', 'e4');
    await host.page.locator('.verdict', {hasText: 'Black to move'}).waitFor();
    await host.click('e7', 'e5');
    await host.page.locator('.verdict', {hasText: 'White to move'}).waitFor();
    await host.page.getByRole('button', {name: 'Flip board'}).click();
    await host.click('g1', 'f3');
    await host.page.locator('.verdict', {hasText: 'Black to move'}).waitFor();
    await host.screenshot('one-screen');
});

test('a room that a program has opened says so', async () => {
    const {Client} = await import('../support/client.mjs');
    const program = await Client.open(server);
    const {room} = await program.done({type: 'create', game: 'hex'});
    await program.done({type: 'join', room, seat: 'any', name: 'Deep Thought', as: 'bot'});
    await host.open(server.url);
    await row(host, '.open-rooms', `${server.url}/room/${room}`)
        .filter({hasText: /Deep Thought bot/})
        .waitFor();
    await host.screenshot('opened-by-a-program');
    await program.done({type: 'leave', room});
    await program.end();
});

test('a room that is not there says so', async () => {
    await guest.open(`${server.url}/room/aaaaaaaa`);
    await guest.page.waitForSelector('.missing');
    await guest.screenshot('missing');
});

test('the lobby fits a phone', async () => {
    const visitor = await browser.visitor('phone', PHONE);
    await visitor.open(server.url);
    await visitor.page.waitForSelector('.game-card img');
    await visitor.screenshot('whole', {fullPage: true});
    const {width, wanted} = await visitor.page.evaluate(() => ({
        width: document.documentElement.clientWidth,
        wanted: document.documentElement.scrollWidth,
    }));
    assert.ok(wanted <= width);
});

test('rooms whose host has gone do not bury the games: the first one stands on the first screen', async () => {
    const {Client} = await import('../support/client.mjs');
    const ghost = await Client.open(server);
    for (let i = 0; i < 23; i++) {
        const {room} = await ghost.done({type: 'create', game: 'chess'});
        await ghost.done({type: 'join', room, seat: 'white', name: `Ghost ${i}`});
        await ghost.done({type: 'leave', room});
    }
    await ghost.end();
    const visitor = await browser.visitor('stranger');
    await visitor.open(server.url);
    const first = visitor.page.locator('.game-card').first();
    await first.waitFor();
    assert.equal(await first.getAttribute('data-game'), 'chess', 'the best known one');
    const button = await first.locator('[data-way="seek"]').first().boundingBox();
    assert.ok(button.y + button.height <= 800, `Play now is at ${button.y}`);
    assert.equal(await visitor.page.locator('.open-rooms .room-row', {hasText: 'Ghost'}).count(), 0);
    await visitor.screenshot('games-first');
});

test('games are searched, and filtered by the number of players', async () => {
    const visitor = await browser.visitor('seeker');
    await visitor.open(server.url);
    await visitor.page.locator('.game-card').first().waitFor();
    const shown = () => visitor.page.locator('.game-card:visible h3').allInnerTexts();
    const all = await shown();
    await visitor.page.getByRole('searchbox').fill('draughts flying');
    const found = await shown();
    assert.ok(found.length > 0 && found.length < all.length && found.every(title => /draughts/i.test(title)), found.join());
    await visitor.page.getByRole('searchbox').fill('no such game');
    assert.deepEqual(await shown(), []);
    await visitor.page.getByText('No game here is called that').waitFor();
    await visitor.page.getByRole('searchbox').fill('');
    await visitor.page.getByRole('radio', {name: 'For more'}).check({force: true});
    assert.deepEqual(await shown(), ['Chinese checkers']);
});

test('one sits down with whoever waits in a room in one click', async () => {
    const visitor = await browser.visitor('Zenobia');
    const room = await host.enterRoom(server, 'breakthrough', 'friend');
    await visitor.open(server.url);
    await visitor.page.locator('[data-game="breakthrough"] [data-way="host"]', {hasText: 'with Hypatia'}).click();
    await visitor.page.waitForURL(room);
    await visitor.page.waitForSelector('.room[data-status="playing"]');
});

test('one’s own rooms say whose turn it is, and more than a few are shown when they are asked for', async () => {
    const visitor = await browser.visitor('Aspasia');
    const mine = await visitor.enterRoom(server, 'chess', 'screen');
    for (let i = 0; i < 4; i++) await visitor.enterRoom(server, 'chess', 'friend');
    await visitor.enterRoom(server, 'chess', 'bot', {seat: 'White'});
    await visitor.open(server.url);
    const rows = visitor.page.locator('.my-rooms .room-row');
    await rows.nth(2).waitFor();
    assert.equal(await rows.count(), 3);
    await rows.first().getByText('Your turn').waitFor();
    await visitor.page.getByRole('button', {name: /Show 3 more of 6/}).click();
    assert.equal(await rows.count(), 6);
    await row(visitor, '.my-rooms', mine).getByText('Your turn').waitFor();
    assert.equal(await rows.filter({hasText: 'Waiting'}).count(), 4);
    await visitor.screenshot('my-rooms-turns');
});

test('a room for a friend is private unless one says otherwise; who comes third is told that the seats are taken', async () => {
    await host.open(server.url);
    await host.page.click('[data-game="chess"] [data-way="friend"]');
    assert.ok(await host.page.isChecked('.dialog [name="private"]'));
    await host.page.locator('.dialog .opponent label', {hasText: 'The bot'}).click();
    assert.ok(!(await host.page.isChecked('.dialog [name="private"]')));
    await host.page.locator('.dialog .opponent label', {hasText: 'A friend'}).click();
    await host.page.click('.dialog .primary');
    await host.page.waitForURL('**/room/*');
    const room = host.page.url();
    await guest.open(room);
    await guest.page.locator('[data-take]').first().click();
    await guest.page.waitForSelector('.room[data-status="playing"]');
    const third = await browser.visitor('Photius');
    await third.open(room);
    await third.page.getByText('Both seats are taken: you are watching.').waitFor();
    await third.screenshot('seats-taken');
    await third.page.getByRole('link', {name: 'Play a game of your own'}).click();
    await third.page.locator('.game-card').first().waitFor();
    assert.equal(await row(third, '.open-rooms', room).count(), 0);
});

test('whoever waits can leave, and the room is not offered any more', async () => {
    const room = await host.enterRoom(server, 'atomic', 'friend');
    await guest.open(server.url);
    await row(guest, '.open-rooms', room).waitFor();
    await host.page.getByRole('button', {name: 'Leave this room'}).click();
    await host.page.waitForURL(`${server.url}/`);
    await row(guest, '.open-rooms', room).waitFor({state: 'detached'});
    await host.page.locator('.my-rooms .room-row').first().waitFor();
    assert.equal(await row(host, '.my-rooms', room).count(), 0);
});

// All of it lies in the window.
async function assertSeen({page}, selector) {
    const {width, height} = page.viewportSize();
    await eventually(async () => {
        const box = await page.locator(selector).boundingBox();
        assert.ok(box && box.x >= 0 && box.y >= 0 && box.x + box.width <= width && box.y + box.height <= height, `${selector}: ${JSON.stringify(box)}`);
    });
}

const SHORT = {viewport: {width: 640, height: 400}};
for (const [name, size] of [['pictured', DESKTOP], ['pictured-phone', {...PHONE, colorScheme: 'dark'}], ['pictured-short', SHORT]])
    test(`an invitation as a QR code, for a phone beside one's own page (${name}): it says the room's link, and goes when somebody has come by it`, async () => {
        const visitor = await browser.visitor(name, size);
        const room = await visitor.enterRoom(server, 'chess', 'friend', {seat: 'White', hidden: true});
        const button = visitor.page.getByRole('button', {name: 'Show the link as a QR code'});
        await assertSeen(visitor, '.invitation .share');
        await assertFits(visitor);
        await visitor.screenshot('invitation');
        await button.click();
        const picture = visitor.page.getByRole('dialog', {name: 'Invite with a QR code'}).getByRole('img', {name: 'The link as a QR code'});
        await picture.waitFor();
        await visitor.page.waitForFunction(() => document.querySelector('.qr img').naturalWidth > 0);
        assert.equal(await readQr(visitor, '.dialog'), room);
        assert.equal(await readQr(visitor, '.dialog h2'), null);
        assert.equal(await visitor.page.locator('.dialog .share-address').inputValue(), room);
        for (const part of ['.dialog .qr img', '.dialog .share-address', '.dialog .choices button']) await assertSeen(visitor, part);
        await visitor.screenshot('picture');
        await visitor.page.keyboard.press('Escape');
        await visitor.page.locator('.dialog').waitFor({state: 'detached'});
        await button.click();
        await picture.waitFor();
        await guest.open(room);
        await guest.page.locator('[data-take="black"]').click();
        await visitor.page.waitForSelector('.room[data-status="playing"]');
        await visitor.page.locator('.dialog').waitFor({state: 'detached'});
    });

test('of many rooms those come first where it is one’s turn, then where others are waited for; the others a page at a time', async () => {
    const [owner, other] = [new Player(server), new Player(server)];
    for (const player of [owner, other]) await player.connect();
    const open = async seat => {
        const {room} = await owner.call({type: 'create', game: 'chess', visibility: 'private'});
        await owner.call({type: 'join', room, seat, name: 'Pappus'});
        return room;
    };
    const mine = await open('all');
    const theirs = await open('white');
    await other.call({type: 'join', room: theirs, seat: 'black', name: 'Other'});
    await owner.call({type: 'move', room: theirs, move: {from: 'e2', to: 'e4'}});
    for (let i = 0; i < 54; i++) { // newer ones, which wait: more than one page, so that those two are on the next one
        if (i % 12 === 0) owner.close(), await owner.connect(); // who is in no room any more may come into others
        await open('white');
    }
    for (const player of [owner, other]) player.close();
    const visitor = await browser.visitor('Pappus', PHONE);
    await visitor.context.addInitScript(token => (localStorage['senet.token'] ??= token), owner.token);
    await visitor.open(server.url);
    const rows = visitor.page.locator('.my-rooms .room-row');
    await rows.nth(1).getByText('Black to move').waitFor();
    await rows.first().getByText('Your turn').waitFor();
    assert.deepEqual([await rows.nth(0).getAttribute('data-room'), await rows.nth(1).getAttribute('data-room')], [mine, theirs]);
    await visitor.screenshot('pages');
    const more = visitor.page.getByRole('button', {name: /^Show \d+ more of/});
    for (let shown = 3; shown < 56; shown = await rows.count()) {
        await more.click();
        await rows.nth(Math.min(shown + 11, 55)).waitFor();
    }
    assert.equal(await more.count(), 0);
    assert.equal(new Set(await rows.evaluateAll(all => all.map(row => row.dataset.room))).size, 56);
});

test('no page had anything to complain about', () => browser.assertNoErrors());
