/* The hand on the board edits the text: figures are put where the game begins, and cells into zones. Which words speak of a cell
 * is asked of the engine; the edit is the smallest there is, and one step to be undone. */

import { h, replaceChildren, setText } from "../dom.js";
import { pieceIcon } from "../pieces.js";
import { parseTree } from "./editor.js";
import { rangeOf } from "./pointers.js";
import { appendTo, removeAt, setAt } from "./text_edits.js";
import { nodeValue } from "./tolerant.js";

const ELEMENTS_MAX = 1024;

export class PaintTab {
    #brush = null; /* {figure, player}, {zone, part}, or {erase: true} */
    #work = Promise.resolve();

    constructor(view) {
        this.view = view;
        this.palette = h("div", { class: "palette", role: "group", "aria-label": "Figures" });
        this.zones = h("div", { class: "palette zones", role: "group", "aria-label": "Zones" });
        this.words = h("p", { role: "status", "aria-live": "polite" });
        this.element = h(
            "div",
            { class: "paint-tab" },
            h("p", { class: "hint" }, "Choose a figure or a zone, then click cells. Each click is an edit of the text."),
            this.palette,
            this.zones,
            this.words,
        );
    }

    get active() {
        return this.#brush !== null;
    }

    load({ game, layout, root }) {
        this.game = game;
        this.layout = layout;
        const file = nodeValue(root);
        replaceChildren(
            this.palette,
            game.players.flatMap((player) => game.figures.map((figure) => this.#figureButton(player, figure))),
            this.#button("Erase", { erase: true }),
        );
        replaceChildren(
            this.zones,
            zoneParts(file).map(({ zone, part }) => this.#button(`Zone ${zone}${part ? ` (${part})` : ""}`, { zone, part })),
        );
        this.#press();
    }

    shown() {
        this.#lightZone();
    }

    hide() {
        this.#choose(null);
        setText(this.words, "");
    }

    /* Clicks come faster than texts are loaded: one after the other. */
    paint(cell) {
        this.#work = this.#work
            .then(() => (this.#brush?.zone ? this.#paintZone(cell) : this.#paintFigure(cell)))
            .catch((error) => setText(this.words, error.message));
        return this.#work;
    }

    #figureButton(player, figure) {
        const button = this.#button("", { player, figure });
        button.append(pieceIcon(this.layout, { player, figure }));
        button.setAttribute("aria-label", `${player} ${figure}`);
        button.title = `${player} ${figure}`;
        return button;
    }

    #button(label, brush) {
        const button = h("button", { type: "button", class: "small brush", onclick: () => this.#choose(isSame(brush, this.#brush) ? null : brush) }, label);
        button.brush = brush;
        return button;
    }

    #choose(brush) {
        this.#brush = brush;
        this.#press();
        if (!this.view.start) return null;
        if (brush) this.view.showStart();
        else this.view.showTrial();
        return this.#lightZone();
    }

    #press() {
        for (const button of this.element.querySelectorAll(".brush")) button.setAttribute("aria-pressed", `${isSame(button.brush, this.#brush)}`);
    }

    async #lightZone() {
        const { zone, part } = this.#brush ?? {};
        if (!zone) return this.view.light.clear();
        const cells = await this.#cellsOf(pointerOf(["zones", zone]), "zone", part === "each" ? this.game.players[0] : part);
        return this.view.light.show([{ role: "painted", cells }]);
    }

    async #paintFigure(cell) {
        const { text, root } = this.#read();
        const there = await this.#placed(cell, root);
        const before = this.view.start.cells[cell];
        const start = there ? there : null;
        if (start?.many) return this.#refuse(start.pointer, "This figure is put there together with others: change the words in the text.");
        if (start) this.#edit(removeAt(text, root, start.path));
        const brush = this.#brush;
        if (brush.erase || (start && before?.figure === brush.figure && before?.player === brush.player)) return this.#settled();
        const next = this.#read();
        const place = this.game.format === 2 ? cell : coordinatesOf(cell, nodeValue(next.root), this.layout);
        if (!place) return this.#refuse("/board/cells", "In a file of this format cells are told by coordinates, which this board does not show: write them in the text.");
        this.#edit(appendTo(next.text, next.root, ["initial_position", brush.player, brush.figure], place));
        return this.#settled();
    }

    /* The element of the initial position that puts a figure on this cell. */
    async #placed(cell, root) {
        const position = nodeValue(root)?.initial_position ?? {};
        for (const [owner, figures] of Object.entries(position))
            for (const [figure, places] of Object.entries(figures ?? {}))
                for (const index of places.slice(0, ELEMENTS_MAX).keys()) {
                    const path = ["initial_position", owner, figure, index];
                    const sets = await this.#sets(pointerOf(path));
                    const found = sets.filter(({ cells }) => cells.includes(cell));
                    if (found.length > 0) return { path, pointer: pointerOf(path), many: found.every(({ cells }) => cells.length > 1) };
                }
        return null;
    }

    async #paintZone(cell) {
        const { zone, part } = this.#brush;
        const { text, root } = this.#read();
        const path = ["zones", zone, ...(part ? [part] : [])];
        const value = path.reduce((found, key) => found?.[key], nodeValue(root));
        const player = part === "each" ? this.game.players[0] : part;
        const cells = await this.#cellsOf(pointerOf(["zones", zone]), "zone", player);
        const is = cells.includes(cell);
        if (!Array.isArray(value)) this.#edit(setAt(text, root, path, is ? cells.filter((other) => other !== cell) : [...cells, cell]));
        else if (!is) this.#edit(appendTo(text, root, path, cell));
        else {
            const index = await this.#elementOf(cell, path, value);
            if (index < 0) this.#edit(setAt(text, root, path, cells.filter((other) => other !== cell)));
            else this.#edit(removeAt(text, root, [...path, index]));
        }
        await this.#settled();
        return this.#lightZone();
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

    #read() {
        const { text } = this.view.editor;
        return { text, root: parseTree(text) };
    }

    #edit(edits) {
        this.view.editor.edit(edits);
    }

    /* The board has the edit before the next one is made. */
    #settled() {
        setText(this.words, "");
        return this.view.settle();
    }

    #refuse(pointer, words) {
        setText(this.words, words);
        const range = rangeOf(pointer, this.#read().root);
        if (range) this.view.editor.mark([{ ...range, tone: "forbids" }]);
    }
}

function isSame(brush, other) {
    return other !== null && JSON.stringify(brush) === JSON.stringify(other);
}

const pointerOf = (path) => path.map((part) => `/${`${part}`.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");

/* A zone is one for all, as the first player sees it (`each`), or one for each player. */
function zoneParts(file) {
    return Object.entries(file?.zones ?? {}).flatMap(([zone, value]) => {
        const isKeyed = value && typeof value === "object" && !Array.isArray(value) && !("box" in value) && !("hexagon" in value);
        if (!isKeyed) return [{ zone, part: "" }];
        const parts = Object.keys(value).filter((key) => key === "each" || (file.players ?? []).includes(key));
        return parts.map((part) => ({ zone, part }));
    });
}

/* The first formats list their cells one by one, in the order in which they are drawn. */
function coordinatesOf(cell, file, layout) {
    const list = file?.board?.cells;
    const index = layout.cells.findIndex(({ name }) => name === cell);
    return Array.isArray(list) && list.length === layout.cells.length ? list[index] : null;
}
