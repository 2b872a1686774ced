// Several servers on one PostgreSQL: a room is played by one of them at a time, and whatever becomes of that one, what was
// acknowledged is in the log once, in order, and nothing of a former owner's comes after.
//
// SENET_TEST_POSTGRES is the database's URL, as tests/run sets it. SENET_LEASE_ROUNDS says how often a server is stopped.
import assert from 'node:assert/strict';
import {spawn, spawnSync} from 'node:child_process';
import {once} from 'node:events';
import {createServer} from 'node:net';
import test from 'node:test';
import {Client, WebSocket} from '../support/client.mjs';
import {random, seed, sitDown} from '../support/load.mjs';
import {program, Server} from '../support/server.mjs';
import {Connection} from '../../server/web/connection.js';

const postgres = process.env.SENET_TEST_POSTGRES;
const rounds = Number(process.env.SENET_LEASE_ROUNDS ?? 4);
const LEASE_MS = 1500;
const WITHIN_MS = 60000; // against hanging; nothing is measured by it

const wait = ms => new Promise(resolve => setTimeout(resolve, ms));

async function until(condition, words, within = WITHIN_MS) {
    for (const end = Date.now() + within; !(await condition()); await wait(10))
        assert.ok(Date.now() < end, `not in ${within} ms: ${words}`);
}

async function freePort() {
    const listener = createServer().listen(0, '127.0.0.1');
    await once(listener, 'listening');
    const {port} = listener.address();
    listener.close();
    await once(listener, 'close');
    return port;
}

// Servers on one database, each knowing its own URL; ended when `work` is.
async function withServers(count, leaseMs, work) {
    const servers = [];
    try {
        for (let i = 0; i < count; i++) {
            const port = await freePort();
            const flags = ['--lease-ms', `${leaseMs}`, '--advertise', `http://127.0.0.1:${port}`];
            const server = new Server(flags, i === 0 ? {postgres} : {beside: servers[0]});
            server.port = port;
            servers.push(server);
            await server.start();
        }
        await work(...servers);
    } finally {
        // The first one has the database.
        for (const server of servers) server.signal('SIGCONT');
        for (const server of servers.reverse()) await server.remove();
    }
}

function expectOrderedEpochs(server) {
    const back = 'select count(*) from (select epoch < lag(epoch) over (partition by room order by version) as back from event) e where back';
    assert.equal(server.sql(back), '0', 'no event of an old epoch comes after one of a newer epoch');
    const gaps = 'select count(*) from (select room from event group by room having count(*) <> max(version)) g';
    assert.equal(server.sql(gaps), '0', 'versions have no gap');
    const twice = "select count(*) from (select 1 from event where command <> '' group by room, client, command having count(*) > 1) t";
    assert.equal(server.sql(twice), '0', 'no command made two events');
}

// All tables have had a move acknowledged since.
async function allPlayOn(tables, words) {
    const before = tables.map(table => table.moves);
    await until(() => {
        for (const table of tables) if (table.failure) throw table.failure;
        return tables.every((table, i) => table.moves > before[i]);
    }, words);
}

async function finish(server, tables) {
    await Promise.all(tables.map(table => table.rest()));
    await Promise.all(tables.map(table => table.check()));
    expectOrderedEpochs(server);
    const acknowledged = tables.reduce((sum, table) => sum + table.moves, 0);
    assert.equal(Number(server.sql("select count(*) from event where kind = 'moved'")), acknowledged, 'the acknowledged moves are in the log, and no others');
}

async function watch(server, room) {
    const client = await Client.open(server);
    await client.done({type: 'join', room, seat: 'spectator'});
    return client;
}

const patient = {patient: true, record: 'lease'};

const needs = {skip: !postgres && 'SENET_TEST_POSTGRES names no PostgreSQL'};

