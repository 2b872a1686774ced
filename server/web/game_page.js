/* The page of a game that somebody published: what it is, ways to play it, its source and where it comes from. */

import { h, replaceChildren } from "./dom.js";
import { askNewRoom } from "./new_room.js";
import { openRoom } from "./open_room.js";
import { readGame } from "./published.js";
import { linkField } from "./share_link.js";
import { capital, countWords } from "./words.js";

const WAYS = [
    ["friend", "Play a friend", "primary"],
    ["bot", "Play the bot", ""],
    ["screen", "One screen", ""],
];

export class GamePage {
    #connection;
    #notes;
    #id;

    constructor({ connection, notes, id }) {
        this.#connection = connection;
        this.#notes = notes;
        this.#id = id;
        this.element = h("div", { class: "published-game", "aria-busy": "true" }, h("p", { class: "empty" }, "One moment…"));
        this.#load();
    }

    onWelcome() {}

    onFrame(frame) {
        if (frame.type === "error") this.#notes.error(frame);
    }

    async #load() {
        try {
            this.#show(await readGame(this.#id));
        } catch (error) {
            this.#say(error.status === 404 ? "There is no such game." : error.message);
        }
        this.element.removeAttribute("aria-busy");
    }

    #say(words) {
        replaceChildren(this.element, h("h1", {}, this.#id), h("p", { class: "empty" }, words));
    }

    #show(game) {
        if (game.hidden || !game.definition) return this.#say("This game was taken down by whoever runs this server.");
        document.title = `${game.title} · Senet`;
        const { description } = game.definition;
        const ways = WAYS.map(([way, label, tone]) => h("button", { type: "button", class: tone, "data-way": way, onclick: () => this.#play(game, way) }, label));
        return replaceChildren(
            this.element,
            h("h1", {}, game.title),
            h("p", { class: "players" }, playersWords(game), " · ", h("span", { class: "version" }, versionWords(game))),
            typeof description === "string" && h("p", { class: "about-game" }, description),
            h("div", { class: "ways" }, ways),
            linkField(`${location.origin}/game/${game.id}`, "Link to this game"),
            h(
                "ul",
                { class: "more-of-it" },
                h("li", {}, h("a", { href: `/make?game=${encodeURIComponent(game.id)}`, "data-make": "" }, "Make your own from it")),
                h("li", {}, h("button", { type: "button", class: "link", onclick: () => save(game) }, "Download the file")),
                game.from && h("li", {}, "Made from ", origin(game.from)),
                ...versionLinks(game),
            ),
        );
    }

    async #play(game, way) {
        const { definition, title, players } = game;
        const wish = await askNewRoom({ title, description: definition.description, players, player_counts: definition.player_counts }, way);
        if (!wish) return;
        try {
            location.assign(`/room/${await openRoom(this.#connection, { game: game.id }, wish)}`);
        } catch (error) {
            this.#notes.error(error);
        }
    }
}

function playersWords({ players, definition }) {
    if (definition.player_counts) return `${countWords(Object.keys(definition.player_counts))} players`;
    return players.map(capital).join(" · ");
}

function versionWords({ name, version, versions, published_at }) {
    const day = new Date(published_at).toLocaleDateString(undefined, { dateStyle: "medium" });
    return `${name}, version ${version}${versions > version ? ` of ${versions}` : ""}, ${day}`;
}

/* A game of the server's own has no page. */
function origin(from) {
    return from.includes("@") ? h("a", { href: `/game/${from}` }, from) : from;
}

function versionLinks({ name, version, versions }) {
    const others = [version - 1, versions > version ? versions : 0].filter((other) => other > 0);
    return others.map((other) => h("li", {}, h("a", { href: `/game/${name}@${other}` }, other > version ? `The newest version, ${other}` : `The version before, ${other}`)));
}

function save({ name, version, text }) {
    const url = URL.createObjectURL(new Blob([text], { type: "application/json" }));
    h("a", { href: url, download: `${name}-${version}.json` }).click();
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
