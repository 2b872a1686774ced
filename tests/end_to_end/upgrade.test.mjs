// A database that an earlier version has written opens, shows what it showed then, and plays on; one that a newer version
// has written is refused in words and left alone. Both on SQLite and on PostgreSQL.
//
// tests/server/upgrade/ has a database of every earlier schema, as SQL, and what its players knew.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {existsSync, readdirSync, readFileSync} from 'node:fs';
import test from 'node:test';
import {Client} from '../support/client.mjs';
import {Server} from '../support/server.mjs';
import {playMoves, RACE, takeSeat} from '../support/table.mjs';

const postgres = process.env.SENET_TEST_POSTGRES;
const root = new URL('../../', import.meta.url);

// What was written then is so now; what has been added since is nobody's complaint.
function assertHolds(now, then, where = 'it') {
    if (typeof then !== 'object' || then === null) return assert.deepEqual(now, then, where);
    if (Array.isArray(then)) assert.equal(now?.length, then.length, `${where}: as many as then`);
    for (const [name, value] of Object.entries(then)) assertHolds(now?.[name], value, `${where}.${name}`);
}

function load(server, file) {
    const sql = readFileSync(file);
    if (server.postgres) execFileSync('psql', [server.store, '-qX', '-v', 'ON_ERROR_STOP=1'], {input: sql, stdio: ['pipe', 'ignore', 'inherit']});
    else execFileSync('sqlite3', [server.database], {input: sql});
}

const schemaOf = server => Number(server.sql(server.postgres ? 'SELECT version FROM senet_schema' : 'PRAGMA user_version'));

async function comeBack(server, {room, tokens}, names) {
    const table = {room, clients: []};
    for (const [index, token] of tokens.entries()) {
        const client = await Client.open(server, {token});
        await takeSeat(client, room, 'any');
        table.clients.push((table[names[index]] = client));
    }
    return table;
}

async function showsWhatItShowed(server, known) {
    for (const {room, tokens, version, state, moves, events} of Object.values(known)) {
        const client = await Client.open(server, {token: tokens[0]});
        await takeSeat(client, room, 'any');
        const snapshot = await client.done({type: 'sync', room});
        const history = await client.done({type: 'history', room, from: 1, to: 200});
        assertHolds(history.events.slice(0, events.length), events, `the events of ${room}`);
        // The server's own bot may have moved meanwhile.
        if (snapshot.version === version) assertHolds({...snapshot, moves: snapshot.moves ?? moves}, {version, state, moves}, `room ${room}`);
        await client.end();
    }
}

async function playsOn(server, {waiting, playing, finished, own, bot}) {
    const going = await comeBack(server, playing, ['white', 'black']);
    await going.black.done({type: 'action', room: going.room, kind: 'draw.decline'});
    await playMoves(going, 'g1f3 b8c6');
    const stranger = await Client.open(server);
    await takeSeat(stranger, waiting.room, 'white');
    await stranger.done({type: 'move', room: waiting.room, move: {from: 'e2', to: 'e4'}});
    const race = await comeBack(server, own, RACE.players);
    await race[RACE.players[1]].done({type: 'move', room: race.room, move: {from: 'κ2', to: 'κ5'}});
    const over = await comeBack(server, finished, ['white', 'black']);
    await over.white.done({type: 'action', room: over.room, kind: 'rematch.accept'});
    const beside = await comeBack(server, bot, ['white']);
    await beside.white.settle();
    for (const table of [going, race, over, beside]) await Promise.all(table.clients.map(client => client.end()));
    await stranger.end();
}

for (const [name, url] of [['SQLite', undefined], ['PostgreSQL', postgres]]) {
    const skip = name === 'PostgreSQL' && !postgres && 'SENET_TEST_POSTGRES names no PostgreSQL';
    const folder = new URL(`tests/server/upgrade/${name === 'SQLite' ? 'sqlite' : 'postgres'}/`, root);
    const migrations = readdirSync(new URL(`server/store/migrations/${name === 'SQLite' ? 'sqlite' : 'postgres'}/`, root)).length;

    test(`${name}: there is a database of every earlier schema`, () => {
        for (let schema = 1; schema < migrations; schema++) {
            const file = new URL(`${String(schema).padStart(4, '0')}.sql`, folder);
            assert.ok(existsSync(file), `${file.pathname} is missing: node tests/server/upgrade/write.mjs with the program of schema ${schema}`);
        }
    });

    for (const file of readdirSync(folder).filter(file => file.endsWith('.sql')))
        test(`${name}: a database of schema ${Number(file.slice(0, 4))} opens, shows what it showed, and plays on`, {skip, timeout: 300000}, async () => {
            const server = new Server(['--prune-every-s', '0'], {postgres: url});
            const known = JSON.parse(readFileSync(new URL(file.replace('.sql', '.json'), folder)));
            try {
                load(server, new URL(file, folder));
                assert.equal(schemaOf(server), Number(file.slice(0, 4)));
                await server.start();
                assert.equal(schemaOf(server), migrations);
                // Of games with clocks somebody has to find out whose flag falls when.
                const due = server.sql('SELECT id FROM room WHERE due_at IS NOT NULL').split('\n').filter(Boolean);
                assert.deepEqual(due, known.timed ? [known.timed.room] : []);
                await showsWhatItShowed(server, known);
                await playsOn(server, known);
                await server.stop('SIGKILL');
                await server.start(); // what it has become opens as well
                const client = await Client.open(server, {token: known.playing.tokens[0]});
                const {moves} = await takeSeat(client, known.playing.room, 'any');
                assert.equal(moves.length, known.playing.moves.length + 2);
                await client.end();
            } finally {
                await server.remove();
            }
        });

    test(`${name}: a newer database is refused with words, and left alone`, {skip, timeout: 300000}, async () => {
        const server = new Server(['--prune-every-s', '0'], {postgres: url});
        const set = schema => server.sql(server.postgres ? `UPDATE senet_schema SET version = ${schema}` : `PRAGMA user_version = ${schema}`);
        try {
            await server.start();
            await server.stop();
            set(migrations + 7);
            await assert.rejects(server.start(), /the server ended: 1/);
            const {message} = server.lines.find(({fact}) => fact === 'cannot_open_store');
            assert.match(message, new RegExp(`written by a newer server \\(schema ${migrations + 7}, this one knows up to ${migrations}\\)`));
            assert.match(message, /start that one, or restore an older copy/);
            assert.equal(schemaOf(server), migrations + 7);
            set(migrations);
            await server.start();
            assert.equal((await server.stop()).code, 0);
        } finally {
            await server.remove();
        }
    });
}
