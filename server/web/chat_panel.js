/* Talk in the room, and what players do about it: whose words they want to hear. */

import { h, replaceChildren, setText } from "./dom.js";
import { say } from "./language.js";
import { playerDot } from "./pieces.js";
import { playerWord } from "./words.js";

const PRESETS = [say("Hello!"), say("Good luck!"), say("Good game!"), say("Thank you!")];
const VOICES = { everybody: say("Everybody"), players: say("Players only"), nobody: say("Nobody") };

export class ChatPanel {
    #shown = 0; /* the version of the last line shown */
    #drawn = ""; /* what the lines were drawn by */

    /* onSay(text): whether it was said. onVoices(voices), onMute(player, whether). */
    constructor({ onSay, onVoices, onMute }) {
        this.onSay = onSay;
        this.onMute = onMute;
        this.lines = h("ol", {});
        this.list = h("div", { class: "chat-list", role: "log", tabindex: 0, "aria-live": "polite", "aria-label": say("Chat") }, this.lines);
        this.input = h("input", { type: "text", maxlength: 200, "aria-label": say("Chat message"), autocomplete: "off", enterkeyhint: "send" });
        this.send = h("button", { type: "submit" }, say("Send"));
        const form = h("form", { onsubmit: (event) => this.#submit(event) }, this.input, this.send);
        this.presets = h("div", { class: "chat-presets", role: "group", "aria-label": say("Say at once"), hidden: true }, PRESETS.map((text) => h("button", { type: "button", class: "quiet", onmousedown: keepFocus, onclick: () => onSay(text) }, text)));
        const options = Object.entries(VOICES).map(([value, label]) => h("option", { value }, label));
        this.voices = h("select", { "aria-label": say("Who may talk"), onchange: () => onVoices(this.voices.value) }, options);
        this.unmute = h("button", { type: "button", class: "quiet", onclick: () => this.#unmuteAll() });
        this.rules = h("span", { class: "chat-rules" }, this.unmute, this.voices);
        this.element = h("section", { class: "chat" }, h("header", {}, h("h2", {}, say("Chat")), this.rules), this.list, this.presets, form);
    }

    update(view) {
        this.#drawRules(view);
        this.#drawInput(view);
        this.#drawLines(view);
    }

    /* Only players decide. */
    #drawRules({ replica, mine }) {
        this.rules.hidden = mine.length === 0;
        this.voices.value = replica.voices;
        this.muted = replica.muted;
        this.unmute.hidden = replica.muted.length === 0;
        setText(this.unmute, say("Unmute {count}", { count: replica.muted.length }));
    }

    #drawInput({ replica, mine, player }) {
        const plays = mine.length > 0;
        const off = unwanted(replica, plays, player);
        this.input.placeholder = off ?? say("Say something");
        this.input.disabled = off !== null;
        this.send.disabled = off !== null;
        this.presets.hidden = off !== null || !plays;
    }

    /* A line is drawn once, unless something else is known of its speaker now. */
    #drawLines({ replica, layout, state, mine }) {
        const holders = layout.players.map((seat) => state.seats?.[seat]?.player);
        const key = JSON.stringify([replica.muted, holders, mine]);
        if (key !== this.#drawn) {
            this.#drawn = key;
            this.#shown = 0;
            replaceChildren(this.lines);
        }
        const lines = replica.chat.filter((line) => line.version > this.#shown);
        if (lines.length === 0) return;
        this.#shown = lines.at(-1).version;
        for (const line of lines) this.lines.append(this.#line(line, { replica, layout, holders, mine }));
        this.list.scrollTop = this.list.scrollHeight;
    }

    #line(line, { replica, layout, holders, mine }) {
        const seat = line.seat ?? layout.players[holders.indexOf(line.player)];
        const muted = !seat && replica.muted.includes(line.player);
        const name = playerWord(line.name);
        return h(
            "li",
            { class: muted ? "muted" : mine.includes(seat) ? "own" : "" },
            seat && playerDot(layout, seat),
            h("span", { class: "who" }, name),
            " ",
            h("span", { class: "said" }, muted ? say("is muted") : line.text),
            !seat && mine.length > 0 && this.#muteButton(line.player, name, muted),
        );
    }

    #muteButton(player, name, muted) {
        const [word, whole] = muted ? [say("Unmute"), say("Unmute {name}", { name })] : [say("Mute"), say("Mute {name}", { name })];
        return h(
            "button",
            { type: "button", class: "quiet mute", "aria-label": whole, onclick: () => this.onMute(player, !muted) },
            word,
        );
    }

    async #unmuteAll() {
        for (const player of this.muted) await this.onMute(player, false);
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

/* Ready-made texts are there while somebody is at the chat: the field keeps the focus. */
function keepFocus(event) {
    event.preventDefault();
}

/* Why nothing can be said; null when it can. */
function unwanted({ voices, muted }, plays, player) {
    if (voices === "nobody") return say("The chat is turned off");
    if (plays) return null;
    if (voices === "players") return say("Only the players talk here");
    return muted.includes(player) ? say("The players do not want to hear you") : null;
}
