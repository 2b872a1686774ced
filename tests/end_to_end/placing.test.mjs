// Figures that are put on the board: moves without a start. On the wire, in history, records and after a kill; by our bots.
import assert from 'node:assert/strict';
import {spawn, spawnSync} from 'node:child_process';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import test, {after, before} from 'node:test';
import {Client} from '../support/client.mjs';
import {program, Server} from '../support/server.mjs';
import {sitAlone, takeSeat} from '../support/table.mjs';

const record = 'placing';
const server = new Server(['--bot-think-ms', '0', '--commands-per-second', '5000', '--commands-burst', '5000']);
const folder = mkdtempSync(join(tmpdir(), 'senet-placing-'));
before(() => server.start());
after(async () => {
    rmSync(folder, {recursive: true});
    await server.remove();
});

// Both kinds may be put on three cells by White, a knight by Black; pawns go to the right.
const kinds = JSON.stringify({
    format: 2, name: 'kinds', players: ['white', 'black'],
    cell: {coordinates_names: ['x'], name: "'abcdef'[x] + 1", geometry: [[0, 0], [1, 0], [1, 1]], position: {x: 'x', y: 0}},
    board: {cells: {box: {x: 6}}}, zones: {left: 'x < 3'},
    figures: {pawn: {movement: [{x: 1}]}, knight: {movement: []}},
    place: {white: [{put: ['pawn', 'knight'], in: 'left'}], black: [{put: 'knight', if: {target: {x: {min: 3}}}}]},
    turns: ['white', 'black'],
});

const alone = create => sitAlone(server, record, create);

test('a game of placements only: legal moves, texts, the last move, and how it ends', async () => {
    const {client, room, snapshot, play, state} = await alone({game: 'tic-tac-toe'});
    const cells = ['a1', 'a2', 'a3', 'b1', 'b2', 'b3', 'c1', 'c2', 'c3'];
    assert.deepEqual(snapshot.legal_moves, cells.map(to => ({to})));
    const first = await play({to: 'b2'});
    assert.deepEqual([first.move, first.text], [{to: 'b2'}, 'b2']);
    assert.deepEqual(first.legal_moves, cells.filter(to => to !== 'b2').map(to => ({to})));
    assert.deepEqual(state().last_move, {to: 'b2'});
    assert.deepEqual(state().cells, {b2: {figure: 'mark', player: 'cross', last_move: 0, moves_made: 0}});
    const again = await client.refused({type: 'move', room, move: {to: 'b2'}}, 'illegal_move');
    assert.deepEqual([again.explanation.verdict, again.explanation.words], ['blocked', 'b2 is not empty: the mark of cross stands there']);
    await client.refused({type: 'move', room, move: {to: 'd1'}}, 'illegal_move', /no cell "d1"/);
    await client.refused({type: 'move', room, move: {to: 'a1', choice: 'mark'}}, 'illegal_move');
    await client.refused({type: 'move', room, move: {from: 'b2', to: 'a1'}}, 'illegal_move');
    await client.refused({type: 'move', room, move: {pass: true}}, 'illegal_move');
    await play({to: {x: 0, y: 0}}); // a cell may be named by its coordinates
    for (const to of ['c2', 'a2']) await play({to});
    await play({to: 'a3'});
    await play({to: 'c1'});
    await play({to: 'b1'});
    const last = await play({to: 'b3'});
    assert.deepEqual([state().status, last.legal_moves], ['playing', [{to: 'c3'}]]);
    await play({to: 'c3'});
    assert.deepEqual(state().result, {draw: true, reason: 'the board is full'});
    const {moves} = await client.done({type: 'history', room, moves: true});
    assert.deepEqual(moves.slice(0, 2).map(({move, text}) => [move, text]), [[{to: 'b2'}, 'b2'], [{to: 'a1'}, 'a1']]);
    const past = await client.done({type: 'history', room, ply: 1});
    assert.deepEqual([past.state.last_move, past.hash], [{to: 'b2'}, first.hash]);
    await client.end();
});

