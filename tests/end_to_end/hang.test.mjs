// A PostgreSQL that hangs: all its processes are stopped, so nothing is cut and nothing is said. Whoever asks is answered
// all the same, the server can be ended, and what was under way is known when the database goes on. And no clock runs while it hangs,
// or is away.
//
// SENET_TEST_POSTGRES is the database's URL, as tests/run sets it; nobody else may use it meanwhile.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {chmodSync, mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {describe, test} from 'node:test';
import {Client} from '../support/client.mjs';
import {PostgresOfItsOwn} from '../support/faults.mjs';
import {Player} from '../support/player.mjs';
import {Server} from '../support/server.mjs';
import {countedMs, inTime, ROUNDING_MS} from '../support/table.mjs';

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

// Whoever comes back and tries again until he is told something else than that the store takes nothing.
class Patient extends Player {
    events = [];
    left = null; // what is left of White's time, as it was shown last

    constructor(server) {
        super(server, {patient: true, on: message => this.#see(message)});
    }

    #see(message) {
        if (message.type === 'event') this.events.push(message);
        const seats = message.patch?.seats ?? message.state?.seats;
        this.left = seats?.white?.clock?.left_ms ?? this.left;
    }

    seen(kind) {
        return this.events.findLast(event => event.kind === kind);
    }
}

async function until(condition, words) {
    for (const end = Date.now() + WITHIN_MS; !condition(); await new Promise(resolve => setTimeout(resolve, 10)))
        assert.ok(Date.now() < end, `not in ${WITHIN_MS} ms: ${words}`);
}

// Chess in which White has begun to think when his server's database goes away: `take` takes it away, and says when it was known to be,
// `give` gives it back. What came of it when White moves then, and when he does not.
async function playOverOutage({leftMs, flags, take, give}) {
    const folder = mkdtempSync(join(tmpdir(), 'senet-hang-'));
    chmodSync(folder, 0o755); // PostgreSQL is another user's
    const database = new PostgresOfItsOwn(join(folder, 'postgres'));
    await database.start();
    const server = new Server(flags, {postgres: database.url});
    const [white, black] = [new Patient(server), new Patient(server)];
    try {
        await server.start();
        for (const player of [white, black]) await player.connect();
        const {room} = await white.call({type: 'create', game: 'chess', clock: {initial_ms: leftMs}});
        await white.join(room, 'white');
        await black.join(room, 'black');
        const move = (player, from, to) => player.call({type: 'move', room, move: {from, to}}).then(() => true, error => {
            assert.equal(error.code, 'game_over');
            return false;
        });
        await move(white, 'e2', 'e4');
        const began = performance.now();
        await move(black, 'e7', 'e5');
        const before = (await take({database, white, black, room})) - began;
        await new Promise(resolve => setTimeout(resolve, leftMs + 2000));
        const given = performance.now();
        await give(database);
        const moved = await move(white, 'g1', 'f3');
        const most = before + performance.now() - given;
        // All that he had was there: this machine is slow.
        if (!moved) {
            assert.ok(most >= leftMs - ROUNDING_MS, `the flag fell, and there were only ${most} of ${leftMs} ms`);
            return false;
        }
        const words = `${server.lines.filter(({fact}) => fact === 'lease_lost').length} times without a lease`;
        await until(() => white.seen('moved')?.move?.to === 'f3' && black.seen('moved')?.move?.to === 'f3', 'both see the move');
        const event = white.seen('moved'), spent = event.spent_ms ?? 0;
        assert.ok(countedMs(event) <= most + ROUNDING_MS, `${countedMs(event)} ms are counted, and there were ${most} at most (${words})`);
        for (const player of [white, black]) assert.equal(player.left, leftMs - spent);

        const turn = performance.now();
        if (!(await move(black, 'b8', 'c6'))) return false;
        await until(() => white.seen('flagged') && black.seen('flagged'), 'the flag falls');
        assert.equal(white.seen('flagged').seat, 'white');
        assert.ok(performance.now() - turn >= leftMs - spent - ROUNDING_MS, 'he had what was left');
        return words;
    } finally {
        for (const player of [white, black]) player.close();
        try {
            database.signal('SIGCONT');
        } catch {
            await database.start(); // it was away
        }
        await server.remove();
        await database.remove();
        rmSync(folder, {recursive: true, force: true});
    }
}

describe('who is to move loses nothing', {concurrency: true, skip: !postgres && 'there is no PostgreSQL'}, () => {
    test('while a database hangs, for longer than the lease and than he has left', {timeout: 240000}, async t => {
        await inTime(3000, async leftMs => {
            const words = await playOverOutage({
                leftMs,
                flags: [],
                take: async ({database, white, black}) => {
                    const stopped = performance.now();
                    database.signal('SIGSTOP');
                    await until(() => [white, black].every(player => player.closeCodes.includes(1012)), 'both are sent away');
                    return stopped;
                },
                give: database => database.signal('SIGCONT'),
            });
            if (words) t.diagnostic(words);
            return words;
        });
    });

    test('while a database is away, for longer than he has left', {timeout: 240000}, async t => {
        await inTime(3000, async leftMs => {
            const words = await playOverOutage({
                leftMs,
                flags: ['--lease-ms', '600000'],
                take: async ({database, white, room}) => {
                    await database.end('KILL');
                    // What cannot be written is what tells the server; he says it again until it can.
                    white.call({type: 'chat', room, text: 'is anybody there?'}).catch(() => {});
                    await until(() => white.refused.unavailable > 0, 'he is told that the store takes nothing');
                    return performance.now();
                },
                give: database => database.start(),
            });
            if (words) t.diagnostic(words);
            return words;
        });
    });
});
