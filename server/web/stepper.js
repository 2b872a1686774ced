/* Buttons that step through the game, and where in it one is, counted as the list of moves counts: "4… / 5" stands behind a
 * later move of row 4. */

import { h, setText, svg } from "./dom.js";
import { say } from "./language.js";

const STEPS = {
    first: { label: say("To the start (Home)"), path: "M6 5v14M18 5l-8 7 8 7" },
    previous: { label: say("One move back (left arrow)"), path: "M15 5l-8 7 8 7" },
    next: { label: say("One move forward (right arrow)"), path: "M9 5l8 7-8 7" },
    last: { label: say("To the newest move (End)"), path: "M18 5v14M6 5l8 7-8 7" },
};

export class Stepper {
    constructor({ onStep }) {
        this.buttons = Object.fromEntries(Object.keys(STEPS).map((step) => [step, button(step, onStep)]));
        const { first, previous, next, last } = this.buttons;
        this.place = h("span", { class: "place" });
        this.element = h(
            "div",
            { class: "stepper", role: "group", "aria-label": say("Step through the game") },
            first,
            previous,
            this.place,
            next,
            last,
        );
    }

    /* A button that leads nowhere stays where it is, and keeps the focus. */
    update({ walk, placeOf }) {
        const { at, count } = walk;
        for (const step of ["first", "previous"]) this.buttons[step].setAttribute("aria-disabled", at === 0);
        for (const step of ["next", "last"]) this.buttons[step].setAttribute("aria-disabled", at === count);
        const { number, later } = placeOf(at);
        setText(this.place, count === 0 ? "–" : `${number}${later ? "…" : ""} / ${placeOf(count).number}`);
    }
}

function button(step, onStep) {
    const { label, path } = STEPS[step];
    const icon = svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: path }));
    return h(
        "button",
        { type: "button", "data-step": step, "aria-label": label, title: label, onclick: () => onStep(step) },
        icon,
    );
}
