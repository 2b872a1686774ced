// Looking for somebody to play with: found, cancelled, with the bot meanwhile, and after what may come between.
import assert from 'node:assert/strict';
import {randomBytes} from 'node:crypto';
import {readFileSync} from 'node:fs';
import {test} from 'node:test';
import {Client} from '../support/client.mjs';
import {assertFits, eventually, PHONE, stage} from './browser.mjs';

let witness;
const {server, browser} = stage('seek', async () => {
    witness = await browser.visitor('witness');
    await witness.open(server.url);
});

const guests = [];
async function guest(...words) {
    guests.push(await browser.visitor(...words));
    return guests.at(-1);
}

const bar = visitor => visitor.page.locator('.seek-bar');
const row = (visitor, name, which = '') => visitor.page.locator(`.seeks .seek-row${which}`, {hasText: name});
const press = (visitor, game, time) => visitor.page.click(`[data-game="${game}"] [data-way="seek"][data-time="${time}"]`);

// Until others see it: then the server knows.
async function looks(visitor, game, time) {
    await visitor.open(server.url);
    await press(visitor, game, time);
    await bar(visitor).waitFor();
    await row(witness, visitor.name, `[data-game="${game}"]`).waitFor();
}

// Both are where they play, and it is the same room.
async function play(...visitors) {
    for (const {page} of visitors) await page.locator('.room[data-status="playing"]').waitFor();
    await eventually(async () => assert.equal(new Set(visitors.map(({page}) => page.url())).size, 1));
    for (const {page} of visitors) await page.locator('.room[data-status="playing"]').waitFor();
    return visitors[0].page.url();
}

test('two who look for the same game and clock find each other; one of them is on a phone', async () => {
    const [ada, bob] = [await guest('Ada'), await guest('Bob', PHONE)];
    await looks(ada, 'chess', '3+2');
    await bar(ada).filter({hasText: /Looking for an opponent: Chess, 3 \+ 2/}).waitFor();
    await assertFits(ada);
    await ada.screenshot('looks');
    await bob.open(server.url);
    await row(bob, 'Ada').filter({hasText: /Chess.*3 min \+ 2 s a turn.*Play/s}).waitFor();
    await bob.page.locator('[data-game="chess"] [data-time="3+2"].awaited').waitFor();
    await assertFits(bob);
    await bob.screenshot('somebody-looks');
    await press(bob, 'chess', '10+5'); // another clock
    await row(witness, 'Bob').waitFor();
    await assertFits(bob);
    await bob.screenshot('looks');
    await press(bob, 'chess', '3+2');
    await play(ada, bob);
    for (const {page} of [ada, bob]) {
        assert.equal(await page.locator('[data-clock="white"]').innerText(), '3:00');
        assert.equal(await bar({page}).isVisible(), false);
    }
    await ada.screenshot('found');
});

test('a row of the lobby is pressed, and the game begins; nobody else sees it any more', async () => {
    const [ada, bob] = [await guest('Ada'), await guest('Bob')];
    await looks(ada, 'hex', 'none');
    await row(witness, 'Ada').filter({hasText: /Hex.*no clock/s}).waitFor();
    await bob.open(server.url);
    await row(bob, 'Ada').click();
    await play(ada, bob);
    await row(witness, 'Ada').waitFor({state: 'detached'});
    await witness.page.locator('.seeks').waitFor({state: 'hidden'});
});

test('the bot is played meanwhile, and both are taken to their game when somebody comes', async () => {
    const [ada, bob] = [await guest('Ada', PHONE), await guest('Bob')];
    await looks(ada, 'breakthrough', '10+5');
    await bar(ada).getByRole('button', {name: 'Play the bot meanwhile'}).click();
    await ada.page.waitForURL('**/room/*');
    const meanwhile = ada.page.url();
    await ada.page.waitForSelector('.strips .tag:text("bot")');
    await bar(ada).filter({hasText: 'Breakthrough'}).waitFor();
    await assertFits(ada);
    await ada.screenshot('meanwhile');
    await bob.open(server.url);
    await press(bob, 'breakthrough', '10+5');
    await ada.page.waitForURL(url => url.href !== meanwhile);
    assert.notEqual(await play(ada, bob), meanwhile);
});

