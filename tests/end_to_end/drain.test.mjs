// How a server ends: first it is not ready and goes on, so that proxies look elsewhere, then it tells everybody, some at a time.
import assert from 'node:assert/strict';
import {execFile, spawn} from 'node:child_process';
import {once} from 'node:events';
import test from 'node:test';
import {Client} from '../support/client.mjs';
import {program, Server} from '../support/server.mjs';
import {setTable} from '../support/table.mjs';

const record = 'drain';
const WITHIN_MS = 60000; // against hanging; nothing is measured by it

async function withServer(flags, body) {
    const server = new Server(flags);
    await server.start();
    try {
        await body(server);
    } finally {
        if (server.running) server.signal('SIGKILL');
        await server.remove();
    }
}

async function until(condition, words) {
    for (const end = Date.now() + WITHIN_MS; !(await condition()); await new Promise(resolve => setTimeout(resolve, 10)))
        assert.ok(Date.now() < end, `not in ${WITHIN_MS} ms: ${words}`);
}

const statusOf = async url => {
    const answer = await fetch(url, {headers: {connection: 'close'}});
    await answer.arrayBuffer();
    return answer.status;
};

const run = (...words) => new Promise(resolve => execFile(program, words, (error, stdout, stderr) => resolve({status: error ? error.code : 0, stdout, stderr})));

test('a server that drains is not ready, and all else goes on', async () => {
    await withServer(['--drain-ms', '600000'], async server => {
        const {room, white, black, clients} = await setTable(server, {record});
        assert.equal(await statusOf(`${server.url}/readyz`), 200);
        server.signal('SIGTERM');
        await until(async () => (await statusOf(`${server.url}/readyz`)) === 503, 'not ready');
        assert.equal(await statusOf(`${server.url}/readyz?no=404`), 404);
        assert.equal(await statusOf(`${server.url}/healthz`), 200);
        await white.done({type: 'move', room, move: {from: 'e2', to: 'e4'}});
        await black.next({type: 'event', kind: 'moved'});
        const late = await Client.open(server, {record}); // a proxy may not have noticed yet
        await late.done({type: 'join', room, seat: 'spectator'});
        await Promise.all([...clients, late].map(client => client.end()));
        server.signal('SIGTERM'); // who does not want to wait asks again
        assert.deepEqual(await server.ended, {code: 128 + 15, signal: null});
    });
});

test('`senet drain` waits until the server has ended, and everybody was told', async () => {
    await withServer(['--drain-ms', '200'], async server => {
        const {room, white, clients} = await setTable(server, {record, watch: true});
        const strangers = await Promise.all(Array.from({length: 600}, () => Client.open(server, {token: false})));
        const {version} = await white.done({type: 'move', room, move: {from: 'e2', to: 'e4'}});
        const drained = run('drain', `${server.pid}`);
        const codes = await Promise.all([...clients, ...strangers].map(async client => (await client.closed).code));
        assert.deepEqual(new Set(codes), new Set([1012]));
        assert.deepEqual(await drained, {status: 0, stdout: '', stderr: ''});
        assert.deepEqual(await server.ended, {code: 0, signal: null});
        await server.start();
        assert.equal(Number(server.sql(`select max(version) from event where room = '${room}'`)), version);
        await server.stop();
    });
});

test('`senet drain` ends nothing but servers', async () => {
    const other = spawn('sleep', ['600']);
    try {
        assert.equal((await run('drain', `${other.pid}`)).status, 1);
        assert.equal(other.exitCode ?? other.signalCode, null);
    } finally {
        other.kill('SIGKILL');
        await once(other, 'exit');
    }
    assert.equal((await run('drain', `${other.pid}`)).status, 1);
    for (const words of [[], ['0'], ['-1'], ['1x'], ['1', '0'], ['1', '2', '3']]) assert.equal((await run('drain', ...words)).status, 2, words.join(' '));
    assert.match((await run('drain', '--help')).stdout, /^usage: senet drain PID/);
});

test('`senet drain` says when a server goes on', async () => {
    await withServer(['--drain-ms', '600000'], async server => {
        const {status, stderr} = await run('drain', `${server.pid}`, '1');
        assert.equal(status, 1);
        assert.match(stderr, /goes on/);
        assert.ok(server.running);
    });
});
