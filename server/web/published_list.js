/* In the lobby: games that players have published and listed, the newest first. Loaded when somebody comes near: most visitors look at the
 * games above. */

import { h } from "./dom.js";
import { say } from "./language.js";
import { PlayNow, thumbnail } from "./play_now.js";
import { listGames, pictureOf } from "./published.js";
import { named } from "./words.js";

export class PublishedList {
    #next;
    #nows = [];

    /* onShown(): there are more of them than before. */
    constructor({ notes, seeker, onShown }) {
        this.notes = notes;
        this.seeker = seeker;
        this.onShown = onShown;
        this.list = h("ul", { class: "published" });
        this.none = h("p", { class: "empty", hidden: true }, say("Nobody has listed a game yet."), " ", h("a", { href: "/make" }, say("Make one")));
        this.more = h("button", { type: "button", hidden: true, onclick: () => this.#load() }, say("Older ones"));
        this.elements = [this.list, this.none, this.more];
        this.#load();
    }

    /* seeks: what others look for. */
    showOthers(seeks) {
        for (const now of this.#nows) now.showOthers(seeks);
    }

    async #load() {
        try {
            const { games, next } = await listGames(this.#next);
            this.#next = next;
            this.list.append(...games.map((game) => this.#entry(game)));
            this.more.hidden = next === undefined;
            this.none.hidden = this.list.children.length > 0;
            this.onShown();
        } catch (error) {
            this.notes.say(error.message, "bad");
        }
    }

    #entry(game) {
        const { id, name, title, players } = game;
        const now = new PlayNow(game, this.seeker, {});
        this.#nows.push(now);
        return h(
            "li",
            { "data-game": id },
            thumbnail(pictureOf(id)),
            h("div", { class: "about" }, h("a", { href: `/game/${id}` }, h("strong", {}, title)), h("small", {}, `${players.map((player) => named(player)).join(" · ")} · ${name}`)),
            players.length > 1 && h("div", { class: "play-now" }, now.elements),
        );
    }
}
