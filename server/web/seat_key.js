/* A key to somebody's seat, as it stands in a link: taken out of the address at once, so that it is neither shown, kept
 * in the history of the browser, nor copied along with the address. */

import { ask } from "./dialogs.js";
import { h } from "./dom.js";
import { listed, say } from "./language.js";
import { named } from "./words.js";

export function takeSeatKey() {
    const key = new URLSearchParams(location.hash.slice(1)).get("key");
    if (key) history.replaceState(history.state, "", location.pathname + location.search);
    return key;
}

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

/* "You play white here now, as Ada." */
export function arrivalWords(seats, name) {
    const players = listed(seats.map((seat) => named(seat)));
    return name ? say("You play {players} on this device now, as {name}.", { players, name }) : say("You play {players} on this device now.", { players });
}
