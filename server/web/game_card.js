/* One game that the server offers, with the ways to begin it. */

import { h, setText } from "./dom.js";
import { fileUrl } from "./files.js";
import { howLink } from "./how_link.js";
import { say } from "./language.js";
import { sameClock, USUAL_TIMES } from "./times.js";
import { countWords, named } from "./words.js";

export class GameCard {
    /* onPlay("friend" | "bot" | "screen"); onSeek(a row of USUAL_TIMES); onRated(); onHost(): with who waits in a room. */
    constructor(game, { onPlay, onSeek, onRated, onHost, onLearn }) {
        this.game = game;
        this.host = h("button", { type: "button", class: "link with", "data-way": "host", hidden: true, onclick: onHost });
        this.times = USUAL_TIMES.map((time) => h("button", { type: "button", class: "primary", "data-way": "seek", "data-time": time[0], onclick: () => onSeek(time) }, time[1]));
        const rated = countsOf(game).includes(2) && game.players.length === 2 && h("button", { type: "button", class: "link", "data-way": "rated", onclick: onRated }, say("rated"));
        const label = `now-${game.id}`;
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
                h("p", { class: "now" }, h("span", { id: label }, say("Play now")), this.host, rated),
                h("div", { class: "times", role: "group", "aria-labelledby": label }, this.times),
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
        for (const [i, [, , time]] of USUAL_TIMES.entries()) {
            const somebody = seeks.find((seek) => !seek.rated && sameClock(seek.clock, time.clock));
            this.times[i].classList.toggle("awaited", somebody !== undefined);
            this.times[i].title = somebody ? say("{name} looks for this", { name: somebody.name || say("Somebody") }) : "";
        }
    }

    /* With how many a stranger is looked for: as few as may be. */
    get seekTerms() {
        const counts = countsOf(this.game);
        const fewest = Math.min(...counts.filter((count) => count > 1), this.game.players.length);
        return { game: this.game.id, ...(fewest < this.game.players.length ? { players: fewest } : {}) };
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
