/* What is heard while the bell is on (bell.js), and which notices of the browser's call somebody back. Loaded when it is on. */

import { say } from "./language.js";
import { play } from "./sounds.js";
import { gameTitle, named, resultWords } from "./words.js";

const LOW_MS = 10_000; /* so little is left, or a tenth where that is less: it is told */
const TIMER_MAX_MS = 2 ** 31 - 1;
const CALLED_KEY = "senet.called";
const CALLED_MS = 5 * 60_000; /* so long a room that has called does not call on another page */

export class Ring {
    #timer = 0;
    #low = new Set(); /* seats whose low time has been told */

    /* An event of a room, how it stands since, and its state before. Whoever plays all sides needs no call. */
    heard(event, view, before) {
        for (const sound of soundsOf(event, view, before)) play(sound);
        const words = callOf(event, view);
        if (!words) return;
        remember([view.replica.room]);
        notify(gameTitle(view.replica) || "Senet", words, view.replica.room);
    }

    /* clocks: of the room (clocks.js); mine: seats. When one's own is nearly over it is told, and again only after there was much more. */
    watch(clocks, mine) {
        this.rest();
        const running = clocks.running;
        if (!running || !mine.includes(running.seat)) return;
        const { seat, left, whole } = running;
        const low = Math.min(LOW_MS, whole / 10);
        if (left > 2 * low) this.#low.delete(seat);
        if (left > low) this.#timer = setTimeout(() => this.watch(clocks, mine), Math.min(TIMER_MAX_MS, Math.ceil(left - low)));
        else if (!this.#low.has(seat)) this.#low.add(seat) && play("low");
    }

    rest() {
        clearTimeout(this.#timer);
    }

    /* Of rooms elsewhere, rows of the lobby, in which it has become one's turn: once on all pages of this browser. */
    callTo(rows) {
        const fresh = rows.filter(({ room }) => !(room in called()));
        if (fresh.length === 0) return;
        remember(fresh.map(({ room }) => room));
        play("turn");
        for (const { room, title } of fresh) notify(title || "Senet", say("It is your turn"), room);
    }

    play = play;

    /* What the browser asks about, it asks after a click. */
    async askForNotices() {
        if ("Notification" in window && Notification.permission === "default") await Notification.requestPermission();
    }
}

export function soundsOf(event, view, before) {
    const moved = event.kind === "moved" && (takes(before, view.state) ? "capture" : "move");
    const over = event.patch?.status === "finished" && "over";
    const call = !over && callOf(event, view) && "turn";
    return [moved, over, call].filter(Boolean);
}

/* Words of a notice, or null. */
function callOf(event, { state, mine, myTurn, players }) {
    const others = !mine.includes(event.seat);
    if (mine.length === 0 || mine.length === players.length || !others) return null;
    if (state.status === "finished") return event.patch?.status ? resultWords(state.result ?? {}, mine, players).title : null;
    if (event.kind === "joined") return event.seat ? say("{name} plays {player}", { name: event.name || say("A guest"), player: named(event.seat) }) : say("{name} plays", { name: event.name || say("A guest") });
    return event.kind === "moved" && myTurn ? say("It is your turn") : null;
}

/* Whether a figure has gone: somebody has fewer, and what is on the board has not become more (of turned-over figures only the owner changes, while one is
 * added); or it still stands till the turn is over. */
function takes(before, { cells, taken = [] }) {
    if (taken.length > (before.taken ?? []).length) return true;
    const [then, now] = [countsOf(before.cells), countsOf(cells)];
    return now.all <= then.all && Object.keys(then).some((player) => (now[player] ?? 0) < then[player]);
}

/* Figures by player, and `all`. */
function countsOf(cells) {
    const counts = { all: 0 };
    for (const { player } of Object.values(cells)) {
        counts.all++;
        counts[player] = (counts[player] ?? 0) + 1;
    }
    return counts;
}

/* One for a room: a newer one takes its place. Whoever sees the page needs none. */
function notify(title, body, room) {
    if (document.visibilityState !== "hidden" || !("Notification" in window) || Notification.permission !== "granted") return;
    const notice = new Notification(title, { body, tag: room });
    notice.addEventListener("click", () => {
        const path = `/room/${encodeURIComponent(room)}`;
        window.focus();
        notice.close();
        if (location.pathname !== path) location.assign(path);
    });
}

/* {room: when it has called, of late}. */
function called() {
    try {
        const known = Object.entries(JSON.parse(localStorage.getItem(CALLED_KEY)) ?? {});
        return Object.fromEntries(known.filter(([, at]) => Date.now() - at < CALLED_MS));
    } catch {
        return {};
    }
}

function remember(rooms) {
    const now = Object.fromEntries(rooms.map((room) => [room, Date.now()]));
    localStorage.setItem(CALLED_KEY, JSON.stringify({ ...called(), ...now }));
}
