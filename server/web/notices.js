/* What the page says on its own account: a banner while the connection is not there, and passing notes. */

import { h, replaceChildren, setText } from "./dom.js";
import { say } from "./language.js";
import { errorWords } from "./words.js";

const NOTE_LASTS_MS = 6_000;
const NOTES_MAX = 4;

/* Notes are read out by screen readers, the newest at the bottom. */
export class Notes {
    constructor() {
        this.element = h("div", { class: "notes", role: "status", "aria-live": "polite" });
    }

    say(text, tone = "plain") {
        const note = h("p", { class: `note ${tone}` }, text);
        this.element.append(note);
        while (this.element.children.length > NOTES_MAX) this.element.firstChild.remove();
        setTimeout(() => note.remove(), NOTE_LASTS_MS);
    }

    error(error) {
        this.say(errorWords(error), "bad");
    }
}

export class ConnectionBanner {
    #timer = 0;

    /* onRetry: connect now. onTakeOver: continue here, and no longer in the other window or device. */
    constructor({ onRetry, onTakeOver }) {
        this.onRetry = onRetry;
        this.onTakeOver = onTakeOver;
        this.element = h("div", { class: "banner", role: "alert", hidden: true });
    }

    show(status) {
        clearInterval(this.#timer);
        if (status.is === "online") this.element.hidden = true;
        else if (status.is === "waiting") this.#countDown(status.until);
        else if (status.is === "offline")
            this.#fill(say("You are offline. What you do is kept, and sent when you are back."));
        else if (status.is === "replaced") this.#replaced(status.handedOver);
        else if (status.is === "unavailable")
            this.#fill(say("The server cannot store anything just now. Nothing is lost: it is tried again…"));
        else if (status.is === "gone") this.#fill(say("This room is not there any more."));
        else if (!this.element.hidden) this.#fill(say("Connection lost: reconnecting…"));
    }

    /* Nothing but a hand comes back from there: two pages that did it by themselves would replace each other for ever. */
    #replaced(handedOver) {
        if (handedOver) this.#fill(say("You play this game on another device now."), say("Watch it here"), this.onTakeOver);
        else this.#fill(say("You are playing in another window or device."), say("Take the seat back"), this.onTakeOver);
    }

    #countDown(until) {
        const text = this.#fill("", say("Try now"), this.onRetry);
        const tick = () => {
            const seconds = Math.max(0, Math.ceil((until - Date.now()) / 1000));
            setText(
                text,
                seconds === 0 ? say("Connection lost: reconnecting…") : say("Connection lost: reconnecting in {seconds}\u00a0s", { seconds }),
            );
        };
        tick();
        this.#timer = setInterval(tick, 250);
    }

    #fill(words, label, action) {
        const text = h("span", {}, words);
        replaceChildren(
            this.element,
            text,
            label && h("button", { type: "button", class: "small", onclick: action }, label),
        );
        this.element.hidden = false;
        return text;
    }
}
