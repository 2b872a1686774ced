// A small client of the protocol for tests, written from protocol/README.md and independent of protocol/client: it
// keeps its token and what was not acknowledged, reconnects, resumes its room and resends.
import {appendFileSync, mkdirSync} from 'node:fs';
import {createRequire} from 'node:module';
import {join} from 'node:path';

const require = createRequire(new URL('../browser/package.json', import.meta.url));
const WebSocket = require('ws');

const traffic = process.env.SENET_TRAFFIC;
if (traffic) mkdirSync(traffic, {recursive: true});

export class Refused extends Error {
    constructor(message, command) {
        super(`${message.code}: ${message.message}, to ${JSON.stringify(command)}`);
        this.code = message.code;
        this.answer = message;
    }
}

export class Player {
    #socket = null;
    #waiting = new Map(); // id → {command, resolve, reject}, in the order they were sent
    #counter = 0;
    #closing = false;
    #ready = false; // authenticated on this connection, and what was under way has been sent again
    token = null;
    room = null; // what it resumes after a reconnection
    version = 0;
    hash = null; // of the room as it was shown last
    closeCodes = [];
    refused = {}; // how often by which code, if it is patient
    closes = []; // {port, code, reason} of each connection that has ended
    #left = []; // connections turned away from, and not closed
    #comingBack = null;
    #shown = null; // the connection on which its room was shown last

    // `on` is told every message that answers nothing: events, snapshots, presence, lobby; `onLate` what still comes on
    // a connection it has turned away from. Who is `patient` is not told of refusals that may be tried again: it comes
    // back after a while and does so. A `witness` is told of its connections, and when what was answered had been said.
    constructor(server, {name = 'player', on = () => {}, onLate = () => {}, record = false, patient = false, witness = null} = {}) {
        this.server = server;
        this.name = name;
        this.on = on;
        this.onLate = onLate;
        this.patient = patient;
        this.witness = witness;
        this.trafficFile = traffic && record ? join(traffic, `${record}.ndjson`) : null;
        this.key = Math.random().toString(36).slice(2, 10);
    }

    async connect() {
        this.#closing = false;
        await this.#open();
    }

    async #open() {
        const {port} = this.server; // asked once: a balancer may answer otherwise each time
        const connection = this.witness?.connecting();
        const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`, 'senet.v1');
        this.#socket = socket;
        socket.on('message', data => this.#received(JSON.parse(data), socket !== this.#socket));
        socket.on('close', (code, reason) => {
            this.closes.push({port, code, reason: reason.toString()});
            this.witness?.ended(connection, code);
            this.#closed(socket, code);
        });
        socket.on('error', () => {});
        await new Promise((resolve, reject) => {
            this.greeted = resolve;
            this.failed = reject;
        });
        this.witness?.greeted(connection);
        this.#send({type: 'auth', id: `${this.key}-auth`, ...(this.token && {token: this.token})});
        await new Promise((resolve, reject) => {
            this.welcomed = resolve;
            this.failed = reject;
        });
        if (this.room) this.#send({type: 'resume', id: `${this.key}-resume-${++this.#counter}`, room: this.room, version: this.version});
        this.#ready = true;
        for (const waiting of this.#waiting.values()) this.#say(waiting);
    }

    async #reconnect() {
        for (let attempt = 0; !this.#closing; attempt++) {
            await new Promise(resolve => setTimeout(resolve, Math.random() * Math.min(1000, 50 * 2 ** attempt)));
            if (this.#closing) return; // meanwhile
            try {
                await this.#open();
                if (this.#closing) this.#socket?.close();
                return;
            } catch {
                // The server is still away.
            }
        }
    }

    #closed(socket, code) {
        this.closeCodes.push(code);
        if (socket === this.#socket) this.#lose(new Error(`closed: ${code}`));
    }

    #lose(error) {
        const lost = this.#ready; // otherwise somebody is connecting and is told
        this.#socket = null;
        this.#ready = false;
        this.failed?.(error);
        if (lost && !this.#closing) this.#reconnect();
    }

    // Goes on at another server, and leaves the connection to this one as it is; whether it was shown its room on it.
    turnTo(server) {
        const shown = this.#socket !== null && this.#shown === this.#socket;
        this.server = server;
        if (this.#socket) this.#left.push(this.#socket);
        this.#lose(new Error('turned to another server'));
        return shown;
    }

    #comeBack(afterMs) {
        const socket = this.#socket;
        if (this.#comingBack === socket) return;
        this.#comingBack = socket;
        setTimeout(() => socket.close(), afterMs);
    }

    #record(dir, frame) {
        if (this.trafficFile) appendFileSync(this.trafficFile, JSON.stringify({dir, frame}) + '\n');
    }

    #send(command) {
        this.#record('in', command);
        this.#socket?.send(JSON.stringify(command));
    }

    #say(waiting) {
        waiting.saidAt = performance.now();
        this.#send(waiting.command);
    }

    // Sends a command; resolves with its answer, rejects with Refused. Sent again after a reconnection.
    call(command) {
        const id = command.id ?? `${this.key}-${++this.#counter}`;
        const whole = {...command, id};
        const answered = new Promise((resolve, reject) => this.#waiting.set(id, {command: whole, resolve, reject}));
        if (this.#ready) this.#say(this.#waiting.get(id));
        return answered;
    }

    #received(message, late) {
        this.#record('out', message);
        if (late && message.type !== 'ack') return this.onLate(message);
        if (message.type === 'hello') return this.greeted();
        if (message.type === 'welcome') {
            this.token = message.token ?? this.token;
            this.player = message.player;
            return this.welcomed();
        }
        if (message.room === this.room && this.room && message.version !== undefined && message.type !== 'error') {
            if (message.type === 'event' || message.type === 'snapshot') {
                this.version = message.version;
                this.hash = message.hash ?? this.hash;
                this.#shown = this.#socket;
            }
        }
        if (this.patient && message.type === 'error' && message.retry) {
            this.refused[message.code] = (this.refused[message.code] ?? 0) + 1;
            return this.#comeBack(message.retry_ms);
        }
        const waiting = this.#waiting.get(message.re);
        if (waiting) {
            this.#waiting.delete(message.re);
            this.witness?.answered(waiting.saidAt);
            if (message.type === 'error') waiting.reject(new Refused(message, waiting.command));
            else waiting.resolve(message);
        }
        this.on(message);
    }

    async join(room, seat) {
        this.room = room;
        this.version = 0;
        return await this.call({type: 'join', room, seat, name: this.name});
    }

    // All events of a room, asked for page by page.
    async history(room) {
        const events = [];
        for (;;) {
            const answer = await this.call({type: 'history', room, from: events.length + 1, to: events.length + 200});
            events.push(...answer.events);
            if (answer.events.length === 0 || events.length >= answer.version) return events;
        }
    }

    // How it stands, for whoever has waited for it in vain.
    get words() {
        const waiting = [...this.#waiting.values()].map(({command}) => command.type);
        return `${this.name} ${this.#ready ? 'there' : this.#socket ? 'coming' : 'away'}, at ${this.version} ${this.hash}, waits for ${waiting.join(' ') || 'nothing'}, refused ${JSON.stringify(this.refused)}, closed ${this.closeCodes.slice(-5)}`;
    }

    endLeft() {
        for (const socket of this.#left.splice(0)) socket.terminate();
    }

    close() {
        this.#closing = true;
        this.#socket?.close();
        this.endLeft();
    }
}
