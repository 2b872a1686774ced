/* "Continue on another device": a link, written and as a picture to point a camera at, that hands one's seats over.
 *
 * The key in it is shown here once. It stands behind the # of the address, which browsers keep to themselves. */

import { ask } from "./dialogs.js";
import { h, replaceChildren } from "./dom.js";
import { say } from "./language.js";
import { linkField } from "./share_link.js";
import { errorWords } from "./words.js";

/* askKey() is a promise of the server's answer; the dialog goes away when `signal` is aborted. */
export async function showDevice({ room, askKey, signal }) {
    const place = h("div", { class: "device-link", "aria-live": "polite", "aria-busy": "true" });
    const body = [
        h("p", {}, say("Open this link on the other device: your seat goes there, and this page can only watch then.")),
        place,
        h("p", { class: "hint" }, say("It works once, for whoever opens it first. Asking again makes a new one, and the old one worthless.")),
        isLocal() && h("p", { class: "hint" }, say("Another machine does not know this one as “{host}”: put its address in the network there.", { host: location.hostname })),
    ].filter(Boolean);
    const asked = ask({ title: say("Continue on another device"), body, choices: [{ label: say("Close"), value: null }], signal });
    fill(place, room, askKey);
    return asked;
}

function isLocal() {
    return /^(localhost|127\..*|\[::1\])$/.test(location.hostname);
}

async function fill(place, room, askKey) {
    try {
        const { key } = await askKey();
        const address = `${location.origin}/room/${encodeURIComponent(room)}#key=${key}`;
        const picture = h("div", { class: "qr" });
        replaceChildren(place, picture, linkField(address, say("Link that takes over your seat")));
        picture.append(await qrImage(address));
    } catch (error) {
        replaceChildren(place, h("p", { class: "bad" }, errorWords(error)));
    }
    place.removeAttribute("aria-busy");
}

/* The server draws it. Without a picture there is still the link. */
async function qrImage(text) {
    const response = await fetch("/api/v1/qr", { method: "POST", headers: { "Content-Type": "text/plain" }, body: text });
    if (!response.ok) return h("p", { class: "hint" }, say("There is no picture of it just now; the link works all the same."));
    const source = `data:image/svg+xml,${encodeURIComponent(await response.text())}`;
    return h("img", { src: source, alt: say("The link as a QR code"), width: 220, height: 220 });
}
