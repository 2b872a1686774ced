/* A game of one's own: its text is checked by the server, which says line by line what is wrong, and played. */

import { h, replaceChildren } from "./dom.js";
import { fitDefinition } from "./definition_text.js";
import { capital, errorWords } from "./words.js";

export class OwnGame {
    constructor({ request, bytesMax, onPlay }) {
        this.request = request;
        this.bytesMax = bytesMax;
        this.onPlay = onPlay;
        this.text = h("textarea", {
            rows: 12,
            spellcheck: "false",
            placeholder: '{ "name": … }',
            "aria-label": "Game definition (JSON)",
            oninput: () => this.#forget(),
        });
        this.file = h("input", { type: "file", accept: ".json,application/json", onchange: () => this.#read() });
        this.findings = h("div", { class: "findings", "aria-live": "polite" });
        this.playButton = h("button", { type: "button", class: "primary", onclick: () => this.#play() }, "Open a room");
        this.element = h(
            "section",
            { class: "own-game" },
            h("h2", {}, "Your own game"),
            h("p", { class: "make-one" }, h("a", { class: "button primary", href: "/make" }, "Make a game"), " Write a rule, see it on the board, play it a minute later."),
            h(
                "details",
                {},
                h("summary", {}, "A game is one JSON file. Paste or choose yours."),
                this.text,
                h(
                    "div",
                    { class: "ways" },
                    h("label", { class: "button" }, "Choose a file", this.file),
                    h("button", { type: "button", onclick: () => this.check() }, "Check it"),
                    this.playButton,
                ),
                this.findings,
            ),
        );
    }

    /* A text that came from elsewhere. */
    async show(text) {
        this.element.querySelector("details").open = true;
        this.text.value = text;
        this.element.scrollIntoView({ block: "start" });
        await this.check();
    }

    /* Returns whether the text is a game that can be played. */
    async check() {
        const sent = fitDefinition(this.text.value, this.bytesMax());
        if (sent.problem) return this.#show("bad", sent.problem);
        try {
            const { valid, diagnostics } = await this.request({
                type: "games",
                op: "validate",
                definition: sent.definition,
            });
            const problems = diagnostics.map(sent.locate);
            if (valid) this.#show("good", "This is a game. Nothing to complain about.", problems);
            else
                this.#show(
                    "bad",
                    problems.length === 1 ? "One thing is wrong:" : `${problems.length} things are wrong:`,
                    problems,
                );
            this.#scrollTo(problems[0]?.line);
            return valid;
        } catch (error) {
            return this.#show("bad", errorWords(error));
        }
    }

    async #play() {
        if (!(await this.check())) return;
        const definition = JSON.parse(this.text.value);
        const { title, name, description, player_counts } = definition;
        this.onPlay(definition, { title: title ?? name, description, players: playersOf(definition), player_counts });
    }

    async #read() {
        const [file] = this.file.files;
        if (!file) return;
        this.text.value = await file.text();
        this.file.value = "";
        await this.check();
    }

    #forget() {
        replaceChildren(this.findings);
    }

    #show(tone, words, problems = []) {
        replaceChildren(
            this.findings,
            h("p", { class: tone }, words),
            problems.length > 0 &&
                h(
                    "ol",
                    {},
                    problems.map((problem) => this.#problem(problem)),
                ),
        );
        return false;
    }

    #problem({ line, column, pointer, message, hint, severity }) {
        const place = line ? `${line}:${column}` : pointer;
        return h(
            "li",
            { class: severity },
            h(
                "button",
                { type: "button", class: "place", title: "Show in the text", onclick: () => this.#goTo(line, column) },
                place,
            ),
            h("span", { class: "message" }, capital(message)),
            pointer && h("code", {}, pointer),
            hint && h("span", { class: "hint" }, hint),
        );
    }

    #goTo(line, column) {
        if (!line) return;
        const before = this.text.value.split("\n").slice(0, line - 1);
        const start = before.reduce((sum, text) => sum + text.length + 1, 0);
        const end = this.text.value.indexOf("\n", start);
        this.text.focus();
        this.text.setSelectionRange(start + Math.max(0, column - 1), end < 0 ? this.text.value.length : end);
        this.#scrollTo(line);
    }

    #scrollTo(line) {
        if (line) this.text.scrollTop = (line - 4) * parseFloat(getComputedStyle(this.text).lineHeight);
    }
}

/* Version-0 files may leave the list of players out; the initial position names them as well. */
function playersOf({ players, initial_position }) {
    return Array.isArray(players) && players.length > 0 ? players : Object.keys(initial_position ?? {});
}
