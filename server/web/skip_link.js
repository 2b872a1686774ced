/* The first thing the Tab key finds: past the head of the page to what people come for. */

import { h } from "./dom.js";

export function skipLink(words, target) {
    const link = h("a", { class: "skip-link", href: "#page" }, words);
    link.addEventListener("click", (event) => (event.preventDefault(), target()?.focus()));
    return link;
}
