// A game as a file: saved from a room, opened again on the front page, and refused with words where it is none.
import assert from 'node:assert/strict';
import {existsSync, readFileSync} from 'node:fs';
import {test} from 'node:test';
import {assertFits, eventually, PHONE, SIZES, stage} from './browser.mjs';
import {begin, dropFile, isGood, savedAs} from './make.mjs';

let visitor, room, saved;
const {server, browser} = stage('saved-game');

async function download(keeper, label) {
    await keeper.press('Save');
    await keeper.page.locator('.save-way').first().waitFor();
    await assertFits(keeper);
    const [file] = await Promise.all([
        keeper.page.waitForEvent('download'),
        keeper.press(keeper.page.locator('.save-way', {hasText: label})),
    ]);
    await keeper.page.keyboard.press('Escape');
    return {name: file.suggestedFilename(), text: readFileSync(await file.path(), 'utf8')};
}

async function playFoolsMate(keeper) {
    for (const [from, to] of [['f2', 'f3'], ['e7', 'e5'], ['g2', 'g4'], ['d8', 'h4']]) {
        const {version} = await keeper.holds();
        await keeper.play(from, to);
        await keeper.reaches(version + 1);
    }
}

const choose = async (reader, name, text) =>
    await reader.page.locator('.saved-game input').setInputFiles({name, mimeType: 'application/json', buffer: Buffer.from(text)});

async function drop(reader, name, text) {
    const files = await reader.page.evaluateHandle(
        ([fileName, content]) => {
            const transfer = new DataTransfer();
            transfer.items.add(new File([content], fileName, {type: 'application/json'}));
            return transfer;
        },
        [name, text],
    );
    for (const type of ['dragover', 'drop']) await reader.page.dispatchEvent('.lobby', type, {dataTransfer: files});
}

