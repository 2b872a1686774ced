/* A game's file in sentences: how each figure moves, what must be done, and how it ends. Pictures say where; sentences say what
 * a picture cannot. Whatever is not understood here is said vaguely rather than wrongly. No DOM. */

import { capital, placeWords } from "./words.js";

const MOVEMENT_WORDS = new Set(["anywhere", "repeat", "also_reversed", "symmetric", "use", "for", "put", "over", "takes", "mark", "takes_marked", "via", "within", "promote", "continue", "phase", "if", "cell_actions"]);

/* The sentences about one figure. */
export function figureSentences(game, figure) {
    const entry = game.figures?.[figure];
    if (!entry) return [];
    const list = Array.isArray(entry.movement) ? entry.movement : Object.values(entry.movement ?? {})[0] ?? [];
    const movements = list.flatMap((movement) => expand(movement, game.movements ?? {}));
    const known = game.format === 2 && !entry.cell_actions && movements.every((movement) => !movement.cell_actions);
    const moves = known ? joined(movements.map((movement) => movementSentence(movement, game))) : [];
    const promotions = [entry.promote, ...movements.map(({ promote }) => promote)].flat().filter(Boolean);
    const inHand = game.takes_to === "hand" && entry.in_hand ? [`Taken, it is ${a(entry.in_hand)} in the hand.`] : [];
    return [...moves, ...unique(promotions.map((one) => promotionSentence(one, game))), ...inHand];
}

/* A name stands for a list; `use` for a list with other words beside it. */
function expand(movement, named, depth = 0) {
    if (depth > 4) return [];
    if (typeof movement === "string") return (named[movement] ?? []).flatMap((one) => expand(one, named, depth + 1));
    if (!movement.use) return [movement];
    const { use, ...words } = movement;
    return expand(use, named, depth + 1).map((one) => ({ ...one, ...words }));
}

function movementSentence(movement, game) {
    const how = [wayOf(movement, game), jumpOf(movement), placeOf(movement, game), conditionOf(movement.if, game)].filter(Boolean).join(" ");
    const after = { must: "it must go on taking if it can", may: "it may go on" }[movement.continue];
    return [how + purposeOf(movement), movement.takes_marked && "it may take in passing", after].filter(Boolean).join("; ");
}

