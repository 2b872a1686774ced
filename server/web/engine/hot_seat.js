// Both sides on one page, which may have no server for a while: moves are made here at once, kept in this browser, and sent one
// after the other, each under an id that stays the same. What the server has is never changed by it: where the game has gone on
// otherwise there, what was only here is given up, and that is said.
//
// A new game may be begun here as well. At the server it becomes the room's rematch, once what came before it is there; its
// moves wait for the page of the room that this makes.

import {elsewhere, keyOf, plain} from './room_engine.js';

const KEY = 'senet.here.'; // and the room
const ROOMS_MAX = 4; // kept in this browser
const STALE_MAX = 3;
const MOVES_MAX = 1_000; // made here, and not sent
const GAMES_MAX = 20; // begun here, and not there
const FINAL = ['illegal_move', 'game_over', 'not_your_turn', 'not_started', 'not_seated', 'id_reused', 'unknown_room'];

export class HotSeat {
    #engine;
    #replica;
    #connection;
    #owner;
    #storage;
    #base; // the server's plies that the first of the moves follows
    #games; // {id, queue}: the room's, and those begun here after it; of each the moves made here, and not known to be there: {id, seat, move, text}
    #position = null; // {games, ply, position} of the newest one that is worked out
    #sending = false;
    #answered = 0; // the version that an acknowledgement has promised
    #stale = 0;
    #agrees = false; // the engine and the server, about the version that is here

    // player: who plays. kept: what an earlier page kept: {player, waits, base, games, snapshot, record}, or null. owner: onChange(),
    // onLost(count): so many moves are given up; onNext(room): the room of the next game.
    constructor({engine, replica, connection, player, kept, storage = localStorage}, owner) {
        this.player = player;
        this.#engine = engine;
        this.#replica = replica;
        this.#connection = connection;
        this.#owner = owner;
        this.#storage = storage;
        this.#base = kept?.base ?? replica.plies;
        this.#games = kept?.games ?? [{...newGame(), queue: kept?.queue ?? []}]; // `queue`: of an earlier page
        this.heard();
    }

    // Moves that the server does not have,
    get moves() {
        return this.#games.reduce((sum, {queue}) => sum + queue.length, 0);
    }

    // games it does not have,
    get games() {
        return this.#games.length - 1;
    }

    // and both.
    get count() {
        return this.moves + this.games;
    }

    // Whether moves may be made here: not while the last one is being worked out.
    get ready() {
        return this.#agrees && !this.#engine.broken && this.count < MOVES_MAX && (this.count === 0 || this.#isWorkedOut());
    }

    get mayBegin() {
        return this.ready && this.games < GAMES_MAX;
    }

    // The move that is on its way, or being worked out.
    get last() {
        return this.#games.at(-1).queue.at(-1)?.move ?? null;
    }

