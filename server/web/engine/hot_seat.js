// Both sides on one page, which may have no server for a while: moves are made here at once, kept in this browser, and sent one
// after the other, each under an id that stays the same. What the server has is never changed by it: where the game has gone on
// otherwise there, what was only here is given up, and that is said.

import {elsewhere, keyOf, plain} from './room_engine.js';

const KEY = 'senet.here.'; // and the room
const ROOMS_MAX = 4; // kept in this browser
const STALE_MAX = 3;
const MOVES_MAX = 1_000; // made here, and not sent
const FINAL = ['illegal_move', 'game_over', 'not_your_turn', 'not_started', 'not_seated', 'id_reused', 'unknown_room'];

export class HotSeat {
    #engine;
    #replica;
    #connection;
    #owner;
    #storage;
    #base; // the server's plies that the first of them follows,
    #queue; // {id, seat, move, text}: made here, and not known to be there
    #position = null; // {ply, position} of the newest one that is worked out
    #sending = false;
    #stale = 0;
    #agrees = false; // the engine and the server, about the version that is here

    // player: who plays. kept: what an earlier page kept: {player, base, queue, snapshot, record}, or null. owner: onChange(), onLost(count): so many moves are given up.
    constructor({engine, replica, connection, player, kept, storage = localStorage}, owner) {
        this.player = player;
        this.#engine = engine;
        this.#replica = replica;
        this.#connection = connection;
        this.#owner = owner;
        this.#storage = storage;
        this.#base = kept?.base ?? replica.plies;
        this.#queue = kept?.queue ?? [];
        this.heard();
    }

    get count() {
        return this.#queue.length;
    }

    // Whether moves may be made here: not while the last one is being worked out.
    get ready() {
        return this.#agrees && !this.#engine.broken && this.count < MOVES_MAX && (this.count === 0 || this.#position?.ply === this.#base + this.count);
    }

    // The move that is on its way, or being worked out.
    get last() {
        return this.#queue.at(-1)?.move ?? null;
    }

    // The room as it stands with the moves made here; null: as the server has it, or not worked out yet.
    get replica() {
        if (this.count === 0 || !this.#position) return null;
        const {moves, movesFrom} = this.#replica;
        const made = this.#queue.slice(0, this.#position.ply - this.#base);
        const list = [...moves.slice(0, this.#base - movesFrom), ...made];
        return elsewhere(this.#replica, this.#position.position, list, movesFrom);
    }

    async play(move) {
        const {state} = this.replica ?? this.#replica;
        const id = `here.${Math.random().toString(36).slice(2, 12)}.${Date.now().toString(36)}`;
        if (this.count === 0) this.#base = this.#replica.plies;
        this.#queue = [...this.#queue, {id, seat: state.to_move, move: plain(move), text: ''}];
        this.#keep();
        this.#send();
        await this.#workOut(move.text);
    }

    // Something has come from the server: what it has of ours is not ours any more.
    heard() {
        const {plies, moves, movesFrom, state} = this.#replica;
        while (this.count > 0 && plies > this.#base && this.#base >= movesFrom) {
            if (keyOf(moves[this.#base - movesFrom].move) !== keyOf(this.#queue[0].move)) return this.#giveUp();
            this.#queue = this.#queue.slice(1);
            this.#base++;
        }
        if (this.count > 0 && (plies !== this.#base || state.status !== 'playing')) return this.#giveUp();
        if (this.count === 0) this.#position = null;
        this.#keep();
        this.#check();
        this.#send();
        if (this.count > 0 && !this.#position) this.#workOut();
        return undefined;
    }

    async #check() {
        const {version} = this.#replica;
        const agrees = await this.#engine.agrees(this.#replica).catch(() => false);
        if (version !== this.#replica.version || agrees === this.#agrees) return;
        this.#agrees = agrees;
        this.#owner.onChange();
    }

    async #workOut(text) {
        const ply = this.#base + this.count;
        const before = this.#engine.movesOf(this.#replica).slice(0, this.#base);
        const moves = [...before, ...this.#queue.map(({move}) => move)];
        const last = this.#queue.at(-1);
        try {
            last.text ||= text ?? (await this.#engine.textOf(moves));
            const position = await this.#engine.position(moves);
            if (ply !== this.#base + this.count) return;
            this.#position = {ply, position};
            this.#owner.onChange();
        } catch {
            this.#position = null; // it is sent all the same, and shown when it comes back
        }
    }

    // One at a time: the next one when the server's event has come.
    async #send() {
        const [first] = this.#queue;
        if (!first || this.#sending || this.#replica.plies !== this.#base) return;
        this.#sending = true;
        const {room, version} = this.#replica;
        try {
            await this.#connection.request({type: 'move', room, move: first.move, version}, {id: first.id});
            this.#stale = 0;
            this.#sending = false;
        } catch (error) {
            this.#sending = false;
            this.#refused(error, first);
        }
        if (this.#queue[0] !== first) this.#send();
    }

    #refused(error, first) {
        if (this.#queue[0] !== first) return;
        if (error.code === 'stale' && ++this.#stale <= STALE_MAX) first.id += `.${this.#stale}`; // not of another position: of another version
        else if (error.code === 'stale' || FINAL.includes(error.code)) this.#giveUp();
    }

    #giveUp() {
        const {count} = this;
        this.#queue = [];
        this.#position = null;
        this.#base = this.#replica.plies;
        this.#keep();
        this.#check();
        this.#owner.onLost(count);
    }

    // For a page that is loaded again, with or without the server.
    #keep() {
        const {room, version, state, layout, game, visibility, moves, plies, legalMoves} = this.#replica;
        if (state.status !== 'playing' && this.count === 0) return this.#storage.removeItem(KEY + room);
        const snapshot = {type: 'snapshot', room, version, state, layout, game, visibility, moves, plies, legal_moves: legalMoves};
        const record = {...this.#engine.record, moves: this.#engine.movesOf(this.#replica) ?? this.#engine.record.moves};
        const kept = {at: Date.now(), player: this.player, base: this.#base, queue: this.#queue, snapshot, record};
        try {
            this.#storage.setItem(KEY + room, JSON.stringify(kept));
            this.#forgetOldest();
        } catch {
            /* no room: it lasts as long as the page */
        }
        return undefined;
    }

    // Rooms whose moves the server has all.
    #forgetOldest() {
        const rooms = Object.keys(this.#storage).filter(key => key.startsWith(KEY));
        const done = rooms.map(key => ({key, ...JSON.parse(this.#storage.getItem(key))})).filter(({queue}) => !queue?.length);
        done.sort((a, b) => a.at - b.at);
        for (const {key} of done.slice(0, Math.max(0, rooms.length - ROOMS_MAX))) this.#storage.removeItem(key);
    }
}