test('beside moves of figures, with a choice where there are several kinds', async () => {
    const {client, room, snapshot, play, state} = await alone({definition: kinds});
    assert.deepEqual(snapshot.legal_moves, ['a1', 'b1', 'c1'].flatMap(to => ['pawn', 'knight'].map(choice => ({to, choice}))));
    const missing = await client.refused({type: 'move', room, move: {to: 'a1'}}, 'illegal_move');
    assert.deepEqual([missing.explanation.verdict, missing.explanation.words], ['choice', 'say what is put on a1']);
    const put = await play({to: 'a1', choice: 'pawn'});
    assert.deepEqual([put.move, put.text, state().last_move], [{to: 'a1', choice: 'pawn'}, 'pawn@a1', {to: 'a1', choice: 'pawn'}]);
    assert.deepEqual(put.legal_moves, [{to: 'd1'}, {to: 'e1'}, {to: 'f1'}]);
    const asked = await client.done({type: 'legal_moves', room, to: 'b1', explain: true});
    assert.deepEqual([asked.moves, asked.explanation.verdict], [[], 'blocked']);
    assert.equal(asked.explanation.pointers.at(-1), '/place/black/0');
    const allowed = await client.done({type: 'legal_moves', room, to: 'd1', explain: true});
    assert.deepEqual([allowed.moves, allowed.explanation.verdict], [[{to: 'd1'}], 'legal']);
    await play({to: 'd1'});
    const gone = await play({from: 'a1', to: 'b1'});
    assert.deepEqual([gone.text, state().last_move], ['a1-b1', {from: 'a1', to: 'b1'}], 'nothing is left of the placement before');
    await play({to: 'f1'});
    assert.deepEqual(state().last_move, {to: 'f1'}, 'nor of the move before');
    await client.end();
});

test('kill -9, record, fork and replay know placements', async () => {
    const {client, room, play, state} = await alone({definition: kinds});
    for (const move of [{to: 'a1', choice: 'pawn'}, {to: 'e1'}, {to: 'c1', choice: 'knight'}, {to: 'd1'}]) await play(move);
    const seen = structuredClone(state());
    const last = client.rooms.get(room).version;
    await server.stop('SIGKILL');
    await client.closed;
    await server.start();
    const back = await Client.open(server, {record, token: client.token});
    await back.done({type: 'resume', room, version: 0});
    const snapshot = await back.next({type: 'snapshot'});
    assert.deepEqual([snapshot.version, snapshot.state, snapshot.moves.at(-1).move], [last, seen, {to: 'd1'}]);
    const text = await (await fetch(`${server.url}/api/v1/rooms/${room}/export`)).text();
    assert.deepEqual(JSON.parse(text).events.filter(({kind}) => kind === 'moved').map(({body}) => body.move),
        [{to: 'a1', choice: 'pawn'}, {to: 'e1'}, {to: 'c1', choice: 'knight'}, {to: 'd1'}]);
    const file = join(folder, 'game.senet.json');
    writeFileSync(file, text);
    const {status, stdout, stderr} = spawnSync(program, ['replay', file], {encoding: 'utf8'});
    assert.deepEqual([status, stderr], [0, '']);
    assert.match(stdout, /\ta1=pawn\t/);
    writeFileSync(file, text.replace('"to":"e1"', '"to":"b1"'));
    const wrong = spawnSync(program, ['replay', file], {encoding: 'utf8'});
    assert.notEqual(wrong.status, 0);
    assert.match(wrong.stdout + wrong.stderr, /moved {1,2}b1\): this move is not legal: /);
    const answer = await fetch(`${server.url}/api/v1/rooms`, {method: 'POST', body: text});
    assert.equal(answer.status, 201, await answer.clone().text());
    const imported = await takeSeat(back, (await answer.json()).room, 'all');
    assert.deepEqual(imported.state.cells, seen.cells);
    const {room: fork} = await back.done({type: 'create', fork: {room, ply: 3}});
    const forked = await takeSeat(back, fork, 'all');
    assert.deepEqual([forked.state.last_move, forked.legal_moves], [{to: 'c1', choice: 'knight'}, [{to: 'd1'}, {to: 'f1'}]]);
    await back.end();
});

test('the house bot and `senet bot` put figures on the board', async () => {
    const watcher = await Client.open(server, {record});
    const {room} = await watcher.done({type: 'create', game: 'tic-tac-toe'});
    await watcher.done({type: 'join', room, seat: 'spectator', name: 'watcher'});
    const bots = ['cross', 'nought'].map(seat => spawn(program, ['bot', server.url, '--room', room, '--seat', seat, '--seed', '7'], {stdio: 'ignore'}));
    try {
        for (let event = {patch: {}}; event.patch?.status !== 'finished';) event = await watcher.next({type: 'event'});
        const state = watcher.rooms.get(room).state;
        assert.ok(state.ply >= 5 && state.result, JSON.stringify(state));
        assert.deepEqual(Object.keys(state.last_move), ['to']);
    } finally {
        for (const bot of bots) bot.kill('SIGKILL');
    }
    const host = await Client.open(server, {record});
    const {room: other} = await host.done({type: 'create', game: 'tic-tac-toe'});
    await takeSeat(host, other, 'cross');
    await host.done({type: 'action', room: other, kind: 'bot.invite'});
    await host.settle();
    await host.done({type: 'move', room: other, move: {to: 'b2'}});
    let answered;
    do answered = await host.next({type: 'event', kind: 'moved'});
    while (answered.seat !== 'nought');
    assert.deepEqual(Object.keys(answered.move), ['to']);
    await host.end();
    await watcher.end();
});
