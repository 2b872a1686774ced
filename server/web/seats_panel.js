/* Who sits where: a strip for every seat, the viewer's own below the board and the others above it. */

import { Clocks } from "./clocks.js";
import { h, refreshChildren } from "./dom.js";
import { ordinal, say, sayCount } from "./language.js";
import { pieceIcon, playerDot } from "./pieces.js";
import { RoomRatings } from "./ratings.js";
import { gameWord, named, playerWord } from "./words.js";

export class SeatStrips {
    #lags = new Map(); /* by seat */

    /* offers: whether free seats have buttons. */
    constructor({ onTake, onInvite, offers = true }) {
        this.offers = offers;
        this.onTake = onTake;
        this.onInvite = onInvite;
        this.top = h("div", { class: "strips top" });
        this.bottom = h("div", { class: "strips bottom" });
        this.clocks = new Clocks([this.top, this.bottom]);
        this.ratings = new RoomRatings();
    }

    /* How far off a player is, as the server has measured it: a move of a game with clocks says so. */
    heard({ kind, seat, lag_ms: lag, compensated_ms: free = 0 }) {
        if (kind === "moved" && lag) this.#lags.set(seat, { lag, free });
    }

    #lag(seat, { clock }) {
        const known = clock && this.#lags.get(seat);
        if (!known) return null;
        const words = say("Lag: {lag} ms to the server and back; {free} ms of the last move were not charged", known);
        return h("span", { class: "lag", role: "img", "aria-label": words, title: words }, say("{lag} ms", known));
    }

    update(view) {
        const start = view.players.indexOf(view.nearest);
        for (const strips of [this.top, this.bottom]) strips.classList.toggle("many", view.players.length > 3);
        const others = [...view.players.slice(start + 1), ...view.players.slice(0, start)];
        refreshChildren(
            this.top,
            others.map((seat) => this.#strip(seat, view)),
        );
        refreshChildren(this.bottom, this.#strip(view.nearest, view));
        this.clocks.update(view.timed);
    }

    #strip(seat, view) {
        const holder = view.state.seats?.[seat];
        const turn = view.state.to_move === seat;
        const countdown = this.clocks.countdown(seat, view.timed);
        return h(
            "div",
            { class: `strip${turn ? " turn" : ""}`, "data-seat": seat },
            playerDot(view.layout, seat),
            holder ? this.#holder(holder, seat, view) : h("span", { class: "name free" }, say("Free seat")),
            h("span", { class: "seat-name" }, named(seat)),
            !holder && this.offers && this.#offer(seat, view),
            placeOf(seat, view.state),
            scoreOf(seat, view.replica),
            countersOf(seat, view.replica),
            capturedBy(seat, view),
            this.#lag(seat, view.replica),
            countdown,
            this.clocks.element(seat, view.timed),
            turn && !countdown && h("span", { class: "turn-mark" }, view.mine.includes(seat) ? say("your move") : say("to move")),
        );
    }

    #holder(holder, seat, view) {
        const here = holder.as === "bot" || view.replica.presence.connected.includes(seat);
        return h(
            "span",
            { class: "name" },
            h("span", {
                class: `presence ${here ? "here" : "away"}`,
                title: here ? say("connected") : say("not connected"),
                role: "img",
                "aria-label": here ? say("connected") : say("not connected"),
            }),
            h("span", { class: "text" }, playerWord(holder.name)),
            this.ratings.element(holder.player, view),
            holder.as === "bot" && h("span", { class: "tag" }, say("bot")),
            view.mine.includes(seat) && h("span", { class: "tag you" }, say("you")),
        );
    }

    #offer(seat, view) {
        if (view.replica.rated && view.mine.length > 0) return null; /* the bot has no rating */
        if (view.mine.length === 0)
            return h(
                "button",
                { type: "button", class: "small primary take", "aria-label": say("Sit here: {player}", { player: named(seat) }), onclick: () => this.onTake(seat) },
                say("Sit here"),
            );
        return h("button", { type: "button", class: "small", "aria-label": say("Invite the bot: {player}", { player: named(seat) }), onclick: () => this.onInvite(seat) }, say("Invite the bot"));
    }
}

/* Of games that count at their end: as it is now. */
function scoreOf(seat, { scores }) {
    const score = scores[seat];
    if (score === undefined) return null;
    const words = sayCount("{count} point", "{count} points", score);
    return h("span", { class: "tag score", role: "img", "aria-label": words, title: words }, `${score}`);
}

/* What the rules count for each player, such as checks given. */
function countersOf(seat, { counters }) {
    return Object.entries(counters).map(([name, by]) => h("span", { class: "tag counter" }, `${gameWord(name)}: ${by[seat] ?? 0}`));
}

/* The other's figures that are gone; with more players nobody knows who took them, so they stand with whose they were. */
function capturedBy(seat, { captured, players, layout }) {
    const owner = players.length === 2 ? players.find((other) => other !== seat) : seat;
    const figures = captured[owner] ?? [];
    if (figures.length === 0) return null;
    const counts = new Map();
    for (const figure of figures) counts.set(figure, (counts.get(figure) ?? 0) + 1);
    const words = [...counts].map(([figure, count]) => `${count} ${gameWord(figure)}`).join(", ");
    const label = players.length === 2 ? say("Has taken {figures}", { figures: words }) : say("Lost {figures}", { figures: words });
    const kinds = [...counts].map(([figure, count]) =>
        h("span", { class: "kind" }, pieceIcon(layout, { player: owner, figure }), count > 1 && h("span", { class: "times" }, `${count}`)),
    );
    return h("span", { class: "captured", role: "img", "aria-label": label, title: label }, kinds);
}

/* Of games that give places: the one this seat has; or that it has been eliminated. */
function placeOf(seat, { ranks, result, out = [] }) {
    const place = (result?.ranks ?? ranks ?? []).indexOf(seat);
    const words = place >= 0 ? ordinal(place + 1) : out.includes(seat) && say("out");
    return words && h("span", { class: "tag place" }, words);
}
