// An end to everything on disk: what has had its time goes, by the server itself and by `senet prune`, under load and
// kill -9, and exactly that. The rooms are made old where they are kept, so nobody waits and the ages are the defaults.
//
// On SQLite, and on PostgreSQL where there is one (SENET_TEST_POSTGRES is its URL, as tests/run sets it).
import assert from 'node:assert/strict';
import {execFileSync, spawnSync} from 'node:child_process';
import {randomBytes} from 'node:crypto';
import test from 'node:test';
import {Client} from '../support/client.mjs';
import {expectWholeLog} from '../support/kills.mjs';
import {random, seed, sitDown} from '../support/load.mjs';
import {program, Server} from '../support/server.mjs';
import {makeRace, playMoves, setTable, SHORT_GAME, takeSeat} from '../support/table.mjs';

const wait = ms => new Promise(resolve => setTimeout(resolve, ms));
const prune = (server, ...words) => spawnSync(program, ['prune', '--store', server.store, ...words], {encoding: 'utf8'});
const list = rooms => rooms.map(room => `'${room}'`).join(', ');
const EMPTY = 30, LONG = 900, PUBLISHED = 'kept-for-good';

// What the database is told behind the server's back, while there is none.
function tell(server, sql) {
    if (server.postgres) server.postgres.sql(sql);
    else execFileSync('sqlite3', [server.database], {input: sql});
}

const tablesOfEvents = server => (server.postgres ? ['event'] : ['recent_event', 'folded_event']);

function makeOlder(server, rooms, days) {
    for (const table of tablesOfEvents(server)) tell(server, `UPDATE ${table} SET at = at - ${days * 86400000} WHERE room IN (${list(rooms)})`);
}

// As if it had been talked in for long; nobody reads it again.
function makeLonger(server, room, events) {
    const table = tablesOfEvents(server).at(-1);
    const last = `(SELECT max(version) FROM event WHERE room = '${room}')`;
    tell(
        server,
        `INSERT INTO ${table} (room, version, epoch, client, command, kind, at, body)
             WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < ${events})
             SELECT '${room}', ${last} + n, 1, '', '', 'chatted', (SELECT max(at) FROM event WHERE room = '${room}'), '{}' FROM number`,
    );
    if (server.postgres) tell(server, `UPDATE room SET version = ${last} WHERE id = '${room}'`);
}

const ownGame = title => JSON.parse(JSON.stringify({...makeRace(['a', 'b', 'c']), title}));

async function playedTable(server, moves, create) {
    const table = await setTable(server, {create});
    await playMoves(table, moves);
    return table;
}

// But for when that was.
async function eventsOf(client, room) {
    const {events} = await client.done({type: 'history', room, from: 1, to: 200});
    return events.map(({at, ...event}) => event);
}

// For everybody, for good; the room that was made of it goes like others.
async function publish(server, name, definition) {
    const headers = {Authorization: `Bearer ${randomBytes(32).toString('base64url')}`};
    const answer = await fetch(`${server.url}/api/v1/games/${name}`, {method: 'POST', headers, body: JSON.stringify(definition)});
    assert.equal(answer.status, 201, await answer.text());
}

// {room: how many days ago it was played last}, and of those that stay what is in them.
async function fill(server) {
    const days = new Map(), kept = new Map(), tables = [];
    const maker = await Client.open(server);
    const make = async (create, age) => {
        const {room} = await maker.doneInTime({type: 'create', ...create});
        days.set(room, age);
        return room;
    };
    const play = async (moves, age, create = {game: 'chess'}) => {
        const table = await playedTable(server, moves, create);
        tables.push(table);
        days.set(table.room, age);
        return table.room;
    };
    for (let i = 0; i < EMPTY; i++) await make({game: 'chess'}, 2);
    const long = await make({game: 'chess'}, 2);
    await make({definition: ownGame('Played by nobody'), visibility: 'private'}, 2);
    await publish(server, PUBLISHED, ownGame('Published'));
    await make({game: `${PUBLISHED}@1`}, 2);
    await make({definition: ownGame('Played twice')}, 2);
    const going = await play('e2e4 e7e5', 59);
    for (let ply = 0; ply < 3; ply++) await make({fork: {room: going, ply}}, 2);
    await play('e2e4', 61);
    await play(SHORT_GAME, 731);
    await play('e2e4', 181, {game: 'chess', visibility: 'private'});
    const finished = await play(SHORT_GAME, 729), hidden = await play('d2d4', 179, {game: 'chess', visibility: 'private'});
    const young = await make({definition: ownGame('Played twice')}, 0);
    for (const room of [going, finished, hidden, young]) {
        await takeSeat(maker, room, 'spectator');
        kept.set(room, await eventsOf(maker, room));
    }
    for (const {clients} of tables) for (const client of clients) await client.end();
    await maker.end();
    return {days, kept, long, going, finished, hidden, young};
}

