// Our games beside Debian's Fairy-Stockfish: both list the same moves at every ply of random games, and both know when a game has been
// won, lost or drawn. Fairy-Stockfish is told our text of the position two plies ago and the moves since, so that our texts are tried
// too; at the end of every game it replays it from its start and writes the last position as we do.
//
// Its perft ends a game only by what it calls immediate (no moves, a king exploded, three checks, the last rank reached, …). Ends which
// it takes for optional, as repetitions, counted moves and insufficient material, do not end its list of moves; where we end a game by
// one of those, the list is not compared.
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import test, {describe} from 'node:test';
import {Random} from './random.mjs';
import {gameFile, Senet} from './senet.mjs';
import {findEngine, Uci} from './uci.mjs';

const TIMES = Number(process.env.SENET_ORACLE_TIMES ?? 1); // how many times as many games
const SEED = Number(process.env.SENET_ORACLE_SEED ?? 1);
const PLIES_MAX = 200;
const GUIDED_NODES = 30;

// random: games in which both sides play at random; guided: games in which Fairy-Stockfish plays one side, to come to ends.
const GAMES = [
    {game: 'xiangqi', random: 200, guided: 30},
    {game: 'makruk', random: 200, guided: 30},
    {game: 'janggi', variant: 'janggitraditional', random: 200, guided: 30},
    {game: 'chess', random: 50, guided: 20},
    {game: 'atomic', random: 50, guided: 20},
    {game: 'antichess', random: 50, guided: 20},
    {game: 'three-check', variant: '3check', random: 50, guided: 20},
    {game: 'racing-kings', variant: 'racingkings', random: 50, guided: 20},
    {game: 'horde', random: 50, guided: 20},
    {game: 'breakthrough', random: 50, guided: 20},
];

// Ends of ours that leave its list of moves as it is.
const OPTIONAL = /repetition|moves without|insufficient material|two bare kings|nobody can attack|both passed|bikjang|bishops/;

const skip = findEngine('fairy-stockfish') ? false : 'Debian\'s fairy-stockfish is not installed';

// What our text says of a position, without the fields that mean nothing or something else in our game.
function known(definition, text) {
    const fields = definition.notation.position.fields;
    const isSame = field => !('unused' in field) && (!field.counter || ['quiet', 'checks'].includes(field.counter));
    return text.split(' ').filter((_, i) => i < 2 || isSame(fields[i - 2] ?? {})).join(' ');
}

class Match {
    constructor(definition, senet, fairy, chance) {
        Object.assign(this, {definition, senet, fairy, chance});
    }

    async play(guided) {
        this.positions = [];
        this.played = [];
        let state = await this.senet.new();
        const compared = [];
        for (let ply = 0; ply <= PLIES_MAX; ply++) {
            this.positions.push(state.position);
            const moves = state.status === 'playing' ? (await this.senet.moves()).map(({text}) => text) : [];
            compared.push(this.#compare(ply, moves, state, this.#history(ply)));
            if (moves.length === 0 || ply === PLIES_MAX) break;
            const move = guided === ply % 2 ? await this.#guide(ply) : this.chance.pick(moves);
            this.played.push(move);
            state = await this.senet.play(move);
        }
        await Promise.all(compared);
        await this.#compareTexts();
        return state;
    }

    // How Fairy-Stockfish is told of a position: ours two plies ago, and the moves since.
    #history(ply) {
        const begin = Math.max(0, ply - 2);
        const moves = this.played.slice(begin, ply);
        return `fen ${this.positions[begin]}${moves.length > 0 ? ` moves ${moves.join(' ')}` : ''}`;
    }

    async #guide(ply) {
        return this.fairy.bestMove(this.#history(ply), GUIDED_NODES);
    }

    async #compare(ply, ours, state, history) {
        const theirs = await this.fairy.moves(history);
        const where = `ply ${ply}, ${this.positions[ply]}, played: ${this.played.slice(0, ply).join(' ')}`;
        if (state.status === 'playing' || !OPTIONAL.test(state.result.reason) || theirs.length === 0)
            assert.deepEqual(ours.slice().sort(), theirs.sort(), where);
        if (state.status === 'playing' || theirs.length > 0) return;
        const verdict = await this.fairy.verdict(history);
        const toMove = this.definition.players[ply % 2];
        const winner = state.result.winner;
        assert.equal(winner === undefined ? 'draw' : winner === toMove ? 'win' : 'loss', verdict, `${where}: ${state.result.reason}`);
    }

    async #compareTexts() {
        const moves = this.played.length > 0 ? ` moves ${this.played.join(' ')}` : '';
        const lines = await this.fairy.ask(`position startpos${moves}\nd`, line => line.startsWith('Checkers'));
        const theirs = lines.find(line => line.startsWith('Fen: ')).slice(5);
        assert.equal(known(this.definition, this.positions.at(-1)), known(this.definition, theirs), `played: ${this.played.join(' ')}`);
    }
}

describe('Fairy-Stockfish lists the same moves at every ply', {skip, concurrency: 2}, () => {
    for (const {game, variant = game, random, guided} of GAMES)
        test(`${random * TIMES} random and ${guided * TIMES} guided games of ${game}`, async context => {
            const senet = new Senet(game), fairy = await Uci.start('fairy-stockfish', {UCI_Variant: variant});
            const definition = JSON.parse(readFileSync(gameFile(game), 'utf8'));
            const ends = new Map();
            let plies = 0;
            try {
                for (let round = 0; round < (random + guided) * TIMES; round++) {
                    const match = new Match(definition, senet, fairy, new Random(SEED * 1_000_003 + round));
                    const {status, result} = await match.play(round < random * TIMES ? -1 : round % 2);
                    const end = status === 'playing' ? 'not played to the end' : result.reason;
                    ends.set(end, (ends.get(end) ?? 0) + 1);
                    plies += match.played.length;
                }
            } finally {
                await Promise.all([senet.quit(), fairy.quit()]);
            }
            context.diagnostic(`${game}: ${plies} plies; ${[...ends].map(([end, count]) => `${count} ${end}`).join(', ')}`);
        });
});
