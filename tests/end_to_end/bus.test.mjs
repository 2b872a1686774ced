// Servers of one PostgreSQL hear of each other through NATS; and whatever becomes of NATS, nobody who plays notices.
//
// SENET_TEST_POSTGRES is the database's URL, as tests/run sets it.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import test from 'node:test';
import {Client} from '../support/client.mjs';
import {Server} from '../support/server.mjs';
import {playMoves, setTable} from '../support/table.mjs';

const postgres = process.env.SENET_TEST_POSTGRES;
const WITHIN_MS = 60000; // against hanging; nothing is measured by it

const nats = (...words) => execFileSync('tests/support/nats', words).toString().trim();

async function until(condition, words) {
    for (const end = Date.now() + WITHIN_MS; !(await condition()); await new Promise(resolve => setTimeout(resolve, 20)))
        assert.ok(Date.now() < end, `not in ${WITHIN_MS} ms: ${words}`);
}

async function figure(server, name) {
    const text = await (await fetch(`${server.url}/metrics`)).text();
    return Number(new RegExp(`^senet_${name} (\\d+)$`, 'm').exec(text)[1]);
}

const see = (servers, name, value) => until(async () => (await Promise.all(servers.map(server => figure(server, name)))).every(seen => seen === value), `${name} is ${value}`);

// Three servers of one database that hear each other; `folder` is their NATS's.
async function withServers(work) {
    const folder = join(mkdtempSync(join(tmpdir(), 'senet-nats-')), 'nats');
    const servers = [];
    try {
        const url = nats('start', folder);
        for (let i = 0; i < 3; i++) {
            servers.push(new Server(['--bus', url], i === 0 ? {postgres} : {beside: servers[0]}));
            await servers[i].start();
        }
        await see(servers, 'bus_up', 1);
        await see(servers, 'bus_nodes', 2);
        await work(servers, folder);
    } finally {
        nats('remove', folder);
        for (const server of servers.reverse()) await server.remove();
        rmSync(join(folder, '..'), {recursive: true, force: true});
    }
}

test('servers hear of each other, and NATS may come and go', {skip: !postgres && 'no PostgreSQL'}, async () => {
    await withServers(async (servers, folder) => {
        const table = await setTable(servers[0], {});
        nats('signal', folder, 'KILL');
        await playMoves(table, 'e2e4 e7e5');
        await see(servers, 'bus_up', 0);
        await playMoves(table, 'g1f3 b8c6');
        await see(servers, 'bus_nodes', 0);
        nats('start', folder);
        await see(servers, 'bus_up', 1);
        await see(servers, 'bus_nodes', 2);

        nats('signal', folder, 'STOP');
        await playMoves(table, 'f1c4 f8c5');
        await see(servers, 'bus_up', 0);
        await playMoves(table, 'c2c3 g8f6');
        nats('signal', folder, 'CONT');
        await see(servers, 'bus_nodes', 2);

        // Who leaves says so: the others need not wait until he is forgotten.
        const left = servers.pop();
        assert.deepEqual(await left.stop(), {code: 0, signal: null});
        await left.remove();
        await see(servers, 'bus_nodes', 1);
        for (const server of servers) assert.equal(await figure(server, 'bus_malformed_total'), 0);
        await Promise.all(table.clients.map(client => client.end()));
    });
});

test('players and a watcher at three servers see each move, with NATS, without it, and with it again', {skip: !postgres && 'no PostgreSQL'}, async t => {
    await withServers(async (servers, folder) => {
        const [white, black, eve] = await Promise.all(servers.map(server => Client.open(server)));
        const {room} = await white.done({type: 'create', game: 'chess'});
        const made = performance.now();
        await until(async () => (await (await fetch(`${servers[2].url}/api/v1/rooms`)).json()).rooms.some(other => other.room === room), 'it is listed at another server');
        t.diagnostic(`a new room is listed at another server ${Math.round(performance.now() - made)} ms later`);
        await white.done({type: 'join', room, seat: 'white'});
        await black.done({type: 'join', room, seat: 'black'});
        await eve.done({type: 'join', room, seat: 'spectator'});
        let mover = white, other = black, version = 3;
        const play = async moves => {
            for (const move of moves.split(' ')) {
                const event = {type: 'event', room, kind: 'moved', version: ++version};
                await mover.done({type: 'move', room, move: {from: move.slice(0, 2), to: move.slice(2)}});
                const seen = await Promise.all([other.next(event), eve.next(event)]);
                assert.deepEqual(seen.map(({hash}) => hash), [seen[0].hash, seen[0].hash]);
                [mover, other] = [other, mover];
            }
        };
        await play('e2e4 e7e5 g1f3 b8c6');
        assert.ok((await figure(servers[2], 'followed_events_total')) >= 4);
        nats('signal', folder, 'KILL');
        await see(servers, 'bus_up', 0);
        await play('f1c4 f8c5');
        nats('start', folder);
        await see(servers, 'bus_up', 1);
        await play('c2c3 g8f6');
        // Who comes from another device, to another server, is who plays; and all know who is there.
        const device = await Client.open(servers[1], {token: white.token});
        await device.done({type: 'join', room, seat: 'any'});
        assert.equal((await white.closed).code, 4009);
        await eve.next(({type, connected, spectators}) => type === 'presence' && connected?.length === 2 && spectators === 1);
        await device.end();
        // A player's server is killed under him: he goes on at the watcher's.
        await servers[0].stop('SIGKILL');
        const again = await Client.open(servers[2], {token: white.token});
        await again.done({type: 'join', room, seat: 'any'});
        mover = again;
        await play('d2d3 d7d6');
        for (const client of [black, eve, again]) await client.end();
    });
});

