// Pictures for figures: brought over HTTP, made harmless, given out under what they are, on both stores. What was
// acknowledged is there after a kill -9; what no game names goes, and what one names stays.
//
// On SQLite, and on PostgreSQL where there is one (SENET_TEST_POSTGRES is its URL, as tests/run sets it).
import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import {createHash, randomBytes} from 'node:crypto';
import {request} from 'node:http';
import test from 'node:test';
import {crc32, deflateSync} from 'node:zlib';
import {program, Server} from '../support/server.mjs';
import {makeRace, setTable} from '../support/table.mjs';

const newToken = () => randomBytes(32).toString('base64url');
const svg = (inside = '') => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8">${inside}</svg>`;
const disc = colour => svg(`<circle cx="4" cy="4" r="3" fill="${colour}"/>`);

function chunk(type, data) {
    const body = Buffer.concat([Buffer.from(type), data]), ends = Buffer.alloc(8);
    ends.writeUInt32BE(data.length, 0);
    ends.writeUInt32BE(sum(body), 4);
    return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
}

// zlib.crc32 is not in every Node that runs these tests.
function sum(bytes) {
    if (crc32) return crc32(bytes);
    let value = ~0;
    for (const byte of bytes) {
        value ^= byte;
        for (let i = 0; i < 8; i++) value = (value >>> 1) ^ (value & 1 ? 0xedb88320 : 0);
    }
    return ~value >>> 0;
}

function png(side, more = []) {
    const header = Buffer.alloc(13);
    header.writeUInt32BE(side, 0);
    header.writeUInt32BE(side, 4);
    header.writeUInt8(8, 8);
    const pixels = deflateSync(Buffer.alloc(side * (side + 1)));
    return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), chunk('IHDR', header), ...more, chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))]);
}

async function post(server, body, type = 'image/svg+xml', headers = {}) {
    const answer = await fetch(`${server.url}/api/v1/pictures`, {method: 'POST', body, headers: {'Content-Type': type, ...headers}});
    return {status: answer.status, text: await answer.text(), headers: answer.headers};
}

// Where it is then.
async function bring(server, body, type, status = 201) {
    const answer = await post(server, body, type);
    assert.equal(answer.status, status, answer.text);
    return JSON.parse(answer.text).picture;
}

async function refused(server, body, type, status, words, headers) {
    const answer = await post(server, body, type, headers);
    assert.equal(answer.status, status, answer.text);
    assert.match(answer.text, words);
}

const get = (server, path, options) => fetch(server.url + path, options);
const statusOf = async (server, path) => (await get(server, path)).status;

const raceWith = (picture, title = 'Race') => ({...makeRace(['a', 'b']), title, resources: {images: {figures: {a: {[Object.keys(makeRace(['a', 'b']).figures)[0]]: picture}}}}});

async function publish(server, name, game) {
    const answer = await fetch(`${server.url}/api/v1/games/${name}`, {
        method: 'POST', body: JSON.stringify(game), headers: {Authorization: `Bearer ${newToken()}`},
    });
    return {status: answer.status, text: await answer.text()};
}

