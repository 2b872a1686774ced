/* An address, and a button that copies it. */

import { h } from "./dom.js";
import { say } from "./language.js";

const COPIED_MS = 1_800;

export function shareLink(room) {
    return linkField(`${location.origin}/room/${room}`, say("Link to this room"));
}

export function linkField(address, label, verb = say("Copy link")) {
    const input = h("input", {
        type: "text",
        readonly: true,
        value: address,
        class: "share-address",
        "aria-label": label,
    });
    input.addEventListener("focus", () => input.select());
    const button = h("button", { type: "button", class: "primary" }, verb);
    button.addEventListener("click", async () => {
        const copied = await copy(address, input);
        button.textContent = copied ? say("Copied") : say("Press Ctrl+C");
        setTimeout(() => (button.textContent = verb), COPIED_MS);
    });
    return h("div", { class: "share" }, input, button);
}

/* The clipboard is closed to pages without TLS; the selected text is the next best thing. */
async function copy(text, input) {
    try {
        await navigator.clipboard.writeText(text);
        return true;
    } catch {
        input.focus();
        input.select();
        return document.execCommand("copy");
    }
}
