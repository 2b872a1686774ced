/* What a player may do besides moving. */

import { h, replaceChildren } from "./dom.js";
import { say } from "./language.js";

export class Controls {
    #shown = "";

    constructor({ onFlip, onAbort, onResign, onDraw, onPass, onSwap, onRematch, onRematchByClock, onNewGame, onTakeBack, onZoom }) {
        this.element = h("section", { class: "controls", "aria-label": say("Controls") });
        this.buttons = {
            takeBack: button(say("Take back"), onTakeBack),
            flip: button(say("Flip board"), onFlip),
            nearer: button("+", () => onZoom(1), "zoom", say("Zoom in")),
            farther: button("−", () => onZoom(-1), "zoom", say("Zoom out")),
            pass: button(say("Pass"), onPass),
            done: button(say("Done"), onPass, "primary"),
            swap: button(say("Swap sides"), onSwap),
            draw: button(say("Offer draw"), onDraw),
            abort: button(say("Abort"), onAbort, "danger-text"),
            resign: button(say("Resign"), onResign, "danger-text"),
            rematch: button(say("Rematch"), onRematch, "primary"),
            rematchByClock: button(say("Other clock…"), onRematchByClock),
            newGame: button(say("New game"), onNewGame),
        };
    }

    update(view) {
        this.buttons.farther.disabled = !view.zoomed;
        for (const name of ["pass", "done", "swap"]) this.buttons[name].disabled = !view.mayMove;
        this.buttons.takeBack.disabled = view.analysis ? !view.analysis.ownMoves : !mayAskBack(view);
        const names = namesOf(view);
        const key = names.join(" ");
        if (key === this.#shown) return;
        this.#shown = key;
        replaceChildren(
            this.element,
            names.map((name) => this.buttons[name]),
        );
    }
}

/* A pass in the middle of a turn ends it. */
function namesOf({ state, mine, replica, pending, goesOn, analysis, away }) {
    const pass = replica.legalMoves.some((move) => move.pass) && (goesOn ? "done" : "pass");
    const swap = replica.legalMoves.some((move) => move.swap) && "swap";
    const zooms = ["nearer", "farther"];
    if (analysis) return ["takeBack", pass, swap, "flip", ...zooms].filter(Boolean);
    const seated = mine.length > 0 && !away;
    const playing = seated && state.status === "playing";
    const finished = seated && state.status === "finished";
    return [
        away && state.status === "finished" && "rematch",
        finished && !state.rematch_offer && !state.next_room && "rematch",
        finished && !state.next_room && state.rematch_offer !== mine[0] && "rematchByClock",
        mine.length > 0 && !pending && pass,
        mine.length > 0 && !pending && swap,
        "flip",
        ...zooms,
        away && state.status === "playing" && "newGame",
        playing && !state.takeback_offer && "takeBack",
        playing && !state.draw_offer && "draw",
        playing && (replica.mayAbort ? "abort" : "resign"),
    ].filter(Boolean);
}

/* Once one has moved. */
function mayAskBack({ replica, mine, pending }) {
    return !pending && replica.moves.some(({ seat }) => mine.includes(seat));
}

function button(label, onclick, tone = "", name = undefined) {
    return h("button", { type: "button", class: tone, "aria-label": name, title: name, onclick }, label);
}
