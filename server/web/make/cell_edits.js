/* Cells of a board, put there and taken away in whichever way the file says which there are: a list, boxes, hexagons, what they
 * leave out. A board that players see mirrored stays one that can be. Pure; works on an EditedText. */

import { Refusal } from "./edited_text.js";
import { evaluate, readLinear } from "./linear.js";
import { isObject } from "./tolerant.js";

const ORBIT_MAX = 64;
const CELLS = ["board", "cells"];

/* --- what the file says ------------------------------------------------------------------------- */

export const namesOf = (file) => (Array.isArray(file?.cell?.coordinates_names) ? file.cell.coordinates_names : []);

export const keyOf = (cell, names) => names.map((name) => cell[name]).join("_");

export const isShape = (value) => isObject(value) && ("box" in value || "hexagon" in value);

/* The shapes and the single cells of the board: [{path, value}]. */
export function boardParts(file) {
    const cells = file?.board?.cells;
    if (Array.isArray(cells)) return cells.map((value, index) => ({ path: [...CELLS, index], value }));
    return isShape(cells) ? [{ path: CELLS, value: cells }] : [];
}

/* The cells that are one to the players: this one, and where the mirrors lead from there. */
export function orbitOf(cell, file) {
    const names = namesOf(file);
    const mirrors = Object.entries(file.board?.mirror ?? {}).map(([player, rows]) => readMirror(player, rows, names));
    const found = new Map([[keyOf(cell, names), cell]]);
    for (const one of found.values())
        for (const mirror of mirrors) {
            const image = mirrored(one, mirror, names);
            if (found.size < ORBIT_MAX) found.set(keyOf(image, names), image);
        }
    return [...found.values()];
}

/* What the first player has where this player has that cell. */
export function seenAs(cell, player, file) {
    const names = namesOf(file);
    const rows = file.board?.mirror?.[player];
    if (!rows) return cell;
    const mirror = readMirror(player, rows, names);
    let found = cell;
    for (let turns = 0; turns < ORBIT_MAX; turns++) {
        const next = mirrored(found, mirror, names);
        if (keyOf(next, names) === keyOf(cell, names)) return found;
        found = next;
    }
    throw new Refusal(`How ${player} sees the board leads nowhere back: edit the text.`, ["board", "mirror", player]);
}

const mirrored = (cell, rows, names) => Object.fromEntries(names.map((name) => [name, rows[name] ? evaluate(rows[name], cell) : cell[name]]));

function readMirror(player, rows, names) {
    const entries = Object.entries(rows ?? {}).map(([name, expression]) => [name, readLinear(expression, names)]);
    if (entries.some(([, linear]) => linear === null))
        throw new Refusal(`How ${player} sees the board is said in a way this painter does not read: edit the cells in the text.`, ["board", "mirror", player]);
    return Object.fromEntries(entries);
}

/* --- single cells -------------------------------------------------------------------------------- */

/* inside: for each part of the board the set of keys it has before what `except` leaves out; as the engine says. */
export function addCells(edited, cells, inside) {
    for (const cell of cells) addCell(edited, cell, inside);
}

function addCell(edited, cell, inside) {
    const names = namesOf(edited.file);
    const parts = boardParts(edited.file);
    if (parts.some((part, at) => hasCell(part, at, cell, names, inside))) return;
    const left = parts.find(({ value }, at) => isShape(value) && inside[at]?.has(keyOf(cell, names)) && onlyThis(value.except, cell, names));
    for (const name of names) followLetters(edited, name, cell[name], cell[name]);
    if (left) return takeOut(edited, [...left.path, "except"], (one) => isCell(one, cell, names));
    if (!Array.isArray(edited.at(CELLS))) {
        if (!isShape(edited.at(CELLS))) throw new Refusal("This board has no list of cells and no shape: write one in the text.", ["board"]);
        edited.wrap(CELLS);
    }
    return edited.append(CELLS, plain(cell, names));
}

/* What begins on them goes as well. board: {inside, count: how many cells it has, nameOf(cell): its name, if it has one}. */
export function removeCells(edited, cells, { inside, count, nameOf }) {
    const names = namesOf(edited.file);
    if (cells.length >= count) throw new Refusal("A board has at least one cell.", CELLS);
    for (const cell of cells) {
        takeFigures(edited, cell, nameOf(cell));
        removeCell(edited, cell, names, inside);
    }
}

function removeCell(edited, cell, names, inside) {
    const parts = boardParts(edited.file);
    const holding = parts.filter((part, at) => isShape(part.value) && hasCell(part, at, cell, names, inside));
    for (const { path } of holding) edited.append([...path, "except"], plain(cell, names));
    /* the sets of `inside` belong to parts: a part that goes takes its own along */
    const listed = parts.findIndex(({ value }) => isCell(value, cell, names));
    if (listed < 0) return;
    edited.remove(parts[listed].path);
    inside.splice(listed, 1);
}

