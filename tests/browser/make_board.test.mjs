// The page /make with the engine: the board follows the text, and each lights up the other; both sides are played, tests made.
import assert from 'node:assert/strict';
import {existsSync, readFileSync} from 'node:fs';
import {test as always} from 'node:test';
import {assertFits, eventually, PHONE, stage} from './browser.mjs';
import {becomes, begin, cursorTo, isGood, savedAs, startAgain, template, write} from './make.mjs';

const WASM = new URL('../../build/browser/engine.wasm.gz', import.meta.url);
const test = (name, run) => always(name, {skip: !existsSync(WASM) && 'no engine for browsers is built'}, run);

let author, phone;
const {server, browser} = stage('make-board', async () => {
    author = await browser.visitor('Maker');
    phone = await browser.visitor('pocket', PHONE);
});

const square = template('square');
const status = visitor => visitor.page.locator('.play-tab .status');
const marks = (visitor, words) => eventually(async () => assert.match((await visitor.page.locator('.spoken').allInnerTexts()).join('\n'), words));
const exactly = words => new RegExp(`^${words.replace(/[{}]/g, '\\$&')}$`);
const lit = (visitor, role) =>
    visitor.page.locator(`.lights .${role}`).evaluateAll(lights => lights.map(light => light.dataset.lit).sort());

test('the board follows the text: a change that loads is on it, a broken one leaves the last that was', async () => {
    await begin(author, server);
    await author.cell('f6').waitFor();
    await write(author, square.replace("'abcdef'", "'abcdefg'").replace('"box": {"x": 6, "y": 6}', '"box": {"x": 7, "y": 6}'));
    await author.cell('g6').waitFor();
    await write(author, square.replace('"box": {"x": 6, "y": 6}', '"box": {"x": 6, "z": 6}'));
    await author.page.locator('.stale', {hasText: 'last version'}).waitFor();
    assert.equal(await author.cell('g6').count(), 1);
    await author.screenshot('stale');
    await write(author, square);
    await isGood(author);
    await author.page.locator('.stale').waitFor({state: 'hidden'});
    assert.equal(await author.cell('g6').count(), 0);
});

test('a figure in the hand marks the lines that move it, and a cell it may not go to those that forbid it', async () => {
    await author.cell('a2').click();
    await author.page.locator('.lights .to').waitFor();
    await eventually(async () => assert.deepEqual([await lit(author, 'to'), await lit(author, 'refused')], [['a3'], ['b3']]));
    await marks(author, exactly('{"y": 1, "for": "move"}'));
    await author.cell('b3').click();
    await author.page.locator('.board-words', {hasText: 'nothing to take'}).waitFor();
    await marks(author, exactly('{"x": 1, "y": 1, "symmetric": "mirror", "for": "take"}'));
    await author.page.locator('.spoken.forbids').first().waitFor();
    await author.screenshot('forbidden');
});

test('a target that is pointed at has the line marked that leads there, by hand and by keys', async () => {
    const {page} = author;
    const step = '{"x": 1, "symmetric": "all"}', leap = '{"x": 2, "y": 1}';
    const both = exactly(`${step}\n${leap}`);
    await write(author, template('empty').replace(step, `${step}, ${leap}`));
    await isGood(author);
    await author.cell('a1').click();
    await marks(author, both);
    for (const [cell, line] of [['c2', leap], ['a2', step]]) {
        await author.cell(cell).hover();
        await marks(author, exactly(line));
        await author.cell('d3').hover();
        await marks(author, both);
        await author.cell(cell).focus();
        await marks(author, exactly(line));
    }
    await page.getByRole('button', {name: 'Flip'}).hover();
    await author.cell('c2').click();
    await status(author).filter({hasText: 'Second to move'}).waitFor();
    await write(author, square);
    await isGood(author);
});

