// The other half of the port: the page, its files, the games' pictures, a small API to read, and what operators look at.
import assert from 'node:assert/strict';
import {createHash} from 'node:crypto';
import {existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {gzipSync} from 'node:zlib';
import {fileURLToPath} from 'node:url';
import test, {after, before, describe} from 'node:test';
import {Client} from '../support/client.mjs';
import {wholeGame} from '../support/games.mjs';
import {RawSocket, upgradeRequest} from '../support/raw_socket.mjs';
import {Server, web} from '../support/server.mjs';
import {takeSeat} from '../support/table.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const server = new Server();
before(() => server.start());
after(() => server.remove());

const get = (path, options) => fetch(server.url + path, options);
const typeOf = answer => answer.headers.get('content-type');

// Paths as they are written here: fetch would tidy them up.
async function ask(path, {method = 'GET', headers = '', version = 'HTTP/1.1', body = ''} = {}) {
    const raw = new RawSocket(server.port);
    raw.write(`${method} ${path} ${version}\r\nHost: localhost\r\n${headers}\r\n${body}`);
    const answer = await raw.answer({head: method === 'HEAD'});
    raw.destroy();
    return answer;
}

function filesBelow(folder, prefix = '') {
    return readdirSync(folder, {withFileTypes: true}).flatMap(entry =>
        entry.isDirectory() ? filesBelow(`${folder}/${entry.name}`, `${prefix}/${entry.name}`) : [`${prefix}/${entry.name}`],
    );
}

test('the engine for browsers is given out from the moment it is there', async () => {
    const folder = mkdtempSync(`${tmpdir()}/senet-engine-`);
    const beside = new Server(['--engine', `${folder}/engine.wasm.gz`]);
    const ask = headers => fetch(`${beside.url}/engine/engine.wasm`, {headers});
    const bytes = Buffer.from('\0asm and what follows');
    const named = async page => /<meta name="engine" content="([^"]*)">/.exec(await (await fetch(beside.url + page)).text())[1];
    await beside.start();
    try {
        for (const page of ['/', '/make']) assert.equal(await named(page), '/engine/engine.wasm');
        const before = await ask();
        assert.equal(before.status, 404);
        await before.text();
        writeFileSync(`${folder}/part`, gzipSync(bytes));
        renameSync(`${folder}/part`, `${folder}/engine.wasm.gz`);
        const answer = await ask();
        assert.equal(answer.status, 200);
        assert.equal(typeOf(answer), 'application/wasm');
        assert.equal(answer.headers.get('content-encoding'), 'gzip');
        assert.ok(Buffer.from(await answer.arrayBuffer()).equals(bytes));
        assert.equal((await ask({'If-None-Match': answer.headers.get('etag')})).status, 304);
        const address = await named('/');
        assert.match(address, /^\/v\/[0-9a-f]{16}\/engine\/engine\.wasm$/);
        for (const page of ['/make', '/room/x']) assert.equal(await named(page), address);
        for (const [path, lasting] of [[address, true], [`/v/${'0'.repeat(16)}/engine/engine.wasm`, false], ['/engine/engine.wasm', false]]) {
            const one = await fetch(beside.url + path);
            assert.equal(one.headers.get('cache-control'), lasting ? 'public, max-age=31536000, immutable' : 'no-cache', path);
            assert.ok(Buffer.from(await one.arrayBuffer()).equals(bytes));
        }
        const raw = new RawSocket(beside.port); // who cannot unpack it
        raw.write('GET /engine/engine.wasm HTTP/1.1\r\nHost: localhost\r\n\r\n');
        assert.equal((await raw.answer()).status, 404);
        raw.destroy();
    } finally {
        await beside.remove();
        rmSync(folder, {recursive: true});
    }
});

