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
    not_your_turn: "It is not your turn.",
    illegal_move: "That move is not allowed.",
    stale: "The position had changed before your move arrived.",
    no_offer: "There is no offer to answer any more.",
    too_many: "That is more than this server allows.",
    rate_limited: "Too fast; wait a moment.",
    unavailable: "The server cannot do that just now; nothing was changed.",
    disconnected: "The connection was lost.",
};

export function errorWords(error) {
    return ERRORS[error.code] ?? error.message ?? "Something went wrong.";
}

export function capital(text) {
    return text ? text[0].toUpperCase() + text.slice(1) : "";
}

export function moveWords(move) {
    if (move.pass) return "pass";
    const what = move.from ?? move.figure ?? "";
    return `${what}${what ? "–" : ""}${move.to ?? ""}${move.choice ? `=${move.choice}` : ""}`;
}

/* {title, detail, tone} of a finished game, for somebody who holds `mine`. */
export function resultWords(result, mine, players) {
    const detail = result.reason ? capital(result.reason) : "";
    if (result.draw || !result.winner) return { title: "Draw", detail, tone: "draw" };
    const watching = mine.length === 0 || mine.length === players.length;
    if (watching) return { title: `${capital(result.winner)} won`, detail, tone: "neutral" };
    const won = mine.includes(result.winner);
    return { title: won ? "You won" : "You lost", detail, tone: won ? "won" : "lost" };
}

export function ageWords(then, now = Date.now()) {
    const minutes = Math.floor((now - then) / 60_000);
    if (minutes < 1) return "just now";
    if (minutes < 60) return `${minutes} min ago`;
    if (minutes < 48 * 60) return `${Math.floor(minutes / 60)} h ago`;
    return `${Math.floor(minutes / 1440)} days ago`;
}
