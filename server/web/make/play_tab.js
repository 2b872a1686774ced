/* Both sides here, or the bot on one of them: moves, take back, any position by its text or by hand. */

import { h, replaceChildren, setText } from "../dom.js";
import { capital, say } from "../language.js";
import { moveText } from "../words.js";
import { SetUp } from "./set_up.js";

const BOT_WAITS_MS = 350;

export class PlayTab {
    #timer = 0;
    #seed = Math.floor(Math.random() * 2 ** 31);

    constructor(view) {
        this.view = view;
        this.status = h("p", { class: "status", role: "status", "aria-live": "polite" });
        this.back = button(say("Take back"), () => this.#attempt(() => view.trial.back()));
        this.pass = button(say("Pass"), () => this.#attempt(() => view.trial.play({ pass: true })));
        this.swap = button(say("Swap sides"), () => this.#attempt(() => view.trial.play({ swap: true })));
        this.bot = h("select", { "aria-label": say("The bot plays"), onchange: () => this.#botMoves() });
        this.moves = h("ol", { class: "moves-made", "aria-label": say("Moves") });
        this.position = h("input", { type: "text", "aria-label": say("The position's text"), spellcheck: "false", onkeydown: (event) => event.key === "Enter" && this.#setUp() });
        this.trouble = h("p", { class: "bad", role: "alert" });
        this.byHand = new SetUp(view);
        this.hands = button(say("Place figures"), () => this.#openByHand(!this.byHand.active));
        this.hands.setAttribute("aria-pressed", "false");
        this.element = h(
            "div",
            { class: "play-tab" },
            this.status,
            h(
                "div",
                { class: "row" },
                this.back,
                this.pass,
                this.swap,
                button(say("Start again"), () => this.#attempt(() => view.trial.restart())),
                button(say("Flip"), () => view.flip()),
                this.hands,
                h("label", { class: "bot" }, say("Bot:"), " ", this.bot),
            ),
            this.byHand.element,
            this.moves,
            h("div", { class: "row position" }, this.position, button(say("Set up"), () => this.#setUp())),
            this.trouble,
        );
    }

    /* Whether a hand on the board sets a position up. */
    get active() {
        return this.byHand.active;
    }

    get cells() {
        return this.byHand.cells;
    }

    get places() {
        return this.byHand.places;
    }

    move(places) {
        return this.byHand.move(places);
    }

    paint(cell) {
        return this.byHand.paint(cell);
    }

    letGo() {
        return this.byHand.letGo();
    }

    hide() {
        if (this.active) this.#openByHand(false);
    }

    #openByHand(is) {
        this.hands.setAttribute("aria-pressed", `${is}`);
        this.byHand.open(is);
    }

    load({ game, layout }) {
        this.byHand.load({ game, layout });
        const chosen = this.bot.value;
        replaceChildren(
            this.bot,
            h("option", { value: "" }, say("nobody")),
            game.players.map((player) => h("option", { value: player }, capital(player))),
        );
        this.bot.value = game.players.includes(chosen) ? chosen : "";
    }

    update(trial) {
        const { state, moves, played, dropped } = trial;
        setText(this.status, statusWords(state) + (dropped > 0 ? ` (${dropped} of the moves are no longer legal.)` : ""));
        this.back.disabled = played.length === 0;
        this.pass.hidden = !moves.some(({ pass }) => pass);
        this.swap.hidden = !moves.some(({ swap }) => swap);
        replaceChildren(
            this.moves,
            played.map(({ move, text }) => h("li", {}, moveText(move, text))),
        );
        this.moves.scrollTop = this.moves.scrollHeight;
        if (document.activeElement !== this.position) this.position.value = state.position ?? JSON.stringify({ cells: state.cells, state: state.state });
        setText(this.trouble, "");
        this.#botMoves();
    }

    #botMoves() {
        clearTimeout(this.#timer);
        const { trial, engine } = this.view;
        if (this.active || !this.bot.value || trial.state?.to_move !== this.bot.value) return;
        const play = async () => {
            const { move, seed } = await engine.ask({ do: "choose", seed: this.#seed });
            this.#seed = seed;
            if (trial.state?.to_move === this.bot.value) await trial.play(move);
        };
        this.#timer = setTimeout(() => this.#attempt(play), BOT_WAITS_MS);
    }

    #setUp() {
        return this.#attempt(() => this.view.trial.setUp(this.position.value));
    }

    /* What the engine says against it, or that it had to begin anew, is shown. */
    async #attempt(work) {
        try {
            await work();
            setText(this.trouble, "");
        } catch (error) {
            setText(this.trouble, capital(error.message));
        }
    }
}

function statusWords({ to_move, result, claims }) {
    if (result) return result.winner ? say("{player} has won: {reason}.", { player: capital(result.winner), reason: result.reason }) : result.loser ? say("{player} has lost: {reason}.", { player: capital(result.loser), reason: result.reason }) : say("A draw: {reason}.", { reason: result.reason });
    return claims?.length ? say("{player} to move. May claim: {claims}.", { player: capital(to_move), claims: claims.join(", ") }) : say("{player} to move.", { player: capital(to_move) });
}

function button(label, onclick) {
    return h("button", { type: "button", class: "small", onclick }, label);
}
