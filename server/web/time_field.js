/* Which clock a game is to have: one of those that are offered (times.js), or one's own (clock_form.js, loaded when it is asked for). */

import { h, replaceChildren } from "./dom.js";
import { say } from "./language.js";
import { TIMES } from "./times.js";
import { errorWords } from "./words.js";

const OWN = "own";

export class TimeField {
    #form = null; /* of one's own clock */
    #seats;
    #words;

    /* seats: who may have another time than the others; words: what they are called; none: whether there may be no clock. */
    constructor({ seats, words, none = true, odds = true, chosen }) {
        this.#seats = odds ? seats : [];
        this.#words = words;
        this.times = TIMES.filter(([, , time]) => none || time.clock);
        const options = [...this.times, [OWN, say("Other…")]];
        const radio = ([value, label]) => h("label", {}, h("input", { type: "radio", name: "time", value, checked: value === chosen }), h("span", {}, label));
        this.own = h("div", { class: "own-clock", hidden: true });
        this.element = h("fieldset", { class: "segments time" }, h("legend", {}, say("Clocks: minutes, and seconds a turn")), h("div", {}, options.map(radio)), this.own);
        this.element.addEventListener("change", ({ target }) => target.name === "time" && this.#show());
    }

    /* Other players than before, of the same game. */
    setSeats(seats) {
        if (seats.join() === this.#seats.join()) return;
        this.#seats = seats;
        this.#form?.setSeats(seats);
    }

    /* As members of `create`; `words` instead where it is no clock that there can be. */
    read() {
        const value = this.#value;
        if (value !== OWN) return this.times.find(([name]) => name === value)?.[2] ?? {};
        return this.#form?.read() ?? { words: say("The connection was lost.") };
    }

    /* Why the server does not take it, or whatever was asked with it. */
    refusal = (error) => this.#form?.refusal(error) ?? errorWords(error);

    /* Whether all have a clock, and the same. */
    get isEven() {
        const { clock } = this.read();
        return Boolean(clock) && !clock.seats;
    }

    get #value() {
        return this.element.querySelector('[name="time"]:checked')?.value ?? "none";
    }

    async #show() {
        this.own.hidden = this.#value !== OWN;
        if (this.own.hidden || this.#form) return;
        const { ClockForm } = (await import("./clock_form.js").catch(() => null)) ?? {};
        if (!ClockForm || this.#form) return;
        this.#form = new ClockForm(this.#seats, this.#words);
        replaceChildren(this.own, this.#form.element);
    }
}
