/* A board as SVG: cells, pieces, marks. One invisible polygon per cell lies on top of everything and receives all
 * input, so that pieces and marks can be drawn and moved about freely underneath. */

import { svg } from "./dom.js";
import { arrange, cellAt, edgeNames, isUprightSquare, neighbour } from "./geometry.js";
import { drawPiece } from "./pieces.js";

const MARGIN = 0.02;
const LIFTED = 1.12;

export class BoardPicture {
    #layout = null;
    #arrangement = { cells: [] };
    #views = new Map(); /* cell name → {cell, shade, mark, hit, title} */
    #pieces = new Map(); /* cell name → {element, figure, player, at} */
    #groups = {};
    #dragged = null; /* the cell whose piece follows a pointer */

    constructor() {
        this.element = svg("svg", { class: "board", role: "group", "aria-label": "Board" });
    }

    build(layout, angle) {
        this.#layout = layout;
        this.#arrangement = arrange(layout, angle);
        const { cells, box } = this.#arrangement;
        const view = [box.x - MARGIN, box.y - MARGIN, box.width + 2 * MARGIN, box.height + 2 * MARGIN];
        this.element.setAttribute("viewBox", view.join(" "));
        this.element.style.aspectRatio = `${view[2]} / ${view[3]}`;
        this.element.classList.toggle("free-form", !cells.every(isUprightSquare)); /* squares need no lines between */
        for (const name of ["faces", "shades", "names", "pieces", "marks", "hits"])
            this.#groups[name] = svg("g", { class: name });
        this.element.replaceChildren(...Object.values(this.#groups));
        this.#pieces.clear();
        this.#views.clear();
        cells.forEach((cell, index) => this.#buildCell(cell, index));
        for (const name of edgeNames(this.#arrangement)) this.#groups.names.append(edgeName(name));
    }

    #buildCell(cell, index) {
        const points = cell.points.map((point) => point.join(",")).join(" ");
        const tabindex = index === 0 ? 0 : -1;
        const view = {
            cell,
            shade: svg("polygon", { points, class: "shade" }),
            mark: svg("circle", { cx: cell.x, cy: cell.y, class: "mark" }),
            hit: svg("polygon", { points, class: "hit", "data-cell": cell.name, tabindex, role: "button" }),
            title: svg("title"),
        };
        view.hit.append(view.title);
        this.#groups.faces.append(svg("polygon", { points, fill: cell.fill, stroke: cell.fill, class: "face" }));
        this.#groups.shades.append(view.shade);
        this.#groups.marks.append(view.mark);
        this.#groups.hits.append(view.hit);
        this.#views.set(cell.name, view);
    }

    /* A piece that is gone from one cell and new on another is the same piece, moved: it slides there. */
    showPieces({ cells, lastMove, pending, taken = [] }) {
        const wanted = this.#wantedPieces(cells, pending);
        const loose = [];
        for (const [name, piece] of this.#pieces) {
            if (sameFigure(piece, wanted.get(name))) continue;
            this.#pieces.delete(name);
            loose.push(piece);
        }
        for (const [name, figure] of wanted) {
            if (this.#pieces.has(name)) continue;
            this.#pieces.set(name, takeLoose(loose, name, figure, lastMove) ?? this.#newPiece(name, figure));
        }
        for (const piece of loose) piece.element.remove();
        for (const [name, piece] of this.#pieces) {
            this.#place(name, piece);
            piece.element.classList.toggle("pending", pending?.to === name);
            piece.element.classList.toggle("taken", taken.includes(name));
        }
    }

    /* describe(name) gives {shade, mark, movable, words} for every cell. */
    showMarks(describe) {
        for (const [name, view] of this.#views) {
            const { shade, mark, movable, words } = describe(name);
            view.shade.setAttribute("class", `shade ${shade}`);
            view.shade.style.fill = shade === "selected" ? view.cell.selector : "";
            view.mark.setAttribute("class", `mark ${mark}`);
            view.mark.setAttribute("r", view.cell.radius * (mark === "dot" ? 0.27 : 0.86));
            view.hit.classList.toggle("movable", movable);
            view.hit.setAttribute("aria-label", words.join(", "));
            view.title.textContent = words.slice(0, 2).join(": ");
        }
    }

    /* The name of the cell under a pointer, if there is one. */
    cellUnder(event) {
        const { x, y } = this.#toBoard(event);
        return cellAt(this.#arrangement, x, y)?.name;
    }

    /* The piece of a cell follows the pointer, until it is put down. */
    drag(name, event) {
        const piece = this.#pieces.get(name);
        if (!piece) return;
        if (this.#dragged !== name) {
            this.#dragged = name;
            piece.element.classList.add("dragged");
            this.#groups.pieces.append(piece.element);
        }
        const { x, y } = this.#toBoard(event);
        piece.element.style.transform = `translate(${x}px, ${y}px) scale(${LIFTED})`;
    }

    putDown() {
        const name = this.#dragged;
        this.#dragged = null;
        const piece = this.#pieces.get(name);
        piece?.element.classList.remove("dragged");
        if (piece) this.#place(name, piece);
    }

    /* Emphasises the mark of one cell, or of none. */
    hover(name) {
        for (const [cell, view] of this.#views) view.mark.classList.toggle("hovered", cell === name);
    }

    focusNeighbour(name, dx, dy) {
        const from = this.#views.get(name);
        const next = neighbour(this.#arrangement, from.cell, dx, dy);
        if (!next) return;
        const { hit } = this.#views.get(next.name);
        from.hit.setAttribute("tabindex", -1);
        hit.setAttribute("tabindex", 0);
        hit.focus();
    }

    /* A move that waits for its acknowledgement is drawn as done, but pale. */
    #wantedPieces(cells, pending) {
        const wanted = new Map(Object.entries(cells));
        if (pending?.from && wanted.has(pending.from)) {
            const moving = wanted.get(pending.from);
            wanted.delete(pending.from);
            wanted.set(pending.to, moving);
        }
        return new Map([...wanted].filter(([name]) => this.#views.has(name)));
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
        if (this.#dragged !== name) piece.element.style.transform = `translate(${cell.x}px, ${cell.y}px)`;
    }

    #toBoard(event) {
        return new DOMPoint(event.clientX, event.clientY).matrixTransform(this.element.getScreenCTM().inverse());
    }
}

/* Preferably the very piece that the last move moved. */
function takeLoose(loose, name, figure, lastMove) {
    const home = lastMove?.to === name ? lastMove.from : null;
    let index = loose.findIndex((piece) => piece.at === home && sameFigure(piece, figure));
    if (index < 0) index = loose.findIndex((piece) => sameFigure(piece, figure));
    return index < 0 ? null : loose.splice(index, 1)[0];
}

function sameFigure(piece, other) {
    return other !== undefined && piece.figure === other.figure && piece.player === other.player;
}

function edgeName({ text, cell, edge }) {
    const inset = cell.radius * 0.12;
    const size = cell.radius * 0.36;
    const left = cell.x - cell.radius + inset;
    const top = cell.y - cell.radius + inset + cell.radius * 0.3;
    const place =
        edge === "bottom"
            ? { x: left, y: cell.bottom - inset, "text-anchor": "start" }
            : { x: cell.right - inset, y: top, "text-anchor": "end" };
    return svg("text", { ...place, "font-size": size }, text);
}
