// The painters of /make: cells, movements, players and colours, turns. Each edits the text by as little as it can, in turns with
// the hand at the keyboard, by mouse, finger and keys; and what it cannot say it says so.
import assert from 'node:assert/strict';
import {existsSync, readFileSync} from 'node:fs';
import {test as always} from 'node:test';
import {complaints, lookAt, OF_COLOURS} from './axe.mjs';
import {assertFits, DESKTOP, eventually, PHONE, stage} from './browser.mjs';
import {becomes, begin, isGood, savedAs, template, write} from './make.mjs';

const WASM = new URL('../../build/browser/engine.wasm.gz', import.meta.url);
const test = (name, run) => always(name, {skip: !existsSync(WASM) && 'no engine for browsers is built'}, run);

let author, phone;
const {server, browser} = stage('painters', async () => {
    author = await browser.visitor('Painter');
    phone = await browser.visitor('pocket', PHONE);
});

const square = template('square');
const file = path => readFileSync(new URL(`../../${path}.json`, import.meta.url), 'utf8');
const game = name => file(`games/${name}`);
const painter = async (visitor, name) => await visitor.page.locator('.painters').getByRole('button', {name}).click();
const words = visitor => visitor.page.locator('.painter:not([hidden]) .paint-words');
const undo = async visitor => await visitor.page.getByRole('button', {name: 'Undo'}).click();
const press = async (visitor, name) => await visitor.page.locator('.painter:not([hidden])').getByRole('button', {name, exact: true}).first().click();

async function open(visitor, text, which) {
    await visitor.page.getByRole('tab', {name: 'Play'}).click();
    await write(visitor, text);
    await becomes(visitor, text);
    await visitor.page.getByRole('tab', {name: 'Draw'}).click();
    await painter(visitor, which);
    await isDrawn(visitor);
}

// Until the painter has what it has asked for, such as the holes around the board, and nothing is drawn anew under the hand.
const isDrawn = visitor => visitor.page.locator('.paint-tab[aria-busy="false"]').waitFor();

// With the mouse, onto a cell; without one beside the board.
async function dragTo(visitor, from, cell) {
    const middle = async one => (({x, y, width, height}) => ({x: x + width / 2, y: y + height / 2}))(await one.boundingBox());
    const {mouse} = visitor.page;
    await from.hover(); // where it rests
    await mouse.down();
    const start = await middle(from), end = cell ? await middle(visitor.cell(cell)) : {x: start.x + 60, y: start.y + 8};
    await mouse.move((start.x + end.x) / 2, (start.y + end.y) / 2, {steps: 3});
    await mouse.move(end.x, end.y, {steps: 3});
    await visitor.page.locator('.dragged').waitFor();
    if (cell) await visitor.page.locator(`.lights [data-lit="${cell}"]`).waitFor({state: 'attached'});
    await mouse.up();
}

test('cells: one click takes a cell away and the one that mirrors it, one on a hole brings them back', async () => {
    await begin(author, server);
    await author.page.getByRole('tab', {name: 'Draw'}).click();
    await painter(author, 'Cells');
    await author.cell('+6_2').waitFor();
    await author.cell('d3').click();
    let text = await becomes(author, square.replace('"y": 6}}', '"y": 6}, "except": [{"x": 3, "y": 2}, {"x": 3, "y": 3}]}'));
    await author.cell('+3_2').waitFor();
    await author.screenshot('cells');
    text = await (async changed => (await write(author, changed), await becomes(author, changed)))(text.replace('My game on squares', 'Holes'));
    await author.cell('+3_3').click();
    await becomes(author, square.replace('My game on squares', 'Holes'));
    await undo(author);
    await becomes(author, text);
    await undo(author);
    await undo(author);
    await becomes(author, square);
});

