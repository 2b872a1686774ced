/* Both sides on this page: what lets such a game go on without a server. The moves made here are engine/hot_seat.js, loaded once there is an
 * engine; until then there is only what this browser kept of the room at an earlier visit. */

import { say, sayCount } from "./language.js";

export class OneScreen {
    #connection;
    #replica;
    #owner;
    #kept;
    #seat = null; /* of engine/hot_seat.js */
    #isWanted = false;

    /* owner: wake(record), the engine or null; onChange(); onLost(count): so many moves are given up; onNext(room): the game goes on there. */
    constructor({ connection, replica }, owner) {
        this.#connection = connection;
        this.#replica = replica;
        this.#owner = owner;
        this.#kept = keptRoom(replica.room);
    }

    get isThere() {
        return this.#seat !== null;
    }

    /* Whether a move may be made here now. */
    get isReady() {
        return Boolean(this.#seat?.ready);
    }

    get mayBegin() {
        return Boolean(this.#seat?.mayBegin);
    }

    /* The room as it stands with what was made here; null: as the server has it. */
    get replica() {
        return this.#seat?.replica ?? null;
    }

    /* Moves, and games, that the server does not have; and both. */
    get moves() {
        return this.#seat?.moves ?? 0;
    }

    get games() {
        return this.#seat?.games ?? 0;
    }

    get count() {
        return this.#seat?.count ?? 0;
    }

    /* Who we are, also before a server has said so. */
    get player() {
        return this.#connection.player || this.#kept?.player || this.#seat?.player || "";
    }

    /* The room as this browser last knew it; null: it does not. */
    get snapshot() {
        return this.#kept?.snapshot ?? null;
    }

    play(move) {
        return this.#seat.play(move);
    }

    begin() {
        return this.#seat.begin();
    }

    answer(question) {
        return this.#seat.answer(question);
    }

    /* Something has come from the server. */
    heard() {
        this.#seat?.heard();
    }

    /* What could not be fetched may come now. */
    lookAgain() {
        this.#isWanted = this.isThere;
    }

    /* Once the page is drawn and nothing else is to be done, whoever has all seats makes itself ready. */
    want({ mine, players, state }) {
        const all = mine.length === players.length && players.length > 0;
        const wanted = all && (state.status === "playing" || this.#kept?.waits || this.#kept?.queue?.length > 0);
        if (!wanted || this.#isWanted) return;
        this.#isWanted = true;
        (window.requestIdleCallback ?? setTimeout)(() => this.#open());
    }

    async #open() {
        const engine = await this.#owner.wake(this.#kept?.record);
        if (!engine) return;
        const { HotSeat } = (await import("./engine/hot_seat.js").catch(() => null)) ?? {};
        if (!HotSeat) return;
        const { player } = this;
        const kept = this.#kept?.player === player ? this.#kept : null;
        this.#kept = null;
        this.#seat = new HotSeat({ engine, replica: this.#replica, connection: this.#connection, player, kept }, this.#owner);
        this.#owner.onChange();
    }

    /* What stands only here: {count, replica, pending}. With a server there a move is on its way, as any other; without, the game goes on. */
    stand() {
        if (!this.#seat?.count) return { count: 0 };
        const { count, games, replica, ready, last } = this.#seat;
        if (this.#connection.status.is === "online" && count === 1 && games === 0) return { count: 0, pending: last };
        return { count, replica, pending: ready ? null : (last ?? {}) };
    }
}

/* Of moves that are given up; none: only a new game. */
export function unkeptWords(count) {
    if (count === 0) return say("The new game made on this page could not be kept: the game has gone on elsewhere, or has ended.");
    return sayCount(
        "The move made on this page could not be kept: the game has gone on elsewhere, or has ended.",
        "The last {count} moves made on this page could not be kept: the game has gone on elsewhere, or has ended.",
        count,
    );
}

/* As engine/hot_seat.js keeps it; that is loaded only where there is one. */
function keptRoom(room) {
    try {
        return JSON.parse(localStorage.getItem(`senet.here.${room}`));
    } catch {
        return null;
    }
}
