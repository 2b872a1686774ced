/* A board as SVG: cells, pieces, marks. One invisible polygon per cell lies on top of everything and receives all
 * input, so that pieces and marks can be drawn and moved about freely underneath. */

import { BoardZoom } from "./board_zoom.js";
import { CellSteps } from "./cell_steps.js";
import { inkOn } from "./colours.js";
import { boxAround, coordinates } from "./coordinates.js";
import { svg } from "./dom.js";
import { areToldApart, arrange, cellAt, isUprightSquare } from "./geometry.js";
import { say } from "./language.js";
import { drawPiece } from "./pieces.js";
import { showBoardTheme } from "./settings.js";

const MARGIN = 0.02;
const LIFTED = 1.12;
const HALF_TURN_MS = 140;

export class BoardPicture {
    #layout = null;
    #arrangement = { cells: [] };
    #views = new Map(); /* cell name → {cell, shade, mark, hit, title} */
    #pieces = new Map(); /* cell name → {element, figure, player, at} */
    #groups = {};
    #steps = null;
    #arrow = null; /* the move it stands for */
    aspect = 1; /* width by height */
    #dragged = null; /* the cell whose piece follows a pointer */

    constructor() {
        this.element = svg("svg", { class: "board", role: "grid", "aria-label": say("Board") });
        this.zoom = new BoardZoom(this.element);
        showBoardTheme();
    }

