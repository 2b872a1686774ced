/* Calls a player back to the page when it is their turn, somebody has come or the game is over (ring.js). Off until a hand turns it on;
 * this browser remembers. */

import { h } from "./dom.js";
import { say } from "./language.js";
import { gameTitle, named, resultWords } from "./words.js";

const KEY = "senet.bell";

export class Bell {
    constructor() {
        this.element = h(
            "button",
            { type: "button", class: "quiet bell", title: say("A sound when it is your turn, and a notice while this page is hidden"), onclick: () => this.#turn() },
            say("Bell"),
        );
        this.#show();
        if (this.#on) ringer();
    }

    get #on() {
        return localStorage.getItem(KEY) === "on";
    }

    /* What the browser asks about, it asks after a click. */
    async #turn() {
        localStorage.setItem(KEY, this.#on ? "off" : "on");
        this.#show();
        if (!this.#on) return;
        const rings = await ringer();
        rings?.play();
        await rings?.askForNotices();
    }

    #show() {
        this.element.setAttribute("aria-pressed", `${this.#on}`);
    }

    /* An event of the room, and how it stands since. Whoever plays all sides needs no bell. */
    async heard(event, view) {
        const { replica } = view;
        this.update(view);
        const words = this.#on && !this.element.hidden && wordsOf(event, view);
        if (!words) return;
        const rings = await ringer();
        rings?.play();
        if (document.visibilityState === "hidden") rings?.notify(gameTitle(replica) || "Senet", words, replica.room);
    }

    update({ mine, players }) {
        this.element.hidden = mine.length === 0 || mine.length === players.length;
    }
}

function wordsOf(event, { state, mine, myTurn, players }) {
    const others = !mine.includes(event.seat);
    if (state.status === "finished") return others && event.patch?.status ? resultWords(state.result ?? {}, mine, players).title : null;
    if (event.kind === "joined" && others) return event.seat ? say("{name} plays {player}", { name: event.name || say("A guest"), player: named(event.seat) }) : say("{name} plays", { name: event.name || say("A guest") });
    return event.kind === "moved" && others && myTurn ? say("It is your turn") : null;
}

/* Loaded for who wants to hear it. */
const ringer = () => import("./ring.js").catch(() => null);