for (const [size, options] of [['desktop', []], ['phone', [PHONE]]])
    test(`who wants people only is given no program, until programs may come; ${size}`, async () => {
        const ada = await guest('Ada', ...options);
        const program = await Client.open(server);
        const found = program.done({type: 'seek', game: 'makruk', clock: {initial_ms: 180_000, increment_ms: 2000}, as: 'bot', name: 'Robo'});
        await ada.open(server.url);
        await row(ada, 'Robo').filter({hasText: /a program/}).waitFor();
        const box = ada.page.getByLabel('Play now against people only');
        assert.equal(await box.isChecked(), false);
        await box.check();
        await row(ada, 'Robo').waitFor({state: 'detached'});
        await ada.page.locator('[data-game="makruk"] [data-time="3+2"]:not(.awaited)').waitFor();
        await assertFits(ada);
        await ada.screenshot(`people-only-${size}`);
        await ada.page.reload();
        assert.equal(await box.isChecked(), true);
        await press(ada, 'makruk', '3+2');
        await bar(ada).filter({hasText: /Makruk, 3 \+ 2, people only/}).waitFor();
        await row(witness, 'Ada').filter({hasText: /people only/}).waitFor(); // beside the program
        await row(witness, 'Robo').waitFor();
        await assertFits(ada);
        await ada.screenshot(`looks-for-people-${size}`);
        await box.click(); // the page is left at once
        await play(ada);
        assert.ok(ada.page.url().endsWith((await found).room));
        await program.end();
    });

for (const [size, mine, theirs] of [['desktop', [], [PHONE]], ['phone', [PHONE], []]])
    test(`a clock of one's own is looked for, and found by whoever presses the row; ${size}`, async () => {
        const [ada, bob] = [await guest('Ada', ...mine), await guest('Bob', ...theirs)];
        await ada.open(server.url);
        await ada.page.click('[data-game="xiangqi"] [data-way="clock"]');
        const dialog = ada.page.locator('.dialog');
        await dialog.locator('.time label', {hasText: 'Other…'}).click();
        await dialog.locator('[name="minutes"]').fill('0');
        await dialog.locator('[name="seconds"]').fill('0');
        await dialog.locator('.primary').click();
        await dialog.locator('.problem', {hasText: 'without any time'}).waitFor();
        await dialog.locator('[name="minutes"]').fill('7');
        await dialog.locator('[name="seconds"]').fill('1');
        await assertFits(ada);
        await ada.screenshot(`own-clock-${size}`);
        await dialog.locator('.primary').click();
        await bar(ada).filter({hasText: /Xiangqi .*, 7 min \+ 1 s/}).waitFor();
        await bob.open(server.url);
        await row(bob, 'Ada').filter({hasText: /Xiangqi.*7 min \+ 1 s/s}).click();
        await play(ada, bob);
        assert.equal(await ada.page.locator('[data-clock="red"]').innerText(), '7:00');
    });

// One that nobody else publishes, listed.
async function publish(name, title) {
    const token = randomBytes(32).toString('base64url');
    const game = {...JSON.parse(readFileSync(new URL('../../games/breakthrough.json', import.meta.url), 'utf8')), title};
    const answer = await fetch(`${server.url}/api/v1/games/${name}?listed=yes`, {method: 'POST', body: JSON.stringify(game), headers: {Authorization: `Bearer ${token}`}});
    assert.equal(answer.status, 201, await answer.text());
}

