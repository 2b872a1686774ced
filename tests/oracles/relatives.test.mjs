// Our Gliński's chess, Raumschach, Intellector, atomic, torpedo and grasshopper chess beside programs written from their rules: the same moves at every ply of
// random games, the same pieces afterwards, the same mates.
import assert from 'node:assert/strict';
import test, {describe} from 'node:test';
import {Atomic} from './atomic.mjs';
import {Intellector} from './intellector.mjs';
import {Random, rounds, SEED} from './random.mjs';
import {Senet} from './senet.mjs';
import {Grasshopper, SquareChess, Torpedo} from './square_chess.mjs';
import {Glinski, Raumschach} from './vector_chess.mjs';

const PLIES_MAX = 120;

function cellsOf(rules, position) {
    const points = [...position.cells].map(([point, {player, kind}]) => [rules.name(rules.points.get(point)), `${player} ${kind}`]);
    return Object.fromEntries(points);
}

const textOf = (rules, {from, to, promotion}) => `${rules.name(from)} ${rules.name(to)} ${promotion ?? ''}`.trim();

async function playGame(senet, rules, chance) {
    let position = rules.start();
    let state = await senet.new();
    for (let ply = 0; ply < PLIES_MAX; ply++) {
        assert.deepEqual(await senet.cells(), cellsOf(rules, position), `ply ${ply}`);
        const theirs = new Map(rules.moves(position).map(move => [textOf(rules, move), move]));
        if (theirs.size === 0) {
            assert.equal(state.status, 'finished');
            assert.equal(state.result.reason, rules.end(position));
            return state;
        }
        if (state.status !== 'playing') return state; // by a rule that is not about moves
        assert.equal(state.to_move, position.player);
        const ours = (await senet.moves()).map(({from, to, choice}) => `${from} ${to} ${choice ?? ''}`.trim());
        assert.deepEqual(ours.sort(), [...theirs.keys()].sort(), `ply ${ply}, ${JSON.stringify(cellsOf(rules, position))}`);
        const move = theirs.get(chance.pick(ours));
        state = await senet.play({from: rules.name(move.from), to: rules.name(move.to), choice: move.promotion});
        position = rules.play(position, move);
    }
    return state;
}

async function playGames(context, game, rules, count) {
    const senet = new Senet(game);
    const ends = new Map();
    try {
        for (let round = 0; round < count; round++) {
            const {status, result} = await playGame(senet, rules, new Random(SEED * 1_000_003 + round));
            const end = status === 'playing' ? 'not played to the end' : result.reason;
            ends.set(end, (ends.get(end) ?? 0) + 1);
        }
    } finally {
        await senet.quit();
    }
    context.diagnostic(`${game}: ${[...ends].map(([end, number]) => `${number} ${end}`).join(', ')}`);
}

describe('relatives of chess', {concurrency: 2}, () => {
    test('the other program counts Gliński\'s chess as everybody does', () => {
        const glinski = new Glinski();
        assert.deepEqual([1, 2].map(depth => glinski.perft(glinski.start(), depth)), [51, 2586]);
    });

    test('and chess on squares', () => {
        const chess = new SquareChess();
        assert.deepEqual([1, 2, 3].map(depth => chess.perft(chess.start(), depth)), [20, 400, 8902]);
    });

    test('and atomic chess', () => {
        const atomic = new Atomic();
        assert.deepEqual([1, 2, 3, 4].map(depth => atomic.perft(atomic.start(), depth)), [20, 400, 8902, 197326]);
    });

    test('random games of atomic chess', context => playGames(context, 'atomic', new Atomic(), rounds(40)));
    test('random games of torpedo chess', context => playGames(context, 'torpedo', new Torpedo(), rounds(200)));
    test('random games of grasshopper chess', context => playGames(context, 'grasshopper', new Grasshopper(), rounds(200)));
    test('random games of Gliński\'s chess', context => playGames(context, 'glinski', new Glinski(), rounds(8)));
    test('random games of Raumschach', context => playGames(context, 'raumschach', new Raumschach(), rounds(8)));
    test('random games of Intellector', context => playGames(context, 'intellector', new Intellector(), rounds(60)));
});
