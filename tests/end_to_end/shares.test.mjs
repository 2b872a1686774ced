// Limits of an address: a school class behind one plays undisturbed, and behind a proxy everybody is counted for himself.
import assert from 'node:assert/strict';
import {Agent, get} from 'node:http';
import test from 'node:test';
import {Client} from '../support/client.mjs';
import {Server} from '../support/server.mjs';
import {playMoves, setTable, SHORT_GAME} from '../support/table.mjs';

const record = 'shares';

async function metric(server, name, url = server.url) {
    const text = await (await fetch(`${url}/metrics`)).text();
    return Number(new RegExp(`^senet_${name.replace(/[{}]/g, '\\$&')} (\\d+)$`, 'm').exec(text)[1]);
}

// As a browser does, over six connections of its own.
async function loadPage(server) {
    const agent = new Agent({keepAlive: true, maxSockets: 6});
    const load = path =>
        new Promise((resolve, reject) => {
            get({agent, port: server.port, host: '127.0.0.1', path}, answer => {
                let text = '';
                answer.setEncoding('utf8').on('data', part => (text += part));
                answer.on('end', () => resolve({status: answer.statusCode, text}));
            }).on('error', reject);
        });
    const {status, text} = await load('/');
    assert.equal(status, 200);
    const paths = [...text.matchAll(/(?:src|href)="(\/?[\w./-]+\.(?:js|css|svg))"/g)].map(([, path]) => path.replace(/^\/?/, '/'));
    assert.ok(paths.length > 0);
    const more = ['/room.js', '/lobby.js', '/board.js', '/senet.js', '/dom.js', '/words.js'];
    for (const {status} of await Promise.all([...paths, ...more, '/api/v1/games', '/api/v1/rooms'].map(load))) assert.equal(status, 200);
    agent.destroy();
}

test('forty pupils at twenty tables behind one address play to the end without one refusal', async t => {
    const server = new Server(['--limit-loopback', '--bot-think-ms', '0']);
    await server.start();
    t.after(() => server.remove());
    await Promise.all(Array.from({length: 40}, () => loadPage(server)));
    const tables = await Promise.all(Array.from({length: 20}, () => setTable(server, {record})));
    await Promise.all(
        tables.map(async table => {
            await playMoves(table, SHORT_GAME);
            const {room, white, black} = table;
            await white.done({type: 'chat', room, text: 'well played'});
            await white.done({type: 'action', room, kind: 'rematch.offer'});
            await black.done({type: 'action', room, kind: 'rematch.accept'});
            await Promise.all(table.clients.map(client => client.settle()));
            for (const client of table.clients) assert.equal(client.rooms.get(room).state.status, 'finished');
            await white.done({type: 'seat_key', room});
        }),
    );
    // And everybody against a bot of the server's.
    await Promise.all(
        tables.flatMap(({clients}) => clients).map(async client => {
            const {room} = await client.done({type: 'create', game: 'chess', visibility: 'private'});
            await client.done({type: 'join', room, seat: 'white'});
            await client.done({type: 'action', room, kind: 'bot.invite'});
        }),
    );
    assert.equal(await metric(server, 'refusals_total'), 0);
    for (const name of ['refused_address_total', 'refused_full_total', 'gave_way_total', 'makings_refused_total', 'house_bots_refused_total'])
        assert.equal(await metric(server, name), 0, name);
    await Promise.all(tables.map(({end}) => end()));
});

test('behind a proxy everybody is counted for the address it says', async t => {
    const server = new Server(['--trust-forwarded', '--address-connections', '4', '--address-rooms-burst', '8']);
    await server.start();
    t.after(() => server.remove());
    const from = address => ({headers: {'x-forwarded-for': `198.51.100.1, ${address}`}});
    const class1 = await Promise.all(Array.from({length: 4}, () => Client.open(server, from('203.0.113.1'))));
    const fifth = new Client(server, from('203.0.113.1'));
    assert.notEqual((await fifth.closed).code, 1000);
    const other = await Client.open(server, from('203.0.113.2'));
    const far = await Promise.all([1, 2].map(host => Client.open(server, from(`2001:db8:0:1::${host}`))));
    for (const client of class1) for (let i = 0; i < 2; i++) await client.done({type: 'create', game: 'chess'});
    const {retry_ms} = await class1[0].refused({type: 'create', game: 'chess'}, 'rate_limited');
    assert.ok(retry_ms > 0);
    assert.equal(await metric(server, 'refusals_by_code_total{code="rate_limited"}'), 1);
    await other.done({type: 'create', game: 'chess'});
    for (const client of far) await client.done({type: 'create', game: 'chess'});
    assert.equal(await metric(server, 'refused_address_total'), 1);
    assert.equal(await metric(server, 'addresses'), 4, 'two of IPv4, a /64 and its /56');
    await Promise.all([...class1, other, ...far].map(client => client.end()));
});

