// Games with clocks at several servers of one PostgreSQL, some of which believe that it is another hour: time is the database's. And
// a flag falls though the server that would have seen it fall has been killed.
//
// SENET_TEST_POSTGRES is the database's URL, as tests/run sets it.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {describe, test} from 'node:test';
import {Client} from '../support/client.mjs';
import {Server} from '../support/server.mjs';
import {missing, tidyUpAfter, wrongBy} from '../support/wrong_clock.mjs';

const postgres = process.env.SENET_TEST_POSTGRES;
const WITHIN_MS = 60000; // against hanging; nothing is measured by it
const HOUR_MS = 3600000;
const OFF_MS = [HOUR_MS, -HOUR_MS, 0]; // how wrong the servers' clocks are

// What servers may be wrong by at most that have asked the database what time it is, on a machine that has much to do.
const SLACK_MS = 1500;

const noPostgres = !postgres && 'SENET_TEST_POSTGRES names no PostgreSQL';

const wait = ms => new Promise(resolve => setTimeout(resolve, ms));
const nats = (...words) => execFileSync('tests/support/nats', words).toString().trim();

async function until(condition, words) {
    for (const end = Date.now() + WITHIN_MS; !(await condition()); await wait(50))
        assert.ok(Date.now() < end, `not in ${WITHIN_MS} ms: ${words}`);
}

const every = async (servers, condition) => (await Promise.all(servers.map(condition))).every(Boolean);

async function figure(server, name) {
    const text = await (await fetch(`${server.url}/metrics`)).text();
    return Number(new RegExp(`^senet_${name} (\\d+)$`, 'm').exec(text)[1]);
}

const urlOf = place => `http://server-${place}.example`; // by which the database tells them apart

// Three servers of one database, with clocks as OFF_MS says where that can be had; with a bus, they hear each other.
async function withServers(hasBus, work) {
    const folder = join(mkdtempSync(join(tmpdir(), 'senet-nats-')), 'nats');
    const servers = [];
    try {
        const bus = hasBus ? ['--bus', nats('start', folder)] : [];
        for (const [i, offMs] of OFF_MS.entries()) {
            const where = i === 0 ? {postgres} : {beside: servers[0]};
            const server = new Server([...bus, '--advertise', urlOf(i)], {...where, environment: wrongBy(offMs)});
            servers.push(server);
            await server.start();
            const believed = Date.parse(server.lines.find(({fact}) => fact === 'listening').at) - Date.now();
            assert.ok(missing || Math.abs(believed - offMs) < HOUR_MS / 4, `a clock that is wrong by ${offMs} ms is wrong by ${believed}`);
        }
        if (hasBus) await until(() => every(servers, async server => (await figure(server, 'bus_nodes')) === 2), 'they hear each other');
        await work(servers);
    } finally {
        nats('remove', folder);
        for (const server of servers.reverse()) {
            await server.remove();
            tidyUpAfter(server.pid);
        }
        rmSync(join(folder, '..'), {recursive: true, force: true});
    }
}

const databaseMs = server => Number(server.sql('select (extract(epoch from clock_timestamp()) * 1000)::bigint'));

const atLeast = (ms, least, words) => assert.ok(ms >= least, `${words}: ${ms}, and not ${least} at least`);
const atMost = (ms, most, words) => assert.ok(ms <= most, `${words}: ${ms}, and not ${most} at most`);

// Chess between players at these servers, after the moves e4 e5, in which no clock runs. `turn`: {after, before}, the test's own times
// between which White's turn has begun.
async function setGame(servers, initialMs) {
    const [white, black] = await Promise.all(servers.map(server => Client.open(server)));
    const {room} = await white.done({type: 'create', game: 'chess', clock: {initial_ms: initialMs}});
    await white.done({type: 'join', room, seat: 'white'});
    await black.done({type: 'join', room, seat: 'black'});
    const game = {room, white, black, version: 3};
    await move(game, white, 'e2e4');
    game.turn = (await move(game, black, 'e7e5')).turn;
    return game;
}

// Makes a move and waits until both have seen it. `turn`: between which times of the test it was made; `took`: how long, at least and at
// most, the turn had lasted.
async function move(game, client, word) {
    const {room} = game;
    const after = performance.now();
    await client.done({type: 'move', room, move: {from: word.slice(0, 2), to: word.slice(2)}});
    const turn = {after, before: performance.now()};
    const took = game.turn && {least: after - game.turn.before, most: turn.before - game.turn.after};
    const match = {type: 'event', room, kind: 'moved', version: ++game.version};
    const [event] = await Promise.all([game.white.next(match), game.black.next(match)]);
    game.turn = turn;
    return {event, turn, took};
}

const spentMs = event => event.spent_ms + (event.compensated_ms ?? 0);

async function history(server, room) {
    const client = await Client.open(server);
    const {events} = await client.done({type: 'history', room, from: 1, to: 200});
    await client.end();
    return events;
}

