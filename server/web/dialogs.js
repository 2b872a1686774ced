/* Questions that stop everything else: each returns a promise of the answer, null when it was put away. */

import { h } from "./dom.js";
import { say } from "./language.js";

/* choices: [{label, value, tone?, picture?}]; `body` are nodes above them, `foot` below. Aborting `signal` puts the question away. */
export function ask({ title, body = [], choices, foot = [], layout = "row", signal }) {
    return new Promise((resolve) => {
        const dialog = h("dialog", { class: "dialog", "aria-label": title });
        const answer = (value) => {
            dialog.close();
            dialog.remove();
            resolve(value);
        };
        const buttons = choices.map((choice) =>
            h(
                "button",
                { type: "button", class: choice.tone ?? "", onclick: () => answer(choice.value) },
                choice.picture,
                choice.label,
            ),
        );
        dialog.append(h("h2", {}, title), ...body, h("div", { class: `choices ${layout}` }, buttons), ...foot);
        dialog.addEventListener(
            "submit",
            (event) => (event.preventDefault(), answer(choices.at(-1).value)),
        ); /* Enter in a field */
        signal?.addEventListener("abort", () => answer(null), { once: true });
        dialog.addEventListener("cancel", () => answer(null));
        dialog.addEventListener("click", (event) => event.target === dialog && answer(null));
        document.body.append(dialog);
        dialog.showModal();
    });
}

export async function confirm(title, words, label) {
    const body = [h("p", {}, words)];
    const choices = [
        { label: say("Cancel"), value: false },
        { label, value: true, tone: "danger" },
    ];
    return (await ask({ title, body, choices })) === true;
}
