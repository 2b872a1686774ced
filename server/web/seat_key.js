/* A key to somebody's seat, as it stands in a link: taken out of the address at once, so that it is neither shown, kept
 * in the history of the browser, nor copied along with the address. */

export function takeSeatKey() {
    const key = new URLSearchParams(location.hash.slice(1)).get("key");
    if (key) history.replaceState(history.state, "", location.pathname + location.search);
    return key;
}
