/* The board beside the text: the last text that was a game, played from both sides, and lit by what the text's words mean.
 *
 * From the board to the text: the figure in the hand has its movements marked there, and a cell it may not go to the words that
 * forbid it. From the text to the board: the word under the cursor lights the cells it speaks of. */

import { Board } from "../board.js";
import { h, setText } from "../dom.js";
import { Hands } from "../hands.js";
import { capital, say, sayCount } from "../language.js";
import { pickMove } from "../pick_move.js";
import { refusedWords } from "../words.js";
import { BoardLight } from "./board_light.js";
import { parseTree } from "./editor.js";
import { pointerAt, rangeOf } from "./pointers.js";
import { TrialGame } from "./trial_game.js";
import { TryPanel } from "./try_panel.js";

const CURSOR_RESTS_MS = 120;
const RULES_SHOWN_MAX = 40;
const AT_REST = { lastMove: null, moves: [], pending: null, active: null, taken: [], mover: null };

export class GameView {
    #timer = 0;
    #layout = null;
    #root = null; /* the parsed text of the board */
    #text = null;
    #flipped = false;
    #targets = {}; /* of the figure in the hand: {from, or put, targets} */
    #asked = 0;
    #pointedPut; /* the cell whose placement is pointed at */
    #drawn = false; /* the board was drawn on when it was shown last */

