/* A game's file in sentences: how each figure moves, what must be done, and how it ends. Pictures say where; sentences say what
 * a picture cannot. Whatever is not understood here is said vaguely rather than wrongly. No DOM. */

import { capital } from "./words.js";

const MOVEMENT_WORDS = new Set(["repeat", "also_reversed", "symmetric", "use", "for", "put", "over", "takes", "mark", "takes_marked", "via", "within", "promote", "continue", "phase", "if", "cell_actions"]);

/* The sentences about one figure. */
export function figureSentences(game, figure) {
    const entry = game.figures?.[figure];
    if (!entry) return [];
    const list = Array.isArray(entry.movement) ? entry.movement : Object.values(entry.movement ?? {})[0] ?? [];
    const movements = list.flatMap((movement) => expand(movement, game.movements ?? {}));
    const known = game.format === 2 && !entry.cell_actions && movements.every((movement) => !movement.cell_actions);
    const moves = known ? joined(movements.map((movement) => movementSentence(movement))) : [];
    const promotions = [entry.promote, ...movements.map(({ promote }) => promote)].flat().filter(Boolean);
    return [...moves, ...unique(promotions.map(promotionSentence))];
}

/* A name stands for a list; `use` for a list with other words beside it. */
function expand(movement, named, depth = 0) {
    if (depth > 4) return [];
    if (typeof movement === "string") return (named[movement] ?? []).flatMap((one) => expand(one, named, depth + 1));
    if (!movement.use) return [movement];
    const { use, ...words } = movement;
    return expand(use, named, depth + 1).map((one) => ({ ...one, ...words }));
}

function movementSentence(movement) {
    const how = [wayOf(movement), jumpOf(movement), placeOf(movement), conditionOf(movement.if)].filter(Boolean).join(" ");
    const after = { must: "it must go on taking if it can", may: "it may go on" }[movement.continue];
    return [how + purposeOf(movement), movement.takes_marked && "it may take in passing", after].filter(Boolean).join("; ");
}

function wayOf(movement) {
    const deltas = Object.entries(movement).filter(([word]) => !MOVEMENT_WORDS.has(word));
    const sizes = deltas.map(([, value]) => Math.abs(Number(value))).filter((size) => size > 0);
    const way = directionOf(movement, sizes);
    const { repeat } = movement;
    if (repeat === true) return `Slides any distance${way}`;
    const [least, most] = Array.isArray(repeat) ? repeat : [1, repeat ?? 1];
    if (least === most && least > 1) return `Goes exactly ${least} steps${way}`;
    if (most === null) return `Slides at least ${least} steps${way}`;
    if (most > 1) return `Goes up to ${most} steps${way}`;
    return sizes.some((size) => size > 1) ? `Goes${way} to the cells shown` : `Goes one step${way}`;
}

function directionOf({ symmetric }, sizes) {
    if (symmetric !== "all" || new Set(sizes).size !== 1) return "";
    return sizes.length === 1 ? " straight" : sizes.length === 2 ? " diagonally" : "";
}

function jumpOf({ over, via }) {
    if (via) return "unless something stands in the way";
    if (!over) return "";
    const whose = { any: "figure", enemy: "enemy's figure", mover: "figure of its own" }[over] ?? "figure";
    const count = over.count ?? 1;
    const many = Array.isArray(count) ? `${count[0]} to ${count[1] ?? "any number"}` : count === 1 ? "exactly one" : `exactly ${count}`;
    return `jumping over ${many} ${whose}`;
}

function placeOf({ within }) {
    return within ? `(inside ${listed([within].flat().map(zoneName), "and")})` : "";
}

/* The conditions that are met most: where it stands, and what is to be taken. Of others only that there are some. */
function conditionOf(condition) {
    const one = Array.isArray(condition) ? (condition.length === 1 ? condition[0] : {}) : condition;
    if (!one) return "";
    const words = Object.keys(one).length === 1 ? one : {};
    if (words.self?.zone && Object.keys(words.self).length === 1) return `from ${zoneName(words.self.zone)}`;
    if (words.target?.figure) return `onto ${listed([words.target.figure].flat().map((figure) => `a ${figure}`), "or")}`;
    return "where the rules allow it";
}

function purposeOf(movement) {
    if (movement.for === "move") return ", onto an empty cell";
    if (movement.for === "take") return movement.takes === "jumped" ? ", and takes what it jumps over" : ", only to take";
    if (movement.for === "swap") return ", and changes places with a figure of its own";
    if (movement.for === "put") return `: puts a ${movement.put} there and stays`;
    return "";
}