async function showsAll(server, kept) {
    const client = await Client.open(server);
    for (const [room, events] of kept) {
        await takeSeat(client, room, 'spectator');
        assert.deepEqual(await eventsOf(client, room), events, `room ${room} is as it was`);
    }
    const {definition} = await (await fetch(`${server.url}/api/v1/games/${PUBLISHED}@1`)).json();
    assert.deepEqual(definition, ownGame('Published'), 'what was published is there, though nobody plays it');
    await client.end();
}

const count = (server, what) => Number(server.sql(`SELECT count(*) FROM ${what}`));

// Nothing is left of rooms that are gone, and nothing of the others is missing.
function expectTidy(server) {
    for (const table of [...tablesOfEvents(server), 'seat'])
        assert.equal(count(server, `${table} WHERE room NOT IN (SELECT id FROM room)`), 0, `no ${table} without a room`);
    assert.equal(count(server, 'removed_room'), 0);
    assert.equal(count(server, 'definition WHERE hash NOT IN (SELECT definition FROM room UNION SELECT definition FROM published)'), 0, 'no definition that nobody plays');
    assert.equal(count(server, 'room WHERE definition NOT IN (SELECT hash FROM definition)'), 0, 'no room without its definition');
    const gaps = 'room r WHERE (SELECT count(*) FROM event e WHERE e.room = r.id) <> (SELECT max(version) FROM event e WHERE e.room = r.id)';
    assert.equal(count(server, gaps), 0, 'no gap in a log');
    expectWholeLog(server);
}

async function prunesUnderLoad(t, server) {
    t.diagnostic(`seed ${seed}`);
    let tables = [];
    try {
        server.flags = ['--prune-every-s', '0', '--bot-think-ms', '0'];
        await server.start();
        const filled = await fill(server);
        tables = await sitDown(server, 4, {record: false, patient: true}); // a few play faster than anybody may for long
        await server.stop('SIGKILL');
        makeLonger(server, filled.long, LONG);
        for (const days of new Set(filled.days.values()))
            makeOlder(server, [...filled.days].filter(([, age]) => age === days).map(([room]) => room), days);
        const gone = [...filled.days.keys()].filter(room => !filled.kept.has(room));
        const left = () => count(server, `room WHERE id IN (${list(gone)})`) + count(server, 'removed_room');
        assert.equal(left(), gone.length);

        server.flags = ['--prune-every-s', '1'];
        await server.start();
        let kills = 0;
        for (const end = Date.now() + 200000; left() > 0 || kills < 3; kills++) {
            assert.ok(Date.now() < end, `${left()} of ${gone.length} rooms are still there`);
            await wait(900 + random(400) + 200 * kills);
            await server.stop('SIGKILL');
            await server.start();
        }
        t.diagnostic(`${gone.length} rooms gone after ${kills} kills`);
        await Promise.all(tables.map(table => table.rest()));
        await Promise.all(tables.map(table => table.check()));
        await showsAll(server, filled.kept);
        for (const table of tables) table.close();
        assert.equal((await server.stop()).code, 0);
        expectTidy(server);
        const rooms = new Set([...filled.kept.keys(), ...tables.map(({room}) => room)]);
        for (const room of rooms) assert.equal(count(server, `room WHERE id = '${room}'`), 1, `room ${room} is kept`);
        assert.equal(count(server, `room WHERE id IN (${list(gone)})`), 0);
        assert.equal(count(server, 'definition') >= 2, true);
    } finally {
        for (const table of tables) table.close();
        await server.remove();
    }
}

