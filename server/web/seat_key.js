/* A key to somebody's seat, as it stands in a link: taken out of the address at once, so that it is neither shown, kept
 * in the history of the browser, nor copied along with the address. */

import { ask } from "./dialogs.js";
import { h } from "./dom.js";
import { capital } from "./words.js";

export function takeSeatKey() {
    const key = new URLSearchParams(location.hash.slice(1)).get("key");
    if (key) history.replaceState(history.state, "", location.pathname + location.search);
    return key;
}

export function tellBadKey() {
    return ask({
        title: "This link does not work any more",
        body: [
            h("p", {}, "A link to a seat works once. This one has been used, or a newer one was made after it."),
            h("p", {}, "On the device that you play on, choose “Other device” again and open the new link. Until then you can watch here."),
        ],
        choices: [{ label: "Watch", value: null, tone: "primary" }],
    });
}

/* "You play white here now, as Ada." */
export function arrivalWords(seats, name) {
    const what = seats.length === 1 ? capital(seats[0]) : `all of ${seats.map(capital).join(" and ")}`;
    return `You play ${what} on this device now${name ? `, as ${name}` : ""}.`;
}
