/* A game's file in sentences: how each figure moves, what must be done, and how it ends. Pictures say where; sentences say what
 * a picture cannot. Whatever is not understood here is said vaguely rather than wrongly. No DOM. */

import { listed, ordinal, say, sayCount } from "./language.js";
import { language } from "./language_choice.js";
import { gameWord, named as playerName } from "./words.js";

const MOVEMENT_WORDS = new Set(["anywhere", "repeat", "also_reversed", "symmetric", "use", "by", "for", "put", "over", "takes", "mark", "takes_marked", "via", "within", "promote", "continue", "phase", "if", "cell_actions"]);

/* The sentences about one figure. */
export function figureSentences(game, figure) {
    const entry = game.figures?.[figure];
    if (!entry) return [];
    const list = Array.isArray(entry.movement) ? entry.movement : Object.values(entry.movement ?? {})[0] ?? [];
    const movements = list.flatMap((movement) => expand(movement, game.movements ?? {}));
    const known = game.format === 2 && !entry.cell_actions && movements.every((movement) => !movement.cell_actions);
    const moves = known ? joined(movements.map((movement) => movementSentence(movement, game))) : [];
    const promotions = [entry.promote, ...movements.map(({ promote }) => promote)].flat().filter(Boolean);
    const inHand = game.takes_to === "hand" && entry.in_hand ? [say("Taken, it is {figure} in the hand.", { figure: a(entry.in_hand) })] : [];
    return [...moves, ...unique(promotions.map((one) => promotionSentence(one, game))), ...inHand];
}

/* A name stands for a list; `use` for a list with other words beside it, `by` for one of differences. */
function expand(movement, named, depth = 0) {
    if (depth > 4) return [];
    if (typeof movement === "string") return (named[movement] ?? []).flatMap((one) => expand(one, named, depth + 1));
    if (movement.by) return movement.by.map((one) => ({ ...movement, by: undefined, ...one }));
    if (!movement.use) return [movement];
    const { use, ...words } = movement;
    return expand(use, named, depth + 1).map((one) => ({ ...one, ...words }));
}

function movementSentence(movement, game) {
    const how = strung([wayOf(movement, game), jumpOf(movement), placeOf(movement, game), conditionOf(movement.if, game), purposeOf(movement)]);
    const after = { must: say("it must go on taking if it can"), may: say("it may go on") }[movement.continue];
    return [how, movement.takes_marked && say("it may take in passing"), after].filter(Boolean).join("; ");
}

function wayOf(movement, game) {
    if (movement.anywhere) return say("Goes anywhere");
    const deltas = Object.entries(movement).filter(([word]) => !MOVEMENT_WORDS.has(word));
    const sizes = deltas.map(([, value]) => Math.abs(Number(value))).filter((size) => size > 0);
    const way = directionOf(movement, sizes) || onwards(movement, game);
    const { repeat } = movement;
    if (repeat === true) return way ? say("Slides any distance {way}", { way }) : say("Slides any distance");
    if (repeat?.count?.empty === false) return way ? say("Goes as many steps {way} as figures stand on that line", { way }) : say("Goes as many steps as figures stand on that line");
    if (repeat?.count) return way ? say("Goes as many steps {way} as the rules count", { way }) : say("Goes as many steps as the rules count");
    const [least, most] = Array.isArray(repeat) ? repeat : [1, repeat ?? 1];
    if (least === most && least > 1) return way ? say("Goes exactly {count} steps {way}", { count: least, way }) : say("Goes exactly {count} steps", { count: least });
    if (most === null) return way ? say("Slides at least {count} steps {way}", { count: least, way }) : say("Slides at least {count} steps", { count: least });
    if (most > 1) return way ? say("Goes up to {count} steps {way}", { count: most, way }) : say("Goes up to {count} steps", { count: most });
    if (sizes.some((size) => size > 1)) return way ? say("Goes {way} to the cells shown", { way }) : say("Goes to the cells shown");
    return way ? say("Goes one step {way}", { way }) : say("Goes one step");
}

