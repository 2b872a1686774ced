/* What a player decides about a game besides moving in it; what cannot be undone is asked about first. */

import { confirm } from "./dialogs.js";
import { say } from "./language.js";
import { askNewRoom } from "./new_room.js";
import { openRoom } from "./open_room.js";
import { gameTitle } from "./words.js";

export class Decisions {
    #connection;
    #notes;
    #send;
    #view;
    #beginHere;

    /* send(command): to the room; its acknowledgement, or null. view(): how the room stands (room.js). beginHere(): a new game, on this page alone. */
    constructor({ connection, notes, send, view, beginHere }) {
        this.#connection = connection;
        this.#notes = notes;
        this.#send = send;
        this.#view = view;
        this.#beginHere = beginHere;
    }

    /* The seats are free again; a room where nobody sits is not shown to others any more. */
    async leave() {
        if (await this.#send({ type: "leave" })) location.assign("/");
    }

    async abort() {
        const words = say("It ends for everybody, and does not count: nobody has won.");
        if (await confirm(say("Abort this game?"), words, say("Abort"))) await this.#send({ type: "action", kind: "abort" });
    }

    async resign() {
        const words = this.#view().players.length > 2 ? say("The game ends for everybody, and nobody has won.") : say("Your opponent wins.");
        if (await confirm(say("Resign this game?"), words, say("Resign"))) await this.#send({ type: "action", kind: "resign" });
    }

    /* Whoever plays all sides agrees with themselves. */
    async rematch() {
        const { away } = this.#view();
        if (away) return this.#beginHere();
        if (await this.#send({ type: "action", kind: "rematch.offer" })) await this.#agree();
    }

    async rematchByClock() {
        const { players, replica } = this.#view();
        const { askRematchClock } = (await import("./rematch_dialog.js").catch(() => null)) ?? {};
        if (!askRematchClock) return;
        const offer = (clock) => this.#connection.request({ type: "action", room: replica.room, kind: "rematch.offer", clock });
        if (await askRematchClock({ players, rated: replica.rated, offer })) await this.#agree();
    }

    async #agree() {
        const { mine, players } = this.#view();
        for (const _ of mine.length === players.length ? players.slice(1) : [])
            if (this.#view().state.next_room || !(await this.#send({ type: "action", kind: "rematch.accept" }))) return;
    }

    async newGame() {
        const words = say("This one ends as it stands. The server hears of it when it is back.");
        if (await confirm(say("Begin a new game?"), words, say("New game"))) this.#beginHere();
    }

    /* A room of its own that begins with the position on the board. */
    async fork() {
        const { replica, walk, placeOf } = this.#view();
        const { room, players, visibility } = replica;
        const { at } = walk;
        const title = at === 0 ? say("Play it from the start") : say("Play on from move {number}", { number: placeOf(at).number });
        const wish = await askNewRoom({ title: gameTitle(replica), players }, "friend", { title, visibility, timed: false });
        if (!wish) return;
        try {
            goToRoom(await openRoom(this.#connection, { fork: { room, ply: at } }, wish));
        } catch (error) {
            if (error.code === "game_over") this.#notes.say(say("The rules end the game here. Step back, and play on from there."), "bad");
            else this.#notes.error(error);
        }
    }
}

let goingTo = ""; /* that room */

/* Going there twice would break off the first time. A rematch is heard of twice where its moves were made ahead of the server. */
export function goToRoom(room) {
    if (goingTo === room) return;
    goingTo = room;
    location.assign(`/room/${encodeURIComponent(room)}`);
}
