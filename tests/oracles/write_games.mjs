// Writes games.pgn: whole games of chess of every kind and every end, to replay by our rules. Moves come from Debian's Stockfish and
// from chance; chess.js, which knows nothing of ours, writes them down and judges the ends.
//
//     node tests/oracles/write_games.mjs >tests/oracles/games.pgn
//
// Each player has a way of playing: how many positions Stockfish looks at, how often chance moves instead, and what is preferred.
import {createRequire} from 'node:module';
import {Random} from './random.mjs';
import {findEngine, Uci} from './uci.mjs';

const require = createRequire(new URL('../browser/package.json', import.meta.url));
const {Chess} = require('chess.js');

const PLIES_MAX = 600;

// Claims are made as soon as they can be, or never: then the game goes on until it ends by itself.
const DRAWS = {
    threefold: game => game.isThreefoldRepetition() && 'threefold repetition',
    fifty: game => game.isDrawByFiftyMoves() && '50 moves',
};

// chess.js knows the third time and the 50 moves; the fifth time and the 75 moves end a game by themselves.
function endOfItself(game, seen) {
    if (game.isCheckmate()) return {result: game.turn() === 'w' ? '0-1' : '1-0', reason: 'checkmate'};
    if (game.isStalemate()) return {result: '1/2-1/2', reason: 'stalemate'};
    if (game.isInsufficientMaterial()) return {result: '1/2-1/2', reason: 'insufficient material'};
    if ([...seen.values()].some(times => times >= 5)) return {result: '1/2-1/2', reason: 'fivefold repetition'};
    if (Number(game.fen().split(' ')[4]) >= 150) return {result: '1/2-1/2', reason: '75 moves'};
    return null;
}

function claimed(game, claims) {
    if (!claims) return null;
    for (const judge of Object.values(DRAWS)) {
        const reason = judge(game);
        if (reason) return {result: '1/2-1/2', reason, claim: true};
    }
    return null;
}

// Moves that chance seldom finds: castling, en passant, promotions below the queen, mates and stalemates at hand.
function preferred(game, moves, wishes) {
    const kinds = {
        castle: move => move.isKingsideCastle() || move.isQueensideCastle(),
        castle_long: move => move.isQueensideCastle(),
        en_passant: move => move.isEnPassant(),
        under_promote: move => move.isPromotion() && move.promotion !== 'q',
        promote: move => move.isPromotion() && move.promotion !== 'b',
        whole_name: move => /^[QRBN][a-h][1-8]x?[a-h][1-8]/.test(move.san), // neither file nor rank alone is enough
        double_step: move => move.isBigPawn(),
        pawn: move => move.piece === 'p',
        take: move => move.isCapture(),
        quiet: move => move.piece !== 'p' && !move.isCapture(),
        mate: move => move.san.endsWith('#'),
        stalemate: move => new Chess(move.after).isStalemate(),
        back: move => { // what undoes one's last move
            const last = game.history({verbose: true}).at(-2);
            return last !== undefined && last.from === move.to && last.to === move.from;
        },
    };
    for (const wish of wishes) {
        const wished = moves.filter(kinds[wish]);
        if (wished.length > 0) return wished;
    }
    return null;
}

async function chooseMove(game, player, chance, stockfish) {
    const moves = game.moves({verbose: true});
    const wished = chance.fraction() < (player.sure ? 1 : 0.9) ? preferred(game, moves, player.wishes ?? []) : null;
    if (wished) return chance.pick(wished);
    if (player.nodes === undefined || chance.fraction() < (player.chance ?? 0)) return chance.pick(moves);
    const best = await stockfish.bestMove(`fen ${game.fen()}`, player.nodes);
    return {from: best.slice(0, 2), to: best.slice(2, 4), promotion: best[4]};
}

