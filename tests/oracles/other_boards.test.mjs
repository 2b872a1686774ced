// Amazons and Chinese checkers beside programs written from their rules: the same single moves at every step of random games.
import assert from 'node:assert/strict';
import test, {describe} from 'node:test';
import {Amazons, nameOf as amazonsName} from './amazons.mjs';
import {ChineseCheckers, nameOf as starName} from './chinese_checkers.mjs';
import {Random, rounds, SEED} from './random.mjs';
import {Senet} from './senet.mjs';


describe('amazons', () => {
    test(`${rounds(15)} random games`, async () => {
        const senet = new Senet('amazons');
        try {
            for (let round = 0; round < rounds(15); round++) await playAmazons(senet, new Random(SEED * 1_000_003 + round));
        } finally {
            await senet.quit();
        }
    });

    async function playAmazons(senet, chance) {
        const game = new Amazons();
        for (let state = await senet.new();;) {
            assert.deepEqual(await senet.cells(), game.named());
            const theirs = game.moves();
            if (theirs.length === 0) {
                assert.equal(state.status, 'finished');
                assert.notEqual(state.result.winner, game.player);
                return;
            }
            assert.equal(state.to_move, game.player);
            const ours = (await senet.moves()).map(({from, to}) => `${from}-${to}`);
            assert.deepEqual(ours.sort(), theirs.map(move => move.map(amazonsName).join('-')).sort());
            const move = chance.pick(theirs);
            state = await senet.play({from: amazonsName(move[0]), to: amazonsName(move[1])});
            game.play(move);
        }
    }
});

describe('Chinese checkers', () => {
    for (const players of [2, 3, 4, 6])
        test(`${rounds(3)} games of ${players}`, async context => {
            const senet = new Senet('chinese-checkers', '--players', String(players));
            let finished = 0;
            try {
                for (let round = 0; round < rounds(3); round++)
                    finished += await playStar(senet, players, new Random(SEED * 1_000_003 + round));
            } finally {
                await senet.quit();
            }
            context.diagnostic(`${players} players: ${finished} games played to the end`);
        });

    const textOf = move => move ? `${starName(move.from)}-${starName(move.to)}` : 'pass';

    // Players who want to arrive: mostly the best of three moves drawn at random.
    function choose(game, moves, chance) {
        const gain = move => move ? game.distance(move.from) - game.distance(move.to) : 0;
        const drawn = Array.from({length: chance.below(8) === 0 ? 1 : 4}, () => chance.pick(moves));
        return drawn.reduce((best, move) => gain(move) > gain(best) ? move : best);
    }

    // 1 if all places were taken.
    async function playStar(senet, players, chance) {
        const game = new ChineseCheckers(players);
        let state = await senet.new();
        for (let steps = 0; steps < 1500; steps++) {
            if (steps % 10 === 0) assert.deepEqual(await senet.cells(), game.named(), `step ${steps}`);
            if (game.places.length >= players - 1) {
                assert.equal(state.status, 'finished');
                assert.equal(state.result.winner, game.places[0]);
                return 1;
            }
            assert.equal(state.status, 'playing', `step ${steps}`);
            assert.equal(state.to_move, game.player, `step ${steps}`);
            const theirs = game.moves();
            const ours = (await senet.moves()).map(({from, to, pass}) => pass || from === undefined ? 'pass' : `${from}-${to}`);
            assert.deepEqual(ours.sort(), theirs.length === 0 ? ['pass'] : theirs.map(textOf).sort(), `step ${steps}`);
            const move = theirs.length === 0 ? null : choose(game, theirs, chance);
            state = await senet.play(move ? {from: starName(move.from), to: starName(move.to)} : {pass: true});
            game.play(move);
        }
        return 0;
    }
});
