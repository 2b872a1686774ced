// Three servers of one PostgreSQL with a NATS, tables whose players sit at different ones, and watchers at the third; then one
// thing after another is killed, stopped, asked to end or cut off. Behind a load balancer that asks each server again and again whether
// it is ready, sends people to those that say so, and cuts their connections to one that does not answer.
import assert from 'node:assert/strict';
import {execFile, execFileSync} from 'node:child_process';
import {chmodSync, mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {get} from 'node:http';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {random, Table} from './load.mjs';
import {Player} from './player.mjs';
import {Server} from './server.mjs';
import {Wire} from './wire.mjs';

const SERVERS = 3;
const ASKED_MS = 500; // so often a server is asked by the balancer,
const ANSWER_MS = 1000; // which waits for an answer so long,
const FALLS = 2; // and takes it for dead after so many that did not come
const WITHIN_MS = 60000; // against hanging; nothing is measured by it
// All people come from one address here.
const FLAGS = ['--address-rooms-per-minute', '0', '--address-commands-per-second', '100000', '--all-commands-per-second', '0', '--address-rate', '10000', '--address-mib-per-day', '0'];

// What is done to what: how a server is cut off, from whom; by signals of their names whatever else there is.
const SILENCES = {both: {there: true, back: true}, there: {there: true, back: false}, back: {there: false, back: true}};
export const WAYS_OF_SILENCE = Object.keys(SILENCES);
export const SIGNALS = ['KILL', 'STOP', 'TERM'];
export const STRIKES = [
    ...['node', 'nats', 'postgres'].flatMap(what => SIGNALS.map(how => ({what, how}))),
    ...['clients', 'nats', 'postgres'].map(from => ({what: 'node', how: 'CUT', from})),
];
export const NOTHING = {what: 'nothing'}; // how long tables pause on this machine anyway
// One server after the other is ended and started again, as another program.
export const rolled = program => Array.from({length: SERVERS}, (_, which) => ({what: 'node', how: 'TERM', which, program}));
export const wordsOf = ({what, how, from}) => (from ? `node cut from ${from}` : how ? `${what} ${how}` : what);

const run = async (...command) => (await promisify(execFile)(command[0], command.slice(1))).stdout.trim();

const wait = ms => new Promise(resolve => setTimeout(resolve, ms));

// A machine that stands still as a whole is waited for: what counts is the time that was there to do something in.
async function until(condition, words) {
    for (let left = WITHIN_MS, last = Date.now(); !(await condition()); await wait(5)) {
        const now = Date.now();
        left -= Math.min(now - last, 100);
        last = now;
        if (left <= 0) assert.fail(`not in ${WITHIN_MS} ms: ${typeof words === 'function' ? words() : words}`);
    }
}

// A server may send people away while they come: it has lost its lease on a machine that is busy.
async function come(player) {
    await until(() => player.connect().then(() => true, () => false), `${player.name} comes`);
}

// A server with a wire to each of those it speaks with.
class Node extends Server {
    isOut = false; // for the balancer
    wires = {};
    #failures = 0;

    // `natsUrl`, and the URL of a PostgreSQL, of the first one, or that first one.
    static async make(natsUrl, beside, postgres, program) {
        const nats = await new Wire(() => Number(new URL(natsUrl).port)).open();
        const node = new Node(['--bus', `nats://127.0.0.1:${nats.port}`, ...FLAGS], {...(beside ? {beside} : {postgres}), program});
        node.wires = {nats, clients: await new Wire(() => node.port).open(), postgres: await new Wire(() => Number(new URL(node.postgres.url).port)).open()};
        return node;
    }

    get store() {
        const url = new URL(this.postgres.url);
        url.port = this.wires.postgres.port;
        return url.href;
    }

    // Whether it is `ready`, says `no`, or is `silent`.
    #ask() {
        return new Promise(resolve => {
            const request = get({host: '127.0.0.1', port: this.wires.clients.port, path: '/readyz', agent: false, timeout: ANSWER_MS}, answer => {
                answer.resume();
                resolve(answer.statusCode === 200 ? 'ready' : 'no');
            });
            request.on('timeout', () => {
                resolve('silent');
                request.destroy();
            });
            request.on('error', () => resolve('no'));
        });
    }

    async look() {
        const answer = await this.#ask();
        this.#failures = answer === 'ready' ? 0 : answer === 'no' ? FALLS : this.#failures + 1;
        this.isOut = this.#failures >= FALLS;
        return this.isOut && answer === 'silent';
    }

    async remove() {
        try {
            await super.remove();
        } finally {
            for (const wire of Object.values(this.wires)) wire.close();
        }
    }
}

// Where one client is sent: home, or, while that is away, to any other server.
class Way {
    constructor(servers, home) {
        this.servers = servers;
        this.home = servers[home % servers.length];
    }

