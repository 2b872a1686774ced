/* Whose turn it is in one's own rooms: asked of each room, one after the other, and only of those that are looked at. */

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

    of(room) {
        return this.#turns.get(room);
    }

    /* rows: rooms of the lobby. */
    want(rows) {
        this.#wanted = rows.filter((row) => row.status === "playing" && !this.#asked.has(row.room));
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
