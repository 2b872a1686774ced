/* Where the page begins: the address says which view it is, and one connection serves it. A view is loaded when it is the one
 * (`index.html`, or what deploy/page makes of it, asks for it ahead). */

import { connection, games } from "./dial.js";
import { h, svg } from "./dom.js";
import { say } from "./language.js";
import { languageMenu } from "./language_menu.js";
import { ConnectionBanner, Notes } from "./notices.js";
import { Seeker } from "./seeker.js";

const notes = new Notes();
const banner = new ConnectionBanner({ onRetry: () => connection.hurry(), onTakeOver: () => connection.open() });
const seeker = new Seeker({ connection, notes, go: (room) => location.assign(`/room/${encodeURIComponent(room)}`) });
let waits = false; /* commands wait for a server that cannot store them */

document.querySelector("#notices").append(banner.element, notes.element, seeker.element);
const [there, words] = isLobby(location.pathname) ? ["/make", say("Make a game")] : ["/", say("All games")];
document.querySelector("#site-place").append(h("a", { href: there }, words), languageMenu(), settingsButton());
const view = await viewOf(location.pathname);
document.querySelector("#page").replaceChildren(view.element);

/* A page that was put away and taken out again by the Back button has lost its connection. */
addEventListener("pageshow", (event) => event.persisted && location.reload());
addEventListener("offline", () => connection.suspect());
addEventListener("online", () => connection.hurry());
document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && connection.hurry());

connection.attend({
    onWelcome: () => {
        seeker.onWelcome();
        return view.onWelcome();
    },
    onFrame: (frame) => view.onFrame(frame),
    onStatus: (status) => {
        banner.show({ ...status, handedOver: view.handedOver });
        view.onStatus?.(status);
    },
    onTrouble: (code) => {
        if (waits && code === null) notes.say(say("The server is well again. What you did is kept."), "good");
        waits = code === "unavailable";
        if (connection.status.is === "online") banner.show({ is: waits ? "unavailable" : "online" });
    },
});

/* Asked about on any page; the questions are loaded when somebody asks for them. */
function settingsButton() {
    const label = say("Settings");
    const ask = () => import("./settings_dialog.js").then(({ showSettings }) => showSettings(), () => {});
    const picture = svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: "M4 7h9M17 7h3M4 17h3M11 17h9M15 4.5v5M9 14.5v5" }));
    return h("button", { type: "button", class: "settings-button", "aria-label": label, title: label, onclick: ask }, picture);
}

function isLobby(path) {
    return path === "/" || path === "/index.html";
}

async function viewOf(path) {
    const common = { connection, notes, seeker };
    const room = /^\/room\/([^/]+)\/?$/.exec(path);
    if (room) return new (await import("./room.js")).RoomPage({ ...common, room: decodeURIComponent(room[1]) });
    const embedded = /^\/embed\/([^/]+)\/?$/.exec(path);
    if (embedded) return new (await import("./embed.js")).EmbedPage({ ...common, room: decodeURIComponent(embedded[1]) });
    const game = /^\/game\/([^/]+)\/?$/.exec(path);
    if (game) return new (await import("./game_page.js")).GamePage({ ...common, id: decodeURIComponent(game[1]) });
    const ladder = /^\/ratings\/([^/]+)\/([^/]+)\/?$/.exec(path);
    if (ladder) return new (await import("./ratings_page.js")).RatingsPage({ ...common, game: decodeURIComponent(ladder[1]), speed: decodeURIComponent(ladder[2]) });
    if (isLobby(path)) return new (await import("./lobby.js")).LobbyPage({ ...common, games });
    const { NothingHere } = await import("./nothing_here.js");
    return new NothingHere(say("There is nothing here"), say("The address may have been cut short, or mistyped."));
}
