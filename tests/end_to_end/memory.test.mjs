// Memory that is not there: the real program with an allocator that fails on order, and in an address space of 1 GiB into
// which strangers throw games as large as may be. A command is refused, or the process ends with its one line;
// nothing acknowledged is lost.
import assert from 'node:assert/strict';
import test from 'node:test';
import {Client} from '../support/client.mjs';
import {FaultyMemory} from '../support/faulty_memory/faulty_memory.mjs';
import {check, expectNothingElse, expectWholeLog, playGoesOn} from '../support/kills.mjs';
import {asLargeAsMayBe, tooLarge} from '../support/large_games.mjs';
import {random, seed, sitDown} from '../support/load.mjs';
import {Server} from '../support/server.mjs';

const FAULTS = 32, TABLES = 4, WITHIN_MS = 20000;
const OUT_OF_MEMORY = 71; // memory/memory.h
const ADDRESS_SPACE_KIB = 1024 * 1024;
const wait = ms => new Promise(resolve => setTimeout(resolve, ms));

async function untilFailed(memory, server, tables) {
    for (const end = Date.now() + WITHIN_MS; memory.failed === 0 && server.running; await wait(2)) {
        for (const table of tables) if (table.failure) throw table.failure;
        assert.ok(Date.now() < end, 'memory is asked for');
    }
}

// A stranger who creates and validates, whatever is answered, and comes back whenever the connection is gone.
async function stranger(server, until) {
    const seen = new Map();
    for (let number = 0; !until.over; number++) {
        const client = await Client.open(server).catch(() => null);
        if (!client) {
            await wait(20);
            continue;
        }
        while (!client.close && !until.over) {
            const definition = (number++ % 3 === 0 ? tooLarge : asLargeAsMayBe)(`${number} ${Math.random()}`);
            client.send({id: `s${number}`, type: 'create', definition});
            const answer = await Promise.race([client.next(({re}) => re === `s${number}`).catch(() => null), client.closed.then(() => null)]);
            const what = answer?.code ?? answer?.type ?? 'gone';
            seen.set(what, (seen.get(what) ?? 0) + 1);
            if (answer?.room) client.send({id: `j${number}`, type: 'join', room: answer.room, seat: 'spectator', name: 'stranger'});
            await wait(answer?.retry_ms ? Math.min(answer.retry_ms, 100) : 5);
        }
        client.socket.terminate();
    }
    return seen;
}

test(`the allocator fails under play, ${FAULTS} times: nothing acknowledged is lost`, {timeout: 240000, skip: FaultyMemory.missing}, async t => {
    t.diagnostic(`seed ${seed}`);
    const memory = new FaultyMemory();
    const server = new Server([], {environment: memory.environment});
    const until = {over: false};
    let tables = [], ends = 0, survived = 0, failure = null, strangers = null;
    try {
        await server.start();
        tables = await sitDown(server, TABLES, {patient: true});
        strangers = stranger(server, until);
        for (let fault = 0; fault < FAULTS; fault++) {
            await wait(20 + random(60));
            // Once, a few in turn, or from then on: only the last leaves no way but the end.
            const kind = fault % 4;
            memory.fail({in: 1 + random(3000), count: [1, 1, 1 + random(20), Number.MAX_SAFE_INTEGER][kind]});
            await untilFailed(memory, server, tables);
            await wait(20);
            memory.heal();
            const healed = Date.now();
            await Promise.race([playGoesOn(tables, {since: healed, up: healed, within: WITHIN_MS}).catch(error => (failure = error)), server.ended]);
            if (server.running) {
                if (failure) throw failure;
                survived++;
                continue;
            }
            assert.deepEqual(await server.ended, {code: OUT_OF_MEMORY, signal: null}, 'it ends by its own word');
            ends++;
            await server.start();
            const up = Date.now();
            await playGoesOn(tables, {since: up, up, within: WITHIN_MS});
            await check(tables);
        }
        until.over = true;
        t.diagnostic(`${ends} ends, ${survived} survived; strangers saw ${JSON.stringify([...(await strangers)])}`);
        await Promise.all(tables.map(table => table.rest()));
        await check(tables);
        assert.ok(ends > 0 && survived > FAULTS / 4);
        for (const table of tables) table.close();
        assert.deepEqual(await server.stop(), {code: 0, signal: null});
        expectWholeLog(server);
        expectNothingElse(server, tables);
    } catch (error) {
        // What it said last is why.
        for (const line of server.lines.slice(-12)) t.diagnostic(JSON.stringify(line));
        throw error;
    } finally {
        until.over = true;
        for (const table of tables) table.close();
        await strangers?.catch(() => {});
        await server.remove();
        memory.remove();
    }
});

test('in 1 GiB of address space strangers throw large games, and the tables play on', {timeout: 120000, skip: FaultyMemory.missing}, async t => {
    const server = new Server([], {addressSpaceKiB: ADDRESS_SPACE_KIB});
    const until = {over: false};
    let tables = [];
    try {
        await server.start();
        tables = await sitDown(server, TABLES, {patient: true});
        const strangers = Array.from({length: 6}, () => stranger(server, until));
        const since = Date.now();
        while (Date.now() < since + 8000) {
            await wait(100);
            for (const table of tables) if (table.failure) throw table.failure;
            assert.ok(server.running, 'it goes on');
        }
        const up = Date.now();
        await playGoesOn(tables, {since: up, up, within: WITHIN_MS});
        until.over = true;
        const seen = await Promise.all(strangers);
        t.diagnostic(`strangers saw ${JSON.stringify(seen.map(each => [...each]))}`);
        const sum = code => seen.reduce((all, each) => all + (each.get(code) ?? 0), 0);
        assert.ok(sum('ack') > 0 && sum('bad_definition') > 0);
        await Promise.all(tables.map(table => table.rest()));
        await check(tables);
        for (const table of tables) table.close();
        assert.deepEqual(await server.stop(), {code: 0, signal: null});
        expectWholeLog(server);
        expectNothingElse(server, tables);
    } finally {
        until.over = true;
        for (const table of tables) table.close();
        await server.remove();
    }
});