test('cells: one that begins a figure takes it along; one beyond the letters gets one more; all by keys as well', async () => {
    const {page} = author;
    await author.cell('a1').focus();
    await page.keyboard.press('Enter');
    let text = await becomes(author, square.replace('"y": 6}}', '"y": 6}, "except": [{"x": 0, "y": 0}, {"x": 0, "y": 5}]}').replace('["a1", "f1"]', '["f1"]'));
    await page.waitForFunction(() => document.activeElement?.dataset.cell === '+0_0');
    await undo(author);
    await becomes(author, square);
    await author.cell('+6_0').click();
    text = await becomes(author, square.replace("'abcdef'", "'abcdefg'").replace('{"box": {"x": 6, "y": 6}}', '[{"box": {"x": 6, "y": 6}}, {"x": 6, "y": 0}, {"x": 6, "y": 5}]'));
    await author.cell('g1').waitFor();
    await author.cell('g1').click();
    await becomes(author, text.replace(', {"x": 6, "y": 0}, {"x": 6, "y": 5}', ''));
});

test('cells: a box in numbers, with its mirror; a hexagon; layers', async () => {
    await open(author, square, 'Cells');
    await author.page.getByLabel('y to').fill('6');
    await author.page.getByLabel('y to').press('Tab');
    await becomes(author, square.replace('"y": 6}}', '"y": 7}}').replace('"black": {"y": "5 - y"}', '"black": {"y": "6 - y"}'));
    await undo(author);
    await becomes(author, square);
    await press(author, 'Add layers');
    await author.cell('Ba1').waitFor();
    await savedAs(author, kept => kept.includes('"box": {"x": 6, "y": 6, "z": 2}') && kept.includes('"x": "x + z * 6.6"'));
    await author.screenshot('layers');
    await undo(author);
    await becomes(author, square);
    const hexagons = template('hexagon');
    await open(author, hexagons, 'Cells');
    await author.page.getByLabel('cells along a side').fill('5');
    await author.page.getByLabel('cells along a side').press('Tab');
    await becomes(author, hexagons.replace('"hexagon": 4', '"hexagon": 5').replace("'abcdefg'[q + 3]", "'zabcdefgh'[q + 4]"));
    await author.screenshot('hexagon');
    await open(author, hexagons, 'Cells');
    await press(author, 'Add layers');
    await author.cell('Bd1').waitFor();
    await savedAs(author, kept => kept.includes('{"box": {"q": [-3, 3], "r": [-3, 3], "z": 2}, "where": "Math.abs(q + r) <= 3"}') && !kept.includes('symmetric'));
    await author.screenshot('layers-hexagon');
    await undo(author);
    await becomes(author, hexagons);
});

test('cells: a box between two corners, by clicks and by keys; Escape lets it be', async () => {
    await open(author, square, 'Cells');
    const {page} = author;
    const button = page.getByRole('button', {name: 'Box by two corners'});
    const wider = square.replace("'abcdef'", "'abcdefg'").replace('{"box": {"x": 6, "y": 6}}', '[{"box": {"x": 6, "y": 6}}, {"box": {"x": [6, 6], "y": 6}}]');
    await button.click();
    await author.cell('+6_0').click();
    await words(author).filter({hasText: 'which opposite corner'}).waitFor();
    await author.cell('+6_5').hover();
    await eventually(async () => assert.equal(await page.locator('.lights .painted').count(), 6));
    await author.screenshot('corners');
    await author.cell('+6_5').click();
    await becomes(author, wider);
    await undo(author);
    await becomes(author, square);
    await button.click();
    await author.cell('+6_0').focus();
    await page.keyboard.press('Enter');
    await words(author).filter({hasText: 'which opposite corner'}).waitFor();
    await author.cell('+6_5').focus();
    await page.keyboard.press('Enter');
    await becomes(author, wider);
    await button.click();
    await author.cell('a1').focus();
    await page.keyboard.press('Enter');
    await words(author).filter({hasText: 'which opposite corner'}).waitFor();
    await page.keyboard.press('Escape');
    await eventually(async () => assert.equal(await button.getAttribute('aria-pressed'), 'false'));
    await savedAs(author, kept => kept === wider);
});

