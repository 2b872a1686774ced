/* An address, and a button that copies it. */

import { h } from "./dom.js";
import { say } from "./language.js";

const COPIED_MS = 1_800;

export function roomAddress(room) {
    return `${location.origin}/room/${encodeURIComponent(room)}`;
}

/* onPicture(): the address is wanted as a QR code. */
export function shareLink(room, onPicture) {
    const name = say("Show the link as a QR code");
    const field = linkField(roomAddress(room), say("Link to this room"));
    field.append(h("button", { type: "button", class: "show-qr", "aria-label": name, title: name, onclick: onPicture }, say("QR")));
    return field;
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
