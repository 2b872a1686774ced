/* Where a game came from whose first moves were there from the beginning: another room, or a file. Asked for once. */

import { h, setText } from "./dom.js";
import { say } from "./language.js";

export class Origin {
    #ask;

    /* ask(question): of the room; a promise. */
    constructor(ask) {
        this.#ask = ask;
        this.element = h("span", { class: "origin" });
    }

    async update({ replica, placeOf }) {
        const { moves, movesFrom } = replica;
        const perhaps = movesFrom > 0 || moves[0]?.version === 1;
        if (!perhaps || this.element.textContent) return;
        setText(this.element, " ");
        try {
            const { events } = await this.#ask({ type: "history", from: 1, to: 1 });
            const { fork, import: file } = events[0];
            if (!fork && !file) return;
            const href = fork && `/room/${encodeURIComponent(fork.room)}`;
            setText(this.element, " · ");
            this.element.append(fork ? h("a", { href }, say("from move {number} of another game", { number: placeOf(fork.ply).number })) : say("opened from a file"));
        } catch {
            setText(this.element, ""); /* it is played all the same */
        }
    }
}
