/* Players of a game: their names wherever the file has them, and the colours the board is drawn in. Pure; works on an
 * EditedText. */

import { Refusal } from "./edited_text.js";
import { isObject } from "./tolerant.js";

const NAME_BYTES_MAX = 64;
const PLAYERS_MAX = 8;
/* Words that stand where players do. */
const ROLES = ["mover", "enemy", "next", "any", "each"];
/* Members of the file in which conditions, movements and states name players. */
const SPEAKING = ["pass", "figures", "movements", "actions", "combined_movements", "complex_movement", "win_conditions", "game_states", "counters", "after_move", "forbid", "results", "tests"];

export function playersOf(file) {
    if (Array.isArray(file?.players) && file.players.length > 0) return file.players.filter((name) => typeof name === "string");
    const movers = Object.values(isObject(file?.game_states) ? file.game_states : {}).map((state) => state?.parameters?.player);
    return [...new Set([...Object.keys(isObject(file?.initial_position) ? file.initial_position : {}), ...movers])].filter((name) => typeof name === "string" && name !== "each");
}

/* --- where they are named -------------------------------------------------------------------------------- */

/* [{path, kind}]: `listed` in a list of players or turns, `own` a member that is theirs, `state` a key that is a state of theirs,
 * `said` a word about them. */
export function mentionsOf(file, player) {
    const found = [];
    const states = stateNames(file?.turns, player);
    const visit = (value, path) => {
        const kind = typeof value === "string" && value === player && kindOfValue(path);
        if (kind) found.push({ path, kind });
        if (value === null || typeof value !== "object") return;
        for (const [key, member] of Object.entries(value)) {
            const inner = [...path, Array.isArray(value) ? Number(key) : key];
            if (!Array.isArray(value) && key === player && isTheirs(inner, member, file)) found.push({ path: inner, kind: "own" });
            else if (!Array.isArray(value) && states.has(key) && isTurnText(inner)) found.push({ path: inner, kind: "state", state: key });
            visit(member, inner);
        }
    };
    visit(file, []);
    return found;
}

function kindOfValue(path) {
    const [first, , third] = path;
    const word = [...path].reverse().find((part) => typeof part === "string");
    if (first === "players" || first === "player_counts") return "listed";
    if (first === "turns") return path.length === 2 ? "listed" : word === "player" ? "turn" : null;
    if (!SPEAKING.includes(first)) return null;
    if (first === "figures" && third === "movement" && path.length === 4 && typeof path[3] === "number") return null; /* a name of movements */
    if (["winner", "loser", "finish", "eliminated"].includes(word) || word === "player") return "said";
    return word === "next" && first !== "game_states" ? "said" : null;
}

/* Whether the member with a player's name at this path is about that player. */
function isTheirs(path, value, file) {
    const [first, second, third] = path;
    const place = path.slice(0, -1).join("/");
    if (["initial_position", "win_conditions", "board/mirror", "board/rotation_angle", "notation/case", "notation/position/turn", "notation/position/players"].includes(place)) return true;
    if (first === "resources") return path.at(-2) === "figures" && path.length === (second === "sets" ? 5 : 4);
    if (first === "directions" && path.length === 3) return isObject(value);
    if (first === "zones" && path.length === 3) return !("box" in file.zones[second] || "hexagon" in file.zones[second]);
    if (first === "figures" && third === "movement" && path.length === 4) return true;
    return first === "notation" && second === "figures" && path.length === 4;
}

const isTurnText = (path) => path.length === 4 && path.slice(0, 3).join("/") === "notation/position/turn";

/* What the states of a player's turns are called, besides the player's own name. */
function stateNames(turns, player) {
    const taken = new Set();
    const theirs = new Set();
    for (const turn of Array.isArray(turns) ? turns : []) {
        const mover = turn?.player ?? turn;
        const base = turn?.phase ? `${mover}_${turn.phase}` : `${mover}`;
        let name = base;
        for (let count = 2; taken.has(name); count++) name = `${base}_${count}`;
        taken.add(name);
        if (mover === player && name !== player) theirs.add(name);
    }
    return theirs;
}

