/* Who answers questions about the rules of a room: the engine in this browser once it is there, and the server until then, or
 * where there is none. The engine is loaded when somebody needs it, never with the page. */

import { LastMoves } from "./last_moves.js";

const PATIENCE_MS = 2_000; /* with an engine on its way, before one goes on without */
const ANSWER_MS = 3_000; /* with one that works on it, before the server is asked: on a slow phone it may only be late */

export class Rules {
    #connection;
    #room;
    #opening = null;
    #engine = null;
    #failed = false;
    #last = new LastMoves();
    #ways = { of: "", ways: null }; /* as the engine says, of one seat at one version */

    constructor(connection, room) {
        this.#connection = connection;
        this.#room = room;
    }

    /* The engine of the room (engine/room_engine.js), if it is there and of use. */
    get engine() {
        return this.#engine?.broken ? null : this.#engine;
    }

    /* Begins to load it; the promise gives the engine, or null. record: of an earlier visit. */
    wake(record = null) {
        this.#opening ??= this.#open(record);
        return this.#opening;
    }

    /* What is made with it (engine/analysis.js, hint.js) comes along: later there may be no connection to fetch it by. */
    async #open(record) {
        try {
            const [{ openRoomEngine }] = await Promise.all([import("./engine/room_engine.js"), import("./engine/analysis.js"), import("./hint.js")]);
            this.#engine = await openRoomEngine(this.#room, record);
        } catch {
            this.#engine = null; /* the server answers, then */
        }
        this.#failed = !this.#engine;
        return this.engine;
    }

    /* There is a connection anew: what could not be fetched may come now, when somebody needs it. Whether there was such a thing. */
    lookAgain() {
        const again = this.#failed;
        if (again) this.#opening = null;
        this.#failed = false;
        return again;
    }

    /* Why the move from one cell to another is legal, or what forbids it; without `from` that `choice` is put there. */
    async explain(replica, { from, to, choice }) {
        const here = await this.#soon((engine) => engine.explain(replica, { from, to, choice }));
        if (here) return here;
        const command = { type: "legal_moves", room: this.#room, cell: from, to, choice, explain: true };
        return (await this.#connection.request(command, { once: true })).explanation;
    }

    /* What is said of a position, to be asked about later. */
    learn(replica) {
        this.#last.learn(replica);
    }

    /* Where the figure there may go on its player's turn: {cell: whether it might at once}. Without an engine, where it could go in its last one. */
    async reach(replica, from) {
        return (await this.#try((engine) => engine.reach(replica, from))) ?? this.lastReach(replica, from);
    }

    lastReach({ state }, from) {
        return this.#last.reach(state.cells, from);
    }

    /* Where a kind in the hand could be put in its player's last turn: of that no engine is asked. */
    lastReachFromHand({ state }, seat, kind) {
        return this.#last.reachFromHand(state.cells, seat, kind);
    }

    /* {moves, puts}: what a seat does in its turns, as far as it is known before the next one. */
    waysOf(seat, replica) {
        const last = this.#last.waysOf(seat, replica);
        const { of, ways } = this.#ways;
        if (of !== wayOf(seat, replica) || !ways) return last;
        return { puts: ways.puts || last.puts, moves: ways.moves || (last.moves && !ways.puts) };
    }

    /* Asks the engine, where it is there, what the seat would do now. Whether there is news. */
    async learnWays(seat, replica) {
        const of = wayOf(seat, replica);
        if (!this.engine || this.#ways.of === of) return false;
        this.#ways = { of, ways: null };
        const ways = await this.#try((engine) => engine.waysOf(replica, seat));
        if (this.#ways.of === of) this.#ways = { of, ways };
        return ways !== null;
    }

    /* The legal moves behind the first `skip`: {version, skip, moves}. */
    async legalMoves(replica, skip) {
        const { version } = replica;
        const here = await this.#soon((engine) => engine.legalMoves(replica));
        if (here) return { version, skip, moves: othersThan(replica.legalMoves, here) };
        return await this.#connection.request({ type: "legal_moves", room: this.#room, skip }, { once: true });
    }

    /* How it stood after `ply` moves, as the server tells it; null where that is not known here. */
    past(replica, ply) {
        return this.#try((engine) => engine.past(engine.movesOf(replica), ply));
    }

    /* The legal moves with their texts (`Nf3`); none where there is no engine. */
    async texts(replica) {
        await Promise.race([this.wake(), new Promise((go) => setTimeout(go, PATIENCE_MS))]);
        return (await this.#soon((engine) => engine.legalMoves(replica))) ?? [];
    }

    /* Without a connection there is nobody else to ask, and it may take its time. */
    #soon(question) {
        const answer = this.#try(question);
        if (this.#connection.status.is !== "online") return answer;
        return Promise.race([answer, new Promise((go) => setTimeout(go, ANSWER_MS, null))]);
    }

    async #try(question) {
        if (!this.engine) return null;
        try {
            return await question(this.engine);
        } catch {
            return null;
        }
    }
}

const wayOf = (seat, { version }) => `${seat} ${version}`;

/* Those of `all` that are not among `known`. */
function othersThan(known, all) {
    const key = ({ from, to, choice, pass, swap }) => [from, to, choice, pass, swap].join(" ");
    const keys = new Set(known.map(key));
    return all.filter((move) => !keys.has(key(move)));
}
