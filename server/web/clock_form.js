/* A clock of one's own: how it goes, for how long, and for whom another time. Loaded when somebody wants one. */

import { h, replaceChildren } from "./dom.js";
import { say } from "./language.js";
import { named } from "./words.js";

const SECOND = 1000;

/* How each is called, the fields it has, and what the server is told of them. */
const KINDS = {
    increment: [say("Increment after each turn"), ["minutes", "seconds"], (minutes, seconds) => ({ initial_ms: minutes, ...some("increment_ms", seconds) })],
    delay: [say("Delay, free at each turn"), ["minutes", "seconds"], (minutes, seconds) => ({ initial_ms: minutes, ...some("delay_ms", seconds) })],
    bronstein: [say("Bronstein delay"), ["minutes", "seconds"], (minutes, seconds) => ({ initial_ms: minutes, ...some("delay_ms", seconds), ...some("bronstein", seconds > 0) })],
    periods: [say("Byo-yomi periods"), ["minutes", "period", "periods"], (minutes, period, periods) => ({ initial_ms: minutes, periods, period_ms: period })],
    turn: [say("Fixed time for each turn"), ["turn"], (turn) => ({ initial_ms: 0, periods: 1, period_ms: turn })],
    days: [say("Days a turn"), ["days"], (days) => ({ initial_ms: 0, periods: 1, period_ms: days })],
};

/* What is entered: its name, from, to, by which step, what it is at first, and how many milliseconds one of it is. */
const FIELDS = {
    minutes: [say("Minutes"), 0, 43_200, "any", 15, 60 * SECOND],
    seconds: [say("Seconds"), 0, 3_600, "any", 10, SECOND],
    period: [say("Seconds"), 1, 3_600, "any", 30, SECOND],
    periods: [say("Times"), 1, 100, 1, 3, 1],
    turn: [say("Seconds"), 1, 86_400, "any", 60, SECOND],
    days: [say("Days"), 1, 30, 1, 1, 86_400 * SECOND],
};

/* What the server says of a clock that it does not take. */
const REFUSED = [
    [/^clock\.periods and /, say("A period has a length, and there is at least one.")],
    [/^clock\.periods /, say("There are from 1 to 100 periods.")],
    [/^clock\.\w+_ms must /, say("No time is longer than 30 days.")],
    [/^clock\.initial_ms /, say("Nobody can play without any time.")],
];

function some(name, value) {
    return value ? { [name]: value } : {};
}

export class ClockForm {
    #seats;
    #rows = []; /* [seat or null, {name: input}] */

    /* words: what the seats are called in our language (words.js). */
    constructor(seats, words) {
        this.#seats = seats;
        this.words = words;
        const options = Object.entries(KINDS).map(([value, [label]]) => h("option", { value }, label));
        this.kind = h("select", { "aria-label": say("How the clock goes"), onchange: () => this.#draw() }, options);
        this.odds = h("input", { type: "checkbox", onchange: () => this.#draw() });
        this.choice = h("label", { class: "check" }, this.odds, say("Another time for each"));
        this.rows = h("div", { class: "clock-rows" });
        this.element = h("div", { class: "clock-form field" }, this.kind, this.rows, this.choice);
        this.#draw();
    }

    setSeats(seats) {
        this.#seats = seats;
        this.#draw();
    }

    /* {clock}, or {words}: which number is none that it may be. */
    read() {
        const wrong = [...this.rows.querySelectorAll("input")].find((input) => !input.checkValidity());
        if (wrong) return { words: say("{field}: from {min} to {max}.", { field: wrong.ariaLabel, min: Number(wrong.min), max: Number(wrong.max) }) };
        const [all, ...others] = this.#rows.map(([seat, inputs]) => [seat, KINDS[this.kind.value][2](...numbersOf(inputs))]);
        const empty = [all, ...others].some(([, { initial_ms, period_ms }]) => initial_ms === 0 && !period_ms);
        if (empty) return { words: say("Nobody can play without any time.") };
        return { clock: { ...all[1], ...(others.length > 0 ? { seats: Object.fromEntries(others) } : {}) } };
    }

    /* undefined: it is about something else. */
    refusal({ message }) {
        return REFUSED.find(([form]) => form.test(message))?.[1];
    }

    /* What was entered stays where it still has a place. */
    #draw() {
        const old = new Map(this.#rows.map(([seat, inputs]) => [seat, inputs]));
        const [first] = this.#rows;
        this.choice.hidden = this.#seats.length < 2;
        const seats = this.odds.checked && this.#seats.length > 1 ? this.#seats : [null];
        const names = KINDS[this.kind.value][1];
        this.#rows = seats.map((seat) => {
            const known = old.get(seat) ?? first?.[1] ?? {};
            return [seat, Object.fromEntries(names.map((name) => [name, field(name, known[name]?.value, seat && named(seat, this.words))]))];
        });
        replaceChildren(
            this.rows,
            this.#rows.map(([seat, inputs]) =>
                h("div", { class: "clock-row", "data-seat": seat ?? undefined }, seat && h("strong", {}, named(seat, this.words)), Object.entries(inputs).map(([name, input]) => h("label", {}, h("span", {}, FIELDS[name][0]), input))),
            ),
        );
    }
}

function field(name, value, whose) {
    const [label, min, max, step, usual] = FIELDS[name];
    return h("input", { type: "number", name, min, max, step, value: value ?? usual, required: true, "aria-label": whose ? `${label}, ${whose}` : label });
}

function numbersOf(inputs) {
    return Object.entries(inputs).map(([name, input]) => Math.round(input.valueAsNumber * FIELDS[name][5]));
}
