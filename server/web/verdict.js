/* Whose turn it is, how the game ended, or which move one is looking back at; and offers that wait for an answer. Read
 * out when it changes. */

import { wholeControlWords } from "./clocks.js";
import { h, refreshChildren, replaceChildren, setText } from "./dom.js";
import { listed, say, sayCount } from "./language.js";
import { gameWord, moveText, named, reasonWords, resultWords, toMoveWords, withPhase } from "./words.js";

export class Verdict {
    #shown = "";
    #absence = null; /* absence.js, promised */
    #view;

    constructor({ onAction, onBack, onUnmark, onConfirm }) {
        this.onAction = onAction;
        this.onUnmark = onUnmark;
        this.onConfirm = onConfirm;
        this.back = h("button", { type: "button", class: "small primary back", hidden: true, onclick: onBack });
        this.line = h("div", { class: "verdict", role: "status", "aria-live": "polite" });
        this.offers = h("div", { class: "offers" });
        this.absence = h("div", { class: "absence" });
        this.element = h(
            "section",
            { class: "verdict-panel", "aria-label": say("Status of the game") },
            h("div", { class: "verdict-box" }, this.line, this.back),
            this.absence,
            this.offers,
        );
    }

    update(view) {
        const looksBack = view.walk.looksBack && !view.analysis;
        const words = view.analysis ? analysing(view) : looksBack ? lookingBack(view) : verdictOf(view);
        const text = JSON.stringify(words);
        if (text !== this.#shown) {
            this.#shown = text;
            this.line.className = `verdict ${words.tone}`;
            replaceChildren(this.line, h("strong", {}, words.title), detailOf(words));
        }
        this.back.hidden = !looksBack && !view.analysis;
        if (!this.back.hidden) setText(this.back, view.analysis ? say("Back to the game") : backWords(view));
        this.#tellAbsence(view);
        refreshChildren(
            this.offers,
            view.analysis && h("p", { class: "offer" }, say("Only on this page: the moves you try are not sent, and nobody sees them.")),
            here(view),
            this.#ahead(view),
            this.#proposed(view),
            this.#claim(view),
            this.#drawOffer(view),
            this.#takebackOffer(view),
            this.#rematchOffer(view),
            nextRoom(view),
        );
    }

    /* What there is to say of it is loaded when a player has gone. */
    async #tellAbsence(view) {
        this.#view = view;
        const { mine, replica } = view;
        const gone = mine.length > 0 && Object.keys(replica.presence?.absent ?? {}).length > 0;
        if (!this.#absence && !gone) return;
        this.#absence ??= import("./absence.js").then(
            ({ Absence }) => new Absence(this.absence, { onClaim: (as) => this.onAction("claim.timeout", { as }) }),
            () => (this.#absence = null),
        );
        (await this.#absence)?.update(this.#view);
    }

    /* The move that waits for one's turn. */
    #ahead({ premove }) {
        if (!premove) return null;
        const move = premove.text ?? moveText(premove, "");
        return h(
            "div",
            { class: "offer asked ahead" },
            h("span", {}, say("Your next move: {move}. It is played if it is legal then.", { move })),
            h("button", { type: "button", class: "small", onclick: this.onUnmark }, say("Cancel")),
        );
    }

    /* The move that is sent once its player has said yes. */
    #proposed({ proposed }) {
        if (!proposed) return null;
        const move = moveText(proposed, "");
        return h(
            "div",
            { class: "offer asked proposed" },
            h("span", {}, say("Your move: {move}", { move })),
            h(
                "span",
                { class: "answers" },
                h("button", { type: "button", class: "small primary", "aria-label": say("Confirm {move}", { move }), onclick: (event) => this.onConfirm(true, event.detail === 0) }, say("Confirm")),
                h("button", { type: "button", class: "small", onclick: (event) => this.onConfirm(false, event.detail === 0) }, say("Cancel")),
            ),
        );
    }

    /* Enter says yes. */
    focusProposal() {
        this.offers.querySelector(".proposed .primary")?.focus({ preventScroll: true });
    }

    /* What the rules let whoever is to move end the game with. */
    #claim({ state, myTurn, analysis }) {
        if (!state.claim || !myTurn || analysis) return null;
        const { winner, loser } = state.claim;
        return h(
            "div",
            { class: "offer asked claim" },
            h("span", {}, claimWords(state.claim)),
            h(
                "button",
                { type: "button", class: "small primary", onclick: () => this.onAction("claim.result") },
                winner || loser ? say("Claim it") : say("Claim the draw"),
            ),
        );
    }

    #drawOffer({ state, mine }) {
        if (!state.draw_offer || state.status !== "playing") return null;
        const player = named(state.draw_offer);
        const answer = mine.some((seat) => seat !== state.draw_offer);
        if (!answer) return h("p", { class: "offer" }, say("{player} has offered a draw.", { player }));
        return this.#question(say("{player} offers a draw.", { player }), "draw");
    }

    #takebackOffer({ state, mine }) {
        if (!state.takeback_offer || state.status !== "playing") return null;
        const player = named(state.takeback_offer);
        const answer = mine.some((one) => one !== state.takeback_offer);
        if (!answer) return h("p", { class: "offer" }, say("{player} has asked to take back a turn.", { player }));
        return this.#question(say("{player} would like to take back a turn.", { player }), "takeback");
    }

    /* Who says yes says to which clock: it may be another one by now. */
    #rematchOffer({ state, mine, replica }) {
        if (!state.rematch_offer || state.next_room) return null;
        const player = named(state.rematch_offer);
        const answer = mine.some((seat) => seat !== state.rematch_offer);
        const other = replica.rematchClock;
        const clock = other && (other === "none" ? say("no clock") : wholeControlWords(other));
        if (!answer) return h("p", { class: "offer" }, other ? say("{player} has offered a rematch: {clock}.", { player, clock }) : say("{player} has offered a rematch.", { player }));
        const words = other ? say("{player} would like a rematch with another clock: {clock}.", { player, clock }) : say("{player} would like a rematch.", { player });
        return this.#question(words, "rematch", { clock: other ?? replica.clock ?? "none" });
    }

    #question(words, subject, terms) {
        return h(
            "div",
            { class: "offer asked" },
            h("span", {}, words),
            h(
                "span",
                { class: "answers" },
                h(
                    "button",
                    { type: "button", class: "small primary", onclick: () => this.onAction(`${subject}.accept`, terms) },
                    say("Accept"),
                ),
                h(
                    "button",
                    { type: "button", class: "small", onclick: () => this.onAction(`${subject}.decline`) },
                    say("Decline"),
                ),
            ),
        );
    }
}

