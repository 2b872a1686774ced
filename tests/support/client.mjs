// One connection, as an outsider who has read protocol/README.md would make it. It hides nothing: tests say what is sent
// and look at everything that comes. And it believes nothing: of every event and snapshot it checks on its own that
// versions have no gap, that patches lead to the state the hash belongs to, and that a snapshot shows the very state
// that the events led to. (player.mjs is the one that comes back by itself.)
import assert from 'node:assert/strict';
import {appendFileSync, mkdirSync} from 'node:fs';
import {createRequire} from 'node:module';
import {join} from 'node:path';
import {applyPatch, hashOf} from './state.mjs';

const require = createRequire(new URL('../browser/package.json', import.meta.url));
export const WebSocket = require('ws');

const WITHIN_MS = 60000; // against hanging; nothing is measured by it
const traffic = process.env.SENET_TRAFFIC;
if (traffic) mkdirSync(traffic, {recursive: true});

// What is recorded for the schemas: all that comes, and of what is sent that which is meant to be well formed.
const MALFORMED = ['bad_json', 'bad_message', 'unknown_type'];

export class Client {
    received = []; // every message, in order
    rooms = new Map(); // room → {version, state}, kept up to date by the events
    player = null;
    token = null;
    close = null; // {code, reason} once it is closed
    #unread = [];
    #waiting = []; // {match, resolve}
    #counter = 0;
    #resumed = new Set(); // rooms it was in when it said resume
    #fault = null;
    #key = Math.random().toString(36).slice(2, 8); // ids are unique in the player, who may have several connections