function directionOf({ symmetric }, sizes) {
    if (symmetric !== "all" || new Set(sizes).size !== 1) return "";
    return sizes.length === 1 ? say("straight") : sizes.length === 2 ? say("diagonally") : "";
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
    if (ahead === 0) return Math.abs(aside) === 1 && symmetric ? say("sideways") : "";
    if (aside === 0 && Math.abs(ahead) === 1) return ahead > 0 ? say("forwards") : say("backwards");
    if (Math.abs(aside) !== 1 || Math.abs(ahead) !== 1 || !symmetric) return "";
    return ahead > 0 ? say("diagonally forwards") : say("diagonally backwards");
}

function jumpOf({ over, via }) {
    if (via) return say("unless something stands in the way");
    if (!over) return "";
    const count = over.count ?? 1;
    if (Array.isArray(count)) return jumpOfSome(count);
    const whose = over.is?.player ?? over;
    if (whose === "enemy") return sayCount("jumping over exactly one enemy's figure", "jumping over exactly {count} enemy's figures", count);
    if (whose === "mover") return sayCount("jumping over exactly one figure of its own", "jumping over exactly {count} figures of its own", count);
    return sayCount("jumping over exactly one figure", "jumping over exactly {count} figures", count);
}

function jumpOfSome([least, most]) {
    if (!most) return say("jumping over {count} figures or more", { count: least });
    return least === 0 ? say("jumping over up to {count} figures", { count: most }) : say("jumping over {least} to {most} figures", { least, most });
}

function placeOf({ within }, game) {
    return within ? say("(inside {zones})", { zones: listed([within].flat().map((zone) => zoneName(zone, game))) }) : "";
}

/* The conditions that are met most: where it stands, and what is to be taken. Of others only that there are some. */
function conditionOf(condition, game) {
    const one = Array.isArray(condition) ? (condition.length === 1 ? condition[0] : {}) : condition;
    if (!one) return "";
    const words = Object.keys(one).length === 1 ? one : {};
    if (words.self?.zone && Object.keys(words.self).length === 1) return say("from {zone}", { zone: zoneName(words.self.zone, game) });
    if (words.target?.figure) return say("onto {figures}", { figures: listed([words.target.figure].flat().map(a), "disjunction") });
    return say("where the rules allow it");
}

function purposeOf(movement) {
    if (movement.for === "move") return say(", onto an empty cell");
    if (movement.for === "take") return movement.takes === "jumped" ? say(", and takes what it jumps over") : say(", only to take");
    if (movement.for === "swap") return say(", and changes places with a figure of its own");
    if (movement.for === "put") return say(": puts {figure} there and stays", { figure: a(movement.put) });
    return "";
}

function promotionSentence({ to, in: zone, from, optional, if: condition }, game) {
    const named = (names) => listed([names].flat().map((one) => zoneName(one, game)), "disjunction");
    const figures = to === "taken" ? say("what it takes") : listed([to].flat().map(a), "disjunction");
    const zones = named(zone ?? from ?? []);
    if (zone) return optional ? say("May become {figures} in {zones}.", { figures, zones }) : say("Becomes {figures} in {zones}.", { figures, zones });
    if (from) return optional ? say("May become {figures} when it comes from {zones}.", { figures, zones }) : say("Becomes {figures} when it comes from {zones}.", { figures, zones });
    if (condition) return optional ? say("May become {figures} where the rules allow it.", { figures }) : say("Becomes {figures} where the rules allow it.", { figures });
    return optional ? say("May become {figures}.", { figures }) : say("Becomes {figures}.", { figures });
}

/* What holds for all figures. */
export function ruleSentences(game) {
    return [turnSentence(game), handSentence(game), ...placeSentences(game), ...afterSentences(game), togetherSentence(game), prioritySentence(game), passSentence(game), pieSentence(game), ...forbidSentences(game)].filter(Boolean);
}

function turnSentence({ players = [], turns }) {
    const first = turns?.[0]?.player ?? turns?.[0] ?? players[0];
    return first && say("{player} begins.", { player: playerName(first) });
}