for (const [name, size] of SIZES)
    test(`a finished game is saved as a file, and as PGN (${name})`, async () => {
        visitor = await browser.visitor(`keeper-${name}`, size);
        room = await visitor.enterRoom(server, 'chess', 'screen');
        await playFoolsMate(visitor);
        assert.match(await visitor.verdict(), /Black won\s+Checkmate/);
        saved = await download(visitor, 'Whole game');
        assert.equal(saved.name, `${new URL(room).pathname.split('/').at(-1)}.senet.json`);
        assert.equal(typeof JSON.parse(saved.text), 'object');
        assert.doesNotMatch(saved.text, /token/i);
        const pgn = await download(visitor, 'PGN');
        assert.match(pgn.name, /\.pgn$/);
        assert.match(pgn.text, /1\. ?f3 e5 2\. ?g4 Qh4#/);
        await visitor.press('Save');
        await visitor.screenshot('save');
        await visitor.page.keyboard.press('Escape');
    });

test('a game that has no form in PGN is not offered one', async () => {
    await visitor.enterRoom(server, 'chinese-checkers', 'screen', {players: 2});
    await visitor.page.getByRole('button', {name: 'Save'}).click();
    await visitor.page.locator('.save-way').first().waitFor();
    assert.equal(await visitor.page.locator('.save-way').count(), 1);
    await visitor.page.keyboard.press('Escape');
});

test('whoever has the file opens it on the front page, and steps through the game', async () => {
    const reader = await browser.visitor('reader');
    await reader.open(server.url);
    await reader.page.locator('.saved-game').scrollIntoViewIfNeeded();
    await reader.screenshot('front-page');
    await choose(reader, saved.name, saved.text);
    await reader.page.waitForURL('**/room/*');
    assert.notEqual(reader.page.url(), room);
    await reader.page.waitForSelector('.room[data-ply="4"]');
    assert.match(await reader.verdict(), /Black won\s+Checkmate/);
    assert.match(await reader.cell('h4').getAttribute('aria-label'), /black queen/);
    await reader.page.keyboard.press('ArrowLeft');
    await reader.page.waitForSelector('.room[data-ply="3"]');
    assert.match(await reader.cell('d8').getAttribute('aria-label'), /black queen/);
    await reader.screenshot('opened');
});

test('its PGN is opened as well', async () => {
    const reader = await browser.visitor('reader of PGN');
    await reader.open(server.url);
    await drop(reader, 'game.pgn', '[White "Ada"]\n\n1. f3 e5 2. g4 Qh4# 0-1');
    await reader.page.waitForURL('**/room/*');
    await reader.page.waitForSelector('.room[data-ply="4"]');
    assert.match(await reader.verdict(), /Black won\s+Checkmate/);
    reader.refusals = true; // from here on the server says no
    await reader.open(server.url);
    await choose(reader, 'wrong.pgn', '1. f3 e5 2. Nf9');
    await reader.page.locator('.saved-game .found.bad', {hasText: 'Line 1, column 13: `Nf9` means no legal move here'}).waitFor();
});

test('a game that is not over waits for players, and is played on', async () => {
    await visitor.enterRoom(server, 'chess', 'screen');
    await visitor.play('e2', 'e4');
    await visitor.reaches(3);
    const half = await download(visitor, 'Whole game');
    const reader = await browser.visitor('player', PHONE);
    await reader.open(server.url);
    await drop(reader, half.name, half.text);
    await reader.page.waitForURL('**/room/*');
    await reader.page.locator('[data-take="black"]').waitFor();
    await reader.screenshot('invited');
    await reader.page.locator('[data-take="black"]').tap();
    await reader.page.waitForSelector('.tag.you');
    assert.match(await reader.cell('e4').getAttribute('aria-label'), /white pawn/);
});

test('the rules of a game are opened where games are made, as they are written', async () => {
    const reader = await browser.visitor('maker');
    reader.refusals = !existsSync(new URL('../../build/browser/engine.wasm.gz', import.meta.url)); // asked for in vain
    await reader.open(server.url);
    const rules = readFileSync(new URL('../../games/makruk.json', import.meta.url), 'utf8');
    await choose(reader, 'mine.json', rules);
    await reader.page.waitForURL('**/make#*');
    await reader.page.locator('.draft-bar option:checked', {hasText: 'mine'}).waitFor({state: 'attached'});
    await savedAs(reader, text => text === rules);
});

// As Chess Mate's API answers `load-game`: the newest move first, a board and a score as texts.
function chessMates(words) {
    const times = {updatedAt: '2026-11-21T07:07:10.349Z', createdAt: '2026-11-21T07:07:10.349Z'};
    const moves = words.split(' ').map((word, i) => {
        const [piece, from, to] = word.split('-');
        return {id: i + 1, game_id: 7, player: i % 2 ? 'B' : 'W', flag: '-', move_number: i + 1, from, to, piece, ...times};
    });
    const score = {P: 0, N: 0, B: 0, R: 0, Q: 0, K: 0};
    const board = {id: 9, game_id: 7, board: '{"a8":{"color":"B","piece":"R"}}', score: JSON.stringify({W: score, B: score}), turn_player: moves[moves.length - 1].player, move_number: moves.length, ...times};
    return JSON.stringify({board, moves: moves.reverse()});
}

test('a game of Chess Mate’s is opened as it was answered, in the lobby and where games are made', async () => {
    const reader = await browser.visitor('mate');
    const answer = chessMates('P-e2-e4 P-e7-e5 N-g1-f3 N-b8-c6 B-f1-c4');
    await reader.open(server.url);
    await drop(reader, 'load-game.json', answer);
    await reader.page.waitForURL('**/room/*');
    await reader.page.locator('.moves-list .move').nth(4).waitFor();
    await reader.page.locator('h1', {hasText: 'Chess'}).waitFor();
    assert.match(await reader.cell('c4').getAttribute('aria-label'), /white bishop/);

    await begin(reader, server);
    const drafts = await reader.page.locator('.draft-bar option').count();
    await dropFile(reader, answer);
    await reader.page.waitForURL('**/room/*');
    await reader.page.locator('.moves-list .move').nth(4).waitFor();
    await reader.open(`${server.url}/make`);
    await isGood(reader);
    await eventually(async () => assert.equal(await reader.page.locator('.draft-bar option').count(), drafts, 'it is no draft'));

    reader.refusals = true; // Chess Mate let anybody move
    await reader.open(server.url);
    await choose(reader, 'twice.json', chessMates('P-e2-e4 P-d2-d4'));
    await reader.page.locator('.saved-game .found.bad', {hasText: 'twice.json cannot be opened'}).waitFor();
});

test('what is no saved game is refused with words, and what was changed is found', async () => {
    const reader = await browser.visitor('forger');
    await reader.open(server.url);
    const found = reader.page.locator('.saved-game .found.bad');
    const refused = async (name, text, words) => {
        await choose(reader, name, text);
        await found.filter({hasText: words}).waitFor();
        assert.match(await found.innerText(), new RegExp(name.replace('.', '\\.')));
    };
    await refused('notes.json', 'dear diary', 'It is not JSON');
    await refused('list.json', '[1]', 'not a saved game');
    await choose(reader, 'huge.senet.json', JSON.stringify({filler: 'x'.repeat(2 ** 20)}));
    await found.filter({hasText: 'larger than 1 MiB'}).waitFor();
    reader.refusals = true; // from here on the server says no
    const forged = saved.text.replaceAll('"h4"', '"h3"');
    assert.notEqual(forged, saved.text);
    await choose(reader, 'forged.senet.json', forged);
    await found.filter({hasText: 'forged.senet.json cannot be opened'}).waitFor();
    assert.ok((await found.innerText()).length > 'forged.senet.json cannot be opened. '.length + 10);
    await reader.screenshot('refused');
    assert.equal(new URL(reader.page.url()).pathname, '/');
});

test('no page had anything to complain about', () => browser.assertNoErrors());
