// Load with a memory: pairs of players who move at random as fast as they are answered and remember what they were told,
// so that they can judge what a server remembers.
import assert from 'node:assert/strict';
import {Player} from './player.mjs';
import {Witness} from './witness.mjs';

export const seed = Number(process.env.SENET_SEED ?? Date.now() % 1e9);

let randomState = seed;
export function random(bound) {
    randomState = (Math.imul(randomState, 1664525) + 1013904223) >>> 0;
    return Math.floor((randomState / 2 ** 32) * bound);
}

const CLOCK = {initial_ms: 5000};
const THINK_MS = 20; // where there are clocks, so that there is something to count

export class Table {
    acknowledged = new Map(); // room → [{version, seat, move}]
    shown = new Map(); // room → Map(version → event)
    moves = 0;
    compared = 0; // of the acknowledged moves: how many were looked up in a log, each counted once
    stopped = false;
    resting = false;
    #underWay = 0;
    #answersDue = new Map(); // room → moves that are not acknowledged yet
    #acknowledgedAt = []; // when, since the last question
    busy = new Set();

    // `thinkMs`: how long a player thinks at most; `clocks`: every second table has some, and a witness of what they count;
    // `options`: of the players.
    constructor(server, number, {thinkMs = 0, clocks = false, ...options} = {}) {
        this.clock = clocks && number % 2 === 1 ? CLOCK : null;
        this.witness = this.clock && new Witness({isSetByDatabase: Boolean(server.postgres)});
        this.thinkMs = this.clock ? THINK_MS : thinkMs;
        this.players = ['white', 'black'].map(
            seat =>
                new Player(server, {
                    name: `${seat} ${number}`,
                    on: message => this.#on(seat, message),
                    onLate: message => message.type === 'event' && this.#remember(message),
                    witness: this.witness,
                    ...options,
                    record: number === 0 && (options.record ?? 'kill'),
                }),
        );
        this.number = number;
    }

    player(seat) {
        return this.players[seat === 'white' ? 0 : 1];
    }

    async begin() {
        const [white, black] = this.players;
        const {room} = await white.call({
            type: 'create',
            game: ['chess', 'checkers', 'intellector'][this.number % 3],
            ...(this.clock && {clock: this.clock}),
        });
        this.room = room;
        this.acknowledged.set(room, []);
        this.shown.set(room, new Map());
        await white.join(room, 'white');
        await black.join(room, 'black');
    }

