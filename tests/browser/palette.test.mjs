// Figures dragged out of the palette, and about on the board, by a finger, on a phone: as the browser's own input does it, so that scrolling would happen
// where nothing prevents it.
import assert from 'node:assert/strict';
import {existsSync} from 'node:fs';
import {test as always} from 'node:test';
import {PHONE, stage} from './browser.mjs';
import {becomes, begin, isGood, saved, savedAs, template} from './make.mjs';

const WASM = new URL('../../build/browser/engine.wasm.gz', import.meta.url);
const test = (name, run) => always(name, {skip: !existsSync(WASM) && 'no engine for browsers is built'}, run);

let author, finger;
const {server, browser} = stage('palette', async () => {
    author = await browser.visitor('pocket', PHONE);
});

const square = template('square');
const each = '"pawn": ["a2", "b2", "c2", "d2", "e2", "f2"]\n        }';
const withRook = square.replace(each, `${each},\n        "white": {"rook": ["d4"]}`);
const brush = name => author.page.locator('.palette').getByRole('button', {name, exact: true});
const touch = (type, points) => finger.send('Input.dispatchTouchEvent', {type, touchPoints: points});

// The middle of something that a finger can reach without scrolling.
async function middleOf(locator) {
    const {x, y, width, height} = await locator.boundingBox();
    const middle = {x: x + width / 2, y: y + height / 2};
    const screen = author.page.viewportSize();
    assert.ok(middle.x > 0 && middle.x < screen.width && middle.y > 0 && middle.y < screen.height, `it lies at ${middle.x}, ${middle.y}`);
    return middle;
}

// Down on a brush, and from there in a few steps; it stays down.
async function drag(name, end) {
    const start = await middleOf(brush(name));
    await touch('touchStart', [start]);
    for (const part of [0.2, 0.4, 0.6, 0.8, 1]) await touch('touchMove', [{x: start.x + (end.x - start.x) * part, y: start.y + (end.y - start.y) * part}]);
    await author.page.locator('.dragged').waitFor();
}

const scrolled = () => author.page.evaluate(() => [...document.querySelectorAll('*')].map(element => element.scrollTop).reduce((sum, top) => sum + top) + scrollY);

test('a finger drags a figure out of the palette onto the board, and nothing scrolls meanwhile', async () => {
    await begin(author, server);
    finger = await author.context.newCDPSession(author.page);
    const {page} = author;
    await page.getByRole('button', {name: 'Board', exact: true}).tap();
    await page.getByRole('tab', {name: 'Draw'}).tap();
    await brush('white rook').scrollIntoViewIfNeeded();
    const before = await scrolled();
    await drag('white rook', await middleOf(author.cell('d4')));
    await page.locator('.lights [data-lit="d4"]').waitFor({state: 'attached'});
    await author.screenshot('dragged');
    await touch('touchEnd', []);
    await savedAs(author, kept => kept === withRook);
    await isGood(author);
    await page.locator('[data-cell="d4"][aria-label*="white rook"]').waitFor({state: 'attached'});
    assert.equal(await page.locator('.dragged').count(), 0);
    assert.equal(await scrolled(), before);
});

test('beside the board it falls to nothing, and so it does when the browser takes the finger away', async () => {
    const {page} = author;
    const start = await middleOf(brush('black king'));
    for (const end of ['touchEnd', 'touchCancel']) {
        await drag('black king', {x: start.x, y: start.y + 30});
        await touch(end, []);
        await page.locator('.dragged').waitFor({state: 'detached'});
    }
    await brush('Erase').tap();
    await author.cell('d4').tap(); // an edit after those that were none
    await savedAs(author, kept => kept !== withRook && !kept.includes('"d4"'));
    assert.equal(await page.locator('[data-cell][aria-label*="black king"]').count(), 1);
});

test('a figure that stands on the board follows a finger as well; tapped, it is taken up, and goes where is tapped next', async () => {
    await brush('Erase').tap(); // out of the hand
    let {text} = await saved(author);
    const before = await scrolled();
    for (const [from, to, hand] of [['c1', 'd3', 'dragWithFinger'], ['d3', 'e4', 'tap']]) {
        await author[hand](from, to);
        await becomes(author, (text = text.replace(`["${from}"]`, `["${to}"]`)));
        await author.page.locator(`[data-cell="${to}"][aria-label*="white king"]`).waitFor({state: 'attached'});
    }
    assert.equal(await scrolled(), before);
});

always('no page had anything to complain about', () => browser.assertNoErrors());
