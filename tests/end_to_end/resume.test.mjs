// Connections that do not hold. Clients drop at random, a proxy sends every frame of the server's twice, holds it back or
// cuts it, and the server is killed now and then. In the end every client's state is the server's, nearly all came back by
// events, and everything that was acknowledged happened once.
//
// Both clients there are: the page's modules (protocol/clients/javascript, as they are, in Node), and
// protocol/client in a program of its own (tests/bench/dropping_clients.c). On SQLite, and on PostgreSQL where there is one
// (SENET_TEST_POSTGRES is its URL, as tests/run sets it). SENET_RESUMES says how often both clients together come back on
// each store (2,000 here, 20,000 in tests/bench/reconnects).
import assert from 'node:assert/strict';
import {spawn} from 'node:child_process';
import {createRequire} from 'node:module';
import {dirname, join} from 'node:path';
import {createInterface} from 'node:readline';
import test from 'node:test';
import {Client} from '../support/client.mjs';
import {random, seed} from '../support/load.mjs';
import {Proxy} from '../support/proxy.mjs';
import {program, Server} from '../support/server.mjs';
import {hashOf} from '../support/state.mjs';

const require = createRequire(new URL('../browser/package.json', import.meta.url));
const {Connection, Replica} = await import(new URL('../../protocol/clients/javascript/senet.js', import.meta.url));

const resumes = Number(process.env.SENET_RESUMES ?? 2000);
const tables = Number(process.env.SENET_TABLES ?? 12); // of each kind of client
const kills = Number(process.env.SENET_KILLS ?? 6);
const droppingClients = process.env.SENET_DROPPING_CLIENTS ?? join(dirname(program), 'tests/bench/dropping_clients');
const WITHIN_MS = 60_000;
const ALLOWED_REFUSALS = ['stale', 'not_your_turn', 'game_over'];

// What a browser has: a socket that fails says so by closing.
globalThis.WebSocket = class extends require('ws') {
    constructor(...address) {
        super(...address);
        this.on('error', () => {});
    }
};
const wait = ms => new Promise(resolve => setTimeout(resolve, ms));

async function until(fits, words, within = WITHIN_MS) {
    const deadline = Date.now() + within;
    for (let state; !(state = await fits()); await wait(50))
        assert.ok(Date.now() < deadline, `${words} within ${within} ms`);
}

// What room.js does without the DOM: resumes, follows, asks for a snapshot when lost, and plays.
class Page {
    resumed = {events: 0, snapshot: 0};
    missed = []; // events, each time that they were too many
    syncs = 0;
    acknowledged = []; // {version, seat, move} or {version, text}
    refused = [];
    #busy = false;
    #said = 0;
    #stored = new Map();

    constructor(crowd, name, room = null) {
        Object.assign(this, {crowd, name});
        const storage = {
            getItem: key => this.#stored.get(key) ?? null,
            setItem: (key, value) => this.#stored.set(key, value),
            removeItem: key => this.#stored.delete(key),
        };
        this.connection = new Connection(`ws://127.0.0.1:${crowd.proxy.port}/ws`, storage, {
            onWelcome: () => this.replica && this.#resume(),
            onFrame: frame => this.#hear(frame),
            onStatus: status => status.is === 'waiting' && setTimeout(() => this.connection.hurry(), random(150)),
        });
        if (room) this.enter(room);
        this.connection.open();
        this.timer = setInterval(() => this.#act(), 20 + random(30));
    }

    enter(room) {
        this.replica = new Replica(room);
        if (this.connection.status.is === 'online') this.#resume();
    }

    async #ask(command) {
        try {
            const answer = await this.connection.request({...command, room: this.replica.room}, {once: true});
            if (this.replica.resumed(answer, command.version)) this.crowd.fail(new Error(`${this.name}: the server was set back`));
            return answer;
        } catch (error) {
            if (error.code !== 'disconnected') this.crowd.fail(error);
            return {};
        }
    }

    async #resume() {
        const {version, lost} = this.replica;
        const {mode, version: there} = await this.#ask({type: 'resume', version: lost ? 0 : version});
        if (mode && version > 0) this.resumed[mode]++;
        if (mode === 'snapshot' && version > 0) this.missed.push(there - version);
    }

    #hear(frame) {
        if (!this.replica) return;
        if (frame.type === 'error') this.crowd.fail(new Error(`${frame.code}: ${frame.message}`));
        if (this.replica.apply(frame) === 'lost') {
            this.syncs++;
            this.#ask({type: 'sync'});
        }
    }

    async call(command) {
        return await this.connection.request({room: this.replica?.room, ...command});
    }

    async #act() {
        const {replica} = this;
        if (this.#busy || this.crowd.calm || !replica?.state || replica.lost) return;
        const {state, legalMoves, version} = replica;
        const plays = state.to_move && replica.seatsOf(this.connection.player).includes(state.to_move) && legalMoves.length > 0;
        if (!plays && random(20) > 0) return;
        const move = plays && legalMoves[random(legalMoves.length)];
        const what = plays ? {seat: state.to_move, move} : {text: `${this.name} says ${++this.#said}`};
        this.#busy = true;
        try {
            const ack = await this.call(plays ? {type: 'move', move, version} : {type: 'chat', text: what.text});
            this.acknowledged.push({room: replica.room, version: ack.version, ...what});
        } catch (error) {
            this.refused.push(error.code);
        }
        this.#busy = false;
    }

    get quiet() {
        return !this.#busy && this.connection.status.is === 'online' && this.replica?.state && !this.replica.lost;
    }

    close() {
        clearInterval(this.timer);
        this.connection.close();
    }
}

