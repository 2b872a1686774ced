/* A figure's movements on a small board around it: a click adds a step or a slide to the list in the text, another takes it away. What
 * a list says by a name is shown and edited where the name is explained. */

import { BoardInput } from "../board_input.js";
import { BoardPicture } from "../board_picture.js";
import { h, replaceChildren, svg } from "../dom.js";
import { say } from "../language.js";
import { middleOf } from "./board_light.js";
import { namesOf } from "./cell_edits.js";
import { oneLine } from "./text_edits.js";
import { addStep, directionOf, leadingTo, movementLists, removeElement, removeStep, setWord, stepsOf } from "./movement_edits.js";
import { Hand, pointerOf } from "./paint_hand.js";
import { rangeOf } from "./pointers.js";
import { nodeValue } from "./tolerant.js";

const REACHES = [2, 3, 4, 6];
const ELEMENTS_SHOWN_MAX = 64;
const TEXT_SHOWN_MAX = 120;
const FILLS = ["#efe3c8", "#dcc9a1"];
const WORDS = {
    for: { "": say("go or take"), move: say("only go"), take: say("only take"), swap: say("change places") },
    symmetric: { "": say("this way"), mirror: say("mirrored"), signs: say("all signs"), all: say("all ways"), hexagon: say("all six ways") },
};

export class PaintMoves {
    active = false; /* the game's own board is not painted on */
    #isShown = false;
    #list = null; /* pointer of the list that is shown */
    #marked = new Set(); /* elements that are pointed at */
    #asked = 0;
    #vectors = new Map(); /* cell of the small board → vector */