for (const [size, mine, theirs] of [['desktop', [], [PHONE]], ['phone', [PHONE], []]])
    test(`a published game is looked for in the lobby, and found on its page; ${size}`, async () => {
        const name = `sought-on-${size}`, game = `${name}@1`;
        await publish(name, `Through on a ${size}`);
        const [ada, bob] = [await guest('Ada', ...mine), await guest('Bob', ...theirs)];
        await ada.open(server.url);
        await ada.page.locator('.game-card').first().waitFor();
        await ada.page.locator('.published-games').scrollIntoViewIfNeeded();
        const entry = ada.page.locator(`.published [data-game="${game}"]`);
        await entry.scrollIntoViewIfNeeded();
        await ada.screenshot(`published-${size}`);
        await entry.locator('[data-time="10+5"]').click();
        await bar(ada).filter({hasText: `Through on a ${size}, 10 + 5`}).waitFor();
        await row(witness, 'Ada', `[data-game="${game}"]`).filter({hasText: `Through on a ${size}`}).waitFor();
        await assertFits(ada);
        await bob.open(`${server.url}/game/${name}`);
        const awaited = bob.page.locator('.published-game [data-time="10+5"].awaited');
        await awaited.waitFor();
        assert.equal(await bob.page.locator('.published-game [data-way="rated"]').count(), 0);
        await bob.page.locator('.published-game [data-time="3+2"]').click(); // another clock
        await bar(bob).filter({hasText: /3 \+ 2/}).waitFor();
        await assertFits(bob);
        await bob.screenshot(`its-page-${size}`);
        await awaited.click();
        await play(ada, bob);
    });

test('who looks no longer is not found', async () => {
    const [ada, bob] = [await guest('Ada'), await guest('Bob')];
    await looks(ada, 'chess', '10+5');
    await bob.open(server.url);
    await row(bob, 'Ada').waitFor();
    await bar(ada).getByRole('button', {name: 'Cancel'}).click();
    await bar(ada).waitFor({state: 'hidden'});
    await row(bob, 'Ada').waitFor({state: 'detached'});
});

test('a page that is loaded again, and a server that begins anew, still look for somebody', async () => {
    for (const {context} of guests.splice(0)) await context.close(); // theirs are not asked to stand it
    const [ada, bob] = [await guest('Ada'), await guest('Bob')];
    await looks(ada, 'reversi', '3+2');
    await ada.page.reload();
    await bar(ada).getByRole('button', {name: 'Play the bot meanwhile'}).click();
    await ada.page.waitForURL('**/room/*');
    await ada.isLoaded();
    await ada.page.reload();
    await bar(ada).filter({hasText: 'Reversi'}).waitFor();
    await ada.isLoaded();
    for (const visitor of [ada, witness]) visitor.serverIsAway = true;
    await server.stop('SIGKILL');
    for (const {page} of [ada, witness]) await page.locator('.banner').filter({hasText: /reconnecting/}).waitFor();
    await server.start();
    for (const visitor of [ada, witness]) {
        await visitor.page.locator('.banner').waitFor({state: 'hidden'});
        visitor.serverIsAway = false;
    }
    await bob.open(server.url);
    await row(bob, 'Ada').click();
    await play(ada, bob);
});

test('one who looks for the same in two windows looks in the newer one', async () => {
    const ada = await guest('Ada');
    await looks(ada, 'chess', 'none');
    const first = ada.page;
    await looks(ada, 'chess', 'none');
    await first.bringToFront(); // what is behind is not painted
    await first.locator('.note', {hasText: 'another window'}).waitFor();
    await first.locator('.seek-bar').waitFor({state: 'hidden'});
    assert.ok(await bar(ada).isVisible());
    await bar(ada).getByRole('button', {name: 'Cancel'}).click();
    await bar(ada).waitFor({state: 'hidden'});
    await row(witness, 'Ada').waitFor({state: 'detached'});
});

test('no page had anything to complain about', () => browser.assertNoErrors());
