/* The page of one room: keeps the copy of the room up to date, hands it to the panels, and sends what they ask for.
 *
 * The panels draw what they are told (`view`, made in one place below) and call back; only this file talks to the
 * connection. */

import { Board } from "./board.js";
import { ChatPanel } from "./chat_panel.js";
import { Controls } from "./controls.js";
import { confirm } from "./dialogs.js";
import { h, setText } from "./dom.js";
import { Invitation } from "./invitation.js";
import { MovesPanel } from "./moves_panel.js";
import { pickMove } from "./pick_move.js";
import { nameMember, playerName } from "./player_name.js";
import { Replica } from "./replica.js";
import { SeatStrips } from "./seats_panel.js";
import { Verdict } from "./verdict.js";
import { capital, moveWords, refusedWords } from "./words.js";

export class RoomPage {
    #connection;
    #notes;
    #replica;
    #flipped = false;
    #pending = null; /* a move that was sent: {from, to, …, version: once acknowledged} */
    #introduced = false;

    constructor({ connection, notes, room }) {
        this.#connection = connection;
        this.#notes = notes;
        this.#replica = new Replica(room);
        this.board = new Board({
            onMove: (moves) => this.#move(moves),
            onRefused: (from, to, dropped) => this.#explain(from, to, dropped),
        });
        const send = (command) => this.#send(command);
        this.seats = new SeatStrips({
            onTake: (seat) => this.#sit(seat),
            onInvite: (seat) => send({ type: "action", kind: "bot.invite", seat }),
        });
        this.verdict = new Verdict({ onAction: (kind) => send({ type: "action", kind }) });
        this.invitation = new Invitation({
            room,
            onTake: (seat) => this.#sit(seat),
            onInvite: () => send({ type: "action", kind: "bot.invite" }),
        });
        this.moves = new MovesPanel({ onPreview: (move) => this.board.preview(move) });
        this.controls = new Controls({
            onFlip: () => this.#flip(),
            onResign: () => this.#resign(),
            onPass: () => this.#pass(),
            onDraw: () => send({ type: "action", kind: "draw.offer" }),
            onRematch: () => this.#rematch(),
        });
        this.chat = new ChatPanel({ onSay: (text) => this.#say(text) });
        this.element = this.#layOut();
    }

    onWelcome() {
        const { room, version, lost } = this.#replica;
        return this.#ask({ type: "resume", room, version: lost ? 0 : version });
    }

    onFrame(frame) {
        if (frame.type === "error") return this.#notes.error(frame);
        const outcome = this.#replica.apply(frame);
        if (outcome === "ignored") return undefined;
        if (outcome === "lost") return this.#ask({ type: "sync", room: this.#replica.room });
        if (outcome === "event") this.#remark(frame);
        this.#settle(frame);
        return this.#draw();
    }

    #layOut() {
        this.title = h("h1", {});
        this.subtitle = h("p", { class: "subtitle" });
        this.rules = h("details", { class: "rules" }, h("summary", {}, "How it is played"), h("p", {}));
        return h(
            "div",
            { class: "room loading", "aria-busy": "true" },
            h(
                "section",
                { class: "table", "aria-label": "The board" },
                this.seats.top,
                h("div", { class: "board-frame" }, this.board.element),
                this.seats.bottom,
            ),
            h(
                "aside",
                { class: "side" },
                h("header", { class: "room-head" }, this.title, this.subtitle),
                this.verdict.element,
                this.invitation.element,
                this.controls.element,
                this.moves.element,
                this.chat.element,
                this.rules,
            ),
        );
    }

    /* A question of this socket: asked again by onWelcome on the next one. */
    async #ask(command) {
        try {
            const answer = await this.#connection.request(command, { once: true });
            this.#replica.resumed(answer);
            if (answer.mode === "events" && !this.#replica.layout)
                await this.#ask({ type: "sync", room: this.#replica.room });
            else if (this.#replica.version > 0) this.#draw();
        } catch (error) {
            if (error.code === "unknown_room") this.#showMissing();
            else if (error.code !== "disconnected") this.#notes.error(error);
        }
    }

    async #send(command) {
        try {
            return await this.#connection.request({ ...command, room: this.#replica.room });
        } catch (error) {
            this.#notes.error(error);
            return null;
        }
    }

    async #move(moves) {
        const move = await pickMove(moves, this.#replica);
        if (!move) return;
        this.#pending = { ...move };
        const pending = this.#pending;
        this.#draw();
        const ack = await this.#send({ type: "move", move, version: this.#replica.version });
        if (!ack) pending.refused = true;
        else pending.version = ack.version;
        this.#settle();
        this.#draw();
    }

    /* Why the move that a hand wanted is none. A click beside all movements of a figure only lets it go. */
    async #explain(cell, to, dropped) {
        const { room, version } = this.#replica;
        try {
            const command = { type: "legal_moves", room, cell, to, explain: true };
            const { explanation } = await this.#connection.request(command, { once: true });
            const silent = explanation.verdict === "legal" || (explanation.verdict === "no_movement" && !dropped);
            if (!silent && this.#replica.version === version) this.#notes.say(refusedWords(explanation), "bad");
        } catch (error) {
            if (error.code !== "disconnected") this.#notes.error(error);
        }
    }

    /* A pending move is over when it was refused, or when the copy of the room contains it. */
    #settle(frame) {
        const pending = this.#pending;
        if (!pending) return;
        const seen = pending.version !== undefined && this.#replica.version >= pending.version;
        if (pending.refused || seen || frame?.kind === "moved") this.#pending = null;
    }

