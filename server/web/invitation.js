/* While a seat is free: the link for a friend, the bot, or a seat for whoever opened the link. Later: that none is. */

import { levelField } from "./bot_level.js";
import { h, replaceChildren } from "./dom.js";
import { say } from "./language.js";
import { playerDot } from "./pieces.js";
import { nameField } from "./player_name.js";
import { shareLink } from "./share_link.js";
import { gameWord } from "./words.js";

export class Invitation {
    #shown = "";
    #picture = null; /* puts the dialog with the link as a picture away */

    constructor({ room, notes, onTake, onInvite, onLeave }) {
        this.room = room;
        this.notes = notes;
        this.onTake = onTake;
        this.onInvite = onInvite;
        this.onLeave = onLeave;
        this.element = h("section", { class: "invitation", "aria-label": say("Invitation"), hidden: true });
    }

    /* Rebuilt only when another invitation is due, so that a name being typed is not lost. */
    update(view) {
        const free = view.replica.freeSeats;
        const { status } = view.state;
        const late = status === "playing" && view.mine.length === 0;
        this.element.hidden = (status !== "waiting" && !late) || Boolean(view.analysis);
        if (status !== "waiting") this.#picture?.abort(); /* the game has begun behind it */
        const key = JSON.stringify([status, free, view.mine]);
        if (key === this.#shown) return;
        this.#shown = key;
        if (late) replaceChildren(this.element, this.#forWatcher(view));
        else replaceChildren(this.element, view.mine.length > 0 ? this.#forHost(free, view) : this.#forGuest(free, view));
    }

    #link() {
        return shareLink(this.room, () => this.#showPicture());
    }

    async #showPicture() {
        this.#picture = new AbortController();
        const { signal } = this.#picture;
        const { showInvitation } = (await import("./link_dialog.js").catch(() => null)) ?? {};
        if (!showInvitation) return this.notes.error({ code: "disconnected" });
        if (!signal.aborted) await showInvitation({ room: this.room, signal });
    }

    /* Who comes by a link that others have used already. */
    #forWatcher({ players }) {
        return [
            h("p", { role: "status" }, players.length === 2 ? say("Both seats are taken: you are watching.") : say("All seats are taken: you are watching.")),
            h("a", { class: "button wide", href: "/" }, say("Play a game of your own")),
        ];
    }

    #forHost(free, { replica }) {
        const leave = h("button", { type: "button", class: "wide danger-text", onclick: this.onLeave }, say("Leave this room"));
        if (replica.rated) return [h("p", {}, say("Send this link to whoever you want to play with. The game is rated:")), this.#link(), leave]; /* the bot has no rating */
        return [
            h("p", {}, say("Send this link to whoever you want to play with:")),
            this.#link(),
            h("p", { class: "or" }, h("span", {}, say("or"))),
            levelField(),
            h("button", { type: "button", class: "wide", onclick: this.onInvite }, free.length > 1 ? say("Give a seat to the bot") : say("Play against the bot")),
            leave,
        ];
    }

    #forGuest(free, view) {
        return [
            h("p", {}, view.replica.rated ? say("You are invited to a rated game. Take a seat, or just watch.") : say("You are invited to play. Take a seat, or just watch.")),
            nameField(),
            h(
                "div",
                { class: "seat-choice" },
                free.map((seat) =>
                    h(
                        "button",
                        { type: "button", class: "primary", "data-take": seat, onclick: () => this.onTake(seat) },
                        playerDot(view.layout, seat),
                        say("Play {player}", { player: gameWord(seat) }),
                    ),
                ),
            ),
            h("details", {}, h("summary", {}, say("Share this room")), this.#link()),
        ];
    }
}
