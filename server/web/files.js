/* Where the page's own files are. They come from an address with their version in front ("/v/VERSION/main.js"), which
 * browsers keep for good; what is named below it is of the same version. */

const base = new URL("./", import.meta.url);

/* path: from the root, as the server knows it: "/games/chess/white-king.svg". Other servers' stay as they are, and so do pictures of
 * players, which are of no version. */
export function fileUrl(path) {
    return path.startsWith("/") && !path.startsWith("//") && !path.startsWith("/pictures/") ? new URL(path.slice(1), base).href : path;
}
