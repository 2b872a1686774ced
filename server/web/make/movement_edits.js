/* A figure's movements: which steps they are on a board around it, and how a step comes to the list and leaves it. Pure; works on an
 * EditedText. */

import { namesOf } from "./cell_edits.js";
import { Refusal } from "./edited_text.js";
import { isObject } from "./tolerant.js";

const VECTORS_MAX = 512;

/* The lists of movements that stand in the file: [{path, label, figure?}]; figures first, then those that have a name of their own. */
export function movementLists(file) {
    const own = Object.entries(isObject(file?.figures) ? file.figures : {}).flatMap(([figure, { movement } = {}]) => {
        const path = ["figures", figure, "movement"];
        if (!isObject(movement)) return [{ path, label: figure, figure }];
        const players = playersOf(file);
        return players.map((player) => ({ path: [...path, player], label: `${figure} (${player})`, figure, player }));
    });
    const named = Object.keys(isObject(file?.movements) ? file.movements : {}).map((name) => ({ path: ["movements", name], label: `“${name}”` }));
    return [...own, ...named];
}

function playersOf(file) {
    return Array.isArray(file.players) ? file.players : Object.keys(file.initial_position ?? {});
}

/* --- steps --------------------------------------------------------------------------------------------- */

/* The steps of one element of a list: {vectors, slides, reads}; reads: false where this module does not know what it says. Those of
 * a name are the named list's. */
export function stepsOf(element, file, depth = 0) {
    if (typeof element === "string" || typeof element?.use === "string") {
        const list = file.movements?.[element.use ?? element];
        if (!Array.isArray(list) || depth > 0) return { vectors: [], reads: false };
        const all = list.map((one) => stepsOf(one, file, depth + 1));
        const repeat = isObject(element) && "repeat" in element ? element.repeat : undefined;
        return {
            named: element.use ?? element,
            vectors: all.flatMap(({ vectors }) => vectors),
            slides: repeat === undefined ? all.some(({ slides }) => slides) : isFar(repeat),
            reads: all.every(({ reads }) => reads),
        };
    }
    if (!isObject(element)) return { vectors: [], reads: false };
    if ("by" in element) return stepsOfAll(element, file);
    const base = baseOf(element, file);
    if (!base) return { vectors: [], reads: false };
    if (element.symmetric === "hexagon" && base.length !== 2) return { vectors: [], reads: false };
    const vectors = turned(base, element.symmetric, element.also_reversed === true);
    return { base, vectors, slides: isFar(element.repeat), reads: true };
}

/* The differences that an element has instead of its own. */
const differencesOf = (element) => (Array.isArray(element?.by) ? element.by.filter((one) => isObject(one) && !("by" in one)) : []);

/* `by`: each of them with the words beside. */
function stepsOfAll({ by, ...words }, file) {
    const all = differencesOf({ by }).map((one) => stepsOf({ ...words, ...one }, file));
    return { base: all[0]?.base, vectors: all.flatMap(({ vectors }) => vectors), slides: isFar(words.repeat), reads: all.length > 0 && all.every(({ reads }) => reads) };
}

const isFar = (repeat) => repeat === true || Array.isArray(repeat) || (typeof repeat === "number" && repeat > 1);

/* The difference as the first player sees it; null: a direction that is for each player another. */
function baseOf(element, file) {
    const names = namesOf(file);
    const base = names.map((name) => (Number.isInteger(element[name]) ? element[name] : 0));
    for (const [name, direction] of Object.entries(isObject(file.directions) ? file.directions : {})) {
        if (!Number.isInteger(element[name]) || names.includes(name)) continue;
        const vector = directionOf(direction, file);
        if (!vector) return null;
        vector.forEach((value, at) => (base[at] += element[name] * value));
    }
    return base.some((value) => value !== 0) ? base : null;
}

/* A named direction of the first player: [dx, dy, …]. */
export function directionOf(direction, file) {
    if (!isObject(direction)) return null;
    const names = namesOf(file);
    const first = playersOf(file)[0];
    const own = isObject(direction[first]) ? direction[first] : direction;
    if (Object.keys(own).some((key) => !names.includes(key))) return null;
    return names.map((name) => (Number.isInteger(own[name]) ? own[name] : 0));
}

/* As the engine turns them (engine/load/symmetry.c): no vector twice. */
function turned(base, symmetric, reversed) {
    const found = new Map();
    const add = (vector) => found.size < VECTORS_MAX && found.set(vector.join(), vector.map((value) => value + 0));
    const ways = { mirror: mirrored, signs, all: (vector) => orders(vector).flatMap(signs), hexagon: hexagon };
    for (const vector of (ways[symmetric] ?? ((one) => [one]))(base)) add(vector);
    if (reversed) for (const vector of [...found.values()]) add(negated(vector));
    return [...found.values()];
}

/* The same steps in words of the first formats: each direction and the one against it are one element. */
export function writtenOut({ symmetric, ...element }, file) {
    const names = namesOf(file);
    const words = Object.entries(element).filter(([word]) => !names.includes(word));
    const vectors = turned(baseOf(element, file), symmetric, false);
    const first = vectors.filter((vector, at) => !vectors.slice(0, at).some((other) => same(other, negated(vector))));
    return first.map((vector) => ({
        ...Object.fromEntries(names.map((name, at) => [name, vector[at]]).filter(([, value]) => value !== 0)),
        ...(vectors.some((other) => same(other, negated(vector))) && { also_reversed: true }),
        ...Object.fromEntries(words),
    }));
}

