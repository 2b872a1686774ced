/* Buttons that step through the game, or let it play by itself, and where in it one is, counted as the list of moves counts:
 * "4… / 5" stands behind a later move of row 4. Pressed, it gives a link to there (ply_link.js). */

import { h, setText, svg } from "./dom.js";
import { say } from "./language.js";

const STEPS = {
    first: { label: say("To the start (Home)"), path: "M6 5v14M18 5l-8 7 8 7" },
    previous: { label: say("One move back (left arrow)"), path: "M15 5l-8 7 8 7" },
    next: { label: say("One move forward (right arrow)"), path: "M9 5l8 7-8 7" },
    last: { label: say("To the newest move (End)"), path: "M18 5v14M6 5l8 7-8 7" },
};
const PLAYS = { false: { label: say("Play the moves one after the other"), path: "M8 5l10 7-10 7z" }, true: { label: say("Stop"), path: "M8 6v12M16 6v12" } };
const PACE_MS = 1_000;

export class Stepper {
    #timer = null; /* while it plays by itself */
    #atEnd = true;

    constructor({ onStep, onShare }) {
        this.onStep = onStep;
        this.buttons = Object.fromEntries(Object.keys(STEPS).map((step) => [step, button(step, STEPS[step], onStep)]));
        this.play = button("play", PLAYS.false, () => this.#turn());
        const { first, previous, next, last } = this.buttons;
        this.place = h("button", { type: "button", class: "place", title: say("Copy a link that opens the game at this move"), onclick: onShare });
        this.element = h(
            "div",
            { class: "stepper", role: "group", "aria-label": say("Step through the game") },
            first,
            previous,
            this.place,
            next,
            last,
            this.play,
        );
    }

    #turn() {
        if (this.#timer) return this.stop();
        if (this.play.getAttribute("aria-disabled") === "true") return;
        this.onStep(this.#atEnd ? "first" : "next", true);
        this.#timer = setInterval(() => this.onStep("next", true), PACE_MS);
        this.#show();
    }

    /* A step by hand ends it. */
    stop() {
        if (!this.#timer) return;
        clearInterval(this.#timer);
        this.#timer = null;
        this.#show();
    }

    #show() {
        const { label, path } = PLAYS[this.#timer !== null];
        this.play.querySelector("path").setAttribute("d", path);
        for (const name of ["aria-label", "title"]) this.play.setAttribute(name, label);
    }

    /* A button that leads nowhere stays where it is, and keeps the focus. */
    update({ walk, placeOf, analysis, here }) {
        const { at, count } = walk;
        this.place.disabled = count === 0 || Boolean(analysis ?? here);
        for (const step of ["first", "previous"]) this.buttons[step].setAttribute("aria-disabled", at === 0);
        for (const step of ["next", "last"]) this.buttons[step].setAttribute("aria-disabled", at === count);
        this.play.setAttribute("aria-disabled", count === 0);
        if (at === count) this.stop();
        this.#atEnd = at === count;
        const { number, later } = placeOf(at);
        setText(this.place, count === 0 ? "–" : `${number}${later ? "…" : ""} / ${placeOf(count).number}`);
    }
}

function button(step, { label, path }, onStep) {
    const icon = svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: path }));
    return h(
        "button",
        { type: "button", "data-step": step, "aria-label": label, title: label, onclick: () => onStep(step) },
        icon,
    );
}