test('figures: another one is made, dragged onto the board, put there by keys', async () => {
    await open(author, square, 'Figures');
    const {page} = author;
    const brush = name => page.locator('.palette').getByRole('button', {name, exact: true});
    const put = (text, player, cell) => text.replace('"f2"]\n        }', `"f2"]\n        },\n        "${player}": {"owl": ["${cell}"]}`);
    await page.getByLabel("Another figure's name").fill('owl');
    await page.getByLabel('How it moves').selectOption('knight');
    await press(author, 'Add a figure');
    const owl = await becomes(author, square.replace('"to": ["rook"]}\n        }', '"to": ["rook"]}\n        },\n        "owl": {"movement": [{"x": 1, "y": 2, "symmetric": "all"}]}'));
    await page.locator('.brush[aria-pressed="true"][aria-label="white owl"]').waitFor();
    await dragTo(author, brush('white owl'), 'd3');
    let text = await becomes(author, put(owl, 'white', 'd3'));
    await author.page.locator('[data-cell="d3"][aria-label*="white owl"]').waitFor({state: 'attached'});
    await author.screenshot('figures');
    await undo(author);
    await becomes(author, owl);
    await dragTo(author, brush('white owl')); // beside the board: nothing
    assert.equal(await page.locator('.dragged').count(), 0);
    await brush('black owl').focus();
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.activeElement?.dataset.cell);
    await author.cell('c4').focus();
    await page.keyboard.press('Enter');
    text = await becomes(author, put(owl, 'black', 'c4'));
    await page.waitForFunction(() => document.activeElement?.dataset.cell === 'c4');
    await page.keyboard.press('Escape');
    await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'black owl');
    await eventually(async () => assert.equal(await brush('black owl').getAttribute('aria-pressed'), 'false'));
    await page.getByLabel("Another figure's name").fill('owl');
    await page.getByLabel("Another figure's name").press('Enter');
    await words(author).filter({hasText: 'called owl already'}).waitFor();
    await savedAs(author, kept => kept === text);
});

test('figures: what stands on the board is moved about by hand and by keys, as the file says it', async () => {
    await open(author, square, 'Figures');
    const {page} = author;
    const stands = (cell, figure) => page.locator(`[data-cell="${cell}"][aria-label*="${figure}"]`).waitFor({state: 'attached'});
    await author.drag('c1', 'd3');
    let text = await becomes(author, square.replace('["c1"]', '["d3"]'));
    await stands('d4', 'black king'); // the mirror's
    await author.drag('d4', 'b5'); // by the words of both
    text = await becomes(author, text.replace('["d3"]', '["b2"]').replace('["a2", "b2", ', '["a2", '));
    await stands('b5', 'black king');
    await author.click('a1', 'c3');
    text = await becomes(author, text.replace('["a1", ', '["c3", '));
    await author.cell('f1').focus();
    await page.keyboard.press('Enter');
    await page.locator('[data-cell="f1"][aria-label*="selected"]').waitFor({state: 'attached'});
    await page.keyboard.press('Escape');
    await page.locator('[data-cell="f1"]:not([aria-label*="selected"])').waitFor({state: 'attached'});
    await author.withKeyboard('f1', 'd3');
    text = await becomes(author, text.replace('["c3", "f1"]', '["c3", "d3"]'));
    await author.screenshot('moved');
    await undo(author);
    text = await becomes(author, text.replace('["c3", "d3"]', '["c3", "f1"]'));
    const together = text.replace('["a2", "c2", "d2", "e2", "f2"]', '["a2", {"zone": "home"}]').replace('"zones": {', '"zones": {"home": {"each": ["c2", "d2"]}, ');
    await open(author, together, 'Figures');
    await author.drag('d5', 'd4'); // words about several are written out, as the first player sees it
    const apart = await becomes(author, together.replace('{"zone": "home"}', '"c2", "d3"'));
    await stands('d3', 'white pawn');
    await undo(author);
    await becomes(author, together);
    await page.getByRole('button', {name: 'Erase'}).click();
    await author.cell('c2').click();
    await becomes(author, apart.replace('"c2", "d3"', '"d2"'));
    await author.screenshot('written-out');
    await page.getByRole('button', {name: 'Erase'}).click(); // out of the hand
    const first = file('tests/engine/version_0/checkers');
    await open(author, first, 'Figures');
    await author.drag('a1', 'a4');
    await becomes(author, first.replace('"man": [{"x": 0, "y": 0}', '"man": [{"x": 0, "y": 3}'));
});

