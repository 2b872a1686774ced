/* The names of cells, written on and around a board: what players call them is nowhere else to be seen.
 *
 * Squares with names such as e4 have them in the corners of the outer cells: a letter for a column, a number for a row. Lines
 * of other cells are named outside, where they end. Where names do not run along lines every cell has its own. Levels are
 * done one by one, and a name that begins with the level's (Ac1) has that written beside it. */

import { isUprightSquare } from "./geometry.js";

const INSIDE = 0.36; /* heights of letters, in radii of a cell */
const INSIDE_MAX = 0.045; /* and in widths of a board that has few cells */
const OUTSIDE = 0.5;
const MANY = 12; /* columns: with more of them letters in the cells would be too small, */
const OUTSIDE_MANY = 0.7; /* and those beside them are larger */
const OWN = 0.4;
const LEVEL = 0.72;
const ASIDE = [Math.PI / 6, -Math.PI / 6, Math.PI / 3, -Math.PI / 3]; /* where a line may be named that ends in a corner of the board */
const APART = 2.1; /* cells of a line are not further apart than so many cells */

/* Returns [{text, x, y, size, anchor, on: the cell it is written on or undefined}]. */
export function coordinates(arrangement, steps) {
    const layers = steps.layers;
    const parts = new Map(arrangement.cells.map((cell) => [cell, partsOf(cell.name, layers.length > 1)]));
    const whole = [...parts.values()].every(Boolean);
    const labels = whole ? layers.map((layer) => ofLayer(layer, parts, layers.length > 1)) : [null];
    return labels.every(Boolean) ? labels.flat() : arrangement.cells.map(own);
}

function partsOf(name, levels) {
    const found = (levels ? /^([A-Z])([a-z]+)([0-9]+)$/ : /^()([a-z]+)([0-9]+)$/).exec(name);
    return found && { level: found[1], letters: found[2], number: found[3] };
}

function ofLayer(layer, parts, levels) {
    const squares = layer.cells.every(isUprightSquare);
    const labels = squares ? aroundSquares(layer, parts, levels) : aroundLines(layer, parts);
    if (labels && levels) labels.push(levelName(layer, parts));
    return labels;
}

/* Columns below, rows at the right, whichever of both the letters are; in the cells themselves if all the outer ones are there
 * and there is room: one level is larger than several. */
function aroundSquares(layer, parts, levels) {
    const columns = groups(layer.cells, (cell) => cell.x);
    const rows = groups(layer.cells, (cell) => cell.y);
    const same = (cells, part) => new Set(cells.map((cell) => parts.get(cell)[part])).size === 1;
    const part = ["letters", "number"].find((one) => columns.every((cells) => same(cells, one)));
    const other = part === "letters" ? "number" : "letters";
    if (!part || !rows.every((cells) => same(cells, other))) return null;
    const bottom = columns.map((cells) => extreme(cells, (cell) => cell.bottom));
    const right = rows.map((cells) => extreme(cells, (cell) => cell.right));
    const full = !levels && columns.length <= MANY && bottom.every((cell) => near(cell.bottom, layer.bottom)) && right.every((cell) => near(cell.right, layer.right));
    const text = (cell, one) => parts.get(cell)[one];
    return [
        ...bottom.map((cell) => (full ? inCorner : below)(cell, text(cell, part), layer, columns.length)),
        ...right.map((cell) => (full ? inOtherCorner : beside)(cell, text(cell, other), layer, columns.length)),
    ];
}

function inCorner(cell, text, layer) {
    const size = sizeInside(cell, layer);
    const inset = size / 3;
    return { text, x: cell.left + inset, y: cell.bottom - inset - size * 0.35, size, anchor: "start", on: cell };
}

function inOtherCorner(cell, text, layer) {
    const size = sizeInside(cell, layer);
    const inset = size / 3;
    return { text, x: cell.right - inset, y: cell.top + inset + size * 0.4, size, anchor: "end", on: cell };
}

function sizeInside({ radius }, layer) {
    return Math.min(radius * INSIDE, (layer.right - layer.x) * INSIDE_MAX);
}

const sizeOutside = ({ radius }, columns) => radius * (columns > MANY ? OUTSIDE_MANY : OUTSIDE);

