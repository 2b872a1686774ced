// The clients in JavaScript and Python beside protocol/conformance; the one in C is conformance_test.c.
import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {describe, test} from 'node:test';
import {setImmediate} from 'node:timers/promises';
import {fileURLToPath} from 'node:url';

const {Client} = await import(new URL('../../protocol/clients/javascript/senet.js', import.meta.url));
const {frames, states, conversations} = JSON.parse(readFileSync(new URL('../../protocol/conformance/conversations.json', import.meta.url), 'utf8'));

const OF_ONE_CONNECTION = ['auth', 'resume', 'sync'];

class Conversation {
    #sockets = [];
    #opened = 0;
    #wake = () => {};
    #ids = {};
    #told = [];

    constructor({legal_moves: legalMoves} = {}) {
        const conversation = this;
        class Socket extends EventTarget {
            readyState = 1;
            sent = [];

            constructor() {
                super();
                conversation.#sockets.push(this);
                conversation.#wake();
            }

            send(text) {
                this.sent.push(JSON.parse(text));
            }

            close() {
                this.readyState = 3;
            }
        }
        this.client = new Client('http://test', {WebSocket: Socket, legalMoves, onRefused: ({code}) => code !== 'disconnected' && this.#told.push(`refused ${code}`)});
    }

    // The one that was opened by a step: by chance the client may have come back already.
    get socket() {
        return this.#sockets[this.#opened - 1];
    }

    async run([kind, ...words]) {
        await this[kind.replace(' ', '_')](...words);
        for (let i = 0; i < 3; i++) await setImmediate(); // what was promised is done
    }

    async open() {
        while (this.#sockets.length === this.#opened) await new Promise(resolve => (this.#wake = resolve));
        this.#opened++;
        assert.equal(this.#sockets.length, this.#opened);
    }

    hear(frame, members = {}) {
        this.hear_text(JSON.stringify({...(frames[frame] ?? frame), ...members}).replace(/"\$(\w+)"/g, (_, name) => JSON.stringify(this.#ids[name])));
    }

    hear_text(text) {
        this.socket.dispatchEvent(Object.assign(new Event('message'), {data: text}));
    }

    hear_nested(depth) {
        this.hear_text(`{"type":"fireworks","a":${'['.repeat(depth)}${']'.repeat(depth)}}`);
    }

    says({id, ...members}) {
        const frame = this.socket.sent.shift();
        assert.ok(frame, 'it says nothing');
        for (const [name, value] of Object.entries(members)) assert.deepEqual(frame[name] ?? null, value, `${name} of ${JSON.stringify(frame)}`);
        const name = id.slice(1);
        if (this.#ids[name] && !OF_ONE_CONNECTION.includes(name)) assert.equal(frame.id, this.#ids[name]);
        this.#ids[name] = frame.id;
    }

    silent() {
        assert.deepEqual(this.socket.sent, []);
    }

    do(verb, {room, text, ...rest}) {
        if (verb !== 'join') delete this.#ids.it;
        const {client} = this;
        const verbs = {join: () => client.join(room, rest), move: () => client.move(rest), chat: () => client.chat(text), leave: () => client.leave(), more: () => this.#more()};
        verbs[verb]().then(() => verb !== 'more' && this.#told.push('acknowledged'), () => {});
    }

    async #more() {
        const {replica} = this.client;
        replica.takeLegalMoves(await this.client.request({type: 'legal_moves', room: replica.room, skip: replica.legalMoves.length}));
    }

    told(what) {
        assert.equal(this.#told.shift() ?? 'nothing', what);
    }

    holds(wanted) {
        const {replica, connection, legalMoves, mustMove, state} = this.client;
        const known = {
            player: connection.player,
            room: replica?.room ?? null,
            version: replica?.version,
            state,
            status: state?.status,
            legal_moves: legalMoves.length,
            legal_moves_all: replica?.legalMovesCount,
            offered: legalMoves,
            last_offered: legalMoves.at(-1),
            must_move: mustMove,
            ready: connection.status.is === 'online' && (!replica || (state !== null && !replica.lost)),
        };
        for (const [name, value] of Object.entries(wanted)) assert.deepEqual(known[name], name === 'state' ? states[value] : value, name);
    }

    close(code, within) {
        const began = Date.now();
        this.socket.readyState = 3;
        this.socket.dispatchEvent(Object.assign(new Event('close'), {code}));
        const {status} = this.client.connection;
        if (within === 'for good') return assert.equal(status.is, 'replaced');
        assert.equal(status.is, 'waiting');
        return assert.ok(status.until - began <= within + 5, `${status.until - began} ms`);
    }

    broken() {
        assert.equal(this.socket.readyState, 3);
        assert.notEqual(this.client.connection.status.is, 'online');
    }
}

describe('the client in JavaScript', {concurrency: true, timeout: 120_000}, () => {
    for (const {name, options, steps} of conversations)
        test(name, async () => {
            const conversation = new Conversation(options);
            try {
                for (const [at, step] of steps.entries())
                    await conversation.run(step).catch(error => {
                        throw new Error(`step ${at + 1}, ${JSON.stringify(step).slice(0, 120)}: ${error.message}`, {cause: error});
                    });
                conversation.told('nothing');
            } finally {
                conversation.client.close();
            }
        });
});

const python = spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 11))']).status === 0;

test('the client in Python', {skip: python ? false : 'no Python 3.11', timeout: 120_000}, () => {
    const {status, stderr} = spawnSync('python3', [fileURLToPath(new URL('conformance.py', import.meta.url))], {encoding: 'utf8'});
    assert.equal(status, 0, stderr);
});
