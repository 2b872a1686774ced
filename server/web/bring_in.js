/* A game from a file, or the rules of one, become a room: over HTTP, which takes more than a frame does. */

import { capital, say } from "./language.js";

/* text: a record (*.senet.json), PGN, or a game of Chess Mate's. Returns the room's id. */
export async function bringIn(text, { visibility = "public" } = {}) {
    const other = chessMateGame(text);
    return send(other ? await (await import("./chess_mate_file.js")).recordOf(other) : text, visibility);
}

async function send(text, visibility) {
    let response;
    try {
        response = await fetch(`/api/v1/rooms?visibility=${visibility}`, {
            method: "POST",
            headers: { "Content-Type": isPgn(text) ? "application/vnd.chess-pgn" : "application/json" },
            body: text,
        });
    } catch {
        throw new Error(say("The server cannot be reached; try again in a moment."));
    }
    const answer = await answerOf(response);
    if (response.status === 201 && answer.room) return answer.room;
    throw new Error(answer.message ?? answer.error ?? say("The server answered with {status}.", { status: response.status }));
}

/* The text of a game's rules, as it is written: the record of a room in which nothing has happened yet. */
export function bringInRules(definition, { players, visibility }) {
    const created = { version: 1, at: 0, kind: "created", body: { game: "" } };
    return send(JSON.stringify({ senet_export: 1, ...(players && { players }), definition, events: [created] }), visibility);
}

/* Whether it is one room's game, in any of these forms, rather than the rules of a game. */
export const isSavedGame = (text) => isPgn(text) || objectOf(text)?.senet_export !== undefined || chessMateGame(text) !== null;

/* What Chess Mate's API says of a game: a board within a text, and a list of moves. */
function chessMateGame(text) {
    const { board, moves } = objectOf(text) ?? {};
    const isMove = (move) => typeof move?.from === "string" && typeof move.to === "string";
    return typeof board?.board === "string" && Array.isArray(moves) && moves.every(isMove) ? { moves } : null;
}

function objectOf(text) {
    try {
        return JSON.parse(text);
    } catch {
        return null;
    }
}

/* As the server tells it from a saved game: it begins with a tag, or with the first move. */
export const isPgn = (text) => /^[\s\uFEFF]*(\[\s*[A-Z]|1\.)/.test(text);

async function answerOf(response) {
    const text = await response.text();
    try {
        return JSON.parse(text);
    } catch {
        return { message: capital(text.trim().replace(/^\d{3} /, "")) || undefined };
    }
}
