/* Looking for somebody to play with. What this tab looks for is kept from page to page, and said again on every connection: the
 * server forgets it when it ends, or when nobody says it for ten seconds. So one may play the bot meanwhile, and is taken to the room when
 * somebody has been found. The bar says what is looked for, and for how long. */

import { h, replaceChildren, setText } from "./dom.js";
import { say } from "./language.js";
import { nameMember } from "./player_name.js";
import { choosePeopleOnly, wantsPeopleOnly } from "./settings.js";

const KEY = "senet.seek";
const FORGOTTEN_MS = 60_000; /* after so long without a page it is not looked for any more */
const TICK_MS = 1_000;

export class Seeker {
    #connection;
    #notes;
    #storage;
    #wish; /* {title, words, command, since, seen}, or null */
    #round = 0; /* answers to what was said before are of no use */

    /* go(room): somebody has been found. */
    constructor({ connection, notes, storage = sessionStorage, go }) {
        this.#connection = connection;
        this.#notes = notes;
        this.#storage = storage;
        this.go = go;
        this.onBot = null; /* of a page that can open a room against the bot */
        this.#wish = this.#recall();
        this.what = h("p", { role: "status" });
        this.time = h("span", { class: "seek-time" });
        this.choices = h("div", { class: "seek-choices" });
        this.element = h("section", { class: "seek-bar", "aria-label": say("Looking for an opponent"), hidden: true }, this.what, this.time, this.choices);
        setInterval(() => this.#tick(), TICK_MS);
        addEventListener("pagehide", () => this.#tick());
        this.draw();
    }

    /* title: the game's; words: the clock's; terms: of the command; game: what `onBot` is to be told. */
    begin(title, words, terms, game) {
        if (this.#wish) this.#withdraw();
        this.#wish = { title, words, command: { type: "seek", ...terms }, game, since: Date.now(), seen: Date.now() };
        this.#keep();
        this.draw();
        this.#say();
    }

    cancel() {
        this.#withdraw();
        this.#forget();
    }

    /* On a new connection. */
    onWelcome() {
        if (this.#wish) this.#say();
    }

    /* A box for whom to look for, from now on and whatever is looked for now. */
    peopleOnlyBox(onChange) {
        const choose = () => {
            choosePeopleOnly(box.checked);
            this.draw();
            if (this.#wish) this.#say();
            onChange();
        };
        const box = h("input", { type: "checkbox", name: "people-only", checked: wantsPeopleOnly(), onchange: choose });
        return h("label", { class: "check people-only" }, box, say("Play now against people only"));
    }

    #withdraw() {
        this.#round++;
        this.#connection.request({ type: "seek.cancel" }, { once: true }).catch(() => {}); /* without a connection it is gone soon */
    }

    async #say() {
        if (!["online", "offline"].includes(this.#connection.status.is)) return; /* with the next `welcome` */
        const round = ++this.#round;
        try {
            const whom = wantsPeopleOnly() ? { bots: false } : {};
            const { room } = await this.#connection.request({ ...this.#wish.command, ...whom, ...nameMember() }, { once: true });
            if (round !== this.#round) return;
            this.#forget();
            this.go(room);
        } catch (error) {
            if (round !== this.#round || error.code === "disconnected") return; /* it is said again */
            this.#forget();
            if (error.code === "withdrawn") this.#notes.say(say("You look for somebody in another window now."));
            else this.#notes.error(error);
        }
    }

    #recall() {
        try {
            const wish = JSON.parse(this.#storage.getItem(KEY));
            return wish && Date.now() - wish.seen < FORGOTTEN_MS ? wish : null;
        } catch {
            return null;
        }
    }

    #keep() {
        if (this.#wish) this.#storage.setItem(KEY, JSON.stringify(this.#wish));
        else this.#storage.removeItem(KEY);
    }

    #forget() {
        this.#wish = null;
        this.#keep();
        this.draw();
    }

    #tick() {
        if (!this.#wish) return;
        this.#wish.seen = Date.now();
        this.#keep();
        this.#drawTime();
    }

    #drawTime() {
        const seconds = Math.max(0, Math.floor((Date.now() - this.#wish.since) / 1000));
        setText(this.time, `${Math.floor(seconds / 60)}:${`${seconds % 60}`.padStart(2, "0")}`);
    }

    draw() {
        const wish = this.#wish;
        this.element.hidden = wish === null;
        if (!wish) return;
        replaceChildren(this.what, h("span", { class: "seek-words" }, say("Looking for an opponent:"), " "), h("b", {}, wish.title), `, ${wantsPeopleOnly() ? say("{clock}, people only", { clock: wish.words }) : wish.words}`);
        this.#drawTime();
        replaceChildren(
            this.choices,
            this.onBot && wish.game.players.length > 0 && h("button", { type: "button", class: "small seek-bot", onclick: () => this.onBot(wish.game) }, say("Play the bot meanwhile")),
            h("button", { type: "button", class: "small seek-cancel", onclick: () => this.cancel() }, say("Cancel")),
        );
    }
}
