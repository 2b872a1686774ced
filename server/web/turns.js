/* Whose turn it is in one's own rooms: said with them where the server knows it, else (after a crash, say) asked of each, one after the other. */

export class Turns {
    #turns = new Map(); /* room → "mine", or the seat to move */
    #asked = new Set();
    #busy = false;
    #wanted = [];

    /* request: sends a command and gives its answer; player(): who we are; onTurn: another one is known. */
    constructor({ request, player, onTurn }) {
        this.request = request;
        this.player = player;
        this.onTurn = onTurn;
    }

    /* "mine", the seat to move, or undefined: it is not known, or nobody's turn. */
    of({ room, yours, to_move: seat }) {
        return seat === undefined ? this.#turns.get(room) : yours.includes(seat) ? "mine" : seat;
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
            const mine = state.seats?.[state.to_move]?.player === this.player();
            if (state.to_move) this.#turns.set(room, mine ? "mine" : state.to_move);
            this.onTurn();
        } catch {
            /* the row says "Resume" */
        }
        this.#busy = false;
        this.#askNext();
    }
}
