/* What is said to people: of errors, of results, of seats. */

const ERRORS = {
    unknown_room: "There is no such room.",
    unknown_game: "This server has no such game.",
    seat_taken: "Somebody else sits there already.",
    no_such_seat: "The game has no such seat.",
    not_in_room: "You are not in this room any more; reload the page.",
    not_seated: "Only players can do that.",
    not_started: "The game has not begun: a seat is still free.",
    game_over: "The game is over.",
    not_over: "The game is not over yet.",
    too_late: "The game has gone too far to be aborted.",
    not_your_turn: "It is not your turn.",
    illegal_move: "That move is not allowed.",
    stale: "The position had changed before your move arrived.",
    bad_key: "This link to a seat has been used, or replaced by a newer one.",
    no_offer: "There is no offer to answer any more.",
    muted: "The players do not want to hear this.",
    too_many: "That is more than this server allows.",
    rate_limited: "Too fast; wait a moment.",
    unavailable: "The server cannot do that just now; try again in a moment.",
    disconnected: "The connection was lost.",
};

export function errorWords(error) {
    const explanation = error.frame?.explanation;
    if (explanation) return refusedWords(explanation);
    return ERRORS[error.code] ?? error.message ?? "Something went wrong.";
}

/* Why a move is not allowed: "This move is not allowed: it would leave the king …". */
export function refusedWords({ words }) {
    return words ? `That move is not allowed: ${words}${/[.!?]$/.test(words) ? "" : "."}` : ERRORS.illegal_move;
}

export function capital(text) {
    return text ? text[0].toUpperCase() + text.slice(1) : "";
}

export function moveWords(move) {
    if (move.pass) return "pass";
    if (move.swap) return "swap";
    if (!move.from) return `${move.choice ? `${move.choice}@` : ""}${move.to}`; /* put on the board */
    return `${move.from}–${move.to}${move.choice ? `=${move.choice}` : ""}`;
}

/* In the game's own words, where it has other ones than ours. */
export function moveText(move, text) {
    const words = moveWords(move);
    return text && text !== words.replace("–", "-") ? text : words;
}

export function placeWords(place) {
    return ["1st", "2nd", "3rd"][place] ?? `${place + 1}th`;
}

/* "two", "two or three", "two, three or six": with how many a game may be played. */
export function countWords(counts) {
    const last = counts.at(-1);
    return counts.length === 1 ? `${last}` : `${counts.slice(0, -1).join(", ")} or ${last}`;
}

/* Where a game tells turns apart: what this one is for, in the word of its file. */
export function withPhase(words, { phases }, { state }) {
    const phase = phases?.[state];
    return phase ? `${words}: ${phase.replaceAll("_", " ")}` : words;
}

/* The winner's place is the first; of games that give places the others have one, too. */
function rankedWords({ reason, ranks }, mine, players) {
    const list = ranks.map((seat, place) => `${place + 1}. ${capital(seat)}`).join(", ");
    const detail = [reason && capital(reason), list].filter(Boolean).join(". ");
    const watching = mine.length !== 1 || players.length < 2;
    const place = ranks.indexOf(mine[0]);
    if (watching || place < 0) return { title: `${capital(ranks[0])} won`, detail, tone: "neutral" };
    if (place === 0) return { title: "You won", detail, tone: "won" };
    return { title: `You came ${placeWords(place)}`, detail, tone: "lost" };
}

/* One of several has lost, and nobody else. */
function loserWords(loser, detail, mine, players) {
    const watching = mine.length === 0 || mine.length === players.length;
    if (watching) return { title: `${capital(loser)} lost`, detail, tone: "neutral" };
    const lost = mine.includes(loser);
    return { title: lost ? "You lost" : `${capital(loser)} lost`, detail, tone: lost ? "lost" : "won" };
}

/* {title, detail, tone} of a finished game, for somebody who holds `mine`. */
export function resultWords(result, mine, players) {
    const detail = result.reason ? capital(result.reason) : "";
    if (result.winner && result.ranks?.length > 2) return rankedWords(result, mine, players);
    if (result.aborted) return { title: "No result", detail, tone: "neutral" };
    if (result.loser) return loserWords(result.loser, detail, mine, players);
    if (result.draw || !result.winner) return { title: "Draw", detail, tone: "draw" };
    const watching = mine.length === 0 || mine.length === players.length;
    if (watching) return { title: `${capital(result.winner)} won`, detail, tone: "neutral" };
    const won = mine.includes(result.winner);
    return { title: won ? "You won" : "You lost", detail, tone: won ? "won" : "lost" };
}

/* The same in one line, for everybody; "" while it goes on. */
export function endWords({ status, result }) {
    if (status !== "finished" || !result) return "";
    const who = result.winner ? `${capital(result.winner)} won` : result.loser ? `${capital(result.loser)} lost` : result.aborted ? "" : "Draw";
    return [who, result.reason].filter(Boolean).join(": ").replace(/^./, (letter) => letter.toUpperCase());
}

export function ageWords(then, now = Date.now()) {
    const minutes = Math.floor((now - then) / 60_000);
    if (minutes < 1) return "just now";
    if (minutes < 60) return `${minutes} min ago`;
    if (minutes < 48 * 60) return `${Math.floor(minutes / 60)} h ago`;
    return `${Math.floor(minutes / 1440)} days ago`;
}
