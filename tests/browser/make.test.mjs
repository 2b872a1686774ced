// The page /make: a draft begun, written, kept and played; what it says of mistakes, and where.
import assert from 'node:assert/strict';
import {existsSync, readFileSync} from 'node:fs';
import {test} from 'node:test';
import {assertFits, PHONE, stage} from './browser.mjs';
import {begin, drop, isGood, saved, savedAs, template, write} from './make.mjs';

let author, phone;
const {server, browser} = stage('make', async () => {
    author = await browser.visitor('Maker');
    phone = await browser.visitor('pocket', PHONE);
    // Where no engine for browsers is built, the page asks for it in vain, and then the server.
    author.refusals = phone.refusals = !existsSync(new URL('../../build/browser/engine.wasm.gz', import.meta.url));
});

test('a draft begins with a template, and every game of the server can be copied as it is written', async () => {
    await author.open(server.url);
    await author.page.getByRole('link', {name: 'Make a game'}).click();
    await author.page.click('[data-template="square"]');
    await isGood(author);
    await savedAs(author, text => text === template('square'));
    await author.page.locator('.make .findings', {hasText: 'This is a game'}).waitFor();
    await author.page.getByRole('button', {name: 'New…'}).click();
    await author.page.click('[data-copy="chess"]');
    await author.page.locator('.draft-bar option', {hasText: 'Chess (my copy)'}).waitFor({state: 'attached'});
    await isGood(author);
    const chess = readFileSync(new URL('../../games/chess.json', import.meta.url), 'utf8');
    await savedAs(author, text => text.trim() === chess.trim());
    await author.screenshot('chess');
});

// [what somebody writes, what stood there, what is said of it]; the line is the one it was written on
const square = template('square');
const mistakes = [
    ['"format": 2', '"format": 2,', /a comma is missing after 2/],
    ['["white", "black",]', '["white", "black"]', /nothing comes after this comma/],
    ["'name': \"my-game\"", '"name": "my-game"', /double quotes/i],
    ['"title": "My game on squares,', '"title": "My game on squares",', /quote that ends this text is missing/],
    ['"king": {"movement": [], "movement": [', '"king": {"movement": [', /stands twice/i],
    ['"symetric": "all", "repeat"', '"symmetric": "all", "repeat"', /`symetric`.*did you mean `symmetric`/si],
    ['{"x": 1, "symmetric": "al"}', '{"x": 1, "symmetric": "all"}', /`al`.*did you mean `all`/si],
    ['"for": "walk"', '"for": "move"', /`walk`.*`move`, `take`/si],
    ['"for": true', '"for": "take"', /must be a string/],
    ['"in": "lst"', '"in": "last"', /no zone `lst`.*did you mean `last`/si],
    ['"to": ["queen"]', '"to": ["rook"]', /no figure `queen`/i],
    ['"king": ["c9"]', '"king": ["c1"]', /no cell `c9`/i],
    ['"rok": ["a1"', '"rook": ["a1"', /no figure `rok`.*did you mean `rook`/si],
    ['"rook": ["a1", "c1"]', '"rook": ["a1", "f1"]', /two figures on cell `c1`/i],
    ['"turns": ["white", "blak"]', '"turns": ["white", "black"]', /no player `blak`.*did you mean `black`/si],
    ['"attacked": {"figure": "kng", "player": "mover"}', '"attacked": {"figure": "king", "player": "mover"}', /no figure `kng`/i],
    ['"winner": "nobody"', '"winner": "mover"', /no player `nobody`/i],
    ['"repetition": "3"', '"repetition": 3', /must be a number/],
    ['"each": "y = 5"', '"each": "y == 5"', /to compare, write ==/],
    ['"each": "z == 5"', '"each": "y == 5"', /no coordinate `z`/i],
    ['"name": "\'abcdef\'[x]"', '"name": "\'abcdef\'[x] + (y + 1)"', /both named `a`/i],
    ['"coordinates_names": "x, y"', '"coordinates_names": ["x", "y"]', /must be a list/],
    ['{"box": {"x": 6}}', '{"box": {"x": 6, "y": 6}}', /coordinate `y` is missing/i],
    ['"y": 0, "for": "move"', '"y": 1, "for": "move"', /goes nowhere/],
];

test(`${mistakes.length} mistakes are each shown on their line, with what is wrong`, async () => {
    if (!author.page) await begin(author, server);
    for (const [wrong, right, words] of mistakes) {
        assert.ok(square.includes(right), right);
        await write(author, square.replace(right, wrong));
        const line = square.slice(0, square.indexOf(right)).split('\n').length;
        const finding = author.page.locator('.findings li').filter({hasText: words}).first();
        await finding.waitFor();
        assert.match(await finding.locator('.place').innerText(), new RegExp(`^${line}:`), wrong);
        await author.page.locator('.cm-lintRange-error').first().waitFor();
    }
    await author.screenshot('mistake');
});

test('a click on a finding leads to its place, and what is typed there puts it right', async () => {
    await write(author, square.replace('"king": ["c1"]', '"king": ["c9"]'));
    await author.page.locator('.findings li', {hasText: 'c9'}).first().locator('.place').click();
    await author.page.keyboard.type('"c1"'); // what is wrong is selected
    await isGood(author);
    await savedAs(author, text => text === square);
});

