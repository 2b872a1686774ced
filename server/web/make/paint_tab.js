/* The tab under the board where hands edit the text: one painter at a time. */

import { h } from "../dom.js";
import { say } from "../language.js";
import { PaintCells } from "./paint_cells.js";
import { PaintFigures } from "./paint_figures.js";
import { PaintMoves } from "./paint_moves.js";
import { PaintPlayers } from "./paint_players.js";
import { PaintTurns } from "./paint_turns.js";

export class PaintTab {
    #open = null;
    #isShown = false;

    constructor(view) {
        this.painters = [
            [say("Figures"), new PaintFigures(view)],
            [say("Cells"), new PaintCells(view)],
            [say("Moves"), new PaintMoves(view)],
            [say("Players"), new PaintPlayers(view)],
            [say("Turns"), new PaintTurns(view)],
        ];
        this.heads = this.painters.map(([label, painter]) => h("button", { type: "button", class: "small", onclick: () => this.#choose(painter) }, label));
        this.element = h(
            "div",
            { class: "paint-tab" },
            h("div", { class: "painters", role: "group", "aria-label": say("What is drawn") }, this.heads),
            this.painters.map(([, { element }]) => element),
        );
        this.#choose(this.painters[0][1]);
    }

    /* Whether a hand on the board paints. */
    get active() {
        return this.#open.active;
    }

    get places() {
        return this.#open.places;
    }

    move(places) {
        return this.#open.move(places);
    }

    paint(cell) {
        return this.#open.paint(cell);
    }

    /* Whether there was something to let go. */
    letGo() {
        return this.#open.letGo?.() ?? false;
    }

    async load(loaded) {
        for (const [, painter] of this.painters) await painter.load(loaded);
    }

    shown() {
        this.#isShown = true;
        this.#show();
    }

    hide() {
        this.#isShown = false;
        this.#open.hide?.();
    }

    #choose(painter) {
        if (painter === this.#open) return;
        if (this.#isShown) this.#open.hide?.();
        this.#open = painter;
        this.painters.forEach(([, { element }], at) => {
            const is = this.painters[at][1] === painter;
            element.hidden = !is;
            this.heads[at].setAttribute("aria-pressed", `${is}`);
        });
        if (this.#isShown) this.#show();
    }

    /* It may have to ask the engine what it shows. */
    async #show() {
        const open = this.#open;
        this.element.setAttribute("aria-busy", "true");
        await open.shown?.();
        if (open === this.#open) this.element.setAttribute("aria-busy", "false");
    }
}
