/* Games that players publish: read, listed and published, over HTTP (protocol/README.md). */

import { say } from "./language.js";

export class PublishTrouble extends Error {
    /* diagnostics: what is wrong with the definition, when it is that. */
    constructor(message, { status = 0, diagnostics = [] } = {}) {
        super(message);
        Object.assign(this, { status, diagnostics });
    }
}

/* id: NAME@N, or NAME for the newest. Returns the answer's members, and `text`: the file as it was written. */
export async function readGame(id) {
    const answer = await ask(`/api/v1/games/${encodeURIComponent(id)}`);
    const { definition, ...about } = JSON.parse(answer);
    return { ...about, definition, text: definition ? definitionText(answer) : null };
}

/* Its board at the start. */
export const pictureOf = (id) => `/api/v1/games/${encodeURIComponent(id)}/board.svg`;

/* {games, next}: the listed ones, the newest first. */
export async function listGames(before) {
    return JSON.parse(await ask(`/api/v1/published${before ? `?before=${encodeURIComponent(before)}` : ""}`));
}

/* from: what it was made of, an id, or "". Sending the same text again is harmless. */
export async function publishGame(name, text, { token, listed, from }) {
    const query = new URLSearchParams({ listed: listed ? "yes" : "no", ...(from && { from }) });
    const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
    return JSON.parse(await ask(`/api/v1/games/${encodeURIComponent(name)}?${query}`, { method: "POST", headers, body: text }));
}

/* Whether its name stands in everybody's lobby: only its publisher's token may say. */
export async function listGame(name, listed, token) {
    await ask(`/api/v1/games/${encodeURIComponent(name)}/listing`, { method: "POST", headers: { Authorization: `Bearer ${token}` }, body: listed ? "yes" : "no" });
}

/* Names that were published from this browser: the token that may go on with them is kept here, too. */
const OWN = "senet.published";
const OWN_MAX = 200;

export function ownNames() {
    try {
        return JSON.parse(localStorage.getItem(OWN) ?? "[]");
    } catch {
        return [];
    }
}

export function rememberName(name) {
    const names = [name, ...ownNames().filter((other) => other !== name)];
    localStorage.setItem(OWN, JSON.stringify(names.slice(0, OWN_MAX)));
}

/* Something against a version, for whoever looks after the server: one line. */
export async function reportGame(id, words, token) {
    await ask(`/api/v1/games/${encodeURIComponent(id)}/report`, { method: "POST", headers: { Authorization: `Bearer ${token}` }, body: words });
}

/* The answer holds the game's file as it was written, which parsing it would lose. */
export function definitionText(answer) {
    const mark = '"definition":';
    const text = answer.slice(answer.indexOf(mark, answer.indexOf('"hash":')) + mark.length, answer.lastIndexOf("}"));
    JSON.parse(text);
    return `${text.trim()}\n`;
}

async function ask(path, options) {
    const response = await fetch(path, options).catch(() => {
        throw new PublishTrouble(say("There is no connection to the server."));
    });
    const text = await response.text();
    if (response.ok) return text;
    const { message = text.trim() || say("The server answered with {status}.", { status: response.status }), diagnostics } = told(text);
    throw new PublishTrouble(message, { status: response.status, diagnostics });
}

function told(text) {
    try {
        return JSON.parse(text);
    } catch {
        return {};
    }
}
