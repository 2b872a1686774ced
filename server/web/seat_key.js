/* A key to somebody's seat, as it stands in a link: taken out of the address at once, so that it is neither shown, kept
 * in the history of the browser, nor copied along with the address. */

import { listed, say } from "./language.js";
import { named } from "./words.js";

export function takeSeatKey() {
    const key = new URLSearchParams(location.hash.slice(1)).get("key");
    if (key) history.replaceState(history.state, "", location.pathname + location.search);
    return key;
}

/* "You play white here now, as Ada." */
export function arrivalWords(seats, name) {
    const players = listed(seats.map((seat) => named(seat)));
    return name ? say("You play {players} on this device now, as {name}.", { players, name }) : say("You play {players} on this device now.", { players });
}
