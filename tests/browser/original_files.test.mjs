// The three files of the first program, dropped on /make unchanged: drawn and turned as there, the cells marked that its players saw
// marked, and games that it recorded played by clicks from both sides.
import assert from 'node:assert/strict';
import {existsSync, readFileSync} from 'node:fs';
import {test as always} from 'node:test';
import {gunzipSync} from 'node:zlib';
import {stage} from './browser.mjs';
import {begin, drop} from './make.mjs';

const WASM = new URL('../../build/browser/engine.wasm.gz', import.meta.url);
const data = process.env.SENET_SHARED && `${process.env.SENET_SHARED}/data`;
const skip = !existsSync(WASM) ? 'no engine for browsers is built' : !(data && existsSync(data)) && 'no recorded games (SENET_SHARED)';

let author;
const {server, browser} = stage('original-files', async () => {
    author = await browser.visitor('Maker');
});

// [file, its record, which game of it, so many plies]
const GAMES = [['chess', 'chess', 5, 53], ['checkers', 'checkers', 1, 24], ['intellector', 'intellector_if', 3, 32]];

const nameOf = cell => cell.join('_');

// Each ply: where the figure went, all cells it might have gone to, and the board then.
function recorded(trace, seed, count) {
    const rows = gunzipSync(readFileSync(`${data}/original-traces/${trace}.jsonl.gz`)).toString('utf8').split('\n').filter(Boolean).map(row => JSON.parse(row));
    const start = rows.findIndex(({t, seed: found}) => t === 'start' && found === seed);
    return rows.slice(start + 1, start + 1 + count).map(({chosen, moves, board}) => {
        const [from, to] = chosen.map(nameOf);
        return {from, to, targets: moves.filter(([one]) => nameOf(one) === from).map(([, two]) => nameOf(two)).sort(), board};
    });
}

const marked = cells => author.page.waitForFunction(wanted => {
    const found = [...document.querySelectorAll('.board [data-cell][aria-label*="legal target"]')].map(cell => cell.dataset.cell).sort();
    return JSON.stringify(found) === JSON.stringify(wanted);
}, cells);

const figures = () => author.page.locator('.board [data-cell]').evaluateAll(cells =>
    Object.fromEntries(cells.map(cell => [cell.dataset.cell, cell.getAttribute('aria-label')])));

async function expectBoard(board) {
    const found = await figures();
    const wanted = new Map(Object.entries(board).map(([at, [figure, player]]) => [nameOf(at.split(',')), `${player} ${figure}`]));
    for (const [cell, label] of Object.entries(found))
        assert.ok(wanted.has(cell) ? label.includes(wanted.get(cell)) : !/white|black/.test(label), `${cell}: ${label}, ${wanted.get(cell)}`);
}

// Where each cell lies on the screen.
const middles = () => author.page.locator('.board .hits [data-cell]').evaluateAll(cells => Object.fromEntries(cells.map(cell => {
    const {x, y, width, height} = cell.getBoundingClientRect();
    return [cell.dataset.cell, [x + width / 2, y + height / 2]];
})));

// Turned by 180 degrees every cell lies as far on the other side of the board's middle.
async function expectTurned() {
    const before = await middles();
    await author.page.getByRole('button', {name: 'Flip', exact: true}).click();
    const after = await middles();
    const sums = Object.keys(before).map(cell => [0, 1].map(axis => before[cell][axis] + after[cell][axis]));
    for (const axis of [0, 1]) {
        const all = sums.map(sum => sum[axis]);
        assert.ok(Math.max(...all) - Math.min(...all) < 2, `the middle lies at ${Math.min(...all)} to ${Math.max(...all)}`);
    }
    await author.page.getByRole('button', {name: 'Flip', exact: true}).click();
}

for (const [file, trace, seed, plies] of GAMES)
    always(`${file}: a recorded game is played by clicks, and the board is turned for the other player`, {skip}, async () => {
        const text = readFileSync(`${data}/original-games/${file}.json`, 'utf8');
        if (!author.page) await begin(author, server);
        await drop(author, text);
        const cells = await middles();
        for (const [ply, {from, to, targets}] of recorded(trace, seed, plies).entries()) {
            await author.page.mouse.click(...cells[from]);
            await marked(targets);
            if (ply === 0) await author.screenshot(`${file}-first`);
            await author.page.mouse.click(...cells[to]);
            await author.page.waitForFunction(count => document.querySelectorAll('.moves-made li').length === count, ply + 1);
        }
        await expectBoard(recorded(trace, seed, plies).at(-1).board);
        await author.screenshot(file);
        await expectTurned();
    });

always('no page had anything to complain about', () => browser.assertNoErrors());
