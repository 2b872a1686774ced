/* A room's past, as far as somebody has looked at it: positions by ply, and the moves in the game's own words.
 *
 * A few positions are kept and no more; those next to the one looked at are asked for ahead, so that stepping is
 * quick at any ply and opening a long game costs one question. The past changes only where moves are taken back (`cut`).
 * No DOM, no socket: `ask(command)` is a promise of the answer. */

import { say } from "./language.js";
import { hashState } from "./senet.js";

const POSITIONS_MAX = 64;
const AHEAD = 2; /* positions asked for beyond the one looked at, in the direction of the last step */
const QUESTIONS_MAX = 4; /* unanswered at once: whoever holds a key down asks for what is looked at, not for all between */
const TEXTS_MAX = 200; /* an answer's */

export class History {
    #ask;
    #owner;
    #positions = new Map(); /* ply → state; the longest unused first */
    #remarks = new WeakMap(); /* state → {attacked: the cells of figures in check there, hands: what is in them} */
    #asked = new Set(); /* plies */
    #wanted = 0; /* the ply looked at */
    #waiting = null; /* the newest ply that found all questions taken */
    #texts = new Map(); /* ply → words */
    #asksTexts = false;
    #wordless = false; /* the game has no words of its own for moves */

    /* onPosition(ply): it has arrived. onTexts(): more of the moves' words have. onError(error): what was asked for is
     * not to be had. */
    constructor(ask, owner) {
        this.#ask = ask;
        this.#owner = owner;
    }

    /* The state after `ply` plies, or null while it is not here. */
    position(ply) {
        const state = this.#positions.get(ply);
        if (!state) return null;
        this.#positions.delete(ply);
        this.#positions.set(ply, state);
        return state;
    }

    /* The cells of figures in check after `ply` plies, as far as the position is here. */
    attacked(ply) {
        return this.#remarks.get(this.#positions.get(ply))?.attacked ?? [];
    }

    /* What players had in hand then; null: nothing is known of hands. */
    hands(ply) {
        return this.#remarks.get(this.#positions.get(ply))?.hands ?? null;
    }

    /* A position that came by itself. */
    keep(ply, state, { attacked = [], hands = null } = {}) {
        this.#remarks.set(state, { attacked, hands });
        this.#positions.delete(ply);
        this.#positions.set(ply, state);
        if (this.#positions.size > POSITIONS_MAX) this.#positions.delete(this.#positions.keys().next().value);
    }

    /* What came after so many plies has not been. */
    cut(ply) {
        for (const known of [this.#positions, this.#texts])
            for (const other of [...known.keys()]) if (other > ply) known.delete(other);
    }

    /* What is known does not hold any more. */
    forget() {
        this.#positions.clear();
        this.#texts.clear();
    }

    /* Brings the position here, and those that a next step (`direction` is 1 or -1) within 0…`count` would lead to. */
    want(ply, direction, count) {
        this.#wanted = ply;
        this.#waiting = null;
        if (!this.#known(ply) && this.#asked.size >= QUESTIONS_MAX) {
            this.#waiting = { ply, direction, count };
            return;
        }
        this.#fetch(ply);
        for (let step = 1; step <= AHEAD; step++) {
            const next = ply + step * direction;
            if (next >= 0 && next <= count && this.#asked.size < QUESTIONS_MAX) this.#fetch(next);
        }
    }

    /* The words of move number `ply`; "" where there are none, or none yet. */
    text(ply) {
        return this.#texts.get(ply) ?? "";
    }

    keepText(ply, text) {
        this.#texts.set(ply, text);
    }

    /* Brings the words of the moves `first`…`last`, and of those before them that an answer has room for. */
    async wantTexts(first, last) {
        if (this.#wordless || this.#asksTexts) return;
        let missing = last;
        while (missing >= first && this.#texts.has(missing)) missing--;
        if (missing < Math.max(first, 1)) return;
        let from = Math.max(0, missing - TEXTS_MAX);
        while (this.#texts.has(from + 1)) from++;
        this.#asksTexts = true;
        try {
            this.#takeTexts(await this.#ask({ type: "history", moves: true, from }));
        } catch {
            this.#wordless = true; /* the moves can be read without */
        }
        this.#asksTexts = false;
        if (!this.#wordless && this.#texts.has(missing)) this.#owner.onTexts();
    }

    /* The moves up to `ply`, as many as come without asking often; what cannot be had is an error. */
    async earlier(ply) {
        const from = Math.max(0, ply - TEXTS_MAX);
        const earlier = [];
        for (let next = from; next < ply; next = earlier.at(-1).ply) {
            const { moves } = await this.#ask({ type: "history", moves: true, from: next });
            if (moves.length === 0) throw new Error(say("The game's moves are not to be had."));
            earlier.push(...moves);
        }
        for (const move of earlier) this.keepText(move.ply, move.text ?? "");
        return earlier.filter((move) => move.ply <= ply);
    }

    #takeTexts({ moves }) {
        for (const { ply, text } of moves) this.#texts.set(ply, text ?? "");
        this.#wordless = moves.every(({ text }) => text === undefined);
    }

    #known(ply) {
        return this.#positions.has(ply) || this.#asked.has(ply);
    }

    async #fetch(ply) {
        if (this.#known(ply)) return;
        this.#asked.add(ply);
        try {
            const { state, hash, attacked, hands } = await this.#ask({ type: "history", ply });
            if (hashState(state) !== hash) throw new Error(say("A position arrived damaged."));
            this.keep(ply, state, { attacked, hands });
            this.#asked.delete(ply);
            this.#owner.onPosition(ply);
        } catch (error) {
            this.#asked.delete(ply);
            if (ply === this.#wanted) this.#owner.onError(error);
        }
        if (this.#waiting) this.want(this.#waiting.ply, this.#waiting.direction, this.#waiting.count);
    }
}
