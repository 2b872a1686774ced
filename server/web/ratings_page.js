/* The best players of a game at a speed. */

import { h, replaceChildren } from "./dom.js";
import { capital, say } from "./language.js";
import { languageMember } from "./language_choice.js";
import { showNothing } from "./nothing_here.js";
import { ratingWords, readRatings, SPEEDS, speedWords } from "./ratings.js";
import { playerWord } from "./words.js";

export class RatingsPage {
    #connection;
    #notes;
    #game;
    #speed;

    constructor({ connection, notes, game, speed }) {
        this.#connection = connection;
        this.#notes = notes;
        this.#game = game;
        this.#speed = speed;
        this.title = h("h1", {}, say("Ratings"));
        this.games = h("select", { "aria-label": say("The game"), onchange: () => location.assign(`/ratings/${this.games.value}/${this.#speed}`) });
        this.table = h("div", { class: "ladder", "aria-busy": "true" });
        this.element = h(
            "div",
            { class: "ratings-page" },
            this.title,
            this.games,
            h(
                "nav",
                { class: "speeds", "aria-label": say("How fast") },
                SPEEDS.map((other) => h("a", { href: `/ratings/${game}/${other}`, ...(other === speed ? { "aria-current": "page" } : {}) }, capital(speedWords(other)))),
            ),
            this.table,
            h("p", { class: "about-ratings" }, say("Rated games are between two with the same clock, and count by Glicko-2. A browser is a player: there is no account, and a seat's key moves the rating to another device. Who has played few rated games, or none for long, has a question mark and is not listed.")),
        );
        this.#load();
    }

    async onWelcome() {
        try {
            const { games } = await this.#connection.request({ type: "games", op: "list", ...languageMember }, { once: true });
            const two = games.filter(({ players, player_counts: counts }) => (counts ? "2" in counts : players.length === 2));
            replaceChildren(
                this.games,
                two.map(({ id, title }) => h("option", { value: id, selected: id === this.#game }, title)),
            );
            const title = games.find(({ id }) => id === this.#game)?.title;
            if (title) replaceChildren(this.title, `${title}, ${speedWords(this.#speed)}`);
            if (title) document.title = `${title}, ${speedWords(this.#speed)} · Senet`;
        } catch (error) {
            if (error.code !== "disconnected") this.#notes.error(error);
        }
    }

    onFrame(frame) {
        if (frame.type === "error") this.#notes.error(frame);
    }

    async #load() {
        try {
            const { players } = await readRatings(this.#game, this.#speed);
            replaceChildren(this.table, players.length > 0 ? table(players, this.#connection.player) : h("p", { class: "empty" }, say("Nobody's rating is certain yet: it takes a dozen rated games.")));
        } catch (error) {
            if (error.status === 404) showNothing(this.element, say("There is no such ladder"), say("The address may have been cut short, or mistyped."));
            else replaceChildren(this.table, h("p", { class: "empty" }, error.message));
        }
        this.table.removeAttribute("aria-busy");
    }
}

const GAMES = 3; /* that column and those before it are shown on a phone, too */

function table(players, mine) {
    const heads = ["", say("Player"), say("Rating"), say("Games"), say("Won"), say("Drawn"), say("Lost")];
    return h(
        "table",
        {},
        h("thead", {}, h("tr", {}, heads.map((head, i) => h("th", { scope: "col", class: i > GAMES ? "wide" : "" }, head)))),
        h(
            "tbody",
            {},
            players.map((player, i) =>
                h(
                    "tr",
                    { class: player.player === mine ? "you" : "", "data-player": player.player },
                    h("td", {}, `${i + 1}`),
                    h("th", { scope: "row" }, playerWord(player.name), " ", player.as === "bot" && h("span", { class: "tag" }, say("bot"))),
                    h("td", { class: "rating" }, ratingWords(player)),
                    h("td", {}, `${player.games}`),
                    [player.won, player.drawn, player.lost].map((count) => h("td", { class: "wide" }, `${count}`)),
                ),
            ),
        ),
    );
}
