// The promise a move's acknowledgement makes, put to the test: a server is killed with SIGKILL at random while it is
// played on, again and again, and its clients' own logs judge what it remembers; and, at every second table, which has clocks, what it
// says that their moves took.
import assert from 'node:assert/strict';
import {random, sitDown} from './load.mjs';

const wait = ms => new Promise(resolve => setTimeout(resolve, ms));

// How long after `since` somebody's move was acknowledged by the server that has listened from `up` on.
export async function playGoesOn(tables, {since, up, within}) {
    while (!tables.some(table => table.lastAcknowledged > up)) {
        for (const table of tables) if (table.failure) throw table.failure;
        assert.ok(Date.now() < up + within, `play goes on within ${within} ms`);
        await wait(5);
    }
    return Math.min(...tables.map(table => table.firstAcknowledgedAfter(up))) - since;
}

const movesOf = tables => tables.reduce((sum, table) => sum + table.moves, 0);

async function playUntil(tables, moves, within) {
    const end = Date.now() + within;
    while (movesOf(tables) < moves) {
        for (const table of tables) if (table.failure) throw table.failure;
        assert.ok(Date.now() < end, `${moves} moves are played within ${within} ms`);
        await wait(20);
    }
}

export function expectWholeLog(server) {
    const doubled =
        "select count(*) from (select 1 from event where command <> '' group by room, client, command having count(*) > 1) as twice";
    assert.equal(server.sql(doubled), '0', 'no command made two events');
    if (!server.postgres) assert.equal(server.sql('pragma integrity_check'), 'ok');
}

// All commands were said until they were acknowledged, and each acknowledgement was looked up in the log: nothing else
// is in the database.
export function expectNothingElse(server, tables) {
    const acknowledged = movesOf(tables);
    assert.equal(tables.reduce((sum, table) => sum + table.compared, 0), acknowledged, 'all acknowledged moves were looked up');
    const kept = Number(server.sql("select count(*) from event where kind = 'moved'"));
    assert.equal(kept, acknowledged, 'the database holds the acknowledged moves and no others');
}

export async function check(tables) {
    await Promise.all(tables.map(table => table.check()));
}

// `movesPerLife`: acknowledged between two kills, at least. `tell` hears of every kill.
export async function killAgainAndAgain(server, {kills, rooms, movesPerLife = 0, tell = () => {}}) {
    let tables = [];
    const waits = [];
    try {
        await server.start();
        tables = await sitDown(server, rooms, {clocks: true});
        for (let kill = 1; kill <= kills; kill++) {
            await playUntil(tables, movesOf(tables) + movesPerLife, 300000);
            await wait(100 + random(500));
            await server.stop('SIGKILL');
            const since = Date.now();
            await server.start();
            waits.push(await playGoesOn(tables, {since, up: Date.now(), within: 10000}));
            await check(tables);
            tell({kill, moves: movesOf(tables), firstAckMs: waits.at(-1)});
        }
        await Promise.all(tables.map(table => table.rest()));
        await check(tables);
        for (const table of tables) table.close();
        const {code} = await server.stop();
        assert.equal(code, 0, 'asked to end, it ends well');
        expectWholeLog(server);
        expectNothingElse(server, tables);
        const timed = tables.reduce((sum, {witness}) => sum + (witness?.judged ?? 0), 0);
        assert.ok(rooms < 2 || timed > 0, 'moves of games with clocks were judged');
        return {moves: movesOf(tables), timed, waits};
    } finally {
        for (const table of tables) table.close();
        await server.remove();
    }
}