async function aPictureIsGivenOutAsWhatItIs(server) {
    const path = await bring(server, `<?xml version="1.0"?>\n<!-- mine -->${disc('red')}`);
    const answer = await get(server, path);
    const text = await answer.text();
    assert.equal(text, disc('red'));
    assert.equal(path, `/pictures/${createHash('sha256').update(text).digest('hex')}.svg`);
    assert.equal(answer.headers.get('content-type'), 'image/svg+xml');
    assert.equal(answer.headers.get('cache-control'), 'public, max-age=31536000, immutable');
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
    assert.equal(answer.headers.get('content-security-policy'), "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox");
    assert.equal(answer.headers.get('cross-origin-resource-policy'), 'same-origin');
    // Not by fetch, which asks for no cache then.
    const again = await new Promise((resolve, reject) =>
        request(server.url + path, {headers: {'If-None-Match': answer.headers.get('etag')}}, resolve).on('error', reject).end());
    assert.equal(again.resume().statusCode, 304);
    assert.equal(await bring(server, disc('red'), 'image/svg+xml; charset=utf-8', 200), path, 'the same twice is one');
    const image = png(16);
    const other = await bring(server, png(16, [chunk('tEXt', Buffer.from('a\0<script>'))]), 'image/png');
    const given = await get(server, other);
    assert.deepEqual(Buffer.from(await given.arrayBuffer()), image);
    assert.equal(given.headers.get('content-type'), 'image/png');
    for (const unknown of [other.replace('.png', '.svg'), path.replace('.svg', '.png'), path.replace('.svg', ''), path.toUpperCase(),
        '/pictures/', '/pictures/x.svg', `/pictures/${'0'.repeat(64)}.svg`, `${path}/x`, path.replace('/pictures/', '/pictures/../pictures/x')])
        assert.equal(await statusOf(server, unknown), 404, unknown);
    for (const where of [path, '/api/v1/pictures']) assert.equal((await get(server, where, {method: 'DELETE'})).status, 405);
}

