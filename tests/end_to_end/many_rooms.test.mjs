// Ten thousand rooms of two hundred plies lie in the database: a server starts as if there were none, answers as quickly,
// and has in memory only those that are played. What is asserted is work and memory, not time, which is printed.
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import test from 'node:test';
import {fillWithRooms, openSeats, roomOf} from '../support/many_rooms.mjs';
import {Server} from '../support/server.mjs';
import {takeSeat} from '../support/table.mjs';

const ROOMS = Number(process.env.SENET_MANY_ROOMS ?? 10000), PLIES = 200, LIVE = 100;
const ROOMS_OF_ONE_CONNECTION = 16;
const MEGABYTE = 1 << 20;

const fieldOf = (server, file, name) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${server.pid}/${file}`, 'utf8'))[1]);
const memoryOf = server => fieldOf(server, 'status', 'VmRSS') * 1024;
const megabytes = bytes => `${(bytes / MEGABYTE).toFixed(1)} MB`;
const roomsLive = async server => Number(/^senet_rooms_live (\d+)$/m.exec(await (await fetch(`${server.url}/metrics`)).text())[1]);

// What the database says it has read for others.
const rowsRead = server => Number(server.sql('SELECT coalesce(sum(seq_tup_read + coalesce(idx_tup_fetch, 0)), 0) FROM pg_stat_user_tables'));

// A short life: one move in a stored room, from the moment the program is started, and what that took. What was read is
// counted in bytes by the program itself, or in rows by PostgreSQL, which tells when its client has gone.
async function liveShortly(server, tokens, room) {
    const before = server.postgres ? rowsRead(server) : 0;
    const began = Date.now();
    await server.start();
    const listening = Date.now() - began;
    const clients = await openSeats(server, tokens);
    let mover;
    for (const client of clients) {
        client.snapshot = await takeSeat(client, room, 'any');
        if (client.snapshot.legal_moves?.length > 0) mover = client;
    }
    const {version} = await mover.done({type: 'move', room, move: mover.snapshot.legal_moves[0]});
    const first = Date.now() - began, memory = memoryOf(server);
    for (const client of clients) await client.end();
    const bytes = server.postgres ? 0 : fieldOf(server, 'io', 'rchar');
    await server.stop();
    return {listening, first, memory, version, work: server.postgres ? rowsRead(server) - before : bytes};
}

async function makeLive(server, tokens, first, count) {
    const connections = [];
    for (let made = 0; made < count; made += ROOMS_OF_ONE_CONNECTION) {
        const seats = await openSeats(server, tokens);
        connections.push(...seats);
        for (let number = made; number < Math.min(count, made + ROOMS_OF_ONE_CONNECTION); number++)
            for (const client of seats) {
                const room = roomOf(first + number);
                const {legal_moves} = await takeSeat(client, room, 'any');
                if (legal_moves?.length > 0) await client.done({type: 'move', room, move: legal_moves[0]});
            }
    }
    return connections;
}

async function manyRooms(t, server) {
    const tell = (what, {listening, first, work}) =>
        t.diagnostic(`${what}: listening after ${listening} ms, first acknowledgement after ${first} ms, read ${server.postgres ? `${work} rows` : megabytes(work)}`);
    await server.start();
    const empty = memoryOf(server);
    const tokens = await fillWithRooms(server, {rooms: ROOMS, plies: PLIES});
    assert.equal(Number(server.sql('select count(*) from event')) >= ROOMS * PLIES, true);

    // A scan of the log would read hundreds of megabytes, or millions of rows; a room is some 200 rows.
    const most = server.postgres ? 5000 : 20 * MEGABYTE;
    const peace = await liveShortly(server, tokens, roomOf(1));
    tell('after an end in peace', peace);
    assert.equal(peace.version, PLIES + 4); // created, two joined, the moves, and this one
    assert.ok(peace.work > 0 && peace.work < most, `${peace.work} read`);
    t.diagnostic(`resident: ${megabytes(empty)} with no rooms, ${megabytes(peace.memory)} with ${ROOMS} in the database`);
    assert.ok(peace.memory - empty < 24 * MEGABYTE, 'what is stored takes no memory');

    await server.start();
    const before = memoryOf(server);
    const connections = await makeLive(server, tokens, 2, LIVE);
    assert.ok((await roomsLive(server)) >= LIVE);
    const grown = memoryOf(server) - before;
    t.diagnostic(`${megabytes(before + grown)} with ${LIVE} of them live: ${(grown / LIVE / 1024).toFixed(0)} kB each, the database's own cache included`);
    assert.ok(grown < (LIVE * MEGABYTE) / 2, 'memory grows with live rooms only');
    await server.stop('SIGKILL');
    await Promise.all(connections.map(client => client.closed));

    // The rooms that were played when it was killed are looked at again: more, but as many as were live.
    const killed = await liveShortly(server, tokens, roomOf(1));
    tell('after kill -9', killed);
    assert.equal(killed.version, PLIES + 5);
    assert.ok(killed.work > 0 && killed.work < most + LIVE * (server.postgres ? 0 : MEGABYTE / 4), `${killed.work} read`);
}

for (const [name, postgres] of [['SQLite'], ['PostgreSQL', process.env.SENET_TEST_POSTGRES]]) {
    const skip = name === 'PostgreSQL' && !postgres && 'SENET_TEST_POSTGRES names no PostgreSQL';
    test(`${name}: with ${ROOMS} rooms of ${PLIES} plies in the database a server starts and plays as with none`, {skip, timeout: 300000}, async t => {
        const server = new Server(['--room-idle-ms', '60000'], {postgres});
        try {
            await manyRooms(t, server);
        } finally {
            await server.remove();
        }
    });
}
