/* Moves as one types them: "e2e4", "e2-e4", "knight f3", "e7e8 queen", "pass"; or only the cell, where one move leads there. */

import { h } from "./dom.js";
import { say } from "./language.js";
import { moveWords } from "./words.js";

const LISTED_MAX = 4;

export class MoveBox {
    #moves = [];
    #cells = {};
    #ahead = false;

    /* onMove(moves): as of the board; they differ in a choice. onAhead(text): for when it is one's turn. texts(): promises the legal
     * moves with the game's own words for them, or nothing. */
    constructor({ onMove, onAhead, onProblem, texts }) {
        Object.assign(this, { onMove, onAhead, onProblem, texts });
        this.input = h("input", { type: "text", name: "move", autocomplete: "off", autocapitalize: "off", spellcheck: "false", maxlength: 40, placeholder: say("Type a move"), "aria-label": say("Type a move") });
        this.button = h("button", { type: "submit" }, say("Play"));
        this.element = h("form", { class: "move-box", hidden: true }, this.input, this.button);
        this.element.addEventListener("submit", (event) => (event.preventDefault(), this.#submit()));
    }

    update({ state, mine, myTurn, pending, replica, mayMove, mayMark }) {
        this.element.hidden = state.status !== "playing" || mine.length === 0;
        this.#moves = mayMove && myTurn && !pending ? replica.legalMoves : [];
        this.#ahead = mayMark;
        this.#cells = state.cells;
        this.button.disabled = this.#moves.length === 0 && !mayMark;
        const example = replica.moves.at(-1)?.move;
        this.input.placeholder = example?.to ? say("Type a move, like {move}", { move: moveWords(example) }) : say("Type a move");
    }

    async #submit() {
        const text = this.input.value.trim();
        if (!text || this.button.disabled) return;
        if (this.#ahead) return this.#mark(text);
        const moves = this.#moves;
        const found = findWritten(text, await this.texts(), moves) ?? findMoves(text, moves, this.#cells);
        if (moves !== this.#moves) return;
        const ways = new Set(found.map((move) => move.from));
        if (found.length === 0) return this.onProblem(say("No legal move is called “{text}”.", { text }));
        if (ways.size > 1) return this.onProblem(say("Which one: {moves}?", { moves: someOf(found) }));
        this.input.value = "";
        return this.onMove(found);
    }

    #mark(text) {
        this.input.value = "";
        this.onAhead(text);
    }
}

/* The one legal move that is written like this, in the game's own words ("Nf3", with or without signs of check and taking);
 * null: none is, or these are not here. */
export function findWritten(text, written, moves) {
    const key = ({ from, to, choice, pass, swap }) => [from, to, choice, pass, swap].join(" ");
    for (const form of [(words) => words, bare]) {
        const found = written.filter((move) => form(move.text) === form(text));
        if (found.length === 1) return moves.filter((move) => key(move) === key(found[0]));
    }
    return null;
}

/* Small and capital letters say different figures: bxc3 is a pawn's move, Bxc3 is not. */
function bare(text) {
    return text.replace(/[\s+#!?=x:×]/g, "").replace(/^0-0(-0)?$/, (castling) => castling.replaceAll("0", "O"));
}

function someOf(moves) {
    const words = [...new Set(moves.map(({ from, to }) => moveWords({ from, to })))];
    return words.slice(0, LISTED_MAX).join(", ") + (words.length > LISTED_MAX ? ", …" : "");
}

/* The legal moves that a text means: what says most is tried first. */
export function findMoves(text, moves, cells) {
    const wanted = plain(text);
    const said = [
        (move) => move.choice && [[move.from, move.to, move.choice], [move.from, move.to, move.choice[0]]],
        (move) => [[move.from, move.to], [move.pass && "pass"], [move.pass && say("pass")], [move.swap && "swap"], [move.swap && say("swap")], [move.swap && "swap sides"]],
        (move) => !move.from && [[move.choice, move.to], [move.choice?.[0], move.to]],
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
    return cells[move.from]?.figure;
}

/* Cells may be called "3_1": such signs stay, as do all letters; x may be a sign for taking or a letter. */
function plain(text) {
    return text.toLowerCase().replace(/[\s\-–—:×=+#.@]/g, "").replace(/(?<=[0-9a-z])x(?=[a-z])/g, "");
}
