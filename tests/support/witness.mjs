// What the clients of one table know themselves of a server that is killed under them again and again: in which stretches of time
// it can have been there for them, and between which moments each move was made. So they can judge what a room's log says that a
// turn took: only what they had, and no outage.
//
// Every bound is one that cannot be wrong however slow this machine is. A server that has died was there until its clients' connections
// broke, at the latest; another one is there after the last attempt that failed began, at the earliest, and after whatever the one
// before has answered was said. Where the time is a database's the server sets its own by that, a little at a time.
import assert from 'node:assert/strict';
import {countedMs, ROUNDING_MS} from './table.mjs';

const CLOCK_STEP_MS = 100; // it is set by so much at most with each renewal of a lease,
const RENEWED_MS = 1000; // which is asked for so often, and one answer may be late
const STOPPED_MS = 2000; // in a turn that took less no server was stopped for so long that clocks stood
const BEGIN_MS = 60000; // for who does not begin
const KILLED = 1006; // how a connection ends that nobody has closed

export class Witness {
    lives = [{from: 0, until: Infinity}];
    judged = 0; // moves, each as often as it was looked at
    #answered = 0; // when what was answered last had been said
    #failed = 0; // when the last attempt that failed began
    #broken = []; // when connections ended
    #moves = new Map(); // room → Map(version → {sent, heard})

    // Of a server whose time is a database's, or its own.
    constructor({isSetByDatabase = false} = {}) {
        this.stepMs = isSetByDatabase ? CLOCK_STEP_MS : 0;
    }

    // --- what its clients tell it

    connecting() {
        return {began: performance.now(), life: null};
    }

    greeted(connection) {
        if (this.lives.at(-1).until < Infinity) this.lives.push({from: Math.max(this.#answered, this.#failed), until: Infinity});
        connection.life = this.lives.at(-1);
    }

    ended(connection, code) {
        const now = performance.now();
        this.#broken.push(now);
        if (!connection.life) this.#failed = Math.max(this.#failed, connection.began);
        else if (code === KILLED) connection.life.until = Math.min(connection.life.until, now);
    }

    answered(saidAt) {
        this.#answered = Math.max(this.#answered, saidAt);
    }

    #move(room, version) {
        if (!this.#moves.has(room)) this.#moves.set(room, new Map());
        const moves = this.#moves.get(room);
        if (!moves.has(version)) moves.set(version, {sent: null, heard: null});
        return moves.get(version);
    }

    // It is to make the room's event of that version; that event was heard of, by somebody.
    sent(room, version) {
        this.#move(room, version).sent ??= performance.now();
    }

    heard(room, version) {
        this.#move(room, version).heard ??= performance.now();
    }

    forget(room) {
        this.#moves.delete(room);
    }

    // --- the judgement

    // At most so much of a turn one and the same server saw: it begins anew at another one.
    #mostBetween(from, until) {
        return Math.max(...this.lives.map(life => Math.min(until, life.until) - Math.max(from, life.from)));
    }

    // By how much the server's measure and that of its clients may be apart.
    #slackMs(ms) {
        return ROUNDING_MS + this.stepMs * (2 + Math.floor(ms / RENEWED_MS));
    }

    #isWhole(from, until) {
        return until - from < STOPPED_MS && !this.#broken.some(at => at >= from && at <= until);
    }

    #judgeMove(said, isCounted, before, made, words) {
        const most = this.#mostBetween(before.sent, made.heard);
        assert.ok(said <= most + this.#slackMs(most), `${words} took ${said} ms, of which the server was there for ${most.toFixed(1)} at most`);
        if (isCounted && this.#isWhole(before.sent, made.heard)) {
            const least = made.sent - before.heard;
            assert.ok(said >= least - this.#slackMs(least), `${words} took ${said} ms, and its player had thought for ${least.toFixed(1)} at least`);
        }
        this.judged++;
    }

    #judgeFlag(leftMs, before, fallen, words) {
        const most = this.#mostBetween(before.sent, fallen.heard);
        assert.ok(leftMs <= most + this.#slackMs(most), `${words}: the flag fell with ${leftMs} ms left, and the server was there for ${most.toFixed(1)} at most`);
    }

    // `events`: all of the room, whose players had so much time for the game each. In their first turns no clock runs.
    judge(room, events, {initial_ms: initialMs}) {
        const moves = this.#moves.get(room) ?? new Map();
        const turns = {}, left = {};
        let mover = null, before = {};
        for (const event of events) {
            const {version, kind, seat, spent_ms: spent = 0} = event;
            const made = moves.get(version) ?? {}, words = `room ${room}, version ${version}, ${seat}`;
            const isKnown = before.sent && made.heard;
            if (kind === 'flagged' && isKnown) this.#judgeFlag(left[seat] ?? BEGIN_MS, before, made, words);
            if (kind !== 'moved') continue;
            if (seat !== mover) turns[(mover = seat)] = (turns[seat] ?? 0) + 1;
            if (isKnown && made.sent) this.#judgeMove(countedMs(event), turns[seat] > 1, before, made, words);
            left[seat] = (left[seat] ?? initialMs) - spent;
            before = made;
        }
    }
}
