/* The clocks that are offered: how each is called on a button, and what the server is told. */

import { say, sayCount } from "./language.js";

const MINUTE = 60_000;

export const TIMES = [
    ["none", say("None"), {}],
    ["3+2", "3 + 2", { clock: { initial_ms: 3 * MINUTE, increment_ms: 2000 } }],
    ["10+5", "10 + 5", { clock: { initial_ms: 10 * MINUTE, increment_ms: 5000 } }],
    ["30", say("{minutes} min", { minutes: 30 }), { clock: { initial_ms: 30 * MINUTE } }],
    ["days", sayCount("{count} day", "{count} days", 3), { clock: { initial_ms: 0, periods: 1, period_ms: 3 * 24 * 60 * MINUTE } }],
];

/* With whoever looks for the same: few, so that people meet. */
export const USUAL_TIMES = ["3+2", "10+5", "none"].map((name) => {
    const [, label, time] = TIMES.find(([value]) => value === name);
    return [name, name === "none" ? say("No clock") : label, time];
});

/* Whether two clocks, as the server tells or is told of them, are the same; undefined: there is none. */
export function sameClock(one, other) {
    const members = ["initial_ms", "increment_ms", "delay_ms", "bronstein", "periods", "period_ms"];
    if (!one || !other) return one === other;
    return !one.seats && !other.seats && members.every((name) => (one[name] || 0) === (other[name] || 0));
}