describe('the page', () => {
    test('is at / and at every room\'s address', async () => {
        for (const path of ['/', '/room/k3Qd9xZa', '/room/x', '/?from=elsewhere', '/index.html']) {
            const own = path.startsWith('/room/') && existsSync(`${web}/room.html`) ? 'room.html' : 'index.html'; // joined, each asks for its own files
            const parts = readFileSync(`${web}/${own}`, 'utf8').split(/\{\{[a-z]+\}\}/);
            const answer = await get(path);
            assert.equal(answer.status, 200, path);
            assert.equal(typeOf(answer), 'text/html; charset=utf-8');
            const text = await answer.text();
            let from = 0;
            for (const part of parts) {
                from = text.indexOf(part, from);
                assert.ok(from >= 0, `${path} has ${part}`);
                from += part.length;
            }
            assert.ok(!text.includes('{{'), 'every blank is filled in');
            const again = await get(path, {headers: {'If-None-Match': answer.headers.get('etag'), 'Cache-Control': 'max-age=0'}});
            assert.equal(again.status, 304, path);
        }
    });

    test('tells who looks for what is not here, in a browser', async () => {
        const bare = text => text.replaceAll(/content="[^"]*"|<title>.*<\/title>|<link rel="modulepreload".*>\n/g, '');
        const browsing = {headers: {Accept: 'text/html,application/xhtml+xml,*/*;q=0.8'}};
        const page = await (await get('/')).text();
        for (const path of ['/rooms/of/mine', '/main', '/room/a/b', '/game/A%20game', '/v/x/main.js']) {
            const answer = await get(path, browsing);
            assert.equal(answer.status, 404, path);
            assert.equal(typeOf(answer), 'text/html; charset=utf-8');
            assert.equal(bare(await answer.text()), bare(page), path);
            assert.equal(typeOf(await get(path)), 'text/plain; charset=utf-8', 'a program is told in words');
        }
        assert.match(typeOf(await get('/main.js', browsing)), /javascript/);
        assert.equal((await get('/api/v1/games/ludo', browsing)).headers.get('content-type'), (await get('/api/v1/games/ludo')).headers.get('content-type'));
    });

    test('for games of one\'s own is at /make, and the schema of game files at /schema/game.json', async () => {
        const page = await get('/make');
        assert.equal(typeOf(page), 'text/html; charset=utf-8');
        assert.match(await page.text(), /<title>Make a game/);
        const schema = await get('/schema/game.json');
        assert.equal(typeOf(schema), 'application/json');
        assert.equal(await schema.text(), readFileSync(`${root}protocol/schema/game.schema.json`, 'utf8'));
    });

    test('a link to a room or a game says what is played there, to programs that show links', async () => {
        const client = await Client.open(server);
        const {room} = await client.done({type: 'create', definition: {...await (await get('/api/v1/games/chess')).json()}.definition, visibility: 'private'});
        const named = text => Object.fromEntries([...text.matchAll(/<meta property="og:([a-z_]+)" content="([^"]*)">/g)].map(([, name, value]) => [name, value]));
        const of = async path => named(await (await get(path)).text());
        assert.match((await of(`/room/${room}`)).title, /^Chess /);
        assert.match((await of(`/room/${room}`)).description, /^Chess: /);
        assert.ok(!(await of('/room/nothing-here')).title.includes('Chess'));
        assert.match((await of('/game/xiangqi')).title, /^Xiangqi /);
        assert.match((await of('/game/xiangqi')).description, /^Xiangqi .*: play a friend/);
        assert.match((await of('/game/nobodys@1')).title, /^A board game /);
        const {image} = await of('/');
        assert.ok(image.startsWith(`${server.url}/v/`), image);
        const picture = await fetch(image);
        assert.equal(picture.headers.get('content-type'), 'image/png');
        const raw = new RawSocket(server.port);
        raw.write('GET / HTTP/1.1\r\nHost: "><script>\r\nConnection: close\r\n\r\n');
        const {status, body} = await raw.answer();
        raw.destroy();
        assert.ok(status === 400 || !`${body}`.includes('<script>'), 'a host that is none stands nowhere');
        await client.end();
    });

    test('an answer says how long its connection stays, or that it goes', async () => {
        const stays = (await ask('/healthz')).headers;
        assert.match(stays['keep-alive'], /^timeout=[1-9]$/, 'less than the ten seconds after which it goes');
        assert.equal(stays.connection, undefined);
        const goes = (await ask('/healthz', {headers: 'Connection: close\r\n'})).headers;
        assert.equal(goes.connection, 'close');
        assert.equal(goes['keep-alive'], undefined);
    });

    test('files are had by their version too, and kept for good; by another one as they are now', async () => {
        const version = /\/v\/([0-9a-f]{16})\/main\.js/.exec(await (await get('/')).text())[1];
        const plain = await (await get('/main.js')).text();
        for (const [path, lasting] of [[`/v/${version}/main.js`, true], [`/v/${'0'.repeat(16)}/main.js`, false]]) {
            const answer = await get(path);
            assert.equal(answer.status, 200);
            assert.equal(await answer.text(), plain);
            assert.equal(answer.headers.get('cache-control'), lasting ? 'public, max-age=31536000, immutable' : 'no-cache');
        }
        assert.equal((await get(`/v/${version}/games/chess/white-king.svg`)).status, 200);
        for (const path of [`/v/${version}/nothing.js`, `/v/${version}`, `/v/${version}/`, '/v/x/main.js', `/v/${version}/v/${version}/main.js`]) assert.equal((await get(path)).status, 404, path);
    });

    test('text is compressed for those who take it, and each way has an ETag of its own', async () => {
        const tags = new Set();
        const text = (await ask('/style.css')).body;
        for (const [accepted, coding] of [['br, gzip', 'br'], ['gzip, deflate', 'gzip'], ['gzip;q=0.5, br;q=0', 'gzip'], ['identity', undefined], ['GZIP', 'gzip'], ['brotli, xgzip', undefined], ['gzip;q=0.000', undefined]]) {
            const whole = await ask('/style.css', {headers: `Accept-Encoding: ${accepted}\r\n`});
            assert.equal(whole.headers['content-encoding'], coding, accepted);
            assert.equal(whole.headers.vary, 'Accept-Encoding');
            const head = await ask('/style.css', {method: 'HEAD', headers: `Accept-Encoding: ${accepted}\r\n`});
            assert.equal(head.headers['content-length'], whole.headers['content-length']);
            const bytes = Buffer.from(await (await fetch(`${server.url}/style.css`, {headers: {'Accept-Encoding': accepted}})).text());
            assert.equal(bytes.toString(), text.toString(), accepted);
            tags.add(`${coding} ${whole.headers.etag}`);
            const again = await get('/style.css', {headers: {'Accept-Encoding': accepted, 'If-None-Match': whole.headers.etag}});
            assert.equal(again.status, 304);
        }
        assert.equal(tags.size, 3, [...tags].join());
        assert.equal(new Set([...tags].map(tag => tag.split(' ')[1])).size, 3);
        const length = coding => fetch(`${server.url}/style.css`, {headers: {'Accept-Encoding': coding}}).then(answer => (answer.arrayBuffer(), Number(answer.headers.get('content-length'))));
        const [all, gzip, br] = await Promise.all(['identity', 'gzip', 'br'].map(length));
        assert.ok(gzip < all / 2 && br <= gzip, `${all}, ${gzip}, ${br}`);
        assert.equal((await ask('/icon-192.png', {headers: 'Accept-Encoding: br\r\n'})).headers['content-encoding'], undefined, 'pictures are compressed already');
    });

    test('each game has a picture of its board, which needs nothing else', async () => {
        for (const {id} of (await (await get('/api/v1/games')).json()).games) {
            const answer = await get(`/games/${id}.board.svg`);
            const picture = await answer.text();
            assert.equal(answer.headers.get('content-type'), 'image/svg+xml');
            assert.match(picture, /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="[-0-9. ]+">.*<path .*<\/svg>$/s, id);
            assert.match(picture, /<use /, `${id}: figures stand on it, also where the game begins without any`);
            assert.ok(!/nan|inf|href="(?!#|data:)/.test(picture), id);
            assert.ok(picture.length < 65536, `${id}: ${picture.length}`);
        }
        const morris = await (await get('/games/nine-mens-morris.board.svg')).text();
        assert.match(morris, /^<svg [^>]*><path fill="#dcb878" d="M[-0-9. ]+H[-0-9.]+V[-0-9.]+H[-0-9.]+z"\/>/, 'wood, also between the points');
    });

    test('games come in the order that their folder says', async () => {
        const order = readFileSync(`${root}games/order`, 'utf8').split('\n').filter(line => line && !line.startsWith('#'));
        assert.deepEqual((await (await get('/api/v1/games')).json()).games.map(({id}) => id), order);
        assert.equal((await get('/games/order')).status, 404);
    });

    const types = {html: 'text/html; charset=utf-8', js: 'text/javascript; charset=utf-8', css: 'text/css; charset=utf-8', svg: 'image/svg+xml', png: 'image/png', json: 'application/json', webmanifest: 'application/manifest+json', txt: 'text/plain; charset=utf-8'};
    test('its files and the games\' pictures are served as what they are, with an ETag', async () => {
        const files = [
            ...filesBelow(web).map(path => [path, `${web}${path}`]),
            ...filesBelow(`${root}games`).map(path => [`/games${path}`, `${root}games${path}`]),
        ];
        let served = 0;
        for (const [path, file] of files.filter(([one]) => !one.endsWith('index.html'))) {
            const isRules = path.startsWith('/games/') && path.endsWith('.json'); // asked for over the API
            const type = isRules ? undefined : types[file.split('.').at(-1)];
            const answer = await get(path);
            const bytes = Buffer.from(await answer.arrayBuffer());
            if (!type) {
                assert.equal(answer.status, 404, `${path} is nobody's business`);
                continue;
            }
            served++;
            assert.equal(answer.status, 200, path);
            assert.equal(typeOf(answer), type);
            assert.ok(bytes.equals(readFileSync(file)), path);
            const etag = answer.headers.get('etag');
            const again = await get(path, {headers: {'If-None-Match': etag}});
            assert.equal(again.status, 304);
            assert.equal(await again.text(), '');
            assert.equal((await get(path, {headers: {'If-None-Match': '"other"'}}).then(other => (other.arrayBuffer(), other))).status, 200);
        }
        assert.ok(served > 50, `${served} files`);
    });

    test('every answer says that nobody may guess, frame or call elsewhere', async () => {
        for (const path of ['/', '/main.js', '/nothing', '/api/v1/games', '/metrics']) {
            const answer = await get(path);
            await answer.arrayBuffer();
            assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
            const policy = Object.fromEntries(answer.headers.get('content-security-policy').split('; ').map(rule => [rule.slice(0, rule.indexOf(' ')), rule.slice(rule.indexOf(' ') + 1)]));
            assert.deepEqual(policy, {
                'default-src': "'none'", 'script-src': "'self' 'wasm-unsafe-eval'", 'style-src': "'self'", 'font-src': "'self'", 'manifest-src': "'self'", 'img-src': "'self' data:",
                'connect-src': "'self' ws: wss:", 'base-uri': "'none'", 'form-action': "'none'", 'frame-ancestors': "'none'",
            });
            assert.equal(answer.headers.get('x-frame-options'), 'DENY');
            assert.equal(answer.headers.get('cross-origin-opener-policy'), 'same-origin');
            assert.equal(answer.headers.get('referrer-policy'), 'same-origin');
            assert.equal(answer.headers.get('cache-control'), 'no-cache');
        }
    });

    test('a room may stand in a page of anybody\'s, by an address that is made for it alone', async () => {
        const framed = await get('/embed/k3Qd9xZa');
        assert.equal(framed.status, 200);
        assert.match(await framed.text(), /<title>/);
        assert.equal(framed.headers.get('x-frame-options'), null);
        assert.match(framed.headers.get('content-security-policy'), /^default-src 'none'; .*; frame-ancestors \*$/);
        for (const path of ['/room/k3Qd9xZa', '/embed/', '/embed/a/b', '/make']) {
            const answer = await get(path);
            await answer.arrayBuffer();
            assert.equal(answer.headers.get('x-frame-options'), 'DENY', path);
        }
    });

    test('the figures say how long the loop was held, and what the store keeps in memory', async () => {
        const told = async () => {
            const text = await (await get('/metrics')).text();
            return name => Number(new RegExp(`^senet_${name} (\\d+)$`, 'm').exec(text)?.[1]);
        };
        const first = await told();
        const {rooms} = await (await get('/api/v1/rooms')).json();
        assert.ok(Array.isArray(rooms));
        const then = await told();
        assert.ok(then('loop_turns_total') > first('loop_turns_total') && first('loop_turns_total') > 0);
        assert.ok(then('loop_busy_microseconds_total') >= first('loop_busy_microseconds_total'));
        assert.ok(first('loop_longest_turn_microseconds') > 0 && then('loop_long_turns_total') >= 0);
        assert.ok(then('store_memory_bytes') > 10000);
    });

    test('a page of another origin posts nothing', async () => {
        const post = async (path, origin, host = 'senet.example') => {
            const raw = new RawSocket(server.port);
            const lines = origin === null ? '' : `Origin: ${origin}\r\n`;
            raw.write(`POST ${path} HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 2\r\n${lines}\r\nhi`);
            const {status} = await raw.answer();
            raw.destroy();
            return status;
        };
        for (const origin of ['https://elsewhere.example', 'null', 'http://senet.example:81']) {
            assert.equal(await post('/api/v1/qr', origin), 403, origin);
            assert.equal(await post('/api/v1/rooms', origin), 403, origin);
        }
        for (const origin of [null, 'http://senet.example', 'https://senet.example', 'http://senet.example:80']) assert.equal(await post('/api/v1/qr', origin), 200, origin);
    });

    test('HEAD is GET without the body', async () => {
        for (const path of ['/', '/style.css', '/games/chess/white-king.svg', '/healthz', '/nothing']) {
            const whole = await ask(path), head = await ask(path, {method: 'HEAD'});
            assert.equal(head.status, whole.status);
            assert.deepEqual(head.headers, whole.headers);
            assert.equal(Number(head.headers['content-length']), Buffer.byteLength(whole.body));
        }
    });

    test('many requests on one connection, also written at once', async () => {
        const raw = new RawSocket(server.port);
        const paths = ['/', '/main.js', '/nothing', '/style.css', '/healthz', '/'];
        for (const path of paths) {
            raw.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
            assert.equal((await raw.answer()).status, path === '/nothing' ? 404 : 200);
        }
        raw.destroy();
        const hasty = new RawSocket(server.port);
        hasty.write(paths.map(path => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`).join(''));
        for (const path of paths) assert.equal((await hasty.answer()).status, path === '/nothing' ? 404 : 200, path);
        hasty.destroy();
    });
});

describe('the API', () => {
    test('lists the games in a language, as far as their files say it', async () => {
        const german = (await (await get('/api/v1/games?language=de')).json()).games;
        const {games: plain} = await (await get('/api/v1/games')).json();
        const inGerman = game => german.find(({id}) => id === game);
        assert.equal(inGerman('chess').title, 'Schach');
        assert.deepEqual(inGerman('chess').words, {white: 'Weiß', black: 'Schwarz'});
        assert.match(inGerman('connect-four').description, /^Wirf einen Stein/);
        assert.equal(inGerman('gomoku').title, 'Gomoku'); // its file does not say it
        assert.deepEqual(inGerman('horde').words, {white: 'Weiß', black: 'Schwarz'}); // of the game it extends
        assert.ok(plain.every(({words}) => words === undefined));
        assert.deepEqual((await (await get('/api/v1/games?language=tlh')).json()).games, plain);
        assert.deepEqual((await (await get('/games.de.json')).json()).games, german);
    });

    test('games: the list and each of them, as the protocol gives them', async () => {
        const client = await Client.open(server);
        const {games} = await client.done({type: 'games', op: 'list'});
        const list = await get('/api/v1/games');
        assert.equal(typeOf(list), 'application/json');
        assert.deepEqual(await list.json(), {games});
        assert.deepEqual(await (await get('/games.json')).json(), {games});
        for (const {id} of games) {
            const {game} = await client.done({type: 'games', op: 'get', game: id});
            const told = await (await get(`/api/v1/games/${id}`)).json();
            assert.deepEqual(told, game);
            assert.equal(told.hash, createHash('sha256').update(wholeGame(id)).digest('hex'));
        }
        assert.equal((await get('/api/v1/games/ludo')).status, 404);
        assert.equal((await get('/api/v1/games/')).status, 404);
        await client.end();
    });

    test('rooms: the public ones that wait or play', async () => {
        const client = await Client.open(server);
        const shown = await client.done({type: 'create', game: 'chess'});
        const hidden = await client.done({type: 'create', game: 'chess', visibility: 'private'});
        await takeSeat(client, shown.room, 'white');
        const {rooms, ...rest} = await (await get('/api/v1/rooms')).json();
        assert.deepEqual(rest, {});
        assert.deepEqual(rooms, (await client.done({type: 'lobby.subscribe'})).rooms);
        assert.deepEqual(rooms.find(({room}) => room === shown.room).seats, {white: 'white'});
        assert.ok(!rooms.some(({room}) => room === hidden.room));
        await client.end();
    });
});

describe('QR codes', () => {
    const post = (body, headers = {}) => fetch(`${server.url}/api/v1/qr`, {method: 'POST', body, headers});

    test('a text becomes a picture that nobody keeps', async () => {
        const answer = await post('https://senet.example/room/k3Qd9xZa#key=abc');
        assert.deepEqual([answer.status, typeOf(answer), answer.headers.get('cache-control')], [200, 'image/svg+xml', 'no-store']);
        const picture = await answer.text();
        assert.match(picture, /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="0 0 (\d+) \1"/);
        assert.match(picture, /<\/svg>\n$/);
        assert.ok(!picture.includes('abc'));
        assert.equal(await (await post('https://senet.example/room/k3Qd9xZa#key=abc')).text(), picture);
        assert.notEqual(await (await post('https://senet.example/room/k3Qd9xZa#key=abd')).text(), picture);
    });

    test('512 bytes at most, and at least one', async () => {
        assert.equal((await post('x'.repeat(512))).status, 200);
        assert.equal((await post('x'.repeat(513))).status, 413);
        assert.equal((await post('x'.repeat(50000))).status, 413);
        assert.equal((await post('')).status, 400);
        assert.equal((await post('a\0b')).status, 400);
        const {status, headers} = await ask('/api/v1/qr');
        assert.deepEqual([status, headers.allow], [405, 'POST']);
    });
});

describe('for operators', () => {
    test('healthz and readyz', async () => {
        for (const path of ['/healthz', '/readyz']) {
            const answer = await get(path);
            assert.equal(answer.status, 200);
            assert.match(await answer.text(), /^\w+\n$/);
        }
    });

    // The text format of Prometheus, 0.0.4: HELP, TYPE and then samples of that name, with labels or without.
    function parseMetrics(text) {
        assert.ok(text.endsWith('\n'));
        const metrics = new Map();
        for (const line of text.trimEnd().split('\n')) {
            const [, help] = /^# HELP ([a-z_:][a-z0-9_:]*) \S.*$/i.exec(line) ?? [];
            const [, typed, type] = /^# TYPE ([a-z_:][a-z0-9_:]*) (counter|gauge|histogram)$/i.exec(line) ?? [];
            const [, name, label = '', value] = /^([a-z_:][a-z0-9_:]*)(\{(?:,?[a-z_]+="[^"\\]+")+\})? (-?\d+(?:\.\d+)?)$/i.exec(line) ?? [];
            assert.ok(help || typed || name, `not a line of metrics: ${line}`);
            if (help) assert.ok(!metrics.has(help), `${help} is named once`), metrics.set(help, {});
            if (typed) metrics.get(typed).type = type;
            if (!name) continue;
            const [, stem, part] = /^(.*)_(bucket|sum|count)$/.exec(name) ?? [];
            const family = metrics.get(name) ?? metrics.get(stem);
            family.labels ??= new Set();
            assert.ok(family.type && !family.labels.has(name + label), line);
            assert.equal(family.type === 'histogram', !metrics.has(name), line);
            family.labels.add(name + label);
            if (part === 'bucket' && !metrics.has(name)) (family.buckets ??= []).push(Number(value));
            else family.value = metrics.has(name) ? (family.value ?? 0) + Number(value) : Number(value);
        }
        for (const [name, {type, value, buckets}] of metrics) {
            assert.ok(Number.isFinite(value), name);
            assert.equal(type === 'counter', name.endsWith('_total'), `${name} is a ${type}`);
            if (type !== 'histogram') continue;
            assert.ok(metrics.get(name).labels.has(`${name}_bucket{le="+Inf"}`) && metrics.get(name).labels.has(`${name}_sum`));
            assert.deepEqual(buckets, buckets.toSorted((a, b) => a - b), 'each bucket holds those before it');
            assert.equal(buckets.at(-1), value, 'the last one all there are');
        }
        return metrics;
    }

    test('metrics may have an address of their own, where nothing else is', async () => {
        const own = new Server(['--metrics-listen', '127.0.0.1:0']);
        await own.start();
        try {
            const {metrics_url: apart} = own.lines.find(({fact}) => fact === 'listening');
            const statusOf = async url => {
                const answer = await fetch(url);
                await answer.arrayBuffer();
                return answer.status;
            };
            assert.deepEqual(await Promise.all(['/metrics', '/healthz', '/readyz', '/'].map(path => statusOf(own.url + path))), [404, 200, 200, 200]);
            const elsewhere = ['/metrics', '/healthz', '/readyz', '/', '/main.js', '/api/v1/games', '/room/k3Qd9xZa', '/games/chess/white-king.svg'];
            assert.deepEqual(await Promise.all(elsewhere.map(path => statusOf(apart + path))), [200, 200, 200, 404, 404, 404, 404, 404]);
            assert.match(await (await fetch(`${apart}/metrics`)).text(), /^senet_rooms_live 0$/m);
            const raw = new RawSocket(new URL(apart).port);
            raw.write(upgradeRequest());
            assert.equal((await raw.answer()).status, 404, 'no WebSocket there');
            raw.destroy();
        } finally {
            await own.remove();
        }
    });

    test('metrics are what Prometheus reads, and count', async () => {
        const read = async () => {
            const answer = await get('/metrics');
            assert.match(typeOf(answer), /^text\/plain; version=0\.0\.4/);
            return parseMetrics(await answer.text());
        };
        const before = await read();
        const client = await Client.open(server);
        const {room} = await client.done({type: 'create', game: 'chess'});
        await takeSeat(client, room, 'all');
        await client.done({type: 'move', room, move: {from: 'e2', to: 'e4'}});
        await client.refused({type: 'move', room, move: {from: 'e2', to: 'e4'}}, 'illegal_move');
        const now = await read();
        const grown = name => now.get(`senet_${name}`).value - before.get(`senet_${name}`).value;
        assert.deepEqual(['moves_total', 'events_total', 'refusals_total', 'handshakes_total'].map(grown), [1, 3, 1, 1]);
        assert.ok(grown('store_commits_total') > 0 && grown('commands_total') === 5);
        assert.ok(now.get('senet_sessions').value >= 1, 'the client is one of them');
        assert.ok(now.get('senet_files_bytes').value > 100000, 'the page is in memory');
        for (const [name, {type, value}] of before) if (type === 'counter') assert.ok(now.get(name).value >= value, `${name} only grows`);
        await client.end();
    });

    test('what the store is given is counted by kind', async () => {
        const read = async () => Object.fromEntries([...(await (await get('/metrics')).text()).matchAll(/^senet_written_bytes_total\{kind="(\w+)"\} (\d+)$/gm)].map(([, kind, count]) => [kind, Number(count)]));
        const client = await Client.open(server);
        const grown = async work => {
            const before = await read();
            await work();
            const now = await read();
            return Object.keys(now).filter(kind => now[kind] > before[kind]).map(kind => [kind, now[kind] - before[kind]]);
        };
        const kinds = async work => (await grown(work)).map(([kind]) => kind);
        let room;
        assert.deepEqual(await kinds(async () => ({room} = await client.done({type: 'create', game: 'chess'}))), ['rooms']);
        assert.deepEqual(await kinds(() => takeSeat(client, room, 'all')), ['events']);
        assert.deepEqual(await kinds(() => client.done({type: 'move', room, move: {from: 'e2', to: 'e4'}})), ['moves']);
        const [[kind, bytes]] = await grown(() => client.done({type: 'chat', room, text: 'x'.repeat(300)}));
        assert.ok(kind === 'chat' && bytes > 300 && bytes < 1000, `${kind} ${bytes}`);
        const definition = readFileSync(new URL('../../games/breakthrough.json', import.meta.url), 'utf8').replace(/"title": *"[^"]*"/, '"title": "another"');
        assert.deepEqual(await kinds(() => client.done({type: 'create', definition})), ['rooms', 'definitions']);
        await client.end();
    });
});

describe('what is not there, and what is not done', () => {
    for (const path of ['/nothing', '/room/', '/room', '/room/a/b', '/room/a%20b', `/room/${'x'.repeat(33)}`, '/api/v1/nothing', '/api/v2/games', '/games/chess.json', '/games/', '/games', '/README.md',
        '/../CMakeLists.txt', '/../../etc/passwd', '/games/../../README.md', '/games/chess/../../../README.md', '/%2e%2e/CMakeLists.txt', '/..%2f..%2fetc%2fpasswd', '/games/%2e%2e/%2e%2e/README.md',
        '//etc/passwd', '/.git/config', '/./.git/config', '/games/chess/white-king.svg/', '/games/chess/white-king.svg%00.html', '/api/v1/games/..%2fchess', '/main.js.map', '/senet.db'])
        test(`${path} is not there`, async () => {
            const {status, body} = await ask(path).catch(error => ({status: 'ended', body: error.message}));
            assert.ok([400, 403, 404].includes(status) || /[.%]/.test(path) && status === 'ended', `${status}`);
            assert.ok(status === 'ended' || body.length < 200);
            if (!/[.%]/.test(path)) assert.equal(status, 404);
        });

    test('what is there may be written with dots and escapes', async () => {
        for (const path of ['/games/../main.js', '/%6dain.js']) assert.ok([200, 404].includes((await ask(path)).status));
    });

    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'])
        test(`${method} is 405 or nothing at all`, async () => {
            for (const path of ['/', '/api/v1/games', '/ws'])
                try {
                    const {status, headers} = await ask(path, {method, headers: 'Content-Length: 2\r\n', body: '{}'});
                    assert.ok([405, 400, 501].includes(status), `${status}`);
                    if (status === 405) assert.equal(headers.allow, 'GET, HEAD');
                } catch (error) {
                    assert.notEqual(method, 'POST', error.message);
                    assert.match(error.message, /the connection ended/);
                }
        });

    test('/ws is for WebSockets', async () => {
        const {status, headers} = await ask('/ws');
        assert.deepEqual([status, headers['sec-websocket-version']], [426, '13']);
    });

    const odd = [
        ['a GET with a body', '/', {headers: 'Content-Length: 3\r\n', body: 'abc'}, [400]],
        ['a GET with chunks', '/', {headers: 'Transfer-Encoding: chunked\r\n', body: '0\r\n\r\n'}, [400]],
        ['an address of 3,000 bytes', `/${'x'.repeat(3000)}`, {}, [414, 404, 'ended']],
        ['an address of 100,000 bytes', `/${'x'.repeat(100000)}`, {}, [414, 431, 'ended']],
        ['headers of 100,000 bytes', '/', {headers: `X-Long: ${'x'.repeat(100000)}\r\n`}, [400, 431, 200, 'ended']],
        ['a thousand headers', '/', {headers: Array.from({length: 1000}, (_, i) => `X-${i}: y\r\n`).join('')}, [400, 431, 200, 'ended']],
        ['HTTP/1.0', '/healthz', {version: 'HTTP/1.0'}, [200]],
        ['no HTTP at all', '/', {version: 'SPDY/9'}, [400, 404, 505, 200, 'ended']],
        ['an unknown method', '/', {method: 'BREW'}, [400, 403, 405, 501, 'ended']],
        ['something for a proxy', 'http://elsewhere.example/', {}, [200, 400, 403, 404, 'ended']],
    ];
    for (const [name, path, request, expected] of odd)
        test(name, async () => {
            const status = await ask(path, request).then(
                answer => answer.status,
                error => (/the connection ended/.test(error.message) ? 'ended' : error.message),
            );
            assert.ok(expected.includes(status), `${status}`);
        });

    test('after all this the page is there', async () => {
        assert.equal((await get('/')).status, 200);
    });
});
