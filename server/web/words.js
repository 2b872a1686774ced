/* What is said to people: of errors, of results, of seats; and the words that a game has in their language. */

import { capital, listed, ordinal, say, sayCount } from "./language.js";
import { language } from "./language_choice.js";

const ERRORS = {
    unknown_room: say("There is no such room."),
    unknown_game: say("This server has no such game."),
    seat_taken: say("Somebody else sits there already."),
    no_such_seat: say("The game has no such seat."),
    not_in_room: say("You are not in this room any more; reload the page."),
    not_seated: say("Only players can do that."),
    not_started: say("The game has not begun: a seat is still free."),
    game_over: say("The game is over."),
    not_over: say("The game is not over yet."),
    too_late: say("The game has gone too far to be aborted."),
    not_your_turn: say("It is not your turn."),
    illegal_move: say("That move is not allowed."),
    stale: say("The position had changed before your move arrived."),
    bad_key: say("This link to a seat has been used, or replaced by a newer one."),
    no_offer: say("There is no offer to answer any more."),
    muted: say("The players do not want to hear this."),
    too_many: say("That is more than this server allows."),
    rate_limited: say("Too fast; wait a moment."),
    unavailable: say("The server cannot do that just now; try again in a moment."),
    disconnected: say("The connection was lost."),
};

export function errorWords(error) {
    const explanation = error.frame?.explanation;
    if (explanation) return refusedWords(explanation);
    return ERRORS[error.code] ?? error.message ?? say("Something went wrong.");
}

/* Of a verdict on a move, for whom the engine's own words are in another language. */
const VERDICTS = {
    game_over: say("the game is over"),
    not_yours: say("nothing of yours stands there"),
    no_movement: say("no movement leads there"),
    blocked: say("the rules do not allow it here"),
    forbidden: say("the position after it would be forbidden"),
    priority: say("another move goes first"),
    choice: say("choose what is offered there"),
};

/* Why a move is not allowed: "That move is not allowed: it would leave the king …". The engine speaks English. */
export function refusedWords({ words, verdict }) {
    const why = language === "en" ? words : (VERDICTS[verdict] ?? words);
    if (!why) return ERRORS.illegal_move;
    return /[.!?]$/.test(why) ? say("That move is not allowed: {why}", { why }) : say("That move is not allowed: {why}.", { why });
}

/* --- the words of games ----------------------------------------------------------------------- */

let ownWords = {};

/* From now on names mean those of this game: its layout, or its file, may say them in our language. */
export function speakGame({ translations = {} }) {
    ownWords = translations?.[language] ?? {};
}

/* A player, a figure, a reason, the title …, as its file says it in our language; `words`: of another game than the page's. */
export function gameWord(name, words = ownWords) {
    return Object.hasOwn(words, name) ? words[name] : name;
}

/* The same with a capital letter, as a name. */
export function named(name, words) {
    return capital(gameWord(name ?? "", words));
}

/* Who has given no name is "Guest" to the server, in every language. */
export function playerWord(name) {
    return !name || name === "Guest" ? say("Guest") : name;
}

/* "" where it has none. */
export function gameTitle({ game }) {
    return gameWord(game?.title ?? "");
}

export function pieceWords({ player, figure }) {
    return say("{player} {figure}", { player: gameWord(player), figure: gameWord(figure) });
}

export function toMoveWords(player, words) {
    return say("{player} to move", { player: named(player, words) });
}

export function watchingWords(count) {
    return sayCount("{count} watching", "{count} watching", count);
}

export function moveWords(move) {
    if (move.pass) return say("pass");
    if (move.swap) return say("swap");
    const choice = move.choice && gameWord(move.choice);
    if (!move.from) return `${choice ? `${choice}@` : ""}${move.to}`; /* put on the board */
    return `${move.from}–${move.to}${choice ? `=${choice}` : ""}`;
}

/* In the game's own words, where it has other ones than ours. */
export function moveText(move, text) {
    const words = moveWords(move);
    return text && text !== words.replace("–", "-") ? text : words;
}

/* "2 players", "2, 3 or 6 players": with how many a game may be played. */
export function countWords(counts) {
    return sayCount("{counts} player", "{counts} players", Number(counts.at(-1)), { counts: listed(counts.map(String), "disjunction") });
}

