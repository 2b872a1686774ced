// The page without a mouse and without eyes: a whole game by keys, what is read out, and what axe-core finds.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {complaints, DIALOG, lookAt} from './axe.mjs';
import {DESKTOP, PHONE, stage} from './browser.mjs';

const {server, browser} = stage('keyboard');

const focused = page => page.evaluate(() => document.activeElement?.dataset?.cell ?? document.activeElement?.tagName ?? '');

// By arrows alone, on a board of squares that is seen from White's side (turn = 1) or Black's (-1).
async function walkTo(page, cell, turn) {
    const steps = (there, here) => (there.charCodeAt(0) - here.charCodeAt(0)) * turn;
    const here = await focused(page);
    const across = steps(cell[0], here[0]);
    const up = steps(cell[1], here[1]);
    for (let i = 0; i < Math.abs(across); i++) await page.keyboard.press(across > 0 ? 'ArrowRight' : 'ArrowLeft');
    for (let i = 0; i < Math.abs(up); i++) await page.keyboard.press(up > 0 ? 'ArrowUp' : 'ArrowDown');
    assert.equal(await focused(page), cell);
}

async function skipToBoard(page) {
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate(() => document.activeElement.textContent), 'To the board');
    await page.keyboard.press('Enter');
    assert.match(await focused(page), /^[a-h][1-8]$/);
}

test('a whole game by keyboard: one walks over the board, the other types; both hear of the other’s moves', async () => {
    const white = await browser.visitor('white');
    const black = await browser.visitor('black');
    const link = await white.enterRoom(server, 'chess', 'friend', {seat: 'White', hidden: true});
    await black.open(link);
    await black.page.getByRole('button', {name: 'Play black'}).press('Enter');
    await Promise.all([white.reaches(3), black.reaches(3)]);
    await white.page.reload();
    await white.reaches(3);
    await skipToBoard(white.page);
    const heard = visitor => visitor.page.locator('.announcer').innerText();
    let version = 3;
    const both = async () => ((version += 1), await Promise.all([white.reaches(version), black.reaches(version)]));
    for (const [[from, to], typed, said, told] of [
        [['f2', 'f3'], 'e7 e5', 'White: pawn f2 to f3.', 'Black: pawn e7 to e5.'],
        [['g2', 'g4'], 'queen h4', 'White: pawn g2 to g4.', 'Black: queen d8 to h4.'],
    ]) {
        await walkTo(white.page, from, 1);
        await white.page.keyboard.press('Enter');
        assert.equal(await white.cell(from).getAttribute('aria-selected'), 'true');
        await walkTo(white.page, to, 1);
        await white.page.keyboard.press('Enter');
        await both();
        assert.equal(await heard(black), said);
        await black.page.locator('[name="move"]').press('Control+a');
        await black.page.keyboard.type(typed);
        await black.page.keyboard.press('Enter');
        await both();
        assert.equal(await heard(white), told);
    }
    assert.match(await white.verdict(), /You lost/);
    assert.match(await black.verdict(), /You won/);
});

test('a typed move that is none is said to be none, and one that may be several asks which', async () => {
    const visitor = await browser.visitor('typist');
    visitor.refusals = true;
    await visitor.context.route('**/engine.wasm', route => route.fulfill({status: 404, body: ''})); // it would know f3 for the pawn's
    await visitor.enterRoom(server, 'chess', 'screen');
    const type = async text => {
        await visitor.page.fill('[name="move"]', text);
        await visitor.page.keyboard.press('Enter');
    };
    const {version} = await visitor.holds();
    await type('e2 e5');
    await visitor.page.locator('.note', {hasText: 'No legal move is called “e2 e5”'}).waitFor();
    await type('f3');
    await visitor.page.locator('.note', {hasText: 'Which one: '}).waitFor();
    await type('knight f3');
    await visitor.reaches(version + 1);
});