test('both sides are played here, moves are taken back, and a change of the rules plays them again', async () => {
    await author.click('a2', 'a3');
    await status(author).filter({hasText: 'Black to move'}).waitFor();
    await author.click('b5', 'b4');
    await status(author).filter({hasText: 'White to move'}).waitFor();
    await author.click('a3', 'b4');
    await status(author).filter({hasText: 'Black to move'}).waitFor();
    assert.deepEqual(await author.page.locator('.moves-made li').allInnerTexts(), ['a2–a3', 'b5–b4', 'a3–b4']);
    await author.page.getByRole('button', {name: 'Take back'}).click();
    await status(author).filter({hasText: 'White to move'}).waitFor();
    await write(author, square.replace('"title": "My game on squares"', '"title": "Other"'));
    await isGood(author);
    await eventually(async () => assert.equal(await author.page.locator('.moves-made li').count(), 2));
    await write(author, square.replace('{"y": 1, "for": "move"}', '{"y": 2, "for": "move"}'));
    await author.page.locator('.play-tab .status', {hasText: 'no longer legal'}).waitFor();
    await write(author, square);
    await isGood(author);
});

test('the bot plays a side', async () => {
    await startAgain(author);
    await author.page.getByLabel('The bot plays').selectOption('black');
    await author.click('c2', 'c3');
    await author.page.locator('.moves-made li').nth(1).waitFor();
    await status(author).filter({hasText: 'White to move'}).waitFor();
    await author.page.getByLabel('The bot plays').selectOption('');
});

test('a test is made of what was played and of what was refused; one that fails is shown at its place', async () => {
    const {page} = author;
    await startAgain(author);
    await author.click('a2', 'a3');
    await status(author).filter({hasText: 'Black to move'}).waitFor();
    await author.cell('b5').click();
    await page.locator('.lights .from[data-lit="b5"]').waitFor();
    await author.cell('b3').click(); // two cells at once
    await page.getByRole('tab', {name: 'Tests'}).click();
    await page.getByRole('button', {name: '“a2-a3 is legal”'}).click();
    await savedAs(author, text => text.includes('"name": "a2-a3 is legal", "legal": ["a2-a3"]'));
    await page.locator('.tests-tab[data-count="2"][data-failed="0"]').waitFor();
    await page.getByRole('tab', {name: 'Play'}).click();
    await author.cell('b5').click();
    await page.locator('.lights .from[data-lit="b5"]').waitFor();
    await author.cell('b3').click();
    await page.getByRole('tab', {name: 'Tests'}).click();
    await page.getByRole('button', {name: '“b5-b3 is illegal”'}).click();
    const text = await savedAs(author, kept => kept.includes('"name": "b5-b3 is illegal", "moves": ["a2-a3"], "illegal": ["b5-b3"]'));
    await page.locator('.tests-tab[data-count="3"][data-failed="0"]').waitFor();
    await write(author, text.replace('{"y": 1, "for": "move"}', '{"y": 1, "repeat": [1, 2], "for": "move"}'));
    await page.locator('.tests-tab[data-failed="2"]').waitFor();
    const finding = page.locator('.make .findings li', {hasText: 'b5-b3 is illegal'});
    await finding.waitFor();
    const line = text.slice(0, text.indexOf('"b5-b3 is illegal"')).split('\n').length;
    assert.match(await finding.locator('.place').innerText(), new RegExp(`^${line}:`));
    await author.screenshot('tests');
    await page.getByRole('tab', {name: 'Play'}).click();
    await write(author, square);
    await isGood(author);
});

test('a position is set up by its text, and one that is none is refused with words', async () => {
    const {page} = author;
    await page.getByRole('button', {name: 'New…'}).click();
    await page.click('[data-copy="chess"]');
    await author.cell('h8').waitFor({state: 'attached'});
    await isGood(author); // a game that is loaded writes its start into the field
    const field = page.getByLabel('The position\'s text');
    await field.fill('4k3/8/8/8/8/8/8/R3K3 w Q - 0 1');
    await page.getByRole('button', {name: 'Set up'}).click();
    await page.locator('.board .piece').nth(3).waitFor({state: 'detached'});
    await page.locator('.board [data-cell="a1"][aria-label*="rook"]').waitFor({state: 'attached'});
    assert.equal(await page.locator('.board .piece').count(), 3);
    await author.click('e1', 'c1'); // castles
    await page.locator('.moves-made li', {hasText: 'O-O-O'}).waitFor();
    await field.fill('no position');
    await page.getByRole('button', {name: 'Set up'}).click();
    await page.locator('.play-tab .bad', {hasText: /\w/}).waitFor();
    await author.screenshot('chess');
});

