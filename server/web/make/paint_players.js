/* Players: a name is changed wherever the file has it. The colours the board is drawn in; pictures have a tab of their own. */

import { h, replaceChildren } from "../dom.js";
import { say } from "../language.js";
import { playerDot } from "../pieces.js";
import { Hand, smallButton } from "./paint_hand.js";
import { addPlayer, colourTexts, playersOf, removePlayer, renamePlayer, setColour } from "./player_edits.js";
import { nodeValue } from "./tolerant.js";

const COLOURS = { fill: say("Cells"), selector: say("The cell that is selected"), highlighter: say("Where it may go") };
const PLAYERS_SHOWN_MAX = 8;
const COLOURS_SHOWN_MAX = 12;

export class PaintPlayers {
    active = false;

    constructor(view) {
        this.view = view;
        this.hand = new Hand(view);
        this.players = h("ul", { class: "parts" });
        this.name = h("input", { type: "text", "aria-label": say("Another player's name"), maxlength: 64, onkeydown: (event) => event.key === "Enter" && this.#add() });
        this.colours = h("div", { class: "row colours" });
        this.element = h(
            "div",
            { class: "painter players-painter" },
            h("p", { class: "hint" }, say("A name is changed wherever the text has it. A player is drawn in the colour of their name, where it is one.")),
            this.hand.words,
            this.players,
            h("div", { class: "row" }, this.name, smallButton(say("Add a player"), () => this.#add())),
            h("strong", {}, say("Colours of the board")),
            this.colours,
        );
    }

    load({ layout, root }) {
        this.layout = layout;
        this.file = nodeValue(root);
        const focus = this.element.contains(document.activeElement) ? document.activeElement.dataset.field : null;
        const players = playersOf(this.file).slice(0, PLAYERS_SHOWN_MAX);
        replaceChildren(this.players, players.map((player, at) => this.#row(player, at, players.length > 1)));
        replaceChildren(this.colours, Object.keys(COLOURS).flatMap((which) => this.#coloursOf(which)));
        if (focus) this.element.querySelector(`[data-field="${CSS.escape(focus)}"]`)?.focus();
    }

    hide() {
        this.hand.clear();
    }

    #row(player, at, mayGo) {
        const input = h("input", { type: "text", "aria-label": say("Name of player {number}", { number: at + 1 }), "data-field": `name ${at}`, maxlength: 64, value: player });
        input.addEventListener("change", async () => {
            const name = input.value.trim();
            const is = name !== player && (await this.hand.paint((edited) => renamePlayer(edited, player, name), { done: `${player} is called ${name} now, wherever the text speaks of them.` }));
            if (!is) input.value = player;
        });
        return h("li", {}, playerDot(this.layout, player), input, mayGo && smallButton(say("Remove"), () => this.hand.paint((edited) => removePlayer(edited, player))));
    }

    async #add() {
        const name = this.name.value.trim();
        const isThere = await this.hand.paint((edited) => addPlayer(edited, name), { done: `${name} moves after the others; where their figures begin is drawn under Figures.` });
        if (isThere) this.name.value = "";
    }

    /* Each colour that is written in the expression; of one that is not there the colour it has by itself. */
    #coloursOf(which) {
        const expression = this.file.cell?.colors?.[which];
        const written = colourTexts(expression).slice(0, COLOURS_SHOWN_MAX);
        if (expression !== undefined && written.length === 0) return [h("span", { class: "hint" }, say("{what}: calculated in the text", { what: COLOURS[which] }))];
        const shown = expression === undefined ? [{ text: this.layout.cells[0]?.[which] ?? "#a9a9a9" }] : written;
        return shown.map(({ text }, at) => {
            const label = shown.length > 1 ? `${COLOURS[which]} ${at + 1}` : COLOURS[which];
            const input = h("input", { type: "color", "aria-label": label, "data-field": `${which} ${at}`, value: hexOf(text) });
            input.addEventListener("change", () => this.hand.paint((edited) => setColour(edited, which, at, input.value)));
            return h("label", {}, input, ` ${label}`);
        });
    }
}

/* A colour as its field wants it: #rrggbb. */
function hexOf(colour) {
    const context = document.createElement("canvas").getContext("2d");
    context.fillStyle = colour;
    return /^#[0-9a-f]{6}$/.test(context.fillStyle) ? context.fillStyle : "#888888";
}
