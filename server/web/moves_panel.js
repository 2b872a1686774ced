/* The moves played so far, a column per player. Pointing at one shows it on the board. */

import { h, replaceChildren } from "./dom.js";
import { playerDot } from "./pieces.js";
import { moveWords } from "./words.js";

const COLUMNS_MAX = 3;

export class MovesPanel {
    #count = -1;

    constructor({ onPreview }) {
        this.onPreview = onPreview;
        this.list = h("ol", { class: "moves-list", tabindex: 0, "aria-label": "Moves" });
        this.element = h("section", { class: "moves" }, h("h2", {}, "Moves"), this.list);
    }

    update({ replica, players, layout }) {
        if (replica.moves.length === this.#count) return;
        this.#count = replica.moves.length;
        const columns = players.length <= COLUMNS_MAX ? players : [null];
        this.list.style.setProperty("--columns", columns.length);
        replaceChildren(
            this.list,
            rowsOf(replica.moves, columns).map((row, i) => this.#row(row, i, columns, layout)),
        );
        if (this.#count === 0) this.list.append(h("li", { class: "none" }, "No moves yet."));
        this.list.scrollTop = this.list.scrollHeight;
        this.list.scrollLeft = this.list.scrollWidth;
    }

    #row(row, index, columns, layout) {
        const cells = columns.map((seat, column) => {
            if (!row[column]) return h("span", { class: "gap" });
            const dot = seat === null && playerDot(layout, row[column][0].seat);
            return h("span", { class: "turn" }, dot, this.#turn(row[column]));
        });
        return h("li", {}, h("span", { class: "number" }, `${index + 1}`), cells);
    }

    /* The moves of one turn; where a figure goes on from where it came to, the cell is not said twice. */
    #turn(entries) {
        return entries.map((entry, i) => {
            const words = moveWords(entry.move);
            const goesOn = i > 0 && entry.move.from !== undefined && entry.move.from === entries[i - 1].move.to;
            return this.#move(entry, goesOn ? words.slice(entry.move.from.length) : words);
        });
    }

    #move(entry, words) {
        const last = entry.index === this.#count - 1;
        return h(
            "span",
            {
                class: `move${last ? " latest" : ""}`,
                "data-move": entry.index,
                onpointerenter: () => this.onPreview(entry.move),
                onpointerleave: () => this.onPreview(null),
            },
            words,
        );
    }
}

/* Rows of turns, each a list of moves. Moves that follow each other of one player are one turn. A turn opens a new
 * row when its player's column is not to the right of the one before: turns that are skipped stay readable. */
function rowsOf(moves, columns) {
    const rows = [];
    let before = -1;
    moves.forEach((move, index) => {
        const column = Math.max(0, columns.indexOf(move.seat));
        const entry = { ...move, index };
        if (index > 0 && moves[index - 1].seat === move.seat) {
            rows.at(-1)[column].push(entry);
            return;
        }
        if (rows.length === 0 || column <= before) rows.push([]);
        rows.at(-1)[column] = [entry];
        before = column;
    });
    return rows;
}
