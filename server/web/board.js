/* A board to play on: it is told how things stand and which moves are allowed, and says which one was chosen.
 *
 * This is where a selection becomes a move. Drawing is board_picture.js, hands are board_input.js; no rule of any game
 * is here, and nothing of the server. */

import { BoardInput } from "./board_input.js";
import { BoardPicture } from "./board_picture.js";
import { say } from "./language.js";
import { pieceWords } from "./words.js";

const NOTHING = { cells: {}, lastMove: null, moves: [], pending: null, active: null, taken: [], attacked: [], mover: null, ahead: [], marked: null, hand: null, handAhead: null, putsAhead: false };

export class Board {
    #onMove;
    #onRefused;
    #onAhead;
    #onUnmark;
    #onReach;
    #onHand;
    #layout = null;
    #angle = null;
    #picture = new BoardPicture();
    #position = NOTHING;
    #selected = null;
    #inHand = null; /* the kind that was picked up to be put on the board */
    #preview = null;
    #reach = null; /* where what is in the hand may go on its player's turn, by cell: whether it might at once */

    /* onMove(moves): the legal moves that fit what the hand did; several when they differ in a choice.
     * onRefused(from, to, dropped, figure): the hand wanted a move that is none of them (`from` undefined: to put something there, perhaps a `figure`). onAhead(move): a move for later, {from, to}, {to, choice} or {to};
     * onUnmark(): the one that is marked is not wanted any more. onReach(from, kind): a figure of the board, or a kind that was picked up, is in the hand
     * before its turn (the other is null), and `showReach` may say where it leads. onHand(): another kind, or none, is picked up to be put. */
    constructor({ onMove, onRefused = () => {}, onAhead = () => {}, onUnmark = () => {}, onReach = () => {}, onHand = () => {} }) {
        this.#onMove = onMove;
        this.#onRefused = onRefused;
        this.#onAhead = onAhead;
        this.#onUnmark = onUnmark;
        this.#onReach = onReach;
        this.#onHand = onHand;
        this.element = this.#picture.element;
        new BoardInput(this.#picture, {
            onPress: (name) => this.#press(name),
            onChoose: (name) => this.#choose(name),
            onDrop: (name) => this.#drop(name),
            onLetGo: () => this.#select(this.#goesOn()),
            mayDrag: (name) => name === this.#selected,
            mayLetGo: () => this.#selected !== null || this.#inHand !== null,
            isTarget: (name) => this.#movesTo(name).length > 0 || this.#isAhead(),
        });
    }

    setLayout(layout, angle) {
        if (layout === this.#layout && angle === this.#angle) return;
        this.#layout = layout;
        this.#angle = angle;
        this.#picture.build(layout, angle);
        this.#picture.showPieces(this.#position);
        this.#refreshMarks();
    }

    /* Nearer (1), farther (-1). */
    zoom(step) {
        this.#picture.zoom.step(step);
    }

    get zoomed() {
        return this.#picture.zoom.zoomed;
    }

    set onZoom(onZoom) {
        this.#picture.zoom.onChange = onZoom;
    }

    get aspect() {
        return this.#picture.aspect;
    }

    /* position: {cells, lastMove, moves, pending, active, taken, mover}; `moves` is empty when nobody here may move, and
     * `mover` is the player whose figures this hand may touch, or null. `active`: the cell whose figure goes on in
     * a turn of several moves; it is selected by itself. `taken`: cells whose figures are as good as gone; `attacked`: those of figures in check.
     * `ahead`: players whose figures may be moved ahead of their turn, to anywhere; `marked`: such a move. `hand`: what the mover has in hand, by
     * kind: what is chosen of it is picked up before it is put; null: nobody has hands. `handAhead`: the same of who waits for a turn and may pick up
     * already; `putsAhead`: a cell that is chosen before the turn is one where something is to be put. */
    show(position) {
        const { cells } = this.#position;
        this.#position = { ...NOTHING, ...position };
        if (this.#selected && !this.#mayTouch(this.#selected)) this.#selected = null;
        if (this.#inHand !== null && !this.mayPut().has(this.#inHand)) this.#inHand = null;
        if (this.#goesOn()) this.#selected = this.#goesOn();
        if (cells !== this.#position.cells) this.#askReach();
        this.#picture.showPieces(position);
        this.#refreshMarks();
    }

    showReach(from, kind, cells) {
        if (from !== this.#selected || kind !== this.#inHand || !this.#isAhead()) return;
        this.#reach = cells;
        this.#refreshMarks();
    }

    /* The cell whose figure is in the hand; null: none. */
    get selected() {
        return this.#selected;
    }

    /* The kind that is picked up; null: none. */
    get inHand() {
        return this.#inHand;
    }

    /* The kinds that can be picked up now. */
    mayPut() {
        const { handAhead } = this.#position;
        if (handAhead) return new Set(Object.keys(handAhead).filter((figure) => handAhead[figure] > 0));
        return new Set(this.#position.moves.filter((move) => this.#isFromHand(move)).map(({ choice }) => choice));
    }

    /* Picks the kind up, or puts it down again; null: lets go of it. */
    takeInHand(figure) {
        const wanted = figure !== this.#inHand && this.mayPut().has(figure) ? figure : null;
        this.#select(null);
        this.#setInHand(wanted);
    }

    /* A move to point at, or none. */
    preview(move) {
        this.#preview = move;
        this.#refreshMarks();
    }

    /* A move that is good, or none. */
    showHint(move) {
        this.#picture.showArrow(move);
    }

    /* Returns whether the press itself has selected the cell: then its release must not let go again. */
    #press(name) {
        if (this.#movesTo(name).length > 0 || name === this.#selected || !this.#mayTouch(name)) return false;
        this.#select(name);
        return true;
    }

    #choose(name) {
        const moves = this.#movesTo(name);
        if (moves.length > 0) return this.#play(moves);
        const from = this.#selected, kind = this.#inHand;
        const touched = name !== from && this.#mayTouch(name);
        if (this.#isAhead() && name !== from && !touched) return this.#markAhead(name);
        if (from === null && !touched && this.#mayPutAhead(name)) return this.#markAhead(name);
        if (from === null && !touched && this.#position.marked) this.#onUnmark();
        this.#select(touched ? name : this.#goesOn());
        if (name !== from && !touched && (from !== null || kind !== null || this.#places())) this.#onRefused(from ?? undefined, name, false, kind ?? undefined);
    }

    #drop(name) {
        const from = this.#selected;
        const moves = this.#movesTo(name);
        if (moves.length > 0) return this.#play(moves);
        if (this.#isAhead() && name !== from) return this.#markAhead(name);
        if (this.#goesOn()) this.#select(this.#goesOn());
        if (from !== null && name !== from) this.#onRefused(from, name, true);
    }

    #play(moves) {
        this.#select(null);
        this.#onMove(moves);
    }

    #markAhead(to) {
        const from = this.#selected, choice = this.#inHand;
        this.#select(null);
        this.#onAhead(from !== null ? { from, to } : choice !== null ? { to, choice } : { to });
    }

    /* What is in the hand may go anywhere, once its turn has come. */
    #isAhead() {
        if (this.#inHand !== null) return this.#position.handAhead !== null;
        return this.#selected !== null && this.#position.ahead.includes(this.#position.cells[this.#selected]?.player);
    }

    /* Whoever chooses the marked cell again does not want it any more. */
    #mayPutAhead(name) {
        const { putsAhead, cells, marked } = this.#position;
        return putsAhead && !(name in cells) && !touches(marked, name);
    }

    #select(name) {
        this.#selected = name;
        if (this.#inHand !== null) this.#setInHand(null);
        this.#askReach();
        this.#refreshMarks();
    }

    #setInHand(figure) {
        this.#inHand = figure;
        this.#askReach();
        this.#refreshMarks();
        this.#onHand();
    }

    #askReach() {
        this.#reach = null;
        if (this.#isAhead()) this.#onReach(this.#selected, this.#inHand);
    }

    #isOrigin(name) {
        return this.#position.moves.some((move) => move.from === name);
    }

    /* Whether something may be put on the board: then a cell where it may not be is asked about. */
    #places() {
        return this.#position.moves.some((move) => move.from === undefined && move.to !== undefined && !this.#isFromHand(move));
    }

    /* A figure of one's own that cannot move may be touched as well: whoever tries to move it learns why not. */
    #mayTouch(name) {
        const { cells, mover, ahead } = this.#position;
        const player = cells[name]?.player;
        return this.#isOrigin(name) || (mover !== null && player === mover) || ahead.includes(player);
    }

    /* Where the figure stands that goes on in a turn of several moves; null: none, or it is not ours to move. */
    #goesOn() {
        const { active } = this.#position;
        return active && this.#isOrigin(active) ? active : null;
    }

    /* A figure that has to be picked up before it is put. */
    #isFromHand({ from, choice }) {
        return from === undefined && choice !== undefined && this.#position.hand?.[choice] > 0;
    }

    /* From the selected cell; or from nowhere, for what is put on the board: what was picked up, or else what need not be. */
    #isNext(move) {
        if (this.#selected !== null) return move.from === this.#selected;
        if (move.from !== undefined) return false;
        return this.#isFromHand(move) ? move.choice === this.#inHand : this.#inHand === null;
    }

    #movesTo(to) {
        return this.#position.moves.filter((move) => move.to === to && this.#isNext(move));
    }

    #refreshMarks() {
        const origins = new Set(this.#position.moves.map((move) => move.from));
        const targets = new Set(this.#position.moves.filter((move) => this.#isNext(move)).map((move) => move.to));
        const reach = (this.#isAhead() && this.#reach) || {};
        this.#picture.showMarks((name) => ({
            shade: this.#shadeOf(name),
            alarm: this.#position.attacked.includes(name),
            mark: targets.has(name) ? this.#markOf(name) : name in reach ? this.#aheadMarkOf(name, reach[name]) : "",
            movable: targets.has(name) || name in reach || this.#mayTouch(name),
            words: this.#wordsOf(name, origins, targets, reach),
        }));
    }

    #shadeOf(name) {
        const { pending, lastMove, marked } = this.#position;
        if (name === this.#selected) return "selected";
        if (touches(marked, name)) return "ahead";
        if (touches(pending, name)) return "waiting";
        if (touches(this.#preview, name)) return "previewed";
        return touches(lastMove, name) ? "last" : "";
    }

    /* A dot on an empty cell, a ring around another's figure, a milder one around one's own (they change places). */
    #markOf(name) {
        const { cells } = this.#position;
        if (!(name in cells)) return "dot";
        return cells[name].player === cells[this.#selected]?.player ? "ring own" : "ring";
    }

    /* Paler where something has to change before. */
    #aheadMarkOf(name, atOnce) {
        return `${name in this.#position.cells ? "ring" : "dot"} ahead${atOnce ? "" : " perhaps"}`;
    }

    #wordsOf(name, origins, targets, reach) {
        const piece = this.#position.cells[name];
        const words = [name, piece ? pieceWords(piece) : say("empty")];
        if (piece && this.#position.taken.includes(name)) words.push(say("taken"));
        if (piece && this.#position.attacked.includes(name)) words.push(say("in check"));
        if (origins.has(name)) words.push(say("can move"));
        if (targets.has(name)) words.push(say("legal target"));
        if (name in reach) words.push(reach[name] ? say("may be your next move") : say("may be your next move if the board changes"));
        if (name === this.#selected) words.push(say("selected"));
        if (touches(this.#position.marked, name)) words.push(say("marked for your next move"));
        return words;
    }
}

function touches(move, name) {
    return Boolean(move) && (move.from === name || move.to === name);
}
