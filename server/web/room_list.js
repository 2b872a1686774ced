/* Rooms as rows, a few at first and more when they are asked for. */

import { h, refreshChildren } from "./dom.js";
import { say } from "./language.js";
import { roomRow } from "./room_row.js";

const MORE = 12;

export class RoomList {
    #rows = [];
    #shown;

    /* few: how many are shown at first; describe(row): what to say of it besides, see roomRow; draw(row, that): its element. */
    constructor({ few, describe = () => ({}), draw = roomRow }) {
        this.#shown = few;
        this.describe = describe;
        this.draw = draw;
        this.list = h("div", { class: "rows" });
        this.more = h("button", { type: "button", class: "quiet", hidden: true, onclick: () => this.#showMore() });
        this.element = h("div", { class: "room-list" }, this.list, this.more);
    }

    get shown() {
        return this.#rows.slice(0, this.#shown);
    }

    /* How many are not shown yet. */
    get left() {
        return Math.max(0, this.#rows.length - this.#shown);
    }

    update(rows) {
        this.#rows = rows;
        this.#draw();
    }

    #showMore() {
        const first = this.#shown;
        this.#shown += MORE;
        this.#draw();
        this.list.children[first]?.focus();
        this.onMore?.();
    }

    #draw() {
        refreshChildren(
            this.list,
            this.shown.map((row) => this.draw(row, this.describe(row))),
        );
        const left = this.#rows.length - this.#shown;
        this.more.hidden = left <= 0;
        this.more.textContent = say("Show {more} more of {count}", { more: Math.min(left, MORE), count: this.#rows.length });
    }
}
