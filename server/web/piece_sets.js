/* Which set of pieces a game is drawn with, where it offers several: a part of the settings, loaded where a board is on the page, and of
 * the tab on which pictures are given (make/pictures_tab.js). */

import { h } from "./dom.js";
import { say } from "./language.js";
import { chosenSet, pieceIcon } from "./pieces.js";
import { chooseSet } from "./settings.js";
import { gameWord } from "./words.js";

/* One of those that the game offers by its name; "": none. It is drawn at once. */
export function choosePieces({ sets = [] }, name) {
    chooseSet(
        sets.map((set) => set.name),
        name,
    );
    for (const piece of document.querySelectorAll("g.piece")) piece.draw?.();
}

/* Of the game on this page; null: it offers none. */
export function pieceSets() {
    const { layout } = document.querySelector("svg.board");
    if (!layout?.sets) return null;
    const { sets } = layout;
    const chosen = chosenSet(layout);
    const choice = (set, words) => {
        const input = h("input", { type: "radio", name: "pieces", value: set?.name ?? "", checked: set === chosen, onchange: () => choosePieces(layout, input.value) });
        return h("label", {}, input, h("span", {}, faceOf(layout, set ?? layout, sets[0]), words));
    };
    const choices = [choice(undefined, say("As the game has it")), ...sets.map((set) => choice(set, gameWord(set.name)))];
    return h("fieldset", { class: "segments pieces" }, h("legend", {}, say("Pieces")), h("div", {}, choices));
}

/* One figure as `images` have it, the same of all: the first that another set shows, too. */
function faceOf(layout, { images }, { images: others }) {
    const player = layout.players.find((name) => Object.keys(others[name] ?? {}).length > 0);
    const [figure] = Object.keys(others[player] ?? {});
    return figure ? pieceIcon({ ...layout, sets: [], images }, { player, figure }) : null;
}
