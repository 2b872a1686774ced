/* What the page needs first, asked for while the rest of it is still on its way: the connection (by the time the rest is there, the
 * server has said who it is, who we are and how the room stands), in the lobby the games, and the texts of a language other than English. A file of its own, so that it comes first. */

import { Connection } from "./senet.js";
import { fileUrl } from "./files.js";
import { catalogueUrl, language } from "./language_choice.js";

if (catalogueUrl) askAheadFor(catalogueUrl);

const scheme = location.protocol === "https:" ? "wss" : "ws";

const [, kind, room] = /^\/(room|embed)\/([^/]+)\/?$/.exec(location.pathname) ?? [];

/* Within another page nobody is known (embed.js), and a browser may not let us look into its store there. */
let token = null;
const forgetful = { getItem: () => token, setItem: (_key, minted) => (token = minted), removeItem: () => (token = null) };

export const connection = new Connection(`${scheme}://${location.host}/ws`, kind === "embed" ? forgetful : localStorage);
connection.open();
if (room) connection.askAhead({ type: "resume", room: decodeURIComponent(room), version: 0 });

/* What `games` answers with op "list", without a conversation; null where it is not needed, or was not to be had. */
export const games = location.pathname === "/" ? readGames() : null;

/* language.js reads it once it is there itself. */
function askAheadFor(url) {
    document.head.append(Object.assign(document.createElement("link"), { rel: "preload", as: "fetch", crossOrigin: "anonymous", href: url }));
}

async function readGames() {
    try {
        const answer = await fetch(fileUrl(language === "en" ? "/games.json" : `/games.${language}.json`));
        return answer.ok ? (await answer.json()).games : null;
    } catch {
        return null;
    }
}
