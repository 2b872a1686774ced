/* In the lobby: games that players have published and listed, the newest first. Asked for when somebody comes near: most visitors look at
 * the games above. */

import { h } from "./dom.js";
import { thumbnail } from "./game_card.js";
import { say } from "./language.js";
import { listGames, pictureOf } from "./published.js";
import { named } from "./words.js";

const NEAR = "300px";

export class PublishedList {
    #next;

    constructor({ notes }) {
        this.notes = notes;
        this.list = h("ul", { class: "published" });
        this.none = h("p", { class: "empty", hidden: true }, say("Nobody has listed a game yet."), " ", h("a", { href: "/make" }, say("Make one")));
        this.more = h("button", { type: "button", hidden: true, onclick: () => this.#load() }, say("Older ones"));
        this.element = h("section", { class: "published-games" }, h("h2", {}, say("Games by players")), this.list, this.none, this.more);
    }

    /* From now on: what stands above is there. */
    watch() {
        const observer = new IntersectionObserver(
            (entries) => {
                if (!entries.some((entry) => entry.isIntersecting)) return;
                observer.disconnect();
                this.#load();
            },
            { rootMargin: NEAR },
        );
        observer.observe(this.element);
    }

    async #load() {
        try {
            const { games, next } = await listGames(this.#next);
            this.#next = next;
            this.list.append(...games.map(entry));
            this.more.hidden = next === undefined;
            this.none.hidden = this.list.children.length > 0;
        } catch (error) {
            this.notes.say(error.message, "bad");
        }
    }
}

function entry({ id, name, title, players }) {
    return h(
        "li",
        {},
        thumbnail(pictureOf(id)),
        h("div", { class: "about" }, h("a", { href: `/game/${id}` }, h("strong", {}, title)), h("small", {}, `${players.map((player) => named(player)).join(" · ")} · ${name}`)),
    );
}
