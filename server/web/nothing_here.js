/* What an address shows that leads nowhere: said in a few words, with a way to what there is. */

import { h } from "./dom.js";
import { say } from "./language.js";

export class NothingHere {
    constructor(title, words) {
        this.element = h("div", {});
        showNothing(this.element, title, words);
    }

    onWelcome() {}

    onFrame() {}
}

/* In the place of what was looked for. */
export function showNothing(element, title, words) {
    element.className = "missing";
    element.removeAttribute("aria-busy");
    element.replaceChildren(h("h1", {}, title), h("p", {}, words), h("a", { class: "button primary", href: "/" }, say("To the lobby")));
    document.title = `${title} · Senet`;
}
