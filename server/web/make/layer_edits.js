/* A board gets layers: one more coordinate, and with it whatever else the file says about cells. Pure; works on an EditedText. */

import { boardParts, isShape, namesOf } from "./cell_edits.js";
import { Refusal } from "./edited_text.js";
import { writeOutHexagons } from "./movement_edits.js";
import { isObject } from "./tolerant.js";

const CELLS = ["board", "cells"];
const SPARE_COORDINATES = ["z", "w", "u", "v", "t", "s"];

/* One more coordinate, with two layers drawn beside each other. Cells of the first layer keep their names; what is written about a
 * hexagon, which has two coordinates, is written out. */
export function addLayers(edited, width) {
    const { file } = edited;
    const names = namesOf(file);
    const name = SPARE_COORDINATES.find((one) => !names.includes(one) && !(one in (file.directions ?? {})));
    if (boardParts(file).length === 0) throw new Refusal("This board has no list of cells and no shape: write one in the text.", CELLS);
    if (!name || names.length === 0) throw new Refusal("This painter knows no name for another coordinate.", ["cell", "coordinates_names"]);
    writeOutHexagons(edited);
    edited.append(["cell", "coordinates_names"], name);
    layBoard(edited, name, names);
    const { x } = file.cell.position ?? {};
    edited.set(["cell", "position", "x"], `${inBrackets(x)} + ${name} * ${width}`);
    if (file.format === 2 || file.cell.name !== undefined) edited.set(["cell", "name"], `(${name} ? 'BCDEFGHIJKLMNOPQRSTUVWXYZ'[${name} - 1] : '') + (${file.cell.name ?? names.join(" + '_' + ")})`);
    if (file.format !== 2) sayLayer(edited, placesOf(file, names), name);
    if (file.notation?.position && file.notation.position.style !== "pieces") edited.set(["notation", "position", "levels"], name);
    return name;
}

/* Boxes have both layers, hexagons become boxes with a condition, listed cells are there twice. */
function layBoard(edited, name, names) {
    const listed = [];
    for (const { path, value } of boardParts(edited.file)) {
        if (!isShape(value)) {
            if (!isObject(value)) throw new Refusal("What stands here is no cell: mend that first.", path);
            listed.push({ path, value });
            continue;
        }
        if ("hexagon" in value) hexagonAsBox(edited, path, value, names);
        edited.set([...path, "box", name], 2);
    }
    sayLayer(edited, listed.map(({ path }) => path), name);
    for (const { value } of listed) edited.append(CELLS, { ...value, [name]: 1 });
}

/* Of single cells, which have said nothing about layers: they are on the first. */
function sayLayer(edited, paths, name) {
    for (const path of paths) edited.set([...path, name], 0);
}

/* In the first formats a place is said in all coordinates. */
function placesOf(file, names) {
    const lists = Object.entries(file.initial_position ?? {}).flatMap(([player, figures]) =>
        Object.entries(figures ?? {}).map(([figure, places]) => ({ path: ["initial_position", player, figure], places })),
    );
    return lists.flatMap(({ path, places }) => (Array.isArray(places) ? [...places.keys()].filter((at) => isObject(places[at]) && names.every((name) => name in places[at])).map((at) => [...path, at]) : []));
}

function hexagonAsBox(edited, path, { hexagon, where }, names) {
    const side = isObject(hexagon) ? hexagon.side : hexagon;
    const middle = names.map((name) => (isObject(hexagon) ? (hexagon.at?.[name] ?? 0) : 0));
    if (!Number.isInteger(side) || names.length !== 2) throw new Refusal("This hexagon is not said in a way this painter reads.", path);
    const sum = middle[0] + middle[1];
    const inside = `Math.abs(${names.join(" + ")}${sum === 0 ? "" : ` ${sum < 0 ? "+" : "-"} ${Math.abs(sum)}`}) <= ${side - 1}`;
    edited.renameKey([...path, "hexagon"], "box");
    edited.set([...path, "box"], Object.fromEntries(names.map((name, at) => [name, [middle[at] + 1 - side, middle[at] + side - 1]])));
    edited.set([...path, "where"], where === undefined ? inside : `${inside} && (${where})`);
}

const inBrackets = (expression) => (/^[\w.]+$/.test(`${expression}`) ? `${expression}` : `(${expression})`);
