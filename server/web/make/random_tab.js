/* Random games: how long they are, who wins and how, and which of the file's words are never used. Played in slices, so that the
 * board goes on answering; stopped by the next version of the game. */

import { h, replaceChildren, setText } from "../dom.js";
import { capital, say } from "../language.js";
import { rangeOf } from "./pointers.js";

const GAMES = 1000;
const SLICE = 50;

export class RandomTab {
    #run = 0;

    constructor(view) {
        this.view = view;
        this.button = h("button", { type: "button", class: "small", onclick: () => this.#play() }, say("Play 1,000 random games"));
        this.words = h("p", { role: "status" });
        this.table = h("dl", { class: "figures" });
        this.unused = h("ul", { class: "unused" });
        this.element = h("div", { class: "random-tab" }, this.button, this.words, this.table, this.unused);
    }

    load({ root, text }) {
        this.root = root;
        if (text === this.text) return; /* loaded again */
        this.text = text;
        this.#run++;
        if (this.table.childElementCount > 0) setText(this.words, say("The game has changed since: these are the figures of the last version."));
        this.button.disabled = false;
        setText(this.button, say("Play 1,000 random games"));
    }

    async #play() {
        const run = ++this.#run;
        if (this.playing) return this.#stop();
        this.playing = true;
        setText(this.button, say("Stop"));
        let sum = null;
        try {
            for (let first = 0; first < GAMES && run === this.#run; ) {
                const { random } = await this.view.engine.ask({ do: "random", first, games: Math.min(SLICE, GAMES - first) });
                sum = add(sum, random);
                first = random.next;
                if (run === this.#run) this.#show(sum);
            }
        } catch (error) {
            setText(this.words, error.message);
        }
        this.#stop();
    }

    #stop() {
        this.playing = false;
        setText(this.button, say("Play 1,000 random games"));
    }

    #show(sum) {
        setText(this.words, say("{count} games played.", { count: sum.games.toLocaleString("en") }));
        const average = (sum.plies.total / sum.games).toFixed(1);
        const ends = [...sum.ends.values()].sort((a, b) => b.games - a.games);
        replaceChildren(
            this.table,
            row(say("Length"), say("{average} moves on average, {least} to {most}", { average, least: sum.plies.least, most: sum.plies.most })),
            ends.map((end) => row(end.winner ? say("{player} wins", { player: capital(end.winner) }) : end.loser ? say("{player} loses", { player: capital(end.loser) }) : say("Draw"), `${end.reason}: ${end.games} (${((100 * end.games) / sum.games).toFixed(1)} %)`)),
        );
        const never = [...neverIn(sum.used).map((pointer) => this.#word(pointer)), ...neverIn(sum.states).map((state) => this.#state(state))];
        replaceChildren(this.unused, never.length > 0 && h("li", {}, h("strong", {}, say("Never used:"))), never.slice(0, 40));
    }

    /* Where the file has a machine of states it is a place there; else it is one of the turns. */
    #state(state) {
        const pointer = `/game_states/${state.replaceAll("~", "~0").replaceAll("/", "~1")}`;
        return rangeOf(pointer, this.root) ? this.#word(pointer) : h("li", { class: "turn-never" }, say("the turn {turn}", { turn: state }));
    }

    #word(pointer) {
        const go = () => {
            const range = rangeOf(pointer, this.root);
            if (range) this.view.editor.goTo(range.from, range.to);
        };
        return h("li", {}, h("button", { type: "button", class: "link", onclick: go }, pointer.slice(1).replaceAll("/", " › ")));
    }
}

const neverIn = (counts) => Object.keys(counts).filter((key) => counts[key] === 0);

function add(sum, { games, plies, ends, used, states }) {
    const next = sum ?? { games: 0, plies: { total: 0, least: Infinity, most: 0 }, ends: new Map(), used: {}, states: {} };
    next.games += games;
    next.plies.total += plies.total;
    next.plies.least = Math.min(next.plies.least, plies.least);
    next.plies.most = Math.max(next.plies.most, plies.most);
    for (const end of ends) {
        const key = JSON.stringify([end.winner ?? null, end.loser ?? null, end.reason]);
        const there = next.ends.get(key);
        next.ends.set(key, { ...end, games: end.games + (there?.games ?? 0) });
    }
    for (const [all, some] of [[next.used, used], [next.states, states]])
        for (const [key, times] of Object.entries(some)) all[key] = (all[key] ?? 0) + times;
    return next;
}

function row(label, words) {
    return h("div", {}, h("dt", {}, label), h("dd", {}, words));
}