function below(cell, text, layer, columns) {
    return { text, x: cell.x, y: layer.bottom + cell.radius * 0.38, size: sizeOutside(cell, columns), anchor: "middle" };
}

function beside(cell, text, layer, columns) {
    return { text, x: layer.right + cell.radius * (columns > MANY ? 0.5 : 0.38), y: cell.y, size: sizeOutside(cell, columns), anchor: "middle" };
}

/* Letters at the lower ends of their lines, numbers at the left ones. */
function aroundLines(layer, parts) {
    const letters = groups(layer.cells, (cell) => parts.get(cell).letters);
    const numbers = groups(layer.cells, (cell) => parts.get(cell).number);
    const labels = [
        ...letters.map((cells) => atEnd(cells, parts.get(cells[0]).letters, layer, "y", 1)),
        ...numbers.map((cells) => atEnd(cells, parts.get(cells[0]).number, layer, "x", -1)),
    ];
    return labels.every(Boolean) ? labels : null;
}

function atEnd(cells, text, layer, axis, sign) {
    const line = [...cells].sort((a, b) => sign * (b[axis] - a[axis]));
    const [end, next] = line;
    if (line.some((cell, i) => i > 0 && Math.hypot(cell.x - line[i - 1].x, cell.y - line[i - 1].y) > 2 * APART * cell.radius)) return null;
    const straight = axis === "y" ? [0, sign] : [sign, 0];
    const ways = [straight, next && unit(end.x - next.x, end.y - next.y), ...ASIDE.map((angle) => turned(straight, angle))];
    for (const [dx, dy] of ways.filter(Boolean)) {
        const reach = reachOf(end, dx, dy) + end.radius * 0.42;
        const place = { x: end.x + dx * reach, y: end.y + dy * reach };
        if (layer.cells.every((cell) => Math.hypot(cell.x - place.x, cell.y - place.y) > cell.radius * 1.3))
            return { text, ...place, size: end.radius * OUTSIDE, anchor: "middle" };
    }
    return null;
}

/* How far a cell goes in a direction. */
function reachOf(cell, dx, dy) {
    return Math.max(...cell.points.map(([x, y]) => (x - cell.x) * dx + (y - cell.y) * dy));
}

/* Above its corner. */
function levelName(layer, parts) {
    const [cell] = layer.cells;
    const size = cell.radius * LEVEL;
    return { text: parts.get(cell).level, x: layer.x + size * 0.2, y: layer.y - size * 0.56, size, anchor: "start" };
}

function own(cell) {
    const square = isUprightSquare(cell);
    const size = cell.radius * OWN;
    if (square) return { text: cell.name, x: cell.left + size * 0.25, y: cell.top + size * 0.6, size, anchor: "start", on: cell };
    return { text: cell.name, x: cell.x, y: cell.y, size, anchor: "middle", on: cell };
}

function groups(cells, valueOf) {
    const found = new Map();
    for (const cell of cells) {
        const value = typeof valueOf(cell) === "number" ? valueOf(cell).toFixed(4) : valueOf(cell);
        found.set(value, [...(found.get(value) ?? []), cell]);
    }
    return [...found.values()];
}

function extreme(cells, valueOf) {
    return cells.reduce((best, cell) => (valueOf(cell) > valueOf(best) ? cell : best));
}

function unit(x, y) {
    const length = Math.hypot(x, y) || 1;
    return [x / length, y / length];
}

function turned([x, y], angle) {
    return [x * Math.cos(angle) - y * Math.sin(angle), x * Math.sin(angle) + y * Math.cos(angle)];
}

function near(a, b) {
    return Math.abs(a - b) < 1e-6;
}

/* The box that has room for the cells and for what is written around them. */
export function boxAround({ box }, labels, margin) {
    const outside = labels.filter(({ on }) => !on);
    const left = Math.min(box.x, ...outside.map((label) => label.x - (label.anchor === "start" ? 0 : half(label))));
    const top = Math.min(box.y, ...outside.map((label) => label.y - label.size * 0.5));
    const right = Math.max(box.x + box.width, ...outside.map((label) => label.x + half(label)));
    const bottom = Math.max(box.y + box.height, ...outside.map((label) => label.y + label.size * 0.5));
    return [left - margin, top - margin, right - left + 2 * margin, bottom - top + 2 * margin];
}

function half({ text, size }) {
    return text.length * size * 0.31;
}