test('words are completed and explained out of the schema, by keyboard alone', async () => {
    const {page} = author;
    await page.locator('.cm-content').click();
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await page.keyboard.type('"stu');
    await page.locator('.cm-tooltip-autocomplete', {hasText: 'stuck'}).waitFor();
    await page.locator('.cm-completionInfo', {hasText: 'no move is legal'}).waitFor();
    await author.screenshot('completion');
    await page.waitForTimeout(100); // CodeMirror takes no Enter for a choice right after it has opened the list
    await page.keyboard.press('Enter');
    await page.locator('.cm-tooltip-autocomplete', {hasText: 'draw'}).waitFor();
    await page.keyboard.type('dr');
    await page.locator('.cm-tooltip-autocomplete:not(.cm-tooltip-autocomplete-disabled) li[aria-selected]', {hasText: 'draw'}).waitFor();
    await page.waitForTimeout(100);
    await page.keyboard.press('Enter');
    await page.keyboard.type(',');
    await isGood(author);
    await savedAs(author, text => /"format": 2,\n {4}"stuck": "draw",/.test(text));
    await page.locator('.cm-line', {hasText: '"stuck"'}).locator('span', {hasText: '"stuck"'}).first().hover();
    await page.locator('.cm-tooltip-hover', {hasText: 'no move is legal'}).waitFor();
    await page.keyboard.press('Control+z');
});

test('format puts the indentation right and keeps the author’s lines; undo brings the old text back', async () => {
    const ragged = square.replace('    "format": 2', '  "format":    2').replace('        "king": {', '     "king": {');
    await write(author, ragged);
    await savedAs(author, text => text === ragged);
    await author.page.getByRole('button', {name: 'Format'}).click();
    const formatted = await savedAs(author, text => text !== ragged && text.includes('    "format"'));
    assert.equal(formatted, square.replace('"format": 2', '"format":    2'));
    await author.page.getByRole('button', {name: 'Undo'}).click();
    await savedAs(author, text => text === ragged);
});

test('a reload in the middle of an edit, of a text that is broken, brings it back', async () => {
    const half = square.slice(0, 700);
    await write(author, half);
    await savedAs(author, text => text === half);
    await author.page.reload();
    await author.page.locator('.findings .bad').waitFor();
    await savedAs(author, text => text === half);
});

test('two windows with one draft: neither loses what it wrote', async () => {
    const other = await author.newPage();
    await other.goto(author.page.url());
    await other.waitForSelector('.make[data-state="bad"]');
    await write(author, `${square}\n`);
    await savedAs(author, text => text === `${square}\n`);
    await write({page: other}, `${square} `);
    await other.locator('.note', {hasText: 'draft of its own'}).waitFor();
    const texts = await other.evaluate(async () => {
        const {Drafts} = await import('/make/drafts.js');
        return (await (await Drafts.open()).all()).map(({text}) => text);
    });
    assert.ok(texts.includes(`${square}\n`) && texts.includes(`${square} `));
    await other.close();
});

test('a file that is dropped is a draft, unchanged; drafts are downloaded one by one and all together', async () => {
    const folder = process.env.SENET_SHARED ? `${process.env.SENET_SHARED}/data/original-games` : null;
    const text = folder && existsSync(folder) ? readFileSync(`${folder}/chess.json`, 'utf8') : template('hexagon');
    await drop(author, text);
    const download = author.page.waitForEvent('download');
    await author.page.getByRole('button', {name: 'Download', exact: true}).click();
    assert.equal(readFileSync(await (await download).path(), 'utf8'), text);
    const whole = author.page.waitForEvent('download');
    await author.page.locator('.more summary').click();
    await author.page.getByRole('button', {name: 'Download all drafts'}).click();
    const {drafts} = JSON.parse(readFileSync(await (await whole).path(), 'utf8'));
    assert.ok(drafts.length >= 4 && drafts.some(draft => draft.text === text));
});

test('a game of one’s own is played a minute later', async () => {
    await author.page.getByRole('button', {name: 'New…'}).click();
    await author.page.click('[data-template="hexagon"]');
    await author.page.locator('.draft-bar option:checked', {hasText: 'My game on hexagons'}).waitFor({state: 'attached'});
    await isGood(author);
    await author.page.getByRole('button', {name: 'Play it'}).click();
    await author.page.locator('.dialog .opponent label', {hasText: 'One screen'}).click();
    await author.page.click('.dialog .primary');
    await author.page.waitForURL('**/room/*');
    await author.reaches(2);
    assert.match(await author.page.locator('h1').innerText(), /My game on hexagons/);
});

test('what is too large is refused with words, and nothing is lost', async () => {
    await author.open(`${server.url}/make`);
    await isGood(author);
    const before = (await saved(author)).text;
    await author.page.evaluate(() => {
        const data = new DataTransfer();
        data.items.add(new File(['x'.repeat(256 * 1024 + 1)], 'huge.json'));
        document.querySelector('.text-editor').dispatchEvent(new DragEvent('drop', {dataTransfer: data, bubbles: true, cancelable: true}));
    });
    await author.page.locator('.note', {hasText: '256 KiB'}).waitFor();
    assert.equal((await saved(author)).text, before);
});

test('the page fits a phone: text or board', async () => {
    await begin(phone, server, '[data-template="layers"]');
    await assertFits(phone);
    await phone.screenshot('text');
    await phone.page.getByRole('button', {name: 'Board'}).click();
    await assertFits(phone);
    await phone.screenshot('board');
});

test('no page had anything to complain about', () => browser.assertNoErrors());
