/* The file's own tests, run with every change; and new ones, made of what stands on the board by a click. */

import { h, replaceChildren, setText } from "../dom.js";
import { say, sayCount } from "../language.js";
import { findNodeAtLocation, parseTree } from "./editor.js";
import { rangeOf } from "./pointers.js";
import { appendTo } from "./text_edits.js";
import { nodeValue } from "./tolerant.js";

const TESTS_MAX = 64;
const RUN_AFTER_MS = 400;

export class TestsTab {
    #refusal = null;
    #timer = 0;
    #stopped = null; /* the tests that took too long, as they are written: they are not run again by themselves */

    constructor(view) {
        this.view = view;
        this.again = button(say("Run the tests"), () => this.#run());
        this.again.hidden = true;
        this.words = h("p", { role: "status", "aria-live": "polite" });
        this.list = h("ol", { class: "tests" });
        this.illegal = button("", () => this.#add("illegal"));
        this.legal = button("", () => this.#add("legal"));
        this.count = button("", () => this.#add("count"));
        this.result = button("", () => this.#add("result"));
        this.making = h("span", { class: "hint" }, say("A new test:"));
        this.element = h(
            "div",
            { class: "tests-tab" },
            this.words,
            this.again,
            this.list,
            h("div", { class: "row make-test" }, this.making, this.legal, this.illegal, this.count, this.result),
        );
    }

    load({ game, root }) {
        this.game = game;
        this.root = root;
        this.#refusal = null;
        clearTimeout(this.#timer);
        if (game.tests === 0) this.#show([]);
        else if (this.#written() !== this.#stopped) this.#timer = setTimeout(() => this.#run(), RUN_AFTER_MS);
        this.#offer();
    }

    #written() {
        return JSON.stringify(nodeValue(findNodeAtLocation(this.root, ["tests"])));
    }

    /* Not at once: tests may count long trees, and the board comes first. */
    async #run() {
        const { game } = this;
        this.again.hidden = true;
        const { tests, trouble } = await this.view.engine.ask({ do: "tests" }).catch((error) => ({ tests: [], trouble: error }));
        if (game !== this.game) return;
        this.#stopped = trouble?.reason ? this.#written() : null;
        if (trouble) return this.#ended(trouble);
        this.#show(tests);
        this.view.onTests(tests.filter(({ passed }) => !passed));
    }

    /* The board goes on, with an engine that has to be given the game again. */
    #ended(trouble) {
        this.again.hidden = false;
        this.words.className = "bad";
        setText(this.words, say("The tests were not run to their end. {why}.", { why: trouble.message }).replace("..", "."));
        replaceChildren(this.list);
        if (trouble.reason) this.view.settle();
    }

    #show(tests) {
        const failed = tests.filter(({ passed }) => !passed).length;
        this.element.dataset.failed = failed;
        this.element.dataset.count = tests.length;
        setText(this.words, wordsOf(tests.length, failed, this.game.format));
        this.words.className = failed > 0 ? "bad" : "";
        replaceChildren(
            this.list,
            tests.map((test) => this.#item(test)),
        );
    }

    update(trial) {
        this.trial = trial;
        this.#refusal = null;
        this.#offer();
    }

    refused(refusal) {
        this.#refusal = refusal;
        this.#offer();
    }

    #item({ name, pointer, passed, words }) {
        const go = () => {
            const range = rangeOf(pointer, this.root);
            if (range) this.view.editor.goTo(range.from, range.to);
        };
        return h(
            "li",
            { class: passed ? "passed" : "failed" },
            h("button", { type: "button", class: "link", onclick: go }, `${passed ? "✓" : "✗"} ${name}`),
            words && h("span", { class: "bad" }, words),
        );
    }

    /* What can be made a test of as things stand. */
    #offer() {
        const { played = [], state, moves = [] } = this.trial ?? {};
        const may = this.game?.format === 2 && state && (!this.trial.base || this.trial.base.position);
        const last = played.at(-1);
        this.legal.hidden = !may || !last;
        const refused = this.#refusal && textOf(this.#refusal, moves);
        this.illegal.hidden = !may || !refused;
        this.count.hidden = !may || !state.to_move;
        this.result.hidden = !may || !state.result;
        this.making.hidden = !may;
        if (last) setText(this.legal, say("“{move} is legal”", { move: last.text }));
        if (refused) setText(this.illegal, say("“{move} is illegal”", { move: refused }));
        setText(this.count, sayCount("“{count} move here”", "“{count} moves here”", moves.length));
        if (state?.result) setText(this.result, say("“It ends so”"));
    }

    #add(kind) {
        const text = this.view.editor.text;
        const test = this.#testOf(kind);
        const count = this.game.tests;
        if (count >= TESTS_MAX) return this.view.say(say("A file has at most {count} tests.", { count: TESTS_MAX }));
        const edits = appendTo(text, parseTree(text), ["tests"], test);
        return this.view.editor.edit(edits);
    }

    #testOf(kind) {
        const { played, base, state, moves } = this.trial;
        const position = base?.position ? { position: base.position } : {};
        const texts = played.map(({ text }) => text);
        const made = texts.length > 0 ? { moves: texts } : {};
        if (kind === "legal") {
            const before = texts.slice(0, -1);
            return { name: `${texts.at(-1)} is legal`, ...position, ...(before.length > 0 ? { moves: before } : {}), legal: [texts.at(-1)] };
        }
        if (kind === "illegal") {
            const move = textOf(this.#refusal, moves);
            return { name: `${move} is illegal`, ...position, ...made, illegal: [move] };
        }
        if (kind === "count") return { name: `${moves.length} moves${texts.length > 0 ? ` after ${texts.at(-1)}` : ""}`, ...position, ...made, count: moves.length };
        const { winner, loser, reason } = state.result;
        return { name: reason, ...position, ...made, result: winner ? { winner, reason } : loser ? { loser, reason } : { draw: reason } };
    }
}

/* As every game reads it; a figure from the hand as it is written where it may be put, "" where that is nowhere. */
function textOf({ from, to, put }, moves) {
    if (from !== undefined) return `${from}-${to}`;
    if (put === undefined) return to;
    const other = moves.find((move) => move.from === undefined && move.choice === put);
    return other?.text?.endsWith(other.to) ? other.text.slice(0, -other.to.length) + to : "";
}

function wordsOf(count, failed, format) {
    if (format !== 2) return say("Tests are a word of format 2; this file has another.");
    if (count === 0) return say("No tests yet. Play something here, then say what must be so:");
    if (count === 1) return failed > 0 ? say("The one test fails.") : say("The one test passes.");
    return failed > 0 ? say("{failed} of {count} tests fail.", { failed, count }) : say("All {count} tests pass.", { count });
}

function button(label, onclick) {
    return h("button", { type: "button", class: "small", onclick }, label);
}
