/* The question before a game is published, and what came of it. */

import { h, setText } from "../dom.js";
import { say } from "../language.js";
import { linkField } from "../share_link.js";

const NAME = "[a-z0-9](?:[a-z0-9]|-(?=[a-z0-9])){2,39}";

/* text: a sound game's; from: what the draft was begun with. Resolves when it is put away. */
export function askPublish({ text, name, from, token, onFault }) {
    const field = h("input", { type: "text", name: "name", required: true, pattern: NAME, maxlength: 40, value: name, spellcheck: "false", autocapitalize: "none" });
    const listed = h("input", { type: "checkbox", name: "listed" });
    const trouble = h("p", { class: "trouble", role: "alert" });
    const publish = h("button", { type: "submit", class: "primary" }, say("Publish"));
    const close = h("button", { type: "button" }, say("Not now"));
    const form = h(
        "form",
        { class: "publish" },
        h("p", {}, say("Everybody with the link can play this version, see its file and make their own from it. It stays as it is; the next one is another version.")),
        h("label", {}, say("Name"), " ", field),
        h("p", { class: "hint" }, say("Lower-case letters, digits and hyphens, 3 to 40. A name belongs to whoever published it first, from this browser.")),
        h("label", { class: "check" }, listed, "List it for everybody in the lobby"),
        trouble,
        h("div", { class: "choices row" }, close, publish),
    );
    const dialog = h("dialog", { class: "dialog", "aria-label": say("Publish") }, h("h2", {}, say("Publish this game")), form);
    return new Promise((resolve) => {
        close.addEventListener("click", () => dialog.close());
        dialog.addEventListener("close", () => (dialog.remove(), resolve()));
        form.addEventListener("submit", async (event) => {
            event.preventDefault();
            publish.disabled = true;
            setText(trouble, "");
            try {
                const { publishGame, rememberName } = await import("../published.js");
                const done = await publishGame(field.value, text, { token: token(), listed: listed.checked, from });
                rememberName(field.value);
                form.replaceWith(doneWith(done, () => dialog.close()));
            } catch (error) {
                setText(trouble, capitalised(error.message));
                onFault(error.diagnostics ?? []);
            }
            publish.disabled = false;
        });
        document.body.append(dialog);
        dialog.showModal();
        field.select();
    });
}

/* A word of the file as a name that may be published; "" when nothing is left of it. */
export function nameFor(word) {
    const name = `${word ?? ""}`.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "").slice(0, 40).replace(/-+$/, "");
    return name.length < 3 ? "" : name;
}

function doneWith({ id, title }, onClose) {
    const close = h("button", { type: "button", onclick: onClose }, say("Write on"));
    return h(
        "div",
        { class: "published-now" },
        h("p", {}, say("{title} is published as {id}.", { title, id })),
        linkField(`${location.origin}/game/${id}`, "Link to this game"),
        h("div", { class: "choices row" }, close, h("a", { class: "button primary", href: `/game/${id}` }, say("Open its page"))),
    );
}

const capitalised = (words) => `${words.charAt(0).toUpperCase()}${words.slice(1)}${/[.!?]$/.test(words) ? "" : "."}`;
