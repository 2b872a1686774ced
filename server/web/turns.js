/* Whose turn it is in one's own rooms: said with them where the server knows it, else (after a crash, say) asked of each, one after the other. */

export class Turns {
    #turns = new Map(); /* room → the seat to move */
    #asked = new Set();
    #busy = false;
    #wanted = [];

    /* request: sends a command and gives its answer; onTurn: another one is known. */
    constructor({ request, onTurn }) {
        this.request = request;
        this.onTurn = onTurn;
    }

    /* "mine", the seat to move, or undefined: it is not known, or nobody's turn. */
    of({ room, yours, to_move: seat = this.#turns.get(room) }) {
        return yours.includes(seat) ? "mine" : seat;
    }

    /* rows: rooms of the lobby. */
    want(rows) {
        this.#wanted = rows.filter((row) => row.status === "playing" && row.to_move === undefined && !this.#asked.has(row.room));
        this.#askNext();
    }

    async #askNext() {
        if (this.#busy || this.#wanted.length === 0) return;
        const { room } = this.#wanted.shift();
        this.#busy = true;
        this.#asked.add(room);
        try {
            const { plies } = await this.request({ type: "history", room, moves: true });
            const { state } = await this.request({ type: "history", room, ply: plies });
            this.#turns.set(room, state.to_move);
            this.onTurn();
        } catch {
            /* the row says "Resume" */
        }
        this.#busy = false;
        this.#askNext();
    }
}