    constructor(server, {record, protocol = 'senet.v1', headers} = {}) {
        this.file = traffic && record ? join(traffic, `${record}.ndjson`) : null;
        this.socket = new WebSocket(`ws://127.0.0.1:${server.port}/ws`, protocol, {headers, perMessageDeflate: false});
        this.closed = new Promise(resolve => {
            this.socket.on('close', (code, reason) => resolve((this.close = {code, reason: reason.toString()})));
        });
        this.socket.on('error', () => {});
        this.socket.on('message', (data, isBinary) => this.#hear(data, isBinary));
        this.closed.then(() => this.#wake());
    }

    // A connection on which `hello` came and, unless `token` is false, `auth` is done.
    static async open(server, {token, ...options} = {}) {
        const client = new Client(server, options);
        client.hello = await client.next({type: 'hello'});
        if (token !== false) await client.authenticate(token);
        return client;
    }

    async authenticate(token) {
        const welcome = await this.done({type: 'auth', ...(token && {token})});
        assert.equal(welcome.type, 'welcome');
        assert.equal('token' in welcome, !token, 'the token is shown only when it is minted');
        this.token = welcome.token ?? token;
        this.player = welcome.player;
        this.session = welcome.session;
        return welcome;
    }

    // --- out

    sendText(text) {
        this.socket.send(text);
    }

    send(command, wellFormed = true) {
        if (command.type === 'resume' && this.rooms.has(command.room)) this.#resumed.add(command.room);
        if (this.file && wellFormed) appendFileSync(this.file, JSON.stringify({dir: 'in', frame: command}) + '\n');
        this.sendText(JSON.stringify(command));
    }

    // Sends a command; resolves with its one answer, whatever that is. Gives it an id if it has none.
    async ask(command, wellFormed) {
        const whole = {id: `${this.#key}-${++this.#counter}`, ...command};
        this.send(whole, wellFormed);
        return await this.next(message => message.re === whole.id);
    }

    async done(command) {
        const answer = await this.ask(command);
        assert.notEqual(answer.type, 'error', `${JSON.stringify(command).slice(0, 300)} → ${answer.code}: ${answer.message}`);
        return answer;
    }

    // As `done`, however much is asked for: whoever is told when to come back comes back then.
    async doneInTime(command) {
        for (;;) {
            const answer = await this.ask({...command});
            if (answer.code !== 'rate_limited') {
                assert.notEqual(answer.type, 'error', `${JSON.stringify(command).slice(0, 300)} → ${answer.code}: ${answer.message}`);
                return answer;
            }
            await new Promise(resolve => setTimeout(resolve, answer.retry_ms));
        }
    }

    async refused(command, code, words = /./) {
        const answer = await this.ask(command, !MALFORMED.includes(code));
        assert.equal(answer.type, 'error', `${JSON.stringify(command)} was answered by ${JSON.stringify(answer)}`);
        assert.equal(answer.code, code, answer.message);
        assert.match(answer.message, words);
        assert.equal(answer.retry, ['rate_limited', 'unavailable', 'moved'].includes(code));
        return answer;
    }

    // --- in

    // The first message not taken yet that is like `match` (a function, or members it must have); takes it.
    next(match, words = JSON.stringify(match)) {
        const fits = typeof match === 'function' ? match : message => Object.entries(match).every(([name, value]) => message[name] === value);
        const index = this.#unread.findIndex(fits);
        if (index >= 0) return Promise.resolve(this.#unread.splice(index, 1)[0]);
        return new Promise((resolve, reject) => {
            const timer = setTimeout(() => waiter.fail(new Error('it did not come in time')), WITHIN_MS);
            const waiter = {
                fits,
                resolve: message => (clearTimeout(timer), resolve(message)),
                fail: error => {
                    clearTimeout(timer);
                    this.#waiting = this.#waiting.filter(other => other !== waiter);
                    const last = this.received.slice(-3).map(message => JSON.stringify(message).slice(0, 200));
                    reject(new Error(`waiting for ${words ?? match}: ${error.message}; the last that came: ${last.join('\n')}`, {cause: error}));
                },
            };
            this.#waiting.push(waiter);
            this.#wake();
        });
    }

    // What came and was not taken, taken now.
    drain() {
        return this.#unread.splice(0);
    }

    // Everything the server had to say before this moment has come when this resolves.
    async settle() {
        await this.done({type: 'ping'});
    }

    #wake() {
        const error = this.#fault ?? (this.close && new Error(`closed with ${this.close.code} ${this.close.reason}`));
        if (error) for (const waiter of [...this.#waiting]) waiter.fail(error);
    }

    #hear(data, isBinary) {
        try {
            assert.ok(!isBinary, 'text frames only');
            const message = JSON.parse(data);
            if (this.file) appendFileSync(this.file, JSON.stringify({dir: 'out', frame: message}) + '\n');
            this.received.push(message);
            if (message.type === 'event') this.#follow(message);
            if (message.type === 'snapshot') this.#compare(message);
            const waiter = this.#waiting.find(({fits}) => fits(message));
            if (!waiter) return void this.#unread.push(message);
            this.#waiting = this.#waiting.filter(other => other !== waiter);
            waiter.resolve(message);
        } catch (error) {
            this.#fault ??= error;
            this.#wake();
        }
    }

    // An event comes again only to who resumes a room it is in, and then it is the same event.
    #follow(event) {
        const {room, version, patch, hash} = event;
        const known = this.rooms.get(room);
        assert.ok(known, `an event of room ${room}, which it is not in`);
        if (version <= known.version && this.#resumed.has(room)) {
            const before = this.received.find(message => message !== event && message.type === 'event' && message.room === room && message.version === version);
            if (before) assert.deepEqual({...event, legal_moves: 0}, {...before, legal_moves: 0});
            return;
        }
        assert.equal(version, known.version + 1, `room ${room}: versions have no gap`);
        const state = applyPatch(known.state, patch);
        assert.equal(hashOf(state), hash, `room ${room}, version ${version}: the patch leads to the state of the hash`);
        this.rooms.set(room, {version, state});
    }

    #compare({room, version, state, hash}) {
        const known = this.rooms.get(room);
        assert.equal(hashOf(state), hash, `room ${room}, version ${version}: the hash is that of the snapshot's state`);
        if (known?.version === version) assert.deepEqual(state, known.state, `room ${room}: the snapshot shows what the events led to`);
        this.rooms.set(room, {version, state});
    }

    // Throws what was found wrong while nobody waited. The socket is closed as a client closes it.
    async end(code = 1000) {
        if (!this.close) this.socket.close(code);
        await this.closed;
        if (this.#fault) throw this.#fault;
    }
}