    /* onSettle(): loads the text now; a promise. onTests(failed): those of the file's tests that fail. onShowText({from, to}): a
     * place of the text, brought into sight. */
    constructor({ engine, editor, notes, onSettle, onTests, onShowText }) {
        this.settle = onSettle;
        this.showText = onShowText;
        this.onTests = onTests;
        this.engine = engine;
        this.editor = editor;
        this.notes = notes;
        this.trial = new TrialGame(engine, () => this.#show());
        this.board = new Board({
            onMove: (moves) => this.#move(moves),
            onRefused: (from, to, dropped, put) => this.#refused(from, to, put),
            onAhead: (places) => this.panel.move(places),
            onHand: () => this.#pickedUp(),
        });
        this.hands = new Hands({ onTake: (figure) => this.board.takeInHand(figure) });
        this.light = new BoardLight(this.board.element);
        this.words = h("p", { class: "board-words", role: "status", "aria-live": "polite" });
        this.note = h("p", { class: "stale", hidden: true }, say("The board shows your last version without a mistake."));
        this.panel = new TryPanel({ view: this });
        this.frame = h("div", { class: "board-frame" }, this.board.element);
        this.missing = h("p", { class: "no-board" }, missingWords(engine));
        this.element = h("div", { class: "board-side" }, this.missing, this.note, this.hands.top, this.frame, this.hands.bottom, this.words, this.panel.element);
        this.frame.hidden = this.panel.element.hidden = true;
        this.#listen();
    }

    /* answer: of engine.load */
    async load(text, { game, layout, coordinates, start }) {
        this.note.hidden = true;
        this.#text = text;
        this.#root = parseTree(text);
        this.engineIsThere();
        if (!layout) return;
        this.#layout = layout;
        this.missing.hidden = true;
        this.frame.hidden = this.panel.element.hidden = false;
        const focused = this.focusedCell;
        this.#draw(layout);
        this.focusCell(focused);
        this.light.clear();
        this.start = start;
        this.hands.forget();
        setText(this.words, "");
        await this.trial.reload();
        await this.panel.load({ game, layout, coordinates, text, root: this.#root });
        this.cursorAt(this.editor.cursor);
    }

    /* Or is known not to be. */
    engineIsThere() {
        setText(this.missing, missingWords(this.engine));
    }

    stale(hasBoard) {
        this.note.hidden = !hasBoard || !this.#layout;
        this.light.clear();
    }

    /* Whether the board is of the text as it stands. */
    get isCurrent() {
        return this.editor.text === this.#text;
    }

    /* Another draft. */
    clear() {
        this.trial.forget();
        this.#text = null;
        this.note.hidden = true;
        this.light.clear();
        setText(this.words, "");
    }

    flip() {
        this.#flipped = !this.#flipped;
        this.#draw(this.#layout);
        this.#show();
    }

    say(words) {
        setText(this.words, words);
    }

    /* The word there lights what it speaks of. */
    cursorAt(offset) {
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => this.#lightWord(offset), CURSOR_RESTS_MS);
    }

    async #lightWord(offset) {
        if (!this.#layout || this.editor.text !== this.#text) return;
        const asked = ++this.#asked;
        const pointer = pointerAt(offset, this.#root);
        const { cells } = await this.engine.ask({ do: "cells", pointer }).catch(() => ({ cells: { sets: [] } }));
        if (asked !== this.#asked || this.panel.paints) return;
        const speaks = Boolean(cells.pointer) && cells.sets.length > 0; /* the whole file speaks of everything */
        this.#targets = {};
        this.light.show(speaks ? cells.sets : []);
        this.board.element.dataset.word = speaks ? cells.pointer : "";
        if (speaks) this.say(`${cells.pointer.slice(1).replaceAll("/", " › ")}: ${countWords(cells.sets)}`);
    }

    #listen() {
        const cellOf = (event) => event.target.closest?.("[data-cell]")?.dataset.cell;
        for (const kind of ["pointerover", "focusin"]) this.board.element.addEventListener(kind, (event) => this.#pointedAt(cellOf(event)));
        this.board.element.addEventListener("pointerdown", (event) => this.#touched(cellOf(event)), { capture: true });
        this.board.element.addEventListener("keydown", (event) => (event.key === "Enter" || event.key === " ") && this.#touched(cellOf(event)), { capture: true });
        /* While something is painted, the hand paints and does not play. */
        for (const kind of ["pointerdown", "pointerup", "click", "keydown"])
            this.frame.addEventListener(
                kind,
                (event) => {
                    const cell = cellOf(event);
                    if (!this.panel.paints || !cell || (kind === "keydown" && !["Enter", "Escape"].includes(event.key))) return;
                    event.stopPropagation();
                    if (event.key === "Escape") return void this.panel.letGo();
                    if (kind === "pointerdown") event.preventDefault();
                    if (kind === "click" || kind === "keydown") this.panel.paint(cell);
                },
                { capture: true },
            );
    }

    /* A figure is taken up: the words of its moves are marked. */
    #touched(cell) {
        const figure = this.trial.state?.cells[cell];
        if (!figure || this.panel.draws || this.editor.text !== this.#text) return;
        if (this.trial.state.to_move !== figure.player) return;
        clearTimeout(this.#timer);
        if (this.#targets.from === cell) return;
        this.#lightTargets({ from: cell }, `${cell}: ${figure.player} ${figure.figure}`);
    }

    /* A kind is taken out of the hand, or let go of. */
    #pickedUp() {
        this.#showHands();
        const { inHand } = this.board;
        if (this.#targets.put !== undefined && inHand !== this.#targets.put) this.#letGo();
        if (inHand !== null && this.isCurrent) this.#lightTargets({ put: inHand }, say("{player}’s {figure} from the hand", { player: capital(this.trial.state.to_move), figure: inHand }));
    }

    #letGo() {
        this.#targets = {};
        this.light.clear();
        this.#mark([]);
        this.say("");
    }

    /* of: {from: a cell} or {put: a figure}. Nothing comes of it when the hand has gone on meanwhile. */
    async #lightTargets(of, words) {
        clearTimeout(this.#timer);
        ++this.#asked;
        this.#targets = of;
        const { targets } = await this.engine.ask({ do: "targets", ...of }).catch(() => ({ targets: {} }));
        if (this.#targets !== of) return;
        const legal = Object.entries(targets).filter(([, { verdict }]) => verdict === "legal");
        const refused = Object.keys(targets).filter((name) => targets[name].verdict !== "legal");
        this.#targets = { ...of, targets };
        this.light.show([
            { role: "from", cells: of.from ? [of.from] : [] },
            { role: "to", cells: legal.map(([name]) => name) },
            { role: "refused", cells: refused },
        ]);
        this.#mark(legal.flatMap(([, { pointers }]) => pointers.slice(0, 1)));
        const count = legal.length === 0 ? say("no move") : sayCount("one move", "{count} moves", legal.length);
        this.say(`${words}, ${count}.${refused.length > 0 ? ` ${say("Click a reddish cell to read why not.")}` : ""}`);
    }

    /* Of all lines that move the figure in the hand those that move it there; beside its targets all again. With nothing in the hand, those
     * that put a figure there. */
    #pointedAt(cell) {
        const { targets, pointed = null } = this.#targets;
        if (!targets) return void this.#pointsAtPut(cell);
        const is = targets[cell]?.verdict === "legal" ? cell : null;
        if (is === pointed) return;
        this.#targets.pointed = is;
        const legal = Object.values(targets).filter(({ verdict }) => verdict === "legal");
        this.#mark(is ? targets[is].pointers : legal.flatMap(({ pointers }) => pointers.slice(0, 1)), "", "nearest");
    }

    /* What a click there would put on the board, where nothing has to be picked up for it. */
    #puts(cell) {
        const { moves } = this.trial;
        return this.panel.draws || !cell ? undefined : moves.find((move) => move.from === undefined && move.to === cell && !this.#isInHand(move));
    }

    #isInHand({ choice }) {
        const { hands, to_move: player } = this.trial.state;
        return choice !== undefined && hands?.[player]?.[choice] > 0;
    }

    async #pointsAtPut(cell) {
        const put = this.board.selected === null && this.isCurrent ? this.#puts(cell) : undefined;
        if (cell === this.#pointedPut) return;
        this.#pointedPut = cell;
        if (!put) return;
        const asked = ++this.#asked;
        const answer = await this.#explain(put);
        if (asked === this.#asked && answer?.verdict === "legal") this.#mark(answer.pointers, "", "nearest");
    }

    #explain({ from, to, choice }) {
        return this.engine.ask({ do: "explain", from, to, choice }).then((found) => found.explanation, () => null);
    }

    async #refused(from, to, put) {
        const { targets = {}, ...of } = this.#targets;
        const known = (from === undefined ? put !== undefined && of.put === put : of.from === from) && targets[to];
        const answer = known || (await this.#explain({ from, to, choice: put }));
        if (!answer) return;
        this.say(refusedWords(answer));
        this.#targets = { targets: {} }; /* what is pointed at next does not take the words away */
        this.#mark(answer.pointers, "forbids");
        this.panel.refused({ from, to, put, words: answer.words });
    }

    #mark(pointers, tone = "", reveal = "center") {
        const ranges = [...new Set(pointers)].slice(0, RULES_SHOWN_MAX).map((pointer) => rangeOf(pointer, this.#root));
        if (this.editor.text === this.#text) this.editor.mark(ranges.filter(Boolean).map((range) => ({ ...range, tone })), reveal);
    }

    async #move(moves) {
        const move = await pickMove(moves, { layout: this.#layout, state: this.trial.state });
        if (!move) return;
        const why = move.from === undefined && !move.pass ? await this.#explain(move) : null;
        this.editor.mark([]);
        await this.trial.play(move).catch((error) => this.say(error.message));
        /* What was put by one click has its words marked when it stands there: a finger points at nothing before. */
        if (why?.verdict !== "legal" || !this.isCurrent) return;
        this.#mark(why.pointers, "", "nearest");
        this.say(`${capital(why.words)}.`);
    }

    #show() {
        const { state, moves, lastMove } = this.trial;
        if (!state || !this.#layout) return null;
        this.#targets = {};
        this.#pointedPut = undefined;
        this.light.clear();
        this.#changeHands();
        if (this.panel.draws) this.showStart();
        if (this.panel.draws) return this.panel.cells && this.panel.update(this.trial);
        this.board.show({
            cells: state.cells,
            lastMove,
            moves,
            pending: null,
            active: state.active ?? null,
            taken: [],
            mover: state.to_move ?? null,
            hand: state.hands?.[state.to_move] ?? null,
        });
        this.#showHands();
        return this.panel.update(this.trial);
    }

    /* What the players have in hand, also in a position that is set up; what is picked up of it is known to the board. */
    #showHands() {
        const { state } = this.trial;
        if (!state || !this.#layout) return;
        const { players } = this.#layout;
        const hands = this.panel.draws && !this.panel.cells ? null : (state.hands ?? null);
        const mayPut = this.panel.draws ? new Set() : this.board.mayPut();
        this.element.classList.toggle("with-hands", Boolean(hands));
        this.hands.update({ hands, players, nearest: this.#nearest, layout: this.#layout, state, inHand: this.board.inHand, mayPut });
    }

    get #nearest() {
        const [first, second] = this.#layout.players;
        return this.#flipped ? (second ?? first) : first;
    }

    /* While something is drawn: where the game begins, or the position that is set up. There are no moves; figures may go anywhere. */
    showStart() {
        this.#changeHands();
        const ahead = this.panel.places ? this.#layout.players : [];
        this.board.show({ ...AT_REST, cells: this.panel.cells ?? this.start.cells, ahead });
        this.#showHands();
    }

    /* Whoever begins to draw, or to play again, has nothing in the hand, and reads nothing about what was. */
    #changeHands() {
        if (this.panel.draws === this.#drawn) return;
        this.#drawn = this.panel.draws;
        this.say("");
        this.editor.mark([]);
        this.board.show({ ...AT_REST, cells: this.trial.state?.cells ?? this.start.cells });
    }

    showTrial() {
        this.#show();
    }

    /* The board with more cells than the game has, for a painter; without a layout as the game says. */
    showCells(layout = this.#layout) {
        const focused = this.focusedCell;
        this.#draw(layout);
        this.focusCell(focused);
        this.showStart();
    }

    #draw(layout) {
        this.board.setLayout(layout, this.#angleIn(this.#layout));
        this.frame.style.setProperty("--board-aspect", this.board.aspect.toFixed(3));
    }

    /* The keyboard stays where it is on a board that is drawn anew. */
    get focusedCell() {
        const { activeElement } = document;
        return this.board.element.contains(activeElement) ? activeElement.dataset.cell : undefined;
    }

    focusCell(name) {
        if (name === undefined) return;
        const hits = [...this.board.element.querySelectorAll(".hits [data-cell]")];
        (hits.find((hit) => hit.dataset.cell === name) ?? hits[0])?.focus();
    }

    #angleIn(layout) {
        return layout.rotation[this.#nearest] ?? 0;
    }
}

function countWords(sets) {
    const names = { from: "from", reach: "reaches", to: "may go to", zone: "zone", matching: "now like this", attacked: "attacked", attacker: "attackers", board: "on the board", placed: "placed" };
    return sets
        .filter(({ cells }) => cells.length > 0)
        .map(({ role, player, cells }) => `${names[role] ?? role}${player ? ` (${player})` : ""} ${cells.length}`)
        .join(", ");
}

function missingWords(engine) {
    if (engine.can.play) return say("The board appears here when the text is a game.");
    return say("The engine for browsers is not here (a server that has just begun may still be building it): the text is checked by the server, and the board comes as soon as there is one.");
}
