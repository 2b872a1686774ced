// What was kept: a game of 400 plies is leafed through, gone on with from any of them, carried away as a file, verified by
// `senet replay`, and brought in again. What is compared are the hashes that everybody saw when the moves were made.
import assert from 'node:assert/strict';
import {execFileSync, spawnSync} from 'node:child_process';
import {createHash} from 'node:crypto';
import {mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import test, {after, before, describe} from 'node:test';
import {Client} from '../support/client.mjs';
import {program, Server} from '../support/server.mjs';
import {hashOf} from '../support/state.mjs';
import {playMoves, setTable, takeSeat} from '../support/table.mjs';

const require = createRequire(new URL('../browser/package.json', import.meta.url));
const {Chess} = require('chess.js');

const record = 'history';
const server = new Server(['--commands-per-second', '50000', '--commands-burst', '50000']);
const folder = mkdtempSync(join(tmpdir(), 'senet-history-'));
before(() => server.start());
after(async () => {
    rmSync(folder, {recursive: true, force: true});
    await server.remove();
});

const get = path => fetch(`${server.url}${path}`);
const fetchRecord = async room => (await get(`/api/v1/rooms/${room}/export`)).text();
const post = (body, query = '') => fetch(`${server.url}/api/v1/rooms${query}`, {method: 'POST', body, headers: {'content-type': 'application/json'}});
const pgnOf = async room => (await get(`/api/v1/rooms/${room}/pgn`)).text();

// What `senet replay` says of a record: a line for each step, or why not.
function replay(text, name = 'game') {
    const file = join(folder, `${name}.senet.json`);
    writeFileSync(file, text);
    const {status, stdout, stderr} = spawnSync(program, ['replay', file], {encoding: 'utf8', maxBuffer: 1 << 26});
    const steps = stdout.trim().split('\n').slice(0, -1).map(line => {
        const [version, kind, seat, move, position, hash] = line.split('\t');
        return {version: Number(version), kind, seat, move, position, hash};
    });
    return {status, stderr, steps, end: stdout.trim().split('\n').at(-1)};
}

// splitmix64 would be as good: any that is the same everywhere.
function* numbers(seed) {
    for (let state = seed; ; ) {
        state = (state * 1103515245 + 12345) % 2147483648;
        yield state / 2147483648;
    }
}

// Plays by chance, mostly without taking; what everybody saw after each ply is kept in `seen`: {version, hash}.
async function playByChance(client, room, plies, seed) {
    const chance = numbers(seed);
    const pick = list => list[Math.floor(chance.next().value * list.length)];
    let {legal_moves: moves, state, version, hash} = await client.done({type: 'sync', room});
    const seen = {[state.ply]: {version, hash}};
    for (let ply = state.ply; ply < plies && moves?.length > 0; ply++) {
        const quiet = moves.filter(({to}) => !state.cells[to]);
        const move = pick(quiet.length > 0 && chance.next().value < 0.98 ? quiet : moves);
        const moved = client.next({type: 'event', room, kind: 'moved'});
        await client.done({type: 'move', room, move});
        const event = await moved;
        state = client.rooms.get(room).state;
        moves = event.legal_moves;
        seen[state.ply] = {version: event.version, hash: event.hash};
    }
    return seen;
}

async function stateAfter(client, room, ply) {
    const answer = await client.done({type: 'history', room, ply});
    assert.equal(answer.ply, ply);
    assert.equal(answer.state.ply, ply);
    assert.equal(hashOf(answer.state), answer.hash, 'the hash is that of the state');
    return answer;
}

async function expectSeen(client, room, seen, plies) {
    for (const ply of plies) {
        const {version, hash} = await stateAfter(client, room, ply);
        assert.deepEqual({version, hash}, seen[ply], `ply ${ply} of room ${room}`);
    }
}

// A short game of everything PGN has a word for.
const everything = 'e2e4 a7a6 e4e5 d7d5 e5d6 g8f6 d6c7 b8c6 c7d8=queen c6d8 g1f3 a6a5 f1e2 a5a4 e1g1 a4a3 f3d4 a8a6 d4b5 f6d7 b5c7';

describe('a game of 400 plies', () => {
    const PLIES = 400;
    let client, room, seen, token;
    before(async () => {
        client = await Client.open(server, {record});
        token = client.token;
        ({room} = await client.done({type: 'create', game: 'chess'}));
        await takeSeat(client, room, 'all');
        seen = await playByChance(client, room, PLIES, 4);
        assert.equal(Object.keys(seen).length, PLIES + 1);
    });

    test('every ply shows the state that was seen then, however one leafs', async () => {
        await expectSeen(client, room, seen, [400, 399, 0, 1, 200, 49, 50, 51, 99, 100, 349]);
        await expectSeen(client, room, seen, Array.from({length: PLIES + 1}, (_, i) => PLIES - i));
        await client.refused({type: 'history', room, ply: PLIES + 1}, 'bad_message', /has come to 400/);
    });

    test('all plies are listed with the texts a chess program understands', async () => {
        const moves = [];
        do {
            const answer = await client.done({type: 'history', room, moves: true, from: moves.length});
            assert.equal(answer.plies, PLIES);
            assert.equal(answer.from, moves.length);
            moves.push(...answer.moves);
        } while (moves.length < PLIES);
        const judge = new Chess();
        for (const [index, {ply, version, text, seat}] of moves.entries()) {
            assert.deepEqual({ply, version, seat}, {ply: index + 1, version: seen[index + 1].version, seat: index % 2 ? 'black' : 'white'});
            assert.equal(judge.move(text).san, text);
        }
    });

    test('it can be gone on with from any ply, and the first room does not notice', async () => {
        const rooms = [];
        for (const ply of [0, 1, 150, 399]) {
            const {room: fork, version} = await client.done({type: 'create', fork: {room, ply}, visibility: 'private'});
            assert.equal(version, 1);
            const {state} = await takeSeat(client, fork, 'all');
            const then = (await stateAfter(client, room, ply)).state;
            assert.deepEqual([state.cells, state.last_move, state.to_move], [then.cells, then.last_move, then.to_move]);
            rooms.push({fork, ply, seen: await playByChance(client, fork, ply + 20, ply + 2)});
            const {events} = await client.done({type: 'history', room: fork, from: 1, to: 1});
            assert.deepEqual(events[0].fork, {room, ply});
        }
        await server.stop();
        await server.start();
        client = await Client.open(server, {record, token});
        for (const {fork, ply, seen: seenThere} of rooms) {
            await expectSeen(client, fork, seenThere, Object.keys(seenThere).map(Number));
            for (const past of [0, 77, 149].filter(past => past < ply)) {
                const [one, other] = [await stateAfter(client, room, past), await stateAfter(client, fork, past)];
                assert.deepEqual({...other.state, seats: 0}, {...one.state, seats: 0});
                assert.deepEqual(other.state.seats, {}, 'nobody sat there then');
            }
        }
        await expectSeen(client, room, seen, [0, 1, 57, 399, 400]);
        assert.equal(server.sql("SELECT count(*) FROM definition"), '1', 'one definition for all of them');
    });

    test('its file is verified by senet replay, which prints what was seen', async () => {
        const answer = await get(`/api/v1/rooms/${room}/export`);
        assert.equal(answer.status, 200);
        assert.equal(answer.headers.get('content-disposition'), `attachment; filename="${room}.senet.json"`);
        const text = await answer.text();
        const {definition, definition_hash: named} = JSON.parse(text);
        assert.equal(createHash('sha256').update(definition).digest('hex'), named);
        assert.ok(!text.includes(token), 'no token');
        assert.ok(!text.includes(createHash('sha256').update(token).digest('hex')), 'and no digest of one');
        const {status, stderr, steps} = replay(text);
        assert.deepEqual([status, stderr], [0, '']);
        const moved = steps.filter(({kind}) => kind === 'moved');
        assert.equal(moved.length, PLIES);
        for (const [index, {version, hash}] of moved.entries()) assert.deepEqual({version, hash}, seen[index + 1]);
    });

    test('brought in again while it goes on, it waits for players where it was', async () => {
        const answer = await post(await fetchRecord(room), '?visibility=private');
        assert.equal(answer.status, 201, await answer.clone().text());
        const {room: there} = await answer.json();
        assert.equal(answer.headers.get('location'), `/room/${there}`);
        const {state} = await takeSeat(client, there, 'all');
        assert.deepEqual([state.ply, state.status], [PLIES, 'playing']);
        assert.deepEqual(state.cells, (await stateAfter(client, room, PLIES)).state.cells);
        const {events} = await client.done({type: 'history', room: there, from: 1, to: 1});
        assert.deepEqual(events[0].import, {room});
    });

    test('ended and brought in again, it is the same at every ply, and so is its file', async () => {
        if (!client.rooms.has(room)) await takeSeat(client, room, 'any');
        await client.done({type: 'chat', room, text: 'Thank you {"for"} the game'});
        await client.done({type: 'action', room, kind: 'resign'});
        const text = await fetchRecord(room);
        const answer = await post(text);
        assert.equal(answer.status, 201, await answer.clone().text());
        const {room: there} = await answer.json();
        await server.stop();
        await server.start();
        const eve = await Client.open(server, {record});
        for (const ply of [0, 1, 2, 50, 199, 399, 400]) {
            const {state, hash} = await stateAfter(eve, there, ply);
            assert.equal(hash, seen[ply].hash);
            assert.ok(state);
        }
        const snapshot = await takeSeat(eve, there, 'spectator');
        assert.equal(snapshot.state.status, 'finished');
        assert.equal(snapshot.state.result.reason, 'resignation');
        assert.deepEqual(snapshot.chat.map(({text: line}) => line), ['Thank you {"for"} the game']);
        const [first, again] = [JSON.parse(text), JSON.parse(await fetchRecord(there))];
        assert.deepEqual({...again, room}, first);
        assert.equal(replay(JSON.stringify(again)).end, replay(text).end);
        // its seats are names: nobody of this server holds them, not even who played there
        client = await Client.open(server, {record, token});
        await client.refused({type: 'join', room: there, seat: 'white'}, 'seat_taken');
        const lobby = await client.done({type: 'lobby.subscribe'});
        assert.ok(!lobby.mine.some(({room: mine}) => mine === there));
    });
});

describe('other games', () => {
    test('turns of several moves, passes, choices and claims come through a file', async () => {
        const client = await Client.open(server, {record});
        for (const [game, plies, seed] of [['checkers', 60, 3], ['amazons', 30, 5], ['chinese-checkers', 40, 7], ['janggi', 40, 9]]) {
            const {room} = await client.done({type: 'create', game});
            await takeSeat(client, room, 'all');
            const seen = await playByChance(client, room, plies, seed);
            const status = client.rooms.get(room).state.status;
            if (status === 'playing') await client.done({type: 'action', room, kind: 'resign'});
            await expectSeen(client, room, seen, Object.keys(seen).map(Number));
            const text = await fetchRecord(room);
            const {status: exit, stderr, steps} = replay(text, game);
            assert.deepEqual([exit, stderr], [0, ''], game);
            const answer = await post(text);
            assert.equal(answer.status, 201, `${game}: ${await answer.clone().text()}`);
            const {room: there} = await answer.json();
            for (const [ply, {version, hash}] of Object.entries(seen)) {
                assert.equal((await stateAfter(client, there, Number(ply))).hash, hash, `${game}, ply ${ply}`);
                assert.ok(steps.some(step => step.version === version && step.hash === hash), `${game}, ply ${ply}`);
            }
            assert.deepEqual({...JSON.parse(await fetchRecord(there)), room}, JSON.parse(text));
        }
    });

    test('a game for three, a draw agreed, a rematch and a seat handed over', async () => {
        const client = await Client.open(server, {record});
        const {room} = await client.done({type: 'create', game: 'chinese-checkers', players: 3});
        const {seats} = await takeSeat(client, room, 'all');
        assert.equal(seats.length, 3);
        await playByChance(client, room, 12, 1);
        const next = await client.done({type: 'seat_key', room});
        const heir = await Client.open(server, {record});
        await heir.done({type: 'join', room, key: next.key, name: 'Heir'});
        await heir.next({type: 'snapshot', room});
        await heir.done({type: 'action', room, kind: 'draw.offer'});
        await heir.done({type: 'action', room, kind: 'draw.accept'});
        await heir.done({type: 'action', room, kind: 'draw.accept'}).catch(() => {});
        if (heir.rooms.get(room).state.status === 'playing') await heir.done({type: 'action', room, kind: 'resign'});
        const text = await fetchRecord(room);
        assert.ok(!text.includes('key_hash'), 'no digest of a key');
        assert.equal(replay(text).status, 0, replay(text).stderr);
        assert.equal((await post(text)).status, 201);

        const rematch = heir.next({type: 'event', room, kind: 'rematch'});
        await heir.done({type: 'action', room, kind: 'rematch.offer'});
        for (let i = 0; i < 2; i++) await heir.ask({type: 'action', room, kind: 'rematch.accept'});
        const {next_room: again} = await rematch;
        await takeSeat(heir, again, 'any');
        await playByChance(heir, again, 6, 2);
        const second = await fetchRecord(again);
        const {status, stderr, steps} = replay(second, 'rematch');
        assert.deepEqual([status, stderr], [0, '']);
        assert.equal(steps.filter(({kind}) => kind === 'moved').length, 6);
        assert.equal((await post(second)).status, 201);
    });

    test('the record of a private room opens a private one, whatever is asked besides', async () => {
        const client = await Client.open(server, {record});
        const {room} = await client.done({type: 'create', game: 'chess', visibility: 'private'});
        const text = await fetchRecord(room);
        for (const query of ['', '?visibility=public', '?visibility=private']) {
            const answer = await post(text, query);
            assert.equal(answer.status, 201, await answer.clone().text());
            const {visibility} = await takeSeat(client, (await answer.json()).room, 'any');
            assert.equal(visibility, 'private', query);
        }
    });

    test('a fork of a private room is private unless it says otherwise', async () => {
        const client = await Client.open(server, {record});
        const {room} = await client.done({type: 'create', game: 'chess', visibility: 'private'});
        for (const [wish, visibility] of [[{}, 'private'], [{visibility: 'public'}, 'public']]) {
            const {room: fork} = await client.done({type: 'create', fork: {room, ply: 0}, ...wish});
            assert.equal((await takeSeat(client, fork, 'all')).visibility, visibility);
        }
    });

    test('a fork has the clock it is asked for with, whatever the other room has', async () => {
        const client = await Client.open(server, {record});
        const {room} = await client.done({type: 'create', game: 'chess', clock: {initial_ms: 90000}});
        await takeSeat(client, room, 'all');
        await playByChance(client, room, 3, 2);
        const none = await client.done({type: 'create', fork: {room, ply: 2}});
        assert.equal((await takeSeat(client, none.room, 'all')).clock, undefined);
        const clock = {initial_ms: 60000, increment_ms: 1000};
        const {room: fork} = await client.done({type: 'create', fork: {room, ply: 2}, clock});
        const {clock: had, state, turn_ms} = await takeSeat(client, fork, 'all');
        assert.deepEqual([had, state.ply, state.status], [clock, 2, 'playing']);
        for (const seat of ['white', 'black']) assert.equal(state.seats[seat].clock.left_ms, 60000);
        assert.ok(turn_ms >= 0);
        const {events: [created]} = await client.done({type: 'history', room: fork, from: 1, to: 1});
        assert.deepEqual([created.clock, created.fork], [clock, {room, ply: 2}]);
        await playByChance(client, fork, 5, 3);
        assert.equal(replay(await fetchRecord(fork)).status, 0);
        await client.refused({type: 'create', fork: {room, ply: 2}, clock: {initial_ms: 1, seats: {green: {initial_ms: 1}}}}, 'no_such_seat');
        await client.refused({type: 'create', fork: {room, ply: 2}, clock: {}}, 'bad_message', /clock/);
    });

    test('a fork of a definition of one\'s own is exported with it', async () => {
        const client = await Client.open(server, {record});
        const definition = readFileSync(new URL('../../games/breakthrough.json', import.meta.url), 'utf8').replace('"Breakthrough"', '"Mine"');
        const {room} = await client.done({type: 'create', definition});
        await takeSeat(client, room, 'all');
        await playByChance(client, room, 10, 1);
        const {room: fork} = await client.done({type: 'create', fork: {room, ply: 7}});
        await takeSeat(client, fork, 'all');
        const seen = await playByChance(client, fork, 15, 3);
        const text = await fetchRecord(fork);
        assert.equal(JSON.parse(text).definition, definition);
        const {status, steps} = replay(text);
        assert.equal(status, 0);
        assert.equal(steps.filter(({kind}) => kind === 'moved').length, 15);
        for (const {version, hash} of Object.values(seen)) assert.ok(steps.some(step => step.version === version && step.hash === hash));
        assert.equal((await post(text)).status, 201);
    });
});

describe('a game file that changes', () => {
    test('changes no room that is being played, nor its forks and files; new rooms play the new one', async () => {
        const games = join(folder, 'games');
        mkdirSync(games);
        const file = join(games, 'breakthrough.json');
        const before = readFileSync(new URL('../../games/breakthrough.json', import.meta.url), 'utf8');
        writeFileSync(file, before);
        const own = new Server(['--games', games, '--commands-per-second', '50000', '--commands-burst', '50000']);
        try {
            await own.start();
            let client = await Client.open(own, {record});
            const {token} = client;
            const {room} = await client.done({type: 'create', game: 'breakthrough'});
            await takeSeat(client, room, 'all');
            const seen = await playByChance(client, room, 8, 6);
            const text = await (await fetch(`${own.url}/api/v1/rooms/${room}/export`)).text();
            await own.stop();
            const changed = before.replace(/"title": *"[^"]*"/, '"title": "Another game"');
            assert.notEqual(changed, before);
            writeFileSync(file, changed);
            await own.start();
            client = await Client.open(own, {record, token});
            const {game} = await takeSeat(client, room, 'any');
            assert.notEqual(game.title, 'Another game');
            await expectSeen(client, room, seen, [0, 4, 8]);
            await playByChance(client, room, 12, 1);
            const {room: fork} = await client.done({type: 'create', fork: {room, ply: 5}});
            assert.equal((await takeSeat(client, fork, 'all')).game.title, game.title);
            const {room: fresh} = await client.done({type: 'create', game: 'breakthrough'});
            assert.equal((await takeSeat(client, fresh, 'all')).game.title, 'Another game');
            const answer = await fetch(`${own.url}/api/v1/rooms`, {method: 'POST', body: text});
            assert.equal(answer.status, 201);
            const {room: there} = await answer.json();
            assert.equal((await takeSeat(client, there, 'all')).game.title, game.title);
            assert.equal(own.sql('SELECT count(*) FROM definition'), '2', 'each text once');
        } finally {
            await own.remove();
        }
    });
});

describe('PGN', () => {
    test('castling, en passant, promotion, check and mate are written as chess.js reads them', async () => {
        const table = await setTable(server, {record});
        await playMoves(table, everything);
        const pgn = await pgnOf(table.room);
        const judge = new Chess();
        judge.loadPgn(pgn);
        for (const text of ['exd6', 'cxd8=Q+', 'O-O']) assert.ok(judge.history().includes(text), text);
        assert.equal(judge.history().at(-1), 'Nc7#');
        assert.ok(judge.isCheckmate());
        assert.match(pgn, /\{checkmate[^}]*\} 1-0\n$/);
        const tags = judge.getHeaders();
        assert.deepEqual([tags.White, tags.Black, tags.Result, tags.Round, tags.Termination], ['white', 'black', '1-0', '-', 'normal']);
        assert.match(tags.Date, /^20\d\d\.\d\d\.\d\d$/);
        assert.ok(!('Variant' in tags && tags.Variant) && !('FEN' in tags && tags.FEN));
        assert.ok(pgn.split('\n').every(line => line.length < 80));
        await table.end();

        const other = await setTable(server, {record});
        await playMoves(other, 'a2a4 b7b5 a4b5 a7a6 b5a6 c8b7 a6b7 d8c8 b7a8=knight c8b7 a8b6 b7b6 a1a8 b6c6');
        await other.white.done({type: 'action', room: other.room, kind: 'resign'});
        const text = await pgnOf(other.room);
        judge.loadPgn(text);
        assert.ok(judge.history().includes('bxa8=N'));
        assert.match(text, /\{resignation\} 0-1\n$/);
        const {room} = other;
        assert.match((await get(`/api/v1/rooms/${room}/pgn`)).headers.get('content-disposition'), new RegExp(`"${room}.pgn"`));
        await other.end();
    });

    test('a long game, one that goes on, and games of another start', async () => {
        const client = await Client.open(server, {record});
        for (const [game, plies] of [['chess', 200], ['racing-kings', 10], ['three-check', 10], ['horde', 10], ['makruk', 10]]) {
            const {room} = await client.done({type: 'create', game, visibility: 'private'});
            // chess.js cannot read what the standard says of quotes
            const [name, written] = game === 'chess' ? ['Zoë', 'Zoë'] : ['O "quoted" \\ name', 'O \\"quoted\\" \\\\ name'];
            await takeSeat(client, room, 'all', {name});
            await playByChance(client, room, plies, 4);
            const pgn = await pgnOf(room);
            assert.match(pgn, /\*\n$/);
            assert.ok(pgn.includes(`[White "${written}"]\n`), pgn);
            assert.match(pgn, /^\[Termination "unterminated"\]$/m);
            assert.ok(pgn.split('\n').every(line => line.length < 80 || line.startsWith('[')));
            assert.equal(/^\[Variant /m.test(pgn), game !== 'chess');
            assert.equal(/^\[SetUp "1"\]\n\[FEN "/m.test(pgn), !['chess', 'three-check'].includes(game), game);
            if (game !== 'chess') continue;
            const judge = new Chess();
            judge.loadPgn(pgn);
            assert.equal(judge.history().length, plies);
            const {state} = await stateAfter(client, room, plies);
            for (const row of judge.board().flat().filter(Boolean)) assert.equal(state.cells[row.square].player, row.color === 'w' ? 'white' : 'black');
        }
    });

    test('a game whose file declares no PGN has none, and says so', async () => {
        const client = await Client.open(server, {record});
        const {room} = await client.done({type: 'create', game: 'checkers'});
        const answer = await get(`/api/v1/rooms/${room}/pgn`);
        assert.equal(answer.status, 404);
        assert.match(await answer.text(), /does not say how its games are written in PGN/);
        for (const path of ['/api/v1/rooms/abcdefgh/pgn', '/api/v1/rooms/abcdefgh/export', '/api/v1/rooms/a/export', '/api/v1/rooms//export', `/api/v1/rooms/${room}/nothing`])
            assert.equal((await get(path)).status, 404, path);
        assert.equal((await fetch(`${server.url}/api/v1/rooms/${room}/export`, {method: 'POST', body: ''})).status, 405);
    });
});

// What a state is beside who sits there.
const board = ({seats, ...state}) => state;
const postPgn = (text, query) => fetch(`${server.url}/api/v1/rooms${query ?? ''}`, {method: 'POST', body: text, headers: {'content-type': 'application/vnd.chess-pgn'}});
const gameFile = game => new URL(`../../games/${game}.json`, import.meta.url).pathname;

function replayPgn(text, game) {
    const file = join(folder, 'game.pgn');
    writeFileSync(file, text);
    return spawnSync(program, ['replay', '--quiet', ...(game ? ['--game', gameFile(game)] : []), file], {encoding: 'utf8'});
}

describe('PGN brought in', () => {
    let client;
    before(async () => (client = await Client.open(server, {record})));

    async function bringIn(pgn, query) {
        const answer = await postPgn(pgn, query);
        assert.equal(answer.status, 201, await answer.clone().text());
        return (await answer.json()).room;
    }

    // The positions of a room after each ply, and how it ended.
    async function expectSame(there, here, plies) {
        for (let ply = 0; ply <= plies; ply++)
            assert.deepEqual(board((await stateAfter(client, there, ply)).state), board((await stateAfter(client, here, ply)).state), `ply ${ply}`);
        const sites = [await pgnOf(there), await pgnOf(here)].map(text => text.replace(/^\[Site ".*"\]$/m, ''));
        assert.equal(sites[0], sites[1]);
    }

    for (const game of ['chess', 'antichess', 'atomic', 'breakthrough', 'glinski', 'horde', 'makruk', 'racing-kings', 'raumschach', 'three-check'])
        test(`${game} comes back as it left: every position, how it ended, and the text`, async () => {
            const {room} = await client.done({type: 'create', game});
            await takeSeat(client, room, 'all', {name: 'Zoë "the rook" \\'});
            const seen = await playByChance(client, room, 60, 5);
            if (client.rooms.get(room).state.status === 'playing') await client.done({type: 'action', room, kind: 'resign'});
            const pgn = await pgnOf(room);
            const there = await bringIn(pgn);
            await expectSame(there, room, Object.keys(seen).length - 1);
            const [position] = /position [0-9a-f]{16}.*/.exec(replay(await fetchRecord(room)).end);
            assert.ok(replay(await fetchRecord(there)).end.endsWith(position));
            const replayed = replayPgn(pgn, game);
            assert.deepEqual([replayed.status, replayed.stderr], [0, '']);
            assert.ok(replayed.stdout.trim().endsWith(position), replayed.stdout);
        });

    test('a mate, a draw agreed on, and a draw claimed', async () => {
        for (const [moves, ...actions] of [
            [everything],
            ['e2e4 e7e5', 'draw.offer', 'draw.accept'],
            ['g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8', 'claim.result'],
            ['g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8', 'draw.offer', 'draw.accept'],
            ['e2e4', 'resign'],
        ]) {
            const table = await setTable(server, {record});
            const {room} = table;
            await playMoves(table, moves);
            for (const [index, kind] of actions.entries()) await (index % 2 ? table.black : table.white).done({type: 'action', room, kind});
            await expectSame(await bringIn(await pgnOf(room)), room, moves.split(' ').length);
            await table.end();
        }
    });

    test('a game that goes on waits for players, who play on', async () => {
        const room = await bringIn('[White "Ada"]\n\n1. e4 e5 2. Nf3 *', '?visibility=private');
        const {state, visibility} = await takeSeat(client, room, 'all');
        assert.deepEqual([state.ply, state.status, state.to_move, visibility], [3, 'playing', 'black', 'private']);
        await client.done({type: 'move', room, move: {from: 'b8', to: 'c6'}});
    });

    // Two games, told as people and programs tell them.
    const mate = 'e2e4 e7e5 f1c4 b8c6 d1h5 g8f6 h5f7';
    const castled = 'e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 e1g1 a7a6';
    const told = [
        ['without tags, without spaces, without signs', mate, '1.e4 e5 2.Bc4 Nc6 3.Qh5 Nf6 4.Qxf7'],
        ['without the sign of taking', mate, '1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qf7 1-0'],
        ['with comments, remarks, numbers and variations', mate,
            '[Event "?"]\n{a comment [%clk 0:03:00]} 1. e4! {(} $1 1... e5 (1... c5 2. Nf3 (2. Nc3 {)} d6) 2... d6 ; )\n) 2. Bc4 2... Nc6?! $6 $14 3. Qh5 ?! Nf6?? ; why 4. a4\n% 4. a4\n4. Qxf7# 1-0 {mate}\n'],
        ['with the ends of lines of another system, and a mark at the start', mate, '\ufeff[Event "x"]\r\n[Result "1-0"]\r\n\r\n1. e4 e5\r\n2. Bc4 Nc6\r\n3. Qh5 Nf6\r\n4. Qxf7#\r\n1-0\r\n\r\n'],
        ['by cells', mate, '1. e2e4 e7e5 2. f1c4 b8c6 3. d1h5 g8f6 4. h5f7 1-0'],
        ['castling with noughts, more said than needed', castled, '1. e4 e5 2. Ng1f3 Nb8c6 3. Bc4 Bc5 4. 0-0 a6 *'],
        ['a variant of the name some have for chess, and its start said', castled,
            '[Variant "Standard"]\n[SetUp "1"]\n[FEN "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"]\n1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O a6 *'],
    ];
    for (const [name, moves, pgn] of told)
        test(`told ${name}`, async () => {
            const room = await bringIn(pgn);
            const plies = moves.split(' ').length;
            const {moves: list} = await client.done({type: 'history', room, moves: true});
            assert.deepEqual(list.map(({move: {from, to}}) => from + to).join(' '), moves);
            const {state} = await stateAfter(client, room, plies);
            if (moves === mate) assert.deepEqual(state.result, {winner: 'white', reason: 'checkmate'});
            assert.equal(replayPgn(pgn, 'chess').status, 0);
        });

    test('names and the date are those of the tags, in either encoding, cut where they are too long', async () => {
        const latin = Buffer.from('[White "Andr\u00e9 \u0007Philidor"]\n[Black "' + 'x'.repeat(39) + '\u00e9yyy"]\n[Date "1999.12.31"]\n\n1. f3 e5 2. g4 Qh4# 0-1', 'latin1');
        const room = await bringIn(latin);
        const {events} = JSON.parse(await fetchRecord(room));
        const names = events.filter(({kind}) => kind === 'joined').map(({body}) => body.name);
        assert.deepEqual(names, ['André Philidor', 'x'.repeat(39)]);
        assert.equal(new Date(events[0].at).toISOString(), '1999-12-31T00:00:00.000Z');
        const pgn = await pgnOf(room);
        assert.match(pgn, /^\[Date "1999.12.31"\]$/m);
        const old = await bringIn('[Date "1851.06.21"]\n1. f3 e5 2. g4 Qh4# 0-1');
        assert.match(await pgnOf(old), /^\[White "\?"\]$/m);
        assert.match(await pgnOf(old), /^\[Date "\?\?\?\?\.\?\?\.\?\?"\]$/m);
    });

    test('a game nobody has begun is one, too, and a text may begin with a comment', async () => {
        for (const [pgn, plies] of [['*', 0], ['[White "Ada"]\n\n*', 0], ['% a line of some program\n1. e4 *', 1], ['; a comment\n1. e4 *', 1]]) {
            const room = await bringIn(pgn);
            assert.equal((await client.done({type: 'history', room, moves: true})).plies, plies, pgn);
            assert.match(await pgnOf(room), plies === 0 ? /^\*$/m : /^1\. e4 \*$/m);
        }
    });

    test('a game that is not over leaves as it came, as PGN and as a file, again and again', async () => {
        const first = await bringIn('1. e4 e5 2. Nf3 *');
        let room = first;
        for (let again = 0; again < 3; again++) {
            assert.match(await pgnOf(room), /^1\. e4 e5 2\. Nf3 \*$/m);
            const answer = await fetch(`${server.url}/api/v1/rooms`, {method: 'POST', body: await fetchRecord(room)});
            assert.equal(answer.status, 201, await answer.clone().text());
            room = (await answer.json()).room;
            assert.equal(replay(await fetchRecord(room)).status, 0);
        }
        await expectSame(room, first, 3);
    });

    const wrong = [
        ['a move that cannot be', '[Event "x"]\n\n1. e4 e5 2. Nf9', /^line 3, column 13: `Nf9` means no legal move here, where white is to move \(for example \S+, \S+, \S+\)$/m],
        ['a move that may be two', '1. Nf3 d5 2. d4 Nc6 3. Nd2', /^line 1, column 24: `Nd2` may mean more than one move, where white is to move/m],
        ['a move after the mate', '1. f3 e5 2. g4 Qh4# 3. a3', /line 1, column 24: by the rules the game is over before this move: checkmate/],
        ['a result that is not the rules\'', '1. f3 e5 2. g4 Qh4# 1-0', /line 1, column 21: by the rules this game ends 0-1: checkmate/],
        ['a comment without an end', '1. e4 {', /line 1, column 7: this comment has no \} at its end/],
        ['a variation without an end', `1. e4 ${'('.repeat(100000)}`, /line 1, column 7: this variation has no \) at its end/],
        ['a bracket too many', '1. e4 )', /line 1, column 7: there is a `\)` that belongs to nothing/],
        ['a tag without a value', '[Event]\n1. e4', /line 1, column 1: the tag Event has no value in quotes/],
        ['a tag without an end', '[Event "x"\n1. e4', /line 1, column 1: the tag Event has no \] at its end/],
        ['a tag of two lines', '[Event "x\ny"]', /line 1, column 1: the tag Event has no value in quotes/],
        ['a tag that is too long', `[Event "${'x'.repeat(2000)}"]`, /at most 1023 bytes/],
        ['a word that is too long', `1. ${'e'.repeat(2000)}`, /line 1, column 4: this word is longer than 1023 bytes/],
        ['two games', '1. e4 e5 *\n\n[Event "second"]\n1. d4 *', /line 3, column 1: here begins another game, and one is brought in at a time/],
        ['a game without a result before the next', '1. e4\n[Event "x"]', /line 2, column 1: the moves before this tag have no result/],
        ['another start', '[SetUp "1"]\n[FEN "8/8/8/8/8/8/8/K1k5 w - - 0 1"]\n*', /line 2, column 1: this game begins in a position of its own/],
        ['a start that is none', '[FEN "\u0001"]\n*', /line 1, column 1: this game begins in a position of its own/],
        ['a zero byte, wherever it stands', '[Event "x"]\n\n1. e4 {a \0} e5 *', /line 3, column 10: there is a zero byte, so this is no text/],
        ['a move of no characters a terminal shows', '1. \u0001\u001b[31m', /line 1, column 6/],
    ];
    for (const [name, text, words] of wrong)
        test(`${name} is refused where it stands, and replay says the same`, async () => {
            const answer = await postPgn(text);
            const said = await answer.text();
            assert.equal(answer.status, 400, said);
            assert.match(said, words);
            assert.match(said, /^[\x20-\x7e\n]*$/);
            const {status, stderr} = replayPgn(text, 'chess');
            assert.equal(status, 1);
            assert.match(stderr.replace(/^[^:]*: /, ''), words);
        });

    test('a variant that no game here is, and a game that is not written so', async () => {
        const answer = await postPgn('[Variant "Bughouse"]\n1. e4 *');
        assert.equal(answer.status, 400);
        assert.match(await answer.text(), /^no game of this server is written in PGN as `Bughouse`$/m);
        assert.match(replayPgn('1. e4 *', 'checkers').stderr, /does not say how its games are written in PGN/);
        assert.match(replayPgn('1. e4 *').stderr, /this is PGN: name its game's file with --game/);
    });

    test('a game longer than any is refused, and what is long and well is taken', async () => {
        const there = ['Nf3 Nf6', 'Ng1 Ng8'];
        const long = Array.from({length: 30000}, (_, i) => there[i % 2]).join(' ');
        const answer = await postPgn(`1. ${long} *`);
        assert.equal(answer.status, 400);
        assert.match(await answer.text(), /by the rules the game is over before this move: fivefold repetition/);
        await bringIn(`1. e4 {${'x'.repeat(900000)}} e5 *`);
    });
});

describe('damaged files', () => {
    let good;
    before(async () => {
        const table = await setTable(server, {record});
        await playMoves(table, everything);
        good = JSON.parse(await fetchRecord(table.room));
        await table.end();
    });
    const changed = change => {
        const copy = structuredClone(good);
        return JSON.stringify(change(copy) ?? copy);
    };
    const moved = (copy, index) => copy.events.filter(({kind}) => kind === 'moved')[index];

    const cases = [
        ['nothing', () => '', /this is not JSON/],
        ['half of it', () => JSON.stringify(good).slice(0, 5000), /this is not JSON: line \d+, column \d+/],
        ['a list', () => '[]', /not an exported game: it is not an object/],
        ['something else', () => '{"a":1}', /there is no "senet_export"/],
        ['another format', () => changed(copy => (copy.senet_export = 2, copy)), /in format 2; here it is 1/],
        ['deep nesting', () => `{"senet_export":1,"x":${'['.repeat(100000)}`, /nested deeper/],
        ['a member named twice', () => JSON.stringify(good).replace('{', '{"senet_export":1,'), /this is not JSON/],
        ['no definition', () => changed(copy => (delete copy.definition, copy)), /no definition/],
        ['another definition', () => changed(copy => (copy.definition += ' ', copy)), /the definition is not the one that was played: its hash is [0-9a-f]{64}/],
        ['a definition that is none', () => changed(copy => {
            copy.definition = '{"format":2}';
            copy.definition_hash = createHash('sha256').update(copy.definition).digest('hex');
        }), /the definition does not load: /],
        ['for nine players', () => changed(copy => (copy.players = 9, copy)), /players must be from 1 to 8/],
        ['for three', () => changed(copy => (copy.players = 3, copy)), /the definition does not load/],
        ['no events', () => changed(copy => (copy.events = [], copy)), /there are no events/],
        ['too many events', () => `{"senet_export":1,"definition":"","definition_hash":"","events":[${'0,'.repeat(50000)}0]}`, /there are 50001 events; 50000 are the most/],
        ['a missing event', () => changed(copy => (copy.events.splice(7, 1), copy)), /event 8 is missing/],
        ['events in another order', () => changed(copy => (copy.events.reverse(), copy)), /event 1 is missing/],
        ['no first event', () => changed(copy => {
            copy.events.shift();
            copy.events.forEach((event, index) => (event.version = index + 1));
        }), /event 1: a room's first event is that it was created/],
        ['created twice', () => changed(copy => (copy.events[1] = {...copy.events[0], version: 2}, copy)), /event 2: a room is created once/],
        ['an unknown event', () => changed(copy => (copy.events[4].kind = 'danced', copy)), /event 5 is not one of those there are/],
        ['an event without a body', () => changed(copy => (delete copy.events[4].body, copy)), /event 5 is not one of those there are/],
        ['a time before time', () => changed(copy => (copy.events[4].at = -1, copy)), /event 5: "at"/],
        ['an illegal move', () => changed(copy => (moved(copy, 2).body.move.to = 'e8', copy)), /event 6 \(moved e4 e8\): this move is not legal: ./],
        ['a move to nowhere', () => changed(copy => (moved(copy, 2).body.move.to = 'z9', copy)), /event 6 \(moved e4 z9\): this move is not legal: the game has no such cell/],
        ['a move of somebody else', () => changed(copy => (moved(copy, 2).body.seat = 'black', copy)), /event 6 \(moved\) cannot follow: the game is going on, and somebody else is to move/],
        ['a move after the end', () => changed(copy => (copy.events.push({...structuredClone(copy.events.at(-1)), version: copy.events.length + 1}), copy)), /event 25 \(moved\) cannot follow: the game is over/],
        ['a seat taken twice', () => changed(copy => {
            copy.events.splice(2, 0, structuredClone(copy.events[1]));
            copy.events.forEach((event, index) => (event.version = index + 1));
        }), /event 3 \(joined\) cannot follow: the room waits for players/],
        ['a name that is no name', () => changed(copy => (copy.events[1].body.name = 'x'.repeat(41), copy)), /event 2 \(joined\): a name or a text is too long, or cannot be shown/],
        ['chat from a seat without end', () => changed(copy => {
            copy.events.splice(2, 0, {version: 3, at: 1, kind: 'chat', body: {player: 'p_x', name: 'x', text: 'x', seat: 'x'.repeat(1000)}});
            copy.events.forEach((event, index) => (event.version = index + 1));
        }), /event 3 \(chat\): a name or a text is too long/],
        ['a name with a bell', () => changed(copy => (copy.events[1].body.name = '\u0007', copy)), /event 2 \(joined\): a name or a text/],
        ['a log in a log', () => changed(copy => (copy.events[0].body.log = [structuredClone(copy.events[0])], copy)), /event 1: a log within a log/],
    ];
    for (const [name, damage, words] of cases)
        test(`${name} is refused in words, and replay says the same`, async () => {
            const text = damage();
            const answer = await post(text);
            assert.equal(answer.status, 400);
            assert.match(await answer.text(), words);
            if (text.length > 1 << 20) return;
            const {status, stderr} = replay(text, 'damaged');
            assert.equal(status, 1);
            assert.match(stderr, words);
        });

    test('what is too large is refused before it is read', async () => {
        assert.equal((await post(' '.repeat((1 << 20) + 1))).status, 413);
    });

    test('a whole file is still taken, many at once, and each is a room of its own', async () => {
        const text = JSON.stringify(good);
        const answers = await Promise.all(Array.from({length: 20}, () => post(text)));
        assert.deepEqual([...new Set(answers.map(({status}) => status))], [201]);
        const rooms = new Set(await Promise.all(answers.map(async answer => (await answer.json()).room)));
        assert.equal(rooms.size, 20);
        const client = await Client.open(server, {record});
        for (const room of rooms) assert.equal((await stateAfter(client, room, 21)).state.status, 'finished');
    });
});

test('senet replay has a usage, and refuses what is no file', () => {
    assert.match(execFileSync(program, ['replay', '--help'], {encoding: 'utf8'}), /usage: senet replay/);
    assert.equal(spawnSync(program, ['replay']).status, 2);
    assert.equal(spawnSync(program, ['replay', join(folder, 'absent')]).status, 1);
});