    constructor(view) {
        this.view = view;
        this.hand = new Hand(view);
        this.lists = h("select", { "aria-label": say("Whose movements"), onchange: () => this.#pick(this.lists.value) });
        this.reach = h("select", { "aria-label": say("How far the small board goes"), onchange: () => this.#draw() }, REACHES.map((reach) => h("option", { value: reach }, say("{count} cells around", { count: reach }))));
        this.layers = h("span", { class: "layers" });
        this.kind = tool(say("Step or slide"), { step: say("Step"), slide: say("Slide") });
        this.target = tool(say("What for"), WORDS.for);
        this.turning = tool(say("Other directions"), WORDS.symmetric);
        this.picture = new BoardPicture();
        this.picture.element.setAttribute("aria-label", "Around the figure");
        this.#listen();
        this.elements = h("ol", { class: "elements", "aria-label": say("Movements") });
        this.element = h(
            "div",
            { class: "painter moves-painter" },
            h("div", { class: "row" }, this.lists, this.reach, this.layers),
            h("p", { class: "hint" }, say("Click where the figure may go: once to add it, once more to take it away.")),
            h("div", { class: "row tools" }, this.kind, this.target, this.turning),
            this.hand.words,
            h("div", { class: "around" }, h("div", { class: "board-frame small-board" }, this.picture.element), this.elements),
        );
    }

    async load({ game, layout, coordinates, root }) {
        Object.assign(this, { game, layout, coordinates, root, file: nodeValue(root) });
        this.names = namesOf(this.file);
        const lists = movementLists(this.file);
        const keep = lists.find(({ path }) => pointerOf(path) === this.#list) ?? lists[0];
        replaceChildren(this.lists, lists.map(({ path, label }) => h("option", { value: pointerOf(path) }, label)));
        this.#list = keep ? pointerOf(keep.path) : null;
        this.lists.value = this.#list ?? "";
        this.target.hidden = this.turning.hidden = game.format !== 2;
        this.turning.querySelector('[value="hexagon"]').hidden = this.names.length !== 2;
        this.#offerLayers();
        await this.#show();
    }

    async shown() {
        this.#isShown = true;
        if (this.layout) await this.#show();
    }

    hide() {
        this.#isShown = false;
        this.hand.clear();
    }

    #pick(list) {
        this.#list = list;
        this.#marked.clear();
        this.hand.clear();
        return this.#show();
    }

    get #now() {
        return movementLists(this.file).find(({ path }) => pointerOf(path) === this.#list) ?? null;
    }

    #elementsOf(list) {
        const value = list?.path.reduce((found, key) => found?.[key], this.file);
        return Array.isArray(value) ? value.slice(0, ELEMENTS_SHOWN_MAX) : [];
    }

    /* Only who looks at it has it drawn. */
    async #show() {
        if (!this.#isShown) return;
        this.#showElements();
        await this.#draw();
    }

    /* --- the small board ------------------------------------------------------------------------------- */

    #listen() {
        const no = () => false;
        const choose = (name) => this.#choose(name);
        new BoardInput(this.picture, { onPress: no, onChoose: choose, onDrop: no, onLetGo: no, mayDrag: no, mayLetGo: no, isTarget: no });
    }

    /* Coordinates beyond the second are looked at one layer at a time. */
    #offerLayers() {
        const more = this.names.slice(2);
        if (this.layers.dataset.names === more.join()) return;
        this.layers.dataset.names = more.join();
        const offsets = [-2, -1, 0, 1, 2];
        replaceChildren(
            this.layers,
            more.map((name) => h("label", {}, `${name} `, h("select", { "aria-label": say("Layer along {name}", { name }), onchange: () => this.#draw() }, offsets.map((by) => h("option", { value: by, ...(by === 0 ? { selected: true } : {}) }, signed(by)))))),
        );
    }

    async #draw() {
        const asked = ++this.#asked;
        const reach = Number(this.reach.value);
        const beyond = [...this.layers.querySelectorAll("select")].map(({ value }) => Number(value));
        const around = plane(this.names.length, reach).filter(([x, y = 0]) => !this.#hasHexagons || Math.abs(x + y) <= reach);
        const vectors = around.map((vector) => [...vector, ...beyond]);
        const middle = this.#middle();
        const cells = vectors.map((vector) => Object.fromEntries(this.names.map((name, at) => [name, middle[at] + vector[at]])));
        const answer = await this.view.engine.ask({ do: "layout", cells }).catch(() => null);
        if (asked !== this.#asked) return;
        if (!answer) return this.hand.say(say("Where cells lie is said in a way that knows only those of the board: the movements are in the list."));
        const focused = this.picture.element.contains(document.activeElement) ? document.activeElement.dataset.cell : null;
        this.#vectors = new Map(answer.coordinates.map((numbers) => numbers.map((value, at) => value - middle[at])).map((vector) => [nameOf(vector, this.names), vector]));
        const names = [...this.#vectors.keys()];
        const drawn = answer.layout.cells.map((cell, at) => ({ ...cell, name: names[at], fill: FILLS[Math.abs(this.#vectors.get(names[at]).reduce((sum, value) => sum + value, 0)) % 2] }));
        this.picture.build({ ...this.layout, lines: undefined, shapes: answer.layout.shapes, cells: drawn }, this.layout.rotation[this.game.players[0]] ?? 0);
        const home = nameOf(this.names.map(() => 0), this.names);
        const figure = this.#now?.figure ?? this.game.figures[0];
        this.picture.showPieces({ cells: this.#vectors.has(home) ? { [home]: { figure, player: this.#now?.player ?? this.game.players[0] } } : {}, lastMove: null, pending: null });
        this.#mark(home);
        if (focused && this.#vectors.has(focused)) this.picture.focus(focused);
    }

    /* Around a hexagon there is a hexagon. */
    get #hasHexagons() {
        return this.names.length === 2 && /"hexagon"/.test(JSON.stringify([this.file.board, this.file.figures, this.file.movements]));
    }

    /* A cell of the board with as much around it as there is: drawing rules may differ from row to row. */
    #middle() {
        const spans = this.names.map((_, at) => this.coordinates.map((numbers) => numbers[at]));
        const centre = spans.map((values) => (Math.min(...values) + Math.max(...values)) / 2);
        const distance = (numbers) => numbers.reduce((sum, value, at) => sum + Math.abs(value - centre[at]), 0);
        return this.coordinates.reduce((best, numbers) => (distance(numbers) < distance(best) ? numbers : best));
    }

    #mark(home) {
        const list = this.#elementsOf(this.#now);
        const steps = list.map((element) => stepsOf(element, this.file));
        const ways = new Map();
        steps.forEach(({ vectors, slides, named }, index) => {
            for (const vector of vectors) {
                const name = nameOf(vector, this.names);
                ways.set(name, [...(ways.get(name) ?? []), { index, slides, named, takes: list[index].for === "take" }]);
            }
        });
        const directions = this.#directions();
        this.picture.showMarks((name) => {
            const there = ways.get(name) ?? [];
            const isMarked = there.some(({ index }) => this.#marked.has(index));
            const words = [
                name,
                name === home ? "the figure" : there.length === 0 ? "no movement" : there.map(({ slides, named }) => `${slides ? "slide" : "step"}${named ? ` (${named})` : ""}`).join(" and "),
                ...(directions.get(name) ?? []).map((one) => `direction ${one}`),
            ];
            return { shade: isMarked ? "previewed" : "", mark: markOf(there), alarm: false, movable: name !== home, words };
        });
        this.#drawSlides(home, ways, directions);
    }

    #directions() {
        const found = new Map();
        for (const [name, direction] of Object.entries(this.file.directions ?? {})) {
            const vector = directionOf(direction, this.file);
            if (!vector) continue;
            const cell = nameOf(vector, this.names);
            found.set(cell, [...(found.get(cell) ?? []), name]);
        }
        return found;
    }

    /* A slide is an arrow that goes on; a direction has its name written in its cell. */
    #drawSlides(home, ways, directions) {
        const middles = new Map([...this.picture.element.querySelectorAll(".hits [data-cell]")].map((hit) => [hit.dataset.cell, middleOf(hit)]));
        const start = middles.get(home);
        const arrows = [...ways]
            .filter(([name, there]) => start && middles.has(name) && there.some(({ slides }) => slides))
            .map(([name]) => {
                const [x, y] = middles.get(name);
                const [dx, dy] = [x - start[0], y - start[1]];
                return svg("path", { class: "slide", d: `M${start[0] + dx * 0.42} ${start[1] + dy * 0.42}L${start[0] + dx * 1.32} ${start[1] + dy * 1.32}` });
            });
        const labels = [...directions]
            .filter(([name]) => middles.has(name))
            .map(([name, named]) => svg("text", { class: "direction", x: middles.get(name)[0], y: middles.get(name)[1] + 0.4, "text-anchor": "middle" }, named.join(", ")));
        this.picture.element.querySelector(".marks").append(...arrows, ...labels);
    }

    /* --- what a click says ------------------------------------------------------------------------------- */

    #choose(name) {
        const vector = this.#vectors.get(name);
        const list = this.#now;
        if (!vector || !list || vector.every((value) => value === 0)) return;
        const slides = valueOf(this.kind) === "slide";
        const there = leadingTo(this.#elementsOf(list), vector, this.file);
        if (there.length === 0) return void this.hand.paint((edited) => addStep(edited, list.path, vector, this.#words(slides)));
        if (there.length > 1) return this.#pointAt(there, `${there.length} movements lead there: change them in the list.`);
        const [index] = there;
        const path = [...list.path, index];
        const steps = stepsOf(this.#elementsOf(list)[index], this.file);
        if (steps.named || steps.vectors.length === 1) {
            const work = !steps.named && Boolean(steps.slides) !== slides ? (edited) => setWord(edited, path, "repeat", slides ? true : undefined) : (edited) => removeStep(edited, path, vector);
            return void this.hand.paint(work);
        }
        return this.#ask(path, vector, steps);
    }

    #words(slides) {
        const isModern = this.game.format === 2;
        return { symmetric: isModern ? valueOf(this.turning) : "", repeat: slides ? true : undefined, for: isModern ? valueOf(this.target) : "" };
    }

    /* One of several directions: with the others, or alone. */
    #ask(path, vector, { vectors }) {
        this.#pointAt([path.at(-1)], "");
        this.hand.refuse(
            `This is one of ${vectors.length} directions of one movement.`,
            path,
            button(`Take away all ${vectors.length}`, () => this.hand.paint((edited) => removeElement(edited, path))),
            button(`Only this one: write the other ${vectors.length - 1} out`, () => this.hand.paint((edited) => removeStep(edited, path, vector))),
        );
    }

    #pointAt(indices, words) {
        this.#marked = new Set(indices);
        this.#showElements();
        this.#mark(nameOf(this.names.map(() => 0), this.names));
        const ranges = indices.map((index) => rangeOf(pointerOf([...this.#now.path, index]), this.root)).filter(Boolean);
        if (this.view.isCurrent) this.view.editor.mark(ranges.map((range) => ({ ...range, tone: "" })));
        if (words) this.hand.say(words);
    }

    /* --- the list -------------------------------------------------------------------------------------------- */

    #showElements() {
        const list = this.#now;
        const elements = this.#elementsOf(list);
        if ([...this.#marked].some((index) => index >= elements.length)) this.#marked.clear();
        const focus = this.elements.contains(document.activeElement) ? document.activeElement.dataset.field : null;
        replaceChildren(this.elements, elements.length > 0 ? elements.map((element, index) => this.#row([...list.path, index], element, index)) : h("li", { class: "hint" }, say("It does not move by itself yet.")));
        if (focus) this.elements.querySelector(`[data-field="${CSS.escape(focus)}"]`)?.focus();
    }

    #row(path, element, index) {
        const steps = stepsOf(element, this.file);
        const isModern = this.game.format === 2;
        const text = typeof element === "string" ? `the movements “${element}”` : oneLine(element);
        const field = (word) => `${index}/${word}`;
        const pick = (word) => (value) => this.hand.paint((edited) => setWord(edited, path, word, value || undefined));
        return h(
            "li",
            { class: this.#marked.has(index) ? "marked" : "" },
            h("button", { type: "button", class: "link", "data-field": field("text"), onclick: () => this.#pointAt([index], "") }, text.length > TEXT_SHOWN_MAX ? `${text.slice(0, TEXT_SHOWN_MAX)}…` : text),
            !steps.reads && h("span", { class: "hint" }, say("not drawn: said in a way this painter does not read")),
            h(
                "span",
                { class: "row" },
                steps.base && this.#far(path, element, field("repeat")),
                steps.base && isModern && choice("What for", field("for"), WORDS.for, element.for ?? "", pick("for")),
                steps.base && isModern && choice("Other directions", field("symmetric"), WORDS.symmetric, element.symmetric ?? "", pick("symmetric")),
                steps.base && !isModern && choice("Backwards", field("also_reversed"), { "": "this way", true: "also backwards" }, element.also_reversed ? "true" : "", (value) => pick("also_reversed")(value === "true")),
                button(say("Remove"), () => this.hand.paint((edited) => removeElement(edited, path))),
            ),
        );
    }

    /* How often a step may be made; numbers other than these are left to the text. */
    #far(path, element, field) {
        const { repeat } = element;
        if (repeat !== undefined && typeof repeat !== "boolean") return h("span", { class: "hint" }, say("repeat {count}", { count: oneLine(repeat) }));
        return choice("How far", field, { "": "step", true: "slide" }, repeat ? "true" : "", (value) => this.hand.paint((edited) => setWord(edited, path, "repeat", value ? true : undefined)));
    }
}

/* A ring where it only takes, a pale dot where the movement is a name's. */
function markOf(ways) {
    if (ways.length === 0) return "";
    if (ways.every(({ takes }) => takes)) return "ring";
    return ways.every(({ named }) => named) ? "dot only" : "dot";
}

/* All vectors of the first two coordinates up to so far. */
function plane(dimensions, reach) {
    const line = Array.from({ length: 2 * reach + 1 }, (_, at) => at - reach);
    return dimensions === 1 ? line.map((x) => [x]) : line.flatMap((x) => line.map((y) => [x, y]));
}

const signed = (value) => (value > 0 ? `+${value}` : `${value}`).replace("-", "−");

const nameOf = (vector, names) => names.map((name, at) => `${name} ${signed(vector[at])}`).join(", ");

function tool(label, options) {
    return h("select", { "aria-label": label, class: "tool" }, Object.entries(options).map(([value, words]) => h("option", { value }, words)));
}

const valueOf = (select) => select.value;

function choice(label, field, options, value, onPick) {
    const select = h("select", { "aria-label": label, "data-field": field, onchange: () => onPick(select.value) }, Object.entries(options).map(([one, words]) => h("option", { value: one }, words)));
    if (!(value in options)) select.append(h("option", { value }, value));
    select.value = value;
    return select;
}

function button(label, onclick) {
    return h("button", { type: "button", class: "small", onclick }, label);
}
