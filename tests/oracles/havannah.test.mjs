// Havannah beside a program written from its rules: the same moves at every ply of random games, and the same ends for the same reasons.
import assert from 'node:assert/strict';
import test from 'node:test';
import {Havannah, nameOf} from './havannah.mjs';
import {Random, rounds, SEED} from './random.mjs';
import {Senet} from './senet.mjs';

// Stones that are put beside others close more of everything, and the second player swaps sides in every other game.
async function playOne(senet, chance, dense) {
    const game = new Havannah();
    let state = await senet.new();
    for (let ply = 0; !game.result; ply++) {
        assert.equal(state.status, 'playing');
        assert.equal(state.to_move, game.player);
        const theirs = game.moves(), swaps = ply === 1;
        const ours = (await senet.moves()).map(({to, text}) => to ?? text);
        assert.deepEqual(ours.sort(), [...theirs.map(nameOf), ...swaps ? ['swap'] : []].sort());
        if (swaps && dense) {
            state = await senet.play('swap');
            game.swap();
            continue;
        }
        const near = theirs.filter(([q, r]) => Math.max(Math.abs(q), Math.abs(r), Math.abs(q + r)) < 3);
        const cell = chance.pick(dense && near.length > 0 ? near : theirs);
        state = await senet.play(nameOf(cell));
        game.play(cell);
    }
    assert.deepEqual(state.result, game.result);
    return game.result.reason;
}

test(`havannah: ${rounds(100)} random games`, async context => {
    const senet = new Senet('havannah'), ends = {};
    try {
        for (let round = 0; round < rounds(100); round++) {
            const reason = await playOne(senet, new Random(SEED * 1_000_003 + round), round % 2 === 1);
            ends[reason] = (ends[reason] ?? 0) + 1;
        }
    } finally {
        await senet.quit();
    }
    context.diagnostic(`ends: ${JSON.stringify(ends)}`);
    for (const reason of ['a bridge', 'a fork', 'a ring']) assert.ok(ends[reason] > 0, `never ${reason}`);
});
