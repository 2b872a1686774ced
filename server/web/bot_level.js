/* How well the server's bot is to play, kept in the browser. Whoever has not chosen is given what the server has. */

import { h } from "./dom.js";
import { say } from "./language.js";

const KEY = "senet.bot-level";
const LEVELS = 8;

function botLevel() {
    const level = Number(localStorage.getItem(KEY));
    return Number.isInteger(level) && level >= 1 && level <= LEVELS ? level : null;
}

/* As a member of `bot.invite`: absent when none was chosen. */
export function levelMember() {
    const level = botLevel();
    return level ? { level } : {};
}

export function levelField() {
    const options = [["", say("usual")], ...Array.from({ length: LEVELS }, (_, i) => [`${i + 1}`, words(i + 1)])];
    const select = h(
        "select",
        { name: "level" },
        options.map(([value, label]) => h("option", { value, selected: value === `${botLevel() ?? ""}` }, label)),
    );
    select.addEventListener("change", () => (select.value ? localStorage.setItem(KEY, select.value) : localStorage.removeItem(KEY)));
    return h("label", { class: "field bot-level" }, h("span", {}, say("The bot's level")), select);
}

function words(level) {
    if (level === 1) return say("{level}, the weakest", { level });
    return level === LEVELS ? say("{level}, the strongest", { level }) : `${level}`;
}
