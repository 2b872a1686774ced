// The disk is full while people play, and has room again: what is acknowledged is on disk, what is not is `unavailable`,
// and the server that was there before goes on by itself. The disk is a small file system in memory of the test's
// own, which only root may mount (`unshare -rm node --test …` makes one of anybody).
import assert from 'node:assert/strict';
import {execFileSync, spawnSync} from 'node:child_process';
import {closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import test from 'node:test';
import {check, expectNothingElse, expectWholeLog, playGoesOn} from '../support/kills.mjs';
import {seed, sitDown} from '../support/load.mjs';
import {Client} from '../support/client.mjs';
import {Server} from '../support/server.mjs';
import {setTable, takeSeat} from '../support/table.mjs';

// A disk holds many times what is played here and the 18 MiB that SQLite's log may grow to: it is full when it is made full.
// Where there are 64 MiB to spare the log's file is made longer ahead of time (server/store/sqlite_log.c), so what is
// full then still has room inside the log; on the small disk the log grows as it is written.
const SMALL_DISK = '64m', DISK = '192m', POSTGRES_DISK = '256m';
const FRAME_BYTES = 4096 + 24; // of SQLite's log: a page and its head, which is never all zeros
const TABLES = 8, WITHIN_MS = 60000;
const wait = ms => new Promise(resolve => setTimeout(resolve, ms));

class SmallDisk {
    folder = mkdtempSync(join(tmpdir(), 'senet-disk-'));
    #ballast = join(this.folder, 'ballast');

    // Words why there is none; undefined when it is there.
    mount(size) {
        const {status, stderr} = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=0755`, 'senet', this.folder], {encoding: 'utf8'});
        if (status !== 0) return `a disk of its own cannot be mounted (as root it can, or under unshare -rm): ${stderr?.trim()}`;
    }

    fill() {
        const file = openSync(this.#ballast, 'a');
        try {
            for (let size = 1 << 22; size > 0; ) {
                try {
                    if (writeSync(file, Buffer.alloc(size)) < size) size = size >> 4;
                } catch (error) {
                    assert.equal(error.code, 'ENOSPC');
                    size = size >> 4;
                }
            }
        } finally {
            closeSync(file);
        }
    }

    free() {
        rmSync(this.#ballast, {force: true});
    }

    remove() {
        spawnSync('umount', ['-l', this.folder]);
        rmSync(this.folder, {recursive: true, force: true});
    }
}

const sum = (tables, name) => tables.reduce((all, table) => all + table[name], 0);

// Until `true`; somebody's failure is the test's.
async function until(tables, isSo, words) {
    for (const end = Date.now() + WITHIN_MS; !(await isSo()); await wait(20)) {
        for (const table of tables) if (table.failure) throw table.failure;
        assert.ok(Date.now() < end, `${words} within ${WITHIN_MS} ms`);
    }
}

const isLengthened = log => log.length > FRAME_BYTES && log.subarray(-FRAME_BYTES).every(byte => byte === 0);

// Before the disk is full: is there more of the log than was written, or as much?
async function expectLog(t, server, tables, lengthened) {
    const read = () => readFileSync(`${server.database}-wal`);
    if (lengthened) await until(tables, () => isLengthened(read()), 'the log is lengthened');
    else assert.ok(!isLengthened(read()), 'the log is not lengthened');
    t.diagnostic(`the log has ${read().length} bytes${lengthened ? ', the last of which are not written yet' : ''}`);
}

const statusOf = async (server, path) => (await fetch(server.url + path)).status;

async function fillUntilRefused(server, disk, tables) {
    const before = sum(tables, 'unavailable');
    // What the database has set aside is written first; then nothing is.
    await until(tables, () => (disk.fill(), sum(tables, 'unavailable') >= before + TABLES), 'players are told `unavailable`');
    await until(tables, async () => (await statusOf(server, '/readyz')) === 503, 'the server says that it is not ready');
    assert.equal(await statusOf(server, '/healthz'), 200);
}

// `examine`: what is looked at while people play and the disk has room for the first time;
// `worsen`: what else happens to the database while the disk is full; `heal`: what its keeper does when there is room again.
async function fillAndFree(t, server, disk, {rounds, examine = () => {}, worsen = () => {}, heal = () => {}}) {
    t.diagnostic(`seed ${seed}`);
    let tables = [], slowest = 0;
    try {
        await server.start();
        const {pid} = server;
        tables = await sitDown(server, TABLES, {patient: true});
        for (let round = 0; round < rounds; round++) {
            await wait(300);
            if (round === 0) await examine(tables);
            await fillUntilRefused(server, disk, tables);
            await wait(500);
            await worsen(round);
            disk.free();
            heal();
            const since = Date.now();
            slowest = Math.max(slowest, await playGoesOn(tables, {since, up: since, within: WITHIN_MS}));
            await check(tables);
            await until(tables, async () => (await statusOf(server, '/readyz')) === 200, 'the server is ready');
        }
        assert.equal(server.pid, pid);
        await Promise.all(tables.map(table => table.rest()));
        await check(tables);
        t.diagnostic(`${sum(tables, 'moves')} moves acknowledged, ${sum(tables, 'unavailable')} times unavailable, first acknowledgement after the disk had room: ${slowest} ms`);
        for (const table of tables) table.close();
        assert.deepEqual(await server.stop(), {code: 0, signal: null});
        expectWholeLog(server);
        expectNothingElse(server, tables);
    } finally {
        for (const table of tables) table.close();
        disk.free();
    }
}

async function onDisk(t, size, play, flags = ['--disk-free-mib', '0']) {
    const disk = new SmallDisk();
    let server = null;
    try {
        const words = disk.mount(size);
        if (words) return t.skip(words);
        server = new Server(flags, {folder: disk.folder});
        await play(server, disk);
    } finally {
        disk.free();
        await server?.remove();
        disk.remove();
    }
}

// Killed on the full disk, and started again there.
async function killOnFullDisk(t, server, disk) {
    let tables = [];
    try {
        await server.start();
        tables = await sitDown(server, TABLES, {patient: true});
        await wait(300);
        await expectLog(t, server, tables, true);
        await fillUntilRefused(server, disk, tables);
        await server.stop('SIGKILL');
        disk.fill();
        // It may start, if it needs no more room than there is; otherwise it says what it needs.
        const started = await server.start().then(() => true, () => false);
        if (!started) assert.match(server.lines.at(-1).message, /full|I\/O error/);
        t.diagnostic(started ? 'started on the full disk' : server.lines.at(-1).message);
        disk.free();
        const since = Date.now();
        if (!started) await server.start();
        await playGoesOn(tables, {since, up: since, within: WITHIN_MS});
        await Promise.all(tables.map(table => table.rest()));
        await check(tables);
        for (const table of tables) table.close();
        assert.deepEqual(await server.stop(), {code: 0, signal: null});
        expectWholeLog(server);
        expectNothingElse(server, tables);
    } finally {
        for (const table of tables) table.close();
    }
}

test('SQLite: the disk is full while people play, three times, and the server goes on by itself', {timeout: 400000}, t =>
    onDisk(t, DISK, (server, disk) => fillAndFree(t, server, disk, {rounds: 3, examine: tables => expectLog(t, server, tables, true)})));

test('SQLite: so it does where the log is not lengthened', {timeout: 400000}, t =>
    onDisk(t, SMALL_DISK, (server, disk) => fillAndFree(t, server, disk, {rounds: 2, examine: tables => expectLog(t, server, tables, false)})));

test('SQLite: killed and started again on a full disk, nothing acknowledged is lost', {timeout: 400000}, t =>
    onDisk(t, DISK, (server, disk) => killOnFullDisk(t, server, disk)));

// Long before the disk is full nobody makes rooms any more, so that what is left is for games under way.
test('SQLite: on a disk with little left there are no new rooms, and games go on', {timeout: 300000}, t =>
    onDisk(
        t,
        DISK,
        async server => {
            await server.start();
            const table = await setTable(server);
            await server.stop();
            server.flags = [];
            await server.start();
            const client = await Client.open(server, {token: table.white.token});
            for (let answer; answer?.type !== 'error'; ) answer = await client.ask({type: 'create', game: 'chess'});
            const refused = await client.refused({type: 'create', game: 'chess'}, 'unavailable', /store is full: no new rooms/);
            assert.equal(refused.retry_ms, 10000);
            await takeSeat(client, table.room, 'any');
            await client.done({type: 'move', room: table.room, move: {from: 'e2', to: 'e4'}});
            await client.end();
        },
    ));

test('PostgreSQL: its disk is full while people play; when it is back, the server goes on by itself', {timeout: 600000}, async t => {
    if (!process.env.SENET_TEST_POSTGRES) return t.skip('SENET_TEST_POSTGRES names no PostgreSQL, so there may be none to start');
    const disk = new SmallDisk();
    // Small segments, so that the log of PostgreSQL itself meets the end of the disk, and not only its tables.
    const control = (...words) =>
        execFileSync('tests/support/postgres', words, {env: {...process.env, SENET_POSTGRES_INITDB: '--wal-segsize=1'}}).toString().trim();
    const folder = join(disk.folder, 'postgres');
    let server = null;
    // The second time somebody else writes so much that PostgreSQL's own log meets the end of the disk: it ends itself, and
    // that it is started again when there is room is its keeper's work.
    const worsen = async round => {
        if (round === 0) return;
        spawnSync('psql', [server.store, '-qX', '-c', "SELECT pg_logical_emit_message(false, 'x', repeat('x', 30000000))"]);
        await until([], () => !existsSync(join(folder, 'data/postmaster.pid')), 'PostgreSQL ends itself');
    };
    const heal = () => control('start', folder);
    try {
        const words = disk.mount(POSTGRES_DISK);
        if (words) return t.skip(words);
        const url = control('start', folder);
        execFileSync('psql', [url, '-qX', '-c', "ALTER SYSTEM SET max_wal_size = '4MB'", '-c', 'SELECT pg_reload_conf()'], {stdio: 'ignore'});
        server = new Server([], {postgres: url});
        await fillAndFree(t, server, disk, {rounds: 2, worsen, heal});
    } finally {
        disk.free();
        if (server) {
            control('start', folder);
            await server.remove();
        }
        if (existsSync(folder)) control('remove', folder);
        disk.remove();
    }
});
