/* A game that was saved as a file becomes a room again: chosen, or dropped anywhere on the page. A file of rules is for /make. */

import { bringIn, isPgn } from "./bring_in.js";
import { h, setText } from "./dom.js";
import { parts, say } from "./language.js";

const BYTES_MAX = 2 ** 20;

export class SavedGame {
    /* target: the element that files may be dropped on. onRules(name, text): the file was a game's rules instead. */
    constructor({ target, onRoom, onRules }) {
        this.onRoom = onRoom;
        this.onRules = onRules;
        this.file = h("input", { type: "file", accept: ".json,.pgn,application/json", onchange: () => this.#chosen() });
        this.words = h("p", { class: "found", role: "status", "aria-live": "polite" });
        this.element = h(
            "section",
            { class: "saved-game", id: "saved-game" },
            h("h2", {}, say("A saved game")),
            h(
                "div",
                { class: "drop" },
                h(
                    "p",
                    {},
                    parts(
                        "Choose a {kind} file, or one in PGN, or drop it here: a finished game is shown to step through, any other one can be played on. The rules of a game are opened where games are made.",
                        { kind: h("code", {}, ".senet.json") },
                    ),
                ),
                h("label", { class: "button" }, say("Open a file"), this.file),
                this.words,
            ),
        );
        this.#receive(target);
    }

    #receive(target) {
        const holdsFile = (event) => event.dataTransfer?.types.includes("Files");
        const lift = (on) => this.element.classList.toggle("lifted", on);
        target.addEventListener("dragover", (event) => {
            if (!holdsFile(event)) return;
            event.preventDefault();
            lift(true);
        });
        target.addEventListener("dragleave", (event) => !target.contains(event.relatedTarget) && lift(false));
        target.addEventListener("drop", (event) => {
            lift(false);
            if (!holdsFile(event)) return;
            event.preventDefault();
            this.open(event.dataTransfer.files[0]);
        });
    }

    #chosen() {
        const [file] = this.file.files;
        this.file.value = "";
        if (file) this.open(file);
    }

    async open(file) {
        this.#say("", say("Opening {file}…", { file: file.name }));
        if (file.size > BYTES_MAX) return this.#say("bad", say("This file is larger than 1 MiB: it is not opened."));
        const text = await file.text();
        if (isRules(text)) return this.#isRules(file.name, text);
        try {
            const room = await upload(text);
            this.#say("", "");
            return this.onRoom(room);
        } catch (error) {
            return this.#say("bad", say("{file} cannot be opened. {why}", { file: file.name, why: error.message }));
        }
    }

    #isRules(name, text) {
        this.#say("", say("{file} holds the rules of a game, not a saved one: it is opened where games are made.", { file: name }));
        return this.onRules(name, text);
    }

    #say(tone, words) {
        this.words.className = `found ${tone}`;
        setText(this.words, words);
        if (tone === "bad") this.element.scrollIntoView({ block: "nearest" });
    }
}

async function upload(text) {
    const problem = problemOf(text);
    if (problem) throw new Error(problem);
    return bringIn(text);
}

function isRules(text) {
    try {
        const { figures, initial_position } = JSON.parse(text) ?? {};
        return figures !== undefined && initial_position !== undefined;
    } catch {
        return false;
    }
}

/* What can be seen without asking anybody. */
function problemOf(text) {
    if (isPgn(text)) return "";
    try {
        const saved = JSON.parse(text);
        const isObject = typeof saved === "object" && saved !== null && !Array.isArray(saved);
        return isObject ? "" : say("It is not a saved game.");
    } catch {
        return say("It is not JSON: the file is damaged, or not a saved game.");
    }
}
