/* "Play now": whoever presses a clock plays with who looks for the same, or looks for somebody. Other clocks, and rated games, are asked about
 * first. And what else a game is shown with wherever it can be begun: with how many, its board. */

import { h } from "./dom.js";
import { say } from "./language.js";
import { sameClock, USUAL_TIMES } from "./times.js";

export class PlayNow {
    #game;
    #seeker;

    /* game: {id, title, players, player_counts, words}; mayRate: whether it is one of the server's own; beside: what else there is to press. */
    constructor(game, seeker, { mayRate, beside }) {
        this.#game = game;
        this.#seeker = seeker;
        this.times = USUAL_TIMES.map((time) => h("button", { type: "button", class: "primary", "data-way": "seek", "data-time": time[0], onclick: () => this.#begin(time) }, time[1]));
        const asked = (way, words) => h("button", { type: "button", class: "link", "data-way": way, onclick: () => this.#ask(way === "rated") }, words);
        const label = `now-${game.id}`;
        this.elements = [
            h("p", { class: "now" }, h("span", { id: label }, say("Play now")), beside, asked("clock", say("other clock")), mayRate && game.players.length === 2 && countsOf(game).includes(2) && asked("rated", say("rated"))),
            h("div", { class: "times", role: "group", "aria-labelledby": label }, this.times),
        ];
    }

    /* seeks: what others look for. */
    showOthers(seeks) {
        const others = seeks.filter(({ game }) => game === this.#game.id);
        for (const [i, [, , time]] of USUAL_TIMES.entries()) {
            const somebody = others.find((seek) => !seek.rated && sameClock(seek.clock, time.clock));
            this.times[i].classList.toggle("awaited", somebody !== undefined);
            this.times[i].title = somebody ? say("{name} looks for this", { name: somebody.name || say("Somebody") }) : "";
        }
    }

    /* With how many a stranger is looked for: as few as may be. */
    get #seats() {
        const { players, player_counts } = this.#game;
        return player_counts?.[Math.min(...countsOf(this.#game).filter((count) => count > 1), players.length)] ?? players;
    }

    #look(words, terms) {
        const { id, title, players } = this.#game;
        const count = this.#seats.length;
        this.#seeker.begin(title, words, { game: id, ...(count < players.length && { players: count }), ...terms }, { id, players });
    }

    #begin([, label, time]) {
        this.#look(time.clock ? label : say("no clock"), time);
    }

    async #ask(rated) {
        const { askSeek } = await import("./ask_seek.js");
        const wish = await askSeek(this.#game, { seats: this.#seats, rated });
        if (wish) this.#look(wish.words, wish.terms);
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