const negated = (vector) => vector.map((value) => (value === 0 ? 0 : -value));

const mirrored = (vector) => [vector, [vector[0] === 0 ? 0 : -vector[0], ...vector.slice(1)]];

function signs(vector) {
    return vector.reduce((ways, value) => ways.flatMap((way) => (value === 0 ? [[...way, 0]] : [[...way, value], [...way, -value]])), [[]]);
}

function orders(vector) {
    if (vector.length < 2) return [vector];
    return vector.flatMap((value, at) => orders([...vector.slice(0, at), ...vector.slice(at + 1)]).map((rest) => [value, ...rest]));
}

function hexagon(vector) {
    const ways = [];
    let [q, r] = vector;
    for (let turn = 0; turn < 6; turn++) {
        ways.push([q, r], [r, q]);
        [q, r] = [-r || 0, q + r];
    }
    return ways;
}

const same = (vector, other) => vector.length === other.length && vector.every((value, at) => value === other[at]);

/* Which elements of the list lead there in one step: their indices. */
export function leadingTo(list, vector, file) {
    return [...list.keys()].filter((at) => stepsOf(list[at], file).vectors.some((one) => same(one, vector)));
}

/* --- edits ------------------------------------------------------------------------------------------------ */

/* A new element: {x: 1, y: 2} and the words beside. */
export function addStep(edited, path, vector, words = {}) {
    const names = namesOf(edited.file);
    if (vector.every((value) => value === 0)) throw new Refusal("A figure stands there already: a movement leads somewhere else.", path);
    const step = Object.fromEntries(names.map((name, at) => [name, vector[at]]).filter(([, value]) => value !== 0));
    const said = Object.entries(words).filter(([, value]) => value !== undefined && value !== "");
    edited.append(path, { ...step, ...Object.fromEntries(said) });
}

/* The whole element, whatever it leads to. */
export function removeElement(edited, path) {
    edited.remove(path);
}

/* One step out of an element of several: the others are written out beside each other. */
export function removeStep(edited, path, vector) {
    const element = edited.at(path);
    const { vectors, named, reads } = stepsOf(element, edited.file);
    if (named) throw new Refusal(`This is one of the movements called “${named}”, which other figures may use: edit it there.`, ["movements", named]);
    if (!reads) throw new Refusal("This movement is said in a way the painter does not read: edit it in the text.", path);
    const rest = vectors.filter((one) => !same(one, vector));
    if (rest.length === 0) return edited.remove(path);
    if ("via" in element) throw new Refusal("What stands in “via” turns with this movement: write its directions out in the text.", path);
    return writeSteps(edited, path, rest);
}

/* These steps instead of all that the element means: one in its place, the others behind it. */
function writeSteps(edited, path, steps) {
    const names = namesOf(edited.file);
    const element = edited.at(path);
    const { base } = stepsOf(element, edited.file);
    const first = steps.find((one) => same(one, base)) ?? steps[0];
    const others = steps.filter((one) => one !== first);
    if (others.length > 0 || !same(first, base)) expectNoDirections(edited, path, names);
    if ("by" in element || !same(first, base)) writeVector(edited, path, element, first, names);
    for (const word of ["symmetric", "also_reversed", "by"]) if (word in element) edited.remove([...path, word]);
    const index = path.at(-1);
    const list = path.slice(0, -1);
    const words = Object.entries(edited.at(path)).filter(([key]) => !names.includes(key));
    others.reverse().forEach((one) => {
        const step = names.map((name, at) => [name, one[at]]).filter(([, value]) => value !== 0);
        edited.insert(list, index + 1, Object.fromEntries([...step, ...words]));
    });
}

/* Movements around a hexagon are written out, direction by direction: with more than two coordinates there is no such word. */
export function writeOutHexagons(edited) {
    for (const { path } of movementLists(edited.file)) {
        const list = edited.at(path);
        if (!Array.isArray(list)) continue;
        for (const index of [...list.keys()].reverse()) {
            if (![list[index], ...differencesOf(list[index])].some((one) => one?.symmetric === "hexagon")) continue;
            const { vectors, reads } = stepsOf(list[index], edited.file);
            if (!reads || "via" in list[index]) throw new Refusal("This movement turns around a hexagon in a way this painter does not read: write its directions out in the text.", [...path, index]);
            writeSteps(edited, [...path, index], vectors);
        }
    }
}

function expectNoDirections(edited, path, names) {
    const said = edited.at(path);
    if (Object.keys(edited.file.directions ?? {}).some((name) => [said, ...differencesOf(said)].some((one) => name in one) && !names.includes(name)))
        throw new Refusal("This movement is said by directions: write the other ones in the text.", path);
}

function writeVector(edited, path, element, vector, names) {
    names.forEach((name, at) => {
        if (vector[at] === 0 && name in element) edited.remove([...path, name]);
        else if (vector[at] !== 0 && element[name] !== vector[at]) edited.set([...path, name], vector[at]);
    });
}

/* One word of an element: `repeat`, `for`, `symmetric`, `also_reversed`; undefined takes it away. */
export function setWord(edited, path, word, value) {
    const element = edited.at(path);
    if (!isObject(element)) throw new Refusal("This stands here by its name alone: edit what the name means, or write it out.", path);
    if (value === undefined) edited.remove([...path, word]);
    else if (JSON.stringify(element[word]) !== JSON.stringify(value)) edited.set([...path, word], value);
}
