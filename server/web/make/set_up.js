/* A position set up by hand: figures out of the palette, or taken up from where they stand; and whose turn it is. Each edit is loaded at
 * once, so that the position's text and what the rules say of it follow. */

import { h, replaceChildren, setText } from "../dom.js";
import { capital } from "../words.js";
import { dragFigures, figureBrushes, isSame, makeBrush, pressBrushes } from "./brushes.js";

const TURNS_MAX = 64;

export class SetUp {
    #brush = null; /* {player, figure}, {erase: true}, or {from}: a figure taken up on the board */

    constructor(view) {
        this.view = view;
        this.palette = h("div", { class: "palette", role: "group", "aria-label": "Figures" });
        this.turn = h("select", { "aria-label": "To move", onchange: () => this.#put(this.cells) });
        this.words = h("p", { class: "bad", role: "alert" });
        this.element = h(
            "div",
            { class: "set-up", hidden: true },
            h("p", { class: "hint" }, "Drag figures onto the board, or choose one and click cells; click a figure on the board to take it up."),
            this.palette,
            h("div", { class: "row" }, h("label", {}, "To move: ", this.turn), small("Empty the board", () => this.#put({})), small("As it begins", () => this.#put(view.start.cells))),
            this.words,
        );
        dragFigures(this.palette, view, { layout: () => this.layout, onLift: (brush) => this.#choose(brush), onDrop: (cell) => this.paint(cell) });
    }

    get active() {
        return !this.element.hidden;
    }

    get cells() {
        return this.view.trial.state.cells;
    }

    load({ game, layout }) {
        this.game = game;
        this.layout = layout;
        this.#brush = null;
        replaceChildren(this.palette, figureBrushes({ game, layout }, (brush) => this.#toggle(brush)), makeBrush("Erase", { erase: true }, (brush) => this.#toggle(brush)));
        if (this.active) this.#offerTurns();
    }

    open(is) {
        this.element.hidden = !is;
        this.#choose(null);
        setText(this.words, "");
        if (is) this.#offerTurns();
        this.view.showTrial();
    }

    letGo() {
        this.#choose(null);
        return true;
    }

    paint(cell) {
        const cells = { ...this.cells };
        const { figure, player, erase, from } = this.#brush ?? {};
        if (!this.#brush) return cells[cell] && this.#choose({ from: cell });
        if (erase) delete cells[cell];
        else if (figure) cells[cell] = this.#figureOn(cell, { figure, player });
        else if (from !== cell) (cells[cell] = this.#figureOn(cell, cells[from])), delete cells[from];
        if (from) this.#choose(null);
        return this.#put(cells);
    }

    /* One that stands where it begins has not moved yet, as far as the rules ask. */
    #figureOn(cell, { figure, player }) {
        const first = this.view.start.cells[cell];
        return first?.figure === figure && first.player === player ? first : { figure, player };
    }

    #toggle(brush) {
        this.#choose(isSame(brush, this.#brush) ? null : brush);
    }

    #choose(brush) {
        this.#brush = brush;
        pressBrushes(this.palette, brush);
        this.view.light.show(brush?.from ? [{ role: "painted", cells: [brush.from] }] : []);
    }

    async #put(cells) {
        const { counters } = this.view.trial.state;
        try {
            await this.view.trial.setUp(JSON.stringify({ cells, state: this.turn.value, ...(counters && { counters }) }));
            setText(this.words, "");
        } catch (error) {
            setText(this.words, capital(error.message));
        }
    }

    async #offerTurns() {
        const turns = await this.view.trial.turnsAmong(this.game.states.slice(0, TURNS_MAX));
        const now = this.view.trial.state.state;
        replaceChildren(this.turn, turns.map((state) => h("option", { value: state }, capital(state.replaceAll("_", " ")))));
        this.turn.value = turns.includes(now) ? now : turns[0];
    }
}

function small(label, onclick) {
    return h("button", { type: "button", class: "small", onclick }, label);
}