    #on(seat, message) {
        if (message.type === 'event') {
            this.witness?.heard(message.room, message.version);
            this.#remember(message);
        }
        if (message.type !== 'event' && message.type !== 'snapshot') return;
        if (message.room !== this.room || this.stopped || this.resting) return;
        const status = message.patch?.status ?? message.state?.status;
        if (status === 'finished' && seat === 'white') this.#goOn();
        else if (message.legal_moves?.length > 0) this.#move(seat, message);
    }

    async #goOn() {
        this.#underWay++;
        const finished = this.room;
        // Nobody may be in more than some rooms at once.
        const leave = player => player.call({type: 'leave', room: finished});
        await this.begin()
            .then(() => Promise.all(this.players.map(leave)))
            .catch(error => (this.failure ??= error));
        this.#underWay--;
    }

    // No more moves; resolves when what was said is acknowledged.
    async rest() {
        this.resting = true;
        while (this.#underWay > 0 && !this.failure) await new Promise(resolve => setTimeout(resolve, 10));
    }

    // After a rest; what was checked during it is not asked for again.
    goOn() {
        if (!this.acknowledged.has(this.room)) {
            this.acknowledged.set(this.room, []);
            this.shown.set(this.room, new Map());
        }
        this.resting = false;
        for (const player of this.players) player.call({type: 'sync', room: this.room}).catch(error => (this.failure ??= error));
    }

    // But for what `history` leaves out.
    #remember(event) {
        const {patch, hash, may_abort, to_begin, legal_moves, attacked, counters, scores, hands, type, room, ...facts} = event;
        const known = this.shown.get(room)?.get(event.version);
        if (known) assert.deepEqual(facts, known, 'an event that was shown once is shown alike for ever');
        else this.shown.get(room)?.set(event.version, facts);
    }

    // One move for each position, however often the position is shown.
    async #move(seat, {room, version, legal_moves}) {
        const position = `${room}/${version}`;
        if (this.busy.has(position)) return;
        this.busy.add(position);
        const move = legal_moves[random(legal_moves.length)];
        if (this.thinkMs > 0) await new Promise(resolve => setTimeout(resolve, random(this.thinkMs)));
        if (this.resting || this.stopped) return void this.busy.delete(position);
        this.#underWay++;
        this.#answersDue.set(room, (this.#answersDue.get(room) ?? 0) + 1);
        this.witness?.sent(room, version + 1);
        this.player(seat)
            .call({type: 'move', room, move})
            .then(answer => {
                // Nobody else moves in this room: it is the event after the position it was made for, and no other.
                assert.equal(answer.version, version + 1, `room ${room}: a move is where it was made`);
                this.witness?.heard(room, answer.version);
                this.moves++;
                this.#acknowledgedAt.push((this.lastAcknowledged = Date.now()));
                this.acknowledged.get(room).push({version: answer.version, seat, move});
                this.#answersDue.set(room, this.#answersDue.get(room) - 1);
            })
            .catch(error => {
                // A flag fell, which the witness judges.
                if (this.clock && error.code === 'game_over') this.#answersDue.set(room, this.#answersDue.get(room) - 1);
                else this.failure ??= error;
            })
            .finally(() => this.#underWay--);
    }

    // How often its players, who are patient, were told so.
    get unavailable() {
        return this.players.reduce((sum, {refused}) => sum + (refused.unavailable ?? 0), 0);
    }

    // Infinity: nothing was.
    firstAcknowledgedAfter(time) {
        const first = this.#acknowledgedAt.find(at => at > time) ?? Infinity;
        this.#acknowledgedAt = [];
        return first;
    }

    // The longest time without an acknowledgement from `time` to the newest one, which nobody asks for again.
    longestPauseSince(time) {
        let pause = 0, last = time;
        for (const at of this.#acknowledgedAt) {
            if (at <= time) continue;
            pause = Math.max(pause, at - last);
            last = at;
        }
        this.#acknowledgedAt = [];
        return pause;
    }

    // Everything acknowledged is in the log, once, in order, and everything shown is there unchanged.
    async check() {
        if (this.failure) throw this.failure;
        for (const [room, moves] of this.acknowledged) {
            // What is acknowledged before the log is asked for must be in it; play goes on meanwhile.
            const acknowledged = [...moves], shown = [...this.shown.get(room)];
            const events = await this.players[0].history(room);
            events.forEach((event, index) => assert.equal(event.version, index + 1, 'versions have no gap'));
            for (const {version, seat, move} of acknowledged) {
                const event = events[version - 1];
                assert.ok(event, `room ${room}: acknowledged version ${version} is lost`);
                assert.equal(event.kind, 'moved');
                assert.equal(event.seat, seat);
                assert.deepEqual(event.move, move);
            }
            assert.equal(new Set(acknowledged.map(({version}) => version)).size, acknowledged.length);
            for (const [version, facts] of shown) assert.deepEqual(events[version - 1], facts);
            this.witness?.judge(room, events, this.clock);
            // What was played and checked long ago is not asked for at every kill.
            const all = !this.#answersDue.get(room) && moves.length === acknowledged.length;
            if (all && (room !== this.room || this.resting)) {
                this.compared += acknowledged.length;
                this.#answersDue.delete(room);
                this.acknowledged.delete(room), this.shown.delete(room);
                this.witness?.forget(room);
            }
        }
    }

    close() {
        this.stopped = true;
        for (const player of this.players) player.close();
    }
}

export async function sitDown(server, count, options) {
    const tables = Array.from({length: count}, (_, number) => new Table(server, number, options));
    for (const table of tables) {
        await Promise.all(table.players.map(player => player.connect()));
        await table.begin();
    }
    return tables;
}
