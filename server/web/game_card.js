/* One game that the server offers, with the ways to begin it. */

import { h, setText } from "./dom.js";
import { fileUrl } from "./files.js";
import { howLink } from "./how_link.js";
import { capital, countWords } from "./words.js";

export class GameCard {
    /* onPlay("now" | "friend" | "bot" | "screen") */
    constructor(game, { onPlay, onLearn }) {
        this.game = game;
        this.now = h("span", { class: "with" }, "against the bot");
        const way = (name, label) => h("button", { type: "button", "data-way": name, onclick: () => onPlay(name) }, label);
        this.element = h(
            "article",
            { class: "game-card", "data-game": game.id, "aria-label": game.title },
            thumbnail(fileUrl(`/games/${game.id}.board.svg`)),
            h(
                "div",
                { class: "about" },
                h("h3", {}, game.title),
                h("p", { class: "players" }, h("span", {}, playersWords(game)), howLink(onLearn)),
                describe(game.description ?? ""),
            ),
            h(
                "div",
                { class: "ways" },
                h(
                    "button",
                    { type: "button", class: "primary", "data-way": "now", onclick: () => onPlay("now") },
                    h("span", {}, "Play now"),
                    this.now,
                ),
                way("friend", "Play a friend"),
                way("bot", "Play the bot"),
                way("screen", "One screen"),
            ),
        );
    }

    /* host: the name of somebody who waits for an opponent, or null. */
    showHost(host) {
        this.element.classList.toggle("awaited", host !== null);
        setText(this.now, host === null ? "against the bot" : `against ${host || "somebody who waits"}`);
    }

    matches(wanted, players) {
        const { title, description = "", id } = this.game;
        const text = `${title} ${description} ${id}`.toLowerCase();
        const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
        return words.every((word) => text.includes(word)) && (players === "any" || countsOf(this.game).some((count) => (players === "two" ? count === 2 : count > 2)));
    }
}

export function countsOf({ players, player_counts }) {
    return player_counts ? Object.keys(player_counts).map(Number) : [players.length];
}

/* The board as it stands at the start, drawn by the server. */
export function thumbnail(source) {
    const picture = h("img", { src: source, alt: "", loading: "lazy", decoding: "async" });
    picture.addEventListener("error", () => picture.remove());
    return h("div", { class: "thumbnail", "aria-hidden": "true" }, picture);
}

function playersWords(game) {
    if (game.player_counts) return `${countWords(Object.keys(game.player_counts))} players`;
    return game.players.map(capital).join(" · ");
}

function describe(text) {
    const short = text.length > 110 ? `${text.slice(0, text.lastIndexOf(" ", 100))}…` : text;
    if (short === text) return h("p", { class: "description" }, text);
    return h(
        "details",
        { class: "description" },
        h("summary", {}, h("span", {}, `${short}\u00a0`), h("span", { class: "more" }, "more")),
        h("p", {}, text),
    );
}
