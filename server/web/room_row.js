/* A room as one line of the lobby; all of it is the link. */

import { h } from "./dom.js";
import { ageWords, capital } from "./words.js";

/* mine: whether one sits there; turn: "mine", the seat to move, or undefined where it is not known. */
export function roomRow(row, { mine, turn } = {}) {
    const free = row.players.filter((seat) => !(seat in row.seats));
    const { words, tone } = callOf(row, free, mine, turn);
    return h(
        "a",
        { class: `room-row ${row.status} ${tone}`, href: `/room/${encodeURIComponent(row.room)}`, "data-room": row.room },
        h("span", { class: "what" }, row.title || "A game of one's own"),
        h(
            "span",
            { class: "who" },
            row.players.map((seat, i) => [i > 0 && h("span", { class: "versus" }, " – "), seatOf(row, seat)]).flat(),
            row.rated && h("span", { class: "versus" }, ` · rated ${row.rated}`),
        ),
        h("span", { class: "age" }, row.created_at ? ageWords(row.created_at) : ""),
        h("span", { class: `call ${tone}` }, words),
    );
}

function seatOf(row, seat) {
    const name = row.seats[seat];
    if (name === undefined) return h("span", { class: "free" }, `${capital(seat)} free`);
    return h("span", {}, name || "Guest");
}

function callOf(row, free, mine, turn) {
    if (row.status === "finished") return { words: "Look", tone: "finished" };
    if (row.status === "waiting") return mine ? { words: "Waiting", tone: "waits" } : free.length > 0 ? { words: "Join", tone: "waiting" } : { words: "Watch", tone: "playing" };
    if (!mine) return { words: "Watch", tone: "playing" };
    if (turn === undefined) return { words: "Resume", tone: "playing" };
    if (turn === "mine") return { words: "Your turn", tone: "yours" };
    return { words: `${capital(turn)} to move`, tone: "theirs" };
}
