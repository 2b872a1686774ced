/* The name a player goes by, kept in the browser; the server knows players by their tokens. */

import { h } from "./dom.js";
import { say } from "./language.js";

const KEY = "senet.name";
const BYTES_MAX = 40;

export function playerName() {
    return localStorage.getItem(KEY) ?? "";
}

/* As a member of `join`: absent when there is no name. */
export function nameMember() {
    const name = playerName();
    return name ? { name } : {};
}

export function nameField() {
    const input = h("input", {
        type: "text",
        name: "name",
        value: playerName(),
        placeholder: say("Guest"),
        autocomplete: "nickname",
        maxlength: BYTES_MAX,
    });
    input.addEventListener("input", () => remember(input.value));
    return h("label", { class: "field" }, h("span", {}, say("Your name")), input);
}

function remember(text) {
    const name = clip(text.replace(/[\u0000-\u001f\u007f-\u009f]/g, "").trim());
    if (name) localStorage.setItem(KEY, name);
    else localStorage.removeItem(KEY);
}

/* The server counts bytes, and no letter may be cut in two. */
function clip(text) {
    const letters = [...text];
    while (new TextEncoder().encode(letters.join("")).length > BYTES_MAX) letters.pop();
    return letters.join("");
}
