// TLS in the program itself: the page, the API and WebSockets on one port; a certificate exchanged while people play; what is not spoken.
import assert from 'node:assert/strict';
import {execFile, execFileSync, spawnSync} from 'node:child_process';
import {mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync} from 'node:fs';
import {request} from 'node:https';
import {createConnection} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {after, before, test} from 'node:test';
import {connect} from 'node:tls';
import {frameOf, RawSocket, upgradeRequest} from '../support/raw_socket.mjs';
import {program, Server} from '../support/server.mjs';

const folder = mkdtempSync(join(tmpdir(), 'senet-tls-'));
const chain = join(folder, 'chain.pem'), key = join(folder, 'key.pem');

// Renamed into place: whoever reads in between reads the old one or the new one.
function makeCertificate(name, [certificateAt, keyAt] = [chain, key]) {
    const made = [join(folder, `${name}.chain`), join(folder, `${name}.key`)];
    execFileSync('openssl', ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2', '-subj', `/CN=${name}`, '-addext', 'subjectAltName=DNS:localhost', '-keyout', made[1], '-out', made[0]], {stdio: 'ignore'});
    renameSync(made[0], certificateAt);
    renameSync(made[1], keyAt);
}

makeCertificate('first');
const server = new Server(['--tls-certificate', chain, '--tls-key', key]);
before(() => server.start());
after(async () => {
    await server.remove();
    rmSync(folder, {recursive: true});
});

const open = (options = {}) => new Promise((resolve, reject) => {
    const socket = connect({port: server.port, host: '127.0.0.1', rejectUnauthorized: false, ALPNProtocols: ['http/1.1'], ...options}, () => resolve(socket));
    socket.on('error', reject);
});

const get = (path, options = {}) => new Promise((resolve, reject) => {
    const {body, ...others} = options;
    const asked = request({port: server.port, host: '127.0.0.1', path, rejectUnauthorized: false, agent: false, ...others}, answer => {
        const parts = [];
        answer.on('data', part => parts.push(part));
        answer.on('end', () => resolve({status: answer.statusCode, headers: answer.headers, body: Buffer.concat(parts)}));
    });
    asked.on('error', reject);
    asked.end(body);
});

const openWebSocket = async (options, headers = {}) => {
    const raw = new RawSocket(server.port, await open(options));
    raw.write(upgradeRequest({headers}));
    const {status} = await raw.answer();
    if (status === 101) assert.equal(JSON.parse((await raw.frame()).payload).type, 'hello');
    return {raw, status};
};
const command = fields => frameOf(JSON.stringify(fields));
const answered = async (raw, id) => {
    for (;;) {
        const message = JSON.parse((await raw.frame()).payload);
        if (message.re === id) return message;
    }
};
const nameOf = socket => socket.getPeerCertificate().subject.CN;

test('the page, its files and the API, whole', async () => {
    const page = await get('/');
    assert.equal(page.status, 200);
    assert.match(page.headers['strict-transport-security'], /^max-age=\d{7,}$/);
    for (const file of ['mark.svg', 'icon-192.png', 'make/page.js']) assert.ok((await get(`/${file}`)).body.equals(readFileSync(new URL(`../../server/web/${file}`, import.meta.url))), file);
    assert.equal((await get('/api/v1/games')).headers['content-type'], 'application/json');
    assert.equal((await get('/api/v1/qr', {method: 'POST', body: 'hello', headers: {'Content-Length': 5}})).headers['content-type'], 'image/svg+xml');
    assert.match(server.lines.find(({fact}) => fact === 'listening').url, /^https:/);
});

test('a head that comes byte by byte, and several requests on one connection', async () => {
    const raw = new RawSocket(server.port, await open());
    for (const byte of Buffer.from('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n')) raw.write(Buffer.from([byte])), await new Promise(setImmediate);
    assert.deepEqual([(await raw.answer()).status], [200]);
    raw.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\nGET /nothing HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
    assert.deepEqual([(await raw.answer()).status, (await raw.answer()).status], [200, 404]);
    assert.ok(await raw.untilEnded());
});

test('half a head costs nothing while the rest is awaited', async () => {
    const raw = new RawSocket(server.port, await open());
    raw.write('GET /healthz HTTP/1.1\r\n');
    await get('/healthz');
    const spent = () => readFileSync(`/proc/${server.pid}/stat`, 'latin1').split(') ')[1].split(' ').slice(11, 13).reduce((sum, ticks) => sum + Number(ticks), 0);
    const before = spent();
    await new Promise(resolve => setTimeout(resolve, 1000));
    assert.ok(spent() - before < 30, 'ticks of 10 ms in a second');
    raw.write('Host: localhost\r\n\r\n');
    assert.equal((await raw.answer()).status, 200);
    raw.destroy();
});

test('a WebSocket: small and large messages, both ways', async () => {
    const {raw} = await openWebSocket();
    raw.write(command({type: 'ping', id: 'small'}));
    await answered(raw, 'small');
    raw.write(command({type: 'ping', id: 'large', padding: 'x'.repeat(15000)}));
    await answered(raw, 'large');
    raw.write(command({type: 'auth', id: 'me'}));
    await answered(raw, 'me');
    for (let i = 0; i < 20; i += 5) { // some 110 KB: no more may wait for one connection than 320 KiB
        for (let j = i; j < i + 5; j++) raw.write(command({type: 'games', id: `g${j}`, op: 'get', game: 'chess'}));
        for (let j = i; j < i + 5; j++) await answered(raw, `g${j}`);
    }
    raw.write(frameOf(Buffer.from([3, 232]), {opcode: 8}));
    assert.equal(await raw.fate(), 1000);
    assert.ok(await raw.untilEnded());
});

test('pages of the same host by https may connect, others not', async () => {
    const statusOf = async headers => {
        const {raw, status} = await openWebSocket({}, headers);
        raw.destroy();
        return status;
    };
    assert.equal(await statusOf({Host: 'senet.example', Origin: 'https://senet.example'}), 101);
    assert.equal(await statusOf({Host: 'senet.example', Origin: 'http://senet.example'}), 403);
    assert.equal(await statusOf({Host: 'senet.example', Origin: 'https://elsewhere.example'}), 403);
});

test('bots of ours play by TLS, with servers whose certificate they believe', async () => {
    const {raw} = await openWebSocket();
    raw.write(command({type: 'auth', id: 'me'}));
    await answered(raw, 'me');
    raw.write(command({type: 'create', id: 'room', game: 'breakthrough'}));
    const {room} = await answered(raw, 'room');
    const play = environment => new Promise(resolve => execFile(program, ['bot', `https://localhost:${server.port}/room/${room}`], {timeout: 300000, env: {...process.env, ...environment}}, (error, stdout) => resolve(stdout)));
    for (const words of await Promise.all([play({SSL_CERT_FILE: chain}), play({SSL_CERT_FILE: chain})])) assert.match(words, /the game is over/);
    raw.destroy();
});

test('a new certificate for new connections; old ones go on', async () => {
    const {raw} = await openWebSocket();
    raw.write(command({type: 'auth', id: 'me'}));
    await answered(raw, 'me');
    assert.equal(nameOf(raw.socket), 'first');
    makeCertificate('second');
    const told = count => new Promise((resolve, reject) => {
        const deadline = Date.now() + 60000;
        const look = () => server.lines.filter(({fact}) => fact.startsWith('certificate_')).length >= count ? resolve(server.lines.findLast(({fact}) => fact.startsWith('certificate_'))) : Date.now() > deadline ? reject(new Error('nothing was logged')) : setTimeout(look, 10);
        look();
    });
    server.signal('SIGHUP');
    assert.equal((await told(1)).fact, 'certificate_read');
    const later = await open();
    assert.equal(nameOf(later), 'second');
    later.destroy();
    raw.write(command({type: 'ping', id: 'still'}));
    await answered(raw, 'still');
    writeFileSync(chain, 'no certificate');
    server.signal('SIGHUP');
    const stays = await told(2);
    assert.deepEqual([stays.fact, stays.level], ['certificate_stays', 'error']);
    assert.match(stays.message, /chain\.pem: not a certificate in PEM/);
    const last = await open();
    assert.equal(nameOf(last), 'second');
    last.destroy();
    makeCertificate('second');
    raw.write(command({type: 'ping', id: 'even-now'}));
    await answered(raw, 'even-now');
    raw.destroy();
});

test('what is not spoken is refused', async () => {
    await assert.rejects(open({maxVersion: 'TLSv1.1', minVersion: 'TLSv1', ciphers: 'DEFAULT:@SECLEVEL=0'}));
    await assert.rejects(open({ALPNProtocols: ['h2']}));
    const twelve = await open({maxVersion: 'TLSv1.2'});
    assert.deepEqual([twelve.getProtocol(), twelve.alpnProtocol], ['TLSv1.2', 'http/1.1']);
    twelve.destroy();
    const plain = new RawSocket(server.port);
    plain.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    const {status, body} = await plain.answer();
    assert.deepEqual([status, body], [400, '400 https only, here\n']);
    assert.ok(await plain.untilEnded());
    const noise = new RawSocket(server.port);
    noise.write(Buffer.alloc(2000, 0x55));
    assert.ok(await noise.untilEnded());
    assert.equal((await get('/healthz')).status, 200);
});

test('connections that were cut, and ends that were not said, leave nothing behind', async () => {
    const descriptors = () => Number(execFileSync('sh', ['-c', `ls /proc/${server.pid}/fd | wc -l`]));
    const settled = descriptors();
    for (let i = 0; i < 30; i++) {
        const socket = i % 3 === 0 ? createConnection(server.port, '127.0.0.1') : (await openWebSocket()).raw.socket;
        if (i % 3 === 1) socket.write('half a frame');
        if (i % 2) socket.destroy();
        else socket.end();
    }
    const deadline = Date.now() + 60000;
    while (descriptors() > settled && Date.now() < deadline) await new Promise(resolve => setTimeout(resolve, 50));
    assert.ok(descriptors() <= settled, `${descriptors()} descriptors, ${settled} before`);
});

test('files that are no certificate and key end the start with words', () => {
    const other = [join(folder, 'other.pem'), join(folder, 'other-key.pem')];
    makeCertificate('other', other);
    const words = join(folder, 'words');
    writeFileSync(words, 'nothing of the kind');
    const start = (...flags) => spawnSync(program, ['serve', '--listen', '127.0.0.1:0', '--store', `sqlite://${join(folder, 'none.db')}`, ...flags], {timeout: 120000, encoding: 'utf8'});
    for (const [flags, expected] of [
        [['--tls-certificate', join(folder, 'absent'), '--tls-key', key], /absent: No such file/],
        [['--tls-certificate', words, '--tls-key', key], /words: not a certificate in PEM/],
        [['--tls-certificate', chain, '--tls-key', words], /words: not the certificate's key/],
        [['--tls-certificate', chain, '--tls-key', other[1]], /other-key.pem: not the certificate's key/],
    ]) {
        const {status, stdout} = start(...flags);
        assert.equal(status, 1);
        assert.match(stdout, expected);
    }
    const {status, stderr} = start('--tls-certificate', chain);
    assert.deepEqual([status, /go together/.test(stderr)], [2, true]);
});
