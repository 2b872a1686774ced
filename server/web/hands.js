/* What players have in hand, beside the board: a row for each of them, a button for each kind. One's own are picked up here, by a click or by
 * Enter, and put on the board by choosing a cell there. */

import { h, replaceChildren, setText } from "./dom.js";
import { say } from "./language.js";
import { pieceIcon } from "./pieces.js";
import { gameWord, named } from "./words.js";

export class Hands {
    #onTake;
    #rows = new Map(); /* by seat: the same as long as the page is there, so that the focus stays where it is */
    #kinds = new Map(); /* by seat and figure */

    /* onTake(figure): it is wanted, or not any more; null: nothing is. */
    constructor({ onTake }) {
        this.#onTake = onTake;
        this.top = h("div", { class: "hands top", hidden: true });
        this.bottom = h("div", { class: "hands bottom", hidden: true });
    }

    /* The figures have other pictures from now on, or are those of another game. */
    forget() {
        this.#rows.clear();
        this.#kinds.clear();
    }

    /* view.hands: by seat, by figure how many; null: the game has none. view.inHand: what is picked up, view.mayPut: figures that can be,
     * of view.putter's hand, who is to move where nobody is named. */
    update(view) {
        const { hands, players, nearest } = view;
        this.top.hidden = this.bottom.hidden = !hands;
        if (!hands) return;
        const start = players.indexOf(nearest);
        const others = [...players.slice(start + 1), ...players.slice(0, start)];
        place(this.top, others.map((seat) => this.#row(seat, view)));
        place(this.bottom, [this.#row(nearest, view)]);
    }

    #row(seat, view) {
        if (!this.#rows.has(seat)) this.#rows.set(seat, h("div", { class: "hand", "data-seat": seat, role: "group", "data-nothing": say("nothing in hand") }));
        const row = this.#rows.get(seat);
        const hand = view.hands[seat] ?? {};
        const figures = view.layout.figures.filter((figure) => hand[figure] > 0);
        const words = figures.map((figure) => `${hand[figure]} ${gameWord(figure)}`).join(", ") || say("nothing");
        row.setAttribute("aria-label", say("{player} has in hand: {figures}", { player: named(seat), figures: words }));
        place(row, figures.map((figure) => this.#kind(seat, figure, hand[figure], view)));
        return row;
    }

    #kind(seat, figure, count, view) {
        const key = `${seat} ${figure}`;
        if (!this.#kinds.has(key)) this.#kinds.set(key, this.#button(seat, figure, view.layout));
        const button = this.#kinds.get(key);
        const mayPut = (view.putter ?? view.state.to_move) === seat && view.mayPut.has(figure);
        const pressed = mayPut && view.inHand === figure;
        button.setAttribute("aria-label", say("{count} {figure} in hand", { count, figure: gameWord(figure) }));
        button.setAttribute("aria-pressed", `${pressed}`);
        if (mayPut) button.removeAttribute("aria-disabled");
        else button.setAttribute("aria-disabled", "true");
        button.tabIndex = mayPut ? 0 : -1;
        setText(button.lastChild, count > 1 ? `${count}` : "");
        return button;
    }

    #button(seat, figure, layout) {
        const button = h(
            "button",
            { type: "button", class: "kind", "data-figure": figure, onclick: () => !button.hasAttribute("aria-disabled") && this.#onTake(figure) },
            pieceIcon(layout, { player: seat, figure }),
            h("span", { class: "times" }),
        );
        button.addEventListener("keydown", (event) => event.key === "Escape" && button.getAttribute("aria-pressed") === "true" && (event.stopPropagation(), this.#onTake(null)));
        return button;
    }
}

/* Only where they are others: what is put anew loses the focus. */
function place(element, children) {
    const same = children.length === element.childNodes.length && children.every((child, i) => child === element.childNodes[i]);
    if (!same) replaceChildren(element, ...children);
}
