/* Players who have gone: how long the others wait for them, and what they may claim then.
 *
 * The server says who is gone and how long it is until there is a claim; from there this page counts by its own clock. */

import { timeWords } from "./clocks.js";
import { h, refreshChildren, setText } from "./dom.js";
import { parts, say } from "./language.js";
import { named } from "./words.js";

const TICK_MS = 250;

/* What there is to say to whoever holds `mine`: {seat, until, may}, or null. Whoever is to move is waited for; of another one it
 * matters when it is his turn. */
export function absenceOf({ state, mine, analysis, replica }, now) {
    if (state.status !== "playing" || mine.length === 0 || analysis) return null;
    const gone = Object.entries(replica.presence.absent).filter(([seat]) => !mine.includes(seat));
    if (gone.length === 0) return null;
    const [seat, ms] = gone.find(([one]) => one === state.to_move) ?? gone[0];
    const until = replica.presence.at + ms;
    return { seat, until, may: now >= until && seat === state.to_move };
}

export class Absence {
    #view = null;
    #timer = null;
    #shown = "";

    /* element: where it is said. */
    constructor(element, { onClaim }, now = () => performance.now()) {
        this.element = element;
        this.onClaim = onClaim;
        this.now = now;
    }

    update(view) {
        this.#view = view;
        const waits = this.#draw();
        if (waits) this.#timer ??= setInterval(() => this.#draw(), TICK_MS);
        else this.#timer = clearInterval(this.#timer) ?? null;
    }

    /* Returns whether somebody is waited for. The buttons stay the same while they are shown: somebody may be about to press one. */
    #draw() {
        const now = this.now();
        const absence = absenceOf(this.#view, now);
        const two = this.#view.players.length === 2;
        const shown = JSON.stringify([absence?.seat, absence?.may, absence && now >= absence.until, two]);
        if (shown !== this.#shown) refreshChildren(this.element, absence && this.#panel(absence, now, two));
        this.#shown = shown;
        const left = this.element.querySelector(".left");
        if (left) setText(left, timeWords(Math.max(0, absence.until - now)));
        return absence !== null;
    }

    #panel({ seat, until, may }, now, two) {
        const player = named(seat);
        if (now < until)
            return h("p", { class: "offer away" }, parts("{player} has gone. If that lasts, you may claim the game in {time}.", { player, time: h("span", { class: "left", role: "timer" }) }));
        if (!may) return h("p", { class: "offer away" }, say("{player} has gone. Play on: if it is {player}’s turn and nobody comes, you may claim the game.", { player }));
        const claim = (as, words, tone) => h("button", { type: "button", class: `small${tone}`, onclick: () => this.onClaim(as) }, words);
        return h(
            "div",
            { class: "offer asked away", role: "status" },
            h("span", {}, two ? say("{player} has gone. You may wait, or claim the game.", { player }) : say("{player} has gone. You may wait, or end the game.", { player })),
            h("span", { class: "answers" }, two && claim("win", say("Claim the win"), " primary"), claim("draw", two ? say("Claim a draw") : say("End it as a draw"), two ? "" : " primary")),
        );
    }
}
