/* A move made on the board that its player has still to confirm, for who wants it so (settings.js): nothing is sent before.
 * What was marked ahead, typed or pressed as a button has been said in so many words, and is not asked about. */

import { confirmsMoves } from "./settings.js";

export class Proposal {
    #move = null;
    #plies = 0; /* that had been made then */

    make(move, { replica }) {
        this.#move = move;
        this.#plies = replica.plies;
    }

    /* Returns the move, if there was one. */
    take() {
        const move = this.#move;
        this.#move = null;
        return move;
    }

    /* The move that waits for a yes; null: there is none, or none any more: another one was made meanwhile, or the game is over. */
    of({ replica, myTurn, analysis }) {
        if (!myTurn || analysis || replica.plies !== this.#plies) this.#move = null;
        return this.#move;
    }
}

/* Whoever plays all sides takes back what was not meant, and nobody is asked. */
export function asksFirst({ mine, players }) {
    return confirmsMoves() && mine.length < players.length;
}
