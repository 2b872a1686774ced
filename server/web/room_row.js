/* A room as one line of the lobby; all of it is the link. */

import { h } from "./dom.js";
import { say } from "./language.js";
import { ratedWords } from "./ratings.js";
import { ageWords, named, playerWord, toMoveWords } from "./words.js";

/* mine: whether one sits there; turn: "mine", the seat to move, or undefined where it is not known. */
export function roomRow(row, { mine, turn } = {}) {
    const free = row.players.filter((seat) => !(seat in row.seats));
    const { words, tone } = callOf(row, free, mine, turn);
    return h(
        "a",
        { class: `room-row ${row.status} ${tone}`, href: `/room/${encodeURIComponent(row.room)}`, "data-room": row.room },
        h("span", { class: "what" }, row.title || say("A game of one's own")),
        h(
            "span",
            { class: "who" },
            row.players.map((seat, i) => [i > 0 && h("span", { class: "versus" }, " – "), seatOf(row, seat)]).flat(),
            row.rated && h("span", { class: "versus" }, ` · ${ratedWords(row.rated)}`),
        ),
        h("span", { class: "age" }, row.created_at ? ageWords(row.created_at) : ""),
        h("span", { class: `call ${tone}` }, words),
    );
}

function seatOf(row, seat) {
    const name = row.seats[seat];
    if (name === undefined) return h("span", { class: "free" }, say("{player} free", { player: named(seat, row.words) }));
    return h("span", {}, playerWord(name), row.bots?.includes(seat) && [" ", h("span", { class: "tag" }, say("bot"))]);
}

function callOf(row, free, mine, turn) {
    if (row.status === "finished") return { words: say("Look"), tone: "finished" };
    if (row.status === "waiting") return mine ? { words: say("Waiting"), tone: "waits" } : free.length > 0 ? { words: say("Join"), tone: "waiting" } : { words: say("Watch"), tone: "playing" };
    if (!mine) return { words: say("Watch"), tone: "playing" };
    if (turn === undefined) return { words: say("Resume"), tone: "playing" };
    if (turn === "mine") return { words: say("Your turn"), tone: "yours" };
    return { words: toMoveWords(turn, row.words), tone: "theirs" };
}
