/* A game as a file: everything, to be opened again by any Senet, or its moves for programs that know the game. */

import { ask } from "./dialogs.js";
import { h } from "./dom.js";
import { say } from "./language.js";
import { linkField } from "./share_link.js";

/* pgn: whether the game's moves have a form in PGN. */
export function showSave({ room, pgn }) {
    const base = `/api/v1/rooms/${encodeURIComponent(room)}`;
    const ways = [
        way(`${base}/export`, `${room}.senet.json`, say("Whole game"), say("The rules and all that happened. The front page opens it again.")),
        pgn && way(`${base}/pgn`, `${room}.pgn`, "PGN", say("The moves, for chess programs and databases. The front page opens them as well.")),
    ];
    return ask({
        title: say("Save this game"),
        body: [h("div", { class: "save-ways" }, ways), h("p", { class: "save-frame" }, say("Or show it, live, on a page of your own:")), linkField(frameOf(room), say("HTML for a page of your own"), say("Copy"))],
        choices: [{ label: say("Close"), value: null }],
    });
}

function frameOf(room) {
    return `<iframe src="${location.origin}/embed/${encodeURIComponent(room)}" width="480" height="600" title="${say("A game on Senet")}"></iframe>`;
}

function way(href, name, label, words) {
    return h(
        "a",
        { class: "save-way", href, download: name },
        h("strong", {}, label),
        h("code", {}, name),
        h("span", {}, words),
    );
}
