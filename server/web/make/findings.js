/* What is wrong with the text, as a list: a click (or Enter) leads to the place. */

import { h, replaceChildren } from "../dom.js";
import { capital, say, sayCount } from "../language.js";

const SHOWN_MAX = 100;

export class Findings {
    /* onPick(diagnostic): show it in the text. */
    constructor({ onPick }) {
        this.onPick = onPick;
        this.words = h("p", { role: "status", "aria-live": "polite" });
        this.list = h("ol", {});
        this.element = h("section", { class: "findings", "aria-label": say("What is wrong") }, this.words, this.list);
    }

    show({ valid, diagnostics, busy, trouble }) {
        const errors = diagnostics.filter(({ severity }) => severity !== "warning").length;
        this.words.className = trouble || !valid ? "bad" : "good";
        const words = trouble ?? (busy ? say("Checking…") : verdict(valid, errors, diagnostics.length - errors));
        if (this.words.textContent !== words) this.words.textContent = words;
        replaceChildren(
            this.list,
            diagnostics.slice(0, SHOWN_MAX).map((one) => this.#item(one)),
        );
    }

    #item(diagnostic) {
        const { line, column, pointer, message, hint, severity } = diagnostic;
        return h(
            "li",
            { class: severity },
            h(
                "button",
                { type: "button", class: "place", title: say("Show in the text"), onclick: () => this.onPick(diagnostic) },
                line ? `${line}:${column}` : pointer || "file",
            ),
            h("span", { class: "message" }, capital(message)),
            hint && h("span", { class: "hint" }, hint),
        );
    }
}

function verdict(valid, errors, warnings) {
    if (valid && warnings > 0) return say("This is a game. But:");
    if (valid) return say("This is a game. Nothing to complain about.");
    return sayCount("One thing is wrong:", "{count} things are wrong:", errors);
}
