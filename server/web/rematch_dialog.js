/* Before a rematch with another clock is offered: which one. Loaded when it is asked for. */

import { ask } from "./dialogs.js";
import { h } from "./dom.js";
import { say } from "./language.js";
import { TimeField } from "./time_field.js";

/* offer(clock): says so to the room, "none" for no clock. Promises whether it was offered. What the server refuses is said in the dialog. */
export async function askRematchClock({ players, rated, offer }) {
    const field = new TimeField({ seats: players, none: !rated, odds: !rated, chosen: rated ? "3+2" : "none" });
    const form = h("form", { class: "new-room rematch" }, field.element);
    const choices = [
        { label: say("Cancel"), value: false },
        { label: say("Offer a rematch"), value: true, tone: "primary" },
    ];
    const attempt = async () => {
        const { clock, words } = field.read();
        if (words) return words;
        return offer(clock ?? "none").then(() => null, field.refusal);
    };
    return ask({ title: say("Rematch with another clock"), body: [form], choices, attempt });
}