test(`a server is stopped past its lease and goes on later, ${rounds} times (seed ${seed})`, needs, async t => {
    await withServers(2, LEASE_MS, async (a, b) => {
        let tables = [];
        try {
            const movers = await sitDown(a, 4, patient);
            tables = [...movers];
            const stayers = await sitDown(a, 2, patient);
            tables.push(...stayers);
            for (let round = 0; round < rounds; round++) {
                const [old, next] = round % 2 === 0 ? [a, b] : [b, a];
                await allPlayOn(movers, `round ${round}: play before the stop`);
                const watchers = await Promise.all(movers.map(table => watch(old, table.room).catch(() => null)));
                await wait(random(300));
                for (const player of movers.flatMap(table => table.players)) player.closes = [];
                old.signal('SIGSTOP');
                // Who was just coming back has nothing to lose.
                const players = movers.flatMap(table => table.players).filter(player => player.turnTo(next));
                assert.ok(players.length > 0);
                await wait(1.2 * LEASE_MS); // and what the old one has said before has arrived
                await allPlayOn(movers, `round ${round}: play goes on at the other server`);
                old.signal('SIGCONT');
                const closedByOld = player => player.closes.filter(({port}) => port === old.port);
                await until(() => players.every(player => closedByOld(player).length > 0), `round ${round}: the old server closes its clients`);
                for (const player of players)
                    assert.deepEqual(closedByOld(player).at(-1), {port: old.port, code: 1012, reason: 'moved'});
                for (const watcher of watchers) if (watcher) assert.deepEqual(await watcher.closed, {code: 1012, reason: 'moved'});
                assert.ok(old.lines.some(({fact}) => fact === 'lease_lost'));
                await allPlayOn(tables, `round ${round}: both servers play`);
                await Promise.all(movers.map(table => table.check()));
                expectOrderedEpochs(a);
                t.diagnostic(`round ${round}: ${movers.reduce((sum, {moves}) => sum + moves, 0)} moves of those who moved, ${stayers.reduce((sum, {moves}) => sum + moves, 0)} of those who stayed`);
            }
            await finish(a, tables);
        } finally {
            for (const table of tables) table.close();
        }
    });
});

test('a server is killed, and another one takes its rooms over when the lease is over', needs, async () => {
    await withServers(2, LEASE_MS, async (a, b) => {
        let tables = [];
        try {
            tables = await sitDown(a, 4, patient);
            await allPlayOn(tables, 'play before the kill');
            await a.stop('SIGKILL');
            for (const player of tables.flatMap(table => table.players)) player.turnTo(b);
            await allPlayOn(tables, 'play goes on at the other server');
            await a.start();
            await allPlayOn(tables, 'and when the first is there again');
            await finish(b, tables);
        } finally {
            for (const table of tables) table.close();
        }
    });
});

test('whoever was killed and is started again at once has its rooms at once, however long its lease was', needs, async () => {
    await withServers(2, 600000, async (a, b) => {
        let tables = [];
        try {
            tables = await sitDown(a, 2, patient);
            await allPlayOn(tables, 'play before the kill');
            await a.stop('SIGKILL');
            await a.start();
            await allPlayOn(tables, 'play goes on where it was');
            const eve = await Client.open(b);
            const {url, retry_ms} = await eve.refused({type: 'join', room: tables[0].room, seat: 'spectator'}, 'moved');
            assert.equal(url, a.url);
            assert.ok(retry_ms > 0);
            await eve.end();
            await finish(a, tables);
        } finally {
            for (const table of tables) table.close();
        }
    });
});

test('a server that is asked to end hands its rooms over at once', needs, async () => {
    await withServers(2, 600000, async (a, b) => {
        const ada = await Client.open(a);
        const {room} = await ada.done({type: 'create', game: 'chess'});
        await ada.done({type: 'join', room, seat: 'all'});
        await ada.done({type: 'move', room, move: {from: 'e2', to: 'e4'}});
        const early = await Client.open(b, {token: ada.token});
        for (const command of [{type: 'resume', room, version: 3}, {type: 'history', room, from: 1, to: 3}, {type: 'join', room, seat: 'any'}])
            assert.equal((await early.refused(command, 'moved')).url, a.url);
        const {code} = await a.stop();
        assert.equal(code, 0);
        assert.equal((await ada.closed).code, 1012);
        await early.done({type: 'resume', room, version: 0});
        await early.done({type: 'move', room, move: {from: 'e7', to: 'e5'}});
        await early.end();
        expectOrderedEpochs(b);
    });
});