/* A list for all players, or one for each. */
function placeSentences(game) {
    const { place = [] } = game;
    const lists = Array.isArray(place) ? [[say("A player"), place]] : Object.entries(place).map(([player, list]) => [playerName(player), list]);
    return unique(lists.flatMap(([who, list]) => list.map((entry) => placeSentence(who, entry, game))));
}

function placeSentence(who, { put, remove, from, in: zones, drop, if: condition, phase }, game) {
    const figures = listed([put ?? []].flat().map(a), "disjunction");
    const act = remove
        ? removeSentence(who, remove)
        : from === "hand"
          ? say("{player} may put {figures} from the hand on an empty cell", { player: who, figures })
          : say("{player} may put {figures} on an empty cell", { player: who, figures });
    const where = zones && say("in {zones}", { zones: listed([zones].flat().map((zone) => zoneName(zone, game)), "disjunction") });
    const falls = drop && !remove && say(", as far along as it falls");
    const when = condition ? placedWhere(condition, game.selections ?? {}) : phase && say("in the part “{phase}” of a turn", { phase: gameWord(phase) });
    return `${strung([act, where, falls, when])}.`;
}

/* What follows each other in a sentence; some begin with a comma. */
const strung = (list) => list.filter(Boolean).reduce((before, next) => (/^[,:]/.test(next) ? `${before}${next}` : `${before} ${next}`));

function removeSentence(player, match) {
    const { figure, player: whose } = Array.isArray(match) ? {} : match;
    const figures = figure ? listed([figure].flat().map(a), "disjunction") : say("a figure");
    if (whose === "enemy") return say("{player} may remove {figures} of the enemy", { player, figures });
    return whose === "mover" ? say("{player} may remove {figures} of their own", { player, figures }) : say("{player} may remove {figures}", { player, figures });
}

function placedWhere(condition, selections) {
    const { count, ...others } = condition;
    const some = count && count.min === undefined && count.max === undefined && Object.keys(others).length === 0 ? named(count, selections) : null;
    if (isEnclosed(some)) return say(", so that enemy figures are enclosed between it and another of one’s own");
    return some?.cells === "neighbours" && some.is?.player === "mover" ? say("beside a figure of one’s own") : say("where the rules allow it");
}

function handSentence({ takes_to: to }) {
    return to === "hand" ? say("What a player takes is theirs from then on, and goes to their hand.") : "";
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
    if (isEnclosed(flip)) return say("Enemy figures that a move encloses in a row become the player’s own.");
    if (flip?.cells === "neighbours" && flip.is?.player === "enemy") return say("After a move the enemy’s figures beside it become the player’s own.");
    if (remove?.cells === "groups" && remove.liberties === 0 && remove.is?.player === "enemy") return say("Enemy figures that are linked and have no empty cell beside them any more leave the board.");
    return "";
}

function togetherSentence({ complex_movement, combined_movements: list = complex_movement ?? [] }) {
    const groups = unique(list.map(({ figures = [] }) => listed(unique(figures.map(({ figure }) => gameWord(figure))))));
    return groups.length > 0 ? say("Some moves are made by two together: {groups}.", { groups: groups.join("; ") }) : "";
}

function prioritySentence({ priority = [] }) {
    if (!priority.includes("take")) return "";
    return priority.includes("most_taken") ? say("Who can take must take, and as many as possible.") : say("Who can take must take.");
}

function passSentence({ pass }) {
    if (!pass) return "";
    if (pass === true) return say("A player may pass.");
    return pass === "when_stuck" ? say("Who cannot move passes.") : say("A player may pass where the rules allow it.");
}

function pieSentence({ pie }) {
    return pie ? say("Instead of their first move the second player may swap sides: then they have what the first one has made, as they see it.") : "";
}

function forbidSentences({ forbid = [] }) {
    return unique(forbid.map(({ words }) => words && say("No move is allowed that {words}.", { words: gameWord(words) }))).filter(Boolean);
}

