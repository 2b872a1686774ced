/* A board on the screen: cells, pieces, and the hand that moves them (mouse, finger, keyboard).
 *
 * It is told what to draw and which moves are allowed, and says which one was chosen; it knows no rule and no server.
 * One invisible polygon per cell lies on top of everything and receives all input, so that pieces and marks can be
 * drawn and moved about freely underneath. */

import { svg } from "./dom.js";
import { arrange, cellAt, edgeNames, isUprightSquare, neighbour } from "./geometry.js";
import { drawPiece } from "./pieces.js";

const MARGIN = 0.02;
const DRAG_STARTS_AT_PX = 6;
const ARROWS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

export class Board {
    #onMove;
    #layout = null;
    #angle = null;
    #arrangement = null;
    #views = new Map(); /* cell name → {cell, shade, mark, hit} */
    #pieces = new Map(); /* cell name → {element, figure, player} */
    #groups = {};
    #position = { cells: {}, lastMove: null, moves: [], pending: null };
    #selected = null;
    #preview = null;
    #press = null; /* the pointer that is down: {id, cell, x, y, dragging, wasSelected} */

    /* onMove(moves): the legal moves that fit what the hand did; several when they differ in a choice. */
    constructor({ onMove }) {
        this.#onMove = onMove;
        this.element = svg("svg", { class: "board", role: "group", "aria-label": "Board" });
        this.element.addEventListener("pointerdown", (event) => this.#pointerDown(event));
        this.element.addEventListener("pointermove", (event) => this.#pointerMove(event));
        this.element.addEventListener("pointerup", (event) => this.#pointerUp(event));
        this.element.addEventListener("pointercancel", () => this.#dropPress());
        this.element.addEventListener("keydown", (event) => this.#keyDown(event));
        this.element.addEventListener("click", (event) => this.#assistedClick(event));
        /* A finger on a piece drags it; anywhere else it scrolls the page. */
        this.element.addEventListener("touchstart", (event) => this.#touchStart(event), { passive: false });
    }

    setLayout(layout, angle) {
        if (layout === this.#layout && angle === this.#angle) return;
        this.#layout = layout;
        this.#angle = angle;
        this.#arrangement = arrange(layout, angle);
        this.#build();
        this.#refresh();
    }

    /* position: {cells, lastMove, moves, pending}; `moves` is empty when nobody here may move. */
    show(position) {
        this.#position = position;
        if (this.#selected && !this.#isOrigin(this.#selected)) this.#selected = null;
        this.#refresh();
    }

    /* Two cells to point at, or none. */
    preview(move) {
        this.#preview = move;
        this.#refreshMarks();
    }

    #build() {
        const { cells, box } = this.#arrangement;
        const view = [box.x - MARGIN, box.y - MARGIN, box.width + 2 * MARGIN, box.height + 2 * MARGIN];
        this.element.setAttribute("viewBox", view.join(" "));
        this.element.style.aspectRatio = `${view[2]} / ${view[3]}`;
        for (const name of ["faces", "shades", "names", "pieces", "marks", "hits"])
            this.#groups[name] = svg("g", { class: name });
        this.element.replaceChildren(...Object.values(this.#groups));
        this.#pieces.clear();
        this.#views.clear();
        cells.forEach((cell, index) => this.#buildCell(cell, index));
        for (const name of edgeNames(this.#arrangement)) this.#groups.names.append(edgeName(name));
        this.element.classList.toggle("free-form", !cells.every(isUprightSquare)); /* squares need no lines between them */
    }

    #buildCell(cell, index) {
        const points = cell.points.map((point) => point.join(",")).join(" ");
        const view = {
            cell,
            shade: svg("polygon", { points, class: "shade" }),
            mark: svg("circle", { cx: cell.x, cy: cell.y, class: "mark" }),
            hit: svg("polygon", { points, class: "hit", "data-cell": cell.name, tabindex: index === 0 ? 0 : -1, role: "button" }),
            title: svg("title"),
        };
        view.hit.append(view.title);
        this.#groups.faces.append(svg("polygon", { points, fill: cell.fill, stroke: cell.fill, class: "face" }));
        this.#groups.shades.append(view.shade);
        this.#groups.marks.append(view.mark);
        this.#groups.hits.append(view.hit);
        this.#views.set(cell.name, view);
    }

    #refresh() {
        if (!this.#layout) return;
        this.#refreshPieces();
        this.#refreshMarks();
    }

    /* A piece that is gone from one cell and new on another is the same piece, moved: it slides there. */
    #refreshPieces() {
        const wanted = this.#wantedPieces();
        const loose = [];
        for (const [name, piece] of this.#pieces) {
            if (sameFigure(piece, wanted.get(name))) continue;
            this.#pieces.delete(name);
            loose.push(piece);
        }
        for (const [name, figure] of wanted) {
            if (!this.#pieces.has(name)) this.#pieces.set(name, this.#takeLoose(loose, name, figure) ?? this.#newPiece(name, figure));
        }
        for (const piece of loose) piece.element.remove();
        for (const [name, piece] of this.#pieces) this.#place(name, piece);
    }

    /* A move that waits for its acknowledgement is drawn as done, but pale. */
    #wantedPieces() {
        const wanted = new Map(Object.entries(this.#position.cells));
        const { pending } = this.#position;
        if (pending?.from && wanted.has(pending.from)) {
            const moving = wanted.get(pending.from);
            wanted.delete(pending.from);
            wanted.set(pending.to, moving);
        }
        return new Map([...wanted].filter(([name]) => this.#views.has(name)));
    }

    #takeLoose(loose, name, figure) {
        const { lastMove } = this.#position;
        const home = lastMove?.to === name ? lastMove.from : null;
        let index = loose.findIndex((piece) => piece.at === home && sameFigure(piece, figure));
        if (index < 0) index = loose.findIndex((piece) => sameFigure(piece, figure));
        return index < 0 ? null : loose.splice(index, 1)[0];
    }

    #newPiece(name, { figure, player }) {
        const element = drawPiece(this.#layout, { figure, player }, this.#views.get(name).cell.radius);
        this.#groups.pieces.append(element);
        return { element, figure, player };
    }

    #place(name, piece) {
        const { cell } = this.#views.get(name);
        if (piece.at && piece.at !== name) this.#groups.pieces.append(piece.element); /* above what it passes */
        piece.at = name;
        if (this.#press?.dragging && this.#press.cell === name) return;
        piece.element.style.transform = `translate(${cell.x}px, ${cell.y}px)`;
        piece.element.classList.toggle("pending", this.#position.pending?.to === name);
    }

    #refreshMarks() {
        const targets = this.#selected ? this.#targetsOf(this.#selected) : this.#placements();
        for (const [name, view] of this.#views) {
            this.#shade(view, this.#shadeOf(name));
            this.#mark(view, targets.has(name) ? this.#markOf(name) : "");
            view.hit.classList.toggle("movable", this.#isOrigin(name) || targets.has(name));
            this.#describe(name, view, targets);
        }
    }

    #shade(view, kind) {
        view.shade.setAttribute("class", kind ? `shade ${kind}` : "shade");
        view.shade.style.fill = kind === "selected" ? view.cell.selector : "";
    }

    /* A dot on an empty cell, a ring around another's figure, and a milder one around one's own (they change places). */
    #markOf(name) {
        const { cells } = this.#position;
        if (!(name in cells)) return "dot";
        return cells[name].player === cells[this.#selected]?.player ? "ring own" : "ring";
    }

    #mark(view, kind) {
        view.mark.setAttribute("class", `mark ${kind}`);
        view.mark.setAttribute("r", view.cell.radius * (kind === "dot" ? 0.27 : 0.86));
    }

    #shadeOf(name) {
        const { pending, lastMove } = this.#position;
        if (name === this.#selected) return "selected";
        if (pending && (name === pending.from || name === pending.to)) return "waiting";
        if (this.#preview && (name === this.#preview.from || name === this.#preview.to)) return "previewed";
        if (lastMove && (name === lastMove.from || name === lastMove.to)) return "last";
        return "";
    }

    #describe(name, view, targets) {
        const piece = this.#position.cells[name];
        const words = [name, piece ? `${piece.player} ${piece.figure}` : "empty"];
        view.title.textContent = piece ? words.join(": ") : name;
        if (this.#isOrigin(name)) words.push("can move");
        if (targets.has(name)) words.push("legal target");
        if (name === this.#selected) words.push("selected");
        view.hit.setAttribute("aria-label", words.join(", "));
    }

    #isOrigin(name) {
        return this.#position.moves.some((move) => move.from === name);
    }

    #targetsOf(from) {
        return new Set(this.#position.moves.filter((move) => move.from === from).map((move) => move.to));
    }

    /* Cells where something can be put that is not on the board yet. */
    #placements() {
        return new Set(this.#position.moves.filter((move) => !move.from && move.to).map((move) => move.to));
    }

    #movesTo(to) {
        const from = this.#selected ?? undefined;
        return this.#position.moves.filter((move) => move.to === to && move.from === from);
    }

    #select(name) {
        this.#selected = name;
        this.#refreshMarks();
    }

    /* What a click, a tap or Enter on a cell means. */
    #choose(name) {
        const moves = this.#movesTo(name);
        if (moves.length > 0) return this.#play(moves);
        const origin = name !== this.#selected && this.#isOrigin(name);
        return this.#select(origin ? name : null);
    }

    #play(moves) {
        this.#selected = null;
        this.#refreshMarks();
        this.#onMove(moves);
    }

    #pointerDown(event) {
        const name = event.target.dataset?.cell;
        if (!name || event.button !== 0 || this.#press) return;
        this.#press = { id: event.pointerId, cell: name, x: event.clientX, y: event.clientY, dragging: false };
        if (this.#movesTo(name).length > 0) return;
        this.#press.wasSelected = this.#selected === name;
        if (this.#isOrigin(name)) this.#select(name);
    }

    #pointerMove(event) {
        const press = this.#press;
        if (!press || press.id !== event.pointerId || press.cell !== this.#selected) return;
        const moved = Math.hypot(event.clientX - press.x, event.clientY - press.y);
        if (!press.dragging && moved < DRAG_STARTS_AT_PX) return;
        if (!press.dragging) this.#startDrag(press);
        const { x, y } = this.#toBoard(event);
        const piece = this.#pieces.get(press.cell);
        if (piece) piece.element.style.transform = `translate(${x}px, ${y}px) scale(1.12)`;
        this.#hover(cellAt(this.#arrangement, x, y)?.name);
    }

    #startDrag(press) {
        press.dragging = true;
        this.element.setPointerCapture(press.id);
        const piece = this.#pieces.get(press.cell);
        if (!piece) return;
        piece.element.classList.add("dragged");
        this.#groups.pieces.append(piece.element);
    }

    #hover(name) {
        const target = name !== undefined && this.#movesTo(name).length > 0 ? name : null;
        for (const [cell, view] of this.#views) view.mark.classList.toggle("hovered", cell === target);
    }

    #pointerUp(event) {
        const press = this.#press;
        if (!press || press.id !== event.pointerId) return;
        const { x, y } = this.#toBoard(event);
        const name = cellAt(this.#arrangement, x, y)?.name;
        this.#dropPress();
        if (press.dragging) return void (name && name !== press.cell && this.#dropOn(name));
        if (name !== press.cell) return;
        const selectedJustNow = this.#selected === name && !press.wasSelected;
        if (!selectedJustNow) this.#choose(name);
    }

    #dropOn(name) {
        const moves = this.#movesTo(name);
        if (moves.length > 0) this.#play(moves);
    }

    #dropPress() {
        const press = this.#press;
        this.#press = null;
        if (!press?.dragging) return;
        this.#hover(null);
        const piece = this.#pieces.get(press.cell);
        if (!piece) return;
        piece.element.classList.remove("dragged");
        this.#place(press.cell, piece);
    }

    #touchStart(event) {
        if (event.touches.length === 1 && event.target.classList?.contains("movable")) event.preventDefault();
    }

    /* Screen readers click without a pointer. */
    #assistedClick(event) {
        if (event.detail === 0 && !event.pointerType && event.target.dataset?.cell) this.#choose(event.target.dataset.cell);
    }

    #keyDown(event) {
        const name = event.target.dataset?.cell;
        if (!name) return;
        if (event.key === "Enter" || event.key === " ") this.#choose(name);
        else if (event.key === "Escape") this.#select(null);
        else if (event.key in ARROWS) this.#focusNeighbour(name, ARROWS[event.key]);
        else return;
        event.preventDefault();
    }

    #focusNeighbour(name, [dx, dy]) {
        const next = neighbour(this.#arrangement, this.#views.get(name).cell, dx, dy);
        if (!next) return;
        const { hit } = this.#views.get(next.name);
        this.#views.get(name).hit.setAttribute("tabindex", -1);
        hit.setAttribute("tabindex", 0);
        hit.focus();
    }

    #toBoard(event) {
        return new DOMPoint(event.clientX, event.clientY).matrixTransform(this.element.getScreenCTM().inverse());
    }
}

function sameFigure(piece, other) {
    return other !== undefined && piece.figure === other.figure && piece.player === other.player;
}

function edgeName({ text, cell, edge }) {
    const inset = cell.radius * 0.12;
    const [x, y] = edge === "bottom" ? [cell.x - cell.radius + inset, cell.bottom - inset] : [cell.right - inset, cell.y - cell.radius + inset];
    const anchor = edge === "bottom" ? "start" : "end";
    const baseline = edge === "bottom" ? y : y + cell.radius * 0.3;
    return svg("text", { x, y: baseline, "text-anchor": anchor, "font-size": cell.radius * 0.36 }, text);
}
