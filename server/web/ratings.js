/* How strong players are held to be in a game at a speed, as the server says over HTTP: asked once for each player and kept for a while. */

import { h, setText } from "./dom.js";
import { say } from "./language.js";

const KEPT_MS = 60_000;
const AGAIN_MS = [500, 1000, 1500, 2000, 3000, 5000, 5000, 10_000]; /* after the end of a game, until it has counted */

export const SPEEDS = ["bullet", "blitz", "rapid", "classical", "correspondence"];
const SPEED_WORDS = { bullet: say("bullet"), blitz: say("blitz"), rapid: say("rapid"), classical: say("classical"), correspondence: say("correspondence") };
export const speedWords = (speed) => SPEED_WORDS[speed] ?? speed;
export const ratedWords = (speed) => say("rated {speed}", { speed: speedWords(speed) });

const known = new Map(); /* of whom → {at, answer: a promise} */

/* Of one player; without, {game, speed, players}: the best. */
export async function readRatings(game, speed, player) {
    const path = [game, speed, ...(player ? [player] : [])].map(encodeURIComponent).join("/");
    const answer = await fetch(`/api/v1/ratings/${path}`);
    if (!answer.ok) throw Object.assign(new Error(say("The ratings cannot be read just now.")), { status: answer.status });
    return await answer.json();
}

/* As it was a minute ago at most. */
function recentRating(game, speed, player) {
    const name = `${game}/${speed}/${player}`;
    const before = known.get(name);
    if (before && Date.now() - before.at < KEPT_MS) return before.answer;
    const answer = readRatings(game, speed, player);
    known.set(name, { at: Date.now(), answer });
    answer.catch(() => known.delete(name));
    return answer;
}

/* A question mark says that it is not certain. */
export function ratingWords({ rating, provisional }) {
    return `${rating}${provisional ? "?" : ""}`;
}

function spoken({ rating, provisional, deviation }) {
    return provisional ? say("rating {rating}, not certain yet", { rating }) : say("rating {rating}, give or take {deviation}", { rating, deviation: 2 * deviation });
}

function show(element, rating, change) {
    const more = change ? ` ${change > 0 ? "+" : "−"}${Math.abs(change)}` : "";
    setText(element, `${ratingWords(rating)}${more}`);
    element.title = spoken(rating);
    element.setAttribute("aria-label", more ? say("{rating}, {change} by this game", { rating: spoken(rating), change: more.trim() }) : spoken(rating));
}

/* Beside a name, as soon as it is known. */
export function ratingTag(game, speed, player) {
    const element = h("span", { class: "rating", role: "img" });
    recentRating(game, speed, player).then(
        (rating) => show(element, rating, 0),
        () => {} /* the name says enough */,
    );
    return element;
}

/* Those of a room: what they were when it was first seen, and, when the game has counted, what it has made of them. */
export class RoomRatings {
    #tags = new Map(); /* of a player → {element, rating} */
    #waits = false;

    /* The tag of who sits there; null: the room is not rated. */
    element(player, { replica }) {
        const { rated: speed, game } = replica;
        if (!speed || !game?.id) return null;
        const place = { game: game.id, speed };
        if (!this.#tags.has(player)) this.#tags.set(player, this.#begin(place, player));
        this.#await(place, replica);
        return this.#tags.get(player).element;
    }

    #begin({ game, speed }, player) {
        const tag = { element: h("span", { class: "rating", role: "img" }), rating: null };
        readRatings(game, speed, player).then(
            (rating) => {
                tag.rating = rating;
                show(tag.element, rating, 0);
            },
            () => {},
        );
        return tag;
    }

    /* Only who saw the game going on sees what it has done. */
    async #await({ game, speed }, { state }) {
        const over = state.status === "finished";
        if (!over) this.#waits = true;
        if (!over || !this.#waits || state.result?.aborted) return;
        this.#waits = false;
        for (const [player, tag] of this.#tags) this.#follow(tag, () => readRatings(game, speed, player));
    }

    async #follow(tag, read) {
        for (const pause of AGAIN_MS) {
            await new Promise((resolve) => setTimeout(resolve, pause));
            const rating = await read().catch(() => null);
            if (!rating || !tag.rating || rating.games === tag.rating.games) continue;
            show(tag.element, rating, rating.rating - tag.rating.rating);
            tag.element.dataset.counted = "";
            return;
        }
    }
}