// One event says so, the last one, and every server that is left says the same.
async function flaggedOnce(servers, {room, version}) {
    const [events, ...others] = await Promise.all(servers.map(server => history(server, room)));
    for (const other of others) assert.deepEqual(other, events);
    assert.deepEqual(events.slice(version).map(({kind, seat}) => [kind, seat]), [['flagged', 'white']]);
    assert.equal(servers[0].sql(`select count(*) from event where room = '${room}' and kind = 'flagged'`), '1');
    return events.at(-1).at - events.at(-2).at;
}

describe('clocks', {concurrency: true, skip: noPostgres}, () => {
    const THOUGHT_MS = 2500, INITIAL_MS = 7000;

    test('players at servers whose clocks are two hours apart lose the time that passes, and no other', {skip: missing}, async t => {
        await withServers(true, async servers => {
            const began = databaseMs(servers[0]);
            const game = await setGame(servers, INITIAL_MS);
            const {room, white, black} = game;
            const left = {};
            for (const [seat, word] of [['white', 'g1f3'], ['black', 'b8c6']]) {
                await wait(THOUGHT_MS);
                const {event, took} = await move(game, game[seat], word);
                t.diagnostic(`${seat}: between ${Math.round(took.least)} and ${Math.round(took.most)} ms have passed, ${spentMs(event)} were counted`);
                atLeast(spentMs(event), took.least - SLACK_MS, `what ${seat} has spent`);
                atMost(spentMs(event), took.most + SLACK_MS, `what ${seat} has spent`);
                left[seat] = INITIAL_MS - event.spent_ms;
                for (const {rooms} of [white, black]) assert.equal(rooms.get(room).state.seats[seat].clock.left_ms, left[seat]);
            }

            // Whoever comes now, anywhere, is told the same.
            const watchers = await Promise.all(servers.map(server => Client.open(server)));
            for (const watcher of watchers) {
                const asked = performance.now();
                await watcher.done({type: 'join', room, seat: 'spectator'});
                const {turn_ms: shown} = await watcher.next({type: 'snapshot', room});
                atLeast(shown, asked - game.turn.before - SLACK_MS, 'how long ago the turn began');
                atMost(shown, performance.now() - game.turn.after + SLACK_MS, 'how long ago the turn began');
            }

            const flags = await Promise.all([white, black, ...watchers].map(client => client.next({type: 'event', room, kind: 'flagged', seat: 'white'})));
            const passed = performance.now() - game.turn.after;
            t.diagnostic(`the flag fell ${Math.round(passed)} ms after the turn began, for which ${left.white} were left`);
            atLeast(passed, left.white - SLACK_MS, 'until the flag fell');
            assert.equal(new Set(flags.map(({at}) => at)).size, 1);

            atLeast(await flaggedOnce(servers, game), left.white - SLACK_MS, 'between the last move and the flag');
            const events = await history(servers[0], room), ended = databaseMs(servers[0]);
            for (const {at, kind} of events) {
                atLeast(at, began - SLACK_MS, `when ${kind} was`);
                atMost(at, ended + SLACK_MS, `when ${kind} was`);
            }
            for (const client of [white, black, ...watchers]) await client.end();
        });
    });

    const LEFT_MS = 2500;
    // Servers that hear each other wait for him for some 15 s, none of which is counted: at least so much, on a slow machine too.
    const GIVEN_BACK_MS = 8000;

    test('a flag falls at another server when the one of the player who is to move is killed, and he stays away', async t => {
        await withServers(true, async ([first, second, third]) => {
            const game = await setGame([first, second], LEFT_MS);
            await first.stop('SIGKILL');
            await game.black.next({type: 'event', room: game.room, kind: 'flagged', seat: 'white'});
            const passed = await flaggedOnce([second, third], game);
            t.diagnostic(`the flag fell ${passed} ms after the turn began, for which ${LEFT_MS} were left`);
            atLeast(passed, LEFT_MS + GIVEN_BACK_MS, 'between the last move and the flag');
            assert.equal(game.black.rooms.get(game.room).state.result.winner, 'black');
            await game.black.end();
        });
    });

    // Without a bus, so what passes is counted.
    test('a flag falls in a game that no server has in memory when the one whose duty it was to look for such games is killed too', async t => {
        await withServers(false, async servers => {
            const first = () => servers[0].sql('select url from node where lease_until > clock_timestamp() order by id limit 1');
            let url;
            await until(() => (url = first()), 'one of them is the first');
            const killed = servers.find((_, i) => urlOf(i) === url), left = servers.filter(server => server !== killed);
            const game = await setGame([killed, killed], LEFT_MS);
            await killed.stop('SIGKILL');
            assert.ok(await every(left, async server => (await figure(server, 'rooms_live')) === 0));
            // A room that was just made is looked for after a minute; as if that was over.
            servers[0].sql(`update room set due_at = ${databaseMs(servers[0])} where id = '${game.room}'`);
            // Asked of the database: a server that was asked would have it in memory.
            await until(() => servers[0].sql(`select count(*) from event where room = '${game.room}' and kind = 'flagged'`) !== '0', 'the flag fell');
            assert.notEqual(first(), url);
            const passed = await flaggedOnce(left, game);
            t.diagnostic(`the flag fell ${passed} ms after the turn began, for which ${LEFT_MS} were left`);
            atLeast(passed, LEFT_MS - SLACK_MS, 'between the last move and the flag');
        });
    });
});