/* Where a game tells turns apart: what this one is for, in the word of its file. */
export function withPhase(words, { phases }, { state }) {
    const phase = phases?.[state];
    return phase ? `${words}: ${gameWord(phase).replaceAll("_", " ")}` : words;
}

const wonWords = (player) => say("{player} won", { player: named(player) });
const lostWords = (player) => say("{player} lost", { player: named(player) });

/* What the server and the engine call the end of a game; other reasons are its file's own. */
const REASONS = [
    [/^resignation$/, () => say("resignation")],
    [/^absence$/, () => say("absence")],
    [/^agreement$/, () => say("agreement")],
    [/^time$/, () => say("time")],
    [/^(.+) did not begin$/, (player) => say("{player} did not begin", { player })],
    [/^aborted by (.+)$/, (player) => say("aborted by {player}", { player })],
    [/^(.+) was absent$/, (player) => say("{player} was absent", { player })],
    [/^(.+) has no legal move$/, (player) => say("{player} has no legal move", { player })],
    [/^no winner after (\d+) moves$/, (_player, count) => sayCount("no winner after {count} move", "no winner after {count} moves", count)],
];

export function reasonWords(reason, words) {
    const own = gameWord(reason, words);
    if (own !== reason) return own;
    const [form, tell] = REASONS.find(([one]) => one.test(reason)) ?? [];
    const what = form?.exec(reason)[1];
    return tell ? tell(gameWord(what, words), Number(what)) : reason;
}

/* The winner's place is the first; of games that give places the others have one, too. */
function rankedWords({ reason, ranks }, mine, players) {
    const list = ranks.map((seat, place) => `${place + 1}. ${named(seat)}`).join(", ");
    const detail = [reason && capital(reasonWords(reason)), list].filter(Boolean).join(". ");
    const watching = mine.length !== 1 || players.length < 2;
    const place = ranks.indexOf(mine[0]);
    if (watching || place < 0) return { title: wonWords(ranks[0]), detail, tone: "neutral" };
    if (place === 0) return { title: say("You won"), detail, tone: "won" };
    return { title: say("You came {place}", { place: ordinal(place + 1) }), detail, tone: "lost" };
}

/* One of several has lost, and nobody else. */
function loserWords(loser, detail, mine, players) {
    const watching = mine.length === 0 || mine.length === players.length;
    if (watching) return { title: lostWords(loser), detail, tone: "neutral" };
    const lost = mine.includes(loser);
    return { title: lost ? say("You lost") : lostWords(loser), detail, tone: lost ? "lost" : "won" };
}

/* {title, detail, tone} of a finished game, for somebody who holds `mine`. */
export function resultWords(result, mine, players) {
    const detail = result.reason ? capital(reasonWords(result.reason)) : "";
    if (result.winner && result.ranks?.length > 2) return rankedWords(result, mine, players);
    if (result.aborted) return { title: say("No result"), detail, tone: "neutral" };
    if (result.loser) return loserWords(result.loser, detail, mine, players);
    if (result.draw || !result.winner) return { title: say("Draw"), detail, tone: "draw" };
    const watching = mine.length === 0 || mine.length === players.length;
    if (watching) return { title: wonWords(result.winner), detail, tone: "neutral" };
    const won = mine.includes(result.winner);
    return { title: won ? say("You won") : say("You lost"), detail, tone: won ? "won" : "lost" };
}

/* The same in one line, for everybody; "" while it goes on. */
export function endWords({ status, result }) {
    if (status !== "finished" || !result) return "";
    const who = result.winner ? wonWords(result.winner) : result.loser ? lostWords(result.loser) : result.aborted ? "" : say("Draw");
    return capital([who, result.reason && reasonWords(result.reason)].filter(Boolean).join(": "));
}

export function ageWords(then, now = Date.now()) {
    const minutes = Math.floor((now - then) / 60_000);
    if (minutes < 1) return say("just now");
    if (minutes < 60) return say("{minutes} min ago", { minutes });
    if (minutes < 48 * 60) return say("{hours} h ago", { hours: Math.floor(minutes / 60) });
    return sayCount("{count} day ago", "{count} days ago", Math.floor(minutes / 1440));
}
