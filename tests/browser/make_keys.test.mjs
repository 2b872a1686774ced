// The page /make by keys alone: begun, written, put right, played and published without a mouse; and what a page that crashes leaves.
import assert from 'node:assert/strict';
import {existsSync} from 'node:fs';
import {test as always} from 'node:test';
import {stage} from './browser.mjs';
import {begin, isGood, savedAs, template, write} from './make.mjs';

const WASM = new URL('../../build/browser/engine.wasm.gz', import.meta.url);
const test = (name, run) => always(name, {skip: !existsSync(WASM) && 'no engine for browsers is built'}, run);

const {server, browser} = stage('make-keys');
const square = template('square');
const STOPS_MAX = 80;

// With the Tab key to the first stop of that selector, whatever lies between.
async function tabTo(page, selector, key = 'Tab') {
    for (let stop = 0; stop < STOPS_MAX; stop++) {
        await page.keyboard.press(key);
        if (await page.evaluate(wanted => document.activeElement?.matches(wanted), selector)) return;
    }
    assert.fail(`${STOPS_MAX} stops, and none is ${selector}`);
}

// By arrows, over a board of squares.
async function walkTo(page, cell) {
    const here = await page.evaluate(() => document.activeElement.dataset.cell);
    for (const [axis, more, less] of [[0, 'ArrowRight', 'ArrowLeft'], [1, 'ArrowUp', 'ArrowDown']]) {
        const steps = cell.charCodeAt(axis) - here.charCodeAt(axis);
        for (let i = 0; i < Math.abs(steps); i++) await page.keyboard.press(steps > 0 ? more : less);
    }
    assert.equal(await page.evaluate(() => document.activeElement.dataset.cell), cell);
}

test('a game is begun, written, put right, played and published by keys alone', async () => {
    const author = await browser.visitor('keys');
    const page = await author.open(`${server.url}/make`);
    const {keyboard} = page;
    await page.locator(':focus > [data-template="square"]').waitFor(); // the first of them, not the list that scrolls
    await keyboard.press('Enter');
    await isGood(author);
    await tabTo(page, '.text-editor');
    await keyboard.press('Control+f');
    await keyboard.type('["c1"]');
    await keyboard.press('Enter');
    await keyboard.press('Escape');
    await keyboard.type('["c9"]');
    await page.locator('.findings li', {hasText: 'c9'}).first().waitFor();
    await keyboard.press('Control+Home');
    await keyboard.press('F8'); // to the next mistake, which is selected
    await keyboard.type('"c1"');
    await isGood(author);
    await savedAs(author, text => text === square);
    await tabTo(page, '.board [data-cell]');
    for (const cell of ['a2', 'a3']) {
        await walkTo(page, cell);
        await keyboard.press('Enter');
    }
    await page.locator('.moves-made li', {hasText: 'a2–a3'}).waitFor();
    await tabTo(page, '[role="tab"]');
    await keyboard.press('ArrowRight');
    await page.locator('[role="tab"][aria-selected="true"]', {hasText: 'Draw'}).waitFor();
    await keyboard.press('ArrowLeft');
    await page.locator('.play-tab .status', {hasText: 'Black to move'}).waitFor();
    await tabTo(page, '.draft-bar .play', 'Shift+Tab');
    await keyboard.press('Shift+Tab');
    await keyboard.press('Enter');
    await page.locator('dialog[open] [name="name"]').waitFor();
    await keyboard.type('by-keys');
    await keyboard.press('Enter');
    await page.locator('.published-now').waitFor();
    await tabTo(page, '.published-now a');
    await keyboard.press('Enter');
    await page.waitForURL('**/game/by-keys@1');
    await page.locator('h1', {hasText: 'My game on squares'}).waitFor();
});

test('a page that crashes has kept what it had saved', async () => {
    const author = await browser.visitor('crashed');
    await begin(author, server);
    const text = square.replace('My game on squares', 'Before the crash');
    await write(author, text);
    await savedAs(author, kept => kept === text);
    const address = author.page.url();
    const crashed = author.page.waitForEvent('crash');
    const session = await author.context.newCDPSession(author.page);
    session.send('Page.crash').catch(() => {});
    await crashed;
    await author.open(address);
    await isGood(author);
    await savedAs(author, kept => kept === text);
    await author.page.locator('.draft-bar option:checked', {hasText: 'Before the crash'}).waitFor({state: 'attached'});
});

always('no page had anything to complain about', () => browser.assertNoErrors());