/* --- edits -------------------------------------------------------------------------------------------------- */

export function renamePlayer(edited, from, to) {
    checkName(edited.file, to);
    const mentions = mentionsOf(edited.file, from);
    const other = mentionsOf(edited.file, to)[0];
    if (other) throw new Refusal(`The text speaks of a player called ${to} already.`, other.path);
    if (mentions.length === 0) throw new Refusal(`Nobody here is called ${from}.`, ["players"]);
    for (const { path, kind, state } of inner(mentions)) {
        if (kind === "own") edited.renameKey(path, to);
        else if (kind === "state") edited.renameKey(path, `${to}${state.slice(from.length)}`);
        else edited.set(path, to);
    }
}

/* Innermost first: a key that is renamed does not change the way to what stands below it. */
const inner = (mentions) => [...mentions].sort((a, b) => b.path.length - a.path.length);

export function addPlayer(edited, name) {
    const { file } = edited;
    checkName(file, name);
    if (playersOf(file).length >= PLAYERS_MAX) throw new Refusal(`A game has at most ${PLAYERS_MAX} players.`, ["players"]);
    if (Array.isArray(file.players)) edited.append(["players"], name);
    else edited.set(["players"], [...playersOf(file), name]);
    if (Array.isArray(edited.file.turns)) edited.append(["turns"], name);
}

/* With everything that is theirs alone. What others say about them is left to the author. */
export function removePlayer(edited, name) {
    const mentions = mentionsOf(edited.file, name);
    const said = mentions.find(({ kind }) => kind === "said");
    if (said) throw new Refusal(`A rule speaks of ${name}: change that first.`, said.path);
    if (playersOf(edited.file).length < 2) throw new Refusal("A game has at least one player.", ["players"]);
    const listing = Object.entries(edited.file.player_counts ?? {}).filter(([, who]) => Array.isArray(who) && who.includes(name));
    for (const [count] of listing) edited.remove(["player_counts", count]);
    const paths = mentions.filter(({ path }) => path[0] !== "player_counts").map(({ path, kind }) => (kind === "turn" ? path.slice(0, -1) : path));
    for (const path of backwards(paths)) edited.remove(path);
}

/* From the end of each list, so that those before keep their places. */
function backwards(paths) {
    return [...paths].sort((a, b) => {
        const at = a.findIndex((part, index) => part !== b[index]);
        return typeof a[at] === "number" && typeof b[at] === "number" ? b[at] - a[at] : b.length - a.length;
    });
}

function checkName(file, name) {
    const bytes = new TextEncoder().encode(name).length;
    if (name.trim() === "" || bytes > NAME_BYTES_MAX) throw new Refusal(`A player's name has 1 to ${NAME_BYTES_MAX} bytes.`, ["players"]);
    if (ROLES.includes(name)) throw new Refusal(`“${name}” means something else in conditions: choose another name.`, ["players"]);
    if (playersOf(file).includes(name)) throw new Refusal(`There is a player called ${name} already.`, ["players"]);
}

/* --- colours -------------------------------------------------------------------------------------------------- */

/* The texts of an expression that may be colours: [{from, length, text}]. */
export function colourTexts(expression) {
    if (typeof expression !== "string") return [];
    const texts = [...expression.matchAll(/'([^'\\]*)'|"([^"\\]*)"/g)].map((found) => ({ from: found.index + 1, text: found[1] ?? found[2] }));
    return texts.map(({ from, text }) => ({ from, length: text.length, text })).filter(({ text }) => /^(#[0-9a-f]{3,8}|[a-z]{3,24}|(rgb|hsl)a?\(.*\))$/i.test(text));
}

/* The colour at this place of `cell.colors`.which; where there is none the whole becomes this colour. */
export function setColour(edited, which, index, colour) {
    const path = ["cell", "colors", which];
    const found = colourTexts(edited.at(path))[index];
    if (found) edited.replaceIn(path, found.from, found.length, colour);
    else if (edited.at(path) === undefined) edited.set(path, `'${colour}'`);
    else throw new Refusal("This colour is calculated: change it in the text.", path);
}
