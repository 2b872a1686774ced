/* Where the page begins: the address says which view it is, and one connection serves it. */

import { connection } from "./dial.js";
import { h } from "./dom.js";
import { GamePage } from "./game_page.js";
import { LobbyPage } from "./lobby.js";
import { ConnectionBanner, Notes } from "./notices.js";
import { RoomPage } from "./room.js";

const notes = new Notes();
const banner = new ConnectionBanner({ onRetry: () => connection.hurry(), onTakeOver: () => connection.open() });
let waits = false; /* commands wait for a server that cannot store them */

const view = viewOf(location.pathname);
document.querySelector("#notices").append(banner.element, notes.element);
document.querySelector("#page").replaceChildren(view.element);
const [there, words] = view instanceof LobbyPage ? ["/make", "Make a game"] : ["/", "All games"];
document.querySelector("#site-place").append(h("a", { href: there }, words));

/* A page that was put away and taken out again by the Back button has lost its connection. */
addEventListener("pageshow", (event) => event.persisted && location.reload());
addEventListener("offline", () => connection.suspect());
addEventListener("online", () => connection.hurry());
document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && connection.hurry());

connection.attend({
    onWelcome: () => view.onWelcome(),
    onFrame: (frame) => view.onFrame(frame),
    onStatus: (status) => {
        banner.show({ ...status, handedOver: view.handedOver });
        view.onStatus?.(status);
    },
    onTrouble: (code) => {
        if (waits && code === null) notes.say("The server is well again. What you did is kept.", "good");
        waits = code === "unavailable";
        if (connection.status.is === "online") banner.show({ is: waits ? "unavailable" : "online" });
    },
});

function viewOf(path) {
    const room = /^\/room\/([^/]+)\/?$/.exec(path);
    if (room) return new RoomPage({ connection, notes, room: decodeURIComponent(room[1]) });
    const game = /^\/game\/([^/]+)\/?$/.exec(path);
    if (game) return new GamePage({ connection, notes, id: decodeURIComponent(game[1]) });
    return new LobbyPage({ connection, notes });
}
