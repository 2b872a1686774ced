// "How to play": pictures that are the server's answers, sentences made of the game's file.
import assert from 'node:assert/strict';
import {readFileSync, readdirSync} from 'node:fs';
import {test} from 'node:test';
import {Client} from '../support/client.mjs';
import {wholeGame} from '../support/games.mjs';
import {assertFits, PHONE, stage} from './browser.mjs';

const {server, browser} = stage('how_to_play');
const {endSentences, figureSentences, ruleSentences} = await import(new URL('../../server/web/rule_sentences.js', import.meta.url));
const games = new URL('../../games/', import.meta.url);
const read = name => JSON.parse(readFileSync(new URL(`${name}.json`, games), 'utf8'));

test('every figure of every game has a picture or a sentence, and every game says how it ends', async () => {
    const client = await Client.open(server, {record: 'guide'});
    for (const file of readdirSync(games).filter(name => name.endsWith('.json'))) {
        const id = file.replace('.json', '');
        const {guide} = await client.done({type: 'games', op: 'guide', game: id});
        const definition = JSON.parse(guide.definition);
        const drawn = new Map(guide.figures.map(entry => [entry.figure, entry]));
        for (const figure of guide.layout.figures) {
            const moves = definition.figures[figure].movement;
            const said = figureSentences(definition, figure);
            assert.ok(drawn.has(figure) || said.length > 0 || moves.length === 0, `${id}: ${figure}`);
            for (const sentence of said) assert.match(sentence, /^[A-Z][^{}]*[.]$/, `${id}: ${figure}`);
            assert.doesNotMatch(said.join(' '), /undefined|object|NaN/, `${id}: ${figure}`);
        }
        assert.ok(endSentences(definition).length > 0 && ruleSentences(definition).length > 0, id);
        assert.doesNotMatch(ruleSentences(definition).join(' '), /undefined|object|NaN/, id);
    }
    const {error} = await client.ask({type: 'games', op: 'guide', game: 'nonesuch'}).then(answer => ({error: answer.code}));
    assert.equal(error, 'unknown_game');
    await client.end();
});

test('a picture shows what the rules say: a knight leaps, a pawn takes aslant, a general stays in its palace', async () => {
    const client = await Client.open(server);
    const of = async (game, figure) => {
        const {guide} = await client.done({type: 'games', op: 'guide', game});
        const {cell, moves, takes} = guide.figures.find(entry => entry.figure === figure);
        return [cell, moves.toSorted?.().join(' ') ?? [...moves].sort().join(' '), [...takes].sort().join(' ')];
    };
    assert.deepEqual(await of('chess', 'knight'), ['d4', 'b3 b5 c2 c6 e2 e6 f3 f5', 'b3 b5 c2 c6 e2 e6 f3 f5']);
    assert.deepEqual(await of('chess', 'pawn'), ['d2', 'd3 d4', 'c3 e3']);
    assert.deepEqual(await of('xiangqi', 'general'), ['e2', 'd2 e1 e3 f2', 'd2 e1 e3 f2']);
    await client.end();
});

test('sentences say what a picture cannot', () => {
    const [xiangqi, draughts, morris] = ['xiangqi', 'international-draughts', 'nine-mens-morris'].map(read);
    assert.deepEqual(figureSentences(xiangqi, 'cannon'), ['Slides any distance straight, onto an empty cell.', 'Slides any distance straight jumping over exactly one figure, only to take.']);
    assert.match(figureSentences(xiangqi, 'advisor').join(), /one step diagonally \(inside the zone “palace”\)/);
    assert.match(figureSentences(draughts, 'man').join(' '), /must go on taking.*Becomes a king/);
    assert.ok(ruleSentences(draughts).includes('Who can take must take, and as many as possible.'));
    const [shogi, go, reversi] = [read('shogi'), read('go'), read('reversi')];
    assert.deepEqual(figureSentences(shogi, 'gold'), ['Goes one step straight.', 'Goes one step diagonally forwards.']);
    assert.deepEqual(figureSentences(shogi, 'tokin').at(-1), 'Taken, it is a pawn in the hand.');
    assert.deepEqual(figureSentences(read('chess'), 'pawn')[0], 'Goes one step forwards, onto an empty cell.');
    assert.deepEqual(figureSentences(read('chess'), 'pawn')[1], 'Goes exactly 2 steps forwards from one’s own 2nd row, onto an empty cell.');
    assert.deepEqual(figureSentences(shogi, 'knight').slice(1), ['May become a promoted knight in the last 3 rows.', 'Becomes a promoted knight in the last 2 rows.']);
    assert.doesNotMatch(figureSentences(read('glinski'), 'pawn').join(), /forwards/, 'on hexagons it is not known');
    assert.ok(ruleSentences(shogi).includes('What a player takes is theirs from then on, and goes to their hand.'));
    const crazyhouse = JSON.parse(wholeGame('crazyhouse'));
    assert.ok(ruleSentences(crazyhouse).includes('A player may put a pawn from the hand on an empty cell in any row but the first and the last.'));
    assert.ok(ruleSentences(go).some(sentence => /no empty cell beside them/.test(sentence)));
    assert.ok(ruleSentences(reversi).some(sentence => /so that enemy figures are enclosed/.test(sentence)));
    for (const game of [go, reversi]) assert.deepEqual(endSentences(game).map(({title}) => title), ['Who has more wins']);
    assert.match(figureSentences(morris, 'stone').join(' '), /Goes anywhere where the rules allow it, onto an empty cell\./);
    assert.ok(ruleSentences(morris).includes('A player may remove a figure of the enemy in the part “mill” of a turn.'));
    assert.ok(ruleSentences(read('hex')).some(sentence => /second player may swap sides/.test(sentence)));
    assert.deepEqual(endSentences(xiangqi)[0], {title: 'Who has just moved wins', reasons: ['checkmate', 'stalemate']});
});

test('the lobby has a link to it on the card of each game', async () => {
    const visitor = await browser.visitor('lobby');
    await visitor.open(server.url);
    await visitor.page.locator('[data-game="xiangqi"] .how-link').click();
    const dialog = visitor.page.locator('.how-to-play');
    await dialog.locator('.figure-card').nth(6).waitFor();
    await visitor.screenshot('xiangqi');
    await dialog.getByRole('button', {name: 'Close'}).click();
    await dialog.waitFor({state: 'detached'});
});

test('a stranger opens it from the room, with the keyboard, on a phone, for a game nobody has published', async () => {
    const visitor = await browser.visitor('stranger', PHONE);
    await visitor.open(server.url);
    const client = await Client.open(server);
    const {room} = await client.done({type: 'create', definition: JSON.stringify(read('breakthrough')), visibility: 'private'});
    await visitor.page.goto(`${server.url}/room/${room}`);
    await visitor.page.getByRole('button', {name: 'How to play'}).press('Enter');
    const dialog = visitor.page.locator('.how-to-play');
    await dialog.locator('[data-figure="pawn"] .board .mark.dot').first().waitFor();
    assert.equal(await dialog.locator('.figure-card').count(), 1);
    assert.match(await dialog.getByRole('img', {name: /A pawn on d4 goes/}).getAttribute('aria-label'), /takes on/);
    assert.match(await dialog.innerText(), /How it ends/);
    await assertFits(visitor);
    await visitor.screenshot('phone');
    await visitor.page.keyboard.press('Escape');
    await dialog.waitFor({state: 'detached'});
    await client.end();
});

test('no page had anything to complain about', () => browser.assertNoErrors());
