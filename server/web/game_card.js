/* One game that the server offers, with the ways to begin it. */

import { h } from "./dom.js";
import { capital, countWords } from "./words.js";

const PICTURES_MAX = 6;
const FIGURES_ENOUGH = 3;

export class GameCard {
    constructor(game, onPlay) {
        this.game = game;
        this.emblem = h("div", { class: "emblem", "aria-hidden": "true" });
        this.element = h(
            "article",
            { class: "game-card", "data-game": game.id },
            this.emblem,
            h("h3", {}, game.title),
            h("p", { class: "players" }, playersWords(game)),
            describe(game.description ?? ""),
            h(
                "div",
                { class: "ways" },
                h(
                    "button",
                    { type: "button", class: "primary", "data-way": "friend", onclick: () => onPlay("friend") },
                    "Play a friend",
                ),
                h("button", { type: "button", "data-way": "bot", onclick: () => onPlay("bot") }, "Play the bot"),
                h("button", { type: "button", "data-way": "screen", onclick: () => onPlay("screen") }, "One screen"),
            ),
        );
    }

    /* A few of the game's pieces on a strip of its colours. */
    illustrate(definition) {
        const sources = picturesOf(definition).slice(0, PICTURES_MAX);
        this.emblem.replaceChildren(...sources.map((source) => picture(source)));
    }
}

function playersWords({ players, player_counts }) {
    if (player_counts) return `${countWords(Object.keys(player_counts))} players`;
    return players.map(capital).join(" · ");
}

function describe(text) {
    const short = text.length > 130 ? `${text.slice(0, text.lastIndexOf(" ", 120))}…` : text;
    if (short === text) return h("p", { class: "description" }, text);
    return h(
        "details",
        { class: "description" },
        h("summary", {}, h("span", {}, `${short}\u00a0`), h("span", { class: "more" }, "more")),
        h("p", {}, text),
    );
}

/* Alternating players, so that both sides are seen; with few figures, all of everybody's. */
function picturesOf(definition) {
    const images = definition?.resources?.images?.figures ?? {};
    const figures = Object.keys(definition?.figures ?? {});
    const players = Object.keys(images);
    const order = figures.toReversed?.() ?? [...figures].reverse();
    const paths =
        order.length < FIGURES_ENOUGH
            ? players.flatMap((player) => order.map((figure) => images[player]?.[figure]))
            : order.map((figure, i) => images[players[i % players.length]]?.[figure] ?? images[players[0]]?.[figure]);
    return [...new Set(paths)]
        .filter((path) => typeof path === "string")
        .map((path) => new URL(path, `${location.origin}/games/`))
        .filter((url) => url.origin === location.origin) /* another server would learn who looks */
        .map((url) => url.href);
}

function picture(source) {
    const image = h("img", { src: source, alt: "", width: 56, height: 56 });
    image.addEventListener("error", () => image.remove());
    return image;
}