    // The game as it stands with the moves made here; null: as the server has it, or not worked out yet.
    get replica() {
        if (this.count === 0 || this.#position?.games !== this.games) return null;
        const {ply, position} = this.#position;
        const {moves, movesFrom, from} = this.#before();
        return elsewhere(this.#replica, position, [...moves, ...this.#games.at(-1).queue.slice(0, ply - from)], movesFrom);
    }

    // In the game that is played here: the moves that the server has, so far as they are known, and how many there are.
    #before() {
        if (this.games > 0) return {moves: [], movesFrom: 0, from: 0};
        const {moves, movesFrom} = this.#replica;
        return {moves: moves.slice(0, this.#base - movesFrom), movesFrom, from: this.#base};
    }

    // All moves of that game; null: not all are known here.
    #line() {
        const before = this.games > 0 ? [] : this.#engine.movesOf(this.#replica)?.slice(0, this.#base);
        return before && [...before, ...this.#games.at(-1).queue.map(({move}) => move)];
    }

    #isWorkedOut() {
        return this.#position?.games === this.games && this.#position.ply === this.#before().from + this.#games.at(-1).queue.length;
    }

    async play(move) {
        const {state} = this.replica ?? this.#replica;
        if (this.count === 0) this.#base = this.#replica.plies;
        this.#games.at(-1).queue.push({id: newId(), seat: state.to_move, move: plain(move), text: ''});
        this.#keep();
        this.#send();
        await this.#workOut(move.text);
    }

    async begin() {
        if (this.count === 0) this.#base = this.#replica.plies;
        this.#games.push(newGame());
        this.#keep();
        this.#send();
        await this.#workOut();
    }

    // What is asked about the past of the game that is played here, as the server would answer it.
    answer({ply}) {
        return this.#engine.past(this.#line(), ply);
    }

    // Something has come from the server: what it has of ours is not ours any more.
    heard() {
        const {plies, moves, movesFrom, state} = this.#replica;
        const {queue} = this.#games[0];
        while (queue.length > 0 && plies > this.#base && this.#base >= movesFrom) {
            if (keyOf(moves[this.#base - movesFrom].move) !== keyOf(queue[0].move)) return this.#giveUp();
            queue.shift();
            this.#base++;
        }
        if (this.count > 0 && plies !== this.#base) return this.#giveUp();
        if (queue.length > 0 && state.status !== 'playing') return this.#giveUp();
        if (this.games > 0 && state.next_room) return this.#handOver(state.next_room);
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
        const {games} = this;
        const moves = this.#line();
        const last = this.#games.at(-1).queue.at(-1);
        try {
            if (last) last.text ||= text ?? (await this.#engine.textOf(moves));
            const position = await this.#engine.position(moves);
            if (games !== this.games || moves.length !== this.#line().length) return;
            this.#position = {games, ply: moves.length, position};
            this.#owner.onChange();
        } catch {
            this.#position = null; // it is sent all the same, and shown when it comes back
        }
    }

    // One at a time: the next one when the server's event has come.
    async #send() {
        const command = this.#sending || this.#replica.version < this.#answered ? null : this.#next();
        if (!command) return;
        this.#sending = true;
        const {room, version} = this.#replica;
        try {
            const {id, ...rest} = command;
            ({version: this.#answered} = await this.#connection.request({...rest, room}, {id}));
            this.#stale = 0;
            this.#sending = false;
        } catch (error) {
            this.#sending = false;
            this.#refused(error, command);
        }
        if (version !== this.#replica.version || command.id !== this.#next()?.id) this.#send();
    }

    // What the server has to hear first: the moves of the room's game, in order; then that another one is wanted.
    #next() {
        const [{queue}, later] = this.#games;
        const {plies, version, state, mayAbort} = this.#replica;
        if (queue.length > 0) return plies === this.#base ? {type: 'move', move: queue[0].move, version, id: queue[0].id} : null;
        if (!later || state.next_room) return null;
        const action = kind => ({type: 'action', kind, id: `${later.id}.${version}`});
        if (state.status === 'playing') return action(mayAbort ? 'abort' : 'resign');
        return action(state.rematch_offer ? 'rematch.accept' : 'rematch.offer');
    }

    #refused(error, {type, id}) {
        const [first] = this.#games[0].queue;
        if (type === 'action' && error.frame && !error.frame.retry && error.code !== 'disconnected') this.#giveUp();
        if (type === 'action' || first?.id !== id) return;
        if (error.code === 'stale' && ++this.#stale <= STALE_MAX) first.id += `.${this.#stale}`; // not of another position: of another version
        else if (error.code === 'stale' || FINAL.includes(error.code)) this.#giveUp();
    }

    #giveUp() {
        const {moves} = this;
        this.#games = [newGame()];
        this.#position = null;
        this.#base = this.#replica.plies;
        this.#keep();
        this.#check();
        this.#owner.onLost(moves);
    }

    // The page of that room goes on with what is left.
    #handOver(room) {
        const {moves} = this;
        const record = {...this.#engine.record, moves: []};
        const kept = {at: Date.now(), player: this.player, waits: true, base: 0, games: this.#games.slice(1), snapshot: null, record};
        this.#games = [newGame()];
        this.#storage.removeItem(KEY + this.#replica.room);
        try {
            if (kept.games.length > 1 || moves > 0) this.#storage.setItem(KEY + room, JSON.stringify(kept));
        } catch {
            this.#owner.onLost(moves);
        }
        this.#owner.onNext(room);
    }

    // For a page that is loaded again, with or without the server.
    #keep() {
        const {room, version, state, layout, game, visibility, moves, plies, legalMoves, mayAbort, hands} = this.#replica;
        if (state.status !== 'playing' && this.count === 0) return this.#storage.removeItem(KEY + room);
        const snapshot = {type: 'snapshot', room, version, state, layout, game, visibility, moves, plies, legal_moves: legalMoves, may_abort: mayAbort, ...(hands && {hands})};
        const record = {...this.#engine.record, moves: this.#engine.movesOf(this.#replica) ?? this.#engine.record.moves};
        const kept = {at: Date.now(), player: this.player, waits: this.count > 0, base: this.#base, games: this.#games, snapshot, record};
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
        const done = rooms.map(key => ({key, ...JSON.parse(this.#storage.getItem(key))})).filter(({waits, queue}) => !waits && !queue?.length);
        done.sort((a, b) => a.at - b.at);
        for (const {key} of done.slice(0, Math.max(0, rooms.length - ROOMS_MAX))) this.#storage.removeItem(key);
    }
}

function newGame() {
    return {id: newId(), queue: []};
}

function newId() {
    return `here.${Math.random().toString(36).slice(2, 12)}.${Date.now().toString(36)}`;
}
