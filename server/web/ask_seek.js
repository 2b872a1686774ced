/* The questions before somebody is looked for: by which clock, one's own too, and in a rated game how strong the other one may be. Loaded when
 * somebody asks for it. */

import { wholeControlWords } from "./clocks.js";
import { ask } from "./dialogs.js";
import { h } from "./dom.js";
import { say } from "./language.js";
import { nameField } from "./player_name.js";
import { TimeField } from "./time_field.js";
import { sameClock, TIMES } from "./times.js";

/* How far the other one's rating may be from one's own; 0: as far as it is. */
const RANGES = [
    ["0", say("Anybody")],
    ["200", say("within {points}", { points: 200 })],
    ["100", say("within {points}", { points: 100 })],
];

/* seats: who would play. Returns {words, terms} of the seek, or null. */
export async function askSeek(game, { seats, rated }) {
    const time = new TimeField({ seats, words: game.words, none: !rated, odds: !rated, chosen: "3+2" });
    const form = h(
        "form",
        { class: "new-room ask-seek" },
        time.element,
        rated && [
            segments(say("Against whom"), "range", RANGES, RANGES[0][0]),
            h("p", { class: "hint" }, say("Within so much of your own rating, as it is when you begin to look. Who has none has 1500.")),
        ],
        nameField(),
    );
    const choices = [
        { label: say("Cancel"), value: false },
        { label: say("Look for somebody"), value: true, tone: "primary" },
    ];
    const title = rated ? say("Rated game: {game}", { game: game.title }) : say("Play now: {game}", { game: game.title });
    if (!(await ask({ title, body: [form], choices, attempt: () => time.read().words ?? null }))) return null;
    const { clock } = time.read();
    const within = Number(new FormData(form).get("range"));
    return { words: wordsOf(clock, rated, within), terms: { ...(clock && { clock }), ...(rated && { rated }), ...(within && { range: { within } }) } };
}

function wordsOf(clock, rated, within) {
    const known = TIMES.find(([, , time]) => clock && sameClock(time.clock, clock));
    const words = known?.[1] ?? (clock ? wholeControlWords(clock) : say("no clock"));
    if (!rated) return words;
    return within ? say("{clock}, rated, within {points}", { clock: words, points: within }) : say("{clock}, rated", { clock: words });
}

function segments(legend, name, options, chosen) {
    const option = ([value, label]) => h("label", {}, h("input", { type: "radio", name, value, checked: value === chosen }), h("span", {}, label));
    return h("fieldset", { class: `segments ${name}` }, h("legend", {}, legend), h("div", {}, options.map(option)));
}
