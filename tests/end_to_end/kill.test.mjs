// The promise a move's acknowledgement makes: it is on disk. The real program, under load from real sockets, is killed
// with SIGKILL at random, again and again; the clients' own logs are the judges of what the server remembers.
//
// On SQLite, and on PostgreSQL where there is one (SENET_TEST_POSTGRES is its URL, as tests/run sets it).
// SENET_KILLS says how often (20 here, 200 in tests/bench/kills).
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {mkdtempSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import test from 'node:test';
import {Player} from '../support/player.mjs';
import {Server} from '../support/server.mjs';

const kills = Number(process.env.SENET_KILLS ?? 20);
const roomCount = Number(process.env.SENET_KILL_ROOMS ?? 12);
const seed = Number(process.env.SENET_SEED ?? Date.now() % 1e9);

let randomState = seed;
function random(bound) {
    randomState = (Math.imul(randomState, 1664525) + 1013904223) >>> 0;
    return Math.floor((randomState / 2 ** 32) * bound);
}

// Two players who move at random as fast as they are answered, and remember what they were told.
class Table {
    acknowledged = new Map(); // room → [{version, seat, move}]
    shown = new Map(); // room → Map(version → event)
    moves = 0;
    stopped = false;
    busy = new Set();

    constructor(server, number) {
        this.players = ['white', 'black'].map(
            seat => new Player(server, {name: `${seat} ${number}`, on: message => this.#on(seat, message), record: number === 0 && 'kill'}),
        );
        this.number = number;
    }

    player(seat) {
        return this.players[seat === 'white' ? 0 : 1];
    }

    async begin() {
        const [white, black] = this.players;
        const {room} = await white.call({type: 'create', game: ['chess', 'checkers', 'intellector'][this.number % 3]});
        this.room = room;
        this.acknowledged.set(room, []);
        this.shown.set(room, new Map());
        await white.join(room, 'white');
        await black.join(room, 'black');
    }

    #on(seat, message) {
        if (message.type === 'event') this.#remember(message);
        if (message.type !== 'event' && message.type !== 'snapshot') return;
        if (message.room !== this.room || this.stopped) return;
        const status = message.patch?.status ?? message.state?.status;
        if (status === 'finished' && seat === 'white') this.begin().catch(error => (this.failure ??= error));
        else if (message.legal_moves?.length > 0) this.#move(seat, message);
    }

    #remember(event) {
        const {patch, hash, legal_moves, type, room, ...facts} = event;
        const known = this.shown.get(room)?.get(event.version);
        if (known) assert.deepEqual(facts, known, 'an event that was shown once is shown alike for ever');
        else this.shown.get(room)?.set(event.version, facts);
    }

    // One move for each position, however often the position is shown.
    #move(seat, {room, version, legal_moves}) {
        const position = `${room}/${version}`;
        if (this.busy.has(position)) return;
        this.busy.add(position);
        const move = legal_moves[random(legal_moves.length)];
        this.player(seat)
            .call({type: 'move', room, move})
            .then(answer => {
                this.moves++;
                this.lastAcknowledged = Date.now();
                this.acknowledged.get(room).push({version: answer.version, seat, move});
            })
            .catch(error => (this.failure ??= error));
    }

    // Everything acknowledged is in the log, once, in order, and everything shown is there unchanged.
    async check() {
        if (this.failure) throw this.failure;
        for (const [room, moves] of this.acknowledged) {
            // What is acknowledged before the log is asked for must be in it; play goes on meanwhile.
            const acknowledged = [...moves], shown = [...this.shown.get(room)];
            const events = await this.players[0].history(room);
            events.forEach((event, index) => assert.equal(event.version, index + 1, 'versions have no gap'));
            for (const {version, seat, move} of acknowledged) {
                const event = events[version - 1];
                assert.ok(event, `room ${room}: acknowledged version ${version} is lost`);
                assert.equal(event.kind, 'moved');
                assert.equal(event.seat, seat);
                assert.deepEqual(event.move, move);
            }
            assert.equal(new Set(acknowledged.map(({version}) => version)).size, acknowledged.length);
            for (const [version, facts] of shown) assert.deepEqual(events[version - 1], facts);
            // What was played and checked long ago is not asked for at every kill.
            if (room !== this.room) this.acknowledged.delete(room), this.shown.delete(room);
        }
    }

    close() {
        this.stopped = true;
        for (const player of this.players) player.close();
    }
}

