/* The sounds of a game, and what calls a player back to the page (ring.js): here, and from games elsewhere (waiting_games.js). Off until a hand turns it
 * on; this browser remembers. */

import { h, setText } from "./dom.js";
import { say } from "./language.js";

const KEY = "senet.bell";

export class Bell {
    #ring = null; /* promised, once it is on */
    #watched = null; /* the clocks of a room, and whose seats are one's own */

    constructor() {
        const title = say("Sounds of moves and of your turn, and a notice while this page is hidden");
        this.element = h("button", { type: "button", class: "quiet bell", title, onclick: () => this.#turn() });
        this.#show();
        this.#ringer();
    }

    get #on() {
        return localStorage.getItem(KEY) === "on";
    }

    /* Loaded for who wants to hear it; null for who does not. */
    async #ringer() {
        if (!this.#on) return null;
        this.#ring ??= import("./ring.js").then(({ Ring }) => new Ring()).catch(() => (this.#ring = null));
        return this.#ring;
    }

    async #turn() {
        localStorage.setItem(KEY, this.#on ? "off" : "on");
        this.#show();
        if (!this.#on) return (await this.#ring)?.rest();
        const ring = await this.#ringer();
        ring?.play("turn");
        if (this.#watched) ring?.watch(...this.#watched);
        return ring?.askForNotices();
    }

    #show() {
        this.element.setAttribute("aria-pressed", `${this.#on}`);
        setText(this.element, this.#on ? say("Bell on") : say("Bell"));
    }

    /* An event of the room, how it stands since, and its state before. */
    async heard(event, view, before) {
        (await this.#ringer())?.heard(event, view, before);
    }

    async watch(clocks, mine) {
        this.#watched = [clocks, mine];
        (await this.#ringer())?.watch(clocks, mine);
    }

    /* Rows of the lobby: it has become one's turn there. */
    async callTo(rows) {
        (await this.#ringer())?.callTo(rows);
    }

    /* Where other games of one's own are not over, somebody may come to wait in them for a move. `mine`: rows of the lobby; `ask`: promises newer ones;
     * `here`: the room that is on this page. Promises what looks after them, loaded then, or null. */
    async look({ mine, ask, here }) {
        if (!mine.some(({ room, status }) => room !== here && status !== "finished")) return null;
        const { WaitingGames } = (await import("./waiting_games.js").catch(() => null)) ?? {};
        return WaitingGames ? new WaitingGames({ mine, ask, here, onTurn: (rows) => this.callTo(rows) }) : null;
    }
}
