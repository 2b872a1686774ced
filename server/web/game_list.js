/* The games as cards, and what is wanted of them: words, and how many play. The cards stay in the server's order. */

import { h, replaceChildren, setText } from "./dom.js";
import { say } from "./language.js";
import { countsOf } from "./play_now.js";

export class GameList {
    #cards = [];

    /* beside: what else there is to choose. */
    constructor(beside) {
        this.search = h("input", {
            type: "search",
            placeholder: say("Search games"),
            "aria-label": say("Search games"),
            oninput: () => this.#filter(),
        });
        this.players = h("div", { class: "filters", role: "group", "aria-label": say("Number of players") });
        this.cards = h("div", { class: "game-cards" });
        this.found = h("p", { class: "empty", role: "status", hidden: true });
        this.element = h(
            "section",
            { class: "games" },
            h("div", { class: "games-head" }, h("h2", {}, say("Games")), this.players, beside, this.search),
            this.cards,
            this.found,
        );
    }

    show(cards) {
        this.#cards = cards;
        replaceChildren(
            this.cards,
            cards.map((card) => card.element),
        );
        const several = cards.some(({ game }) => countsOf(game).some((count) => count > 2));
        this.players.hidden = !several;
        replaceChildren(this.players, several && FILTERS.map(([value, label]) => this.#choice(value, label)));
        this.#filter();
    }

    /* hosts: game id → the name of who waits there; seeks: what others look for. */
    showOthers(hosts, seeks) {
        for (const card of this.#cards)
            card.showOthers(
                hosts.get(card.game.id) ?? null,
                seeks.filter((seek) => seek.game === card.game.id),
            );
    }

    find(game) {
        return this.#cards.find((card) => card.game.id === game)?.game;
    }

    #choice(value, label) {
        return h(
            "label",
            { class: "chip" },
            h("input", { type: "radio", name: "players-wanted", value, checked: value === "any", onchange: () => this.#filter() }),
            h("span", {}, label),
        );
    }

    #filter() {
        const players = this.players.querySelector("input:checked")?.value ?? "any";
        let shown = 0;
        for (const card of this.#cards) {
            card.element.hidden = !card.matches(this.search.value, players);
            shown += !card.element.hidden;
        }
        this.found.hidden = shown > 0 || this.#cards.length === 0;
        setText(this.found, this.found.hidden ? "" : say("No game here is called that. You can make it: a game is one file."));
    }
}

const FILTERS = [
    ["any", say("All")],
    ["two", say("For two")],
    ["more", say("For more")],
];
