/* What happens on the board, for those who do not see it: a live region with the moves of the others. */

import { h } from "./dom.js";
import { say } from "./language.js";
import { gameWord, named, pieceWords } from "./words.js";

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
    const player = named(seat);
    const { from, to } = move;
    if (move.pass) return say("{player} passes.", { player });
    if (move.swap) return say("{player} swaps sides.", { player });
    const figure = cells[from]?.figure;
    const there = cells[to];
    if (!from && there) return say("{player}: removes {piece} on {cell}.", { player, piece: pieceWords(there), cell: to });
    if (!from && move.choice) return say("{player}: {figure} on {cell}.", { player, figure: gameWord(move.choice), cell: to });
    if (!from) return say("{player}: on {cell}.", { player, cell: to });
    const what = [
        figure ? say("{figure} {from} to {to}", { figure: gameWord(figure), from, to }) : say("{from} to {to}", { from, to }),
        there && there.player !== seat && say("takes {piece}", { piece: pieceWords(there) }),
        move.choice && say("becomes {figure}", { figure: gameWord(move.choice) }),
    ];
    return `${player}: ${what.filter(Boolean).join(", ")}.`;
}