// Tables of pages: two who play and one who watches.
class Pages {
    pages = [];
    calm = false;

    constructor(proxy) {
        this.proxy = proxy;
    }

    fail(error) {
        this.failure ??= error;
    }

    async begin() {
        for (let table = 0; table < tables; table++) {
            const white = new Page(this, `white ${table}`);
            const {room} = await white.call({type: 'create', game: 'chess'});
            white.enter(room);
            const black = new Page(this, `black ${table}`, room);
            await Promise.all([white.call({type: 'join', seat: 'white'}), black.call({type: 'join', seat: 'black'})]);
            this.pages.push(white, black, new Page(this, `watcher ${table}`, room));
        }
    }

    count(what) {
        return this.pages.reduce((sum, page) => sum + page.resumed[what], 0);
    }

    get resumes() {
        return this.count('events') + this.count('snapshot');
    }

    async holds() {
        return this.pages.map(({replica}) => ({room: replica.room, version: replica.version, hash: hashOf(replica.state), said: replica.hash}));
    }

    close() {
        for (const page of this.pages) page.close();
    }
}

// The program with protocol/client: told to be calm, and asked what it holds.
class DroppingClients {
    acknowledged = [];
    resumes = 0;
    words = '';
    #report = [];
    #reported = () => {};

    constructor(proxy, wanted) {
        const flags = {port: proxy.port, tables, watchers: 1, resumes: wanted, seed: seed % 1e6};
        this.child = spawn(droppingClients, Object.entries(flags).flatMap(([name, value]) => [`--${name}`, `${value}`]), {stdio: ['pipe', 'pipe', 'pipe']});
        this.exited = new Promise((resolve, reject) => (this.child.on('exit', resolve), this.child.on('error', reject)));
        this.exited.then(
            code => (this.failure = new Error(`the program ended with ${code}: ${this.words.slice(-500)}`)),
            error => (this.failure = error),
        );
        this.child.stdin.on('error', () => {});
        this.child.stderr.on('data', data => (this.words += data));
        createInterface({input: this.child.stdout}).on('line', line => this.#hear(JSON.parse(line)));
    }

    #hear(line) {
        if (line.resumed) this.resumes = line.resumed;
        else if (line.reported) this.#reported();
        else if ('client' in line) this.#report.push(line);
        else this.acknowledged.push(line);
    }

    say(word) {
        this.child.stdin.write(`${word}\n`);
    }

