/* Who moves after whom, as a strip: the turns of the file, or the states of its machine and where each leads. */

import { h, replaceChildren } from "../dom.js";
import { say, sayCount } from "../language.js";
import { playerDot } from "../pieces.js";
import { Hand, pointerOf } from "./paint_hand.js";
import { playersOf } from "./player_edits.js";
import { rangeOf } from "./pointers.js";
import { nodeValue } from "./tolerant.js";
import { addState, addTurn, changeTurn, moveTurn, phasesOf, removeState, removeTurn, setInitial, setStateWord, statesOf, turnsOf } from "./turn_edits.js";

const STATES_SHOWN_MAX = 64;
const TYPES = { move: "moves", check_win: "has won?", next_move: "the move number grows", end: "the end" };

export class PaintTurns {
    active = false;
    #chosen = 0;

    constructor(view) {
        this.view = view;
        this.hand = new Hand(view);
        this.strip = h("ol", { class: "strip-of-turns", "aria-label": say("Turns") });
        this.controls = h("div", { class: "turn-controls" });
        this.hint = h("p", { class: "hint" });
        this.element = h("div", { class: "painter turns-painter" }, this.hint, this.hand.words, this.strip, this.controls);
    }

    load({ layout, root }) {
        this.layout = layout;
        this.root = root;
        this.file = nodeValue(root);
        const focus = this.element.contains(document.activeElement) ? document.activeElement.dataset.field : null;
        this.players = playersOf(this.file);
        const turns = turnsOf(this.file);
        if (turns) this.#showTurns(turns);
        else this.#showStates(statesOf(this.file));
        if (focus) (this.element.querySelector(`[data-field="${CSS.escape(focus)}"]:not(:disabled)`) ?? this.element.querySelector(".turn-chip, button"))?.focus();
    }

    hide() {
        this.hand.clear();
    }

    /* --- the list of turns -------------------------------------------------------------------------------- */

