/* The moves played so far, a column per player. Pointing at one shows it on the board. */

import { h, replaceChildren } from "./dom.js";
import { moveWords } from "./words.js";

const COLUMNS_MAX = 3;

export class MovesPanel {
    #count = -1;

    constructor({ onPreview }) {
        this.onPreview = onPreview;
        this.list = h("ol", { class: "moves-list", tabindex: 0, "aria-label": "Moves" });
        this.element = h("section", { class: "moves" }, h("h2", {}, "Moves"), this.list);
    }

    update({ replica, players }) {
        if (replica.moves.length === this.#count) return;
        this.#count = replica.moves.length;
        const columns = players.length <= COLUMNS_MAX ? players : [null];
        this.list.style.setProperty("--columns", columns.length);
        replaceChildren(
            this.list,
            rowsOf(replica.moves, columns).map((row, i) => this.#row(row, i, columns)),
        );
        if (this.#count === 0) this.list.append(h("li", { class: "none" }, "No moves yet."));
        this.list.scrollTop = this.list.scrollHeight;
        this.list.scrollLeft = this.list.scrollWidth;
    }

    #row(row, index, columns) {
        const cells = columns.map((_, column) => (row[column] ? this.#move(row[column]) : h("span", { class: "gap" })));
        return h("li", {}, h("span", { class: "number" }, `${index + 1}`), cells);
    }

    #move(entry) {
        const last = entry.index === this.#count - 1;
        return h(
            "span",
            {
                class: `move${last ? " latest" : ""}`,
                "data-move": entry.index,
                onpointerenter: () => this.onPreview(entry.move),
                onpointerleave: () => this.onPreview(null),
            },
            moveWords(entry.move),
        );
    }
}

/* A move opens a new row when its player's column is not to the right of the one before: turns that are skipped or
 * taken twice stay readable. */
function rowsOf(moves, columns) {
    const rows = [];
    let before = -1;
    moves.forEach((move, index) => {
        const column = Math.max(0, columns.indexOf(move.seat));
        if (rows.length === 0 || column <= before) rows.push([]);
        rows.at(-1)[column] = { ...move, index };
        before = column;
    });
    return rows;
}
