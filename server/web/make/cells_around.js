/* The holes around a board, drawn where cells would lie, so that a hand can put cells there. */

import { keyOf } from "./cell_edits.js";

const HOLES_MAX = 600;
const HOLE_FILL = "#7a6550";
const TOO_NEAR = 0.4; /* of two middles, in sizes of a cell */

/* coordinates: of the board's cells, in order. Those one step away in any direction, as objects; no more than a board may have. */
export function candidatesAround(coordinates, names) {
    const cells = coordinates.map((numbers) => Object.fromEntries(names.map((name, at) => [name, numbers[at]])));
    const there = new Set(cells.map((cell) => keyOf(cell, names)));
    const found = new Map();
    for (const cell of cells)
        for (const step of stepsOf(names)) {
            const near = Object.fromEntries(names.map((name, at) => [name, cell[name] + step[at]]));
            const key = keyOf(near, names);
            if (!there.has(key) && found.size < HOLES_MAX) found.set(key, near);
        }
    return [...found.values()];
}

/* Up to three coordinates aslant as well; of more only straight. */
function stepsOf(names) {
    const all = names.reduce((steps) => steps.flatMap((step) => [-1, 0, 1].map((by) => [...step, by])), [[]]);
    const most = names.length > 3 ? 1 : names.length;
    return all.filter((step) => {
        const size = step.filter((by) => by !== 0).length;
        return size > 0 && size <= most;
    });
}

/* The layout with holes behind its cells: {layout, holes: Map of name → cell}. answer: of the engine, about the candidates. */
export function withHoles(layout, answer, names) {
    const middles = layout.cells.map((cell) => middleOf(cell, layout.shapes));
    const taken = new Set(layout.cells.map(({ name }) => name));
    const holes = new Map();
    const cells = [];
    answer.layout.cells.forEach((cell, at) => {
        const middle = middleOf(cell, answer.layout.shapes);
        const name = `+${answer.coordinates[at].join("_")}`;
        if (taken.has(name) || middles.some(([x, y]) => Math.hypot(x - middle[0], y - middle[1]) < TOO_NEAR)) return;
        middles.push(middle);
        holes.set(name, Object.fromEntries(names.map((one, index) => [one, answer.coordinates[at][index]])));
        cells.push({ ...cell, name, shape: cell.shape + layout.shapes.length, fill: HOLE_FILL });
    });
    return { layout: { ...layout, shapes: [...layout.shapes, ...answer.layout.shapes], cells: [...layout.cells, ...cells] }, holes };
}

function middleOf({ x, y, shape }, shapes) {
    const points = shapes[shape];
    const sum = points.reduce(([left, top], [px, py]) => [left + px, top + py], [0, 0]);
    return [x + sum[0] / points.length, y + sum[1] / points.length];
}
