/* The questions before a room is made: with how many, against whom, on which seat, and who may see it. */

import { levelField } from "./bot_level.js";
import { ask } from "./dialogs.js";
import { h, replaceChildren } from "./dom.js";
import { say } from "./language.js";
import { nameField } from "./player_name.js";
import { TimeField } from "./time_field.js";
import { errorWords, named } from "./words.js";

const OPPONENTS = [
    ["friend", say("A friend"), say("You get a link to send.")],
    ["bot", say("The bot"), say("It plays at once.")],
    ["screen", say("One screen"), say("All sides are moved here.")],
];

/* Returns {opponent, seat, others, players, time, visibility}, or null: the seat, those of the others, and what `create` has to
 * be told of the number of players, of the clocks and whether it is rated. `timed`: whether there may be any; `mayRate`: whether it
 * is a game of the server's own, of which those for two with a clock may be rated. make(wish): opens the room while the question still stands, so that
 * what the server refuses is said there; then what comes of it is returned. */
export async function askNewRoom(game, opponent, { make, title = game.title ? say("New game: {game}", { game: game.title }) : say("New game: your own"), visibility, timed = true, mayRate = false } = {}) {
    const counts = countsOf(game);
    const time = timed ? new TimeField({ seats: game.players, words: game.words, chosen: "none" }) : null;
    const form = h(
        "form",
        { class: "new-room" },
        game.description && h("p", { class: "about", tabindex: 0 }, game.description),
        counts.size > 1 &&
            group(
                say("Players"),
                "players",
                [...counts.keys()].map((count) => [`${count}`, `${count}`]),
                `${game.players.length}`,
            ),
        group(
            say("Against"),
            "opponent",
            OPPONENTS.map(([value, label]) => [value, label]),
            opponent,
        ),
        h("p", { class: "hint" }),
        levelField(),
        h("div", { class: "seats" }),
        time?.element,
        nameField(),
        mayRate && h("label", { class: "check rated" }, h("input", { type: "checkbox", name: "rated" }), say("Rated: the result counts for both players' ratings")),
        h(
            "label",
            { class: "check" },
            h("input", { type: "checkbox", name: "private", checked: visibility ? visibility === "private" : opponent === "friend" }),
            say("Private: only people with the link find it"),
        ),
    );
    const hidden = form.querySelector('[name="private"]');
    let chosen = visibility !== undefined; /* else a room for a friend is private until somebody says otherwise */
    form.addEventListener("change", ({ target }) => {
        chosen ||= target === hidden;
        if (!chosen && target.name === "opponent") hidden.checked = target.value === "friend";
        refresh(form, game, counts, time);
    });
    refresh(form, game, counts, time);
    const choices = [
        { label: say("Cancel"), value: false },
        { label: say("Open the room"), value: true, tone: "primary" },
    ];
    let outcome = null;
    const attempt = async () => {
        const wish = wishOf(new FormData(form), game, counts, time);
        if (wish.time.words) return wish.time.words;
        outcome = make ? make(wish) : wish;
        return Promise.resolve(outcome).then(() => null, time?.refusal ?? errorWords);
    };
    return (await ask({ title, body: [form], choices, attempt })) ? outcome : null;
}

/* Number of players → who they are, ascending; all of them included. */
function countsOf({ players, player_counts }) {
    const counts = new Map(Object.entries(player_counts ?? {}).map(([count, seats]) => [Number(count), seats]));
    counts.set(players.length, counts.get(players.length) ?? players);
    return new Map([...counts].sort(([a], [b]) => a - b));
}

function seatsOf(data, game, counts) {
    return counts.get(Number(data.get("players"))) ?? game.players;
}

function wishOf(data, game, counts, time) {
    const seats = seatsOf(data, game, counts);
    const wanted = data.get("seat");
    const random = seats[Math.floor(Math.random() * seats.length)];
    const seat = seats.includes(wanted) ? wanted : random;
    return {
        opponent: data.get("opponent"),
        seat,
        others: seats.filter((other) => other !== seat),
        players: seats.length === game.players.length ? {} : { players: seats.length },
        time: { ...time?.read(), ...(ratable(data, seats, time) && data.get("rated") ? { rated: true } : {}) },
        visibility: data.get("private") ? "private" : "public",
    };
}

/* Two people with the same clock. */
function ratable(data, seats, time) {
    return seats.length === 2 && data.get("opponent") === "friend" && Boolean(time?.isEven);
}

function refresh(form, game, counts, time) {
    const data = new FormData(form);
    const opponent = data.get("opponent");
    const seats = seatsOf(data, game, counts);
    time?.setSeats(seats);
    form.querySelector(".hint").textContent = OPPONENTS.find(([value]) => value === opponent)[2];
    const place = form.querySelector("div.seats");
    if (place.dataset.count !== `${seats.length}`) {
        const options = [...seats.map((seat) => [seat, named(seat, game.words)]), ["random", seats.length > 2 ? say("Any") : say("Either")]];
        const wanted = data.get("seat");
        replaceChildren(place, group(say("You play"), "seat", options, seats.includes(wanted) ? wanted : seats[0]));
        place.dataset.count = seats.length;
    }
    place.hidden = opponent === "screen";
    const rated = form.querySelector(".check.rated");
    if (rated) rated.hidden = !ratable(data, seats, time);
    form.querySelector(".bot-level").hidden = opponent !== "bot";
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