/* What names this cell and no other goes with it: where figures begin, and members of zones. */
function takeFigures(edited, cell, name) {
    const { file } = edited;
    const names = namesOf(file);
    const means = (one) => one === name || isCell(one, cell, names);
    for (const [player, figures] of Object.entries(file.initial_position ?? {}))
        for (const figure of Object.keys(figures ?? {})) takeAll(edited, ["initial_position", player, figure], means);
    for (const [zone, value] of Object.entries(file.zones ?? {})) {
        if (Array.isArray(value)) takeAll(edited, ["zones", zone], means);
        else if (isObject(value)) for (const part of Object.keys(value)) takeAll(edited, ["zones", zone, part], means);
    }
}

function takeAll(edited, path, means) {
    const list = edited.at(path);
    if (!Array.isArray(list)) return;
    for (let at = list.length - 1; at >= 0; at--) if (means(list[at])) edited.remove([...path, at]);
}

/* Out of a list that goes when nothing is left of it. */
function takeOut(edited, path, means) {
    if (edited.at(path).every(means)) edited.remove(path);
    else takeAll(edited, path, means);
}

function hasCell({ value }, at, cell, names, inside) {
    if (!isShape(value)) return isCell(value, cell, names);
    const left = Array.isArray(value.except) && value.except.some((one) => fits(one, cell));
    return Boolean(inside[at]?.has(keyOf(cell, names))) && !left;
}

/* The list leaves out this cell by itself, and by no wider word. */
function onlyThis(except, cell, names) {
    if (!Array.isArray(except)) return false;
    const fitting = except.filter((one) => fits(one, cell));
    return fitting.length > 0 && fitting.every((one) => isCell(one, cell, names));
}

const fits = (pattern, cell) => isObject(pattern) && Object.entries(pattern).every(([name, value]) => cell[name] === value);

const isCell = (value, cell, names) => isObject(value) && !isShape(value) && names.length > 0 && names.every((name) => value[name] === cell[name]);

const plain = (cell, names) => Object.fromEntries(names.map((name) => [name, cell[name]]));

/* --- shapes --------------------------------------------------------------------------------------- */

export function rangeOf(range) {
    return Array.isArray(range) ? range : [0, range - 1];
}

const isRange = (range) => Number.isInteger(range) || (Array.isArray(range) && range.length === 2 && range.every(Number.isInteger));

/* A coordinate of a box goes from first to last now. Mirrors that turn it round and names by letters follow. */
export function resizeBox(edited, path, name, [first, last]) {
    const before = edited.at([...path, "box", name]);
    if (!isRange(before)) throw new Refusal(`How far this box goes along ${name} is not said in numbers: write it in the text.`, [...path, "box"]);
    const [oldFirst, oldLast] = rangeOf(before);
    if (first > last) throw new Refusal("A box has at least one cell in each direction.", [...path, "box", name]);
    const at = [...path, "box", name];
    if (!Array.isArray(before) && first === 0) edited.set(at, last + 1);
    else if (!Array.isArray(before)) edited.set(at, [first, last]);
    else {
        if (first !== oldFirst) edited.set([...at, 0], first);
        if (last !== oldLast) edited.set([...at, 1], last);
    }
    followMirrors(edited, name, oldFirst + oldLast, first + last);
    followLetters(edited, name, first, last);
}

export function resizeHexagon(edited, path, side) {
    if (!(side >= 1)) throw new Refusal("A hexagon has at least one cell along its sides.", path);
    const value = edited.at([...path, "hexagon"]);
    const at = isObject(value) ? (value.at ?? {}) : {};
    edited.set(isObject(value) ? [...path, "hexagon", "side"] : [...path, "hexagon"], side);
    for (const name of namesOf(edited.file)) followLetters(edited, name, (at[name] ?? 0) + 1 - side, (at[name] ?? 0) + side - 1);
}

export function addShape(edited, shape) {
    if (edited.file.format !== 2) throw new Refusal("In a file of this format cells are listed one by one: there are no shapes.", CELLS);
    if (isShape(edited.at(CELLS))) edited.wrap(CELLS);
    edited.append(CELLS, shape);
}

const BOX_CELLS_MAX = 1024;
const BOXES_MAX = 8;

/* The cells between two corners, and those that other players see in their place: boxes where the format has any, else one by
 * one. What is there already stays as it is. inside: as for addCells. */
export function addBox(edited, corner, opposite, inside) {
    const { file } = edited;
    const names = namesOf(file);
    const box = Object.fromEntries(names.map((name) => [name, [corner[name], opposite[name]].sort((a, b) => a - b)]));
    const cells = cellsOf(box, names);
    const parts = boardParts(file);
    if (cells.every((cell) => parts.some((part, at) => hasCell(part, at, cell, names, inside)))) throw new Refusal("All of these cells are there already.", CELLS);
    if (file.format !== 2) return addCells(edited, unique(cells.flatMap((cell) => orbitOf(cell, file)), names), inside);
    for (const one of mirroredBoxes(cells, file)) {
        for (const name of names) followLetters(edited, name, ...one[name]);
        addShape(edited, { box: Object.fromEntries(names.map((name) => [name, one[name][0] === 0 ? one[name][1] + 1 : one[name]])) });
    }
    return undefined;
}

