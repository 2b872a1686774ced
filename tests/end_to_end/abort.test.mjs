// A game that has hardly begun is aborted: who may and until when, what everybody is told, and what is left of it as a file.
import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import test, {after, before} from 'node:test';
import {Client} from '../support/client.mjs';
import {program, Server} from '../support/server.mjs';
import {playMoves, setTable, takeSeat} from '../support/table.mjs';

const record = 'abort';
const server = new Server();
const folder = mkdtempSync(join(tmpdir(), 'senet-abort-'));
before(() => server.start());
after(async () => {
    rmSync(folder, {recursive: true, force: true});
    await server.remove();
});

const abort = room => ({type: 'action', room, kind: 'abort'});
const aborted = {result: {aborted: true, reason: 'aborted by black'}, status: 'finished', to_move: null};
const get = async path => await (await fetch(`${server.url}/api/v1/rooms${path}`)).text();
const post = async body => await (await fetch(`${server.url}/api/v1/rooms`, {method: 'POST', body})).json();

// White has moved, and black has not.
async function abortedTable() {
    const table = await setTable(server, {watch: true, record});
    const {room, black} = table;
    await playMoves(table, 'e2e4');
    assert.deepEqual(await black.done({...abort(room), id: 'away'}), {type: 'ack', re: 'away', room, version: 5});
    return table;
}

test('until both have moved either player may, and everybody is told so', async () => {
    const {room, white, black, spectator, ...table} = await setTable(server, {watch: true, record});
    assert.equal((await white.done({type: 'sync', room})).may_abort, true);
    await spectator.refused(abort(room), 'not_seated');
    const again = await setTable(server, {record});
    await playMoves({room, white, black}, 'e2e4');
    assert.equal((await spectator.next({type: 'event', kind: 'moved'})).may_abort, true);
    await playMoves({room, white: black}, 'e7e5', ['white']);
    const {may_abort: may} = await spectator.next({type: 'event', kind: 'moved'});
    assert.equal(may, undefined);
    for (const client of [white, black]) await client.refused(abort(room), 'too_late', /too far/);
    await black.done({type: 'action', room, kind: 'resign'});
    await white.refused(abort(room), 'game_over');
    await table.end();
    await again.white.done(abort(again.room));
    await again.end();
});

test('an aborted game is over, nobody has won it, and a rematch may follow', async () => {
    const {room, white, black, spectator, ...table} = await abortedTable();
    const {seat, patch, may_abort: may} = await spectator.next({type: 'event', kind: 'aborted'});
    assert.deepEqual([seat, patch, may], ['black', aborted, undefined]);
    assert.equal((await black.done({...abort(room), id: 'away'})).version, 5, 'the same command');
    await white.refused({type: 'move', room, move: {from: 'd2', to: 'd4'}}, 'game_over');
    assert.ok(!(await get('')).includes(room), 'the lobby does not list it');
    await server.stop();
    await server.start();
    const back = await Client.open(server, {token: black.token, record});
    await back.done({type: 'resume', room, version: 0});
    assert.deepEqual((await back.next({type: 'snapshot'})).state.result, aborted.result);
    assert.equal((await back.done({...abort(room), id: 'away'})).version, 5, 'after a restart, too');
    const other = await Client.open(server, {token: white.token, record});
    await other.done({type: 'resume', room, version: 0});
    await back.done({type: 'action', room, kind: 'rematch.offer'});
    await other.done({type: 'action', room, kind: 'rematch.accept'});
    const {next_room: next} = await back.next({type: 'event', kind: 'rematch'});
    assert.equal((await takeSeat(back, next, 'any')).state.status, 'playing');
    await Promise.all([back.end(), other.end(), table.end().catch(() => {})]);
});

test('it leaves as a record and comes again as it was; as PGN it has no result', async () => {
    const {room, white, ...table} = await abortedTable();
    const text = await get(`/${room}/export`), pgn = await get(`/${room}/pgn`);
    const file = join(folder, 'game.senet.json');
    writeFileSync(file, text);
    const {stdout, status} = spawnSync(program, ['replay', file], {encoding: 'utf8'});
    assert.equal(status, 0);
    assert.match(stdout, /^5\taborted\tblack\t/m);
    assert.match(stdout, /^finished, 5 events, position [0-9a-f]{16}, aborted by black$/m);
    const {hash} = await white.done({type: 'sync', room});
    assert.ok(stdout.includes(`\t${hash}\n`), 'the hash that everybody saw');

    const {room: copy} = await post(text);
    const {state, seat} = await takeSeat(white, copy, 'spectator');
    assert.deepEqual([state.result, state.status, seat], [aborted.result, 'finished', 'spectator']);
    assert.equal((await get(`/${copy}/export`)).replace(copy, room), text);

    assert.match(pgn, /^\[Result "\*"\]$/m);
    assert.match(pgn, /^\[Termination "abandoned"\]$/m);
    assert.match(pgn, /\n1\. e4 \{aborted by black\} \*\n$/);
    const {room: open} = await post(pgn);
    const {state: waiting} = await takeSeat(white, open, 'all');
    assert.deepEqual([waiting.ply, waiting.status], [1, 'playing'], 'its moves may be gone on with');
    await table.end();
});

test("the server's own bot neither prevents it nor goes on after it", async () => {
    const client = await Client.open(server, {record});
    const {room} = await client.done({type: 'create', game: 'chess', visibility: 'private'});
    await takeSeat(client, room, 'black');
    await client.done({type: 'action', room, kind: 'bot.invite'});
    const {may_abort: may} = await client.next({type: 'event', kind: 'moved'});
    assert.equal(may, true);
    await client.done(abort(room));
    const {events} = await client.done({type: 'history', room, from: 1, to: 99});
    assert.deepEqual(events.map(({kind}) => kind).slice(-2), ['moved', 'aborted']);
    await client.end();
});
