/* The questions before a rated game is looked for: by which clock, and how strong the other one may be. */

import { ask } from "./dialogs.js";
import { h } from "./dom.js";
import { say } from "./language.js";
import { nameField } from "./player_name.js";
import { TIMES } from "./times.js";

const CLOCKS = TIMES.filter(([, , time]) => time.clock);
/* How far the other one's rating may be from one's own; 0: as far as it is. */
const RANGES = [
    ["0", say("Anybody")],
    ["200", say("within {points}", { points: 200 })],
    ["100", say("within {points}", { points: 100 })],
];

/* Returns {words, terms} of the seek, or null. */
export async function askRatedSeek(game) {
    const form = h(
        "form",
        { class: "new-room rated-seek" },
        segments(say("Clocks: minutes, and seconds a turn"), "time", CLOCKS, CLOCKS[0][0]),
        segments(say("Against whom"), "range", RANGES, RANGES[0][0]),
        h("p", { class: "hint" }, say("Within so much of your own rating, as it is when you begin to look. Who has none has 1500.")),
        nameField(),
    );
    const choices = [
        { label: say("Cancel"), value: false },
        { label: say("Look for somebody"), value: true, tone: "primary" },
    ];
    if (!(await ask({ title: say("Rated game: {game}", { game: game.title }), body: [form], choices }))) return null;
    const data = new FormData(form);
    const [, label, time] = CLOCKS.find(([name]) => name === data.get("time"));
    const within = Number(data.get("range"));
    return {
        words: within ? say("{clock}, rated, within {points}", { clock: label, points: within }) : say("{clock}, rated", { clock: label }),
        terms: { game: game.id, ...time, rated: true, ...(within ? { range: { within } } : {}) },
    };
}

function segments(legend, name, options, chosen) {
    const option = ([value, label]) => h("label", {}, h("input", { type: "radio", name, value, checked: value === chosen }), h("span", {}, label));
    return h("fieldset", { class: `segments ${name}` }, h("legend", {}, legend), h("div", {}, options.map(option)));
}