    build(layout, angle) {
        this.#layout = this.element.layout = layout; /* piece_sets.js asks the board */
        this.#arrangement = arrange(layout, angle);
        this.#steps = new CellSteps(this.#arrangement);
        const { cells } = this.#arrangement;
        const labels = coordinates(this.#arrangement, this.#steps);
        const view = boxAround(this.#arrangement, labels, MARGIN);
        this.zoom.begin(view);
        this.aspect = view[2] / view[3];
        this.element.style.aspectRatio = `${view[2]} / ${view[3]}`;
        const outlined = !layout.lines && !(cells.every(isUprightSquare) && areToldApart(cells)); /* squares of a checkerboard need no lines between */
        this.element.classList.toggle("free-form", outlined);
        this.element.classList.toggle("lined", Boolean(layout.lines));
        for (const name of ["faces", "lines", "shades", "names", "pieces", "marks", "arrow"])
            this.#groups[name] = svg("g", { class: name, "aria-hidden": "true" });
        this.#groups.hits = svg("g", { class: "hits", role: "rowgroup" });
        this.element.replaceChildren(...Object.values(this.#groups));
        this.#pieces.clear();
        this.#views.clear();
        for (const cell of cells) this.#buildCell(cell);
        this.#buildRows();
        this.#drawLines(layout.lines ?? []);
        for (const label of labels) this.#groups.names.append(labelText(label));
        this.showArrow(this.#arrow);
    }

    /* From cell to cell, or around the one where something is put; null: none. */
    showArrow(move) {
        this.#arrow = move;
        const [from, to] = [move?.from, move?.to].map((name) => this.#views.get(name)?.cell);
        this.#groups.arrow?.replaceChildren(...(from && to ? arrow(from, to) : to ? [svg("circle", { cx: to.x, cy: to.y, r: to.radius * 0.8 })] : []));
    }

    #buildCell(cell) {
        const points = cell.points.map((point) => point.join(",")).join(" ");
        const view = {
            cell,
            shade: svg("polygon", { points, class: "shade" }),
            alarm: svg("circle", { cx: cell.x, cy: cell.y, r: cell.radius * 0.92, class: "alarm" }),
            mark: svg("circle", { cx: cell.x, cy: cell.y, class: "mark" }),
            hit: svg("polygon", { points, class: "hit", "data-cell": cell.name, tabindex: -1, role: "gridcell" }),
            title: svg("title"),
        };
        view.hit.append(view.title);
        this.#groups.faces.append(svg("polygon", { points, fill: cell.fill, stroke: cell.fill, class: "face" }));
        this.#groups.shades.append(view.shade, view.alarm);
        this.#groups.marks.append(view.mark);
        this.#views.set(cell.name, view);
    }

    /* Of boards on whose crossings one plays: between the middles of cells, on wood that is there between the cells, too. */
    #drawLines(lines) {
        if (lines.length === 0) return;
        const { cells, box } = this.#arrangement;
        const parts = lines.map(([from, to]) => `M${cells[from].x} ${cells[from].y}L${cells[to].x} ${cells[to].y}`);
        this.#groups.lines.append(svg("path", { d: parts.join("") }));
        this.#groups.faces.prepend(svg("rect", { ...box, fill: cells[0].fill, stroke: cells[0].fill, class: "face" }));
    }

    /* Rows as one sees them, level by level: from the top, each from the left. */
    #buildRows() {
        for (const { cells } of this.#steps.layers) {
            const rows = new Map();
            for (const cell of [...cells].sort((a, b) => a.y - b.y || a.x - b.x)) {
                const height = cell.y.toFixed(2);
                if (!rows.has(height)) rows.set(height, svg("g", { role: "row" }));
                rows.get(height).append(this.#views.get(cell.name).hit);
            }
            this.#groups.hits.append(...rows.values());
        }
        this.#groups.hits.querySelector(".hit")?.setAttribute("tabindex", 0);
    }

    /* A piece that is gone from one cell and new on another is the same piece, moved: it slides there. One that stays where it is and has
     * become another player's turns over. */
    showPieces({ cells, lastMove, pending, taken = [] }) {
        const wanted = this.#wantedPieces(cells, pending);
        const loose = [];
        for (const [name, piece] of this.#pieces) {
            if (sameFigure(piece, wanted.get(name))) continue;
            this.#pieces.delete(name);
            loose.push(piece);
        }
        const coming = [...wanted].filter(([name]) => !this.#pieces.has(name)).sort(([a], [b]) => (b === lastMove?.to) - (a === lastMove?.to));
        const isLeft = (name) => !wanted.has(name);
        const fresh = coming.filter(([name, figure]) => {
            const moved = takeLoose(loose, name, figure, lastMove, isLeft);
            if (moved) this.#pieces.set(name, moved);
            return !moved;
        });
        for (const [name, figure] of fresh) this.#pieces.set(name, this.#newPiece(name, figure));
        for (const [name, piece] of this.#pieces) {
            this.#place(name, piece);
            piece.element.classList.toggle("pending", pending?.to === name);
            piece.element.classList.toggle("taken", taken.includes(name));
        }
        const turns = ([name, { figure }]) => name !== lastMove?.to && loose.some((piece) => piece.at === name && piece.figure === figure);
        for (const [name] of fresh.filter(turns)) this.#turnOver(loose.find((piece) => piece.at === name).element, name);
        for (const piece of loose) if (!piece.element.classList.contains("turning")) piece.element.remove();
    }

    /* What was on the upper side becomes narrow and goes, then what is now becomes wide. */
    #turnOver(old, name) {
        if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
        const { cell } = this.#views.get(name);
        const wide = `translate(${cell.x}px, ${cell.y}px)`;
        const narrow = `${wide} scaleX(0)`;
        old.setAttribute("class", "turning");
        old.animate({ transform: [wide, narrow] }, { duration: HALF_TURN_MS, easing: "ease-in", fill: "forwards" }).onfinish = () => old.remove();
        this.#pieces.get(name).element.animate({ transform: [narrow, wide] }, { duration: HALF_TURN_MS, delay: HALF_TURN_MS, easing: "ease-out", fill: "backwards" });
    }

    /* describe(name) gives {shade, mark, alarm, movable, words} for every cell. */
    showMarks(describe) {
        for (const [name, view] of this.#views) {
            const { shade, mark, alarm, movable, words } = describe(name);
            view.shade.setAttribute("class", `shade ${shade}`);
            view.shade.style.fill = shade === "selected" ? view.cell.selector : "";
            view.alarm.classList.toggle("shown", alarm);
            view.mark.setAttribute("class", `mark ${mark}`);
            view.mark.setAttribute("r", view.cell.radius * (mark.startsWith("dot") ? 0.27 : 0.86));
            view.hit.classList.toggle("movable", movable);
            view.hit.setAttribute("aria-label", words.join(", "));
            view.hit.setAttribute("aria-selected", shade === "selected");
            view.title.textContent = words.slice(0, 2).join(": ");
        }
    }

    /* The name of the cell under a pointer, if there is one. */
    cellUnder(event) {
        const { x, y } = this.zoom.toBoard(event);
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
        const { x, y } = this.zoom.toBoard(event);
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

    /* The cell that a step leads to, or the one on the next level; null at the edge. */
    cellBeside(name, dx, dy) {
        return this.#steps.step(this.#views.get(name).cell, dx, dy)?.name ?? null;
    }

    cellNamed(name) {
        return this.#views.get(name).cell;
    }

    cellOnLayer(name, by) {
        return this.#steps.toLayer(this.#views.get(name).cell, by)?.name ?? null;
    }

    /* Tab leads to one cell of the board: the one that had the focus last. */
    focus(name) {
        this.#groups.hits.querySelector('[tabindex="0"]')?.setAttribute("tabindex", -1);
        const { hit, cell } = this.#views.get(name);
        hit.setAttribute("tabindex", 0);
        hit.focus({ preventScroll: this.zoom.zoomed });
        if (this.zoom.zoomed) this.zoom.reveal(cell);
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
}

/* Preferably the very piece that the last move moved, then one whose cell is empty now. */
function takeLoose(loose, name, figure, lastMove, isLeft) {
    const home = lastMove?.to === name ? lastMove.from : null;
    const alike = loose.filter((piece) => sameFigure(piece, figure));
    const found = alike.find(({ at }) => at === home) ?? alike.find(({ at }) => isLeft(at)) ?? alike[0];
    if (found) loose.splice(loose.indexOf(found), 1);
    return found;
}

function sameFigure(piece, other) {
    return other !== undefined && piece.figure === other.figure && piece.player === other.player;
}

/* From middle to middle, but not over the middle it points at. */
function arrow(from, to) {
    const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
    const [dx, dy] = [(to.x - from.x) / length, (to.y - from.y) / length];
    const head = Math.min(0.34, length / 2);
    const [tipX, tipY] = [to.x - 0.1 * dx, to.y - 0.1 * dy];
    const [neckX, neckY] = [tipX - head * dx, tipY - head * dy];
    const wing = (side) => `${neckX + side * 0.6 * head * dy},${neckY - side * 0.6 * head * dx}`;
    return [svg("path", { d: `M${from.x} ${from.y}L${neckX} ${neckY}` }), svg("polygon", { points: `${tipX},${tipY} ${wing(1)} ${wing(-1)}` })];
}

function labelText({ text, x, y, size, anchor, on }) {
    const place = { x, y, "font-size": size, "text-anchor": anchor, "dominant-baseline": "central" };
    return svg("text", on ? { ...place, fill: inkOn(on.fill) } : { ...place, class: "outside" }, text);
}