async function prunesByCommand(server) {
    try {
        server.flags = ['--prune-every-s', '0', '--bot-think-ms', '0'];
        await server.start();
        const filled = await fill(server);
        const watched = await Client.open(server);
        await takeSeat(watched, filled.going, 'spectator');
        if (!server.postgres) {
            const refused = prune(server);
            assert.equal(refused.status, 1);
            assert.match(refused.stderr, /another server \(process \d+\) uses the database/);
        }
        await watched.end();
        await server.stop();
        for (const [room, days] of filled.days) makeOlder(server, [room], days);

        const wrong = prune(server, '--keep-unmovd-s', '1');
        assert.equal(wrong.status, 2);
        assert.match(wrong.stderr, /did you mean --keep-unmoved-s\?/);
        const rooms = count(server, 'room'), gone = filled.days.size - filled.kept.size;
        for (let time = 0; time < 2; time++) {
            const dry = prune(server, '--dry-run');
            assert.equal(dry.status, 0, dry.stderr);
            assert.match(dry.stdout, new RegExp(`would remove ${gone - 3} rooms in which nobody ever moved\n`));
            for (const kind of ['abandoned', 'finished', 'private']) assert.match(dry.stdout, new RegExp(`would remove 1 rooms ${kind}\n`));
            assert.match(dry.stdout, new RegExp(`kept ${rooms - gone} rooms`));
            assert.equal(count(server, 'room'), rooms, 'it only tells');
        }
        const done = prune(server);
        assert.equal(done.status, 0, done.stderr);
        assert.match(done.stdout, new RegExp(`removed ${gone - 3} rooms in which nobody ever moved\n`));
        assert.match(done.stdout, /removed 1 definitions\n/);
        assert.equal(count(server, 'room'), rooms - gone);
        expectTidy(server);
        assert.match(prune(server).stdout, /removed 0 events\n/);
        await server.start();
        await showsAll(server, filled.kept);
        if (server.postgres) {
            // What somebody looks at is in use, whatever its age.
            const busy = prune(server, '--keep-unfinished-s', '86400');
            assert.equal(busy.status, 0, busy.stderr);
            assert.match(busy.stdout, /left 1 rooms that are in use\n/);
            await showsAll(server, filled.kept);
        }
        await server.stop();
        const sooner = prune(server, '--keep-unfinished-s', '86400', '--keep-finished-s', '0');
        assert.match(sooner.stdout, /removed 1 rooms abandoned\nremoved 0 rooms finished\n/);
    } finally {
        await server.remove();
    }
}

// A room somebody is in is never too old.
async function keepsWhatIsInMemory(server) {
    try {
        server.flags = ['--prune-every-s', '1', '--room-idle-ms', '50'];
        await server.start();
        const table = await setTable(server, {seats: ['white']});
        const beside = await setTable(server, {seats: ['white']});
        await beside.end();
        makeOlder(server, [table.room, beside.room], 1000);
        for (const end = Date.now() + 120000; count(server, `room WHERE id = '${beside.room}'`) > 0; ) {
            assert.ok(Date.now() < end, 'the other room goes');
            await wait(50);
        }
        await table.white.done({type: 'sync', room: table.room});
        for (const end = Date.now() + 120000; ; await wait(50)) {
            const metrics = await (await fetch(`${server.url}/metrics`)).text();
            const of = name => Number(metrics.split('\n').find(line => line.startsWith(`${name} `))?.split(' ').at(-1));
            assert.ok(of('senet_store_bytes') > 10000);
            if (of('senet_removed_rooms_total{why="never_moved"}') === 1 && of('senet_stored_rooms{status="waiting",visibility="public"}') === 1) break;
            assert.ok(Date.now() < end, `the figures say so:\n${metrics}`);
        }
        // What the store's bytes are of, with the same walk: the game and a room are there, and nobody brought a picture.
        const metrics = await (await fetch(`${server.url}/metrics`)).text();
        const sizes = Object.fromEntries([...metrics.matchAll(/^senet_stored_bytes\{kind="(\w+)"\} (\d+)$/gm)].map(([, kind, bytes]) => [kind, Number(bytes)]));
        assert.deepEqual(Object.keys(sizes), ['rooms', 'events', 'definitions', 'published', 'pictures']);
        assert.ok(sizes.rooms > 100 && sizes.events > 100 && sizes.definitions > 1000 && sizes.pictures < 50000, JSON.stringify(sizes));
        const commits = Number(/^senet_store_commit_seconds_count (\d+)$/m.exec(metrics)[1]);
        assert.ok(commits > 0 && metrics.includes(`senet_store_commit_seconds_bucket{le="+Inf"} ${commits}\n`));
        const other = await Client.open(server);
        await other.refused({type: 'join', room: beside.room, seat: 'any'}, 'unknown_room');
        await takeSeat(other, table.room, 'black');
        await other.end();
        await table.end();
    } finally {
        await server.remove();
    }
}

const postgres = process.env.SENET_TEST_POSTGRES;
for (const [name, url] of [['SQLite', undefined], ['PostgreSQL', postgres]]) {
    const options = {skip: name === 'PostgreSQL' && !postgres && 'SENET_TEST_POSTGRES names no PostgreSQL', timeout: 400000};
    test(`${name}: under load and kill -9 exactly those rooms go whose time is over`, options, t => prunesUnderLoad(t, new Server([], {postgres: url})));
    test(`${name}: senet prune tells what it would remove, and removes it`, options, () => prunesByCommand(new Server([], {postgres: url})));
    test(`${name}: a room in memory stays, however old`, options, () => keepsWhatIsInMemory(new Server([], {postgres: url})));
}
