/* What stands under the board, in tabs: the game tried out, its tests, painters, random games. */

import { h } from "../dom.js";
import { say } from "../language.js";
import { PaintTab } from "./paint_tab.js";
import { PicturesTab } from "./pictures_tab.js";
import { PlayTab } from "./play_tab.js";
import { RandomTab } from "./random_tab.js";
import { TestsTab } from "./tests_tab.js";

export class TryPanel {
    /* view: the GameView it belongs to. */
    constructor({ view }) {
        this.tests = new TestsTab(view);
        this.tabs = [
            [say("Play"), new PlayTab(view)],
            [say("Draw it"), new PaintTab(view)],
            [say("Pictures"), new PicturesTab(view)],
            [say("Tests"), this.tests],
            [say("Random"), new RandomTab(view)],
        ];
        this.heads = this.tabs.map(([label], index) =>
            h("button", { type: "button", role: "tab", id: `tab-${index}`, "aria-controls": `panel-${index}`, onclick: () => this.#open(index) }, label),
        );
        this.bodies = this.tabs.map(([, { element }], index) =>
            h("div", { role: "tabpanel", id: `panel-${index}`, "aria-labelledby": `tab-${index}` }, element),
        );
        const list = h("div", { class: "tabs", role: "tablist", "aria-label": say("Try the game"), onkeydown: (event) => this.#key(event) }, this.heads);
        this.element = h("section", { class: "try" }, list, this.bodies);
        this.#open(0);
    }

    /* Whether the board is drawn on, or a position is set up there, instead of playing. */
    get draws() {
        return Boolean(this.open?.active);
    }

    /* What is in the hand goes where it clicks; with nothing in it figures are moved from where they stand. */
    get paints() {
        return this.draws && !this.places;
    }

    get places() {
        return this.draws && Boolean(this.open.places);
    }

    /* What stands on the board meanwhile, if it is not where the game begins. */
    get cells() {
        return this.open.cells;
    }

    paint(cell) {
        this.open.paint(cell);
    }

    move(places) {
        this.open.move(places);
    }

    letGo() {
        return this.open.letGo();
    }

    async load(loaded) {
        for (const [, tab] of this.tabs) await tab.load?.(loaded);
    }

    update(trial) {
        for (const [, tab] of this.tabs) tab.update?.(trial);
    }

    refused(refusal) {
        this.tests.refused(refusal);
    }

    #open(index) {
        this.open?.hide?.();
        this.open = this.tabs[index][1];
        this.heads.forEach((head, at) => {
            head.setAttribute("aria-selected", `${at === index}`);
            head.tabIndex = at === index ? 0 : -1;
            this.bodies[at].hidden = at !== index;
        });
        this.open.shown?.();
    }

    #key(event) {
        const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        if (!step) return;
        const at = this.heads.indexOf(document.activeElement);
        const next = (at + step + this.heads.length) % this.heads.length;
        this.#open(next);
        this.heads[next].focus();
    }
}
