/* Games of one's own, other than the one on this page, in which somebody waits for one's move: how many stands before the title and, where there is a room
 * here, in words with a link. The server tells nobody about rooms where he is not, so it is asked again and again: more rarely where nothing
 * changes, and at once when somebody comes back to the page. Loaded where there are such games (bell.js). */

import { h, refreshChildren } from "./dom.js";
import { sayCount } from "./language.js";

const PACE_MS = 25_000;
const PACE_MAX_MS = 120_000; /* where nothing changes, */
const SLOWER = 1.25; /*   by and by */
const TROUBLED_MS = 300_000; /* where there is no answer */
const SOON_MS = 5_000; /* however often somebody goes away and comes back */

/* A row of `mine`: whether somebody, no program, waits for one's move there. */
export function waitsForMe({ status, yours, to_move: mover, seats, bots = [] }) {
    const others = Object.keys(seats).some((seat) => !yours.includes(seat) && !bots.includes(seat));
    return status === "playing" && others && yours.includes(mover);
}

export class WaitingGames {
    #ask;
    #here;
    #rooms; /* those that wait, as rows */
    #pace = PACE_MS;
    #timer = 0;
    #asked = performance.now();
    #asks = false;

    /* mine: rows as the server has just told them; ask: promises newer ones; here: a room that is not counted; onTurn(rows): there, too, one has to move now. */
    constructor({ mine, ask, here, onTurn }) {
        this.#ask = ask;
        this.#here = here;
        this.onTurn = onTurn;
        this.element = h("div", { class: "elsewhere", role: "status" });
        this.#rooms = this.#waitingOf(mine);
        this.#show();
        this.#wait();
        document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.#hurry());
    }

    /* Before a title that is written anew; and for tests and the curious. */
    mark() {
        const count = this.#rooms.length;
        document.documentElement.dataset.waiting = count;
        document.title = `${count > 0 ? `(${count}) ` : ""}${document.title.replace(/^\(\d+\) /, "")}`;
    }

    #waitingOf(mine) {
        return mine.filter((row) => row.room !== this.#here && waitsForMe(row));
    }

    #wait(ms = this.#pace) {
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => this.#look(), ms);
    }

    #hurry() {
        this.#pace = PACE_MS;
        this.#wait(Math.max(0, this.#asked + SOON_MS - performance.now()));
    }

    async #look() {
        if (this.#asks) return;
        this.#asks = true;
        this.#asked = performance.now();
        try {
            this.#take(this.#waitingOf(await this.#ask()));
        } catch {
            this.#pace = Math.min(TROUBLED_MS, 2 * this.#pace);
        }
        this.#asks = false;
        this.#wait();
    }

    #take(rooms) {
        const known = this.#rooms.map(({ room }) => room);
        const fresh = rooms.filter(({ room }) => !known.includes(room));
        const same = fresh.length === 0 && rooms.length === known.length;
        this.#pace = same ? Math.min(PACE_MAX_MS, SLOWER * this.#pace) : PACE_MS;
        this.#rooms = rooms;
        if (same) return;
        this.#show();
        this.onTurn(fresh);
    }

    #show() {
        this.mark();
        const [first, ...others] = this.#rooms;
        const words = sayCount("It is your turn in another game", "It is your turn in {count} other games", this.#rooms.length);
        refreshChildren(this.element, first && h("a", { class: "offer", href: others.length > 0 ? "/" : `/room/${encodeURIComponent(first.room)}` }, words));
    }
}