    get port() {
        const ready = this.servers.filter(server => server.running && !server.isOut);
        const all = ready.length > 0 ? ready : this.servers;
        this.to = all.includes(this.home) ? this.home : all[random(all.length)];
        return this.to.wires.clients.port;
    }
}

class Watcher {
    constructor(table, way) {
        this.table = table;
        this.player = new Player(way, {name: 'watcher', patient: true});
    }

    async follow() {
        if (this.player.room === this.table.room) return;
        if (this.player.room) await this.player.call({type: 'leave', room: this.player.room});
        await this.player.join(this.table.room, 'spectator');
    }
}

// In that folder, which another user has to be able to enter.
export class PostgresOfItsOwn {
    constructor(folder) {
        this.folder = folder;
    }

    #do(word, ...words) {
        return run('tests/support/postgres', word, this.folder, ...words);
    }

    async start() {
        this.url = await this.#do('start');
    }

    async end(signal) {
        await this.#do('stop', signal === 'KILL' ? 'immediate' : 'fast');
    }

    signal(name) {
        const parent = readFileSync(join(this.folder, 'data', 'postmaster.pid'), 'utf8').split('\n')[0];
        const children = execFileSync('ps', ['-o', 'pid=', '--ppid', parent]).toString().trim().split(/\s+/);
        for (const pid of [parent, ...children].map(Number)) {
            try {
                process.kill(pid, name);
            } catch (error) {
                if (error.code !== 'ESRCH') throw error;
            }
        }
    }

    async remove() {
        await this.#do('remove');
    }
}

const nats = (folder, word, ...words) => run('tests/support/nats', word, folder, ...words);

export class House {
    servers = [];
    tables = [];
    watchers = [];

    // `thinkMs`: so long a player thinks at most; `program`: another one than SENET_PROGRAM.
    async open(tables, thinkMs, program) {
        this.#watchOneself();
        this.folder = mkdtempSync(join(tmpdir(), 'senet-faults-'));
        chmodSync(this.folder, 0o755); // PostgreSQL is another user's
        this.postgres = new PostgresOfItsOwn(join(this.folder, 'postgres'));
        await this.postgres.start();
        const url = await nats(join(this.folder, 'nats'), 'start');
        for (let i = 0; i < SERVERS; i++) {
            this.servers.push(await Node.make(url, this.servers[0], this.postgres.url, program));
            await this.servers[i].start();
        }
        this.balancers = this.servers.map(server => this.#balance(server));
        for (let i = 0; i < tables; i++) {
            const table = new Table(new Way(this.servers, i), i, {patient: true, record: 'faults', thinkMs});
            table.players[1].server = new Way(this.servers, i + 1);
            const watcher = new Watcher(table, new Way(this.servers, i + 2));
            this.tables.push(table);
            this.watchers.push(watcher);
            await Promise.all([...table.players, watcher.player].map(come));
            await table.begin();
            await watcher.follow();
        }
    }

    // How long this very program stood still at most since it was asked last: the clients and the network are in it.
    #stoodStillMs = 0;

    #watchOneself() {
        const every = 20;
        let last = Date.now();
        this.oneself = setInterval(() => {
            const now = Date.now();
            this.#stoodStillMs = Math.max(this.#stoodStillMs, now - last - every);
            last = now;
        }, every);
    }