test('cells: a list of the first format loses and gets them one by one; what breaks the game is asked about', async () => {
    const checkers = file('tests/engine/version_0/checkers');
    await open(author, checkers, 'Cells');
    await author.cell('a4').click();
    const text = await becomes(author, checkers.replace('{"x": 0, "y": 3}, ', ''));
    await author.cell('+0_3').click();
    await becomes(author, text.replace('{"x": 7, "y": 7}\n        ]', '{"x": 7, "y": 7}, {"x": 0, "y": 3}\n        ]'));
    const chess = game('chess');
    await open(author, chess, 'Cells');
    await author.cell('e8').click();
    await words(author).filter({hasText: 'no game any more'}).waitFor();
    await author.screenshot('asked');
    await press(author, 'Do it all the same');
    await savedAs(author, kept => kept.includes('"except": [{"x": 4, "y": 7}, {"x": 4, "y": 0}]'));
    await author.page.waitForSelector('.make[data-state="bad"]');
    await undo(author);
    await becomes(author, chess);
});

test('moves: a step, a slide, another direction; every other byte stays', async () => {
    await open(author, square, 'Moves');
    const {page} = author;
    await page.getByLabel('Whose movements').selectOption({label: 'pawn'});
    await author.cell('x −1, y 0').click();
    const pawn = '{"x": 1, "y": 1, "symmetric": "mirror", "for": "take"}';
    let text = await becomes(author, square.replace(pawn, `${pawn},\n                {"x": -1}`));
    await page.getByLabel('Step or slide').selectOption('slide');
    await author.cell('x −1, y 0').click();
    text = await becomes(author, text.replace('{"x": -1}', '{"x": -1, "repeat": true}'));
    await author.screenshot('moves');
    text = text.replace('"title": "My game on squares"', '"title": "Sliding pawns"');
    await write(author, text);
    await becomes(author, text);
    await author.cell('x −1, y 0').click();
    text = await becomes(author, text.replace(',\n                {"x": -1, "repeat": true}', ''));
    await page.getByLabel('Step or slide').selectOption('step');
    await author.cell('x +1, y +1').click();
    await words(author).filter({hasText: 'one of 2 directions'}).waitFor();
    await author.page.getByRole('button', {name: /Only this one/}).click();
    text = await becomes(author, text.replace(pawn, '{"x": -1, "y": 1, "for": "take"}'));
    await undo(author);
    text = await becomes(author, text.replace('{"x": -1, "y": 1, "for": "take"}', pawn));
    await page.locator('.elements').getByLabel('What for').first().selectOption('take');
    await becomes(author, text.replace('{"y": 1, "for": "move"}', '{"y": 1, "for": "take"}'));
});

