// Our games beside Debian's Fairy-Stockfish: both list the same moves at every ply of random games, and both know when a game has been
// won, lost or drawn. Fairy-Stockfish is told our text of the position two plies ago and the moves since, so that our texts are tried
// too; at the end of every game it replays it from its start and writes the last position as we do.
//
// Its perft ends a game only by what it calls immediate (no moves, three checks, the last rank reached, …). Ends which
// it takes for optional, as repetitions, counted moves and insufficient material, do not end its list of moves; where we end a game by
// one of those, the list is not compared.
//
// In racing kings the game ends for it one move later when Black is first. In shogi it lets a pawn be put that mates at once, and
// the other side has won then; the rules forbid it, and so do we: where it lists such a move we must not. Atomic, torpedo and
// grasshopper chess it does not know in Debian's version.
import assert from 'node:assert/strict';
import test, {describe} from 'node:test';
import {wholeGame} from '../support/games.mjs';
import {Random, rounds, SEED} from './random.mjs';
import {Senet} from './senet.mjs';
import {findEngine, Uci} from './uci.mjs';

const PLIES_MAX = 120, GUIDED_PLIES_MAX = 250;
const GUIDED_NODES = 30;

// setUp: so many moves of ours, by chance, come before what Fairy-Stockfish knows; random: games in which both sides play at random; guided: games in which Fairy-Stockfish plays one side, to come to ends.
const GAMES = [
    {game: 'xiangqi', random: 200, guided: 30},
    {game: 'makruk', random: 200, guided: 30},
    {game: 'janggi', setUp: 8, random: 200, guided: 30},
    {game: 'chess', random: 50, guided: 20},
    {game: 'antichess', random: 50, guided: 20},
    {game: 'three-check', variant: '3check', random: 50, guided: 20},
    {game: 'racing-kings', variant: 'racingkings', random: 50, guided: 20, endsLater: /the king reached/},
    {game: 'horde', random: 50, guided: 20},
    {game: 'breakthrough', random: 50, guided: 20},
    {game: 'knightmate', random: 50, guided: 20},
    {game: 'capablanca', random: 200, guided: 20},
    {game: 'los-alamos', variant: 'losalamos', random: 200, guided: 20},
    {game: 'shatranj', random: 200, guided: 20},
    {game: 'minixiangqi', random: 200, guided: 20},
    {game: 'clobber', random: 200, guided: 20},
    {game: 'crazyhouse', random: 200, guided: 30},
    {game: 'shogi', side: 9, random: 200, guided: 30},
    {game: 'minishogi', side: 5, random: 200, guided: 30},
];

function assertSameMoves(ours, theirs, where) {
    const sorted = [ours, theirs].map(moves => moves.slice().sort());
    if (sorted[0].join() !== sorted[1].join()) assert.deepEqual(...sorted, where);
}

// Ends of ours that leave its list of moves as it is.
const OPTIONAL = /repetition|perpetual|moves without|insufficient material|two bare kings|nobody can attack|bishops/;

const skip = findEngine('fairy-stockfish') ? false : 'Debian\'s fairy-stockfish is not installed';

// Of shogi and its kin: our texts are those of its own players (USI), theirs those of chess. `side`: of the board.
function toTheirs(move, side) {
    const cell = name => `${'abcdefghi'[side - Number(name[0])]}${side - 'abcdefghi'.indexOf(name[1])}`;
    if (!side) return move;
    if (move[1] === '*') return `${move[0]}@${cell(move.slice(2))}`;
    return `${cell(move.slice(0, 2))}${cell(move.slice(2, 4))}${move.slice(4)}`;
}

// In what order the kinds in hand stand is not said.
const sortedHands = text => text.split(' ').map((field, i) => (i === 2 ? (field.match(/\d*[A-Za-z]|-/g) ?? []).sort().join('') : field)).join(' ');

class Match {
    constructor(game, senet, fairy, chance) {
        Object.assign(this, {game, senet, fairy, chance});
    }

