// Our draughts beside draughts.mjs, a program written from the rules of the four games: at every turn of random games both know the
// same whole turns (where from, where to, what is taken), and the same pieces stand afterwards.
import assert from 'node:assert/strict';
import test, {describe} from 'node:test';
import {Draughts, DRAUGHTS} from './draughts.mjs';
import {Random, rounds, SEED} from './random.mjs';
import {Senet} from './senet.mjs';

const GAMES = rounds(50);
const TURNS_MAX = 150;

// Known leaves of the start position: the program beside ours must be right itself.
const NODES = {
    english: [7, 49, 302, 1469, 7361, 36768], international: [9, 81, 658, 4265, 27117],
    brazilian: [7, 49, 302, 1469, 7473, 37628], russian: [7, 49, 302, 1469, 7482, 37986],
};

// Our whole turns, found by going each way to its end: key -> the steps that lead there.
async function turnsOf(senet, draughts, cellOf, before, player) {
    const turns = new Map();
    const enemies = Object.keys(before).filter(cell => !before[cell].startsWith(player));
    const walk = async steps => {
        for (const {from, to} of await senet.moves()) {
            const step = {from, to};
            const state = await senet.play(step);
            if (state.status === 'playing' && state.to_move === player) await walk([...steps, step]);
            else {
                const after = await senet.cells();
                const taken = enemies.filter(cell => !(cell in after)).map(cellOf);
                const turn = {from: cellOf([...steps, step][0].from), to: cellOf(to), taken};
                turns.set(draughts.key(turn), [...steps, step]);
            }
            await senet.undo();
        }
    };
    await walk([]);
    return turns;
}

async function playGame(senet, draughts, name, chance) {
    const numbers = new Map(draughts.darkCells().map(cell => [name(cell), cell]));
    const cellOf = text => numbers.get(text);
    let position = draughts.start();
    let state = await senet.new();
    for (let count = 0; count < TURNS_MAX; count++) {
        const before = await senet.cells();
        assert.deepEqual(before, draughts.cells(position, name), `after ${count} turns`);
        if (state.status !== 'playing') return {state, position};
        assert.equal(state.to_move, position.player);
        const theirs = draughts.turns(position);
        const ours = await turnsOf(senet, draughts, cellOf, before, position.player);
        assert.deepEqual([...ours.keys()].sort(), theirs.map(turn => draughts.key(turn)).sort(), `${count} turns played, ${JSON.stringify(before)}`);
        const turn = chance.pick(theirs);
        for (const step of ours.get(draughts.key(turn))) state = await senet.play(step);
        position = draughts.play(position, turn);
    }
    return {state, position};
}

describe('draughts', {concurrency: 2}, () => {
    for (const [variant, rules] of Object.entries(DRAUGHTS)) {
        const draughts = new Draughts(rules);
        test(`the other program counts ${variant} draughts as everybody does`, () => {
            assert.deepEqual(NODES[variant].map((_, i) => draughts.perft(draughts.start(), i + 1)), NODES[variant]);
        });

        test(`${GAMES} random games of ${variant} draughts`, async context => {
            const senet = new Senet(`${variant}-draughts`);
            const ends = new Map();
            try {
                const {state} = await senet.ask({do: 'new'});
                const name = 'a1' in state.cells ? cell => draughts.algebraicName(cell) : cell => draughts.numberName(cell);
                for (let round = 0; round < GAMES; round++) {
                    const end = await playGame(senet, draughts, name, new Random(SEED * 1_000_003 + round));
                    const reason = end.state.status === 'playing' ? 'not played to the end' : end.state.result.reason;
                    if (end.state.result?.winner) {
                        assert.equal(draughts.turns(end.position).length, 0, reason);
                        assert.notEqual(end.state.result.winner, end.position.player);
                    }
                    ends.set(reason, (ends.get(reason) ?? 0) + 1);
                }
            } finally {
                await senet.quit();
            }
            context.diagnostic(`${variant}: ${[...ends].map(([end, count]) => `${count} ${end}`).join(', ')}`);
        });
    }
});
