/* Somebody who looks for an opponent, as one line of the lobby: press it and play. */

import { controlWords } from "./clocks.js";
import { h } from "./dom.js";
import { ratingTag } from "./ratings.js";
import { capital } from "./words.js";

export function clockWords({ clock }) {
    return clock ? controlWords(clock) : "no clock";
}

export function seekRow(seek, { onPress }) {
    const wishes = [
        clockWords(seek),
        seek.rated && "rated",
        seek.players > 2 && `${seek.players} players`,
        seek.seat && `wants ${capital(seek.seat)}`,
        seek.as === "bot" && "a program",
        seek.bots === false && "people only",
    ].filter(Boolean);
    return h(
        "button",
        { type: "button", class: "room-row seek-row waiting", "data-seek": seek.player, "data-game": seek.game, onclick: onPress },
        h("span", { class: "what" }, seek.title),
        h("span", { class: "who" }, seek.name || "Guest", seek.rated && [" ", ratingTag(seek.game, seek.rated, seek.player)], h("span", { class: "versus" }, ` · ${wishes.join(" · ")}`)),
        h("span", { class: "call waiting" }, "Play"),
    );
}
