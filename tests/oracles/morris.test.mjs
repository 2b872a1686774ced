// Nine men's morris beside a program written from its rules: the same moves at every ply of random games, and the same ends.
import assert from 'node:assert/strict';
import test from 'node:test';
import {Morris} from './morris.mjs';
import {Random} from './random.mjs';
import {Senet} from './senet.mjs';

const ROUNDS = 200 * Number(process.env.SENET_ORACLE_TIMES ?? 1);
const SEED = Number(process.env.SENET_ORACLE_SEED ?? 1);

test(`nine-mens-morris: ${ROUNDS} random games`, async context => {
    const senet = new Senet('nine-mens-morris'), ends = {};
    try {
        for (let round = 0; round < ROUNDS; round++) {
            const {winner = 'draw', why} = await playOne(senet, new Random(SEED * 1_000_003 + round));
            ends[`${winner}: ${why}`] = (ends[`${winner}: ${why}`] ?? 0) + 1;
        }
    } finally {
        await senet.quit();
    }
    context.diagnostic(`ends: ${JSON.stringify(ends)}`);
    for (const player of ['white', 'black']) assert.ok(ends[`${player}: two`] > 0, `${player} never won`);
});

async function playOne(senet, chance) {
    const morris = new Morris();
    for (let state = await senet.new();;) {
        assert.equal(state.status, morris.result ? 'finished' : 'playing');
        if (morris.result) {
            assert.equal(state.result.winner, morris.result.winner);
            return morris.result;
        }
        assert.equal(state.to_move, morris.toMove);
        const theirs = morris.moves(), ours = (await senet.moves()).map(({from, to}) => from === undefined ? to : `${from}-${to}`);
        assert.deepEqual(ours.sort(), [...theirs].sort());
        const move = chance.pick(theirs);
        state = await senet.play(move);
        morris.play(move);
    }
}