test('the board is one stop of the Tab key, and the keys around S lead to all six neighbours', async () => {
    const visitor = await browser.visitor('hexagons');
    await visitor.enterRoom(server, 'glinski', 'screen');
    const {page} = visitor;
    const stops = await page.evaluate(() => {
        const board = document.querySelector('.board');
        return [board.tabIndex, board.querySelectorAll('[tabindex="0"]').length];
    });
    assert.deepEqual(stops, [-1, 1]);
    for (const [key, name] of [['w', 'f7'], ['e', 'g6'], ['c', 'g5'], ['x', 'f5'], ['z', 'e5'], ['q', 'e6']]) {
        await visitor.cell('f6').focus();
        await page.keyboard.press(key);
        assert.equal(await focused(page), name, key);
    }
    const before = [];
    await page.locator('.brand').focus();
    for (let i = 0; i < 12 && !before.includes('move'); i++) {
        await page.keyboard.press('Tab');
        before.push((await page.evaluate(() => document.activeElement.name)) || (await focused(page)));
    }
    assert.ok(!before.includes('svg'), before.join(' '));
    assert.equal(before.filter(name => /^[a-l]\d+$/.test(name)).length, 1, before.join(' '));
});

test('keys change the level of a board in space', async () => {
    const visitor = await browser.visitor('space');
    await visitor.enterRoom(server, 'raumschach', 'screen');
    await visitor.cell('Ab2').focus();
    await visitor.page.keyboard.press('PageUp');
    assert.equal(await focused(visitor.page), 'Bb2');
    await visitor.page.keyboard.press('PageDown');
    assert.equal(await focused(visitor.page), 'Ab2');
});

test('what is written on a board of any game can be read', async () => {
    const visitor = await browser.visitor('reader');
    await visitor.open(server.url);
    const faint = await visitor.page.evaluate(async () => {
        const {contrast} = await import('/colours.js');
        const {BoardPicture} = await import('/board_picture.js');
        const frame = getComputedStyle(document.documentElement).getPropertyValue('--frame');
        const found = [];
        for (const fill of ['#a9805b', '#f0dfc0', '#767676', '#5b452f', 'tan', 'rgb(120 120 120)']) {
            const picture = new BoardPicture();
            const shapes = [[[0, 0], [1, 0], [1, 1], [0, 1]]];
            const cells = ['a1', 'b1'].map((name, x) => ({name, x, y: 0, shape: 0, fill, selector: fill, highlighter: fill}));
            picture.build({shapes, cells, players: [], figures: []}, 0);
            for (const text of picture.element.querySelectorAll('.names text'))
                if (contrast(text.getAttribute('fill') ?? frame, fill) < 4.5) found.push(fill);
        }
        return found;
    });
    assert.deepEqual(faint, []);
});

for (const [name, size, scheme] of [['desktop', DESKTOP, 'light'], ['phone', PHONE, 'dark']])
    test(`axe-core has nothing to say about lobby, rooms and dialogs (${name}, ${scheme})`, async () => {
        const visitor = await lookAt(browser, name, size, scheme);
        const look = async (where, part) => assert.deepEqual(await complaints(visitor, {part}), [], where);
        await visitor.enterRoom(server, 'chess', 'screen');
        await look('a game');
        await visitor.page.getByRole('button', {name: 'Abort'}).click();
        await look('a question', DIALOG);
        await visitor.page.locator('.dialog .danger').click();
        await visitor.page.getByRole('button', {name: 'Rematch'}).waitFor();
        await look('a game that is over', '.room');
        await visitor.page.getByRole('button', {name: 'Save'}).click();
        await look('saving', DIALOG);
        await visitor.page.keyboard.press('Escape');
        await visitor.page.getByRole('button', {name: 'How to play'}).click();
        await visitor.page.locator('.how-to-play .figure-card').first().waitFor();
        await look('how to play', DIALOG);
        await visitor.enterRoom(server, 'glinski', 'friend');
        await look('waiting for a friend');
        await visitor.page.getByRole('button', {name: 'Show the link as a QR code'}).click();
        await visitor.page.locator('.qr img').waitFor();
        await look('an invitation as a picture', DIALOG);
        await visitor.page.keyboard.press('Escape');
        await visitor.page.getByRole('button', {name: 'Other device'}).click();
        await visitor.page.locator('.qr img').waitFor();
        await look('another device', DIALOG);
        await visitor.open(server.url);
        await visitor.page.locator('[data-game="chess"]').waitFor();
        await look('the lobby');
        await visitor.page.locator('[data-game="chinese-checkers"] [data-way="friend"]').click();
        await look('a new room', DIALOG);
    });

test('no page had anything to complain about', () => browser.assertNoErrors());
