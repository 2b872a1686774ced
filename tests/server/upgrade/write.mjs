// Writes the fixtures of the schema that a program knows, for the day when it is an older one: a server plays a few
// rooms and is killed, and what it kept is dumped as SQL, with what its players knew beside it.
//
//     SENET_PROGRAM=build/release/senet SENET_TEST_POSTGRES=postgresql://… node tests/server/upgrade/write.mjs
//
// To be run, and its files committed, before a migration is added; tests/end_to_end/upgrade.test.mjs reads them.
import {execFileSync} from 'node:child_process';
import {mkdirSync, writeFileSync} from 'node:fs';
import {Client} from '../../support/client.mjs';
import {Server} from '../../support/server.mjs';
import {playMoves, RACE, setTable, SHORT_GAME} from '../../support/table.mjs';

const POCKET = JSON.stringify({...RACE, title: 'A short race'});

async function play(server) {
    const waiting = await setTable(server, {seats: ['black']});
    const playing = await setTable(server, {watch: true});
    const finished = await setTable(server);
    const own = await setTable(server, {create: {definition: JSON.parse(POCKET), visibility: 'private'}, seats: RACE.players});
    const bot = await setTable(server, {create: {game: 'checkers'}, seats: ['white']});
    const timed = await setTable(server, {create: {game: 'chess', clock: {initial_ms: 20000}}});
    await playMoves(timed, 'e2e4 e7e5');
    await playMoves(playing, 'e2e4 e7e5');
    await playing.spectator.done({type: 'chat', room: playing.room, text: 'kept'});
    await playing.white.done({type: 'action', room: playing.room, kind: 'draw.offer'});
    await playMoves(finished, SHORT_GAME);
    await finished.black.done({type: 'action', room: finished.room, kind: 'rematch.offer'});
    await playMoves(own, 'κ1-κ4', RACE.players);
    await bot.white.done({type: 'action', room: bot.room, kind: 'bot.invite'});
    const tables = {waiting, playing, finished, own, bot, timed}, known = {};
    for (const [name, {room, clients, spectator}] of Object.entries(tables)) {
        const [first] = clients;
        const {version, state, moves} = await first.done({type: 'sync', room});
        const {events} = await first.done({type: 'history', room, from: 1, to: 200});
        const seated = clients.filter(client => client !== spectator);
        known[name] = {room, tokens: seated.map(({token}) => token), version, state, moves, events};
    }
    return known;
}

function dump(server) {
    if (server.postgres) {
        const text = execFileSync('pg_dump', ['--no-owner', '--no-privileges', server.store]).toString();
        // What only the newest psql understands, and nothing here needs.
        return text.split('\n').filter(line => !/^\\(un)?restrict /.test(line)).join('\n');
    }
    const numbers = ['application_id', 'user_version'].map(name => `PRAGMA ${name} = ${server.sql(`PRAGMA ${name}`)};\n`);
    return numbers.join('') + execFileSync('sqlite3', [server.database, '.dump']).toString();
}

for (const postgres of [undefined, process.env.SENET_TEST_POSTGRES]) {
    const server = new Server(['--bot-think-ms', '0'], {postgres});
    try {
        await server.start();
        const known = await play(server);
        await server.stop('SIGKILL'); // so that what was played last lies where it is put first
        const schema = server.sql(server.postgres ? 'SELECT version FROM senet_schema' : 'PRAGMA user_version').padStart(4, '0');
        const folder = new URL(server.postgres ? 'postgres/' : 'sqlite/', import.meta.url);
        mkdirSync(folder, {recursive: true});
        writeFileSync(new URL(`${schema}.sql`, folder), dump(server));
        writeFileSync(new URL(`${schema}.json`, folder), JSON.stringify(known, null, 1) + '\n');
        console.log(`${server.postgres ? 'postgres' : 'sqlite'}/${schema}: ${Object.keys(known).length} rooms`);
    } finally {
        await server.remove();
    }
}
process.exit();
