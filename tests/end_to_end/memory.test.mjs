// Memory that is not there: the real program with an allocator that fails on order, and in an address space of 1 GiB into
// which strangers throw games as large as may be. A command is refused, or the process ends with its one line;
// nothing acknowledged is lost.
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import test from 'node:test';
import {Client} from '../support/client.mjs';
import {FaultyMemory} from '../support/faulty_memory/faulty_memory.mjs';
import {check, expectNothingElse, expectWholeLog, playGoesOn} from '../support/kills.mjs';
import {asLargeAsMayBe, tooLarge} from '../support/large_games.mjs';
import {random, seed, sitDown} from '../support/load.mjs';
import {Server} from '../support/server.mjs';
import {RACE} from '../support/table.mjs';

const FAULTS = 32, TABLES = 4, WITHIN_MS = 60000;
const SWEEP_STEP = 7; // of a few thousand allocations, one in so many is failed
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
        const client = new Client(server);
        const open = await Promise.race([client.next({type: 'hello'}).then(() => client.authenticate()).catch(() => null), client.closed.then(() => null)]);
        if (!open) {
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

test(`the allocator fails under play, ${FAULTS} times: nothing acknowledged is lost`, {timeout: 600000, skip: FaultyMemory.missing}, async t => {
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
        // What it said last is why, or what is stored.
        for (const line of server.lines.slice(-12)) t.diagnostic(JSON.stringify(line));
        t.diagnostic(`stored: ${server.sql("select group_concat(id || ' ' || status, ', ') from room")}`);
        throw error;
    } finally {
        until.over = true;
        for (const table of tables) table.close();
        await strangers?.catch(() => {});
        await server.remove();
        memory.remove();
    }
});

// Some commands of two players and a bystander; what became of each: `ack` and the like, a code, or `gone`: never answered.
async function exchange(server, number) {
    const outcomes = [], clients = [];
    const open = async () => {
        const client = new Client(server);
        clients.push(client);
        const open = await Promise.race([client.next({type: 'hello'}).then(() => client.authenticate()).catch(() => null), client.closed.then(() => null)]);
        if (open) return client;
        outcomes.push('gone');
        return null;
    };
    const say = async (client, command) => {
        if (!client) return {};
        const id = `c${outcomes.length}`;
        client.send({id, ...command});
        const answer = await Promise.race([client.next(({re}) => re === id).catch(() => null), client.closed.then(() => null)]);
        outcomes.push(answer?.code ?? answer?.type ?? 'gone');
        return answer?.type === 'error' ? {} : answer ?? {};
    };
    const get = async path => {
        const answer = await fetch(`${server.url}${path}`, {signal: AbortSignal.timeout(WITHIN_MS)}).then(answer => answer.text().then(() => answer)).catch(() => null);
        outcomes.push(!answer ? 'gone' : answer.status === 503 ? 'unavailable' : answer.status);
    };
    const white = await open(), black = await open();
    const {room} = await say(white, {type: 'create', game: 'chess'});
    await say(white, {type: 'join', room, seat: 'white', name: 'w'});
    await say(black, {type: 'join', room, seat: 'black', name: 'b'});
    const moves = [];
    for (const [client, from, to] of [[white, 'e2', 'e4'], [black, 'e7', 'e5'], [white, 'g1', 'f3']]) {
        const {version} = await say(client, {type: 'move', room, move: {from, to}});
        if (version) moves.push({version, move: {from, to}});
    }
    await say(black, {type: 'legal_moves', room});
    await say(black, {type: 'chat', room, text: 'hello'});
    await say(white, {type: 'history', room, ply: 1});
    await say(white, {type: 'create', definition: {...RACE, title: `race ${number}`}});
    await get(`/api/v1/rooms/${room}/export`);
    await get('/metrics');
    for (const client of clients) client.socket.terminate();
    return {room, moves, outcomes};
}

test('whatever allocation of some commands fails, they are done or refused, and the server goes on', {timeout: 600000, skip: FaultyMemory.missing}, async t => {
    const memory = new FaultyMemory();
    const server = new Server([], {environment: memory.environment});
    const seen = new Map();
    try {
        await server.start();
        await exchange(server, 'without a fault');
        let failed = 0, n = 1 + random(SWEEP_STEP);
        for (let last = 1; last > 0; n += SWEEP_STEP) {
            memory.fail({in: n, count: 1});
            const {room, moves, outcomes} = await exchange(server, n);
            failed += last = memory.failed;
            memory.heal();
            assert.ok(server.running, `it goes on after allocation ${n} has failed`);
            for (const outcome of outcomes) seen.set(outcome, (seen.get(outcome) ?? 0) + 1);
            if (moves.length === 0) continue;
            const judge = await Client.open(server);
            const {events} = await judge.done({type: 'history', room, from: 1, to: 20});
            for (const {version, move} of moves) assert.deepEqual(events[version - 1].move, move, `acknowledged version ${version} is there`);
            await judge.end();
        }
        t.diagnostic(`seed ${seed}: ${failed} of ${n} allocations failed, one at a time: ${JSON.stringify([...seen])}`);
        assert.ok(failed > 10);
        const good = ['ack', 'legal_moves', 'history', 'unavailable', 200];
        // A room that was not made, or not joined, is not there for what comes next.
        const after = ['unknown_room', 'not_in_room', 'not_seated', 'not_started', 'not_your_turn', 'illegal_move', 'bad_message', 404];
        for (const outcome of seen.keys()) assert.ok([...good, ...after].includes(outcome), `${outcome}`);
        for (const code of after) assert.ok((seen.get(code) ?? 0) <= 12 * (seen.get('unavailable') ?? 0), code);
        assert.deepEqual(await server.stop(), {code: 0, signal: null});
    } finally {
        await server.remove();
        memory.remove();
    }
});

test('in 1 GiB of address space strangers throw large games, and a table plays on', {timeout: 300000, skip: FaultyMemory.missing}, async t => {
    const server = new Server([], {addressSpaceKiB: ADDRESS_SPACE_KIB});
    const until = {over: false};
    let tables = [];
    try {
        await server.start();
        tables = await sitDown(server, 1, {patient: true});
        const strangers = Array.from({length: 6}, () => stranger(server, until));
        // Longer than it took to end the process that had no bound.
        for (let round = 0; round < 50; round++) {
            await wait(100);
            for (const table of tables) if (table.failure) throw table.failure;
            assert.ok(server.running, 'it goes on');
        }
        const up = Date.now();
        await playGoesOn(tables, {since: up, up, within: WITHIN_MS});
        until.over = true;
        const seen = await Promise.all(strangers);
        const facts = server.lines.filter(({fact}) => fact.startsWith('memory_')).length;
        const [, peak] = /VmPeak:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'));
        t.diagnostic(`strangers saw ${JSON.stringify(seen.map(each => [...each]))}; ${peak} KiB mapped at most, memory was short ${facts} times`);
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
