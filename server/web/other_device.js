/* The same seats on another device: the dialog that gives a key away, and the key of a link (seat_key.js) that is taken in. Loaded for either. */

import { listed, say } from "./language.js";
import { nameMember } from "./player_name.js";
import { named } from "./words.js";

export class OtherDevice {
    #connection;
    #notes;
    #room;
    #dialog = null; /* puts the dialog with a seat key away */
    #arrives = false; /* a seat key was taken, and the seat is about to be ours */

    /* onArrival: a key was taken in. */
    constructor({ connection, notes, room, onArrival }) {
        Object.assign(this, { onArrival });
        this.#connection = connection;
        this.#notes = notes;
        this.#room = room;
    }

    async offer() {
        this.close();
        this.#dialog = new AbortController();
        const { signal } = this.#dialog;
        const { showDevice } = await dialogs();
        if (!showDevice) return this.#notes.error({ code: "disconnected" });
        if (signal.aborted) return;
        await showDevice({ room: this.#room, signal, askKey: () => this.#askKey() });
        this.#dialog = null;
    }

    close() {
        this.#dialog?.abort();
    }

    async redeem(key) {
        try {
            await this.#connection.request({ type: "join", room: this.#room, key, ...nameMember() });
            this.#arrives = true;
            this.onArrival();
        } catch (error) {
            const { tellBadKey } = error.code === "bad_key" ? await dialogs() : {};
            if (tellBadKey) tellBadKey();
            else this.#notes.error(error);
        }
    }

    greet({ mine, state }) {
        if (!this.#arrives || mine.length === 0) return;
        this.#arrives = false;
        this.#notes.say(arrivalWords(mine, state.seats[mine[0]].name), "good");
    }

    /* A key is told once: whoever lost the answer on the way asks for another one. */
    async #askKey() {
        const command = { type: "seat_key", room: this.#room };
        const answer = await this.#connection.request(command);
        return answer.key ? answer : this.#connection.request(command);
    }
}

/* Loaded when one of them is needed; none of them without a connection. */
async function dialogs() {
    return (await import("./link_dialog.js").catch(() => null)) ?? {};
}

/* "You play white here now, as Ada." */
function arrivalWords(seats, name) {
    const players = listed(seats.map((seat) => named(seat)));
    return name ? say("You play {players} on this device now, as {name}.", { players, name }) : say("You play {players} on this device now.", { players });
}