test('moves: by keys, on hexagons, through layers; what a name means is edited where it stands', async () => {
    const {page} = author;
    await open(author, square, 'Moves');
    await page.getByLabel('Whose movements').selectOption({label: 'king'});
    await author.cell('x 0, y 0').focus();
    for (const key of ['ArrowRight', 'ArrowRight', 'ArrowUp', 'Enter']) await page.keyboard.press(key);
    const king = '{"x": 1, "y": 1, "symmetric": "all"}';
    await becomes(author, square.replace(king, `${king},\n            {"x": 2, "y": 1}`));
    await page.waitForFunction(() => document.activeElement?.dataset.cell === 'x +2, y +1');
    await open(author, template('hexagon'), 'Moves');
    await page.getByLabel('Whose movements').selectOption({label: 'tower'});
    await author.screenshot('moves-hexagon');
    await open(author, template('layers'), 'Moves');
    await page.getByLabel('Whose movements').selectOption({label: 'king'});
    await page.getByLabel('Layer along z').selectOption('2');
    await author.cell('x 0, y 0, z +2').click();
    const cross = '{"x": 1, "y": 1, "symmetric": "all"}';
    await becomes(author, template('layers').replace(cross, `${cross},\n            {"z": 2}`));
    await open(author, game('chess'), 'Moves');
    await page.getByLabel('Whose movements').selectOption({label: 'queen'});
    await author.cell('x +1, y 0').click();
    await words(author).filter({hasText: 'called “rook”'}).waitFor();
    await eventually(async () => assert.match((await page.locator('.spoken.forbids').allInnerTexts()).join(''), /"rook": \[/));
});

test('players: renamed wherever they are named, added, taken away; colours', async () => {
    await open(author, square, 'Players');
    const {page} = author;
    await page.getByLabel('Name of player 2').fill('teal');
    await page.getByLabel('Name of player 2').press('Enter');
    let text = await becomes(author, square.replaceAll('"black"', '"teal"'));
    await words(author).filter({hasText: 'black is called teal now'}).waitFor();
    await page.getByLabel('Cells 2').evaluate(input => {
        input.value = '#334455';
        input.dispatchEvent(new Event('change', {bubbles: true}));
    });
    text = await becomes(author, text.replace("'peru'", "'#334455'"));
    await author.screenshot('players');
    await page.getByLabel('Name of player 1').fill('teal');
    await page.getByLabel('Name of player 1').press('Enter');
    await words(author).filter({hasText: 'is a player called teal already'}).waitFor();
    await eventually(async () => assert.equal(await page.getByLabel('Name of player 1').inputValue(), 'white'));
    const empty = template('empty');
    await open(author, empty, 'Players');
    await page.getByLabel('Another player\'s name').fill('gold');
    await press(author, 'Add a player');
    text = await becomes(author, empty.replaceAll('"second"]', '"second", "gold"]'));
    await page.locator('.players-painter li').nth(2).getByRole('button', {name: 'Remove'}).click();
    await becomes(author, empty);
});

test('turns: added, put elsewhere, changed, taken away', async () => {
    const phases = square.replace('{"y": 1, "for": "move"}', '{"y": 1, "for": "move"}, {"y": 2, "phase": "run"}')
        .replace('["white", "black"],\n    "forbid"', '[\n        "white", {"player": "white", "phase": "run", "same_figure": true},\n        "black"\n    ],\n    "forbid"');
    await open(author, phases, 'Turns');
    const {page} = author;
    const turns = page.locator('.strip-of-turns');
    await turns.getByRole('button', {name: 'black'}).click();
    await author.screenshot('turns');
    await page.getByLabel('Phase').selectOption('run');
    let text = await becomes(author, phases.replace('"black"\n    ],', '{"player": "black", "phase": "run"}\n    ],'));
    await turns.getByRole('button', {name: 'white · run'}).click();
    await page.getByLabel('only the figure that moved last').uncheck();
    text = await becomes(author, text.replace(', "same_figure": true', ''));
    text = text.replace('"title": "', '"title": "My ');
    await write(author, text);
    await becomes(author, text);
    await press(author, 'Later');
    const runs = player => `{"player": "${player}", "phase": "run"}`;
    text = await becomes(author, text.replace(`${runs('white')},\n        ${runs('black')}`, `${runs('black')},\n        ${runs('white')}`));
    await press(author, 'Remove');
    text = await becomes(author, text.replace(`,\n        ${runs('white')}`, ''));
    await turns.getByRole('button', {name: 'white'}).click();
    await page.getByLabel('Who gets another turn').selectOption('black');
    await press(author, 'Add a turn behind');
    await becomes(author, text.replace(`"white", ${runs('black')}`, `"white", "black", ${runs('black')}`));
    await undo(author);
    await becomes(author, text);
});

test('turns: the machine of states is shown as it runs, and changed where that is simple', async () => {
    const checkers = game('checkers');
    await open(author, checkers, 'Turns');
    const {page} = author;
    await eventually(async () => assert.deepEqual(await page.locator('[data-state-name]').evaluateAll(states => states.map(state => state.dataset.stateName)),
        ['white_move', 'did_white_win', 'white_won', 'black_move', 'did_black_win', 'black_won', 'count_move']));
    await author.screenshot('states');
    await page.locator('[data-state-name="count_move"]').getByRole('button', {name: 'Remove'}).click();
    let text = await becomes(author, checkers.replace('"state": "count_move"', '"state": "white_move"').replace('        "count_move": {"type": "next_move", "next": "white_move"},\n', ''));
    await page.locator('[data-state-name="white_move"]').getByRole('button', {name: 'Add a move behind'}).click();
    text = await becomes(author, text
        .replace('"parameters": {"player": "white"}, "next": "did_white_win"}', '"parameters": {"player": "white"}, "next": "white_move_2"}')
        .replace('"reason": "white has no figures left"}', '"reason": "white has no figures left"},\n        "white_move_2": {"type": "move", "parameters": {"player": "white"}, "next": "did_white_win"}'));
    await page.getByLabel('Player of white_move_2').selectOption('black');
    await becomes(author, text.replace('"white_move_2": {"type": "move", "parameters": {"player": "white"}', '"white_move_2": {"type": "move", "parameters": {"player": "black"}'));
    await page.locator('[data-state-name="did_white_win"]').getByRole('button', {name: 'Remove'}).click();
    await words(author).filter({hasText: 'more than one way on'}).waitFor();
});

test('a text that is broken just now is not touched, and said so', async () => {
    await open(author, square, 'Turns');
    const broken = square.replace('"turns": ["white", "black"],', '"turns": ["white", "black"]');
    await write(author, broken);
    await author.page.waitForSelector('.make[data-state="bad"]');
    await press(author, 'Add a turn behind');
    await words(author).filter({hasText: 'not JSON just now'}).waitFor();
    await savedAs(author, kept => kept === broken);
});

test('axe-core has nothing to say about a painter, by day and in the dark', async () => {
    const seer = await lookAt(browser, 'seer', DESKTOP, 'dark');
    await begin(seer, server);
    const {page} = seer;
    await page.getByRole('tab', {name: 'Draw'}).click();
    for (const colorScheme of ['dark', 'light']) {
        await page.emulateMedia({colorScheme, reducedMotion: 'reduce'});
        for (const name of ['Figures', 'Cells', 'Moves', 'Players', 'Turns']) {
            await painter(seer, name);
            await isDrawn(seer);
            await seer.screenshot(`${name.toLowerCase()}-${colorScheme}`);
            const rules = colorScheme === 'dark' ? null : OF_COLOURS; // nothing else is another
            assert.deepEqual(await complaints(seer, {part: '.board-side', rules}), [], `${name}, ${colorScheme}`);
        }
    }
});

test('on a phone: cells by a finger, movements on a small board, and the text is a tap away', async () => {
    await begin(phone, server);
    const {page} = phone;
    await page.getByRole('button', {name: 'Board', exact: true}).tap();
    await page.getByRole('tab', {name: 'Draw'}).tap();
    await painter(phone, 'Cells');
    await phone.cell('+3_6').waitFor();
    await phone.cell('c3').tap();
    let text = await becomes(phone, square.replace('"y": 6}}', '"y": 6}, "except": [{"x": 2, "y": 2}, {"x": 2, "y": 3}]}'));
    await assertFits(phone);
    await phone.screenshot('cells');
    await painter(phone, 'Moves');
    await phone.cell('x +2, y +1').tap();
    const king = '{"x": 1, "y": 1, "symmetric": "all"}';
    await becomes(phone, text.replace(king, `${king},\n            {"x": 2, "y": 1}`));
    await assertFits(phone);
    await phone.screenshot('moves');
    for (const name of ['Players', 'Turns', 'Figures']) {
        await painter(phone, name);
        await assertFits(phone);
        await phone.screenshot(name.toLowerCase());
    }
    await painter(phone, 'Cells');
    await page.getByRole('button', {name: 'without 2'}).tap();
    await page.locator('.make[data-side="text"]').waitFor();
});

always('no page had anything to complain about', () => browser.assertNoErrors());
