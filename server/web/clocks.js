/* The players' clocks: what each had left when its last turn ended, and for whose turn it is what is left now.
 *
 * Time is the server's: it says how long ago the turn under way began, and from there this page counts by its own clock. */

import { h, setText } from "./dom.js";
import { say } from "./language.js";
import { named } from "./words.js";

const TICK_MS = 100;
const LOW_MS = 10_000; /* from here on tenths are shown */
const FIRST_TURN_MS = 60_000; /* as the server gives them, */
const SITTING_MS = 6 * 3_600_000; /*   unless a turn may take longer than so */

/* {left, period}: milliseconds of the main time, and of the period under way once that is over (else undefined). */
export function timeLeft({ left_ms, periods }, budget, spent) {
    const free = budget.bronstein ? 0 : (budget.delay_ms ?? 0);
    const used = Math.max(0, spent - free);
    const left = left_ms - used;
    if (left > 0 || periods === 0) return { left: Math.max(0, left), periods };
    const over = -left;
    const lost = Math.min(periods, Math.floor(over / budget.period_ms));
    return { left: 0, periods: periods - lost, period: lost === periods ? 0 : budget.period_ms - (over % budget.period_ms) };
}

/* "4:09", "1:05:00", "2 d 3 h", and "9.3" for the last seconds. */
export function timeWords(ms) {
    if (ms < LOW_MS) return (Math.floor(ms / 100) / 10).toFixed(1);
    const seconds = Math.floor(ms / 1000);
    const [days, hours, minutes] = [Math.floor(seconds / 86_400), Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60];
    const two = (number) => `${number}`.padStart(2, "0");
    if (days > 0) return say("{days} d {hours} h", { days, hours });
    return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/* What a room was made with, in a few words: "3 min + 2 s". */
export function controlWords({ initial_ms, increment_ms, delay_ms, periods, period_ms }) {
    const main = initial_ms > 0 ? span(initial_ms) : "";
    const more = [
        main,
        increment_ms && say("{time} a turn", { time: span(increment_ms) }),
        delay_ms && say("{time} of each turn free", { time: span(delay_ms) }),
        periods && (main || periods > 1 ? `${periods} × ${span(period_ms)}` : say("{time} a turn", { time: span(period_ms) })),
    ];
    return more.filter(Boolean).join(" + ");
}

/* With who has another time than the others. */
export function wholeControlWords({ seats = {}, ...all }) {
    const own = Object.entries(seats).map(([seat, control]) => say("{player}: {clock}", { player: named(seat), clock: controlWords(control) }));
    return [controlWords(all), ...own].join("; ");
}

function span(ms) {
    if (ms % 86_400_000 === 0) return say("{days} d", { days: ms / 86_400_000 });
    return ms % 60_000 === 0 ? say("{minutes} min", { minutes: ms / 60_000 }) : say("{seconds} s", { seconds: ms / 1000 });
}

/* Whose clock runs; null: nobody's. In one's first turn it does not. */
export function runningSeat({ clock, state, toBegin }) {
    return clock && state.status === "playing" && !toBegin ? state.to_move : null;
}

/* Who has a minute to begin: in one's first turn no clock runs, and a game that is not begun in time is aborted. null: nobody, or the clock gives
 * so long that the first turn has the time of any other one. */
export function beginningSeat(replica) {
    const { clock, state, toBegin } = replica;
    const seat = clock && state.status === "playing" && toBegin ? state.to_move : null;
    const had = seat && state.seats?.[seat]?.clock;
    const { period_ms: period = 0, delay_ms: delay = 0 } = had ? budgetOf(replica, seat) : {};
    return had && had.left_ms + had.periods * period + delay < SITTING_MS ? seat : null;
}

export class Clocks {
    #places;
    #replica = null;
    #timer = null;

    /* places: elements in which the clocks are shown. */
    constructor(places, now = () => performance.now()) {
        this.#places = places;
        this.now = now;
    }

    /* The clock of a seat, or null where the game has none. */
    element(seat, replica) {
        if (!replica.clock || !replica.state.seats?.[seat]?.clock) return null;
        const element = h("span", { class: "clock", role: "timer", "data-clock": seat, title: controlWords(budgetOf(replica, seat)) });
        this.#write(element, replica);
        return element;
    }

    /* How long a seat has to begin, or null where it need not. */
    countdown(seat, replica) {
        if (beginningSeat(replica) !== seat) return null;
        const title = say("{player} has a minute to begin; then the game is aborted.", { player: named(seat) });
        const element = h("span", { class: "to-begin", role: "timer", title });
        this.#writeCountdown(element, replica);
        return element;
    }

    /* Whose clock runs, how long it is until his flag falls, and how long that is in a first turn; null: nobody's. */
    get running() {
        const replica = this.#replica;
        const seat = replica && runningSeat(replica);
        if (!seat) return null;
        const budget = budgetOf(replica, seat);
        const { period_ms: length = 0 } = budget;
        const { left, periods, period } = timeLeft(replica.state.seats[seat].clock, budget, this.now() - replica.turnBegan);
        const behind = period === undefined ? periods : Math.max(0, periods - 1);
        return { seat, left: left + (period ?? 0) + behind * length, whole: budget.initial_ms + (budget.periods ?? 0) * length };
    }

    /* From now on it is this room's clocks that go. */
    update(replica) {
        this.#replica = replica;
        const goes = (runningSeat(replica) ?? beginningSeat(replica)) !== null;
        if (goes) this.#timer ??= setInterval(() => this.#tick(), TICK_MS);
        else this.#timer = clearInterval(this.#timer) ?? null;
    }

    #tick() {
        for (const place of this.#places) {
            for (const element of place.querySelectorAll(".clock")) this.#write(element, this.#replica);
            for (const element of place.querySelectorAll(".to-begin")) this.#writeCountdown(element, this.#replica);
        }
    }

    #writeCountdown(element, { turnBegan }) {
        setText(element, say("{time} to begin", { time: timeWords(Math.max(0, turnBegan + FIRST_TURN_MS - this.now())) }));
    }

    #write(element, replica) {
        const seat = element.dataset.clock;
        const clock = replica.state.seats?.[seat]?.clock;
        if (!clock || !replica.clock) return;
        const runs = runningSeat(replica) === seat;
        const { left, periods, period } = timeLeft(clock, budgetOf(replica, seat), runs ? this.now() - replica.turnBegan : 0);
        const ms = period ?? left;
        setText(element, `${timeWords(ms)}${periods > 0 && left === 0 ? ` ×${periods}` : ""}`);
        element.classList.toggle("runs", runs);
        element.classList.toggle("low", runs && ms < LOW_MS);
    }
}

function budgetOf({ clock }, seat) {
    return clock.seats?.[seat] ?? clock;
}
