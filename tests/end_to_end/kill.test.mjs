// The promise a move's acknowledgement makes: it is on disk. The real program, under load from real sockets, is killed
// with SIGKILL at random, again and again; the clients' own logs are the judges of what the server remembers. Every second table has
// clocks: no move is said to have taken more than the server was there for its players, and no flag falls for an outage.
//
// On SQLite, and on PostgreSQL where there is one (SENET_TEST_POSTGRES is its URL, as tests/run sets it).
// SENET_KILLS says how often (20 here; tests/bench/kills is the same for longer).
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {mkdtempSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import test from 'node:test';
import {Server} from '../support/server.mjs';
import {expectWholeLog, killAgainAndAgain, playGoesOn} from '../support/kills.mjs';
import {random, seed, sitDown} from '../support/load.mjs';

const kills = Number(process.env.SENET_KILLS ?? 20);
const roomCount = Number(process.env.SENET_KILL_ROOMS ?? 12);

const wait = ms => new Promise(resolve => setTimeout(resolve, ms));

async function killOften(t, server) {
    t.diagnostic(`seed ${seed}`);
    const {moves, timed, waits} = await killAgainAndAgain(server, {kills, rooms: roomCount});
    t.diagnostic(`${moves} moves acknowledged, ${timed} times it was judged what a move took, slowest first acknowledgement after a kill ${Math.max(...waits)} ms`);
    assert.ok(moves > kills * 10, 'there was load');
}

const postgres = process.env.SENET_TEST_POSTGRES;
const noPostgres = postgres ? false : 'SENET_TEST_POSTGRES names no PostgreSQL';
const what = `${kills} times kill -9 under load: nothing acknowledged is lost, doubled or out of order`;

test(`SQLite: ${what}`, {timeout: 60000 + kills * 30000}, t => killOften(t, new Server()));

test(`PostgreSQL: ${what}`, {timeout: 60000 + kills * 30000, skip: noPostgres}, t => killOften(t, new Server([], {postgres})));

test('PostgreSQL itself dies under load and comes back: the same promise', {timeout: 300000, skip: noPostgres}, async t => {
    const folder = mkdtempSync(join(tmpdir(), 'senet-postgres-'));
    const control = (...words) => execFileSync('tests/support/postgres', words).toString().trim();
    let server = null, tables = [], slowest = 0;
    try {
        server = new Server([], {postgres: control('start', folder)});
        await server.start();
        // A database that is away for longer than a batch waits for it is told to players, who try again.
        tables = await sitDown(server, roomCount, {patient: true});
        for (let death = 0; death < Math.max(3, kills / 5); death++) {
            await wait(200 + random(500));
            control('stop', folder, death % 2 ? 'fast' : 'immediate');
            await wait(random(1500));
            control('start', folder);
            const up = Date.now();
            slowest = Math.max(slowest, await playGoesOn(tables, {since: up, up, within: 20000}));
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
