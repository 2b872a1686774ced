/* A room within somebody else's page (`/embed/ROOM`): the board as it stands, who plays, and the way to the room. Nothing here plays,
 * for the page around could lay something over it; and whoever looks is a stranger to the server each time (dial.js), so that a player
 * who reads that page is not taken for gone to another device. */

import { Board } from "./board.js";
import { h, setText } from "./dom.js";
import { Hands } from "./hands.js";
import { say } from "./language.js";
import { SeatStrips } from "./seats_panel.js";
import { Replica, catchUp } from "./senet.js";
import { gameTitle, moveWords, resultWords, speakGame, toMoveWords, watchingWords, withPhase } from "./words.js";

const nothing = () => {};

export class EmbedPage {
    #connection;
    #replica;
    #board = new Board({ onMove: nothing });
    #seats = new SeatStrips({ onTake: nothing, onInvite: nothing, offers: false });
    #hands = new Hands({ onTake: nothing });
    #words = h("span", { class: "embed-words", role: "status", "aria-live": "polite" });
    #way;

    constructor({ connection, room }) {
        this.#connection = connection;
        this.#replica = new Replica(room);
        this.#way = h("a", { href: `/room/${encodeURIComponent(room)}`, target: "_blank", rel: "noopener" }, say("Watch on Senet"));
        document.body.classList.add("embedded");
        this.element = h(
            "section",
            { class: "table embed loading", "aria-busy": "true", "aria-label": say("The board") },
            this.#seats.top,
            this.#hands.top,
            h("div", { class: "board-frame" }, this.#board.element),
            this.#hands.bottom,
            this.#seats.bottom,
            h("p", { class: "embed-foot" }, this.#words, this.#way),
        );
    }

    onWelcome() {
        return this.#catchUp("resume");
    }

    onFrame(frame) {
        if (frame.type === "error") return undefined;
        const outcome = this.#replica.apply(frame);
        if (outcome === "lost") return this.#catchUp("sync");
        return outcome === "ignored" ? undefined : this.#draw();
    }

    async #catchUp(type) {
        try {
            await catchUp(this.#connection, this.#replica, { type });
            this.#draw();
        } catch (error) {
            if (error.code === "unknown_room") this.element.replaceChildren(h("p", { class: "embed-foot" }, say("There is no such game any more.")));
            if (error.code !== "disconnected") this.element.classList.remove("loading");
        }
    }

    #draw() {
        const { layout, players, state, presence, attacked, hands, version } = this.#replica;
        if (!layout) return;
        speakGame(layout);
        const [nearest] = players;
        this.element.classList.remove("loading");
        this.element.removeAttribute("aria-busy");
        this.element.classList.toggle("many-seats", players.length > 3);
        this.element.classList.toggle("with-hands", Boolean(hands));
        Object.assign(this.element.dataset, { version, status: state.status });
        this.#board.setLayout(layout, layout.rotation?.[nearest] ?? 0);
        this.element.style.setProperty("--board-aspect", this.#board.aspect.toFixed(3));
        this.#board.show({ cells: state.cells, lastMove: state.last_move, taken: state.taken ?? [], attacked, moves: [] });
        const view = { replica: this.#replica, timed: this.#replica, layout, state, players, nearest, mine: [], captured: {} };
        this.#seats.update(view);
        this.#hands.update({ ...view, hands, inHand: null, mayPut: new Set() });
        setText(this.#words, `${this.#standing()}${presence.spectators > 1 ? ` · ${watchingWords(presence.spectators)}` : ""}`);
        setText(this.#way, state.status === "waiting" ? say("Play on Senet") : say("Watch on Senet"));
        document.title = `${gameTitle(this.#replica) || say("A board game")} · Senet`;
    }

    #standing() {
        const { state, players } = this.#replica;
        if (state.status === "finished") return resultWords(state.result ?? {}, [], players).title;
        if (state.status === "waiting") return say("A seat is free");
        const turn = withPhase(toMoveWords(state.to_move), this.#replica.layout, state);
        return state.last_move ? say("{turn} after {move}", { turn, move: moveWords(state.last_move) }) : turn;
    }
}