test('two servers are asked for the same rooms at once, and each room goes to one of them', needs, async () => {
    const count = 20;
    await withServers(3, 600000, async (maker, a, b) => {
        const ada = await Client.open(maker);
        const rooms = [];
        for (let i = 0; i < count; i++) rooms.push((await ada.done({type: 'create', game: 'chess'})).room);
        await maker.stop();
        const clients = [await Client.open(a), await Client.open(b)];
        const servers = [a, b];
        const answers = await Promise.all(
            rooms.flatMap(room => clients.map(client => client.ask({type: 'history', room, from: 1, to: 1}))),
        );
        for (let i = 0; i < count; i++) {
            const pair = answers.slice(2 * i, 2 * i + 2);
            const owner = pair.findIndex(({type}) => type === 'history');
            assert.ok(owner >= 0, `one has room ${i}: ${JSON.stringify(pair)}`);
            assert.equal(pair[1 - owner].code, 'moved');
            assert.equal(pair[1 - owner].url, servers[owner].url);
        }
        for (const client of clients) await client.end();
    });
});

test('the lobby shows the rooms of all servers', needs, async () => {
    await withServers(2, LEASE_MS, async (a, b) => {
        const ada = await Client.open(a);
        const {room} = await ada.done({type: 'create', game: 'chess'});
        const listed = async () => (await (await fetch(`${b.url}/api/v1/rooms`)).json()).rooms.find(other => other.room === room);
        await until(async () => (await listed())?.status === 'waiting', 'the room is listed by the other server');
        await ada.done({type: 'join', room, seat: 'white', name: 'Ada'});
        await until(async () => (await listed())?.seats.white === 'Ada', 'who sits there is listed');
        const bob = await Client.open(a);
        await bob.done({type: 'join', room, seat: 'black', name: 'Bob'});
        await until(async () => (await listed())?.status === 'playing', 'that they play is listed');
        await ada.done({type: 'action', room, kind: 'resign'});
        await until(async () => (await listed()) === undefined, 'it is listed no more when it is over');
        await bob.end();
        await ada.end();
    });
});

test('rooms that leave memory are free for other servers', needs, async () => {
    await withServers(2, 600000, async (a, b) => {
        a.flags.push('--room-idle-ms', '100');
        await a.stop();
        await a.start();
        const ada = await Client.open(a);
        const {room} = await ada.done({type: 'create', game: 'chess'});
        const bob = await Client.open(b);
        await until(async () => (await bob.ask({type: 'history', room, from: 1, to: 1})).type === 'history', 'the room is given back');
        await ada.refused({type: 'history', room, from: 1, to: 1}, 'moved');
        await ada.end();
        await bob.end();
    });
});

test("the page's connection goes where its room is, and comes home when that server is gone", needs, async () => {
    // As in a browser, an error that nobody listens to harms nobody.
    globalThis.WebSocket = class extends WebSocket {
        constructor(...given) {
            super(...given);
            this.on('error', () => {});
        }
    };
    await withServers(2, LEASE_MS, async (a, b) => {
        const ada = await Client.open(a);
        const {room} = await ada.done({type: 'create', game: 'chess'});
        await ada.done({type: 'join', room, seat: 'white'});
        const storage = new Map();
        const shown = [];
        let welcomes = 0;
        const connection = new Connection(
            `ws://127.0.0.1:${b.port}/ws`,
            {getItem: key => storage.get(key) ?? null, setItem: (key, value) => storage.set(key, value), removeItem: key => storage.delete(key)},
            {onWelcome: () => void welcomes++, onFrame: frame => shown.push(frame), onTrouble() {}, onStatus() {}},
        );
        try {
            connection.open();
            await connection.request({type: 'join', room, seat: 'black'});
            assert.equal(welcomes, 2, 'at home first, then where the room is');
            assert.equal(b.sql(`select count(*) from seat where room = '${room}' and player = '${connection.player}'`), '1');
            await a.stop('SIGKILL');
            const {version} = await connection.request({type: 'resume', room, version: 1});
            assert.equal(version, 3);
            await connection.request({type: 'chat', room, text: 'here again'});
            assert.equal(b.sql(`select max(epoch) > min(epoch) from event where room = '${room}'`), 't');
        } finally {
            connection.close();
            await ada.end();
        }
    });
});

