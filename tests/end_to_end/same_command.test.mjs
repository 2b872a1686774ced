// The same command, ten times at once, over three connections of its player where that may be: one event, and ten times the
// same acknowledgement. Ten thousand ids, on SQLite, and on PostgreSQL where there is one (SENET_TEST_POSTGRES is its URL, as
// tests/run sets it). The database is asked behind the server's back.
import assert from 'node:assert/strict';
import {createRequire} from 'node:module';
import test from 'node:test';
import {random, seed} from '../support/load.mjs';
import {Server} from '../support/server.mjs';

const require = createRequire(new URL('../browser/package.json', import.meta.url));
const WebSocket = require('ws');

const ids = Number(process.env.SENET_IDS ?? 10_000);
const PLAYERS = 32;
const COPIES = 10;
const WITHIN_MS = 60_000;
const FAST = ['--commands-per-second', '10000000', '--commands-burst', '10000000'];

class Connection {
    #waiting = new Map(); // id → {count, answers, resolve}
    legalMoves = [];
    status = 'waiting';

    constructor(server) {
        this.socket = new WebSocket(`ws://127.0.0.1:${server.port}/ws`, 'senet.v1', {perMessageDeflate: false});
        this.socket.on('message', data => this.#hear(JSON.parse(data)));
        this.socket.on('error', () => {});
        this.opened = new Promise((resolve, reject) => (this.socket.on('open', resolve), this.socket.on('close', () => reject(new Error('closed')))));
    }

    #hear(frame) {
        if (frame.type === 'event' || frame.type === 'snapshot') {
            this.legalMoves = frame.legal_moves ?? [];
            this.status = frame.state?.status ?? frame.patch?.status ?? this.status;
        }
        const waiting = frame.type !== 'snapshot' && this.#waiting.get(frame.re);
        if (!waiting) return;
        waiting.answers.push(frame);
        if (waiting.answers.length < waiting.count) return;
        this.#waiting.delete(frame.re);
        waiting.resolve(waiting.answers);
    }

    // The command so many times in a row, and as many answers.
    async say(command, count = 1) {
        const answered = new Promise((resolve, reject) => {
            const timer = setTimeout(() => reject(new Error(`${JSON.stringify(command)} was not answered ${count} times`)), WITHIN_MS);
            this.#waiting.set(command.id, {count, answers: [], resolve: answers => (clearTimeout(timer), resolve(answers))});
        });
        const text = JSON.stringify(command);
        for (let i = 0; i < count; i++) this.socket.send(text);
        return await answered;
    }

    close() {
        this.socket.terminate();
    }
}

// One player on three connections: the first one sits on all seats, the others watch.
class Player {
    #count = 0;
    events = 0; // that its commands must have made

    constructor(server, number) {
        this.number = number;
        this.connections = Array.from({length: 3}, () => new Connection(server));
    }

    async begin() {
        let token;
        for (const connection of this.connections) {
            await connection.opened;
            const [welcome] = await connection.say({type: 'auth', id: 'auth', ...(token && {token})});
            token ??= welcome.token;
        }
        await this.sitDown();
    }

    get #id() {
        return `same-${this.number}-${++this.#count}`;
    }

    get #seated() {
        return this.connections[0];
    }

    async sitDown() {
        const {room} = await this.tenTimes({type: 'create', game: 'chess'}, this.connections);
        if (this.room) for (const connection of this.connections) await connection.say({type: 'leave', id: this.#id, room: this.room});
        this.room = room;
        await this.tenTimes({type: 'join', room, seat: 'all', name: `${this.number}`}, [this.#seated]);
        for (const connection of this.connections.slice(1)) await connection.say({type: 'join', id: this.#id, room, seat: 'spectator'});
    }

    // Says it ten times at once, over these connections, and gives the one answer there is.
    async tenTimes(command, connections) {
        const whole = {...command, id: this.#id};
        const share = connections.map((_, index) => Math.floor((COPIES + index) / connections.length));
        const answers = (await Promise.all(connections.map((connection, index) => connection.say(whole, share[index])))).flat();
        assert.equal(answers.length, COPIES);
        for (const answer of answers) {
            assert.equal(answer.type, 'ack', JSON.stringify([whole, answer]));
            assert.deepEqual(answer, answers[0]);
        }
        this.events++;
        return answers[0];
    }

    async act() {
        const {room} = this, dice = random(10);
        if (dice < 4) return await this.tenTimes({type: 'chat', room, text: `${dice}`}, this.connections);
        if (this.#seated.status === 'finished' || dice === 9) return await this.sitDown();
        if (dice === 8) {
            await this.tenTimes({type: 'action', room, kind: 'draw.offer'}, [this.#seated]);
            return await this.tenTimes({type: 'action', room, kind: 'draw.decline'}, [this.#seated]);
        }
        const moves = this.#seated.legalMoves;
        return await this.tenTimes({type: 'move', room, move: moves[random(moves.length)]}, [this.#seated]);
    }

    close() {
        for (const connection of this.connections) connection.close();
    }
}

async function sayEverythingTenTimes(t, server) {
    t.diagnostic(`seed ${seed}`);
    let players = [];
    const said = () => players.reduce((sum, player) => sum + player.events, 0);
    try {
        await server.start();
        players = Array.from({length: PLAYERS}, (_, number) => new Player(server, number));
        await Promise.all(players.map(player => player.begin()));
        await Promise.all(players.map(async player => {
            while (said() < ids) await player.act();
        }));
        for (const player of players) player.close();
        await server.stop();
        const [events, distinct] = server.sql("select count(*), count(distinct command) from event where command like 'same-%'").split('|').map(Number);
        t.diagnostic(`${said()} ids, ${said() * COPIES} times said, ${events} events`);
        assert.ok(said() >= ids);
        assert.equal(events, said(), 'each id made one event');
        assert.equal(distinct, said(), 'and each its own');
    } finally {
        for (const player of players) player.close();
        await server.remove();
    }
}

const postgres = process.env.SENET_TEST_POSTGRES;
const noPostgres = postgres ? false : 'SENET_TEST_POSTGRES names no PostgreSQL';
const what = `${ids} commands, each ${COPIES} times at once: one event, and the same acknowledgement each time`;

test(`SQLite: ${what}`, {timeout: 300_000}, t => sayEverythingTenTimes(t, new Server(FAST)));

test(`PostgreSQL: ${what}`, {timeout: 300_000, skip: noPostgres}, t => sayEverythingTenTimes(t, new Server(FAST, {postgres})));