const wait = ms => new Promise(resolve => setTimeout(resolve, ms));

async function sitDown(server) {
    const tables = Array.from({length: roomCount}, (_, number) => new Table(server, number));
    for (const table of tables) {
        await Promise.all(table.players.map(player => player.connect()));
        await table.begin();
    }
    return tables;
}

// How long it took until somebody's move was acknowledged again.
async function playGoesOn(tables, within) {
    const up = Date.now();
    while (!tables.some(table => table.lastAcknowledged > up)) {
        for (const table of tables) if (table.failure) throw table.failure;
        assert.ok(Date.now() < up + within, `play goes on within ${within} ms`);
        await wait(5);
    }
    return Date.now() - up;
}

function expectWholeLog(server) {
    const doubled =
        "select count(*) from (select 1 from event where command <> '' group by room, client, command having count(*) > 1) as twice";
    assert.equal(server.sql(doubled), '0', 'no command made two events');
    if (!server.postgres) assert.equal(server.sql('pragma integrity_check'), 'ok');
}

async function killAgainAndAgain(t, server) {
    t.diagnostic(`seed ${seed}`);
    let tables = [], slowest = 0;
    try {
        await server.start();
        tables = await sitDown(server);
        for (let kill = 0; kill < kills; kill++) {
            await wait(100 + random(500));
            await server.stop('SIGKILL');
            await server.start();
            slowest = Math.max(slowest, await playGoesOn(tables, 10000));
            for (const table of tables) await table.check();
        }
        const moves = tables.reduce((sum, table) => sum + table.moves, 0);
        t.diagnostic(`${moves} moves acknowledged, slowest first acknowledgement after a restart ${slowest} ms`);
        assert.ok(moves > kills * 10, 'there was load');
        for (const table of tables) table.close();
        await server.stop();
        expectWholeLog(server);
    } finally {
        for (const table of tables) table.close();
        await server.remove();
    }
}

const postgres = process.env.SENET_TEST_POSTGRES;
const noPostgres = postgres ? false : 'SENET_TEST_POSTGRES names no PostgreSQL';
const what = `${kills} times kill -9 under load: nothing acknowledged is lost, doubled or out of order`;

test(`SQLite: ${what}`, {timeout: kills * 20000}, t => killAgainAndAgain(t, new Server()));

test(`PostgreSQL: ${what}`, {timeout: kills * 20000, skip: noPostgres}, t => killAgainAndAgain(t, new Server([], {postgres})));

test('PostgreSQL itself dies under load and comes back: the same promise', {timeout: 120000, skip: noPostgres}, async t => {
    const folder = mkdtempSync(join(tmpdir(), 'senet-postgres-'));
    const control = (...words) => execFileSync('tests/support/postgres', words).toString().trim();
    let server = null, tables = [], slowest = 0;
    try {
        server = new Server([], {postgres: control('start', folder)});
        await server.start();
        tables = await sitDown(server);
        for (let death = 0; death < Math.max(3, kills / 5); death++) {
            await wait(200 + random(500));
            control('stop', folder, death % 2 ? 'fast' : 'immediate');
            await wait(random(1500));
            control('start', folder);
            slowest = Math.max(slowest, await playGoesOn(tables, 20000));
            for (const table of tables) await table.check();
        }
        t.diagnostic(`slowest first acknowledgement after the database was back: ${slowest} ms`);
        for (const table of tables) table.close();
        assert.equal((await server.stop()).code, 0);
        expectWholeLog(server);
    } finally {
        for (const table of tables) table.close();
        await server?.remove().finally(() => control('remove', folder));
    }
});