// A `senet bot`, with what it said and how it ended.
function startBot(url, ...flags) {
    const bot = {process: spawn(program, ['bot', url, ...flags], {stdio: ['ignore', 'ignore', 'pipe']}), said: ''};
    bot.process.stderr.setEncoding('utf8').on('data', text => (bot.said += text));
    bot.ended = once(bot.process, 'exit').then(([code]) => code);
    return bot;
}

// Whoever holds the token at the server that has the room, once it has it.
async function comeBack(server, token, room) {
    const client = await Client.open(server, {token});
    await until(async () => (await client.ask({type: 'join', room, seat: 'any'})).type === 'ack', 'the room is to be had there');
    return client;
}

async function moveAndHearAnAnswer(client, room) {
    const {moves} = await client.done({type: 'legal_moves', room});
    await client.done({type: 'move', room, move: moves[0]});
    await client.next({type: 'event', room, kind: 'moved', seat: 'black'});
}

test('a bot goes where its room is, and comes home when that server is gone', {...needs, timeout: 2 * WITHIN_MS}, async () => {
    await withServers(2, LEASE_MS, async (a, b) => {
        let ada = await Client.open(a);
        const {token} = ada;
        const {room} = await ada.done({type: 'create', game: 'chess'});
        await ada.done({type: 'join', room, seat: 'white'});
        const bot = startBot(`${b.url}/room/${room}`);
        try {
            await ada.next({type: 'event', room, kind: 'joined', seat: 'black'});
            assert.ok(bot.said.includes(`the room is at ${a.url}`), bot.said);
            await moveAndHearAnAnswer(ada, room);
            await a.stop('SIGKILL'); // and b has the room when the lease is over
            ada = await comeBack(b, token, room);
            await moveAndHearAnAnswer(ada, room);
            await a.start();
            b.signal('SIGSTOP'); // past its lease
            ada = await comeBack(a, token, room);
            b.signal('SIGCONT');
            await moveAndHearAnAnswer(ada, room);
            assert.match(bot.said, /disconnected .*: moved/); // by 1012, which the library it is made with takes for 1002
            await ada.done({type: 'action', room, kind: 'resign'});
            assert.equal(await bot.ended, 0);
            expectOrderedEpochs(a);
        } finally {
            bot.process.kill('SIGKILL');
        }
    });
});

// Servers that speak only as far as a bot's first question, and name another one as the room's.
async function withLiars(count, work) {
    const asked = [];
    const liars = [];
    for (let i = 0; i < count; i++) {
        const liar = new WebSocket.Server({host: '127.0.0.1', port: 0, handleProtocols: () => 'senet.v1'});
        await once(liar, 'listening');
        liars.push(liar);
        liar.on('connection', socket => {
            const say = frame => socket.send(JSON.stringify(frame));
            say({type: 'hello', protocol: 'senet.v1'});
            socket.on('message', text => {
                const {type, id} = JSON.parse(text);
                if (type === 'auth') return say({type: 'welcome', re: id, player: 'p_1', token: 'secret'});
                asked.push(i);
                const url = `http://127.0.0.1:${liars[(i + 1) % count].address().port}`;
                return say({type: 'error', re: id, code: 'moved', message: 'elsewhere', retry: true, retry_ms: 1000, url});
            });
        });
    }
    try {
        return await work(`http://127.0.0.1:${liars[0].address().port}`, asked);
    } finally {
        for (const liar of liars) {
            for (const socket of liar.clients) socket.terminate();
            liar.close();
        }
    }
}

test('a bot that is sent to and fro gives up', {timeout: WITHIN_MS}, async () => {
    await withLiars(3, async (url, asked) => {
        const bot = startBot(`${url}/room/k3Qd9xZa`, '--hops', '4');
        try {
            assert.equal(await bot.ended, 1);
            assert.deepEqual(asked, [0, 1, 2, 0, 1]);
            assert.match(bot.said, /too often/);
        } finally {
            bot.process.kill('SIGKILL');
        }
    });
});

test('what is advertised has to be a URL', () => {
    for (const url of ['a.example', 'ftp://a.example', 'http://a b', `http://${'a'.repeat(300)}`]) {
        const {status, stderr} = spawnSync(program, ['serve', '--listen', '127.0.0.1:0', '--advertise', url], {timeout: 120000});
        assert.equal(status, 2, url);
        assert.match(stderr.toString(), /--advertise/);
    }
});
