/* The moves played so far, a column per player. Pointing at one shows it on the board, clicking goes to it. Of a long game
 * the last ones are here at first; the others come when somebody looks at where they should stand. */

import { h, replaceChildren, setText } from "./dom.js";
import { say, sayCount } from "./language.js";
import { playerDot } from "./pieces.js";
import { endWords, moveText, moveWords } from "./words.js";

const COLUMNS_MAX = 3;
const MARGIN_PLIES = 10; /* whose words are asked for beyond the visible ones */

export class MovesPanel {
    #from = 0; /* so many plies are not in the list: they came before */
    #moves = []; /* by ply - 1 - from: {seat, move, button, number, column, said: how its words begin that need no saying} */
    #columns = []; /* seats, or null for all of them in one */
    #column = -1; /* of the last move */
    #shown = null; /* the ply on the board */
    #history = null;
    #timer = 0;
    #clickedAt = [];

    /* `stepper` and `extras` are elements that stand above and below the list. */
    constructor({ onPreview, onGo, onEarlier, stepper, extras }) {
        this.onPreview = onPreview;
        this.onGo = onGo;
        this.onEarlier = onEarlier;
        this.earlier = h("button", { type: "button", class: "quiet", onclick: onEarlier });
        this.earlierRow = h("li", { class: "earlier" }, this.earlier);
        this.none = h("li", { class: "none" }, say("No moves yet."));
        this.end = h("li", { class: "end" });
        this.list = h("ol", { class: "moves-list", tabindex: 0, "aria-label": say("Moves") }, this.none);
        this.list.addEventListener("scroll", () => this.#scrolled(), { passive: true });
        const head = h("header", {}, h("h2", {}, say("Moves")), stepper);
        this.element = h("section", { class: "moves" }, head, this.list, extras);
    }

    /* Where ply number `ply` stands in the list: the number of its row, and whether others stand there before it. What is not
     * in the list yet is taken for full rows. */
    placeOf(ply) {
        const known = this.#moveAt(ply);
        if (known) return { number: known.number, later: known.column > 0 };
        const columns = Math.max(this.#columns.length, 1);
        return { number: Math.ceil(ply / columns), later: ply > 0 && (ply - 1) % columns > 0 };
    }

    update({ replica, players, layout, walk, history, state, analysis }) {
        this.#history = history;
        this.#grow(replica, players, layout);
        this.#showEnd(analysis ? "" : endWords(state));
        this.#writeTexts();
        if (walk.at !== this.#shown) this.#show(walk.at);
        if (walk.at < this.#from) this.onEarlier();
    }

    /* The past never changes: what is there stays, and keeps its focus and its place. Only moves from before it make the
     * list anew, for turns and their numbers are counted from the start. */
    #grow({ moves, movesFrom }, players, layout) {
        if (movesFrom !== this.#from || !this.#begins(moves)) this.#begin(movesFrom, moves, players, layout);
        if (moves.length === this.#moves.length) return;
        this.#add(moves.slice(this.#moves.length), players, layout);
        this.#wantTextsSoon(() => this.#scrollTo(this.#moveAt(this.#shown)?.button));
    }

    /* Whether all in the list are the first of `moves`: those that are only tried may be others the next time. */
    #begins(moves) {
        const same = ({ move }, i) => move === moves[i]?.move || (moves[i] && moveWords(move) === moveWords(moves[i].move));
        return moves.length >= this.#moves.length && this.#moves.every(same);
    }

    /* Whoever reads on towards the start goes on reading there. */
    #begin(from, moves, players, layout) {
        const fromEnd = this.list.scrollHeight - this.list.scrollTop;
        const shown = this.#moveAt(this.#shown) ? this.#shown : null;
        this.#clear(from);
        if (shown === null || moves.length === 0) return;
        this.#add(moves, players, layout);
        this.#writeTexts();
        this.#mark(shown);
        this.list.scrollTop = this.list.scrollHeight - fromEnd;
        this.#wantTextsSoon();
    }

    /* How it ended, below the last move. */
    #showEnd(words) {
        this.none.hidden = words !== "";
        setText(this.end, words);
        if (words && !this.end.parentElement) this.list.append(this.end);
        if (!words) this.end.remove();
    }

    #add(moves, players, layout) {
        this.none.remove();
        this.end.remove();
        this.#columns = players.length <= COLUMNS_MAX ? players : [null];
        this.list.style.setProperty("--columns", this.#columns.length);
        this.#moves.at(-1)?.button.classList.remove("latest");
        for (const { seat, move } of moves) this.#append(seat, move, layout);
        this.#moves.at(-1).button.classList.add("latest");
    }

    #clear(from) {
        this.#from = from;
        this.#moves = [];
        this.#column = -1;
        this.#shown = null;
        replaceChildren(this.list, from > 0 ? this.earlierRow : this.none);
        setText(this.earlier, sayCount("{count} earlier move", "{count} earlier moves", from));
    }

    #moveAt(ply) {
        return this.#moves[ply - 1 - this.#from];
    }

