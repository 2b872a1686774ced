/* What a player chooses once for all games in this browser: loaded when it is asked for. */

import { ask } from "./dialogs.js";
import { h } from "./dom.js";
import { say } from "./language.js";
import { boardTheme, chooseBoardTheme, chooseConfirming, confirmsMoves } from "./settings.js";

const THEME_NAMES = { game: say("As the game has it"), grey: say("Grey"), green: say("Green"), blue: say("Blue"), rose: say("Rose") };

/* What is chosen holds at once. */
export async function showSettings() {
    const confirming = h("input", { type: "checkbox", name: "confirm", checked: confirmsMoves(), onchange: () => chooseConfirming(confirming.checked) });
    const theme = ([value, label]) => h("label", {}, h("input", { type: "radio", name: "theme", value, checked: value === boardTheme(), onchange: () => chooseBoardTheme(value) }), h("span", {}, label));
    const themes = h("fieldset", { class: "segments theme" }, h("legend", {}, say("Colours of boards")), h("div", {}, Object.entries(THEME_NAMES).map(theme)));
    const pieces = document.querySelector("svg.board") && (await import("./piece_sets.js")).pieceSets();
    const form = h("form", { class: "new-room settings" }, themes, pieces, h("label", { class: "check" }, confirming, say("Confirm the moves I make on the board")));
    await ask({ title: say("Settings"), body: [form], choices: [{ label: say("Close"), value: true, tone: "primary" }] });
}