/* How it is won, and how it is drawn: [{title, reasons}]. */
export function endSentences(game) {
    const ends = game.results ? game.results.map((each) => resultOf(each, game.players ?? [])) : statesOf(game);
    const saysStuck = JSON.stringify(game.results ?? []).includes('"no_moves"');
    const goesOnStuck = game.pass === true || game.pass === "when_stuck";
    if (!saysStuck && !goesOnStuck) ends.push({ title: { draw: say("It is a draw"), win: say("Who is to move wins") }[game.stuck ?? game.no_moves] ?? say("Who has just moved wins"), reason: say("the player to move has no move") });
    const titles = unique(ends.map(({ title }) => title));
    return titles.map((title) => ({ title, reasons: unique(ends.filter((end) => end.title === title).map(({ reason }) => reason)) }));
}

function resultOf({ result, reason, claim }, players) {
    const title = claim ? say("A draw may be claimed") : titleOf(result, players);
    return { title: claim && result !== "draw" ? say("A win may be claimed") : title, reason: reason ?? "" };
}

function outTitle(who, removed) {
    const words = { next: say("Who is to move is out"), mover: say("Who has just moved is out") }[who] ?? say("{player} is out", { player: playerName(who) });
    return removed ? say("{who}, and their pieces leave the board", { who: words }) : words;
}

function titleOf(result, players) {
    if (result === "draw") return say("It is a draw");
    const { winner, loser, finish, eliminated, their_figures: theirs, most } = typeof result === "object" ? result : {};
    if (most) return players.length === 2 ? say("Who has more wins") : say("Who has most wins");
    if (finish) return say("Who takes the next place");
    if (eliminated) return outTitle(eliminated, theirs === "removed");
    if (loser && players.length > 2) return { next: say("Who is to move loses"), mover: say("Who has just moved loses") }[loser] ?? say("{player} loses", { player: playerName(loser) });
    const who = winner ?? (loser === "next" ? "mover" : loser === "mover" ? "next" : undefined);
    if (who === "mover") return say("Who has just moved wins");
    if (who === "next" || who === "enemy") return say("The other one wins");
    return who ? say("{player} wins", { player: playerName(who) }) : say("The game is over");
}

function statesOf({ game_states: states = {} }) {
    return Object.values(states).filter(({ type }) => type === "end").map(({ winner, reason }) => ({ title: winner ? say("{player} wins", { player: playerName(winner) }) : say("It is a draw"), reason: reason ?? "" }));
}

/* Rows that are counted from who moves are said so; other zones have the name that the file gives them. */
function zoneName(zone, game) {
    return rowsOf(game.zones?.[zone], game) ?? say("the zone “{zone}”", { zone: gameWord(String(zone)).replaceAll("_", " ") });
}

function rowsOf(zone, game) {
    const [, y] = game.cell?.coordinates_names ?? [];
    const count = game.board?.cells?.box?.[y];
    const [, sign, value] = isAhead(game) && Number.isInteger(count) ? (new RegExp(`^\\s*${y}\\s*(==|>=|<)\\s*(\\d+)\\s*$`).exec(zone?.each) ?? []) : [];
    const at = Number(value);
    if (isAhead(game) && zone === `${y} > 0 && ${y} < ${count - 1}`) return say("any row but the first and the last");
    if (!sign || at <= 0 || at >= count) return null;
    const last = sayCount("the last row", "the last {count} rows", count - at);
    if (sign === "<") return say("any row but {rows}", { rows: last });
    if (sign === ">=" || at === count - 1) return last;
    return say("one’s own {number} row", { number: ordinal(at + 1) });
}

/* Only English has its article with it: others differ by the word. */
function a(name) {
    const word = gameWord(name);
    if (language !== "en") return word;
    return `${/^(?!uni|eu|one|use)[aeiou]/i.test(word) ? "an" : "a"} ${word}`;
}

function unique(list) {
    return [...new Set(list)];
}

function joined(sentences) {
    return unique(sentences).map((sentence) => `${sentence}.`);
}
