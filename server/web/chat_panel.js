/* Talk in the room. */

import { h } from "./dom.js";
import { playerDot } from "./pieces.js";

export class ChatPanel {
    #shown = 0; /* the version of the last line shown */

    constructor({ onSay }) {
        this.onSay = onSay;
        this.list = h("ol", { class: "chat-list", role: "log", "aria-live": "polite", "aria-label": "Chat" });
        this.input = h("input", {
            type: "text",
            maxlength: 200,
            placeholder: "Say something",
            "aria-label": "Chat message",
            autocomplete: "off",
            enterkeyhint: "send",
        });
        const form = h(
            "form",
            { onsubmit: (event) => this.#submit(event) },
            this.input,
            h("button", { type: "submit" }, "Send"),
        );
        this.element = h("section", { class: "chat" }, h("h2", {}, "Chat"), this.list, form);
    }

    update({ replica, layout, state, mine }) {
        const lines = replica.chat.filter((line) => line.version > this.#shown);
        if (lines.length === 0) return;
        this.#shown = lines.at(-1).version;
        for (const line of lines) this.list.append(this.#line(line, layout, state, mine));
        this.list.scrollTop = this.list.scrollHeight;
    }

    #line(line, layout, state, mine) {
        const seat = line.seat ?? layout.players.find((name) => state.seats?.[name]?.player === line.player);
        return h(
            "li",
            { class: mine.includes(seat) ? "own" : "" },
            seat && playerDot(layout, seat),
            h("span", { class: "who" }, line.name || "Anonymous"),
            " ",
            h("span", { class: "said" }, line.text),
        );
    }

    async #submit(event) {
        event.preventDefault();
        const text = this.input.value.trim();
        if (!text) return;
        this.input.value = "";
        const said = await this.onSay(text);
        if (!said && !this.input.value) this.input.value = text;
    }
}
