/* Figures are made, put where the game begins, by clicks, keys, or dragged out of the palette, and moved about there; and cells are put into
 * zones. Which words speak of a cell is asked of the engine; the edit is the smallest there is, and one step to be undone. */

import { h, replaceChildren } from "../dom.js";
import { say } from "../language.js";
import { dragFigures, figureBrushes, isSame, makeBrush, pressBrushes } from "./brushes.js";
import { seenAs } from "./cell_edits.js";
import { Refusal } from "./edited_text.js";
import { addFigure, moveFigure, removeFigure, waysToMove } from "./figure_edits.js";
import { Hand, pointerOf, smallButton } from "./paint_hand.js";
import { nodeValue, textValue } from "./tolerant.js";

const ELEMENTS_MAX = 1024;

export class PaintFigures {
    #isShown = false;
    #brush = null; /* {figure, player}, {zone, part}, or {erase: true} */

    constructor(view) {
        this.view = view;
        this.hand = new Hand(view);
        this.palette = h("div", { class: "palette", role: "group", "aria-label": say("Figures") });
        this.zones = h("div", { class: "palette zones", role: "group", "aria-label": say("Zones") });
        this.name = h("input", { type: "text", "aria-label": say("Another figure's name"), placeholder: say("Another figure"), maxlength: 64, onkeydown: (event) => event.key === "Enter" && this.#add() });
        this.way = h("select", { "aria-label": say("How it moves") });
        this.adding = h("div", { class: "row" }, this.name, this.way, smallButton(say("Add a figure"), () => this.#add()));
        this.inText = h("p", { class: "hint", hidden: true }, say("This text extends a game: another figure is written into it, under “figures”, with its “movement”."));
        dragFigures(this.palette, view, { layout: () => this.layout, onHold: (brush) => this.#choose(brush), onDrop: (cell) => this.paint(cell) });
        this.element = h(
            "div",
            { class: "painter figures-painter" },
            h("p", { class: "hint" }, say("Drag figures onto the board and about on it, or choose a figure or a zone and click cells. By keys: Enter takes it to the board, Escape back.")),
            this.hand.words,
            this.palette,
            this.adding,
            this.inText,
            this.zones,
        );
    }

    /* The board is the painter's as long as it is seen; with nothing in the hand figures are moved on it. */
    get active() {
        return this.#isShown;
    }

    get places() {
        return this.#brush === null;
    }

    load({ game, layout, coordinates, root }) {
        this.game = game;
        this.layout = layout;
        this.coordinates = coordinates;
        const file = nodeValue(root);
        this.#showWays(file);
        replaceChildren(
            this.palette,
            figureBrushes({ game, layout }, (brush, byKeys) => this.#toggle(brush, byKeys)),
            this.#button(say("Erase"), { erase: true }),
        );
        replaceChildren(
            this.zones,
            zoneParts(file).map(({ zone, part }) => this.#button(part ? say("Zone {zone} ({part})", { zone, part }) : say("Zone {zone}", { zone }), { zone, part })),
        );
        this.#press();
    }

    shown() {
        this.#isShown = true;
        this.#choose(null);
    }

    hide() {
        this.#isShown = false;
        this.#choose(null);
        this.hand.clear();
    }

    /* Escape on the board: back to where the figure was taken. */
    letGo() {
        const button = [...this.element.querySelectorAll(".brush")].find((one) => isSame(one.brush, this.#brush));
        this.#choose(null);
        button?.focus();
        return true;
    }

    async paint(cell) {
        const brush = this.#brush;
        if (!brush) return null;
        if (brush.zone) await this.#paintZone(cell, brush);
        else await this.#paintFigure(cell, brush);
        return this.#lightZone();
    }

    #button(label, brush) {
        return makeBrush(label, brush, (wanted, byKeys) => this.#toggle(wanted, byKeys));
    }

    /* Who works with keys goes on at the board. */
    #toggle(brush, byKeys) {
        const isOff = isSame(brush, this.#brush);
        this.#choose(isOff ? null : brush);
        if (byKeys && !isOff) this.view.focusCell("");
    }

    /* --- another kind of figure ---------------------------------------------------------------------- */

    #showWays(file) {
        const { value } = this.way;
        this.adding.hidden = file.extends !== undefined;
        this.inText.hidden = !this.adding.hidden;
        replaceChildren(this.way, waysToMove(file).map(({ kind, words }) => h("option", { value: kind }, words)));
        if ([...this.way.options].some((option) => option.value === value)) this.way.value = value;
    }

    /* It is in the hand at once. */
    async #add() {
        const name = this.name.value.trim();
        const isThere = await this.hand.paint((edited) => addFigure(edited, name, this.way.value), { done: say("{figure} is a figure now: put it where it begins. How it moves is drawn under Moves.", { figure: name }) });
        if (!isThere) return;
        this.name.value = "";
        this.#choose({ player: this.game.players[0], figure: name });
    }

    #choose(brush) {
        this.#brush = brush;
        this.#press();
        if (!this.view.start) return null;
        this.view.showTrial();
        return this.#lightZone();
    }

    #press() {
        pressBrushes(this.element, this.#brush);
    }

    async #lightZone() {
        const { zone, part } = this.#brush ?? {};
        if (!zone) return this.view.light.clear();
        const cells = await this.#cellsOf(pointerOf(["zones", zone]), "zone", part === "each" ? this.game.players[0] : part);
        return this.view.light.show([{ role: "painted", cells }]);
    }

    #paintFigure(cell, brush) {
        const work = (edited, { there, before }) => {
            if (there) removeFigure(edited, there);
            const isSame = there && before?.figure === brush.figure && before?.player === brush.player;
            if (!brush.erase && !isSame) edited.append(["initial_position", brush.player, brush.figure], this.game.format === 2 ? cell : this.#coordinatesOf(cell));
        };
        return this.hand.paint(work, { prepare: async () => ({ there: await this.#placed(cell), before: this.view.start.cells[cell] }) });
    }

    /* The words that put a figure there name another cell; what stood on that one begins nowhere. */
    move({ from, to }) {
        const { player } = this.view.start.cells[from];
        const work = (edited, { there, other }) => moveFigure(edited, { there, other }, (path) => this.#placeFor(to, path, player, edited.file));
        return this.hand.paint(work, { prepare: async () => ({ there: await this.#placed(from), other: await this.#placed(to) }) });
    }

    /* As the file says it: what is there for each player is said as the first one sees it, and the first formats know no names of cells. */
    #placeFor(cell, path, player, file) {
        const there = this.#coordinatesOf(cell);
        const said = path[1] === "each" ? seenAs(there, player, file) : there;
        if (this.game.format !== 2) return said;
        const name = this.#nameOf(said);
        if (!name) throw new Refusal(`To ${this.game.players[0]} there is no such cell: change the words in the text.`, path);
        return name;
    }

    #nameOf(place) {
        const numbers = this.game.coordinates.map((name) => place[name]);
        const at = this.coordinates.findIndex((one) => one.every((value, index) => value === numbers[index]));
        return this.layout.cells[at]?.name;
    }

    #coordinatesOf(cell) {
        const numbers = this.coordinates[this.layout.cells.findIndex(({ name }) => name === cell)];
        return Object.fromEntries(this.game.coordinates.map((name, at) => [name, numbers[at]]));
    }

    /* The element of the initial position that puts a figure on this cell; of words about several, what they say in all. */
    async #placed(cell) {
        const position = this.#file().initial_position ?? {};
        for (const [owner, figures] of Object.entries(position))
            for (const [figure, places] of Object.entries(figures ?? {}))
                for (const index of places.slice(0, ELEMENTS_MAX).keys()) {
                    const path = ["initial_position", owner, figure, index];
                    const sets = await this.#sets(pointerOf(path));
                    const found = sets.filter(({ cells }) => cells.includes(cell));
                    const many = found.every(({ cells }) => cells.length > 1);
                    if (found.length > 0) return { path, many, ...(many && this.#saidIn(path, sets, cell)) };
                }
        return null;
    }

    /* Words about several cells, cell by cell as the file may say them instead: {cells, at}, or nothing where that is not known. */
    #saidIn(path, sets, cell) {
        const { player } = this.view.start.cells[cell];
        const isEach = path[1] === "each";
        const speaker = isEach ? this.game.players[0] : player;
        const names = sets.find((set) => !set.player || set.player === speaker)?.cells ?? [];
        const at = names.indexOf(isEach ? this.#nameOf(seenAs(this.#coordinatesOf(cell), player, this.#file())) : cell);
        return at < 0 ? null : { cells: names.map((name) => (this.game.format === 2 ? name : this.#coordinatesOf(name))), at };
    }

    #paintZone(cell, { zone, part }) {
        const path = ["zones", zone, ...(part ? [part] : [])];
        const prepare = async () => {
            const player = part === "each" ? this.game.players[0] : part;
            const cells = await this.#cellsOf(pointerOf(["zones", zone]), "zone", player);
            const list = path.reduce((value, key) => value?.[key], this.#file());
            return { cells, index: Array.isArray(list) ? await this.#elementOf(cell, path, list) : -1 };
        };
        const work = (edited, { cells, index }) => {
            const is = cells.includes(cell);
            const others = cells.filter((other) => other !== cell);
            if (!Array.isArray(edited.at(path))) edited.set(path, is ? others : [...cells, cell]);
            else if (!is) edited.append(path, cell);
            else if (index < 0) edited.set(path, others);
            else edited.remove([...path, index]);
        };
        return this.hand.paint(work, { prepare });
    }

    /* Which element of a list of cells means this one alone. */
    async #elementOf(cell, path, list) {
        for (const [index, element] of list.entries()) {
            if (element === cell) return index;
            if (typeof element !== "object") continue;
            const cells = (await this.#sets(pointerOf([...path, index]))).flatMap((set) => set.cells);
            if (cells.length === 1 && cells[0] === cell) return index;
        }
        return -1;
    }

    async #cellsOf(pointer, role, player) {
        const sets = (await this.#sets(pointer)).filter((set) => set.role === role && (!player || !set.player || set.player === player));
        return [...new Set(sets.flatMap(({ cells }) => cells))];
    }

    async #sets(pointer) {
        const { cells } = await this.view.engine.ask({ do: "cells", pointer });
        return cells.pointer === pointer ? cells.sets : [];
    }

    #file() {
        return textValue(this.view.editor.text) ?? {};
    }
}

/* A zone is one for all, as the first player sees it (`each`), or one for each player. */
function zoneParts(file) {
    return Object.entries(file?.zones ?? {}).flatMap(([zone, value]) => {
        const isKeyed = value && typeof value === "object" && !Array.isArray(value) && !("box" in value) && !("hexagon" in value);
        if (!isKeyed) return [{ zone, part: "" }];
        const parts = Object.keys(value).filter((key) => key === "each" || (file.players ?? []).includes(key));
        return parts.map((part) => ({ zone, part }));
    });
}
