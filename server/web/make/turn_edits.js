/* Who moves after whom: the list `turns`, or the machine of `game_states`. Pure; works on an EditedText. */

import { Refusal } from "./edited_text.js";
import { isObject } from "./tolerant.js";

const TURNS_MAX = 254;
const STATES_MAX = 256;

/* --- turns -------------------------------------------------------------------------------------------------- */

/* [{player, phase?, same_figure?}] */
export function turnsOf(file) {
    if (!Array.isArray(file?.turns)) return null;
    return file.turns.map((turn) => (typeof turn === "string" ? { player: turn } : isObject(turn) ? turn : { player: "?" }));
}

/* The phases that movements of the file speak of. */
export function phasesOf(file) {
    const found = new Set();
    const visit = (value) => {
        if (value === null || typeof value !== "object") return;
        if (typeof value.phase === "string") found.add(value.phase);
        Object.values(value).forEach(visit);
    };
    for (const word of ["figures", "movements", "turns"]) visit(file?.[word]);
    return [...found];
}

export function addTurn(edited, index, player) {
    if (!Array.isArray(edited.at(["turns"]))) throw new Refusal("This game has no list of turns.", ["turns"]);
    if (edited.at(["turns"]).length >= TURNS_MAX) throw new Refusal(`There are at most ${TURNS_MAX} turns.`, ["turns"]);
    edited.insert(["turns"], index, player);
}

export function removeTurn(edited, index) {
    if (edited.at(["turns"]).length < 2) throw new Refusal("Somebody has to move: a game has at least one turn.", ["turns"]);
    edited.remove(["turns", index]);
}

export function moveTurn(edited, index, by) {
    const other = index + by;
    if (edited.node(["turns", index]) && edited.node(["turns", other])) edited.exchange(["turns", index], ["turns", other]);
}

/* Who, in which phase, with which figure: words {player?, phase?, same_figure?}; "" and false take one away. A turn that says
 * nothing but who is written as a name. */
export function changeTurn(edited, index, words) {
    const path = ["turns", index];
    const before = edited.at(path);
    if (typeof before === "string") {
        const { player = before, ...more } = words;
        const said = Object.entries(more).filter(([, value]) => value !== "" && value !== false);
        if (said.length > 0) edited.set(path, { player, ...Object.fromEntries(said) });
        else if (player !== before) edited.set(path, player);
        return;
    }
    if (!isObject(before)) throw new Refusal("This turn is neither a name nor an object: write it in the text.", path);
    for (const [word, value] of Object.entries(words)) {
        if (value === "" || value === false) edited.remove([...path, word]);
        else if (value !== undefined && edited.at([...path, word]) !== value) edited.set([...path, word], value);
    }
    const { player, ...more } = edited.at(path);
    if (Object.keys(more).length === 0 && typeof player === "string") edited.set(path, player);
}

/* --- states ------------------------------------------------------------------------------------------------- */

/* The states in the order in which they come, those that never come last: [{name, state, exits: [{to, when}], reached}] */
export function statesOf(file) {
    const states = isObject(file?.game_states) ? file.game_states : {};
    const order = [];
    const wait = [file?.initial_game_state];
    while (wait.length > 0) {
        const name = wait.shift();
        if (!isObject(states[name]) || order.includes(name)) continue;
        order.push(name);
        wait.push(...exitsOf(states[name]).map(({ to }) => to));
    }
    const rest = Object.keys(states).filter((name) => !order.includes(name));
    return [...order, ...rest].map((name) => ({ name, state: states[name] ?? {}, exits: exitsOf(states[name]), reached: order.includes(name) }));
}

/* Where a state leads, in words: [{to, when, path}]; path: of the name, below the state. */
export function exitsOf(state) {
    const next = state?.next;
    if (typeof next === "string") return [{ to: next, when: "", path: ["next"] }];
    if (!Array.isArray(next)) return [];
    return next.map((branch, index) => ({ to: branch?.state, when: whenOf(branch?.if), path: ["next", index, "state"] }));
}

function whenOf(conditions) {
    if (!Array.isArray(conditions)) return "else";
    const results = conditions.map((one) => one?.result);
    if (results.length === 1 && results[0] === true) return "if so";
    return results.length === 1 && results[0] === false ? "if not" : "if…";
}

/* Another player, another state that follows, another winner: one name at a path below `game_states`. */
export function setStateWord(edited, path, value) {
    const at = ["game_states", ...path];
    if (edited.at(at) === value) return;
    if (value === "") edited.remove(at);
    else edited.set(at, value);
}

export function setInitial(edited, name) {
    if (edited.at(["initial_game_state"]) !== name) edited.set(["initial_game_state"], name);
}

/* A move of this player behind a state that leads to one other. Returns what it is called. */
export function addState(edited, after, player) {
    const { file } = edited;
    const next = file.game_states?.[after]?.next;
    if (typeof next !== "string") throw new Refusal(`After “${after}” there is more than one way on, or none: add the state in the text.`, ["game_states", after]);
    if (Object.keys(file.game_states).length >= STATES_MAX) throw new Refusal(`There are at most ${STATES_MAX} states.`, ["game_states"]);
    const name = freeName(`${player}_move`, file.game_states);
    edited.set(["game_states", after, "next"], name);
    edited.set(["game_states", name], { type: "move", parameters: { player }, next });
    return name;
}

/* One that leads to one other: whoever led to it leads there. */
export function removeState(edited, name) {
    const { file } = edited;
    const next = file.game_states?.[name]?.next;
    const coming = Object.entries(file.game_states ?? {}).flatMap(([from, state]) => exitsOf(state).filter(({ to }) => to === name).map(({ path }) => [from, ...path]));
    const isFirst = file.initial_game_state === name;
    if ((coming.length > 0 || isFirst) && typeof next !== "string")
        throw new Refusal(`From “${name}” there is more than one way on, or none: what should follow instead is said in the text.`, ["game_states", name]);
    if (next === name || (isFirst && file.game_states[next]?.type !== "move"))
        throw new Refusal(`“${name}” cannot be left out: the game would not know where to begin.`, ["game_states", name]);
    for (const path of coming) if (path[0] !== name) edited.set(["game_states", ...path], next);
    if (isFirst) edited.set(["initial_game_state"], next);
    edited.remove(["game_states", name]);
}

function freeName(base, states) {
    let name = base;
    for (let count = 2; name in states; count++) name = `${base}_${count}`;
    return name;
}
