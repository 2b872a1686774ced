// Go beside a program written from its rules: the same moves, the same board and the same end at every ply of random games.
import assert from 'node:assert/strict';
import test from 'node:test';
import {Go} from './go.mjs';
import {Random, rounds, SEED} from './random.mjs';
import {Senet} from './senet.mjs';

// Of late moves every tenth is a pass, so that games end.
const choose = (moves, plies, limit, chance) => plies > limit && chance.below(10) === 0 ? 'pass' : chance.pick(moves);

async function play(senet, game, limit, chance) {
    let state = await senet.new();
    for (let plies = 0; ; plies++) {
        const board = Object.entries(await senet.cells()).map(([cell, words]) => `${cell} ${words.split(' ')[0]}`);
        assert.deepEqual(board.sort(), [...game.cells].map(entry => entry.join(' ')).sort());
        const end = game.outcome();
        if (end !== null || state.status === 'finished') {
            assert.equal(state.result?.winner, end);
            return plies;
        }
        const theirs = game.moves();
        assert.deepEqual((await senet.moves()).map(({text}) => text).sort(), theirs.sort());
        const move = choose(theirs, plies, limit, chance);
        state = await senet.play(move);
        game.play(move);
    }
}

for (const [name, size, games, limit] of [['go-9', 9, 40, 100], ['go-13', 13, 3, 150], ['go', 19, 1, 150]])
    test(`${rounds(games)} random games of ${name}`, {timeout: 1_700_000}, async context => {
        const senet = new Senet(name);
        let plies = 0;
        try {
            for (let round = 0; round < rounds(games); round++)
                plies += await play(senet, new Go(size), limit, new Random(SEED * 1_000_003 + round));
        } finally {
            await senet.quit();
        }
        context.diagnostic(`${name}: ${plies} plies`);
    });
