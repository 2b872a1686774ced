/* The hand that paints: an edit is tried out before it is made. One that would leave a text that is no game any more is asked about,
 * one that cannot be made is explained; both point into the text. */

import { h, replaceChildren } from "../dom.js";
import { capital, say } from "../language.js";
import { extendedBy } from "./bases.js";
import { parseTree } from "./editor.js";
import { painting } from "./painting.js";
import { pathOf, rangeOf } from "./pointers.js";

export const pointerOf = (path) => path.map((part) => `/${`${part}`.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");

export const smallButton = (label, onclick) => h("button", { type: "button", class: "small", onclick }, label);

export class Hand {
    #work = Promise.resolve();

    constructor(view) {
        this.view = view;
        this.words = h("div", { class: "paint-words", role: "status", "aria-live": "polite" });
    }

    /* work(edited) edits, or throws a Refusal. What it has to ask the engine before is asked by `prepare`, which needs a text that is a
     * game. Clicks come faster than texts are loaded: one after the other. Resolves to whether the text is another one. */
    paint(work, { prepare, done = "" } = {}) {
        const turn = this.#work.then(() => this.#paint(work, prepare, done));
        this.#work = turn.catch((error) => this.#saysInherited(error instanceof TypeError) || this.say(capital(error.message)));
        return turn.catch(() => false);
    }

    say(words, ...more) {
        replaceChildren(this.words, words && h("p", {}, words), more.length > 0 && h("div", { class: "row" }, more));
    }

    /* Words, a way into the text, and whatever else may be done. */
    refuse(words, path, ...more) {
        this.say(words, ...more, this.#wayTo(path));
    }

    clear() {
        this.say("");
    }

    async #paint(work, prepare, done) {
        this.clear();
        if (!this.view.isCurrent) await this.view.settle();
        if (prepare && !this.view.isCurrent) throw new Error(say("the board shows an older version of the text: mend the text first"));
        const prepared = await prepare?.();
        const { text } = this.view.editor;
        const painted = painting(text, (edited) => work(edited, prepared));
        if (painted.refused) return this.#refused(painted);
        if (painted.steps.length === 0) return this.#saysInherited(true) && false;
        const trouble = await this.#troubleWith(painted.text, text);
        if (this.view.editor.text !== text) throw new Error(say("the text is another one by now: try that again"));
        if (trouble) return this.#ask(painted, text, trouble);
        return this.#make(painted, done);
    }

    /* What a painter would change may stand in the game that the text extends, and not here. */
    #saysInherited(isLikely) {
        const base = isLikely ? extendedBy(this.view.editor.text) : null;
        if (base !== null) this.say(say("This stands in “{game}”, which the text extends, and not here: write what is different into the text.", { game: base }));
        return base !== null;
    }

    #refused({ refused, path }) {
        this.refuse(refused, path);
        return false;
    }

    /* The board has the edit before the next one is made. */
    async #make({ steps }, done) {
        this.view.editor.editAll(steps);
        await this.view.settle();
        if (done) this.say(done);
        return true;
    }

    /* What the engine says against it; nothing where the text was no game before either. */
    async #troubleWith(text, before) {
        const { engine } = this.view;
        const faultOf = async (one) => {
            const { valid, diagnostics } = await engine.load(one);
            return valid ? null : (diagnostics.find(({ severity }) => severity === "error") ?? { message: "it does not load", pointer: "" });
        };
        const fault = await faultOf(text);
        return fault && !(await faultOf(before)) ? fault : null;
    }

    #ask(painted, text, { message, pointer }) {
        const anyway = h("button", { type: "button", class: "small", onclick: () => this.view.editor.text === text && this.#make(painted, "") }, say("Do it all the same"));
        this.refuse(`This would be no game any more: ${message}.`.replace(/\.\.$/, "."), pathOf(pointer, parseTree(text)), anyway);
        return false;
    }

    /* To the nearest place that is there. */
    #wayTo(path) {
        const root = parseTree(this.view.editor.text);
        for (let length = path.length; length > 0; length--) {
            const range = rangeOf(pointerOf(path.slice(0, length)), root);
            if (!range) continue;
            this.view.editor.mark([{ ...range, tone: "forbids" }]);
            return h("button", { type: "button", class: "small", onclick: () => this.view.showText(range) }, say("Show it in the text"));
        }
        return null;
    }
}
