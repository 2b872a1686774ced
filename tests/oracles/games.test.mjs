// games.pgn, whole games of chess written by Stockfish, chance and chess.js, replayed by our chess: every move is understood and
// written the same, every position and every claim is the same, and they end the same way.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import test, {describe} from 'node:test';
import {gameFile, program, Senet} from './senet.mjs';

const require = createRequire(new URL('../browser/package.json', import.meta.url));
const {Chess} = require('chess.js');

const games = readFileSync(new URL('games.pgn', import.meta.url), 'utf8').trim().split(/\n\n(?=\[Event)/).map(pgn => {
    const tags = Object.fromEntries([...pgn.matchAll(/^\[(\w+) "(.*)"\]$/gm)].map(([, name, value]) => [name, value]));
    const words = pgn.slice(pgn.indexOf('\n\n')).trim().split(/\s+/).filter(word => !/^\d+\.+$/.test(word));
    return {pgn, tags, moves: words.slice(0, -1)};
});

const WINNERS = {'1-0': 'white', '0-1': 'black'};

// What may be claimed; of two ours says the first. Our reasons say more than these words with which they begin.
function claimsOf(game) {
    const claims = [];
    if (game.isThreefoldRepetition()) claims.push('threefold repetition');
    if (game.isDrawByFiftyMoves()) claims.push('50 moves');
    return claims.slice(0, 1);
}

function begin(reasons, words, where) {
    assert.equal(reasons.length, words.length, where);
    for (const [i, reason] of reasons.entries()) assert.ok(reason.startsWith(words[i]), `${where}: ${reason}`);
}

async function replay(senet, {tags, moves}) {
    const judge = new Chess();
    const answers = [senet.ask({do: 'new', short: true}), ...moves.map(move => senet.ask({do: 'move', move, short: true}))];
    const settled = await Promise.allSettled(answers);
    for (const [ply, {value, reason}] of settled.entries()) {
        if (reason) throw reason;
        const where = `after ${ply} plies`;
        if (ply > 0) assert.equal(value.move.algebraic, judge.move(moves[ply - 1]).san, where);
        assert.equal(value.state.position, judge.fen(), where);
        const over = ply === moves.length && tags.Claim === 'no';
        assert.equal(value.state.status, over ? 'finished' : 'playing', where);
        if (!over) begin(value.state.claims ?? [], claimsOf(judge), where);
    }
    const {state} = tags.Claim === 'yes' ? await senet.ask({do: 'claim', short: true}) : settled.at(-1).value;
    assert.equal(state.status, 'finished');
    begin([state.result.reason], [tags.Reason], 'at the end');
    assert.equal(state.result.winner, WINNERS[tags.Result]);
}

describe('games.pgn', () => {
    test('has at least 50 games, with every kind of move and end', () => {
        assert.ok(games.length >= 50);
        const text = games.flatMap(({moves}) => moves).join(' ');
        for (const kind of [/\bO-O\b(?!-)/, /\bO-O-O\b/, /=N/, /=B/, /=R/, /=Q/, /N[a-h]x?[a-h]\d/, /R\dx?[a-h]\d/, /[QRBN][a-h]\dx?[a-h]\d/])
            assert.match(text, kind);
        assert.ok(games.some(({moves}) => {
            const game = new Chess();
            return moves.some(move => game.move(move).isEnPassant());
        }));
        assert.deepEqual([...new Set(games.map(({tags}) => tags.Reason))].sort(), ['50 moves', '75 moves', 'checkmate',
            'fivefold repetition', 'insufficient material', 'stalemate', 'threefold repetition']);
    });

    test('each is read as a record, and ends as it ended', () => {
        const folder = mkdtempSync(join(tmpdir(), 'senet-games-'));
        const file = join(folder, 'game.pgn');
        try {
            for (const [i, {pgn, tags, moves}] of games.entries()) {
                writeFileSync(file, pgn);
                const end = execFileSync(program, ['replay', '--quiet', '--game', gameFile('chess'), file]).toString();
                const winner = WINNERS[tags.Result];
                const events = 3 + moves.length + (tags.Claim === 'yes');
                assert.ok(end.startsWith(`finished, ${events} events, `), `${i + 1}: ${end}`);
                assert.ok(end.includes(`, ${winner ? `${winner} wins` : 'drawn'}: ${tags.Reason}`), `${i + 1}: ${end}`);
            }
        } finally {
            rmSync(folder, {recursive: true, force: true});
        }
    });

    for (const [i, game] of games.entries())
        test(`${i + 1}: ${game.tags.Event}, ${game.moves.length} plies, ${game.tags.Result} (${game.tags.Reason})`, async () => {
            const senet = new Senet('chess');
            try {
                await replay(senet, game);
            } finally {
                await senet.quit();
            }
        });
});