    async #balance(server) {
        while (!this.closed) {
            if (await server.look())
                for (const client of this.clients) if (client.server.to === server) client.turnTo(client.server);
            await wait(ASKED_MS);
        }
    }

    // Where somebody is sent who is at home at that server.
    way(home) {
        return new Way(this.servers, home);
    }

    get clients() {
        return [...this.tables.flatMap(({players}) => players), ...this.watchers.map(({player}) => player)];
    }

    get moves() {
        return this.tables.reduce((sum, {moves}) => sum + moves, 0);
    }

    // Every table has had so many moves acknowledged since.
    async allPlay(count, words) {
        const before = this.tables.map(({moves}) => moves);
        const behind = () => this.tables.filter(({moves}, i) => moves < before[i] + count);
        await until(
            () => {
                for (const {failure} of this.tables) if (failure) throw failure;
                return behind().length === 0;
            },
            () => [words, ...behind().map(table => this.#words(table))].join('\n    '),
        );
    }

    // How a table stands.
    #words(table) {
        const {room} = table;
        const stored = this.servers[0].sql(`select version || ' ' || status from room where id = '${room}'`);
        const clients = [...table.players, this.watchers[table.number].player];
        return `${room} is at ${stored}; ${clients.map(client => `at ${this.servers.indexOf(client.server.to)} ${client.words}`).join('; ')}`;
    }

    // Resolves when what it is done to is whole again.
    async strike({what, how, from, which, program}, stillMs) {
        const server = this.servers[which ?? random(SERVERS)];
        const place = join(this.folder, 'nats');
        if (what === 'nothing') {
            await wait(stillMs);
        } else if (how === 'CUT') {
            const silence = WAYS_OF_SILENCE[random(WAYS_OF_SILENCE.length)];
            server.wires[from].silence(SILENCES[silence]);
            await wait(stillMs);
            server.wires[from].heal();
        } else if (what === 'node' && how === 'STOP') {
            server.signal('SIGSTOP');
            await wait(stillMs);
            server.signal('SIGCONT');
        } else if (what === 'node') {
            const {code} = await server.stop(`SIG${how}`);
            assert.equal(code, how === 'TERM' ? 0 : null, 'asked to end, it ends well');
            await wait(stillMs);
            server.program = program ?? server.program;
            await server.start();
        } else if (what === 'nats') {
            await nats(place, 'signal', how);
            await wait(stillMs);
            await (how === 'STOP' ? nats(place, 'signal', 'CONT') : nats(place, 'start'));
        } else if (how === 'STOP') {
            this.postgres.signal('SIGSTOP');
            await wait(stillMs);
            this.postgres.signal('SIGCONT');
        } else {
            await this.postgres.end(how);
            await wait(stillMs);
            await this.postgres.start();
        }
    }

    // Those who look at a table's room now, as they were shown it last.
    #seen(table, i) {
        const clients = [...table.players, this.watchers[i].player].filter(({room}) => room === table.room);
        return clients.map(({version, hash}) => `${version} ${hash}`);
    }

    #alike(table, i) {
        const seen = this.#seen(table, i);
        const last = Math.max(0, ...(table.acknowledged.get(table.room) ?? []).map(({version}) => version));
        return new Set(seen).size === 1 && parseInt(seen[0]) >= last;
    }

    // Nobody moves any more: how long it took from then on until everybody had been shown the same, at least all that was acknowledged;
    // and the logs have all of that.
    async settle() {
        await Promise.all(this.tables.map(table => table.rest()));
        const began = Date.now();
        const behind = () => this.tables.filter((table, i) => !this.#alike(table, i));
        await until(
            () => behind().length === 0,
            () => ['all see alike', ...behind().map(table => this.#words(table))].join('\n    '),
        );
        const took = Date.now() - began;
        // Only now: a server answers with as much of a room as it has heard of.
        await Promise.all(this.tables.map(table => table.check()));
        return took;
    }

    async #goOn() {
        for (const watcher of this.watchers) await watcher.follow();
        for (const client of this.clients) client.endLeft();
        for (const table of this.tables) table.goOn();
    }

    // Pauses of all tables, in milliseconds: between two acknowledgements, from the strike until all play on.
    async round(strike, stillMs) {
        await this.allPlay(2, `before ${wordsOf(strike)}`);
        for (const table of this.tables) table.longestPauseSince(0);
        const struck = Date.now();
        this.#stoodStillMs = 0;
        await this.strike(strike, stillMs);
        await this.allPlay(3, `after ${wordsOf(strike)}`);
        const pauses = this.tables.map(table => table.longestPauseSince(struck)), stoodStillMs = this.#stoodStillMs;
        const alikeMs = await this.settle();
        await this.#goOn();
        return {pauses, alikeMs, stoodStillMs};
    }

    // `besides`: moves of others than the tables.
    async finish(besides = 0) {
        await this.settle();
        const [server] = this.servers;
        const gaps = 'select count(*) from (select room from event group by room having count(*) <> max(version)) g';
        assert.equal(server.sql(gaps), '0', 'versions have no gap');
        const twice = "select count(*) from (select 1 from event where command <> '' group by room, client, command having count(*) > 1) t";
        assert.equal(server.sql(twice), '0', 'no command made two events');
        assert.equal(Number(server.sql("select count(*) from event where kind = 'moved'")), this.moves + besides, 'the acknowledged moves are in the log, and no others');
    }

    async close() {
        this.closed = true;
        clearInterval(this.oneself);
        for (const table of this.tables) table.close();
        for (const {player} of this.watchers) player.close();
        for (const server of this.servers) {
            server.signal('SIGCONT');
            for (const wire of Object.values(server.wires)) wire.heal();
        }
        try {
            this.postgres?.signal('SIGCONT');
        } catch {
            await this.postgres.start(); // it was away
        }
        await Promise.all(this.balancers ?? []);
        try {
            for (const server of [...this.servers].reverse()) await server.remove();
        } finally {
            await nats(join(this.folder, 'nats'), 'remove');
            await this.postgres?.remove();
            rmSync(this.folder, {recursive: true, force: true});
        }
    }
}

export const quantile = (values, share) => {
    const sorted = [...values].sort((a, b) => a - b);
    return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
};
