// The proxies of deploy/, run as they are but for addresses, ports and the certificate, in front of real servers.
import assert from 'node:assert/strict';
import {execFileSync, spawn, spawnSync} from 'node:child_process';
import {once} from 'node:events';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {request as requestPlain} from 'node:http';
import {request} from 'node:https';
import {createConnection, createServer} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {after, test} from 'node:test';
import {Client} from '../support/client.mjs';
import {Server} from '../support/server.mjs';

const postgres = process.env.SENET_TEST_POSTGRES;
const folder = mkdtempSync(join(tmpdir(), 'senet-proxies-'));
const WITHIN_MS = 60000; // against hanging; nothing is measured by it
const is = name => !spawnSync(name, ['-v']).error;
const NAMES = ['one', 'two', 'three'];

after(() => rmSync(folder, {recursive: true}));

execFileSync('openssl', ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2', '-subj', '/CN=play.example', '-keyout', join(folder, 'key.pem'), '-out', join(folder, 'chain.pem')], {stdio: 'ignore'});
writeFileSync(join(folder, 'both.pem'), readFileSync(join(folder, 'chain.pem')) + readFileSync(join(folder, 'key.pem')));

async function until(condition, words) {
    for (const end = Date.now() + WITHIN_MS; !(await condition()); await new Promise(resolve => setTimeout(resolve, 20)))
        assert.ok(Date.now() < end, `not in ${WITHIN_MS} ms: ${words}`);
}

async function freePorts(count) {
    const listeners = Array.from({length: count}, () => createServer().listen(0, '127.0.0.1'));
    await Promise.all(listeners.map(listener => once(listener, 'listening')));
    const ports = listeners.map(listener => listener.address().port);
    await Promise.all(listeners.map(listener => once(listener.close(), 'close')));
    return ports;
}

const accepts = port => new Promise(resolve => {
    const socket = createConnection(port, '127.0.0.1', () => resolve(true) || socket.destroy());
    socket.on('error', () => resolve(false));
});

// A proxy with a configuration of which ports of its own are made anew where somebody else has taken one meanwhile.
async function startProxy(count, configure, command, words) {
    for (let attempt = 0; ; attempt++) {
        const ports = await freePorts(count);
        const file = join(folder, 'proxy.cfg');
        writeFileSync(file, configure(ports));
        const child = spawn(command, words(file), {stdio: ['ignore', 'ignore', 'pipe']});
        let said = '';
        child.stderr.on('data', data => (said += data));
        await until(async () => child.exitCode !== null || (await accepts(ports[0])), 'the proxy listens');
        if (child.exitCode === null) return {ports, stop: () => child.kill('SIGTERM') && once(child, 'exit')};
        assert.ok(attempt < 5, said);
    }
}

const ask = (port, path, {host, secure = true, headers = {}} = {}) => new Promise((resolve, reject) => {
    const asked = (secure ? request : requestPlain)({port, host: '127.0.0.1', path, rejectUnauthorized: false, agent: false, headers: {host, ...headers}}, answer => {
        let body = '';
        answer.on('data', part => (body += part));
        answer.on('end', () => resolve({status: answer.statusCode, headers: answer.headers, body}));
    });
    asked.on('error', reject);
    asked.end();
});

async function figure(server, name) {
    const text = await (await fetch(`${server.url}/metrics`)).text();
    return Number(new RegExp(`^senet_${name} (\\d+)$`, 'm').exec(text)[1]);
}

// Three servers of one database, as deploy/ starts them.
async function withServers(body) {
    const servers = [];
    try {
        for (let i = 0; i < NAMES.length; i++) {
            servers.push(new Server(['--trust-forwarded', '--drain-ms', '600000'], servers[0] ? {beside: servers[0]} : {postgres}));
            await servers.at(-1).start();
        }
        await body(servers);
    } finally {
        for (const server of servers.reverse()) {
            server.signal('SIGCONT');
            server.signal('SIGKILL');
            if (server.running) await server.ended;
            await server.remove();
        }
    }
}

const needsHaproxy = {skip: (!is('haproxy') && 'no haproxy') || (!postgres && 'SENET_TEST_POSTGRES names no PostgreSQL')};
const haproxyWords = file => ['-db', '-f', file];

// HAProxy's words for how a server is: "UP", "DOWN", "NOLB" (nobody new); and how many sessions it has.
async function stateOf(socketPath, name) {
    const socket = createConnection(socketPath);
    socket.end('show stat\n');
    let text = '';
    for await (const part of socket) text += part;
    const row = text.split('\n').map(line => line.split(',')).find(([at, which]) => at === 'all' && which === name);
    return {status: row[17].split(' ')[0], sessions: Number(row[4])};
}

test('HAProxy without TLS (compose): every server has every room, who drains gets nobody new and keeps those he has, who is silent loses his connections', needsHaproxy, async () => {
    await withServers(async servers => {
        const stats = join(folder, 'stats');
        const proxy = await startProxy(1, ([port]) => {
            let text = readFileSync('deploy/container/haproxy.cfg', 'utf8').replace('bind :8080', `bind 127.0.0.1:${port}`).replace('maxconn 10000', `maxconn 100\n    stats socket ${stats}`);
            for (const [i, name] of NAMES.entries()) text = text.replaceAll(`server ${name} ${name}:8080`, `server ${name} 127.0.0.1:${servers[i].port}`);
            return text;
        }, 'haproxy', haproxyWords);
        const through = {port: proxy.ports[0]}, host = 'play.example';
        const open = () => Client.open(through, {headers: {Host: host, Origin: `http://${host}`}});
        const becomes = (name, status) => until(async () => (await stateOf(stats, name)).status === status, `${name} is ${status}`);
        try {
            for (const name of NAMES) await becomes(name, 'UP');
            assert.equal((await ask(through.port, '/metrics', {host, secure: false})).status, 404);
            assert.match((await ask(through.port, '/', {host, secure: false})).body, /<!doctype html>/i);
            assert.equal((await ask(through.port, '/ws', {host, secure: false, headers: {upgrade: 'websocket', connection: 'upgrade', origin: 'http://elsewhere.example', 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==', 'sec-websocket-version': '13', 'sec-websocket-protocol': 'senet.v1'}})).status, 403);

            // Whoever comes goes to who has fewest: three to each, and all see the same room.
            const many = [];
            for (let i = 0; i < 9; i++) many.push(await open());
            for (const name of NAMES) assert.equal((await stateOf(stats, name)).sessions, 3, name);
            const {room} = await many[0].done({type: 'create', game: 'chess'});
            for (const client of many) await client.done({type: 'join', room, seat: 'spectator'});
            const gone = new Set();
            for (const client of many) client.closed.then(() => gone.add(client));

            // The first one drains: nobody new comes to it, and who is there stays.
            const {status} = await fetch(`${servers[0].url}/readyz?no=404`);
            assert.equal(status, 200);
            servers[0].signal('SIGTERM');
            await becomes('one', 'NOLB');
            assert.equal((await fetch(`${servers[0].url}/readyz`)).status, 503);
            const before = await figure(servers[0], 'handshakes_total');
            const late = await Promise.all(Array.from({length: 6}, open));
            assert.equal(await figure(servers[0], 'handshakes_total'), before);
            assert.equal((await stateOf(stats, 'one')).sessions, 3);
            assert.equal(gone.size, 0);

            // The second one hangs: its three, and those of the six that went there, are cut off.
            const there = (await stateOf(stats, 'two')).sessions;
            assert.ok(there > 3);
            for (const client of late) client.closed.then(() => gone.add(client));
            servers[1].signal('SIGSTOP');
            await becomes('two', 'DOWN');
            await until(() => gone.size === there, 'its clients are cut off');
            servers[1].signal('SIGCONT');
            await becomes('two', 'UP');
            const [other] = many.filter(client => !gone.has(client));
            await other.done({type: 'leave', room});
            await Promise.all([...many, ...late].filter(client => !gone.has(client)).map(client => client.end()));
        } finally {
            await proxy.stop();
        }
    });
});

test('HAProxy with TLS: the page and WebSockets, and nothing without', needsHaproxy, async () => {
    await withServers(async servers => {
        const proxy = await startProxy(2, ([plain, secure]) => {
            let text = readFileSync('deploy/proxy/haproxy.cfg', 'utf8').replace('bind :80\n', `bind 127.0.0.1:${plain}\n`).replace('bind :443 ', `bind 127.0.0.1:${secure} `).replace('/etc/haproxy/senet.pem', join(folder, 'both.pem')).replace('maxconn 60000', 'maxconn 100');
            for (const [i] of NAMES.entries()) text = text.replaceAll(`10.0.0.${i + 1}:8080`, `127.0.0.1:${servers[i].port}`);
            assert.ok(!text.includes('10.0.0.'));
            return text;
        }, 'haproxy', haproxyWords);
        const [plain, secure] = proxy.ports;
        try {
            await until(async () => (await ask(secure, '/readyz', {host: 'play.example'})).status === 200, 'the proxy has found a server');
            const moved = await ask(plain, '/room/x', {host: 'play.example', secure: false});
            assert.deepEqual([moved.status, moved.headers.location], [308, 'https://play.example/room/x']);
            assert.equal((await ask(secure, '/metrics', {host: 'play.example'})).status, 404);
            assert.match((await ask(secure, '/', {host: 'play.example'})).body, /<!doctype html>/i);
            const upgrade = origin => new Promise((resolve, reject) => {
                const headers = {host: 'play.example', origin, upgrade: 'websocket', connection: 'upgrade', 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==', 'sec-websocket-version': '13', 'sec-websocket-protocol': 'senet.v1'};
                const asked = request({port: secure, host: '127.0.0.1', path: '/ws', rejectUnauthorized: false, agent: false, headers}, answer => resolve(answer.statusCode) || answer.resume());
                asked.on('upgrade', (answer, socket) => resolve(answer.statusCode) || socket.destroy());
                asked.on('error', reject);
                asked.end();
            });
            assert.equal(await upgrade('https://play.example'), 101);
            assert.equal(await upgrade('https://elsewhere.example'), 403);
        } finally {
            await proxy.stop();
        }
    });
});

test('nginx with TLS: the page, a WebSocket, and nothing of metrics', {skip: !is('nginx') && 'no nginx'}, async () => {
    const server = new Server(['--trust-forwarded']);
    await server.start();
    try {
        const proxy = await startProxy(2, ([plain, secure]) => {
            const text = readFileSync('deploy/proxy/nginx.conf', 'utf8').replace('127.0.0.1:8080;', `127.0.0.1:${server.port};`).replace('listen 80;', `listen 127.0.0.1:${plain};`).replace('listen 443 ssl;', `listen 127.0.0.1:${secure} ssl;`).replace('/etc/ssl/senet/fullchain.pem', join(folder, 'chain.pem')).replace('/etc/ssl/senet/privkey.pem', join(folder, 'key.pem'));
            const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(name => `${name}_temp_path ${folder}/${name};`).join(' ');
            return `daemon off; pid ${folder}/nginx.pid; error_log stderr; events {} http { access_log off; ${places}\n${text}}\n`;
        }, 'nginx', file => ['-c', file, '-p', folder, '-e', 'stderr']);
        const [plain, secure] = proxy.ports;
        try {
            const moved = await ask(plain, '/room/x', {host: 'play.example', secure: false});
            assert.deepEqual([moved.status, moved.headers.location], [308, 'https://play.example/room/x']);
            await until(async () => (await ask(secure, '/readyz', {host: 'play.example'})).status === 200, 'ready');
            assert.equal((await ask(secure, '/metrics', {host: 'play.example'})).status, 404);
            assert.match((await ask(secure, '/', {host: 'play.example'})).body, /<!doctype html>/i);
            const upgrade = origin => new Promise((resolve, reject) => {
                const headers = {host: 'play.example', origin, upgrade: 'websocket', connection: 'upgrade', 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==', 'sec-websocket-version': '13', 'sec-websocket-protocol': 'senet.v1'};
                const asked = request({port: secure, host: '127.0.0.1', path: '/ws', rejectUnauthorized: false, agent: false, headers}, answer => resolve({status: answer.statusCode}) || answer.resume());
                asked.on('upgrade', (answer, socket, head) => resolve({status: answer.statusCode, socket, head}));
                asked.on('error', reject);
                asked.end();
            });
            const {status, socket, head} = await upgrade('https://play.example');
            assert.equal(status, 101);
            const hello = head.length ? head : (await once(socket, 'data'))[0];
            assert.match(hello.toString('latin1'), /"type":"hello"/);
            socket.destroy();
            assert.equal((await upgrade('https://elsewhere.example')).status, 403);
        } finally {
            await proxy.stop();
        }
    } finally {
        await server.remove();
    }
});
