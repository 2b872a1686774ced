// Every row of perft.json for a game of ours, through `senet perft`, to its full depth. The file is looked for in SENET_SHARED.
import assert from 'node:assert/strict';
import {execFile} from 'node:child_process';
import {existsSync, mkdtempSync, readFileSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {promisify} from 'node:util';
import test, {describe} from 'node:test';
import {gameFile, program} from './senet.mjs';

const run = promisify(execFile);
const shared = process.env.SENET_SHARED ?? fileURLToPath(new URL('../../../shared', import.meta.url));
const file = `${shared}/data/perft.json`;
const skip = existsSync(file) ? false : `${file} is not there`;

// The names of that file, and ours.
const GAMES = {
    'chess': 'chess', 'English draughts': 'english-draughts', 'international draughts': 'international-draughts',
    'Brazilian draughts': 'brazilian-draughts', 'Russian draughts': 'russian-draughts', 'breakthrough 8x8': 'breakthrough',
    'amazons 10x10': 'amazons', 'Glinski hexagonal chess': 'glinski', 'xiangqi': 'xiangqi', 'makruk': 'makruk', 'antichess': 'antichess',
    'horde chess': 'horde', 'racing kings': 'racing-kings', 'three-check chess': 'three-check', 'janggi': 'janggi',
    'reversi': 'reversi', 'connect four 7x6': 'connect-four', 'tic-tac-toe': 'tic-tac-toe', 'hex 11x11': 'hex',
    'gomoku 15x15, free style': 'gomoku', 'yavalath (hexagon of side 5)': 'yavalath', 'crazyhouse': 'crazyhouse', 'shogi': 'shogi', 'minishogi': 'minishogi',
    "nine men's morris": 'nine-mens-morris', 'go 19x19': 'go',
};

// The rows of hex and yavalath are of the games without the swap of sides.
function fileOf(game) {
    if (!['hex', 'yavalath'].includes(game)) return gameFile(game);
    const path = join(mkdtempSync(join(tmpdir(), 'senet-')), `${game}.json`);
    writeFileSync(path, JSON.stringify({...JSON.parse(readFileSync(gameFile(game), 'utf8')), pie: false, tests: []}));
    return path;
}

// Of janggi they begin when both have set up their figures.
const JANGGI = 'rnba1abnr/4k4/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/4K4/RNBA1ABNR w - - 0 1';

// Leaves by depth: `senet perft` prints a line for each, and before them maybe other things.
async function count(game, start, depth) {
    const words = ['perft', fileOf(game), String(depth), ...(start === 'start' ? [] : ['--fen', start])];
    const {stdout} = await run(program, words);
    return stdout.split('\n').filter(line => /^\d+\t\d+\t/.test(line)).map(line => Number(line.split('\t')[1]));
}

describe('perft.json', {skip}, () => {
    const {entries} = skip ? {entries: []} : JSON.parse(readFileSync(file, 'utf8'));

    test('has rows for all the games named here, and for no others', () => {
        const found = new Set(entries.map(({game}) => game));
        assert.deepEqual([...found].sort(), Object.keys(GAMES).sort());
    });

    for (const {game, start, nodes} of entries.filter(row => row.game in GAMES))
        test(`${game}, ${start}, to depth ${nodes.length}`, async () => {
            assert.deepEqual(await count(GAMES[game], game === 'janggi' && start === 'start' ? JANGGI : start, nodes.length), nodes);
        });
});
