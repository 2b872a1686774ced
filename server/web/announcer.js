/* What happens on the board, for those who do not see it: a live region with the moves of the others. */

import { h } from "./dom.js";
import { capital } from "./words.js";

export class Announcer {
    constructor() {
        this.element = h("p", { class: "unseen announcer", role: "log", "aria-live": "polite" });
    }

    /* A move that was made from the position `cells`. */
    moved(move, seat, cells) {
        this.element.textContent = moveSentence(move, seat, cells);
    }
}

export function moveSentence(move, seat, cells) {
    if (move.pass) return `${capital(seat)} passes.`;
    const figure = cells[move.from]?.figure ?? move.figure ?? "";
    const there = cells[move.to];
    const way = move.from ? `${move.from} to ${move.to}` : `on ${move.to}`;
    const takes = there && there.player !== seat ? `, takes ${there.player} ${there.figure}` : "";
    const becomes = move.choice ? `, becomes ${move.choice}` : "";
    return `${capital(seat)}: ${[figure, way].filter(Boolean).join(" ")}${takes}${becomes}.`;
}
