/* The languages of the page, each in its own name. */

import { h, svg } from "./dom.js";
import { say } from "./language.js";
import { choose, language, LANGUAGES } from "./language_choice.js";

const GLOBE = "M12 3a9 9 0 1 0 0 18a9 9 0 1 0 0-18M3 12h18M12 3c-6 5-6 13 0 18c6-5 6-13 0-18";

export function languageMenu() {
    const options = Object.entries(LANGUAGES).map(([tag, name]) => h("option", { value: tag, lang: tag, selected: tag === language }, name));
    const select = h("select", { "aria-label": say("Language"), title: say("Language"), onchange: () => choose(select.value) }, options);
    return h("span", { class: "language" }, svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: GLOBE })), select);
}
