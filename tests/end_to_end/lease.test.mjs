// Several servers on one PostgreSQL: all of them serve every room, and whatever becomes of one of them, what was
// acknowledged is in the log once and in order, and all see the same.
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
import {Wire} from '../support/wire.mjs';

const {Client: SenetClient} = await import(new URL('../../protocol/clients/javascript/senet.js', import.meta.url));

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
async function withServers(count, leaseMs, work, ...more) {
    const servers = [];
    try {
        for (let i = 0; i < count; i++) {
            const port = await freePort();
            const flags = ['--lease-ms', `${leaseMs}`, '--advertise', `http://127.0.0.1:${port}`, ...more];
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

test('a server is killed, and play goes on at another one', needs, async () => {
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

test('who plays at a server that stands still goes on at another one, where no proxy cuts him off', needs, async () => {
    await withServers(
        2,
        600000,
        async (a, b) => {
            let to = a; // where a balancer sends whoever comes; it leaves those who are there alone
            const wire = await new Wire(() => to.port).open();
            const players = [0, 1].map(() => new SenetClient(`http://127.0.0.1:${wire.port}`, {WebSocket}));
            const [ada, bob] = players;
            try {
                const {room} = await ada.request({type: 'create', game: 'chess'});
                await ada.join(room, {seat: 'white'});
                await bob.join(room, {seat: 'black'});
                await until(() => ada.mustMove && bob.state?.status === 'playing', 'both are there');
                to = b;
                a.signal('SIGSTOP');
                await until(() => players.every(({connection}) => connection.status.is !== 'online'), 'both have left it');
                await ada.move({from: 'e2', to: 'e4'});
                await until(() => bob.mustMove, 'it was shown');
                await bob.move({from: 'e7', to: 'e5'});
                a.signal('SIGCONT');
                assert.equal(b.sql(`select count(*) from event where room = '${room}' and kind = 'moved'`), '2');
            } finally {
                for (const player of players) player.close();
                wire.close();
            }
        },
        '--player-heartbeat-ms',
        '300',
    );
});

test('whoever was killed and is started again at once goes on at once, however long its lease was', needs, async () => {
    await withServers(2, 600000, async (a, b) => {
        let tables = [];
        try {
            tables = await sitDown(a, 2, patient);
            await allPlayOn(tables, 'play before the kill');
            await a.stop('SIGKILL');
            await a.start();
            await allPlayOn(tables, 'play goes on where it was');
            const eve = await watch(b, tables[0].room);
            await finish(a, tables);
            const {room} = tables[0];
            const last = Number(a.sql(`select version from room where id = '${room}'`));
            await until(async () => (await eve.done({type: 'sync', room})).version === last, 'who watches at the other server sees all of it');
            await eve.end();
        } finally {
            for (const table of tables) table.close();
        }
    });
});

test('a player comes back to another server, which has seen less than he has', needs, async () => {
    await withServers(2, 600000, async (a, b) => {
        const ada = await Client.open(a);
        const {room} = await ada.done({type: 'create', game: 'chess'});
        await ada.done({type: 'join', room, seat: 'all'});
        const eve = await watch(b, room); // so that the room is in the memory of both
        await ada.done({type: 'move', room, move: {from: 'e2', to: 'e4'}});
        const again = await Client.open(b, {token: ada.token});
        assert.equal((await again.done({type: 'resume', room, version: 3})).version, 3);
        await again.done({type: 'join', room, seat: 'any'});
        await again.done({type: 'move', room, move: {from: 'e7', to: 'e5'}});
        const {code} = await a.stop();
        assert.equal(code, 0);
        assert.equal((await ada.closed).code, 1012);
        await again.done({type: 'move', room, move: {from: 'g1', to: 'f3'}});
        assert.equal((await eve.next({type: 'event', room, kind: 'moved', version: 5})).version, 5);
        await eve.end();
        await again.end();
        expectOrderedEpochs(b);
    });
});

test('one room is written to from three servers at once, and nothing is lost, doubled or refused', needs, async t => {
    const count = 40;
    await withServers(3, 600000, async (...servers) => {
        const [first] = servers;
        const ada = await Client.open(first);
        const {room} = await ada.done({type: 'create', game: 'chess'});
        await ada.done({type: 'join', room, seat: 'all'});
        const clients = await Promise.all(servers.map(server => Client.open(server, {token: ada.token})));
        for (const client of clients) await client.done({type: 'join', room, seat: 'any'});
        const speak = async (client, name) => {
            const versions = [];
            for (let i = 0; i < count; i++) {
                const asked = performance.now();
                const answer = await client.ask({type: 'chat', room, text: `${name} ${i}`});
                // Who loses too many races is told so, and says it again.
                if (answer.type === 'ack') versions.push(answer.version);
                else assert.equal(answer.code, 'unavailable', JSON.stringify(answer)), i--, unavailable++;
                took.push(performance.now() - asked);
            }
            return versions;
        };
        const took = [], began = performance.now();
        let unavailable = 0;
        const versions = (await Promise.all(clients.map((client, i) => speak(client, `server ${i}`)))).flat();
        const seconds = (performance.now() - began) / 1000;
        took.sort((a, b) => a - b);
        t.diagnostic(`${Math.round(versions.length / seconds)} events/s, answered after ${Math.round(took[took.length >> 1])} ms in the median, 99 % within ${Math.round(took[Math.floor(took.length * 0.99)])} ms; ${unavailable} had to be said again`);
        assert.equal(new Set(versions).size, 3 * count);
        const said = first.sql(`select count(*), count(distinct body) from event where room = '${room}' and kind = 'chat'`);
        assert.equal(said, `${3 * count}|${3 * count}`);
        expectOrderedEpochs(first);
        const states = await Promise.all(
            clients.map(async client => {
                let snapshot;
                await until(async () => (snapshot = await client.done({type: 'sync', room})).version === 2 + 3 * count, 'all servers have all of it');
                return snapshot.hash;
            }),
        );
        assert.equal(new Set(states).size, 1);
        for (const client of [ada, ...clients]) await client.end();
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

// A `senet bot`, with what it said and how it ended.
function startBot(url, ...flags) {
    const bot = {process: spawn(program, ['bot', url, ...flags], {stdio: ['ignore', 'ignore', 'pipe']}), said: ''};
    bot.process.stderr.setEncoding('utf8').on('data', text => (bot.said += text));
    bot.ended = once(bot.process, 'exit').then(([code]) => code);
    return bot;
}

async function comeBack(server, token, room) {
    const client = await Client.open(server, {token});
    await client.done({type: 'join', room, seat: 'any'});
    return client;
}

async function moveAndHearAnAnswer(client, room) {
    const {moves} = await client.done({type: 'legal_moves', room});
    await client.done({type: 'move', room, move: moves[0]});
    await client.next({type: 'event', room, kind: 'moved', seat: 'black'});
}

test('a bot plays at another server than whoever plays against it, and after that one is gone', {...needs, timeout: 2 * WITHIN_MS}, async () => {
    await withServers(2, LEASE_MS, async (a, b) => {
        let ada = await Client.open(a);
        const {token} = ada;
        const {room} = await ada.done({type: 'create', game: 'chess'});
        await ada.done({type: 'join', room, seat: 'white'});
        const bot = startBot(`${b.url}/room/${room}`);
        try {
            await ada.next({type: 'event', room, kind: 'joined', seat: 'black'});
            await moveAndHearAnAnswer(ada, room);
            await a.stop('SIGKILL');
            ada = await comeBack(b, token, room);
            await moveAndHearAnAnswer(ada, room);
            await a.start();
            ada = await comeBack(a, token, room);
            await moveAndHearAnAnswer(ada, room);
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
