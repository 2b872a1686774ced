// A game gone on with on this page alone: from any ply of a room other moves are tried, taken back, and forgotten. It looks
// like a room to whoever draws it (`replica`, `walk`, `history`); the server hears nothing of it.

import {elsewhere, keyOf, plain} from './room_engine.js';
import {Walk} from '../walk.js';

export class Analysis {
    walk = new Walk();
    #engine;
    #room; // the copy of the real one, which goes on meanwhile
    #past; // its history, for the words of its moves
    #owner;
    #base; // so many plies are the game's,
    #own = []; // and these are ours: {seat, move, text}
    #positions = new Map(); // by ply
    #asked = new Set();
    #at = null; // the last position that was there to be shown

    // onChange(): draw it anew. onError(error).
    constructor(engine, {replica, history, ply}, owner) {
        this.#engine = engine;
        this.#room = replica;
        this.#past = history;
        this.#owner = owner;
        this.#base = replica.plies;
        this.walk.count = replica.plies;
        this.walk.go(ply);
    }

    // It can begin once the position is here.
    async open() {
        await this.#fetch(this.walk.at);
        return this.#positions.has(this.walk.at);
    }

    get replica() {
        const {movesFrom, moves} = this.#room;
        const from = Math.min(movesFrom, this.#base);
        const list = [...moves.slice(0, this.#base - from), ...this.#own];
        return elsewhere(this.#room, this.#position(), list, from);
    }

    // Of the position on the board: the move that led there.
    get lastMove() {
        return this.#position().state.last_move ?? null;
    }

    get busy() {
        return !this.#positions.has(this.walk.at);
    }

    get ownMoves() {
        return this.#own.length;
    }

    // What is good in the position on the board, as the server answers `hint`.
    hint(lines) {
        return this.#engine.hint(this.#movesTo(this.walk.at), lines);
    }

    // As of history.js, for the panels.
    position(ply) {
        return this.#positions.get(ply)?.state ?? null;
    }

    attacked(ply) {
        return this.#positions.get(ply)?.attacked ?? [];
    }

    hands(ply) {
        return this.#positions.get(ply)?.hands ?? null;
    }

    text(ply) {
        return ply <= this.#base ? this.#past.text(ply) : (this.#own[ply - this.#base - 1]?.text ?? '');
    }

    wantTexts(first, last) {
        if (first <= this.#base) this.#past.wantTexts(first, Math.min(last, this.#base));
    }

    step(step) {
        if (this.walk.go(step)) this.#arrive();
    }

    // In the position on the board. What came after it there was another way.
    play(move) {
        const at = this.walk.at;
        const {state} = this.#position();
        if (this.busy || state.status !== 'playing') return;
        if (keyOf(move) === this.#keyAfter(at)) return this.step(at + 1);
        this.#cut(at);
        this.#own = [...this.#own, {seat: state.to_move, move: plain(move), text: move.text ?? ''}];
        this.#show(at + 1);
    }

    takeBack() {
        if (this.#own.length === 0) return;
        const at = this.#base + this.#own.length - 1;
        this.#cut(at);
        this.#show(at);
    }

    #show(ply) {
        this.walk.count = this.#base + this.#own.length;
        this.walk.go(ply);
        this.#arrive();
    }

    #keyAfter(ply) {
        const next = ply < this.#base ? this.#room.moves[ply - this.#room.movesFrom] : this.#own[ply - this.#base];
        return next && keyOf(next.move);
    }

    #cut(ply) {
        this.#own = this.#own.slice(0, Math.max(0, ply - this.#base));
        this.#base = Math.min(this.#base, ply);
        for (const known of [...this.#positions.keys()]) if (known > ply) this.#positions.delete(known);
    }

    #position() {
        this.#at = this.#positions.get(this.walk.at) ?? this.#at;
        return this.#at;
    }

    #arrive() {
        this.#owner.onChange();
        this.#fetch(this.walk.at);
    }

    #movesTo(ply) {
        const game = this.#engine.movesOf(this.#room);
        return game && [...game.slice(0, Math.min(ply, this.#base)), ...this.#own.slice(0, Math.max(0, ply - this.#base)).map(({move}) => move)];
    }

    async #fetch(ply) {
        const moves = this.#movesTo(ply);
        const key = moves?.map(keyOf).join();
        if (!moves || this.#positions.has(ply) || this.#asked.has(key)) return;
        this.#asked.add(key);
        try {
            const position = await this.#engine.position(moves);
            const same = this.#movesTo(ply)?.map(keyOf).join() === key; // nobody has gone another way meanwhile
            if (same) this.#positions.set(ply, position);
        } catch (error) {
            this.#owner.onError(error);
        }
        this.#asked.delete(key);
        if (ply === this.walk.at) this.#owner.onChange();
    }
}
