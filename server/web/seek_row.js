/* Somebody who looks for an opponent, as one line of the lobby: press it and play. */

import { wholeControlWords } from "./clocks.js";
import { h } from "./dom.js";
import { say } from "./language.js";
import { ratingTag } from "./ratings.js";
import { countWords, named, playerWord } from "./words.js";

export function clockWords({ clock }) {
    return clock ? wholeControlWords(clock) : say("no clock");
}

/* How strong whoever it is for has to be. */
function rangeWords({ min, max, within } = {}) {
    return [
        min && max && say("from {min} to {max}", { min, max }),
        min && !max && say("from {min}", { min }),
        max && !min && say("up to {max}", { max }),
        within && say("within {points}", { points: within }),
    ];
}

export function seekRow(seek, { onPress }) {
    const wishes = [
        clockWords(seek),
        seek.rated && say("rated"),
        ...rangeWords(seek.range),
        seek.players > 2 && countWords([seek.players]),
        seek.seat && say("wants {player}", { player: named(seek.seat, seek.words) }),
        seek.as === "bot" && say("a program"),
        seek.bots === false && say("people only"),
    ].filter(Boolean);
    return h(
        "button",
        { type: "button", class: "room-row seek-row waiting", "data-seek": seek.player, "data-game": seek.game, onclick: onPress },
        h("span", { class: "what" }, seek.title),
        h("span", { class: "who" }, playerWord(seek.name), seek.rated && [" ", ratingTag(seek.game, seek.rated, seek.player)], h("span", { class: "versus" }, ` · ${wishes.join(" · ")}`)),
        h("span", { class: "call waiting" }, say("Play")),
    );
}
