/* A link for another device, written and as a picture to point a camera at: the invitation to a room, and "Continue on another
 * device", which hands one's seats over. The key in that one is shown here once. It stands behind the # of the address, which
 * browsers keep to themselves. */

import { ask } from "./dialogs.js";
import { h, replaceChildren } from "./dom.js";
import { say } from "./language.js";
import { linkField, roomAddress } from "./share_link.js";
import { errorWords } from "./words.js";

/* The dialogs go away when `signal` is aborted. */
export function showInvitation({ room, signal }) {
    return showLink({
        title: say("Invite with a QR code"),
        words: say("Whoever points the camera of a phone at this comes into this room."),
        label: say("Link to this room"),
        address: roomAddress(room),
        signal,
    });
}

/* askKey() is a promise of the server's answer. */
export function showDevice({ room, askKey, signal }) {
    return showLink({
        title: say("Continue on another device"),
        words: say("Open this link on the other device: your seat goes there, and this page can only watch then."),
        hint: say("It works once, for whoever opens it first. Asking again makes a new one, and the old one worthless."),
        label: say("Link that takes over your seat"),
        address: askKey().then(({ key }) => `${roomAddress(room)}#key=${key}`),
        signal,
    });
}

/* On the other device, when the key in the link is none any more. */
export function tellBadKey() {
    return ask({
        title: say("This link does not work any more"),
        body: [
            h("p", {}, say("A link to a seat works once. This one has been used, or a newer one was made after it.")),
            h("p", {}, say("On the device that you play on, choose “Other device” again and open the new link. Until then you can watch here.")),
        ],
        choices: [{ label: say("Watch"), value: null, tone: "primary" }],
    });
}

/* address: or a promise of it. */
function showLink({ title, words, hint, label, address, signal }) {
    const place = h("div", { class: "pictured-link", "aria-live": "polite", "aria-busy": "true" });
    const body = [
        h("p", {}, words),
        place,
        hint && h("p", { class: "hint" }, hint),
        isLocal() && h("p", { class: "hint" }, say("Another machine does not know this one as “{host}”: put its address in the network there.", { host: location.hostname })),
    ].filter(Boolean);
    const asked = ask({ title, body, choices: [{ label: say("Close"), value: null }], signal });
    fill(place, label, address);
    return asked;
}

function isLocal() {
    return /^(localhost|127\..*|\[::1\])$/.test(location.hostname);
}

async function fill(place, label, promised) {
    try {
        const address = await promised;
        const picture = h("div", { class: "qr" });
        replaceChildren(place, picture, linkField(address, label));
        picture.append(await qrImage(address));
    } catch (error) {
        replaceChildren(place, h("p", { class: "bad" }, errorWords(error)));
    }
    place.removeAttribute("aria-busy");
}

/* The server draws it. Without a picture there is still the link. */
async function qrImage(text) {
    const response = await fetch("/api/v1/qr", { method: "POST", headers: { "Content-Type": "text/plain" }, body: text }).catch(() => null);
    if (!response?.ok) return h("p", { class: "hint" }, say("There is no picture of it just now; the link works all the same."));
    const source = `data:image/svg+xml,${encodeURIComponent(await response.text())}`;
    return h("img", { src: source, alt: say("The link as a QR code"), width: 220, height: 220 });
}
