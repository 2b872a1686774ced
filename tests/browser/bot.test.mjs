// The server's own bot as the second player: hexagons with a mouse, and both boards with a finger.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {assertFits, PHONE, seeded, stage} from './browser.mjs';

const {server, browser} = stage('bot');
const MOVES = 8;

async function playAgainstBot(visitor, hand, random) {
    for (let count = 0; count < MOVES; count++) {
        await visitor.page.waitForSelector('.verdict.mine, [data-status="finished"]');
        if ((await visitor.holds()).status === 'finished') return;
        const {version} = await visitor.holds();
        await visitor.playAny(hand, random);
        await visitor.reaches(version + 1);
        if (count === MOVES - 2) {
            await visitor.page.waitForSelector('.verdict.mine, [data-status="finished"]');
            await visitor.screenshot('middle');
        }
    }
}

test('intellector against the bot with a mouse, resigned, and once more', async () => {
    const visitor = await browser.visitor('hexagons');
    await visitor.openRoom(server, 'intellector', 'bot', {seat: 'White'});
    await visitor.page.waitForSelector('.verdict.mine');
    assert.match(await visitor.page.locator('.strips.top').innerText(), /bot/i);
    await playAgainstBot(visitor, 'click', seeded(1));
    await visitor.page.waitForSelector('.verdict.mine, [data-status="finished"]'); // the bot's move may be the last
    if ((await visitor.holds()).status !== 'finished') {
        await visitor.page.getByRole('button', {name: 'Resign'}).click();
        await visitor.page.locator('.dialog .danger').click();
        await visitor.page.waitForSelector('.verdict.lost');
        assert.match(await visitor.verdict(), /You lost\s+.*resign/i);
    }
    await visitor.screenshot('end');
    const old = visitor.page.url();
    await visitor.page.getByRole('button', {name: 'Rematch'}).click();
    await visitor.page.waitForURL(url => url.href !== old);
    await visitor.page.waitForSelector('.verdict.mine');
    assert.match(await visitor.page.locator('.strips.bottom .seat-name').innerText(), /Black/);
});

test('the bot opens when it has the first move', async () => {
    const visitor = await browser.visitor('second');
    await visitor.enterRoom(server, 'checkers', 'bot', {seat: 'Black'});
    await visitor.page.waitForSelector('.verdict.mine');
    assert.equal(await visitor.page.locator('.moves-list .move').count(), 1);
    await playAgainstBot(visitor, 'click', seeded(2));
});

for (const [game, seed] of [
    ['intellector', 5],
    ['chess', 7],
]) {
    test(`${game} against the bot on a phone, with a finger`, async () => {
        const visitor = await browser.visitor(`${game}-phone`, PHONE);
        await visitor.enterRoom(server, game, 'bot', {seat: 'White'});
        await visitor.page.waitForSelector('.verdict.mine');
        await assertFits(visitor);
        const board = await visitor.page.locator('.board').boundingBox();
        assert.ok(board.width > 370, 'the board takes the width of the screen');
        await visitor.screenshot('start');
        await playAgainstBot(visitor, 'tap', seeded(seed));
        await assertFits(visitor);
        await visitor.screenshot('whole', {fullPage: true});
    });
}

test('a finger drags a piece without scrolling the page', async () => {
    const visitor = await browser.visitor('drag-phone', PHONE);
    await visitor.enterRoom(server, 'chess', 'bot', {seat: 'White'});
    await visitor.page.waitForSelector('.verdict.mine');
    const {version} = await visitor.holds();
    await visitor.dragWithFinger('e2', 'e4');
    await visitor.reaches(version + 1);
    assert.equal(await visitor.page.evaluate(() => scrollY), 0);
    assert.match(await visitor.cell('e4').getAttribute('aria-label'), /white pawn/);
});

for (const [size, ...options] of [['desk'], ['phone', PHONE]]) {
    test(`the bot's level is chosen where the bot is, and remembered: ${size}`, async () => {
        const visitor = await browser.visitor(`level-${size}`, ...options);
        await visitor.open(server.url);
        const {page} = visitor;
        const bot = () => visitor.page.locator('.strips.top .text');
        await page.click('[data-game="breakthrough"] [data-way="friend"]');
        await page.locator('.dialog .bot-level').waitFor({state: 'hidden'});
        await page.locator('.dialog .opponent label', {hasText: 'The bot'}).click();
        await page.getByLabel("The bot's level").selectOption('4');
        await visitor.screenshot('asked');
        await page.click('.dialog .primary');
        await page.waitForURL('**/room/*');
        await bot().filter({hasText: 'Senet, level 4'}).waitFor();
        await visitor.screenshot('room');
        await assertFits(visitor);
        // In a room of one's own the same is chosen, and may be changed.
        await visitor.openRoom(server, 'breakthrough', 'friend');
        const level = visitor.page.locator('.invitation').getByLabel("The bot's level");
        assert.equal(await level.inputValue(), '4');
        await level.selectOption('1');
        await visitor.screenshot('invitation');
        await assertFits(visitor);
        await visitor.page.getByRole('button', {name: 'Play against the bot'}).click();
        await bot().filter({hasText: 'Senet, level 1'}).waitFor();
    });
}

test('no page had anything to complain about', () => browser.assertNoErrors());
