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
    if (move.swap) return `${capital(seat)} swaps sides.`;
    const figure = cells[move.from]?.figure ?? "";
    const there = cells[move.to];
    if (!move.from && there) return `${capital(seat)}: removes ${there.player} ${there.figure} on ${move.to}.`;
    if (!move.from) return `${capital(seat)}: ${[move.choice, "on", move.to].filter(Boolean).join(" ")}.`;
    const way = `${move.from} to ${move.to}`;
    const takes = there && there.player !== seat ? `, takes ${there.player} ${there.figure}` : "";
    const becomes = move.choice ? `, becomes ${move.choice}` : "";
    return `${capital(seat)}: ${[figure, way].filter(Boolean).join(" ")}${takes}${becomes}.`;
}
