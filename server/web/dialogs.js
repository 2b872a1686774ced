/* Questions that stop everything else: each returns a promise of the answer, null when it was put away. */

import { h, setText } from "./dom.js";
import { say } from "./language.js";

/* choices: [{label, value, tone?, picture?}]; `body` are nodes above them, `foot` below. Aborting `signal` puts the question away.
 * attempt(): does what was asked about before the question is put away; promises null, or words why it cannot be done, which are said in place. */
export function ask({ title, body = [], choices, foot = [], layout = "row", signal, attempt }) {
    return new Promise((resolve) => {
        const dialog = h("dialog", { class: "dialog", "aria-label": title });
        const answer = (value) => {
            dialog.close();
            dialog.remove();
            resolve(value);
        };
        const problem = h("p", { class: "problem", role: "alert" });
        const choose = async (value) => {
            if (!attempt || !value) return answer(value);
            if (dialog.ariaBusy === "true") return undefined;
            dialog.ariaBusy = "true";
            const words = await attempt();
            dialog.ariaBusy = "false";
            if (words === null) return answer(value);
            return setText(problem, words);
        };
        const tiled = layout.startsWith("tiles"); /* which may scroll, and what scrolls would have the focus instead */
        const buttons = choices.map((choice, at) =>
            h(
                "button",
                { type: "button", class: choice.tone ?? "", autofocus: tiled && at === 0, onclick: () => choose(choice.value) },
                choice.picture,
                choice.label,
            ),
        );
        dialog.append(h("h2", {}, title), ...body, problem, h("div", { class: `choices ${layout}` }, buttons), ...foot);
        dialog.addEventListener(
            "submit",
            (event) => (event.preventDefault(), choose(choices.at(-1).value)),
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
