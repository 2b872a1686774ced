/* A move marked while another player is to move: it is sent the moment it is legal, once, or dropped.
 *
 * Plain values, no DOM and no socket. A move is {from, to}; {to}, or {to, choice} from the hand, for what is put on the board; or {text} as it was typed. */

export class Premove {
    #move = null;
    #since = 0; /* plies that had been made when it was marked */

    get move() {
        return this.#move;
    }

    mark(move, plies) {
        this.#move = move;
        this.#since = plies;
    }

    /* Returns whether there was one. */
    clear() {
        const had = this.#move !== null;
        this.#move = null;
        return had;
    }

    /* What becomes of it now: {wait: true}, {play: [legal moves]}, or {drop: true}. What is decided is decided once.
     * find(text, moves): the legal moves that a text means. */
    settle({ replica, state, mine, myTurn, pending }, find) {
        if (!this.#move) return { wait: true };
        if (state.status !== "playing" || mine.length === 0) return this.#drop();
        if (this.#since > replica.plies) return this.#drop(); /* the server has been set back */
        const since = replica.moves.slice(Math.max(0, this.#since - replica.movesFrom));
        if (since.some(({ seat }) => mine.includes(seat))) return this.#drop(); /* played elsewhere meanwhile */
        if (!myTurn || pending) return { wait: true };
        const fitting = this.#fitting(replica.legalMoves, find);
        if (fitting.length === 0 && replica.legalMoves.length < replica.legalMovesCount) return { wait: true };
        return fitting.length === 0 ? this.#drop() : this.#take({ play: fitting });
    }

    #fitting(moves, find) {
        const { from, to, choice, text } = this.#move;
        const isPut = from === undefined; /* then the kind is known, while a promotion is asked about */
        if (text === undefined) return moves.filter((move) => move.from === from && move.to === to && (!isPut || move.choice === choice));
        const found = find(text, moves);
        return new Set(found.map((move) => move.from)).size === 1 ? found : [];
    }

    #drop() {
        return this.#take({ drop: true });
    }

    #take(outcome) {
        this.#move = null;
        return outcome;
    }
}