async function playGame(style, seed, stockfish) {
    const chance = new Random(seed);
    const game = new Chess();
    const seen = new Map();
    for (let ply = 0; ply < PLIES_MAX; ply++) {
        const end = endOfItself(game, seen) ?? claimed(game, style.claims);
        if (end) return {game, end};
        const opening = ply < (style.opening ?? 0);
        const player = opening ? {} : ply % 2 === 0 ? style.white : style.black;
        const move = game.move(await chooseMove(game, player, chance, stockfish));
        if (move.isCapture() || move.piece === 'p') seen.clear();
        const position = game.fen().split(' ').slice(0, 4).join(' ');
        seen.set(position, (seen.get(position) ?? 0) + 1);
    }
    return null;
}

const weak = {nodes: 200, chance: 0.25}, fair = {nodes: 2000, chance: 0.05}, strong = {nodes: 20000};
const special = ['en_passant', 'castle_long', 'castle', 'under_promote'];
const chancy = {wishes: special};
const styles = [
    {event: 'Strong against strong', count: 3, white: strong, black: strong, opening: 4, claims: true},
    {event: 'Fair against fair', count: 8, white: fair, black: fair, opening: 8, claims: true},
    {event: 'Weak against weak', count: 8, white: weak, black: weak, opening: 6, claims: true},
    {event: 'Strong against chance', count: 4, white: strong, black: chancy},
    {event: 'Chance against strong', count: 4, white: chancy, black: strong},
    {event: 'Castlers', count: 4, white: {...weak, wishes: special}, black: {...weak, wishes: special}, opening: 2},
    {event: 'Pawns first', count: 6, white: {wishes: ['en_passant', 'under_promote', 'double_step', 'pawn']},
        black: {wishes: ['en_passant', 'under_promote', 'double_step', 'pawn']}, claims: true},
    {event: 'Many of a kind', count: 5, white: {wishes: ['whole_name', 'promote', 'pawn', 'take']},
        black: {wishes: ['whole_name', 'promote', 'pawn', 'quiet']}, claims: true},
    {event: 'All taken', count: 3, white: {wishes: ['take', ...special]}, black: {wishes: ['take', ...special]}},
    {event: 'Chance', count: 5, white: chancy, black: chancy, claims: true},
    {event: 'Chance without claims', count: 5, white: chancy, black: chancy},
    {event: 'Stalemate looked for', count: 14, white: {wishes: ['stalemate', 'under_promote', 'take']},
        black: {wishes: ['stalemate', 'take']}, claims: true},
    {event: 'Back and forth, claimed', count: 2, white: {...weak, wishes: ['back']}, black: {...weak, wishes: ['back']}, opening: 5, claims: true},
    {event: 'Back and forth, to the end', count: 3, white: {...weak, wishes: ['back']}, black: {...weak, wishes: ['back']}, opening: 5},
    {event: 'Nothing taken, claimed', count: 3, white: {wishes: ['quiet'], sure: true}, black: {wishes: ['quiet'], sure: true}, opening: 12, claims: true},
    {event: 'Nothing taken, to the end', count: 3, white: {wishes: ['quiet'], sure: true}, black: {wishes: ['quiet'], sure: true}, opening: 12},
];

if (!findEngine('stockfish')) throw new Error('Debian\'s stockfish is needed');
const stockfish = await Uci.start('stockfish', {Threads: 1, Hash: 16});
const reasons = new Map();
let seed = 1;
for (const style of styles)
    for (let round = 1; round <= style.count; round++, seed++) {
        await stockfish.ask('ucinewgame\nisready', line => line === 'readyok');
        const played = await playGame(style, seed, stockfish);
        if (!played) continue; // too long for a file that people may look into
        const {game, end} = played;
        const headers = {Event: style.event, Site: '?', Date: '????.??.??', Round: round, White: 'white', Black: 'black',
            Result: end.result, Reason: end.reason, Claim: end.claim ? 'yes' : 'no'};
        const tags = Object.entries(headers).map(([name, value]) => `[${name} "${value}"]`);
        const bare = game.pgn({maxWidth: 100}).replace(/^\[.*\]\n+/gm, '').replace(/\s*\*?\s*$/, '');
        console.log(`${tags.join('\n')}\n\n${bare} ${end.result}\n`);
        reasons.set(end.reason, (reasons.get(end.reason) ?? 0) + 1);
    }
await stockfish.quit();
console.error(Object.fromEntries(reasons));