function claimWords({ winner, loser, reason: why }) {
    const reason = reasonWords(why);
    if (winner) return say("You may claim that {player} has won: {reason}.", { player: named(winner), reason });
    if (loser) return say("You may claim that {player} has lost: {reason}.", { player: named(loser), reason });
    return say("You may claim a draw: {reason}.", { reason });
}

function nextRoom({ state }) {
    if (!state.next_room) return null;
    return h(
        "div",
        { class: "offer asked" },
        h("span", {}, say("The next game has begun.")),
        h("a", { class: "button small primary", href: `/room/${encodeURIComponent(state.next_room)}` }, say("Go there")),
    );
}

/* What the server does not know yet. */
function here({ here: waits }) {
    if (!waits) return null;
    const { games, moves } = waits;
    const counted = [games > 0 && sayCount("{count} new game", "{count} new games", games), moves > 0 && sayCount("{count} move", "{count} moves", moves)];
    const what = listed(counted.filter(Boolean));
    const words = sayCount(
        "{what} is only in this browser. You can play on; the server gets them when it is back.",
        "{what} are only in this browser. You can play on; the server gets them when it is back.",
        games + moves,
        { what },
    );
    return h("p", { class: "offer here" }, words);
}

/* Nobody must take it for the game. */
function analysing({ layout, state }) {
    const detail = state.status === "playing" ? withPhase(toMoveWords(state.to_move), layout, state) : resultWords(state.result ?? {}, [], []).title;
    return { title: say("Analysis"), detail, tone: "past" };
}

function lookingBack({ walk, history, replica, placeOf }) {
    const count = placeOf(walk.count).number;
    if (walk.at === 0) return { title: say("The start"), detail: sayCount("of {count} move", "of {count} moves", count), tone: "past" };
    const title = say("Move {number} of {count}", { number: placeOf(walk.at).number, count });
    const made = replica.moves[walk.at - 1 - replica.movesFrom];
    if (!made) return { title, detail: "", tone: "past" };
    const { seat, move } = made;
    return { title, who: named(seat), detail: moveText(move, history.text(walk.at)), tone: "past" };
}

function backWords({ state, myTurn }) {
    if (state.status === "finished") return say("Back to the end");
    return myTurn ? say("Back: your turn") : say("Back to the game");
}

/* What is there to be stepped through is said where there are keys to do it with. */
function detailOf({ who, detail, keys }) {
    if (!detail && !keys) return null;
    return h(
        "span",
        {},
        who && h("span", { class: "who" }, `${who}: `),
        detail,
        keys && h("span", { class: "keys" }, detail && " · ", say("look back with ← and →")),
    );
}

function verdictOf({ layout, state, mine, players, myTurn, pending, goesOn, walk }) {
    if (state.status === "finished")
        return { ...resultWords(state.result ?? {}, mine, players), keys: walk.count > 0 };
    if (state.status === "waiting")
        return { title: mine.length > 0 ? waitingWords(players, state) : say("A seat is free"), detail: "", tone: "waiting" };
    const alone = mine.length === players.length;
    if (pending) return { title: say("Sending your move…"), detail: "", tone: "theirs" };
    if (myTurn && goesOn && !alone) return { title: withPhase(say("Go on"), layout, state), detail: say("Your turn is not over"), tone: "mine" };
    if (myTurn && !alone) return { title: withPhase(say("Your turn"), layout, state), detail: say("You play {player}", { player: gameWord(state.to_move) }), tone: "mine" };
    return { title: withPhase(toMoveWords(state.to_move), layout, state), detail: "", tone: myTurn ? "mine" : "theirs" };
}

function waitingWords(players, state) {
    const free = players.filter((seat) => !state.seats?.[seat]).length;
    return free > 1 ? sayCount("Waiting for {count} more player", "Waiting for {count} more players", free) : say("Waiting for an opponent");
}
