/* What this page knows of one room: its copy of the state and what came with it.
 *
 * Frames of the server go in; the answer says what became of the copy. It is never guessed at: an event that does not
 * follow the version held, or whose hash differs from our own, makes the copy `lost`, and nothing but a snapshot
 * mends it. No DOM, no socket. */

import { applyPatch, hashState } from "./state.js";

const MOVE_MEMBERS = ["seat", "move", "version"];

export class Replica {
    constructor(room) {
        this.room = room;
        this.version = 0; /* 0: nothing has arrived yet */
        this.state = null;
        this.hash = "";
        this.layout = null;
        this.game = null;
        this.visibility = "public";
        this.legalMoves = []; /* as many as have been said, */
        this.legalMovesCount = 0; /* of so many */
        this.mayAbort = false; /* the game may be ended as if it had not been played */
        this.attacked = []; /* cells of figures in check */
        this.counters = {}; /* by name, by player */
        this.scores = {}; /* by player */
        this.hands = null; /* by player, by figure how many; null: the game has no hands */
        this.moves = []; /* the last ones, */
        this.stand = 0; /* so many plies are as they were before the last event or snapshot */
        this.movesFrom = 0; /* behind so many plies: the room's others are asked for when they are looked at */
        this.chat = [];
        this.voices = "everybody"; /* whose words the players want, */
        this.muted = []; /* but for these players' (ids) */
        this.presence = { spectators: 0, connected: [] };
        this.clock = null; /* how much time players have, where the game has clocks; */
        this.turnBegan = 0; /*   the turn under way began then, or its last move was made, by this page's clock */
        this.lost = false;
    }

    /* How many moves have been made. */
    get plies() {
        return this.movesFrom + this.moves.length;
    }

    get players() {
        return this.layout ? this.layout.players : [];
    }

    /* The seats that `player` (an id) holds, in the game's order. */
    seatsOf(player) {
        return this.players.filter((seat) => this.state.seats?.[seat]?.player === player);
    }

    get freeSeats() {
        return this.players.filter((seat) => !this.state.seats?.[seat]);
    }

    /* Returns "snapshot", "event", "presence", "lost" (ask for `sync`) or "ignored". */
    apply(frame) {
        if (frame.room !== this.room) return "ignored";
        if (frame.type === "snapshot") return this.#takeSnapshot(frame);
        if (frame.type === "event") return this.#takeEvent(frame);
        if (frame.type !== "presence") return "ignored";
        this.presence = { spectators: frame.spectators, connected: frame.connected };
        return "presence";
    }

    /* The moves right before those held, as `history` tells them. */
    takeEarlier(moves) {
        if (moves.length === 0 || moves.at(-1).ply !== this.movesFrom) return;
        this.moves = [...moves.map((move) => pick(move, MOVE_MEMBERS)), ...this.moves];
        this.movesFrom -= moves.length;
    }

    /* More legal moves of the position after `version`, those behind the first `skip`. */
    takeLegalMoves({ version, skip, moves }) {
        if (version !== this.version || skip !== this.legalMoves.length) return;
        this.legalMoves = [...this.legalMoves, ...moves];
    }

    /* The answer to `resume` from version `asked` on. A server that knows less than that was set back: what it says is
     * what is. Returns whether it was. */
    resumed({ mode, version }, asked) {
        const setBack = mode === "snapshot" && version < asked;
        if (setBack) this.lost = true;
        return setBack;
    }

    #takeSnapshot(frame) {
        if (!this.lost && frame.version < this.version) return "ignored";
        this.version = frame.version;
        this.state = frame.state;
        this.hash = hashState(frame.state);
        this.layout = frame.layout ?? this.layout;
        this.game = frame.game ?? this.game;
        this.visibility = frame.visibility ?? this.visibility;
        this.clock = frame.clock ?? this.clock;
        this.turnBegan = performance.now() - (frame.turn_ms ?? 0);
        this.#takeOffered(frame);
        this.#takeRemarks(frame);
        this.#takeMoves(frame);
        this.chat = frame.chat ?? this.chat;
        this.voices = frame.voices ?? "everybody";
        this.muted = frame.muted ?? [];
        this.lost = false;
        return "snapshot";
    }

    #takeOffered(frame) {
        this.mayAbort = frame.may_abort === true;
        this.legalMoves = frame.legal_moves ?? [];
        this.legalMovesCount = frame.legal_moves_count ?? this.legalMoves.length;
    }

    /* Of the position after the last move. */
    #takeRemarks({ attacked, counters, scores, hands }) {
        this.attacked = attacked ?? [];
        this.counters = counters ?? {};
        this.scores = scores ?? {};
        this.hands = hands ?? null;
    }

    /* A snapshot has the last moves; what was there before them is held already, or not. */
    #takeMoves({ moves, plies }) {
        if (!moves) return;
        const from = (plies ?? moves.length) - moves.length;
        this.stand = this.#standing(moves, from);
        const known = !this.lost && this.movesFrom < from && from <= this.plies;
        const before = known ? this.moves.slice(0, from - this.movesFrom) : [];
        this.moves = [...before, ...moves];
        this.movesFrom = from - before.length;
    }

    /* Each move was made by an event of its own: one that was played anew has another version. */
    #standing(moves, from) {
        const end = Math.min(this.plies, from + moves.length);
        for (let ply = Math.max(from, this.movesFrom); ply < end; ply++)
            if (moves[ply - from].version !== this.moves[ply - this.movesFrom].version) return ply;
        return end;
    }

    #takeEvent(frame) {
        if (this.lost || frame.version <= this.version) return "ignored";
        if (!this.state || frame.version !== this.version + 1) return this.#lose();
        const state = applyPatch(this.state, frame.patch ?? {});
        const hash = hashState(state);
        if (hash !== frame.hash) return this.#lose();
        this.version = frame.version;
        this.state = state;
        this.hash = hash;
        this.#takeOffered(frame);
        if (frame.kind === "moved" || frame.kind === "taken_back") this.#takeRemarks(frame);
        if (frame.kind === "moved") this.moves = [...this.moves, pick(frame, MOVE_MEMBERS)];
        if (frame.kind === "taken_back") this.#cutMoves(frame.ply);
        if (frame.patch?.status || ["moved", "taken_back"].includes(frame.kind)) this.turnBegan = performance.now();
        if (frame.kind === "chat")
            this.chat = [...this.chat, pick(frame, ["at", "name", "player", "text", "seat", "version"])];
        this.#takeRules(frame);
        return "event";
    }

    /* After so many plies comes nothing any more. */
    #cutMoves(ply) {
        this.stand = ply;
        this.moves = this.moves.slice(0, Math.max(0, ply - this.movesFrom));
        this.movesFrom = Math.min(this.movesFrom, ply);
    }

    #takeRules({ kind, voices, player }) {
        if (kind === "chat_allowed") this.voices = voices;
        if (kind === "muted" || kind === "unmuted") this.muted = this.muted.filter((other) => other !== player);
        if (kind === "muted") this.muted = [...this.muted, player];
    }

    #lose() {
        this.lost = true;
        return "lost";
    }
}

function pick(object, names) {
    return Object.fromEntries(names.filter((name) => name in object).map((name) => [name, object[name]]));
}
