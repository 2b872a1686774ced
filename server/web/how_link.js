/* The way to "How to play": a link, and what is loaded and asked for when somebody follows it. */

import { h } from "./dom.js";
import { say } from "./language.js";

export function howLink(onclick) {
    return h("button", { type: "button", class: "how-link", onclick }, say("How to play"));
}

/* of: {game: ID} or {room: ID}. */
export async function learnGame(connection, notes, game, of) {
    try {
        const answer = connection.request({ type: "games", op: "guide", ...of }, { once: true });
        const [{ showHowToPlay }, { guide }] = await Promise.all([import("./how_to_play.js"), answer]);
        await showHowToPlay(game, guide);
    } catch (error) {
        notes.error(error);
    }
}
