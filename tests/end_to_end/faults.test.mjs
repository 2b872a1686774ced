// People play on a server whose disk fails, and then the power goes: the real program with a library preloaded that stands
// between it and its folder. What the store's own test does for every call (tests/server/store_fault_test.c) is done
// here at random, with clients on real sockets as the judges.
import assert from 'node:assert/strict';
import test from 'node:test';
import {FaultyDisk} from '../support/faulty_disk/faulty_disk.mjs';
import {check, expectNothingElse, expectWholeLog, playGoesOn} from '../support/kills.mjs';
import {random, seed, sitDown} from '../support/load.mjs';
import {Server} from '../support/server.mjs';

const DEATHS = 10, TABLES = 6, WITHIN_MS = 60000;
const wait = ms => new Promise(resolve => setTimeout(resolve, ms));
const sum = (tables, name) => tables.reduce((all, table) => all + table[name], 0);

const FAULTS = [
    {count: 1},
    {count: 1, partial: true, error: 'ENOSPC'},
    {count: 30, partial: true, error: 'ENOSPC'},
    {count: Number.MAX_SAFE_INTEGER},
];

async function untilFailed(disk, tables) {
    for (const end = Date.now() + WITHIN_MS; disk.failed === 0; await wait(5)) {
        for (const table of tables) if (table.failure) throw table.failure;
        assert.ok(Date.now() < end, 'the disk is asked for something');
    }
}

test(`the disk fails under play, ${DEATHS} times, and the power goes: nothing acknowledged is lost`, {timeout: 600000, skip: FaultyDisk.missing}, async t => {
    t.diagnostic(`seed ${seed}`);
    const disk = new FaultyDisk();
    const server = new Server([], {folder: disk.folder, environment: disk.environment});
    let tables = [], failed = 0, refusedStarts = 0;
    try {
        await server.start();
        tables = await sitDown(server, TABLES, {patient: true});
        for (let death = 0; death < DEATHS; death++) {
            await wait(50 + random(150));
            disk.fail({in: 1 + random(60), ...FAULTS[death % FAULTS.length]});
            await untilFailed(disk, tables);
            await wait(random(300));
            if (random(3) === 0) {
                // It heals alone, and is killed in the best of health.
                disk.heal();
                const since = Date.now();
                await playGoesOn(tables, {since, up: since, within: WITHIN_MS});
            }
            await server.stop('SIGKILL');
            failed += disk.failed;
            disk.heal();
            const dark = random(4) > 0;
            if (dark) disk.cutPower(random(1e9));
            // Another start on a disk that fails: it may be refused; the next one is not.
            if (random(4) === 0) {
                disk.fail({in: 1 + random(10), count: 5});
                const started = await server.start().then(() => true, () => false);
                refusedStarts += !started;
                disk.heal();
                if (started) await server.stop('SIGKILL');
                if (random(2) === 0) disk.cutPower(random(1e9));
            }
            await server.start();
            const up = Date.now();
            await playGoesOn(tables, {since: up, up, within: WITHIN_MS});
            await check(tables);
        }
        await Promise.all(tables.map(table => table.rest()));
        await check(tables);
        t.diagnostic(`${failed} calls failed, ${sum(tables, 'unavailable')} times unavailable, ${refusedStarts} starts refused, ${sum(tables, 'moves')} moves acknowledged`);
        assert.ok(failed >= DEATHS);
        for (const table of tables) table.close();
        assert.deepEqual(await server.stop(), {code: 0, signal: null});
        expectWholeLog(server);
        expectNothingElse(server, tables);
    } finally {
        for (const table of tables) table.close();
        await server.remove();
        disk.remove();
    }
});
