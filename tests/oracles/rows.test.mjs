// Connect four, gomoku, yavalath and tic-tac-toe in 4×4×4 beside a program written from their rules: the same moves at every ply of
// random games, and the same ends.
import assert from 'node:assert/strict';
import test from 'node:test';
import {Random, rounds, SEED} from './random.mjs';
import {GAMES, Rows} from './rows.mjs';
import {Senet} from './senet.mjs';

const ROUNDS = {'connect-four': 200, 'gomoku': 10, 'yavalath': 200, 'tic-tac-toe-4': 200};

for (const [name, game] of Object.entries(GAMES))
    test(`${name}: ${rounds(ROUNDS[name])} random games`, async context => {
        const senet = new Senet(name), ends = {};
        try {
            for (let round = 0; round < rounds(ROUNDS[name]); round++) {
                const {winner = 'draw'} = await playOne(senet, game, new Random(SEED * 1_000_003 + round), round % 2 === 1);
                ends[winner] = (ends[winner] ?? 0) + 1;
            }
        } finally {
            await senet.quit();
        }
        context.diagnostic(`ends: ${JSON.stringify(ends)}`);
        for (const player of game.players) assert.ok(ends[player] > 0, `${player} never won`);
    });

// In every other game sides are swapped where they may be.
async function playOne(senet, game, chance, swaps) {
    const rows = new Rows(game);
    for (let state = await senet.new();;) {
        const theirs = rows.moves();
        assert.equal(state.status, rows.result ? 'finished' : 'playing');
        if (rows.result) {
            assert.equal(state.result.winner, rows.result.winner);
            return rows.result;
        }
        assert.equal(state.to_move, game.players[rows.next]);
        const ours = (await senet.moves()).map(({to, text}) => to ?? text);
        assert.deepEqual(ours.sort(), [...theirs.map(game.nameOf), ...rows.maySwap() ? ['swap'] : []].sort());
        if (rows.maySwap() && swaps) {
            state = await senet.play('swap');
            rows.swap();
            continue;
        }
        const cell = chance.pick(theirs);
        state = await senet.play(game.nameOf(cell));
        rows.play(cell);
    }
}
