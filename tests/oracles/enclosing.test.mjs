// Games in which what is enclosed or beside changes its owner or leaves, beside programs written from their rules: the same moves, the same
// board and the same end at every ply of random games.
import assert from 'node:assert/strict';
import test from 'node:test';
import {Ataxx, Reversi, Tablut} from './enclosing.mjs';
import {Random, rounds, SEED} from './random.mjs';
import {Senet} from './senet.mjs';

const PLIES_MAX = 400;

// What only our games know of the positions before.
const REPEATS = 'threefold repetition';

async function play(senet, game, chance) {
    let plies = 0;
    for (let state = await senet.new(); plies < PLIES_MAX; plies++) {
        const board = Object.entries(await senet.cells()).map(([cell, words]) => `${cell} ${words.endsWith('king') ? 'king' : words.split(' ')[0]}`);
        assert.deepEqual(board.sort(), [...game.cells].map(entry => entry.join(' ')).sort());
        const end = game.outcome();
        if (state.status === 'finished' && state.result.reason === REPEATS) return {plies, end: REPEATS};
        assert.equal(state.status === 'finished' ? state.result.winner ?? 'draw' : null, end);
        if (end !== null) return {plies, end: state.result.reason};
        const ours = (await senet.moves()).map(({text}) => text), theirs = game.moves();
        assert.deepEqual(ours.sort(), theirs.sort());
        const move = chance.pick(theirs);
        state = await senet.play(move);
        game.play(move);
    }
    return {plies, end: 'not played to the end'};
}

for (const [name, Game] of [['ataxx', Ataxx], ['reversi', Reversi], ['tablut', Tablut]])
    test(`${rounds(200)} random games of ${name}`, {timeout: 1_700_000}, async context => {
        const senet = new Senet(name), ends = new Map();
        let all = 0;
        try {
            for (let round = 0; round < rounds(200); round++) {
                const {plies, end} = await play(senet, new Game(), new Random(SEED * 1_000_003 + round));
                ends.set(end, (ends.get(end) ?? 0) + 1);
                all += plies;
            }
        } finally {
            await senet.quit();
        }
        context.diagnostic(`${name}: ${all} plies; ${[...ends].map(([end, count]) => `${count} ${end}`).join(', ')}`);
    });