function promotionSentence({ to, in: zone, optional, if: condition }) {
    const where = zone ? ` in ${listed([zone].flat().map(zoneName), "or")}` : condition ? " where the rules allow it" : "";
    const what = to === "taken" ? "what it takes" : listed([to].flat(), "or");
    return `${optional ? "May become" : "Becomes"} ${what}${where}.`;
}

/* What holds for all figures. */
export function ruleSentences(game) {
    return [turnSentence(game), ...placeSentences(game), togetherSentence(game), prioritySentence(game), passSentence(game), ...forbidSentences(game)].filter(Boolean);
}

function turnSentence({ players = [], turns }) {
    const first = turns?.[0]?.player ?? turns?.[0] ?? players[0];
    return first && `${capital(first)} begins.`;
}

/* A list for all players, or one for each. */
function placeSentences({ place = [] }) {
    const lists = Array.isArray(place) ? [["A player", place]] : Object.entries(place).map(([player, list]) => [capital(player), list]);
    return unique(lists.flatMap(([who, list]) => list.map((entry) => placeSentence(who, entry))));
}

function placeSentence(who, { put, in: zones, drop, if: condition, phase }) {
    const what = listed([put].flat().map((figure) => `a ${figure}`), "or");
    const where = zones ? ` in ${listed([zones].flat().map(zoneName), "or")}` : "";
    const falls = drop ? ", as far along as it falls" : "";
    const when = condition ? " where the rules allow it" : phase ? ` in the part “${phase}” of a turn` : "";
    return `${who} may put ${what} on an empty cell${where}${falls}${when}.`;
}

function togetherSentence({ complex_movement: list = [] }) {
    const groups = unique(list.map(({ figures = [] }) => listed(unique(figures.map(({ figure }) => figure)), "and")));
    return groups.length > 0 ? `Some moves are made by two together: ${groups.join("; ")}.` : "";
}

function prioritySentence({ priority = [] }) {
    if (!priority.includes("take")) return "";
    return priority.includes("most_taken") ? "Who can take must take, and as many as possible." : "Who can take must take.";
}

function passSentence({ pass }) {
    if (!pass) return "";
    if (pass === true) return "A player may pass.";
    return pass === "when_stuck" ? "Who cannot move passes." : "A player may pass where the rules allow it.";
}

function forbidSentences({ forbid = [] }) {
    return unique(forbid.map(({ words }) => words && `No move is allowed that ${words}.`)).filter(Boolean);
}

/* How it is won, and how it is drawn: [{title, reasons}]. */
export function endSentences(game) {
    const ends = game.results ? game.results.map((each) => resultOf(each, game.players ?? [])) : statesOf(game);
    const saysStuck = JSON.stringify(game.results ?? []).includes('"no_moves"');
    if (!saysStuck) ends.push({ title: { draw: "It is a draw", win: "Who is to move wins" }[game.no_moves] ?? "Who has just moved wins", reason: "the player to move has no move" });
    const titles = unique(ends.map(({ title }) => title));
    return titles.map((title) => ({ title, reasons: unique(ends.filter((end) => end.title === title).map(({ reason }) => reason)) }));
}

function resultOf({ result, reason, claim }, players) {
    const title = claim ? "A draw may be claimed" : titleOf(result, players);
    return { title: claim && result !== "draw" ? "A win may be claimed" : title, reason: reason ?? "" };
}

function titleOf(result, players) {
    if (result === "draw") return "It is a draw";
    const { winner, loser, finish } = typeof result === "object" ? result : {};
    if (finish) return "Who takes the next place";
    if (loser && players.length > 2) return { next: "Who is to move loses", mover: "Who has just moved loses" }[loser] ?? `${capital(loser)} loses`;
    const who = winner ?? (loser === "next" ? "mover" : loser === "mover" ? "next" : undefined);
    if (who === "mover") return "Who has just moved wins";
    if (who === "next" || who === "enemy") return "The other one wins";
    return who ? `${capital(who)} wins` : "The game is over";
}

function statesOf({ game_states: states = {} }) {
    return Object.values(states).filter(({ type }) => type === "end").map(({ winner, reason }) => ({ title: winner ? `${capital(winner)} wins` : "It is a draw", reason: reason ?? "" }));
}

function zoneName(zone) {
    return `the zone “${String(zone).replaceAll("_", " ")}”`;
}

function listed(words, link) {
    return words.length < 2 ? `${words[0] ?? ""}` : `${words.slice(0, -1).join(", ")} ${link} ${words.at(-1)}`;
}

function unique(list) {
    return [...new Set(list)];
}

function joined(sentences) {
    return unique(sentences).map((sentence) => `${sentence}.`);
}