test('why a king may not go there: the words name who attacks, the text is marked', async () => {
    const {page} = author;
    await startAgain(author);
    const field = page.getByLabel('The position\'s text');
    await field.fill('3rk3/8/8/8/8/8/8/4K3 w - - 0 1');
    await field.press('Enter');
    await page.locator('.board [data-cell="d8"][aria-label*="rook"]').waitFor({state: 'attached'});
    await author.cell('e1').click();
    await page.locator('.lights .refused').first().waitFor();
    await author.cell('d1').click();
    await page.locator('.board-words', {hasText: 'attacked'}).waitFor();
    await marks(author, /attacked/);
});

// [where the cursor is put, the word it is in, which light, some of the cells, how many in all]
const wordsOf = {
    square: [
        ['y == 5', '/zones/last', 'zone', ['a6', 'f1'], 12],
        ['"repeat": true', '/figures/rook/movement/0', 'from', ['a1', 'a6', 'f1', 'f6'], 4],
        ['"for": "take"', '/figures/pawn/movement/1', 'from', ['a2', 'f5'], 12],
        ['"in": "last"', '/zones/last', 'zone', ['a6', 'f1'], 12],
        ['"c1"', '/initial_position/each/king/0', 'placed', ['c1', 'c6'], 2],
        ['would leave', '/forbid/0', 'matching', ['c1', 'c6'], 2],
        ['"box"', '/board/cells', 'board', ['a1', 'f6'], 36],
    ],
    glinski: [
        ['Math.max(r, q + r) == -1', '/zones/home', 'zone', ['f5', 'b1'], 18],
        ['"q": 1, "r": 2', '/figures/knight/movement/0', 'from', ['d1', 'h1'], 4],
        ['{"hexagon": 6}', '/board/cells', 'board', ['a1', 'l6'], 91],
    ],
    raumschach: [
        ['y == 4 && z == 4', '/zones/last', 'zone', ['Ea5', 'Aa1'], 10],
        ['"x": 1, "y": 2', '/figures/knight/movement/0', 'from', ['Ab1', 'Ad1'], 4],
    ],
};

for (const [game, words] of Object.entries(wordsOf))
    test(`${game}: the word under the cursor lights the cells it speaks of`, async () => {
        await author.page.getByRole('button', {name: 'New…'}).click();
        await author.page.click(game === 'square' ? '[data-template="square"]' : `[data-copy="${game}"]`);
        const text = game === 'square' ? square : readFileSync(new URL(`../../games/${game}.json`, import.meta.url), 'utf8');
        await savedAs(author, kept => kept.trim() === text.trim());
        await isGood(author);
        for (const [place, word, role, cells, count] of words) {
            await cursorTo(author, place);
            await author.page.locator(`.board[data-word="${word}"]`).waitFor();
            await eventually(async () => {
                const found = await lit(author, role);
                assert.equal(found.length, count, `${word}: ${found}`);
                for (const cell of cells) assert.ok(found.includes(cell), `${word}: ${cell}`);
            });
        }
        await author.screenshot(`word-${game}`);
    });

