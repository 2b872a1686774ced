/* A room as one line of the lobby; all of it is the link. */

import { h } from "./dom.js";
import { ageWords, capital } from "./words.js";

export function roomRow(row, mine) {
    const free = row.players.filter((seat) => !(seat in row.seats));
    return h(
        "a",
        { class: `room-row ${row.status}`, href: `/room/${encodeURIComponent(row.room)}`, "data-room": row.room },
        h("span", { class: "what" }, row.title || "A game of one's own"),
        h(
            "span",
            { class: "who" },
            row.players.map((seat, i) => [i > 0 && h("span", { class: "versus" }, " – "), seatOf(row, seat)]).flat(),
        ),
        h("span", { class: "age" }, row.created_at ? ageWords(row.created_at) : ""),
        h("span", { class: `call ${row.status}` }, callOf(row, free, mine)),
    );
}

function seatOf(row, seat) {
    const name = row.seats[seat];
    if (name === undefined) return h("span", { class: "free" }, `${capital(seat)} free`);
    return h("span", {}, name || "Anonymous");
}

function callOf(row, free, mine) {
    if (row.status === "finished") return "Look";
    if (mine) return "Resume";
    return free.length > 0 && row.status === "waiting" ? "Join" : "Watch";
}