    async report() {
        this.#report = [];
        const reported = new Promise(resolve => (this.#reported = resolve));
        this.say('report');
        await Promise.race([reported, this.exited.then(() => assert.fail(this.failure.message))]);
        return this.#report;
    }

    async close() {
        this.child.stdin.end();
        const killer = setTimeout(() => this.child.kill('SIGKILL'), 10_000);
        assert.equal(await this.exited, 0);
        clearTimeout(killer);
    }
}

// The truth about rooms, asked for without the proxy.
async function truthAbout(observer, rooms) {
    const truth = new Map();
    for (const room of new Set(rooms)) {
        const {version, hash, state} = await observer.done({type: 'join', room, seat: 'spectator'}).then(() => observer.next({type: 'snapshot', room}));
        assert.equal(hashOf(state), hash);
        truth.set(room, {version, hash});
        await observer.done({type: 'leave', room});
    }
    return truth;
}

// Everybody holds what the server holds; asked again until what is under way has arrived.
async function expectConvergence(observer, holds) {
    const rooms = (await holds()).map(({room}) => room);
    let apart;
    await until(async () => {
        const truth = await truthAbout(observer, rooms);
        apart = (await holds()).filter(({room, version, hash}) => version !== truth.get(room).version || hash !== truth.get(room).hash);
        return apart.length === 0;
    }, 'all clients hold what the server holds').catch(error => assert.fail(`${error.message}: ${JSON.stringify(apart.slice(0, 3))}`));
}

// What was acknowledged is in the log where the acknowledgement says, and nowhere else.
async function expectOnce(observer, acknowledged) {
    const byRoom = Map.groupBy ? Map.groupBy(acknowledged, ({room}) => room) : groupBy(acknowledged);
    for (const [room, all] of byRoom) {
        const events = [];
        for (let version; events.length !== version; ) {
            const page = await observer.doneInTime({type: 'history', room, from: events.length + 1, to: events.length + 200});
            events.push(...page.events);
            version = page.version;
        }
        events.forEach((event, index) => assert.equal(event.version, index + 1));
        assert.equal(new Set(all.map(({version}) => version)).size, all.length, 'no two acknowledgements name one event');
        for (const {version, seat, move, text} of all) {
            const event = events[version - 1];
            assert.equal(event.kind, move ? 'moved' : 'chat');
            if (move) assert.deepEqual([event.seat, event.move], [seat, move]);
            else assert.equal(event.text, text);
        }
        const said = events.filter(({kind}) => kind === 'chat').map(({text}) => text);
        assert.equal(new Set(said).size, said.length, 'nothing was said twice');
    }
}

function groupBy(acknowledged) {
    const groups = new Map();
    for (const one of acknowledged) groups.set(one.room, [...(groups.get(one.room) ?? []), one]);
    return groups;
}

function expectByEvents(t, who, events, snapshots) {
    const share = events / (events + snapshots);
    t.diagnostic(`${who}: ${events} resumed by events, ${snapshots} by a snapshot (${(share * 100).toFixed(2)} % by events)`);
    assert.ok(share >= 0.95, `${who}: nearly all resume by events`);
}

async function runStorm(server, pages, dropping) {
    const deadline = Date.now() + 60_000 + resumes * 40;
    for (let kill = 1; pages.resumes < resumes / 2 || dropping.resumes === 0; await wait(50)) {
        assert.ok(Date.now() < deadline, `only ${pages.resumes} pages came back, and of the program ${dropping.resumes}`);
        for (const {failure} of [pages, dropping]) if (failure) throw failure;
        if (kill > kills || pages.resumes < (resumes / 2) * (kill / (kills + 1))) continue;
        kill++;
        await server.stop('SIGKILL');
        await server.start();
    }
}

async function comeBackOften(t, server) {
    let proxy, pages, dropping, observer;
    try {
        t.diagnostic(`seed ${seed}`);
        await server.start();
        proxy = new Proxy(server, {random, cut: 12});
        await proxy.start();
        pages = new Pages(proxy);
        dropping = new DroppingClients(proxy, Math.ceil(resumes / 2));
        await pages.begin();
        await runStorm(server, pages, dropping);

        proxy.calm = pages.calm = true;
        dropping.say('calm');
        let report;
        await until(async () => (report = await dropping.report()).every(({ready, idle}) => ready && idle), 'everything of the program is acknowledged');
        await until(() => pages.pages.every(page => page.quiet), 'everything of the pages is acknowledged');
        observer = await Client.open(server);
        await expectConvergence(observer, () => pages.holds());
        await expectConvergence(observer, async () => (report = await dropping.report()).map(({room, version, state}) => ({room, version, hash: hashOf(state)})));
        await expectOnce(observer, pages.pages.flatMap(page => page.acknowledged));
        await expectOnce(observer, dropping.acknowledged);

        const sum = what => report.reduce((total, client) => total + client[what], 0);
        const {doubled, held, cut} = proxy.counts;
        t.diagnostic(`${proxy.connections} connections; frames sent twice ${doubled}, held back ${held}, cut ${cut}`);
        t.diagnostic(`acknowledged: ${pages.pages.reduce((total, page) => total + page.acknowledged.length, 0)} to the pages, ${dropping.acknowledged.length} to protocol/client`);
        t.diagnostic(`copies lost and asked for again: ${pages.pages.reduce((total, page) => total + page.syncs, 0)} by the pages, ${sum('syncs')} by protocol/client`);
        t.diagnostic(`the pages that got a snapshot had missed ${pages.pages.flatMap(page => page.missed).sort((a, b) => a - b).join(', ') || 'nothing'} events`);
        expectByEvents(t, 'the pages', pages.count('events'), pages.count('snapshot'));
        t.diagnostic(`of the snapshots of protocol/client ${sum('from_nothing')} were for who held nothing yet`);
        expectByEvents(t, 'protocol/client', sum('events'), sum('snapshots'));
        assert.equal(pages.failure, undefined);
        assert.equal(sum('broken'), 0, dropping.words);
        const refused = [...pages.pages.flatMap(page => page.refused), ...dropping.words.matchAll(/refused: (\w+)/g)].map(word => word[1] && Array.isArray(word) ? word[1] : word);
        assert.deepEqual([...new Set(refused)].filter(code => !ALLOWED_REFUSALS.includes(code)), []);
        assert.ok(pages.count('events') + pages.count('snapshot') + sum('events') + sum('snapshots') >= resumes);
    } finally {
        pages?.close();
        await dropping?.close().catch(() => dropping.child.kill('SIGKILL'));
        await observer?.end().catch(() => {});
        proxy?.stop();
        await server.remove();
    }
}

const what = `${resumes} times back through a proxy that doubles, delays and cuts, with ${kills} kill -9: all converge, nearly all by events`;
const postgres = process.env.SENET_TEST_POSTGRES;
const timeout = 60_000 + resumes * 60;

test(`SQLite: ${what}`, {timeout}, t => comeBackOften(t, new Server()));

test(`PostgreSQL: ${what}`, {timeout, skip: postgres ? false : 'SENET_TEST_POSTGRES names no PostgreSQL'}, t => comeBackOften(t, new Server([], {postgres})));