function wayOf(movement, game) {
    if (movement.anywhere) return "Goes anywhere";
    const deltas = Object.entries(movement).filter(([word]) => !MOVEMENT_WORDS.has(word));
    const sizes = deltas.map(([, value]) => Math.abs(Number(value))).filter((size) => size > 0);
    const way = directionOf(movement, sizes) || onwards(movement, game);
    const { repeat } = movement;
    if (repeat === true) return `Slides any distance${way}`;
    if (repeat?.count) return `Goes as many steps${way} as ${repeat.count.empty === false ? "figures stand on that line" : "the rules count"}`;
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

/* Whether the second coordinate leads onwards, as each player sees the board. */
function isAhead({ players = [], cell = {}, board = {} }) {
    const [x, y, more] = cell.coordinates_names ?? [];
    const rises = typeof y === "string" && more === undefined && new RegExp(`^\\s*\\d+\\s*-\\s*${y}\\s*$`).test(cell.position?.y) && cell.position?.x === x;
    const turned = players.slice(1).every((player) => new RegExp(`^\\s*-?\\d+\\s*-\\s*${y}\\s*$`).test(board.mirror?.[player]?.[y]));
    return rises && turned && !board.rotation_angle?.[players[0]];
}

function onwards(movement, game) {
    const { symmetric, also_reversed: reversed } = movement;
    if (!isAhead(game) || reversed || ![undefined, "mirror"].includes(symmetric)) return "";
    const [x, y] = game.cell.coordinates_names;
    if (Object.keys(movement).some((word) => ![x, y].includes(word) && !MOVEMENT_WORDS.has(word))) return "";
    const [aside, ahead] = [movement[x] ?? 0, movement[y] ?? 0];
    if (ahead === 0) return Math.abs(aside) === 1 && symmetric ? " sideways" : "";
    const way = ahead > 0 ? "forwards" : "backwards";
    if (aside === 0 && Math.abs(ahead) === 1) return ` ${way}`;
    return Math.abs(aside) === 1 && Math.abs(ahead) === 1 && symmetric ? ` diagonally ${way}` : "";
}

function jumpOf({ over, via }) {
    if (via) return "unless something stands in the way";
    if (!over) return "";
    const whose = { any: "figure", enemy: "enemy's figure", mover: "figure of its own" }[over.is?.player ?? over] ?? "figure";
    const count = over.count ?? 1;
    const many = Array.isArray(count) ? (count[0] === 0 && count[1] ? `up to ${count[1]}` : `${count[0]} to ${count[1] ?? "any number of"}`) : count === 1 ? "exactly one" : `exactly ${count}`;
    return `jumping over ${many} ${count === 1 ? whose : whose.replace("figure", "figures")}`;
}

function placeOf({ within }, game) {
    return within ? `(inside ${listed([within].flat().map((zone) => zoneName(zone, game)), "and")})` : "";
}

/* The conditions that are met most: where it stands, and what is to be taken. Of others only that there are some. */
function conditionOf(condition, game) {
    const one = Array.isArray(condition) ? (condition.length === 1 ? condition[0] : {}) : condition;
    if (!one) return "";
    const words = Object.keys(one).length === 1 ? one : {};
    if (words.self?.zone && Object.keys(words.self).length === 1) return `from ${zoneName(words.self.zone, game)}`;
    if (words.target?.figure) return `onto ${listed([words.target.figure].flat().map(a), "or")}`;
    return "where the rules allow it";
}

function purposeOf(movement) {
    if (movement.for === "move") return ", onto an empty cell";
    if (movement.for === "take") return movement.takes === "jumped" ? ", and takes what it jumps over" : ", only to take";
    if (movement.for === "swap") return ", and changes places with a figure of its own";
    if (movement.for === "put") return `: puts ${a(movement.put)} there and stays`;
    return "";
}

function promotionSentence({ to, in: zone, from, optional, if: condition }, game) {
    const zones = (names) => listed([names].flat().map((zone) => zoneName(zone, game)), "or");
    const where = zone ? ` in ${zones(zone)}` : from ? ` when it comes from ${zones(from)}` : condition ? " where the rules allow it" : "";
    const what = to === "taken" ? "what it takes" : listed([to].flat().map(a), "or");
    return `${optional ? "May become" : "Becomes"} ${what}${where}.`;
}

/* What holds for all figures. */
export function ruleSentences(game) {
    return [turnSentence(game), handSentence(game), ...placeSentences(game), ...afterSentences(game), togetherSentence(game), prioritySentence(game), passSentence(game), pieSentence(game), ...forbidSentences(game)].filter(Boolean);
}

function turnSentence({ players = [], turns }) {
    const first = turns?.[0]?.player ?? turns?.[0] ?? players[0];
    return first && `${capital(first)} begins.`;
}

/* A list for all players, or one for each. */
function placeSentences(game) {
    const { place = [] } = game;
    const lists = Array.isArray(place) ? [["A player", place]] : Object.entries(place).map(([player, list]) => [capital(player), list]);
    return unique(lists.flatMap(([who, list]) => list.map((entry) => placeSentence(who, entry, game))));
}

function placeSentence(who, { put, remove, from, in: zones, drop, if: condition, phase }, game) {
    const what = listed([put ?? []].flat().map(a), "or") + (from === "hand" ? " from the hand" : "");
    const where = zones ? ` in ${listed([zones].flat().map((zone) => zoneName(zone, game)), "or")}` : "";
    const falls = drop ? ", as far along as it falls" : "";
    const when = condition ? placedWhere(condition, game.selections ?? {}) : phase ? ` in the part “${phase}” of a turn` : "";
    if (remove) return `${who} may remove ${removedWords(remove)}${where}${when}.`;
    return `${who} may put ${what} on an empty cell${where}${falls}${when}.`;
}

function removedWords(match) {
    const { figure, player } = Array.isArray(match) ? {} : match;
    const what = figure ? listed([figure].flat().map(a), "or") : "a figure";
    return `${what}${player === "enemy" ? " of the enemy" : player === "mover" ? " of their own" : ""}`;
}

function placedWhere(condition, selections) {
    const { count, ...others } = condition;
    const some = count && count.min === undefined && count.max === undefined && Object.keys(others).length === 0 ? named(count, selections) : null;
    if (isEnclosed(some)) return ", so that enemy figures are enclosed between it and another of one’s own";
    return some?.cells === "neighbours" && some.is?.player === "mover" ? " beside a figure of one’s own" : " where the rules allow it";
}

function handSentence({ takes_to: to }) {
    return to === "hand" ? "What a player takes is theirs from then on, and goes to their hand." : "";
}

/* A selection may be one of those that have a name. */
function named(selection, selections) {
    const own = selections[selection?.cells];
    return own ? { ...own, ...selection, cells: own.cells } : selection;
}

const isEnclosed = (selection) => selection?.cells === "enclosed" && selection.is?.player === "enemy" && selection.end?.player === "mover";

/* What always happens after a move, as far as there are words for it. */
function afterSentences({ after_move: list = [], selections = {} }) {
    const always = list.filter((entry) => !entry.if).flatMap((entry) => entry.do ?? []);
    return unique(always.map(({ flip, remove }) => afterSentence(named(flip, selections), named(remove, selections)))).filter(Boolean);
}

function afterSentence(flip, remove) {
    if (isEnclosed(flip)) return "Enemy figures that a move encloses in a row become the player’s own.";
    if (flip?.cells === "neighbours" && flip.is?.player === "enemy") return "After a move the enemy’s figures beside it become the player’s own.";
    if (remove?.cells === "groups" && remove.liberties === 0 && remove.is?.player === "enemy") return "Enemy figures that are linked and have no empty cell beside them any more leave the board.";
    return "";
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

function pieSentence({ pie }) {
    return pie ? "Instead of their first move the second player may swap sides: then they have what the first one has made, as they see it." : "";
}

function forbidSentences({ forbid = [] }) {
    return unique(forbid.map(({ words }) => words && `No move is allowed that ${words}.`)).filter(Boolean);
}

/* How it is won, and how it is drawn: [{title, reasons}]. */
export function endSentences(game) {
    const ends = game.results ? game.results.map((each) => resultOf(each, game.players ?? [])) : statesOf(game);
    const saysStuck = JSON.stringify(game.results ?? []).includes('"no_moves"');
    const goesOnStuck = game.pass === true || game.pass === "when_stuck";
    if (!saysStuck && !goesOnStuck) ends.push({ title: { draw: "It is a draw", win: "Who is to move wins" }[game.no_moves] ?? "Who has just moved wins", reason: "the player to move has no move" });
    const titles = unique(ends.map(({ title }) => title));
    return titles.map((title) => ({ title, reasons: unique(ends.filter((end) => end.title === title).map(({ reason }) => reason)) }));
}

function resultOf({ result, reason, claim }, players) {
    const title = claim ? "A draw may be claimed" : titleOf(result, players);
    return { title: claim && result !== "draw" ? "A win may be claimed" : title, reason: reason ?? "" };
}

function outTitle(who, removed) {
    const words = { next: "Who is to move is out", mover: "Who has just moved is out" }[who] ?? `${capital(who)} is out`;
    return removed ? `${words}, and their pieces leave the board` : words;
}

function titleOf(result, players) {
    if (result === "draw") return "It is a draw";
    const { winner, loser, finish, eliminated, their_figures: theirs, most } = typeof result === "object" ? result : {};
    if (most) return players.length === 2 ? "Who has more wins" : "Who has most wins";
    if (finish) return "Who takes the next place";
    if (eliminated) return outTitle(eliminated, theirs === "removed");
    if (loser && players.length > 2) return { next: "Who is to move loses", mover: "Who has just moved loses" }[loser] ?? `${capital(loser)} loses`;
    const who = winner ?? (loser === "next" ? "mover" : loser === "mover" ? "next" : undefined);
    if (who === "mover") return "Who has just moved wins";
    if (who === "next" || who === "enemy") return "The other one wins";
    return who ? `${capital(who)} wins` : "The game is over";
}

function statesOf({ game_states: states = {} }) {
    return Object.values(states).filter(({ type }) => type === "end").map(({ winner, reason }) => ({ title: winner ? `${capital(winner)} wins` : "It is a draw", reason: reason ?? "" }));
}

/* Rows that are counted from who moves are said so; other zones have the name that the file gives them. */
function zoneName(zone, game) {
    return rowsOf(game.zones?.[zone], game) ?? `the zone “${String(zone).replaceAll("_", " ")}”`;
}

function rowsOf(zone, game) {
    const [, y] = game.cell?.coordinates_names ?? [];
    const count = game.board?.cells?.box?.[y];
    const [, sign, value] = isAhead(game) && Number.isInteger(count) ? (new RegExp(`^\\s*${y}\\s*(==|>=|<)\\s*(\\d+)\\s*$`).exec(zone?.each) ?? []) : [];
    const at = Number(value);
    if (isAhead(game) && zone === `${y} > 0 && ${y} < ${count - 1}`) return "any row but the first and the last";
    if (!sign || at <= 0 || at >= count) return null;
    const last = count - at === 1 ? "the last row" : `the last ${count - at} rows`;
    if (sign === "<") return `any row but ${last}`;
    if (sign === ">=" || at === count - 1) return last;
    return `one’s own ${placeWords(at)} row`;
}

function listed(words, link) {
    return words.length < 2 ? `${words[0] ?? ""}` : `${words.slice(0, -1).join(", ")} ${link} ${words.at(-1)}`;
}

function a(word) {
    return `${/^(?!uni|eu|one|use)[aeiou]/i.test(word) ? "an" : "a"} ${word}`;
}

function unique(list) {
    return [...new Set(list)];
}

function joined(sentences) {
    return unique(sentences).map((sentence) => `${sentence}.`);
}
