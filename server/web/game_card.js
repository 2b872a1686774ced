/* One game that the server offers, with the ways to begin it. */

import { h, setText } from "./dom.js";
import { fileUrl } from "./files.js";
import { howLink } from "./how_link.js";
import { say } from "./language.js";
import { countsOf, PlayNow, thumbnail } from "./play_now.js";
import { countWords, named } from "./words.js";

export class GameCard {
    /* onPlay("friend" | "bot" | "screen"); onHost(): with who waits in a room. */
    constructor(game, { seeker, onPlay, onHost, onLearn }) {
        this.game = game;
        this.host = h("button", { type: "button", class: "link with", "data-way": "host", hidden: true, onclick: onHost });
        this.now = new PlayNow(game, seeker, { mayRate: true, beside: this.host });
        const way = (name, label) => h("button", { type: "button", "data-way": name, onclick: () => onPlay(name) }, label);
        this.element = h(
            "article",
            { class: "game-card", "data-game": game.id, "aria-label": game.title },
            thumbnail(fileUrl(`/games/${game.id}.board.svg`)),
            h(
                "div",
                { class: "about" },
                h("h3", {}, h("a", { href: `/game/${game.id}` }, game.title)),
                h("p", { class: "players" }, h("span", {}, playersWords(game)), howLink(onLearn)),
                describe(game.description ?? ""),
            ),
            h(
                "div",
                { class: "ways" },
                this.now.elements,
                way("friend", say("Play a friend")),
                way("bot", say("Play the bot")),
                way("screen", say("One screen")),
            ),
        );
    }

    /* host: the name of somebody who waits in a room, or null; seeks: what others look for in this game. */
    showOthers(host, seeks) {
        this.element.classList.toggle("awaited", host !== null || seeks.length > 0);
        this.host.hidden = host === null;
        setText(this.host, host === null ? "" : host ? say("with {name}", { name: host }) : say("with somebody who waits"));
        this.now.showOthers(seeks);
    }

    matches(wanted, players) {
        const { title, description = "", id } = this.game;
        const text = `${title} ${description} ${id}`.toLowerCase();
        const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
        return words.every((word) => text.includes(word)) && (players === "any" || countsOf(this.game).some((count) => (players === "two" ? count === 2 : count > 2)));
    }
}

function playersWords(game) {
    if (game.player_counts) return countWords(Object.keys(game.player_counts));
    return game.players.map((player) => named(player, game.words)).join(" · ");
}

function describe(text) {
    const short = text.length > 110 ? `${text.slice(0, text.lastIndexOf(" ", 100))}…` : text;
    if (short === text) return h("p", { class: "description" }, text);
    return h(
        "details",
        { class: "description" },
        h("summary", {}, h("span", {}, `${short}\u00a0`), h("span", { class: "more" }, say("more"))),
        h("p", {}, text),
    );
}