// A game with clocks of two at servers of their own, in which each has made a move and it is White's turn: since when, at the earliest.
async function clockedGame([white, black], initialMs) {
    const {room} = await white.done({type: 'create', game: 'chess', clock: {initial_ms: initialMs}});
    await white.done({type: 'join', room, seat: 'white'});
    await black.done({type: 'join', room, seat: 'black'});
    await white.done({type: 'move', room, move: {from: 'e2', to: 'e4'}});
    await black.next({type: 'event', room, kind: 'moved', version: 4});
    const began = performance.now();
    await black.done({type: 'move', room, move: {from: 'e7', to: 'e5'}});
    await white.next({type: 'event', room, kind: 'moved', version: 5});
    return {room, began, token: white.token};
}

// What White's move is said to have taken, and what has passed since the turn began.
async function whiteMoves(server, {room, began, token}) {
    const client = await Client.open(server, {token});
    await client.done({type: 'join', room, seat: 'any'});
    const {turn_ms: shown} = await client.next({type: 'presence', room});
    await client.done({type: 'move', room, move: {from: 'g1', to: 'f3'}});
    const {spent_ms: spent = 0} = await client.next({type: 'event', room, kind: 'moved', version: 6}); // a time of 0 is not said
    const passed = performance.now() - began;
    await client.end();
    return {shown, spent, passed};
}

const AWAY_MS = 6000; // and half of it has to be given back, however slow the machine is

test('clocks stand while players of a server that was killed, or ended, come back to another one', {skip: !postgres && 'no PostgreSQL'}, async t => {
    await withServers(async servers => {
        const open = places => Promise.all(places.map(place => Client.open(servers[place])));
        const away = () => new Promise(resolve => setTimeout(resolve, AWAY_MS));
        const known = await clockedGame(await open([0, 1]), 600000); // a server that goes on follows the room,
        const unknown = await clockedGame(await open([0, 0]), 600000); // none has it in memory,
        const short = await clockedGame(await open([0, 1]), AWAY_MS / 2); // and it would be lost meanwhile
        await servers[0].stop('SIGKILL');
        await away();
        const ended = await clockedGame(await open([1, 2]), 600000);
        for (const [what, game, place] of [['known', known, 1], ['unknown', unknown, 2], ['short', short, 2]]) {
            const {shown, spent, passed} = await whiteMoves(servers[place], game);
            t.diagnostic(`${what}: ${Math.round(passed)} ms have passed, ${spent} were counted`);
            for (const ms of [shown, spent]) assert.ok(ms <= passed - AWAY_MS / 2, `${what}: of ${passed} ms ${ms} are counted`);
        }
        await servers[1].stop();
        await away();
        const {spent, passed} = await whiteMoves(servers[2], ended);
        t.diagnostic(`ended: ${Math.round(passed)} ms have passed, ${spent} were counted`);
        assert.ok(spent <= passed - AWAY_MS / 2, `ended: of ${passed} ms ${spent} are counted`);
    });
});

test('two who look for somebody at different servers find each other', {skip: !postgres && 'no PostgreSQL'}, async t => {
    await withServers(async (servers, folder) => {
        const [ada, bob, eve] = await Promise.all(servers.map(server => Client.open(server)));
        const seek = {type: 'seek', game: 'chess', clock: {initial_ms: 300000}};
        const found = ada.done({...seek, seat: 'white', name: 'Ada'});
        await eve.done({type: 'lobby.subscribe'});
        await until(async () => (await eve.done({type: 'lobby.subscribe'})).seeks.some(({name}) => name === 'Ada'), 'who looks at one server is listed at another');
        const began = performance.now();
        const [{room}, {room: same}] = await Promise.all([found, bob.done({...seek, name: 'Bob'})]);
        t.diagnostic(`found ${Math.round(performance.now() - began)} ms after the second one looked`);
        assert.equal(same, room);
        await ada.done({type: 'join', room, seat: 'any'});
        await bob.done({type: 'join', room, seat: 'any'});
        await ada.done({type: 'move', room, move: {from: 'e2', to: 'e4'}});
        await bob.next({type: 'event', room, kind: 'moved', version: 2});
        await bob.done({type: 'move', room, move: {from: 'e7', to: 'e5'}});
        assert.equal(servers[0].sql('select count(*) from room'), '1');
        await until(async () => (await eve.done({type: 'lobby.subscribe'})).seeks.length === 0, 'nobody looks any more');
        for (const client of [ada, bob, eve]) await client.end();
    });
});

test('a server whose NATS is not there says so, and serves', async () => {
    const server = new Server(['--bus', 'nats://127.0.0.1:1']);
    try {
        await server.start();
        await until(() => server.lines.some(({fact}) => fact === 'bus_down'), 'the log says so');
        const table = await setTable(server, {});
        await playMoves(table, 'e2e4');
        assert.equal(await figure(server, 'bus_up'), 0);
        await Promise.all(table.clients.map(client => client.end()));
    } finally {
        await server.remove();
    }
});