    /* Moves that follow each other of one player are one turn. A turn opens a new row when its player's column is not
     * to the right of the one before: turns that are skipped stay readable. */
    #append(seat, move, layout) {
        const before = this.#moves.at(-1);
        const goesOn = before?.seat === seat;
        const button = this.#button(move);
        /* where a figure goes on from where it came to, the cell is not said twice */
        const said = goesOn && move.from === before.move.to ? (move.from ?? "") : "";
        this.#moves.push({ seat, move, button, said });
        if (!goesOn) this.#openTurn(seat, layout);
        const turns = this.list.lastChild.children;
        turns[this.#column + 1].append(button);
        Object.assign(this.#moves.at(-1), { number: Number(turns[0].textContent), column: this.#column });
    }

    #openTurn(seat, layout) {
        const column = Math.max(0, this.#columns.indexOf(seat));
        if (column <= this.#column || this.#moves.length === 1) this.#openRow();
        this.#column = column;
        const turn = this.list.lastChild.children[column + 1];
        turn.className = "turn";
        if (this.#columns[0] === null) turn.append(playerDot(layout, seat));
    }

    /* What was played before the list begins is taken for full rows until it is known. */
    #openRow() {
        const before = Math.floor(this.#from / this.#columns.length) - (this.#from > 0);
        const number = before + this.list.children.length + 1;
        const gaps = this.#columns.map(() => h("span", { class: "gap" }));
        this.list.append(h("li", {}, h("span", { class: "number" }, `${number}`), gaps));
    }

    /* The list moves under a hand that has clicked: what comes there is not pointed at. */
    #hasStayed({ clientX, clientY }) {
        const [x, y] = this.#clickedAt;
        return Math.floor(clientX) === Math.floor(x) && Math.floor(clientY) === Math.floor(y);
    }

    /* Reached by the arrow keys, not by Tab: there may be hundreds. */
    #button(move) {
        const ply = this.#from + this.#moves.length + 1;
        return h("button", {
            type: "button",
            class: "move",
            tabindex: -1,
            "data-ply": ply,
            onclick: ({ clientX, clientY }) => ((this.#clickedAt = [clientX, clientY]), this.onPreview(null), this.onGo(ply)),
            onpointerenter: (event) => ply !== this.#shown && !this.#hasStayed(event) && this.onPreview(move),
            onpointerleave: () => this.onPreview(null),
        });
    }

    /* The game's own words for a move where it has them and they are here. */
    #writeTexts() {
        for (const [index, { button, move, said }] of this.#moves.entries()) {
            const words = moveText(move, this.#history.text(this.#from + index + 1));
            setText(button, words.startsWith(said) ? words.slice(said.length) : words);
        }
    }

    /* Once the list has its new length, and the page its new shape. Moves that came as events have brought their words. */
    #wantTextsSoon(first = () => {}) {
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => (first(), this.wantTexts()), 0);
    }

    #scrolled() {
        if (this.#from > 0 && this.list.scrollTop < this.list.clientHeight) this.onEarlier();
        this.wantTexts();
    }

    wantTexts() {
        const count = this.#moves.length;
        if (count === 0) return;
        const { scrollTop, clientHeight, scrollHeight } = this.list;
        const plyAt = (height) => this.#from + Math.ceil((count * height) / Math.max(scrollHeight, 1));
        const first = Math.max(this.#from + 1, plyAt(scrollTop) - MARGIN_PLIES);
        const last = Math.min(this.#from + count, plyAt(scrollTop + clientHeight) + MARGIN_PLIES);
        this.#history.wantTexts(first, last);
    }

    #show(ply) {
        this.#mark(ply);
        this.#scrollTo(this.#moveAt(ply)?.button);
    }

    #mark(ply) {
        this.#moveAt(this.#shown)?.button.removeAttribute("aria-current");
        this.#shown = ply;
        this.#moveAt(ply)?.button.setAttribute("aria-current", "step");
    }

    /* Within the list only: the page itself stays still. */
    #scrollTo(button) {
        if (!button) return void (this.list.scrollTop = 0);
        const list = this.list.getBoundingClientRect();
        const place = button.getBoundingClientRect();
        const margin = place.height;
        if (place.top < list.top + margin) this.list.scrollTop -= list.top + margin - place.top;
        if (place.bottom > list.bottom - margin) this.list.scrollTop += place.bottom - list.bottom + margin;
        if (place.left < list.left) this.list.scrollLeft -= list.left - place.left;
        if (place.right > list.right) this.list.scrollLeft += place.right - list.right;
        return undefined;
    }
}