function cellsOf(box, names) {
    const count = names.reduce((product, name) => product * (box[name][1] - box[name][0] + 1), 1);
    if (!(count <= BOX_CELLS_MAX)) throw new Refusal(`A box drawn at once has at most ${BOX_CELLS_MAX} cells.`, CELLS);
    const grow = (cells, name) => cells.flatMap((cell) => Array.from({ length: box[name][1] - box[name][0] + 1 }, (_, by) => ({ ...cell, [name]: box[name][0] + by })));
    return names.reduce(grow, [{}]);
}

const unique = (cells, names) => [...new Map(cells.map((cell) => [keyOf(cell, names), cell])).values()];

/* This box and where the mirrors lead from there, as long as boxes come of it. */
function mirroredBoxes(cells, file) {
    const names = namesOf(file);
    const mirrors = Object.entries(file.board?.mirror ?? {}).map(([player, rows]) => ({ player, rows: readMirror(player, rows, names) }));
    const found = new Map();
    const add = (group, player) => {
        const box = Object.fromEntries(names.map((name) => [name, [Math.min(...group.map((cell) => cell[name])), Math.max(...group.map((cell) => cell[name]))]]));
        if (cellsOf(box, names).length !== unique(group, names).length) throw new Refusal(`To ${player} this is no box: add its cells one by one.`, ["board", "mirror", player]);
        if (found.size < BOXES_MAX) found.set(JSON.stringify(box), { box, group });
    };
    add(cells, "anybody");
    for (const { group } of found.values()) for (const { player, rows } of mirrors) add(group.map((cell) => mirrored(cell, rows, names)), player);
    return [...found.values()].map(({ box }) => box);
}

export function removePart(edited, path) {
    if (boardParts(edited.file).length < 2) throw new Refusal("A board has at least one cell.", CELLS);
    edited.remove(path);
}

/* "7 - y" turned round a board of 8 rows: of 9 it is "8 - y". */
function followMirrors(edited, name, before, after) {
    if (before === after) return;
    const names = namesOf(edited.file);
    for (const [player, rows] of Object.entries(edited.file.board?.mirror ?? {})) {
        const linear = readLinear(rows?.[name], names);
        const number = typeof rows?.[name] === "string" && /\d+/.exec(rows[name]);
        if (!linear || linear.times[name] !== -1 || Object.keys(linear.times).length > 1) continue;
        if (linear.offset === before && number && Number(number[0]) === before && after >= 0)
            edited.replaceIn(["board", "mirror", player, name], number.index, number[0].length, `${after}`);
    }
}

/* 'abcdef'[x] knows six columns. More letters are added at the side that grew, so that every cell keeps its name. */
function followLetters(edited, name, first, last) {
    const path = ["cell", "name"];
    const expression = edited.at(path);
    const found = typeof expression === "string" && new RegExp(`'([^'\\\\]+)'\\s*\\[\\s*${name}\\s*(?:([+-])\\s*(\\d+)\\s*)?\\]`).exec(expression);
    if (!found) return;
    const [, letters, sign, number] = found;
    const shift = number === undefined ? 0 : Number(`${sign}${number}`);
    const missing = Math.max(0, -(first + shift));
    const front = missing > 0 ? lettersBefore(letters, missing) : "";
    const behind = lettersBehind(front + letters, last + shift + 1 - letters.length);
    if (front === null || behind === null) return;
    const start = found.index + 1;
    if (missing > 0) {
        const index = expression.indexOf("[", start + letters.length + 1);
        const sum = shift + missing;
        edited.replaceIn(path, index, found.index + found[0].length - index, sum === 0 ? `[${name}]` : `[${name} ${sum < 0 ? "-" : "+"} ${Math.abs(sum)}]`);
    }
    if (behind !== "") edited.replaceIn(path, start + letters.length, 0, behind);
    if (front !== "") edited.replaceIn(path, start, 0, front);
}

const alphabetOf = (letters) => (/^[A-Z]/.test(letters) ? "ABCDEFGHIJKLMNOPQRSTUVWXYZ" : "abcdefghijklmnopqrstuvwxyz");

/* The letters that follow the last one and are not there yet; null: there are not so many. */
function lettersBehind(letters, count) {
    const alphabet = alphabetOf(letters);
    const free = [...alphabet].filter((letter) => letter > letters.at(-1) && !letters.includes(letter));
    const all = [...free, ...[...alphabet].filter((letter) => !letters.includes(letter) && !free.includes(letter))];
    return count <= 0 ? "" : all.length < count ? null : all.slice(0, count).join("");
}

function lettersBefore(letters, count) {
    const free = [...alphabetOf(letters)].filter((letter) => !letters.includes(letter));
    return free.length < count ? null : free.slice(-count).join("");
}
