/* Figures where the game begins; and a new kind of figure, with a movement out of a few. Pure; works on an EditedText. */

import { boardParts, namesOf } from "./cell_edits.js";
import { Refusal } from "./edited_text.js";
import { writtenOut } from "./movement_edits.js";
import { playersOf } from "./player_edits.js";
import { isObject } from "./tolerant.js";

const NAME_BYTES_MAX = 64;
const FIGURES_MAX = 64;

/* words: {path, many, cells, at}: those that put a figure on a cell, and whether they put others somewhere else. Of such words `cells` is all
 * they speak of, as the file says cells, and `at` which of them this one is; the painter may not know. */
export function removeFigure(edited, { path, many, cells, at }) {
    if (!many) return edited.remove(path);
    if (!cells) throw new Refusal("This figure is put there together with others: change the words in the text.", path);
    return writeOut(edited, path, without(cells, at));
}

const without = (cells, at) => cells.filter((_, index) => index !== at);

/* there, other: the words for the cell it comes from, and for the one it goes to, whose figure begins nowhere then. placeIn(path): the new
 * cell, as those words say it. */
export function moveFigure(edited, { there, other }, placeIn) {
    if (!there || (there.many && !there.cells)) throw new Refusal("This figure is put there in words about several: change them in the text.", there?.path ?? ["initial_position"]);
    const isOther = other && other.path.join() !== there.path.join();
    const steps = [() => putElsewhere(edited, there, placeIn(there.path)), () => isOther && removeFigure(edited, other)];
    /* of one list the last element first: those before it keep their numbers */
    if (isOther && other.path.at(-1) > there.path.at(-1)) steps.reverse();
    for (const step of steps) step();
}

function putElsewhere(edited, { path, many, cells, at }, place) {
    if (!many) return edited.set(path, place);
    const isThere = cells.some((cell) => JSON.stringify(cell) === JSON.stringify(place));
    return writeOut(edited, path, isThere ? without(cells, at) : cells.map((cell, index) => (index === at ? place : cell)));
}

/* An element that speaks of several cells becomes one for each of these. */
function writeOut(edited, path, cells) {
    const [list, index] = [path.slice(0, -1), path.at(-1)];
    edited.remove(path);
    cells.forEach((cell, by) => edited.insert(list, index + by, cell));
}

/* What is offered, by the board: how a figure moves, as steps of the first two coordinates. */
const STRAIGHT = { symmetric: "all" };
const AROUND = { symmetric: "hexagon" };
const SQUARES = [
    ["step", "a step to any side", [[1, 0, STRAIGHT]]],
    ["king", "a step to any side or askew", [[1, 0, STRAIGHT], [1, 1, STRAIGHT]]],
    ["rook", "any way straight on", [[1, 0, STRAIGHT, true]]],
    ["bishop", "any way askew", [[1, 1, STRAIGHT, true]]],
    ["queen", "any way straight on or askew", [[1, 0, STRAIGHT, true], [1, 1, STRAIGHT, true]]],
    ["knight", "a leap, as a knight's", [[1, 2, STRAIGHT]]],
    ["none", "not at all", []],
];
const HEXAGONS = [
    ["step", "a step to any neighbour", [[0, 1, AROUND]]],
    ["king", "a step to any side or corner", [[0, 1, AROUND], [1, 1, AROUND]]],
    ["rook", "any way through sides", [[0, 1, AROUND, true]]],
    ["bishop", "any way through corners", [[1, 1, AROUND, true]]],
    ["queen", "any way through sides or corners", [[0, 1, AROUND, true], [1, 1, AROUND, true]]],
    ["knight", "a leap, as a knight's", [[1, 2, AROUND]]],
    ["none", "not at all", []],
];
const LINE = new Set(["step", "rook", "none"]); /* what there is with one coordinate */

/* [{kind, words}] for a game as this one. */
export function waysToMove(file) {
    const ways = isHexagonal(file) ? HEXAGONS : SQUARES;
    return ways.filter(([kind]) => namesOf(file).length > 1 || LINE.has(kind)).map(([kind, words]) => ({ kind, words }));
}

/* Cells lie as hexagons where the board or a movement says so; the first formats have no word for it, only what a cell looks like. */
function isHexagonal(file) {
    if (namesOf(file).length !== 2) return false;
    if (file.format !== 2 && file.cell?.geometry?.length === 6) return true;
    return boardParts(file).some(({ value }) => isObject(value) && "hexagon" in value) || /"symmetric":"hexagon"/.test(JSON.stringify([file.figures, file.movements]));
}

export function movementOf(kind, file) {
    const [first, second] = namesOf(file);
    const [, , steps] = (isHexagonal(file) ? HEXAGONS : SQUARES).find(([one]) => one === kind);
    const all = steps.map(([along, aside, words, far]) => ({ ...(along && { [first]: along }), ...(aside && { [second]: aside }), ...words, ...(far && { repeat: true }) }));
    return file.format === 2 ? all : all.flatMap((step) => writtenOut(step, file));
}

/* A figure as the file's format says it. In the first ones nothing happens by itself: to an empty cell it goes, what is another's it takes, and
 * it passes over nothing. */
export function figureOf(kind, file) {
    const movement = movementOf(kind, file);
    if (file.format === 2 || movement.length === 0) return { movement };
    const destination = [
        { actions: ["move"], if: [{ computed: { is_figure: false } }] },
        { actions: ["take", "move"], if: [{ computed: { is_enemy: true } }] },
    ];
    const transition = [{ actions: ["cancel"], if: [{ computed: { is_figure: true } }, { computed: { is_cell: false } }] }];
    return { movement, cell_actions: { destination, ...(movement.some(({ repeat }) => repeat) && { transition }) } };
}

export function addFigure(edited, name, kind) {
    const { file } = edited;
    const figures = Object.keys(isObject(file.figures) ? file.figures : {});
    const bytes = new TextEncoder().encode(name).length;
    if (file.extends !== undefined) throw new Refusal("This text extends a game, and how its cells lie stands there: write the figure into the text.", ["figures"]);
    if (name.trim() === "" || bytes > NAME_BYTES_MAX) throw new Refusal(`A figure's name has 1 to ${NAME_BYTES_MAX} bytes.`, ["figures"]);
    if (figures.includes(name)) throw new Refusal(`There is a figure called ${name} already.`, ["figures", name]);
    if (figures.length >= FIGURES_MAX) throw new Refusal(`A game has at most ${FIGURES_MAX} kinds of figures.`, ["figures"]);
    if (!waysToMove(file).some((way) => way.kind === kind)) throw new Refusal("On this board there is no such movement.", ["figures"]);
    edited.set(["figures", name], figureOf(kind, file));
    if (isObject(file.notation?.figures)) edited.set(["notation", "figures", name], letterFor(name, file.notation, playersOf(file)));
}

/* Where figures are written by letters, it has one that is nobody's; where each player has other letters, one for each. */
function letterFor(name, { figures }, players) {
    const written = Object.values(figures);
    const taken = new Set(written.flatMap((letter) => (isObject(letter) ? Object.values(letter) : [letter])).map((letter) => `${letter}`.toLowerCase()));
    const free = [...new Set([...name.toLowerCase(), ..."abcdefghijklmnopqrstuvwxyz"])].filter((letter) => /[a-z]/.test(letter) && !taken.has(letter));
    const count = written.some(isObject) ? players.length : 1;
    if (free.length < count) throw new Refusal("There are no letters left to write this figure with: say in the text how it is written.", ["notation", "figures"]);
    return written.some(isObject) ? Object.fromEntries(players.map((player, at) => [player, free[at]])) : free[0];
}
