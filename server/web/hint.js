/* Which moves are good in the position on the board, and how good: asked for with a button, told as lines, the first move drawn. After a
 * game, and where other moves are tried, it stays on from position to position; while the bot is played against it is for one. */

import { h, replaceChildren } from "./dom.js";
import { say } from "./language.js";
import { moveText, named } from "./words.js";

const LINES = 3;
const WAIT_MS = 150; /* whoever steps on quickly asks for the last position only */
const EVENTS = 20; /* asked for at once: seats are taken before the first move */

export class Hint {
    #on = false;
    #place = ""; /* the position it is about */
    #timer = 0;
    #house = null; /* ids of players who are the server's own bots; null: nobody needed to know */

    /* onShow(move): on the board, or null. onError(error). */
    constructor({ connection, room, onShow, onError }) {
        this.askEvents = (from) => connection.request({ type: "history", room, from, to: from + EVENTS - 1 });
        this.askServer = (ply) => connection.request({ type: "hint", room, ply, lines: LINES }, { once: true });
        this.onShow = onShow;
        this.onError = onError;
        this.button = h("button", { type: "button", class: "small", "aria-pressed": "false", onclick: () => this.#turn(!this.#on) }, say("Hint"));
        this.list = h("ol", { class: "hint-lines", "aria-live": "polite" });
        this.element = h("section", { class: "hint", "aria-label": say("Hint"), hidden: true }, this.button, this.list);
    }

    update(view) {
        this.view = view;
        const may = mayAsk(view, this.#house);
        if (playsBots(view) && !this.#house) this.#learnHouse();
        this.element.hidden = !may;
        if (!may) this.#on = false;
        const place = placeOf(view);
        if (place === this.#place && may) return;
        this.#place = place;
        if (!staysOn(view)) this.#on = false;
        this.#begin();
    }

    /* An event says which bot is the server's own; one that comes later is heard of. */
    heard({ kind, seated, ...event }) {
        const holders = kind === "created" ? Object.values(seated ?? {}) : kind === "joined" ? [event] : [];
        for (const { player, house } of holders) if (house) this.#house?.add(player);
    }

    /* The state does not tell such bots from those of others: what is asked for is how they came, up to the first move. */
    async #learnHouse() {
        this.#house = new Set();
        try {
            for (let from = 1; ; from += EVENTS) {
                const { events, version } = await this.askEvents(from);
                for (const event of events) this.heard(event);
                if (from + EVENTS > version || events.some(({ kind }) => kind === "moved")) break;
            }
        } catch {
            return; /* then there is no button */
        }
        this.update(this.view);
    }

    #turn(on) {
        this.#on = on;
        this.#begin();
    }

    /* What was told about another position goes. */
    #begin() {
        clearTimeout(this.#timer);
        this.#tell(null);
        if (this.#on) this.#timer = setTimeout(() => this.#look(), WAIT_MS);
    }

    async #look() {
        const place = this.#place;
        if (!isHere(this.view)) return void (this.#timer = setTimeout(() => this.#look(), WAIT_MS));
        try {
            const { analysis, walk } = this.view;
            const { lines } = await (analysis ? analysis.hint(LINES) : this.askServer(walk.at));
            if (this.#on && place === this.#place) this.#tell(lines);
        } catch (error) {
            if (place !== this.#place || error.code === "withdrawn" || error.code === "disconnected") return;
            this.#turn(false);
            this.onError(error);
        }
    }

    #tell(lines) {
        this.button.setAttribute("aria-pressed", this.#on);
        this.element.toggleAttribute("aria-busy", this.#on && !lines);
        const rows = (lines ?? []).map((line) => h("li", {}, h("strong", {}, valueWords(line, moverOf(this.view))), h("span", {}, lineWords(line))));
        replaceChildren(this.list, rows.length > 0 || !lines ? rows : [h("li", {}, say("The game is over here."))]);
        this.onShow(lines?.[0]?.moves[0]?.move ?? null);
    }
}

/* Whoever plays people, or bots of theirs, gets none; the server says so as well. */
function mayAsk(view, house) {
    const { state, mine, players, analysis, away, walk } = view;
    if (analysis) return state.status === "playing";
    if (away || state.status === "waiting") return false;
    if (state.status === "finished") return walk.count > 0;
    if (mine.length === players.length) return !view.replica.rated;
    return playsBots(view) && othersOf(view).every((holder) => house?.has(holder.player));
}

/* Somebody plays against bots alone, whosever they are. */
function playsBots(view) {
    const { replica, state, mine, players, analysis } = view;
    const plays = !analysis && state.status === "playing" && mine.length > 0 && mine.length < players.length;
    return plays && !replica.rated && othersOf(view).every((holder) => holder?.as === "bot");
}

function othersOf({ state, mine, players }) {
    return players.filter((seat) => !mine.includes(seat)).map((seat) => state.seats?.[seat]);
}

/* Whether the position is on the board already. */
function isHere({ analysis, walk, history }) {
    return analysis ? !analysis.busy : !walk.looksBack || Boolean(history.position(walk.at));
}

function staysOn({ state, analysis }) {
    return Boolean(analysis) || state.status === "finished";
}

function placeOf({ replica, walk, analysis }) {
    const made = replica.moves[walk.at - 1 - replica.movesFrom];
    return [Boolean(analysis), walk.at, analysis ? 0 : walk.count, made?.version ?? "", made ? moveText(made.move, "") : ""].join();
}

function moverOf({ state, walk, analysis, history }) {
    return (walk.looksBack && !analysis ? history.position(walk.at) : state)?.to_move;
}

/* The share of the points that who is to move may expect, or how it ends for certain. */
function valueWords({ value, ends_in: plies }, mover) {
    const player = named(mover);
    const count = Math.ceil((plies ?? 0) / 2);
    if (value < 1000 && value > 0) return `${player} ${Math.round(value / 10)} %`;
    if (value === 1000) return plies ? say("{player} wins in {count}", { player, count }) : say("{player} wins", { player });
    return plies ? say("{player} loses in {count}", { player, count }) : say("{player} loses", { player });
}

function lineWords({ moves }) {
    return moves.map(({ move, text }) => moveText(move, text)).join("  ");
}