    #pass() {
        const moves = this.#replica.legalMoves.filter((move) => move.pass);
        if (moves.length > 0) this.#move(moves);
    }

    async #sit(seat) {
        await this.#send({ type: "join", seat, ...nameMember() });
    }

    async #resign() {
        const words =
            this.#replica.players.length > 2
                ? "The game ends for everybody, and nobody has won."
                : "Your opponent wins.";
        if (await confirm("Resign this game?", words, "Resign"))
            await this.#send({ type: "action", kind: "resign" });
    }

    /* Whoever plays both sides agrees with themselves. */
    async #rematch() {
        const { mine, players } = this.#view();
        const offered = await this.#send({ type: "action", kind: "rematch.offer" });
        const alone = mine.length === players.length;
        if (offered && alone && !this.#replica.state.next_room)
            await this.#send({ type: "action", kind: "rematch.accept" });
    }

    /* Somebody who watches is known by a name only after joining with it. */
    async #say(text) {
        const watching = this.#view().mine.length === 0;
        if (watching && !this.#introduced && playerName()) {
            this.#introduced = true;
            await this.#send({ type: "join", seat: "spectator", ...nameMember() });
        }
        return (await this.#send({ type: "chat", text })) !== null;
    }

    #flip() {
        this.#flipped = !this.#flipped;
        this.#draw();
    }

    #remark(event) {
        const { mine } = this.#view();
        const others = !mine.includes(event.seat);
        if (event.kind === "draw_declined" && others) this.#notes.say(`${capital(event.seat)} declined the draw.`);
        if (event.kind === "rematch_declined" && others)
            this.#notes.say(`${capital(event.seat)} declined the rematch.`);
        if (event.kind === "rematch" && mine.length > 0) location.assign(`/room/${event.next_room}`);
    }

    /* Everything that the panels need to know, in one plain value. */
    #view() {
        const { state, players } = this.#replica;
        const mine = this.#replica.seatsOf(this.#connection.player);
        const nearest = mine[0] ?? players[0];
        const first = this.#flipped && players.length === 2 ? players.find((seat) => seat !== nearest) : nearest;
        return {
            replica: this.#replica,
            layout: this.#replica.layout,
            state,
            players,
            mine,
            nearest: first,
            angle: (this.#replica.layout?.rotation?.[nearest] ?? 0) + (this.#flipped ? 180 : 0),
            myTurn: state.status === "playing" && mine.includes(state.to_move),
            pending: this.#pending,
            goesOn: goesOn(this.#replica),
        };
    }

    #draw() {
        const view = this.#view();
        const { replica, state } = view;
        if (!view.layout) return;
        this.element.classList.remove("loading");
        this.element.removeAttribute("aria-busy");
        this.element.classList.toggle("many-seats", view.players.length > 3);
        Object.assign(this.element.dataset, { version: replica.version, hash: replica.hash, status: state.status });
        this.board.setLayout(view.layout, view.angle);
        this.board.show({
            cells: state.cells,
            lastMove: state.last_move,
            moves: this.#pending ? [] : replica.legalMoves,
            pending: this.#pending,
            active: view.goesOn,
            taken: state.taken ?? [],
            mover: view.myTurn && !this.#pending ? state.to_move : null,
        });
        for (const panel of [this.seats, this.verdict, this.invitation, this.moves, this.controls, this.chat])
            panel.update(view);
        this.#drawHead(view);
    }

    #drawHead({ replica, state, myTurn }) {
        const title = replica.game?.title || "A game of one's own";
        setText(this.title, title);
        const { spectators } = replica.presence;
        const watching = spectators === 0 ? "" : ` · ${spectators} watching`;
        setText(this.subtitle, `${capital(replica.visibility)} room${watching}`);
        setText(this.rules.lastChild, replica.game?.description ?? "");
        this.rules.hidden = !replica.game?.description;
        const lastMove = state.last_move ? ` ${moveWords(state.last_move)}` : "";
        document.title = myTurn ? `● Your turn${lastMove} · ${title}` : `${title} · Senet`;
    }

    #showMissing() {
        this.element.className = "missing";
        this.element.removeAttribute("aria-busy");
        this.element.replaceChildren(
            h("h1", {}, "There is no such room"),
            h("p", {}, "The link may have been cut short on its way to you."),
            h("a", { class: "button primary", href: "/" }, "To the lobby"),
        );
    }
}

/* The cell whose figure goes on in a turn of several moves: the state says so, or nothing else can move than what has
 * just been moved by the same player (a move and then a shot). */
function goesOn({ state, moves, legalMoves }) {
    if (state.active) return state.active;
    const last = moves.at(-1);
    const same = last?.seat === state.to_move && legalMoves.length > 0;
    return same && legalMoves.every((move) => move.from === last.move.to) ? last.move.to : null;
}
