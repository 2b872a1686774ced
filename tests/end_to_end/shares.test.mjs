// Limits of an address: a school class behind one plays undisturbed, and behind a proxy everybody is counted for himself.
import assert from 'node:assert/strict';
import {Agent, get} from 'node:http';
import test from 'node:test';
import {Client} from '../support/client.mjs';
import {Server} from '../support/server.mjs';
import {playMoves, setTable, SHORT_GAME} from '../support/table.mjs';

const record = 'shares';

async function metric(server, name) {
    const text = await (await fetch(`${server.url}/metrics`)).text();
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
    const more = ['/room.js', '/lobby.js', '/board.js', '/connection.js', '/dom.js', '/state.js'];
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
    await Promise.all([...class1, other, ...far].map(client => client.end()));
});
