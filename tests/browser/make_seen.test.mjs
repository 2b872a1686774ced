// The page /make and the pages of published games as strangers find them: from a template to a room by clicks; what axe-core says of every
// tab and dialog; dark, light, without motion, on a phone and at 200 %.
import assert from 'node:assert/strict';
import {existsSync} from 'node:fs';
import {test as always} from 'node:test';
import {complaints, DIALOG, lookAt} from './axe.mjs';
import {assertFits, DESKTOP, PHONE, stage} from './browser.mjs';
import {begin, isGood, template, write} from './make.mjs';

const WASM = new URL('../../build/browser/engine.wasm.gz', import.meta.url);
const test = (name, run) => always(name, {skip: !existsSync(WASM) && 'no engine for browsers is built'}, run);

const {server, browser} = stage('make-seen');

// The empty template with a third player, in the corner that is left.
const three = template('empty')
    .replace('"title": "Untitled"', '"title": "Three stones"')
    .replace('"players": ["first", "second"]', '"players": ["first", "second", "third"]')
    .replace('"second": {"stone": ["d4"]}', '"second": {"stone": ["d4"]},\n        "third": {"stone": ["d1"]}')
    .replace('"turns": ["first", "second"]', '"turns": ["first", "second", "third"]');

test('from a template to a published room with two players and a bot, by clicks and without an account', async () => {
    const ann = await browser.visitor('ann'), ben = await browser.visitor('ben', PHONE);
    await ann.open(server.url);
    const began = Date.now();
    await ann.page.getByRole('link', {name: 'Make a game'}).click();
    await ann.page.click('[data-template="empty"]');
    await isGood(ann);
    await write(ann, three);
    await ann.page.locator('.board [data-cell="d1"][aria-label*="third stone"]').waitFor({state: 'attached'});
    await ann.page.click('text=Publish…');
    await ann.page.click('dialog[open] button[type="submit"]');
    await ann.page.click('text=Open its page');
    await ann.page.waitForURL('**/game/three-stones@1');
    await ann.page.click('[data-way="friend"]');
    await ann.page.click('text=Open the room');
    await ann.page.waitForURL('**/room/*');
    await ben.open(ann.page.url());
    await ben.page.locator('.invitation').getByRole('button').first().click();
    await ben.page.locator('.tag.you').first().waitFor();
    await ann.reaches(3); // and knows it
    await ann.page.getByRole('button', {name: /the bot/}).first().click();
    await ann.page.locator('.tag', {hasText: 'bot'}).first().waitFor();
    await ann.page.locator('.verdict', {hasText: 'Your turn'}).waitFor();
    await ann.click('a1', 'b1');
    await ben.page.locator('.verdict', {hasText: 'Your turn'}).waitFor();
    await ben.tap('d4', 'c4');
    await ann.page.locator('.verdict', {hasText: 'Your turn'}).waitFor(); // the bot has moved
    console.log(`from a template to a published room, two players and a bot: ${((Date.now() - began) / 1000).toFixed(1)} s`);
    await ann.screenshot('room');
    await ben.screenshot('room');
});

async function trouble(visitor, where, part) {
    const found = await complaints(visitor, {part});
    const moving = await visitor.page.evaluate(() => document.getAnimations().filter(({playState}) => playState === 'running').length);
    if (moving > 0) found.push('something moves');
    await assertFits(visitor);
    await visitor.screenshot(where.replaceAll(' ', '-'));
    return found.map(words => `${where}: ${words}`);
}

const side = async (visitor, name) => {
    const button = visitor.page.locator(`[data-side="${name}"]`).locator('visible=true').first();
    if (await visitor.page.locator('.sides').isVisible()) await button.click();
};

for (const [name, size, scheme] of [['desktop', DESKTOP, 'dark'], ['pocket', PHONE, 'light'], ['zoomed', {viewport: {width: 640, height: 400}, deviceScaleFactor: 2}, 'light']])
    test(`axe-core has nothing to say about /make, its tabs and dialogs, and a game's page; all of it fits (${name})`, async () => {
        const visitor = await lookAt(browser, name, size, scheme);
        const page = await visitor.open(`${server.url}/make`);
        const heard = [];
        const look = async (where, part) => heard.push(...(await trouble(visitor, where, part)));
        await page.locator('[data-template="square"]').waitFor();
        await look('a start');
        await page.click('[data-template="square"]');
        await isGood(visitor);
        await look('the text');
        await page.getByRole('button', {name: 'Play it'}).click();
        await page.locator('.dialog').waitFor();
        await look('play it', DIALOG);
        await page.keyboard.press('Escape');
        await page.locator('.more summary').click();
        await look('more', '.draft-bar');
        await page.getByRole('button', {name: 'Delete this draft…'}).click();
        await look('delete', DIALOG);
        await page.getByRole('button', {name: 'Cancel'}).click();
        await page.locator('.more summary').click();
        await page.getByRole('button', {name: 'Rename…'}).click();
        await look('rename', '.draft-bar');
        await page.keyboard.press('Escape');
        await write(visitor, template('square').replace('"king": ["c1"]', '"king": ["c9"]'));
        await page.locator('.make[data-state="bad"] .findings li').first().waitFor();
        await look('a mistake', '.make');
        await write(visitor, template('square'));
        await isGood(visitor);
        await side(visitor, 'board');
        for (const tab of await page.getByRole('tab').all()) {
            await tab.click();
            await page.locator('.try [role="tabpanel"]:visible').waitFor();
            await look(`the tab ${await tab.innerText()}`, '.board-side');
        }
        await page.click('text=Publish…');
        await page.locator('dialog[open] [name="name"]').fill(`seen-${name}`);
        await look('publish', DIALOG);
        await page.click('dialog[open] button[type="submit"]');
        await page.locator('.published-now').waitFor();
        await look('published', DIALOG);
        await page.click('text=Open its page');
        await page.locator('.rules-of-it dt').first().waitFor();
        await page.waitForFunction(() => document.querySelector('.board-picture img')?.complete);
        await look('a game');
        await page.getByRole('button', {name: 'How to play'}).click();
        await page.locator('.figure-card').first().waitFor();
        await look('how to play', DIALOG);
        assert.deepEqual(heard, []);
    });

test('no page had anything to complain about', () => browser.assertNoErrors());