async function whatIsHostileIsRefused(server) {
    await refused(server, svg('\n<script>alert(1)</script>'), 'image/svg+xml', 400, /^line 2: <script> is not allowed: a picture runs nothing\n$/);
    await refused(server, svg('<image href="https://elsewhere.example/a.png"/>'), 'image/svg+xml', 400, /^line 1: <image>/);
    await refused(server, '<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/passwd">]>' + svg('<title>&a;</title>'), 'image/svg+xml', 400, /entities/);
    await refused(server, disc('red'), 'image/png', 400, /not a PNG/);
    await refused(server, png(4), 'image/svg+xml', 400, /is a PNG/);
    await refused(server, Buffer.concat([png(4), Buffer.from(disc('red'))]), 'image/png', 400, /behind the picture's end/);
    await refused(server, disc('red'), 'text/html', 415, /Content-Type/);
    await refused(server, '', 'image/svg+xml', 400, /empty/);
    await refused(server, svg(' '.repeat(64 * 1024)), 'image/svg+xml', 400, /at most 65536/);
    await refused(server, ' '.repeat(128 * 1024 + 1), 'image/svg+xml', 413, /too long/);
    await refused(server, disc('red'), 'image/svg+xml', 403, /./, {Origin: 'https://elsewhere.example'});
}

async function gamesHaveTheirPictures(server) {
    const path = await bring(server, disc('blue'));
    const gone = path.replace(/[0-9a-f]{64}/, '0'.repeat(64));
    const missing = await publish(server, 'without', raceWith(gone));
    assert.equal(missing.status, 400);
    assert.match(missing.text, /is not here.*upload it again/);
    assert.equal((await publish(server, 'with', raceWith(path))).status, 201);
    const table = await setTable(server, {create: {game: 'with@1'}, seats: ['a', 'b']});
    assert.deepEqual(Object.values(table.a.snapshot.layout.images.a), [path]);
    await table.end();
}

function prune(server, ...flags) {
    const {status, stdout, stderr} = spawnSync(program, ['prune', '--store', server.store, '--keep-pictures-s', '1', ...flags], {encoding: 'utf8'});
    assert.equal(status, 0, stderr);
    return stdout;
}

async function whatNoGameNamesGoes(server) {
    const [published, played, unused, young] = await Promise.all(['red', 'green', 'blue', 'pink'].map(colour => bring(server, disc(colour))));
    assert.equal((await publish(server, 'kept', raceWith(published))).status, 201);
    const table = await setTable(server, {create: {definition: raceWith(played)}, seats: ['a', 'b']});
    await table.end();
    await server.stop();
    // All of them are older than a second, as far as the store knows.
    server.sql('UPDATE picture SET at = at - 10000');
    const dry = prune(server, '--dry-run');
    assert.match(dry, /^would remove 2 pictures that no game names$/m);
    assert.match(dry, /^kept 2 pictures, \d+ bytes$/m);
    await server.start();
    await bring(server, disc('pink'), 'image/svg+xml', 200);
    await server.stop();
    assert.match(prune(server, '--keep-pictures-s', '9'), /^removed 1 pictures that no game names$/m);
    await server.start();
    const statuses = await Promise.all([published, played, unused, young].map(path => statusOf(server, path)));
    assert.deepEqual(statuses, [200, 200, 404, 200]);
    assert.equal(await bring(server, disc('blue')), unused, 'brought again it is there again');
}

async function serverSweepsByItself(server) {
    const path = await bring(server, disc('red'));
    assert.equal((await publish(server, 'swept', raceWith(path))).status, 201);
    const other = await bring(server, disc('blue'));
    await server.stop();
    server.sql('UPDATE picture SET at = at - 1000000000');
    await server.start();
    const metric = async name => Number((await (await get(server, '/metrics')).text()).match(new RegExp(`^senet_${name} (\\d+)$`, 'm'))[1]);
    while (await metric('prune_walks_total') === 0) await new Promise(resolve => setTimeout(resolve, 20));
    assert.deepEqual([await metric('removed_pictures_total'), await metric('stored_pictures')], [1, 1]);
    assert.equal(await metric('stored_picture_bytes'), disc('red').length);
    assert.deepEqual([await statusOf(server, path), await statusOf(server, other)], [200, 404]);
}

async function nothingAcknowledgedIsLost(server) {
    const known = new Map(); // path → text
    let count = 0, going = true;
    const keepBringing = async index => {
        while (going) {
            const text = disc(`rgb(${index},${count % 250},${Math.floor(count++ / 250)})`);
            const answer = await post(server, text).catch(() => null);
            if (!answer) return;
            assert.equal(answer.status, 201, answer.text);
            known.set(JSON.parse(answer.text).picture, text);
        }
    };
    for (let kill = 0; kill < 3; kill++) {
        const before = known.size;
        const running = [1, 2, 3].map(keepBringing);
        while (known.size < before + 20) await new Promise(resolve => setTimeout(resolve, 5));
        await server.stop('SIGKILL');
        await Promise.all(running);
        await server.start();
        for (const [path, text] of known) assert.equal(await (await get(server, path)).text(), text);
    }
    going = false;
}

const stories = {
    'a picture is given out as what it is': [aPictureIsGivenOutAsWhatItIs],
    'what is hostile is refused in words': [whatIsHostileIsRefused],
    'games have their pictures': [gamesHaveTheirPictures],
    'what no game names goes': [whatNoGameNamesGoes],
    'a server sweeps by itself': [serverSweepsByItself, '--prune-every-s', '1'],
    'kill -9: nothing acknowledged is lost': [nothingAcknowledgedIsLost],
};

const postgres = process.env.SENET_TEST_POSTGRES;
for (const [store, url] of [['SQLite', undefined], ['PostgreSQL', postgres]])
    for (const [what, [story, ...flags]] of Object.entries(stories)) {
        const skip = store === 'PostgreSQL' && !postgres && 'SENET_TEST_POSTGRES names no PostgreSQL';
        test(`${store}: ${what}`, {skip, timeout: 300000}, async () => {
            const server = new Server(flags, {postgres: url});
            try {
                await server.start();
                await story(server);
            } finally {
                await server.remove();
            }
        });
    }

test('an address writes only so much in a day', {timeout: 300000}, async () => {
    const server = new Server(['--limit-loopback', '--address-mib-per-day', '1']);
    try {
        await server.start();
        const statuses = [];
        for (let i = 0; i < 40 && statuses.at(-1) !== 429; i++)
            statuses.push((await post(server, svg(`<title>${i}${'x'.repeat(60000)}</title>`))).status);
        assert.equal(statuses.at(-1), 429, `${statuses.length} pictures`);
        assert.ok(statuses.length > 10 && statuses.slice(0, -1).every(status => status === 201));
        assert.ok(Number((await post(server, disc('red'))).headers.get('retry-after')) >= 1);
    } finally {
        await server.remove();
    }
});
