/* Moves as one types them: "e2e4", "e2-e4", "knight f3", "e7e8 queen", "pass"; or only the cell, where one move leads there. */

import { h } from "./dom.js";
import { moveWords } from "./words.js";

const LISTED_MAX = 4;

export class MoveBox {
    #moves = [];
    #cells = {};

    /* onMove(moves): as of the board; they differ in a choice. */
    constructor({ onMove, onProblem }) {
        this.onMove = onMove;
        this.onProblem = onProblem;
        this.input = h("input", { type: "text", name: "move", autocomplete: "off", autocapitalize: "off", spellcheck: "false", maxlength: 40, placeholder: "Type a move", "aria-label": "Type a move" });
        this.button = h("button", { type: "submit" }, "Play");
        this.element = h("form", { class: "move-box", hidden: true }, this.input, this.button);
        this.element.addEventListener("submit", (event) => (event.preventDefault(), this.#submit()));
    }

    update({ state, mine, myTurn, pending, replica, walk }) {
        this.element.hidden = state.status !== "playing" || mine.length === 0;
        this.#moves = myTurn && !pending && !walk.looksBack ? replica.legalMoves : [];
        this.#cells = state.cells;
        this.button.disabled = this.#moves.length === 0;
        const example = replica.moves.at(-1)?.move;
        this.input.placeholder = example && !example.pass ? `Type a move, like ${moveWords(example)}` : "Type a move";
    }

    #submit() {
        const text = this.input.value.trim();
        if (!text || this.button.disabled) return;
        const found = findMoves(text, this.#moves, this.#cells);
        const ways = new Set(found.map((move) => move.from));
        if (found.length === 0) return this.onProblem(`No legal move is called “${text}”.`);
        if (ways.size > 1) return this.onProblem(`Which one: ${listed(found)}?`);
        this.input.value = "";
        return this.onMove(found);
    }
}

function listed(moves) {
    const words = [...new Set(moves.map(({ from, to }) => moveWords({ from, to })))];
    return words.slice(0, LISTED_MAX).join(", ") + (words.length > LISTED_MAX ? ", …" : "");
}

/* The legal moves that a text means: what says most is tried first. */
export function findMoves(text, moves, cells) {
    const wanted = plain(text);
    const said = [
        (move) => move.choice && [[move.from, move.to, move.choice], [move.from, move.to, move.choice[0]]],
        (move) => [[move.from, move.to], [move.pass && "pass"]],
        (move) => move.choice && [[figureOf(move, cells), move.to, move.choice], [move.to, move.choice], [move.to, move.choice[0]]],
        (move) => [[figureOf(move, cells), move.to]],
        (move) => [[move.to]],
    ];
    for (const ways of said) {
        const found = moves.filter((move) => (ways(move) || []).some((parts) => plain(parts.filter(Boolean).join("")) === wanted));
        if (wanted && found.length > 0) return found;
    }
    return [];
}

function figureOf(move, cells) {
    return cells[move.from]?.figure ?? move.figure;
}

/* Cells may be called "3_1": such signs stay, as do all letters; x may be a sign for taking or a letter. */
function plain(text) {
    return text.toLowerCase().replace(/[\s\-–—:×=+#.]/g, "").replace(/(?<=[0-9a-z])x(?=[a-z])/g, "");
}