// Addresses by a proxy's word; the header of the host is the visitor's own word, and the page says it back.
async function getFrom(server, address, path, headers = {}) {
    const answer = await fetch(server.url + path, {headers: {'X-Forwarded-For': address, ...headers}});
    return {
        status: answer.status,
        retryAfter: Number(answer.headers.get('retry-after')),
        coding: answer.headers.get('content-encoding'),
        length: Number(answer.headers.get('content-length')),
        etag: answer.headers.get('etag'),
        text: await answer.text(),
    };
}

const BYTES_OF_THOUSANDTH = 200, PAGE_COST = 200;
const ofBytes = length => Math.floor(length / BYTES_OF_THOUSANDTH);

test('a file, and a page that is kept, costs by its bytes (a page a little more), whichever room it is for; one that owes is told when to come again', async t => {
    const server = new Server(['--trust-forwarded', '--address-commands-per-second', '1', '--address-commands-burst', '100', '--metrics-listen', '127.0.0.1:0']);
    await server.start();
    t.after(() => server.remove());
    const {metrics_url} = server.lines.find(({fact}) => fact === 'listening');
    const cost = async work => {
        const before = await metric(server, 'cost_total', metrics_url);
        await work();
        return (await metric(server, 'cost_total', metrics_url)) - before;
    };
    const rooms = Array.from({length: 20}, (_, i) => `/room/nobody${i}`);
    await getFrom(server, '203.0.113.9', rooms[0]);
    await getFrom(server, '203.0.113.9', rooms[0]); // kept, and compressed
    const style = await getFrom(server, '203.0.113.9', '/style.css');
    assert.ok(style.status === 200 && style.length > 1000);
    const file = await cost(() => getFrom(server, '203.0.113.9', '/style.css', {'If-None-Match': style.etag}));
    assert.ok(file > 0);
    assert.equal(await cost(() => getFrom(server, '203.0.113.9', '/style.css')), file + ofBytes(style.length), 'each byte that goes out is paid for');
    assert.equal(await cost(() => getFrom(server, '203.0.113.9', '/nothing')), file, 'and what is not there costs no bytes');
    let bytes = 0;
    assert.equal(await cost(async () => {
        for (const room of rooms) {
            const {status, coding, length} = await getFrom(server, '203.0.113.9', room);
            assert.equal(status, 200);
            assert.ok(coding, 'it is compressed');
            bytes += ofBytes(length);
        }
    }), rooms.length * (file + PAGE_COST) + bytes);
    // Hosts that are invented: every page is another one, and paid for until nothing is left.
    let said, asked = 0;
    do said = await getFrom(server, '203.0.113.10', '/', {'X-Forwarded-Host': `host${asked++}.example`});
    while (said.status === 200 && said.text.includes(`http://host${asked - 1}.example/`) && asked < 400);
    assert.equal(said.status, 429);
    assert.ok(asked > 20, `${asked} pages`);
    assert.ok(said.retryAfter >= 1 && said.retryAfter <= 10, `in ${said.retryAfter} s`);
    assert.equal((await getFrom(server, '203.0.113.10', '/style.css')).status, 200, 'what a page needs is still there');
    assert.equal((await getFrom(server, '203.0.113.11', '/')).status, 200, 'nobody else is refused');
    // Who goes on and on with files owes more and more.
    for (asked = 0; said.status !== 429 || asked === 0; asked++) {
        said = await getFrom(server, '203.0.113.10', '/style.css');
        assert.ok(asked < 400);
    }
    assert.ok(asked > 5 && said.retryAfter > 10, `after ${asked}, in ${said.retryAfter} s`);
});

test('figures are charged to who asks for them, and operators are not disturbed', async t => {
    const server = new Server(['--trust-forwarded', '--address-commands-per-second', '1', '--address-commands-burst', '100']);
    const apart = new Server(['--limit-loopback', '--address-commands-per-second', '1', '--address-commands-burst', '100', '--metrics-listen', '127.0.0.1:0']);
    await Promise.all([server.start(), apart.start()]);
    t.after(() => Promise.all([server.remove(), apart.remove()]));
    let asked = 0, said;
    do said = await getFrom(server, '203.0.113.20', '/metrics');
    while (said.status === 200 && ++asked < 200);
    assert.equal(said.status, 429, `after ${asked}`);
    assert.ok(asked >= 15 && said.retryAfter >= 10, `after ${asked}, in ${said.retryAfter} s`);
    assert.equal((await getFrom(server, '203.0.113.20', '/healthz')).status, 200, 'whether it is well, everybody may ask');
    assert.equal((await getFrom(server, '203.0.113.21', '/metrics')).status, 200, 'nobody else is refused');
    // At an address of its own it is the operators', however often they look.
    const {metrics_url} = apart.lines.find(({fact}) => fact === 'listening');
    for (let i = 0; i < 100; i++) assert.ok(Number.isFinite(await metric(apart, 'cost_total', metrics_url)));
});
