/* Whose turn it is, how the game ended, or which move one is looking back at; and offers that wait for an answer. Read
 * out when it changes. */

import { Absence } from "./absence.js";
import { h, refreshChildren, replaceChildren, setText } from "./dom.js";
import { capital, moveText, resultWords, withPhase } from "./words.js";

export class Verdict {
    #shown = "";

    constructor({ onAction, onBack, onUnmark }) {
        this.onAction = onAction;
        this.onUnmark = onUnmark;
        this.back = h("button", { type: "button", class: "small primary back", hidden: true, onclick: onBack });
        this.line = h("div", { class: "verdict", role: "status", "aria-live": "polite" });
        this.offers = h("div", { class: "offers" });
        this.absence = new Absence({ onClaim: (as) => onAction("claim.timeout", { as }) });
        this.element = h(
            "section",
            { class: "verdict-panel", "aria-label": "Status of the game" },
            h("div", { class: "verdict-box" }, this.line, this.back),
            this.absence.element,
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
        if (!this.back.hidden) setText(this.back, view.analysis ? "Back to the game" : backWords(view));
        this.absence.update(view);
        refreshChildren(
            this.offers,
            view.analysis && h("p", { class: "offer" }, "Only on this page: the moves you try are not sent, and nobody sees them."),
            here(view),
            this.#ahead(view),
            this.#claim(view),
            this.#drawOffer(view),
            this.#takebackOffer(view),
            this.#rematchOffer(view),
            nextRoom(view),
        );
    }

    /* The move that waits for one's turn. */
    #ahead({ premove }) {
        if (!premove) return null;
        const words = premove.text ?? moveText(premove, "");
        return h(
            "div",
            { class: "offer asked ahead" },
            h("span", {}, `Your next move: ${words}. It is played if it is legal then.`),
            h("button", { type: "button", class: "small", onclick: this.onUnmark }, "Cancel"),
        );
    }

    /* What the rules let whoever is to move end the game with. */
    #claim({ state, myTurn, analysis }) {
        if (!state.claim || !myTurn || analysis) return null;
        const { winner, loser, reason } = state.claim;
        const what = winner ? `that ${capital(winner)} has won` : loser ? `that ${capital(loser)} has lost` : "a draw";
        return h(
            "div",
            { class: "offer asked claim" },
            h("span", {}, `You may claim ${what}: ${reason}.`),
            h(
                "button",
                { type: "button", class: "small primary", onclick: () => this.onAction("claim.result") },
                winner || loser ? "Claim it" : "Claim the draw",
            ),
        );
    }

    #drawOffer({ state, mine }) {
        if (!state.draw_offer || state.status !== "playing") return null;
        const answer = mine.some((seat) => seat !== state.draw_offer);
        if (!answer) return h("p", { class: "offer" }, `${capital(state.draw_offer)} has offered a draw.`);
        return this.#question(`${capital(state.draw_offer)} offers a draw.`, "draw");
    }

    #takebackOffer({ state, mine }) {
        if (!state.takeback_offer || state.status !== "playing") return null;
        const seat = capital(state.takeback_offer);
        const answer = mine.some((one) => one !== state.takeback_offer);
        if (!answer) return h("p", { class: "offer" }, `${seat} has asked to take back a turn.`);
        return this.#question(`${seat} would like to take back a turn.`, "takeback");
    }

    #rematchOffer({ state, mine }) {
        if (!state.rematch_offer || state.next_room) return null;
        const answer = mine.some((seat) => seat !== state.rematch_offer);
        if (!answer) return h("p", { class: "offer" }, `${capital(state.rematch_offer)} has offered a rematch.`);
        return this.#question(`${capital(state.rematch_offer)} would like a rematch.`, "rematch");
    }

    #question(words, subject) {
        return h(
            "div",
            { class: "offer asked" },
            h("span", {}, words),
            h(
                "span",
                { class: "answers" },
                h(
                    "button",
                    { type: "button", class: "small primary", onclick: () => this.onAction(`${subject}.accept`) },
                    "Accept",
                ),
                h(
                    "button",
                    { type: "button", class: "small", onclick: () => this.onAction(`${subject}.decline`) },
                    "Decline",
                ),
            ),
        );
    }
}

function nextRoom({ state }) {
    if (!state.next_room) return null;
    return h(
        "div",
        { class: "offer asked" },
        h("span", {}, "The next game has begun."),
        h("a", { class: "button small primary", href: `/room/${encodeURIComponent(state.next_room)}` }, "Go there"),
    );
}

/* What the server does not know yet. */
function here({ here: waits }) {
    if (!waits) return null;
    const counted = (count, word) => count > 0 && `${count} ${word}${count === 1 ? "" : "s"}`;
    const what = [counted(waits.games, "new game"), counted(waits.moves, "move")].filter(Boolean).join(" and ");
    const are = waits.games + waits.moves === 1 ? "is" : "are";
    return h("p", { class: "offer here" }, `${what} ${are} only in this browser. You can play on; the server gets them when it is back.`);
}

/* Nobody must take it for the game. */
function analysing({ layout, state }) {
    const detail = state.status === "playing" ? withPhase(`${capital(state.to_move)} to move`, layout, state) : resultWords(state.result ?? {}, [], []).title;
    return { title: "Analysis", detail, tone: "past" };
}

function lookingBack({ walk, history, replica, placeOf }) {
    const count = placeOf(walk.count).number;
    if (walk.at === 0) return { title: "The start", detail: `of ${count} ${count === 1 ? "move" : "moves"}`, tone: "past" };
    const title = `Move ${placeOf(walk.at).number} of ${count}`;
    const made = replica.moves[walk.at - 1 - replica.movesFrom];
    if (!made) return { title, detail: "", tone: "past" };
    const { seat, move } = made;
    return { title, who: capital(seat), detail: moveText(move, history.text(walk.at)), tone: "past" };
}

function backWords({ state, myTurn }) {
    if (state.status === "finished") return "Back to the end";
    return myTurn ? "Back: your turn" : "Back to the game";
}

/* What is there to be stepped through is said where there are keys to do it with. */
function detailOf({ who, detail, keys }) {
    if (!detail && !keys) return null;
    return h(
        "span",
        {},
        who && h("span", { class: "who" }, `${who}: `),
        detail,
        keys && h("span", { class: "keys" }, `${detail ? " · " : ""}look back with ← and →`),
    );
}

function verdictOf({ layout, state, mine, players, myTurn, pending, goesOn, walk }) {
    if (state.status === "finished")
        return { ...resultWords(state.result ?? {}, mine, players), keys: walk.count > 0 };
    if (state.status === "waiting")
        return { title: mine.length > 0 ? waitingWords(players, state) : "A seat is free", detail: "", tone: "waiting" };
    const alone = mine.length === players.length;
    if (pending) return { title: "Sending your move…", detail: "", tone: "theirs" };
    if (myTurn && goesOn && !alone) return { title: withPhase("Go on", layout, state), detail: "Your turn is not over", tone: "mine" };
    if (myTurn && !alone) return { title: withPhase("Your turn", layout, state), detail: `You play ${state.to_move}`, tone: "mine" };
    return { title: withPhase(`${capital(state.to_move)} to move`, layout, state), detail: "", tone: myTurn ? "mine" : "theirs" };
}

function waitingWords(players, state) {
    const free = players.filter((seat) => !state.seats?.[seat]).length;
    return free > 1 ? `Waiting for ${free} more players` : "Waiting for an opponent";
}
