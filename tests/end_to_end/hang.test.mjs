// A PostgreSQL that hangs: all its processes are stopped, so nothing is cut and nothing is said. Whoever asks is answered
// all the same, the server can be ended, and what was under way is known when the database goes on.
//
// SENET_TEST_POSTGRES is the database's URL, as tests/run sets it; nobody else may use it meanwhile.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {readFileSync} from 'node:fs';
import test from 'node:test';
import {Client} from '../support/client.mjs';
import {Server} from '../support/server.mjs';

const postgres = process.env.SENET_TEST_POSTGRES;
const WITHIN_MS = 60000; // against hanging; nothing is measured by it
const LEASE_MS = 4000; // unless said otherwise
const END_MS = 6000; // what is under way is waited for, and a connection that is being made, for three seconds each
const PAUSE_MS = 4000; // that this machine may make: it is to be under 5 s, and was 9 s with a lease of ten

// The server's connection is a process of PostgreSQL, whose parent has them all.
function processesOf(server) {
    const backend = server.sql("select pid from pg_stat_activity where application_name = 'senet' and datname = current_database()");
    const parent = /^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${backend}/status`, 'utf8'))[1];
    const children = execFileSync('ps', ['-o', 'pid=', '--ppid', parent]).toString().trim().split(/\s+/);
    return [parent, ...children].map(Number);
}

function signalAll(processes, name) {
    for (const pid of processes) {
        try {
            process.kill(pid, name);
        } catch (error) {
            if (error.code !== 'ESRCH') throw error;
        }
    }
}

// A test that waited for ever would leave the database stopped.
const within = (promise, words) =>
    Promise.race([promise, new Promise((_, reject) => setTimeout(() => reject(new Error(`not in ${WITHIN_MS} ms: ${words}`)), WITHIN_MS).unref())]);

const seconds = since => ((performance.now() - since) / 1000).toFixed(1);

test('a database that hangs leaves nobody without an answer, and the server can be ended', {skip: !postgres && 'SENET_TEST_POSTGRES names no PostgreSQL', timeout: 400000}, async t => {
    const server = new Server([], {postgres});
    let stopped = [];
    try {
        await server.start();
        const client = await Client.open(server);
        const {room} = await client.done({type: 'create', game: 'chess'});
        await client.done({type: 'join', room, seat: 'all'});
        const guest = await Client.open(server);
        stopped = processesOf(server);
        signalAll(stopped, 'SIGSTOP');

        // Whoever asks is refused, or sent away before that; who plays, who waits and who looks on is sent away, and proxies are
        // told. It is the lease that does it, not what a statement may take, which is more than twice as long.
        const hung = performance.now();
        const answered = new Promise(resolve => guest.socket.on('message', data => JSON.parse(data).re === 'late' && resolve(JSON.parse(data).code)));
        guest.send({type: 'create', id: 'late', game: 'chess'});
        const answer = await within(Promise.race([answered, guest.closed.then(({code}) => code)]), 'an answer to who is in no room');
        assert.ok(answer === 'unavailable' || answer === 1012, answer);
        assert.deepEqual(await within(client.closed, 'who plays is sent away'), {code: 1012, reason: 'moved'});
        assert.equal((await within(guest.closed, 'who is in no room is sent away')).code, 1012);
        const away = performance.now();
        t.diagnostic(`all were sent away ${seconds(hung)} s after the database hung`);
        assert.equal((await fetch(`${server.url}/readyz`)).status, 503);
        assert.ok(away - hung < LEASE_MS + PAUSE_MS, 'by the lease');

        const ended = performance.now();
        assert.equal((await within(server.stop(), 'the end')).code, 0);
        t.diagnostic(`ended ${seconds(ended)} s after SIGTERM`);
        assert.ok(performance.now() - ended < END_MS + PAUSE_MS, 'nobody waits for a database that does not answer');

        signalAll(stopped, 'SIGCONT');
        stopped = [];
        await server.start();
        const again = await Client.open(server, {token: client.token});
        assert.equal((await again.done({type: 'resume', room, version: 2})).type, 'ack');
        await again.end();
    } finally {
        signalAll(stopped, 'SIGCONT');
        await server.remove();
    }
});