    #showTurns(turns) {
        this.#chosen = Math.min(this.#chosen, turns.length - 1);
        this.hint.textContent = say("They move in this order, round and round. Choose a turn to change it.");
        replaceChildren(this.strip, turns.map((turn, at) => this.#chip(turn, at)));
        replaceChildren(this.controls, turns.length > 0 && this.#turnRow(turns[this.#chosen], turns.length), this.#adding(turns.length));
    }

    #chip({ player, phase, same_figure }, at) {
        const words = [player, phase, same_figure && "same figure"].filter(Boolean).join(" · ");
        const chip = h("button", { type: "button", class: "small turn-chip", "data-field": `turn ${at}`, "aria-pressed": `${at === this.#chosen}`, onclick: () => this.#choose(at) }, playerDot(this.layout, player), words);
        return h("li", {}, chip);
    }

    #choose(at) {
        this.#chosen = at;
        this.#showTurns(turnsOf(this.file));
        this.strip.children[at].firstChild.focus();
        const range = rangeOf(pointerOf(["turns", at]), this.root);
        if (range && this.view.isCurrent) this.view.editor.mark([{ ...range, tone: "" }]);
    }

    #turnRow({ player, phase, same_figure }, count) {
        const at = this.#chosen;
        const change = (words) => this.hand.paint((edited) => changeTurn(edited, at, words));
        const phases = [...new Set([...phasesOf(this.file), ...(phase ? [phase] : [])])];
        return h(
            "div",
            { class: "row" },
            select("Who moves", "turn player", this.players, player, (value) => change({ player: value })),
            phases.length > 0 && select("Phase", "turn phase", ["", ...phases], phase ?? "", (value) => change({ phase: value }), (value) => (value ? `phase ${value}` : "no phase")),
            h("label", { class: "check" }, checkbox("turn same", same_figure === true, (is) => change({ same_figure: is })), " only the figure that moved last"),
            button(say("Earlier"), "turn earlier", () => this.#move(at, -1), at === 0),
            button(say("Later"), "turn later", () => this.#move(at, 1), at === count - 1),
            button(say("Remove"), "turn remove", () => this.hand.paint((edited) => removeTurn(edited, at)), false),
        );
    }

    async #move(at, by) {
        this.#chosen = at + by;
        if (!(await this.hand.paint((edited) => moveTurn(edited, at, by)))) this.#chosen = at;
    }

    #adding(count) {
        const who = h("select", { "aria-label": say("Who gets another turn") }, this.players.map((player) => h("option", { value: player }, player)));
        const add = async () => {
            const at = Math.min(this.#chosen + 1, count);
            this.#chosen = at;
            await this.hand.paint((edited) => addTurn(edited, at, who.value));
        };
        return h("div", { class: "row" }, who, button(say("Add a turn behind"), "turn add", add, false));
    }

    /* --- the machine of states ------------------------------------------------------------------------------- */

    #showStates(states) {
        this.hint.textContent = say("This game says who moves by a machine of states. What is not simple to change here is changed in the text.");
        replaceChildren(this.strip, states.slice(0, STATES_SHOWN_MAX).map((one) => this.#state(one, states.map(({ name }) => name))));
        replaceChildren(this.controls, states.length > STATES_SHOWN_MAX && h("p", { class: "hint" }, sayCount("{count} more state is in the text.", "{count} more states are in the text.", states.length - STATES_SHOWN_MAX)));
    }

    #state({ name, state, exits, reached }, names) {
        const isFirst = this.file.initial_game_state === name;
        const player = state.parameters?.player;
        const word = (path) => (value) => this.hand.paint((edited) => setStateWord(edited, [name, ...path], value));
        const begin = state.type === "move" && !isFirst && button(say("Begin here"), `${name} first`, () => this.hand.paint((edited) => setInitial(edited, name)), false);
        return h(
            "li",
            { class: "state", "data-state-name": name },
            h("button", { type: "button", class: "link", "data-field": `${name} name`, onclick: () => this.#toText(name) }, isFirst ? `▶ ${name}` : name),
            h(
                "span",
                { class: "row" },
                player !== undefined && playerDot(this.layout, player),
                player !== undefined && select(`Player of ${name}`, `${name} player`, this.players, player, word(["parameters", "player"])),
                h("span", {}, TYPES[state.type] ?? `${state.type}`),
                state.type === "end" && select(`Winner of ${name}`, `${name} winner`, ["", ...this.players], state.winner ?? "", word(["winner"]), (value) => (value ? `${value} has won` : "nobody said to have won")),
            ),
            exits.map(({ to, when, path }) => h("label", { class: "exit" }, `${when || "then"} → `, select(`${when || "After"} ${name}`, `${name} ${path.join("/")}`, names, to, word(path)))),
            !reached && h("span", { class: "hint" }, say("never reached")),
            h(
                "span",
                { class: "row" },
                begin,
                typeof state.next === "string" && button(say("Add a move behind"), `${name} add`, () => this.hand.paint((edited) => addState(edited, name, player ?? this.players[0])), false),
                button(say("Remove"), `${name} remove`, () => this.hand.paint((edited) => removeState(edited, name)), false),
            ),
        );
    }

    #toText(name) {
        const range = rangeOf(pointerOf(["game_states", name]), this.root);
        if (range) this.view.showText(range);
    }
}

function select(label, field, values, value, onPick, words = (one) => one) {
    const all = values.includes(value) ? values : [...values, value];
    const element = h("select", { "aria-label": label, "data-field": field }, all.map((one) => h("option", { value: one }, words(one))));
    element.value = value;
    element.addEventListener("change", async () => {
        if (!(await onPick(element.value))) element.value = value;
    });
    return element;
}

function checkbox(field, checked, onPick) {
    const input = h("input", { type: "checkbox", "data-field": field, checked });
    input.addEventListener("change", async () => {
        if (!(await onPick(input.checked))) input.checked = checked;
    });
    return input;
}

function button(label, field, onclick, disabled) {
    return h("button", { type: "button", class: "small", "data-field": field, disabled, onclick }, label);
}
