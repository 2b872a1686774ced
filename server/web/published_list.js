/* In the lobby: games that players have published and listed, the newest first. */

import { h, replaceChildren } from "./dom.js";
import { listGames } from "./published.js";
import { capital } from "./words.js";

export class PublishedList {
    #next;

    constructor({ notes }) {
        this.notes = notes;
        this.list = h("ul", { class: "published" });
        this.more = h("button", { type: "button", hidden: true, onclick: () => this.load() }, "Older ones");
        this.element = h("section", { class: "published-games", hidden: true }, h("h2", {}, "Games by players"), this.list, this.more);
    }

    async load() {
        try {
            const { games, next } = await listGames(this.#next);
            this.#next = next;
            this.list.append(...games.map(entry));
            this.more.hidden = next === undefined;
            this.element.hidden = this.list.children.length === 0;
        } catch (error) {
            this.notes.say(error.message, "bad");
        }
    }

    /* From the beginning. */
    reload() {
        this.#next = undefined;
        replaceChildren(this.list);
        return this.load();
    }
}

function entry({ id, name, title, players }) {
    return h("li", {}, h("a", { href: `/game/${id}` }, h("strong", {}, title)), h("small", {}, ` ${players.map(capital).join(" · ")} · ${name}`));
}