    async play(guided) {
        this.positions = [];
        this.played = [];
        let state = await this.#begin();
        const pliesMax = guided < 0 ? PLIES_MAX : GUIDED_PLIES_MAX;
        const compared = [];
        for (let ply = 0; ply <= pliesMax; ply++) {
            this.positions.push(state.position);
            const moves = state.status === 'playing' ? (await this.senet.moves()).map(({text}) => text) : [];
            compared.push(this.#compare(ply, moves, state).then(() => null, error => error));
            if (moves.length === 0 || ply === pliesMax) break;
            const best = guided === ply % 2 ? await this.fairy.bestMove(this.#history(ply), GUIDED_NODES) : null;
            const move = moves.find(text => this.#theirs(text) === best) ?? this.chance.pick(moves);
            this.played.push(move);
            state = await this.senet.play(move);
        }
        const wrong = (await Promise.all(compared)).find(error => error !== null);
        if (wrong) throw wrong;
        await this.#compareTexts();
        return state;
    }

    async #begin() {
        let state = await this.senet.new();
        for (let left = this.game.setUp ?? 0; left > 0; left--) state = await this.senet.play(this.chance.pick(await this.senet.moves()).text);
        this.begun = this.game.setUp ? `fen ${state.position}` : 'startpos';
        return state;
    }

    // How Fairy-Stockfish is told of a position: ours two plies ago, and the moves since.
    #history(ply) {
        const begin = Math.max(0, ply - 2);
        const moves = this.played.slice(begin, ply);
        return this.#told(`${this.game.side ? 'sfen' : 'fen'} ${this.positions[begin]}`, moves);
    }

    #told(position, moves) {
        return `${position}${moves.length > 0 ? ` moves ${moves.map(move => this.#theirs(move)).join(' ')}` : ''}`;
    }

    #theirs(move) {
        return toTheirs(move, this.game.side);
    }

    // Without pawns that are put and mate.
    async #movesOf(history, ours) {
        const theirs = await this.fairy.moves(history);
        if (!this.game.side) return theirs;
        const others = theirs.filter(move => move.startsWith('P@') && !ours.includes(move));
        const replies = await Promise.all(others.map(move => this.fairy.moves(`${history}${history.includes(' moves ') ? '' : ' moves'} ${move}`)));
        const mates = others.filter((_, i) => replies[i].length === 0);
        return theirs.filter(move => !mates.includes(move));
    }

    #endsLater({reason}) {
        return OPTIONAL.test(reason) || (this.game.endsLater?.test(reason) ?? false);
    }

    async #compare(ply, ours, state) {
        const history = this.#history(ply);
        const known = ours.map(move => this.#theirs(move));
        const theirs = await this.#movesOf(history, known);
        const where = `ply ${ply}, ${this.positions[ply]}, of: ${this.played.join(' ')}`;
        if (state.status === 'playing' || !this.#endsLater(state.result) || theirs.length === 0) assertSameMoves(known, theirs, where);
        if (state.status === 'playing' || theirs.length > 0) return;
        const verdict = await this.fairy.verdict(this.#history(ply - 1), this.#theirs(this.played[ply - 1]));
        const {winner, reason} = state.result;
        const ourVerdict = winner === undefined ? 'draw' : winner === this.game.players[ply % 2] ? 'win' : 'loss';
        assert.equal(ourVerdict, verdict, `${where}: ${reason}`);
    }

    async #compareTexts() {
        const history = this.#told(this.begun, this.played);
        if (this.game.side) return assert.equal(sortedHands(this.positions.at(-1)), sortedHands(await this.fairy.fen(history, 'Sfen')), history);
        const theirs = await this.fairy.fen(history);
        assert.equal(this.#known(this.positions.at(-1)), this.#known(theirs), `played: ${this.played.join(' ')}`);
    }

    // What a text says of a position, without the fields that mean nothing or something else in our game.
    #known(text) {
        const {fields} = this.game.notation.position;
        const isSame = field => !('unused' in field) && (!field.counter || ['quiet', 'checks'].includes(field.counter));
        return text.split(' ').filter((_, i) => i < 2 || isSame(fields[i - 2] ?? {})).join(' ');
    }
}

describe('Fairy-Stockfish lists the same moves at every ply', {skip, concurrency: 2, timeout: 1_700_000}, () => {
    for (const row of GAMES)
        test(`${rounds(row.random)} random and ${rounds(row.guided)} guided games of ${row.game}`, async context => {
            const {players, notation} = JSON.parse(wholeGame(row.game));
            const game = {...row, players, notation};
            const senet = new Senet(row.game), fairy = await Uci.start('fairy-stockfish', {UCI_Variant: row.variant ?? row.game});
            const ends = new Map();
            let plies = 0;
            try {
                for (let round = 0; round < rounds(row.random) + rounds(row.guided); round++) {
                    const match = new Match(game, senet, fairy, new Random(SEED * 1_000_003 + round));
                    const {status, result} = await match.play(round < rounds(row.random) ? -1 : round % 2);
                    const end = status === 'playing' ? 'not played to the end' : result.reason;
                    ends.set(end, (ends.get(end) ?? 0) + 1);
                    plies += match.played.length;
                }
            } finally {
                await Promise.all([senet.quit(), fairy.quit()]);
            }
            context.diagnostic(`${row.game}: ${plies} plies; ${[...ends].map(([end, count]) => `${count} ${end}`).join(', ')}`);
        });
});
