// /make with games whose figures are put on the board: the words that put them there, and those that do not; what is in hand; passing.
import assert from 'node:assert/strict';
import {existsSync} from 'node:fs';
import {test as always} from 'node:test';
import {assertFits, eventually, PHONE, stage} from './browser.mjs';
import {begin, isGood, savedAs} from './make.mjs';

const WASM = new URL('../../build/browser/engine.wasm.gz', import.meta.url);
const test = (name, run) => always(name, {skip: !existsSync(WASM) && 'no engine for browsers is built'}, run);

const {server, browser} = stage('make-placing');
const status = (visitor, words) => visitor.page.locator('.play-tab .status', {hasText: words}).waitFor();
const words = (visitor, text) => visitor.page.locator('.board-words', {hasText: text}).waitFor();
const marks = (visitor, pattern) => eventually(async () => assert.match((await visitor.page.locator('.spoken').allInnerTexts()).join('\n'), pattern));
const lit = (visitor, role) => visitor.page.locator(`.lights .${role}`).evaluateAll(lights => lights.map(light => light.dataset.lit).sort());
const stands = (visitor, cell, what) => visitor.page.locator(`[data-cell="${cell}"][aria-label*="${what}"]`).waitFor({state: 'attached'});
const played = async (visitor, ...moves) => eventually(async () => assert.deepEqual(await visitor.page.locator('.moves-made li').allInnerTexts(), moves));
const hand = (visitor, seat) => visitor.page.locator(`.board-side .hand[data-seat="${seat}"]`);
const kind = (visitor, seat, figure) => hand(visitor, seat).locator(`.kind[data-figure="${figure}"]`);
const inHand = (visitor, seat, what) => eventually(async () => assert.match(await hand(visitor, seat).getAttribute('aria-label'), new RegExp(`has in hand: ${what}$`)));
const copy = game => `[data-copy="${game}"]`;

test('a cell that is pointed at, and one where something was put, has the words marked that put it there', async () => {
    const author = await browser.visitor('Cross');
    await begin(author, server, copy('tic-tac-toe'));
    const {page} = author;
    await author.cell('b2').hover();
    await marks(author, /^\{"put": "mark"\}$/);
    await author.cell('b2').click();
    await words(author, 'Cross puts a mark on b2.');
    await marks(author, /^\{"put": "mark"\}$/);
    await author.screenshot('put');
    await author.cell('b2').click();
    await words(author, 'b2 is not empty');
    await page.locator('.spoken.forbids').first().waitFor();
    await author.cell('a3').hover(); // who reads why not is let read
    await words(author, 'b2 is not empty');
    await page.getByRole('tab', {name: 'Tests'}).click();
    await page.getByRole('button', {name: '“b2 is illegal”'}).click();
    await savedAs(author, text => text.includes('"moves": ["b2"], "illegal": ["b2"]'));
    await page.locator('.tests-tab[data-failed="0"]:not([data-count="0"])').waitFor();
});

test('go: stones are taken, a ko is refused by its words, two passes end it', async () => {
    const author = await browser.visitor('Go');
    await begin(author, server, copy('go'));
    const {page} = author;
    const moves = ['d5', 'e5', 'c4', 'f4', 'd3', 'e3', 'a1', 'd4', 'e4'];
    for (const [i, cell] of moves.entries()) {
        await author.cell(cell).click();
        await status(author, i % 2 === 0 ? 'White to move' : 'Black to move');
    }
    await stands(author, 'd4', 'empty');
    await author.cell('d4').click();
    await words(author, 'repeats the board (ko)');
    await marks(author, /repeats the board/);
    await author.screenshot('ko');
    const pass = page.getByRole('button', {name: 'Pass', exact: true});
    await pass.click();
    await status(author, 'Black to move');
    await pass.click();
    await status(author, /larger area/);
    await played(author, ...moves, 'pass', 'pass');
});

test('shogi: what was taken is picked up out of the hand, its words are marked, and a position is set up with a hand', async () => {
    const author = await browser.visitor('Shogi');
    await begin(author, server, copy('shogi'));
    const {page} = author;
    await inHand(author, 'black', 'nothing');
    await author.click('7g', '7f');
    await status(author, 'White to move');
    await author.click('3c', '3d');
    await status(author, 'Black to move');
    await author.click('8h', '2b');
    await page.locator('dialog[open]').getByRole('button', {name: 'Horse', exact: true}).click();
    await inHand(author, 'black', '1 bishop');
    await author.click('3a', '2b');
    await inHand(author, 'white', '1 bishop');
    await kind(author, 'black', 'bishop').click();
    await words(author, /Black’s bishop from the hand, \d+ moves/);
    await marks(author, /"put": \["rook", "bishop", "gold", "silver"\], "from": "hand"/);
    const [free, taken] = [await lit(author, 'to'), await lit(author, 'refused')];
    assert.ok(free.includes('5e') && taken.includes('2b') && free.length + taken.length === 81);
    await author.screenshot('picked');
    await author.cell('2b').click();
    await words(author, '2b is not empty');
    await page.getByRole('tab', {name: 'Tests'}).click();
    await page.getByRole('button', {name: '“B*2b is illegal”'}).waitFor();
    await page.getByRole('tab', {name: 'Play'}).click();
    await kind(author, 'black', 'bishop').click();
    await words(author, /from the hand/);
    await author.cell('5e').click();
    await stands(author, '5e', 'black bishop');
    await inHand(author, 'black', 'nothing');
    await words(author, 'Black puts a bishop on 5e.');
    await page.getByRole('button', {name: 'Place figures'}).click();
    await page.locator('.set-up .palette').getByRole('button', {name: 'white pawn', exact: true}).click();
    await page.getByRole('button', {name: 'One more in hand'}).click();
    await inHand(author, 'white', '1 bishop, 1 pawn');
    await page.getByRole('button', {name: 'One less'}).click();
    await inHand(author, 'white', '1 bishop');
    await page.getByRole('button', {name: 'Place figures'}).click();
    await author.screenshot('hands');
});

test('on a phone, and in a short window, hands and board are seen together', async () => {
    for (const [name, size] of [['pocket', PHONE], ['short', {viewport: {width: 844, height: 390}}]]) {
        const author = await browser.visitor(name, size);
        await begin(author, server, copy('minishogi'));
        await author.page.getByRole('button', {name: 'Board', exact: true}).click();
        await hand(author, 'white').waitFor();
        await isGood(author);
        await assertFits(author);
        const [bottom, board] = await Promise.all([hand(author, 'black').boundingBox(), author.page.locator('.board-side > .board-frame').boundingBox()]);
        assert.ok(bottom.y + bottom.height <= size.viewport.height, `${name}: the hand ends at ${bottom.y + bottom.height}`);
        assert.ok(board.y >= 0 && board.y + board.height <= size.viewport.height + 1, `${name}: the board ends at ${board.y + board.height}`);
        await author.screenshot('hands');
    }
});

always('no page had anything to complain about', () => browser.assertNoErrors());
