/* Cells of the board: a click on the board takes one away, a click beside it adds one, with those that other players see in its place. A box lies
 * between two corners; boxes, hexagons and layers are said in numbers, too. */

import { h, replaceChildren, svg } from "../dom.js";
import { say, sayCount } from "../language.js";
import { addBox, addCells, addShape, boardParts, isShape, keyOf, namesOf, orbitOf, rangeOf as firstAndLast, removeCells, removePart, resizeBox, resizeHexagon } from "./cell_edits.js";
import { candidatesAround, withHoles } from "./cells_around.js";
import { middleOf } from "./board_light.js";
import { addLayers } from "./layer_edits.js";
import { Hand, pointerOf, smallButton } from "./paint_hand.js";
import { rangeOf } from "./pointers.js";
import { nodeValue } from "./tolerant.js";

const SHAPES_ASKED_MAX = 16;
const BETWEEN_LAYERS = 0.6;

export class PaintCells {
    #isShown = false;
    #holes = new Map();
    #cells = new Map(); /* name → coordinates */
    #corner = null; /* of a box that is drawn: the first one is awaited (""), or its name */

    constructor(view) {
        this.view = view;
        this.hand = new Hand(view);
        this.parts = h("ul", { class: "parts" });
        this.more = h("div", { class: "row" });
        this.element = h(
            "div",
            { class: "painter cells-painter" },
            h("p", { class: "hint" }, say("Click a cell to take it away, or a hole (+) to put one there.")),
            this.hand.words,
            this.parts,
            this.more,
        );
        for (const kind of ["pointerover", "focusin"]) view.board.element.addEventListener(kind, (event) => this.#preview(event.target.dataset?.cell));
    }

    /* The board is the painter's as long as it is seen. */
    get active() {
        return this.#isShown;
    }

    async load({ layout, coordinates, root }) {
        this.layout = layout;
        this.coordinates = coordinates;
        this.root = root;
        this.file = nodeValue(root);
        this.names = namesOf(this.file);
        this.#cells = new Map(layout.cells.map(({ name }, at) => [name, this.#cellOf(coordinates[at])]));
        this.#corner = null;
        this.#showParts();
        if (this.#isShown) await this.#showHoles();
    }

    async shown() {
        this.#isShown = true;
        this.view.light.clear();
        if (this.layout) await this.#showHoles();
    }

    hide() {
        this.#isShown = false;
        this.#begin(null);
        this.hand.clear();
        if (!this.layout) return;
        this.view.showCells();
        this.view.showTrial();
    }

    /* Escape: a box that was begun is none. */
    letGo() {
        if (this.#corner === null) return false;
        this.#begin(null);
        this.hand.clear();
        return true;
    }

    async paint(name) {
        const hole = this.#holes.get(name);
        const cell = this.#at(name);
        if (!cell) return;
        if (this.#corner !== null) return this.#pickCorner(name);
        const hadFocus = this.view.focusedCell !== undefined;
        const prepare = async () => ({ inside: await this.#inside(), count: this.#cells.size, nameOf: (one) => this.#nameOf(one) });
        const work = (edited, board) => {
            const orbit = orbitOf(cell, edited.file);
            if (hole) return addCells(edited, orbit, board.inside);
            return removeCells(edited, orbit.filter((one) => board.nameOf(one) !== undefined), board);
        };
        if (!(await this.hand.paint(work, { prepare }))) return;
        if (hadFocus) this.view.focusCell(this.#nameOf(cell) ?? holeName(cell, this.names));
    }

    /* --- a box between two corners ------------------------------------------------------------------- */

    #begin(corner) {
        this.#corner = corner;
        this.boxButton?.setAttribute("aria-pressed", `${corner !== null}`);
        if (corner === null && this.#isShown) this.view.light.clear();
    }

    async #pickCorner(name) {
        if (this.#corner === "") {
            this.#begin(name);
            this.#preview(name);
            return this.hand.say(say("From {cell} to which opposite corner? Escape lets it be.", { cell: name }));
        }
        const [first, last] = [this.#at(this.#corner), this.#at(name)];
        this.#begin(null);
        const hadFocus = this.view.focusedCell !== undefined;
        const isThere = await this.hand.paint((edited, inside) => addBox(edited, first, last, inside), { prepare: () => this.#inside() });
        if (isThere && hadFocus) this.view.focusCell(this.#nameOf(last));
        return isThere;
    }

    /* The cells and holes that the box would have with this corner. */
    #preview(name) {
        const [first, last] = [this.#at(this.#corner), this.#at(name)];
        if (!this.#isShown || !first || !last) return;
        const isInside = (cell) => this.names.every((one) => (cell[one] - first[one]) * (cell[one] - last[one]) <= 0);
        const cells = [...this.#cells, ...this.#holes].filter(([, cell]) => isInside(cell)).map(([one]) => one);
        this.view.light.show([{ role: "painted", cells }]);
    }

    #at(name) {
        return this.#holes.get(name) ?? this.#cells.get(name);
    }

    /* --- cells and holes ----------------------------------------------------------------------------- */

    #cellOf(numbers) {
        return Object.fromEntries(this.names.map((name, at) => [name, numbers[at]]));
    }

    #nameOf(cell) {
        const key = keyOf(cell, this.names);
        for (const [name, one] of this.#cells) if (keyOf(one, this.names) === key) return name;
        return undefined;
    }

    async #showHoles() {
        const { layout } = this;
        const cells = candidatesAround(this.coordinates, this.names);
        const answer = cells.length > 0 ? await this.view.engine.ask({ do: "layout", cells }).catch(() => null) : null;
        if (layout !== this.layout || !this.#isShown) return;
        const drawn = answer ? withHoles(layout, answer, this.names) : { layout, holes: new Map() };
        this.#holes = drawn.holes;
        this.view.showCells(drawn.layout);
        const { element } = this.view.board;
        for (const text of element.querySelectorAll(".names text")) if (this.#holes.has(text.textContent)) text.remove();
        for (const hit of element.querySelectorAll(".hits [data-cell]")) this.#say(hit);
        element.querySelector(".names").append(...[...element.querySelectorAll(".hits [data-cell]")].filter((hit) => this.#holes.has(hit.dataset.cell)).map(plus));
    }

    #say(hit) {
        const { cell } = hit.dataset;
        const hole = this.#holes.get(cell);
        hit.setAttribute("aria-label", hole ? `no cell: ${this.names.map((name) => `${name} ${hole[name]}`).join(", ")}; press to add it` : `${cell}; press to take it away`);
    }

    /* For each part of the board what it has, but for its exceptions. */
    async #inside() {
        const parts = boardParts(this.file);
        const shapes = parts.filter(({ value }) => isShape(value)).slice(0, SHAPES_ASKED_MAX);
        const sets = new Map();
        for (const { value } of shapes) {
            const { except, ...whole } = value;
            const { coordinates } = await this.view.engine.ask({ do: "layout", cells: whole });
            sets.set(value, new Set(coordinates.map((numbers) => keyOf(this.#cellOf(numbers), this.names))));
        }
        return parts.map(({ value }) => sets.get(value));
    }

    /* --- the parts in numbers ------------------------------------------------------------------------ */

    #showParts() {
        const parts = boardParts(this.file);
        const shapes = parts.filter(({ value }) => isShape(value));
        const listed = parts.length - shapes.length;
        const focus = this.element.contains(document.activeElement) ? document.activeElement.dataset.field : null;
        replaceChildren(
            this.parts,
            shapes.map((part) => this.#shape(part, parts.length > 1)),
            listed > 0 && h("li", {}, this.#link(sayCount("{count} cell in a list", "{count} cells in a list", listed), ["board", "cells"])),
        );
        const isModern = this.file.format === 2;
        this.boxButton = h("button", { type: "button", class: "small", "aria-pressed": "false", onclick: () => this.#askCorner() }, say("Box by two corners"));
        replaceChildren(
            this.more,
            this.boxButton,
            isModern && this.#button(say("Add a box"), (edited) => addShape(edited, { box: this.#newBox() })),
            isModern && this.names.length === 2 && this.#button(say("Add a hexagon"), (edited) => addShape(edited, { hexagon: { side: 2, at: this.#hexagonAt() } })),
            this.names.length === 2 && this.#button(say("Add layers"), (edited) => addLayers(edited, this.#width())),
        );
        if (focus) this.element.querySelector(`[data-field="${CSS.escape(focus)}"]`)?.focus();
    }

    #askCorner() {
        this.#begin(this.#corner === null ? "" : null);
        this.hand.say(this.#corner === null ? "" : say("Click one corner of the box, and then the one opposite: cells or holes."));
    }

    #shape({ path, value }, mayGo) {
        const isBox = "box" in value;
        return h(
            "li",
            {},
            h("strong", {}, isBox ? say("Box") : say("Hexagon")),
            isBox ? this.names.map((name) => this.#range(path, name, value.box?.[name])) : this.#side(path, value.hexagon),
            "where" in value && this.#link(`where ${value.where}`, [...path, "where"]),
            Array.isArray(value.except) && value.except.length > 0 && this.#link(`without ${value.except.length}`, [...path, "except"]),
            mayGo && this.#button(say("Remove"), (edited) => removePart(edited, path)),
        );
    }

    #range(path, name, range) {
        if (range === undefined) return null;
        const [first, last] = firstAndLast(range);
        const change = (from, to) => this.hand.paint((edited) => resizeBox(edited, path, name, [from, to]));
        return h(
            "span",
            { class: "range" },
            `${name} `,
            number(`${name} from`, `${pointerOf(path)}/${name}/from`, first, (value) => change(value, last)),
            " to ",
            number(`${name} to`, `${pointerOf(path)}/${name}/to`, last, (value) => change(first, value)),
        );
    }

    #side(path, hexagon) {
        const side = typeof hexagon === "object" ? hexagon?.side : hexagon;
        return h("span", { class: "range" }, say("side"), " ", number("cells along a side", `${pointerOf(path)}/side`, side, (value) => this.hand.paint((edited) => resizeHexagon(edited, path, value))));
    }

    #button(label, work) {
        return smallButton(label, () => this.hand.paint(work));
    }

    #link(words, path) {
        const show = () => {
            const range = rangeOf(pointerOf(path), this.root);
            if (range) this.view.showText(range);
        };
        return h("button", { type: "button", class: "link", onclick: show }, words);
    }

    /* Beside the board, on its first row. */
    #newBox() {
        const far = Math.max(...this.coordinates.map(([x]) => x));
        return Object.fromEntries(this.names.map((name, at) => [name, at === 0 ? [far + 1, far + 2] : 2]));
    }

    #hexagonAt() {
        const far = Math.max(...this.coordinates.map(([x]) => x));
        return Object.fromEntries(this.names.map((name, at) => [name, at === 0 ? far + 2 : 0]));
    }

    #width() {
        const edges = this.layout.cells.flatMap(({ x, shape }) => this.layout.shapes[shape].map(([px]) => x + px));
        return Math.round((Math.max(...edges) - Math.min(...edges) + BETWEEN_LAYERS) * 10) / 10;
    }
}

function plus(hit) {
    const [x, y] = middleOf(hit);
    return svg("text", { x, y, "font-size": 0.4, "text-anchor": "middle", "dominant-baseline": "central", fill: "#f3e6cc" }, "+");
}

const holeName = (cell, names) => `+${keyOf(cell, names)}`;

function number(label, field, value, onPick) {
    const input = h("input", { type: "number", step: 1, "aria-label": label, "data-field": field, value });
    input.addEventListener("change", () => (Number.isInteger(input.valueAsNumber) ? onPick(input.valueAsNumber) : (input.value = value)));
    return input;
}