test('painter and text edit one file in turns, and the author’s formatting stays', async () => {
    const {page} = author;
    await page.getByRole('button', {name: 'New…'}).click();
    await page.click('[data-template="square"]');
    await becomes(author, square);
    await page.getByRole('tab', {name: 'Draw'}).click();
    await page.getByRole('button', {name: 'white rook'}).click();
    await author.cell('d4').click();
    const each = '"pawn": ["a2", "b2", "c2", "d2", "e2", "f2"]\n        }';
    let text = await becomes(author, square.replace(each, `${each},\n        "white": {"rook": ["d4"]}`));
    await page.locator('.board [data-cell="d4"][aria-label*="white rook"]').waitFor({state: 'attached'});
    await author.cell('c4').click();
    text = await becomes(author, text.replace('["d4"]', '["d4", "c4"]'));
    text = text.replace('"title": "My game on squares"', '"title": "Mine"');
    await write(author, text);
    await becomes(author, text);
    await page.getByRole('button', {name: 'Erase'}).click();
    await author.cell('d4').click();
    text = await becomes(author, text.replace('["d4", "c4"]', '["c4"]'));
    await page.getByRole('button', {name: 'Zone last (each)'}).click();
    await author.cell('a5').click();
    text = await becomes(author, text.replace('"each": "y == 5"', '"each": ["a6", "b6", "c6", "d6", "e6", "f6", "a5"]'));
    await page.waitForFunction(() => document.querySelectorAll('.lights .painted').length === 7);
    await author.cell('b6').click();
    await becomes(author, text.replace('"b6", ', ''));
    await author.screenshot('painted');
    await page.getByRole('button', {name: 'Undo'}).click();
    await becomes(author, text);
    await page.getByRole('tab', {name: 'Play'}).click();
});

test('a thousand random games: how they end, and which words and turns are never used', async () => {
    const {page} = author;
    await write(author, template('empty')
        .replace('"symmetric": "all"}]', '"symmetric": "all"}, {"x": 3, "y": 3, "for": "swap"}, {"x": 1, "phase": "late"}]')
        .replace('"turns": ["first", "second"]', '"turns": ["first", "second", {"player": "first", "phase": "late"}],\n    "max_plies": 2'));
    await isGood(author);
    await page.getByRole('tab', {name: 'Random', exact: true}).click();
    await page.getByRole('button', {name: /random games/}).click();
    await page.locator('.random-tab', {hasText: 'moves on average'}).waitFor();
    await page.locator('.unused', {hasText: 'figures › stone › movement › 1'}).filter({hasText: 'the turn first_late'}).waitFor();
    await author.screenshot('random');
    await page.getByRole('tab', {name: 'Play'}).click();
});

test('on a phone the board can be played as well', async () => {
    await begin(phone, server, '[data-template="hexagon"]');
    await phone.page.getByRole('button', {name: 'Board'}).click();
    await phone.page.locator('[data-cell][aria-label*="can move"]').first().waitFor();
    const [from] = await phone.page.locator('[data-cell][aria-label*="can move"]').evaluateAll(cells => cells.map(cell => cell.dataset.cell));
    await phone.cell(from).tap();
    await phone.page.locator('[aria-label*="legal target"]').first().waitFor();
    const [to] = await phone.page.locator('[aria-label*="legal target"]').evaluateAll(cells => cells.map(cell => cell.dataset.cell));
    await phone.cell(to).tap();
    await status(phone).filter({hasText: 'Black to move'}).waitFor();
    await assertFits(phone);
    await phone.screenshot('played');
});

test('where figures come from nowhere a click puts them, and the end is told', async () => {
    const maker = await browser.visitor('Placer');
    await begin(maker, server, '[data-template="stones"]');
    const stones = async (...cells) => {
        for (const [i, cell] of cells.entries()) {
            await maker.cell(cell).click();
            await status(maker).filter({hasText: i % 2 === 0 ? /White to move|has won/ : 'Black to move'}).waitFor();
        }
    };
    await stones('b2', 'a1', 'c3', 'a2', 'd4', 'a3');
    await maker.page.getByRole('button', {name: 'Take back'}).click();
    await status(maker).filter({hasText: 'White to move'}).waitFor();
    await maker.cell('g7').click();
    await status(maker).filter({hasText: 'Black to move'}).waitFor();
    await stones('e5');
    await status(maker).filter({hasText: 'Black has won: four in a row'}).waitFor();
    await maker.screenshot('stones');
});

always('no page had anything to complain about', () => browser.assertNoErrors());
