/* A position set up by hand: figures out of the palette, or moved from where they stand; and whose turn it is. Each edit is loaded at
 * once, so that the position's text and what the rules say of it follow. */

import { h, replaceChildren, setText } from "../dom.js";
import { capital, say } from "../language.js";
import { dragFigures, figureBrushes, isSame, makeBrush, pressBrushes } from "./brushes.js";

const TURNS_MAX = 64;

export class SetUp {
    #brush = null; /* {player, figure}, or {erase: true} */
    #turnsOffered = Promise.resolve();

    constructor(view) {
        this.view = view;
        this.palette = h("div", { class: "palette", role: "group", "aria-label": say("Figures") });
        this.turn = h("select", { "aria-label": say("To move"), onchange: () => this.#put((cells) => cells) });
        this.words = h("p", { class: "bad", role: "alert" });
        this.handing = h("div", { class: "row", hidden: true }, small(say("One more in hand"), () => this.#hand(1)), small(say("One less"), () => this.#hand(-1)));
        this.element = h(
            "div",
            { class: "set-up", hidden: true },
            h("p", { class: "hint" }, say("Drag figures onto the board and about on it, or choose one and click cells.")),
            this.palette,
            this.handing,
            h("div", { class: "row" }, h("label", {}, say("To move:"), " ", this.turn), small(say("Empty the board"), () => this.#put(() => ({}))), small(say("As it begins"), () => this.#put(() => view.start.cells))),
            this.words,
        );
        dragFigures(this.palette, view, { layout: () => this.layout, onHold: (brush) => this.#choose(brush), onDrop: (cell) => this.paint(cell) });
    }

    get active() {
        return !this.element.hidden;
    }

    get cells() {
        return this.view.trial.state.cells;
    }

    /* Figures are moved on the board while nothing else is in the hand. */
    get places() {
        return this.active && this.#brush === null;
    }

    load({ game, layout }) {
        this.game = game;
        this.layout = layout;
        this.#brush = null;
        this.handing.hidden = true;
        replaceChildren(this.palette, figureBrushes({ game, layout }, (brush) => this.#toggle(brush)), makeBrush("Erase", { erase: true }, (brush) => this.#toggle(brush)));
        if (this.active) this.#turnsOffered = this.#offerTurns();
    }

    open(is) {
        this.element.hidden = !is;
        this.#choose(null);
        setText(this.words, "");
        if (is) this.#turnsOffered = this.#offerTurns();
    }

    letGo() {
        this.#choose(null);
        return true;
    }

    paint(cell) {
        const brush = this.#brush;
        return this.#put(({ [cell]: before, ...cells }) => (brush.erase ? cells : { ...cells, [cell]: this.#figureOn(cell, brush) }));
    }

    move({ from, to }) {
        return this.#put(({ [from]: figure, ...cells }) => (figure ? { ...cells, [to]: this.#figureOn(to, figure) } : cells));
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
        this.handing.hidden = !brush?.figure || !this.view.trial.state?.hands;
        pressBrushes(this.palette, brush);
        this.view.showTrial();
    }

    /* Of what is chosen in the palette one comes into its player's hand, or leaves it. */
    #hand(by) {
        const { player, figure } = this.#brush;
        return this.#put(
            (cells) => cells,
            (hands) => ({ ...hands, [player]: { ...hands[player], [figure]: Math.max(0, (hands[player]?.[figure] ?? 0) + by) } }),
        );
    }

    /* edit(cells): the new ones; hold(hands): likewise. A hand may be faster than the engine: each edit is of what those before it have left. */
    async #put(edit, hold = (hands) => hands) {
        const { trial } = this.view;
        try {
            await this.#turnsOffered;
            await trial.setUp(() => {
                const { cells, counters, hands, state } = trial.state;
                return JSON.stringify({ cells: edit(cells), state: this.turn.value || state, ...(counters && { counters }), ...(hands && { hands: hold(hands) }) });
            });
            setText(this.words, "");
        } catch (error) {
            setText(this.words, capital(error.message));
        }
    }

    async #offerTurns() {
        const turns = await this.view.trial.turnsAmong(this.game.states.slice(0, TURNS_MAX)).catch(() => []);
        const now = this.view.trial.state.state;
        replaceChildren(this.turn, turns.map((state) => h("option", { value: state }, capital(state.replaceAll("_", " ")))));
        this.turn.value = turns.includes(now) ? now : (turns[0] ?? "");
    }
}

function small(label, onclick) {
    return h("button", { type: "button", class: "small", onclick }, label);
}
