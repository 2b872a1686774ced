// Hints: against the bot by the server, after a game for each position one looks back at, on the analysis board by the engine in the
// browser; none while people play each other.
import assert from 'node:assert/strict';
import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {after, test} from 'node:test';
import {Player} from '../support/player.mjs';
import {assertFits, eventually, SIZES, stage, traffic} from './browser.mjs';

const BUILT = existsSync(new URL('../../build/browser/engine.wasm.gz', import.meta.url));
const {server, browser} = stage('hint');

const recorded = join(traffic, 'browser-hint.ndjson');
const asked = () => (existsSync(recorded) ? readFileSync(recorded, 'utf8').split('\n').filter(line => /"type":"hint","room"/.test(line)).length : 0);
const heard = room => readFileSync(recorded, 'utf8').split('\n').some(line => line.includes('"type":"history"') && line.includes('"events":') && line.includes(room));
const button = visitor => visitor.page.getByRole('button', {name: 'Hint', exact: true});
const lines = visitor => visitor.page.locator('.hint-lines li').allTextContents();
const arrows = visitor => visitor.page.locator('.board .arrow > *').count();
const shows = (visitor, ply) => visitor.page.waitForSelector(`.room[data-ply="${ply}"]:not(:has(.board-frame[aria-busy="true"]))`);
const tells = (visitor, first, count = 3) =>
    eventually(async () => {
        const told = await lines(visitor);
        assert.equal(told.length, count, told.join('; '));
        assert.match(told[0], first);
    });

async function join_(room, seat, name) {
    const player = new Player(server);
    after(() => player.close());
    await player.connect();
    const made = room ?? (await player.call({type: 'create', game: 'chess'})).room;
    player.room = made;
    await player.call({type: 'join', room: made, seat, name});
    return player;
}

const MATE = 'e2-e4 e7-e5 d1-h5 b8-c6 f1-c4 g8-f6 h5-f7';

async function mated() {
    const player = await join_(null, 'all', 'Both');
    for (const word of MATE.split(' ')) {
        const [from, to] = word.split('-');
        await player.call({type: 'move', room: player.room, move: {from, to}});
    }
    return player.room;
}

for (const [name, size] of SIZES) {
    test(`against the bot a hint is told, drawn, and gone with the next move (${name})`, async () => {
        const visitor = await browser.visitor(`against-${name}`, size);
        await visitor.enterRoom(server, 'chess', 'bot', {seat: 'White'});
        await visitor.page.waitForSelector('.verdict.mine');
        await visitor.press('Hint');
        await tells(visitor, /^White \d+ %/);
        assert.equal(await arrows(visitor), 2);
        await assertFits(visitor);
        await visitor.screenshot('told');
        const {version} = await visitor.holds();
        await visitor.play('e2', 'e4');
        await visitor.reaches(version + 1);
        await eventually(async () => assert.deepEqual([await lines(visitor), await arrows(visitor)], [[], 0]));
        assert.equal(await button(visitor).getAttribute('aria-pressed'), 'false');
        await visitor.page.close();
    });

    test(`after the game it stays from position to position (${name})`, async () => {
        const room = await mated();
        const visitor = await browser.visitor(`after-${name}`, size);
        await visitor.open(`${server.url}/room/${room}`);
        await visitor.page.waitForSelector('.room[data-status="finished"]');
        await visitor.press('Hint');
        await tells(visitor, /The game is over here/, 1);
        await visitor.press(visitor.page.locator('[data-step="previous"]'));
        await shows(visitor, 6);
        await tells(visitor, /^White wins in 1Qxf7#/);
        assert.equal(await arrows(visitor), 2);
        await visitor.press(visitor.page.locator('[data-step="previous"]'));
        await shows(visitor, 5);
        await tells(visitor, /^Black \d+ %/);
        await assertFits(visitor);
        await visitor.screenshot('looking-back');
        await visitor.press('Hint');
        await eventually(async () => assert.deepEqual([await lines(visitor), await arrows(visitor)], [[], 0]));
        await visitor.page.close();
    });
}

for (const [name, size] of SIZES)
    test(`on the analysis board the engine in the browser tells (${name})`, {skip: BUILT ? false : 'the engine for browsers is not built'}, async () => {
        const room = await mated();
        const visitor = await browser.visitor(`analysis-${name}`, size);
        await visitor.open(`${server.url}/room/${room}`);
        await visitor.page.waitForSelector('.room[data-status="finished"]');
        await visitor.press(visitor.page.locator('[data-step="previous"]'));
        await shows(visitor, 6);
        const before = asked();
        await visitor.press('Analyse');
        await visitor.page.waitForSelector('.room.analysing');
        await visitor.press('Hint');
        await tells(visitor, /^White wins in 1Qxf7#/);
        await visitor.play('h5', 'e5'); // another way: a check, and the queen is taken
        await shows(visitor, 7);
        await tells(visitor, /^Black (9\d|100) %.*Nxe5/);
        await assertFits(visitor);
        await visitor.screenshot('another-way');
        assert.equal(asked(), before);
        await visitor.page.close();
    });

test('while people play each other there is none, on the page or from the server', async () => {
    const visitor = await browser.visitor('people');
    await visitor.enterRoom(server, 'chess', 'friend', {seat: 'White'});
    const bob = await join_(new URL(visitor.page.url()).pathname.split('/').pop(), 'any', 'Bob');
    await visitor.page.waitForSelector('.verdict.mine');
    assert.equal(await button(visitor).isVisible(), false);
    await assert.rejects(bob.call({type: 'hint', room: bob.room}), {code: 'not_over', message: /people play each other/});
    await visitor.page.close();
});

test("against somebody's own bot there is none, for the server gives none either", async () => {
    const visitor = await browser.visitor('own-bot');
    await visitor.enterRoom(server, 'chess', 'friend', {seat: 'White'});
    const bot = new Player(server);
    after(() => bot.close());
    await bot.connect();
    bot.room = new URL(visitor.page.url()).pathname.split('/').pop();
    await bot.call({type: 'join', room: bot.room, seat: 'any', name: 'Senet, level 8', as: 'bot'});
    await visitor.page.waitForSelector('.verdict.mine');
    await visitor.page.locator('.strip .tag', {hasText: 'bot'}).waitFor();
    await assert.rejects(bot.call({type: 'hint', room: bot.room}), {code: 'not_over', message: /people play each other/});
    await eventually(() => assert.ok(heard(bot.room), 'the page knows how the bot came'));
    assert.equal(await button(visitor).isVisible(), false);
    await visitor.page.close();
});

test('the bot that is invited into an open room gives them at once', async () => {
    const visitor = await browser.visitor('invited');
    await visitor.enterRoom(server, 'chess', 'friend', {seat: 'White'});
    await visitor.page.getByRole('button', {name: 'Play against the bot'}).click();
    await visitor.page.waitForSelector('.verdict.mine');
    await button(visitor).click();
    await tells(visitor, /^White \d+ %/);
    await visitor.page.close();
});
