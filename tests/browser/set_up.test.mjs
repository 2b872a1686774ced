// A position set up by hand on /make, and played from there.
import assert from 'node:assert/strict';
import {existsSync} from 'node:fs';
import {test as always} from 'node:test';
import {assertFits, PHONE, stage} from './browser.mjs';
import {begin, isGood, savedAs, template, write} from './make.mjs';

const WASM = new URL('../../build/browser/engine.wasm.gz', import.meta.url);
const test = (name, run) => always(name, {skip: !existsSync(WASM) && 'no engine for browsers is built'}, run);

const {server, browser} = stage('set-up');
const square = template('square');
const button = (visitor, name) => visitor.page.getByRole('button', {name, exact: true});
const brush = (visitor, name) => visitor.page.locator('.set-up .palette').getByRole('button', {name, exact: true});
const status = (visitor, words) => visitor.page.locator('.play-tab .status', {hasText: words}).waitFor();

// What stands on the board: "c1 white king, …".
const stands = (visitor, wanted) => visitor.page.waitForFunction(wanted => {
    const found = [...document.querySelectorAll('.board [data-cell]')].flatMap(cell => {
        const [figure] = /(white|black) (king|rook|pawn)/.exec(cell.getAttribute('aria-label')) ?? [];
        return figure ? [`${cell.dataset.cell} ${figure}`] : [];
    });
    return found.sort().join(', ') === wanted;
}, wanted);

test('figures are put on, taken up and away, somebody else is to move, and the game goes on from there', async () => {
    const author = await browser.visitor('Maker');
    await begin(author, server);
    const {page} = author;
    await status(author, 'White to move');
    await author.cell('a2').click(); // in the hand, as to play it
    await page.locator('.board-words', {hasText: 'one move'}).waitFor();
    await button(author, 'Place figures').click();
    await page.waitForFunction(() => document.querySelector('.board-words').textContent === '' && !document.querySelector('.board [aria-label*="selected"]'));
    await button(author, 'Empty the board').click();
    await stands(author, '');
    for (const [figure, cell] of [['white king', 'c1'], ['black king', 'c6'], ['white rook', 'a4'], ['black pawn', 'f3']]) {
        await brush(author, figure).click();
        await author.cell(cell).click();
        await page.locator(`[data-cell="${cell}"][aria-label*="${figure}"]`).waitFor({state: 'attached'});
    }
    await brush(author, 'Erase').click();
    await author.cell('f3').click();
    await stands(author, 'a4 white rook, c1 white king, c6 black king');
    await brush(author, 'Erase').click(); // out of the hand
    await author.cell('a4').click();
    await page.locator('[data-cell="a4"][aria-label*="selected"]').waitFor({state: 'attached'});
    await author.cell('a5').click();
    await stands(author, 'a5 white rook, c1 white king, c6 black king');
    await author.drag('a5', 'b3');
    await stands(author, 'b3 white rook, c1 white king, c6 black king');
    await author.withKeyboard('b3', 'a5');
    await stands(author, 'a5 white rook, c1 white king, c6 black king');
    await page.getByLabel('To move').selectOption('black');
    await status(author, 'Black to move');
    await author.screenshot('desktop');
    await button(author, 'Place figures').click();
    await author.cell('c6').click();
    await page.waitForFunction(() => document.querySelectorAll('.board [aria-label*="legal target"]').length === 2);
    await author.cell('d6').click();
    await status(author, 'White to move');
    // The rules change, and the position is what it was.
    const text = square.replace('My game on squares', 'Endgame');
    await write(author, text);
    await savedAs(author, kept => kept === text);
    await isGood(author);
    await stands(author, 'a5 white rook, c1 white king, d6 black king');
    await button(author, 'Take back').click();
    await stands(author, 'a5 white rook, c1 white king, c6 black king');
    await button(author, 'Start again').click();
    await page.locator('[data-cell="f2"][aria-label*="white pawn"]').waitFor({state: 'attached'});
});

test('on a phone palette and board are seen together', async () => {
    const phone = await browser.visitor('pocket', PHONE);
    await begin(phone, server);
    await button(phone, 'Board').tap();
    await button(phone, 'Place figures').tap();
    await brush(phone, 'white rook').scrollIntoViewIfNeeded();
    await brush(phone, 'white rook').tap();
    await phone.cell('d4').tap();
    await phone.page.locator('[data-cell="d4"][aria-label*="white rook"]').waitFor({state: 'attached'});
    for (const one of [brush(phone, 'white rook'), phone.cell('d4')]) {
        const box = await one.boundingBox();
        assert.ok(box.y >= 0 && box.y + box.height <= 844, `it lies at ${box.y}`);
    }
    await assertFits(phone);
    await phone.screenshot('phone');
});

always('no page had anything to complain about', () => browser.assertNoErrors());
