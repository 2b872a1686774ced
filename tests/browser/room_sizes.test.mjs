// How a room uses the window: all of the board is seen, nothing lies on it, and nothing is cut off.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {assertFits, eventually, stage} from './browser.mjs';

const {server, browser} = stage('room_sizes');
const SIZES = {desktop: [1280, 800], landscape: [844, 390], 'two hundred per cent': [640, 400]};

// Once the page has the size, too.
async function resize(visitor, width, height) {
    await visitor.page.setViewportSize({width, height});
    await visitor.page.waitForFunction(([width, height]) => innerWidth === width && innerHeight === height, [width, height]);
}

const boxOf = async (visitor, selector) => await visitor.page.locator(selector).first().boundingBox();

test('the whole board is seen in every window, with one’s own side; lists keep their height; notes stand beside it', async () => {
    const visitor = await browser.visitor('window');
    for (const game of ['chess', 'raumschach', 'chinese-checkers']) {
        await visitor.enterRoom(server, game, 'screen');
        for (const [name, [width, height]] of Object.entries(SIZES)) {
            await resize(visitor, width, height);
            await assertFits(visitor);
            await eventually(async () => { // it is laid out
                const board = await boxOf(visitor, '.board');
                assert.ok(board.y >= 0 && board.y + board.height <= height, `${game}, ${name}: the board ends at ${board.y + board.height}`);
                const own = await boxOf(visitor, '.strips.bottom .strip');
                assert.ok(own.y >= 0 && own.y + own.height <= height, `${game}, ${name}: one's own name ends at ${own.y + own.height}`);
                assert.ok((await boxOf(visitor, '.strips.top .name .text')).width > 20, `${game}, ${name}: the others have names`);
                assert.ok((await boxOf(visitor, '.chat form')).height > 30 && (await boxOf(visitor, '.moves-list')).height > 40, `${game}, ${name}`);
            });
            const board = await boxOf(visitor, '.board');
            const words = `nonsense ${name}`;
            await visitor.page.fill('[name="move"]', words);
            await visitor.page.locator('[name="move"]').press('Enter');
            const note = await boxOf(visitor, `.note:has-text("${words}")`);
            assert.ok(note.x >= board.x + board.width || note.y >= board.y + board.height, `${game}, ${name}: a note lies on the board`);
        }
        await visitor.screenshot(game);
        await resize(visitor, 1280, 800);
        if (game === 'raumschach') await eventually(async () => assert.ok((await boxOf(visitor, '.board')).width > 800, 'a wide board takes the width'));
    }
});

test('a short window of the lobby shows games, and the way to make one', async () => {
    const visitor = await browser.visitor('stranger');
    await visitor.open(server.url);
    await visitor.page.waitForSelector('.game-card');
    for (const [name, [width, height]] of Object.entries(SIZES)) {
        await resize(visitor, width, height);
        await assertFits(visitor);
        await eventually(async () => {
            assert.ok((await boxOf(visitor, '.game-card h3')).y + 30 < height, `${name}: the first game is seen`);
            const make = await boxOf(visitor, '#site-place a[href="/make"]');
            assert.ok(make.y >= 0 && make.y + make.height < 80, name);
        });
    }
    await visitor.screenshot('short');
});

test('no page had anything to complain about', () => browser.assertNoErrors());
