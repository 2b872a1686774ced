/* Light on cells of a board that is drawn already: what the word under the cursor speaks of. It lies under the figures and
 * copies the outlines of the polygons that receive the hand. */

import { svg } from "../dom.js";

/* role → which light wins where several fall on one cell, the last one. */
const ROLES = ["board", "zone", "placed", "matching", "reach", "from", "attacked", "attacker", "to", "refused", "painted"];

export class BoardLight {
    #group = svg("g", { class: "lights", "aria-hidden": "true" });

    constructor(board) {
        this.board = board;
    }

    /* sets: [{role, cells}] */
    show(sets) {
        const roles = new Map();
        for (const role of ROLES)
            for (const set of sets) if (set.role === role) for (const cell of set.cells) roles.set(cell, role);
        const hits = this.board.querySelector(".hits");
        if (!hits) return;
        this.#group.replaceChildren(
            ...[...hits.querySelectorAll("[data-cell]")]
                .filter((hit) => roles.has(hit.dataset.cell))
                .map((hit) => this.#light(hit, roles.get(hit.dataset.cell))),
        );
        this.board.querySelector(".pieces").before(this.#group);
    }

    clear() {
        this.#group.replaceChildren();
    }

    #light(hit, role) {
        const shape = hit.getAttribute("points") ? svg("polygon", { points: hit.getAttribute("points") }) : hit.cloneNode(false);
        shape.setAttribute("class", `light ${role}`);
        shape.setAttribute("data-lit", hit.dataset.cell);
        return shape;
    }
}

/* The middle of a cell that is drawn already. */
export function middleOf(hit) {
    const points = hit.getAttribute("points").split(" ").map((point) => point.split(",").map(Number));
    return [0, 1].map((at) => points.reduce((sum, point) => sum + point[at], 0) / points.length);
}
