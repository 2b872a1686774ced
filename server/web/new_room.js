/* The questions before a room is made: against whom, on which seat, and who may see it. */

import { ask } from "./dialogs.js";
import { h } from "./dom.js";
import { nameField } from "./player_name.js";
import { capital } from "./words.js";

const OPPONENTS = [
    ["friend", "A friend", "You get a link to send."],
    ["bot", "The bot", "It plays at once, and at random."],
    ["screen", "One screen", "Both sides are moved here."],
];

/* Returns {opponent, seat, visibility}, or null. */
export async function askNewRoom(game, opponent) {
    const form = h(
        "form",
        { class: "new-room" },
        group(
            "Against",
            "opponent",
            OPPONENTS.map(([value, label]) => [value, label]),
            opponent,
        ),
        h("p", { class: "hint" }),
        group(
            "You play",
            "seat",
            [...game.players.map((seat) => [seat, capital(seat)]), ["random", "Either"]],
            game.players[0],
        ),
        nameField(),
        h(
            "label",
            { class: "check" },
            h("input", { type: "checkbox", name: "private" }),
            "Private: only people with the link find it",
        ),
    );
    form.addEventListener("change", () => refresh(form));
    refresh(form);
    const choices = [
        { label: "Cancel", value: false },
        { label: "Open the room", value: true, tone: "primary" },
    ];
    const agreed = await ask({ title: `New game: ${game.title || "your own"}`, body: [form], choices });
    return agreed ? wishOf(new FormData(form), game) : null;
}

function wishOf(data, game) {
    const seat = data.get("seat");
    const random = game.players[Math.floor(Math.random() * game.players.length)];
    return {
        opponent: data.get("opponent"),
        seat: seat === "random" || seat === null ? random : seat,
        visibility: data.get("private") ? "private" : "public",
    };
}

function refresh(form) {
    const opponent = new FormData(form).get("opponent");
    form.querySelector(".hint").textContent = OPPONENTS.find(([value]) => value === opponent)[2];
    form.querySelector("fieldset.seat").hidden = opponent === "screen";
}

function group(legend, name, options, chosen) {
    return h(
        "fieldset",
        { class: `segments ${name}` },
        h("legend", {}, legend),
        h(
            "div",
            {},
            options.map(([value, label]) =>
                h(
                    "label",
                    {},
                    h("input", { type: "radio", name, value, checked: value === chosen }),
                    h("span", {}, label),
                ),
            ),
        ),
    );
}
