// `senet bot --uci PROGRAM`: programs that know nothing of us play whole games in rooms, in the games' own notation. A program that
// fails has its seat given up.
import assert from 'node:assert/strict';
import {spawn} from 'node:child_process';
import {chmodSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {after, before, describe, test} from 'node:test';
import {Player} from '../support/player.mjs';
import {program, Server} from '../support/server.mjs';
import {findEngine} from './uci.mjs';

const server = new Server();
const folder = mkdtempSync(join(tmpdir(), 'senet-uci-'));
before(() => server.start());
after(async () => {
    await server.remove();
    rmSync(folder, {recursive: true});
});

const running = new Set();
after(() => running.forEach(child => child.kill('SIGKILL')));

// Its exit status, and all it has said.
function bot(room, ...words) {
    const child = spawn(resolve(program), ['bot', server.url, '--room', room, ...words], {stdio: ['ignore', 'pipe', 'pipe']});
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', text => (said += text));
    running.add(child);
    return new Promise(done => child.on('close', status => done({status, said})));
}

async function room(what) {
    const host = new Player(server);
    await host.connect();
    const {room} = await host.call({type: 'create', ...what});
    await host.join(room, 'spectator');
    return {host, room};
}

async function stateOf(host, room) {
    const {state} = await host.call({type: 'sync', room});
    return state;
}

const GAMES = [
    {game: 'chess', name: 'stockfish', flag: '--uci'},
    {game: 'chess', name: 'fairy-stockfish', flag: '--uci'},
    {game: 'xiangqi', name: 'fairy-stockfish', flag: '--uci'},
    {game: 'xiangqi', name: 'fairy-stockfish', flag: '--ucci'},
    {game: 'makruk', name: 'fairy-stockfish', flag: '--uci'},
    {game: 'shogi', name: 'fairy-stockfish', flag: '--usi'},
];

describe('programs play games to the end', {concurrency: 2, timeout: 600_000}, () => {
    for (const {game, name, flag} of GAMES)
        test(`${name} plays ${game}, ${flag.slice(2)}, beside random moves`, {skip: findEngine(name) ? false : `no ${name}`}, async t => {
            const {host, room: id} = await room({game});
            const bots = await Promise.all([bot(id, flag, findEngine(name), '--nodes', '3000', '--seat', 'any'), bot(id, '--seed', '7')]);
            for (const {status, said} of bots) {
                assert.equal(status, 0, said);
                assert.match(said, /the game is over/);
                assert.doesNotMatch(said, /refused/);
            }
            const {result} = await stateOf(host, id);
            assert.ok(!/resign|abort/.test(result.reason), JSON.stringify(result));
            t.diagnostic(JSON.stringify(result));
            host.close();
        });

    test('two programs play by the clocks of the room', {skip: findEngine('stockfish') ? false : 'no stockfish'}, async t => {
        const {host, room: id} = await room({game: 'chess', clock: {initial_ms: 3000, increment_ms: 20}});
        const words = ['--uci', findEngine('stockfish'), '--option', 'Skill Level=3', '--option', 'Move Overhead=200'];
        for (const {status, said} of await Promise.all([bot(id, ...words), bot(id, ...words)])) assert.equal(status, 0, said);
        t.diagnostic(JSON.stringify((await stateOf(host, id)).result));
        host.close();
    });
});

// A program of UCI that plays `moves` and then does what `end` says.
function script(name, moves, end) {
    const file = join(folder, name);
    writeFileSync(
        file,
        `#!/usr/bin/env node
const moves = ${JSON.stringify(moves)};
require('node:readline').createInterface({input: process.stdin}).on('line', line => {
    if (line === 'uci') console.log('uciok');
    if (line === 'isready') console.log('readyok');
    if (line === 'quit') process.exit(0);
    if (!line.startsWith('go')) return;
    const move = moves.shift();
    if (move) console.log('bestmove ' + move);
    else { ${end} }
});
`,
    );
    chmodSync(file, 0o755);
    return file;
}

test('a program that dies is told of once, and its seat resigns', {timeout: 120_000}, async () => {
    const {host, room: id} = await room({game: 'chess'});
    const [mine, theirs] = await Promise.all([
        bot(id, '--seat', 'white', '--uci', script('dies', ['e2e4', 'd2d4'], 'process.abort()')),
        bot(id, '--seat', 'black', '--seed', '1'),
    ]);
    assert.equal(mine.status, 1, mine.said);
    assert.equal(mine.said.match(/its seat is given up/g)?.length, 1, mine.said);
    assert.equal(theirs.status, 0, theirs.said);
    const {result, ply} = await stateOf(host, id);
    assert.equal(result.winner, 'black');
    assert.match(result.reason, /resign/);
    assert.equal(ply, 4);
    host.close();
});

test('a program that plays what is no move has its seat resign', {timeout: 120_000}, async () => {
    const {host, room: id} = await room({game: 'chess'});
    const [mine] = await Promise.all([
        bot(id, '--seat', 'white', '--uci', script('cheats', ['e2e5'], '')),
        bot(id, '--seat', 'black', '--seed', '1'),
    ]);
    assert.equal(mine.status, 1);
    assert.match(mine.said, /it plays e2e5, which is no move here/);
    assert.equal((await stateOf(host, id)).result.winner, 'black');
    host.close();
});

test('a program that cannot be started, or does not know the game, plays nothing', {timeout: 120_000}, async () => {
    const {host, room: id} = await room({game: 'xiangqi'});
    const none = await bot(id, '--uci', join(folder, 'nothing-here'));
    assert.equal(none.status, 1);
    assert.match(none.said, /no such file/);
    assert.deepEqual((await stateOf(host, id)).seats, {});
    const [other] = await Promise.all([bot(id, '--seat', 'red', '--uci', script('chess-only', [], '')), bot(id, '--seat', 'black')]);
    assert.equal(other.status, 1);
    assert.match(other.said, /does not know xiangqi/);
    assert.match((await stateOf(host, id)).result.reason, /resign/);
    host.close();
});
