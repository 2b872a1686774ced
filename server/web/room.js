/* The page of one room: keeps the copy of the room up to date, hands it to the panels, and sends what they ask for.
 *
 * The panels draw what they are told (`view`, made in one place below) and call back; only this file talks to the
 * connection. */

import { Announcer } from "./announcer.js";
import { Bell } from "./bell.js";
import { Board } from "./board.js";
import { levelMember } from "./bot_level.js";
import { captured } from "./captured.js";
import { ChatPanel } from "./chat_panel.js";
import { Controls } from "./controls.js";
import { Decisions, goToRoom } from "./decisions.js";
import { h, setText } from "./dom.js";
import { Extras } from "./extras.js";
import { Hands } from "./hands.js";
import { History } from "./history.js";
import { howLink, learnGame } from "./how_link.js";
import { Invitation } from "./invitation.js";
import { say } from "./language.js";
import { findMoves, MoveBox } from "./move_box.js";
import { MovesPanel } from "./moves_panel.js";
import { showNothing } from "./nothing_here.js";
import { OneScreen, unkeptWords } from "./one_screen.js";
import { Origin } from "./origin.js";
import { pickMove } from "./pick_move.js";
import { nameMember, playerName } from "./player_name.js";
import { Premove } from "./premove.js";
import { asksFirst, Proposal } from "./proposal.js";
import { ratedWords } from "./ratings.js";
import { Replica, catchUp } from "./senet.js";
import { Rules } from "./rules.js";
import { takeSeatKey } from "./seat_key.js";
import { SeatStrips } from "./seats_panel.js";
import { skipLink } from "./skip_link.js";
import { Stepper } from "./stepper.js";
import { Verdict } from "./verdict.js";
import { plyOfLink, stepOfKey, Walk } from "./walk.js";
import { gameTitle, moveWords, named, refusedWords, speakGame, watchingWords } from "./words.js";

export class RoomPage {
    #connection;
    #notes;
    #replica;
    #flipped = false;
    #rules;
    #premove = new Premove();
    #proposal = new Proposal();
    #oneScreen; /* where one player has all seats */
    #analysis = null; /* engine/analysis.js, while other moves are tried */
    #pending = null; /* a move that was sent: {from, to, …, version: once acknowledged} */
    #introduced = false;
    #walk = new Walk();
    #history;
    #origin;
    handedOver = false; /* our seats have gone to another device */
    #learnsEarlier = false;
    #device = null; /* other_device.js, promised when it is needed */
    hint = null; /* hint.js, once there may be one */
    waiting = null; /* waiting_games.js, where there are such games */
    #mayPlayElsewhere; /* this browser has been here before, and its other games have not been asked for */
    hintPlace = h("section", { hidden: true });
    #callsHint = false;

    constructor({ connection, notes, room }) {
        this.#connection = connection;
        this.#notes = notes;
        this.#mayPlayElsewhere = connection.token !== null;
        this.#replica = new Replica(room);
        this.#history = new History((question) => this.#askThePast(question), {
            onPosition: (ply) => ply === this.#walk.ply && this.#draw(),
            onTexts: () => (this.#draw(), this.moves.wantTexts()),
            onError: (error) => notes.error(error),
        });
        this.#rules = new Rules(connection, room);
        this.#oneScreen = new OneScreen(
            { connection, replica: this.#replica },
            { wake: (record) => this.#learnRules(record), onChange: () => this.#drawHere(), onLost: (count) => this.#tellLost(count), onNext: (next) => goToRoom(next) },
        );
        this.#origin = new Origin((question) => connection.request({ ...question, room }));
        this.announcer = new Announcer();
        this.board = new Board({
            onMove: (moves) => this.#move(moves, { byHand: true }),
            onRefused: (from, to, dropped, figure) => this.#explain(from, to, dropped, figure),
            onAhead: (move) => this.#markAhead(move),
            onUnmark: () => this.#unmark(),
            onReach: (from, kind) => this.#showReach(from, kind),
            onHand: () => this.#drawHands(),
        });
        this.hands = new Hands({ onTake: (figure) => this.board.takeInHand(figure) });
        const send = (command) => this.#send(command);
        const decisions = new Decisions({ connection, notes, send, view: () => this.#view(), beginHere: () => this.#beginHere() });
        this.seats = new SeatStrips({
            onTake: (seat) => this.#sit(seat),
            onInvite: (seat) => send({ type: "action", kind: "bot.invite", seat, ...levelMember() }),
        });
        this.verdict = new Verdict({
            onAction: (kind, more) => send({ type: "action", kind, ...more }),
            onBack: () => (this.#analysis ? this.#endAnalysis() : this.#step("last")),
            onUnmark: () => this.#unmark(),
            onConfirm: (whether, byKey) => this.#answerProposal(whether, byKey),
        });
        this.invitation = new Invitation({
            room,
            notes,
            onTake: (seat) => this.#sit(seat),
            onInvite: () => send({ type: "action", kind: "bot.invite", ...levelMember() }),
            onLeave: () => decisions.leave(),
        });
        this.stepper = new Stepper({ onStep: (step, byItself) => this.#step(step, byItself), onShare: () => this.#sharePly() });
        this.bell = new Bell();
        this.extras = new Extras({
            bell: this.bell.element,
            onFork: () => decisions.fork(),
            onAnalyse: () => this.#analyse(),
            onSave: () => import("./save_dialog.js").then(({ showSave }) => showSave({ room, pgn: Boolean(this.#replica.game?.pgn) })).catch(() => notes.error({ code: "disconnected" })),
            onDevice: () => this.#withDevice((device) => device.offer()),
        });
        this.moves = new MovesPanel({
            onPreview: (move) => this.board.preview(move),
            onGo: (ply) => this.#step(ply),
            onEarlier: () => this.#learnEarlier(),
            stepper: this.stepper.element,
            extras: this.extras.element,
        });
        this.controls = new Controls({
            onFlip: () => this.#flip(),
            onZoom: (step) => this.board.zoom(step),
            onAbort: () => decisions.abort(),
            onNewGame: () => decisions.newGame(),
            onResign: () => decisions.resign(),
            onPass: () => this.#moveBy("pass"),
            onSwap: () => this.#moveBy("swap"),
            onTakeBack: () => (this.#analysis ? this.#analysis.takeBack() : send({ type: "action", kind: "takeback.offer" })),
            onDraw: () => send({ type: "action", kind: "draw.offer" }),
            onRematch: () => decisions.rematch(),
            onRematchByClock: () => decisions.rematchByClock(),
        });
        this.moveBox = new MoveBox({
            onMove: (moves) => this.#move(moves),
            onAhead: (text) => this.#markAhead({ text }),
            texts: () => this.#analysis?.replica.legalMoves ?? this.#rules.texts(this.#view().replica),
            onProblem: (words) => notes.say(words, "bad"),
        });
        this.chat = new ChatPanel({
            onSay: (text) => this.#say(text),
            onVoices: (voices) => this.#allow(voices),
            onMute: (player, whether) => send({ type: "action", kind: whether ? "chat.mute" : "chat.unmute", player }),
        });
        this.board.onZoom = () => (this.controls.buttons.farther.disabled = !this.board.zoomed);
        this.element = this.#layOut();
        for (const sign of ["pointerdown", "focusin"]) this.frame.addEventListener(sign, () => this.#wakeRules());
        document.addEventListener("keydown", (event) => this.#keyDown(event));
        addEventListener("hashchange", () => {
            this.#redeemKey();
            if (this.#replica.layout) this.#followLink();
        });
        document.body.prepend(skipLink(say("To the board"), () => this.#boardStop()));
        this.#redeemKey();
    }

    onWelcome() {
        if (this.#rules.lookAgain()) this.#oneScreen.lookAgain();
        const entered = this.#catchUp("resume");
        if (this.#mayPlayElsewhere) entered.then(() => this.#lookElsewhere());
        return entered;
    }

    onFrame(frame) {
        if (frame.type === "error") return this.#notes.error(frame);
        const held = this.#replica.layout ? this.#replica.seatsOf(this.#connection.player) : null; /* null: it is the first that is heard */
        const before = this.#replica.state;
        const outcome = this.#replica.apply(frame);
        if (outcome === "ignored") return undefined;
        this.#connection.playsIn(this.#replica);
        if (outcome === "lost") return this.#catchUp("sync");
        if (outcome === "event") this.#remark(frame, before);
        if (frame.kind === "handed_over" && held?.includes(frame.seats[0])) this.handedOver = true;
        if (outcome !== "presence") this.#oneScreen.heard();
        if (outcome !== "presence") this.#remember(frame);
        if (!held) this.#followLink();
        this.#settle(frame);
        if (outcome !== "presence") this.#learnLegalMoves();
        this.#playAhead();
        if (outcome !== "presence") this.#oneScreen.want(this.#view());
        return this.#draw();
    }

    /* Whoever plays elsewhere does nothing here until they take the seat back. */
    onStatus(status) {
        if (status.is === "waiting" && !this.#replica.layout) this.#showKept();
        if (this.#oneScreen.isThere) this.#draw();
        this.element.inert = status.is === "replaced";
        if (status.is === "replaced") this.#device?.then((device) => device?.close());
        else this.handedOver = false;
    }

    #layOut() {
        this.title = h("h1", {});
        this.subtitle = h("p", { class: "subtitle" }, h("span", {}), this.#origin.element, " · ", howLink(() => this.#explainGame()));
        this.frame = h("div", { class: "board-frame" }, this.board.element);
        return h(
            "div",
            { class: "room loading", "aria-busy": "true" },
            h(
                "section",
                { class: "table", "aria-label": say("The board") },
                this.seats.top,
                this.hands.top,
                this.frame,
                this.hands.bottom,
                this.seats.bottom,
                this.announcer.element,
            ),
            h(
                "aside",
                { class: "side" },
                h("header", { class: "room-head" }, this.title, this.subtitle),
                this.verdict.element,
                this.invitation.element,
                this.controls.element,
                this.hintPlace,
                this.moveBox.element,
                this.moves.element,
                this.chat.element,
            ),
        );
    }

    /* The cell that the Tab key comes to. */
    #boardStop() {
        return this.board.element.querySelector('[tabindex="0"]');
    }

    /* A question of this socket: asked again by onWelcome on the next one. */
    async #catchUp(type) {
        try {
            await catchUp(this.#connection, this.#replica, { type, onSetBack: () => this.#forgetPast() });
            if (this.#replica.version > 0) this.#draw();
            this.#oneScreen.heard();
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

    async #move(moves, { byHand = false } = {}) {
        const analysis = this.#analysis;
        const move = await pickMove(moves, this.#view().replica);
        if (!move || analysis !== this.#analysis) return;
        if (analysis) return analysis.play(move);
        const view = this.#view();
        if (byHand && asksFirst(view)) return this.#propose(move, view);
        await this.#make(move);
    }

    #propose(move, view) {
        this.#proposal.make(move, view);
        this.#draw();
        this.verdict.focusProposal();
    }

    #answerProposal(whether, byKey) {
        const move = this.#proposal.take();
        if (byKey) this.#boardStop()?.focus({ preventScroll: true });
        if (whether && move) this.#make(move);
        else this.#draw();
    }

    async #make(move) {
        if (this.#oneScreen.isReady) return this.#playHere(move);
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
    async #explain(cell, to, dropped, choice) {
        const { version } = this.#replica;
        if (this.#analysis) return; /* nothing here is refused: it is only not possible */
        try {
            const explanation = await this.#rules.explain(this.#view().replica, { from: cell, to, choice });
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

    /* A move without cells, by its word. */
    #moveBy(word) {
        const { legalMoves } = this.#view().replica;
        const moves = legalMoves.filter((move) => move[word]);
        if (moves.length > 0) this.#move(moves);
    }

    async #sit(seat) {
        await this.#send({ type: "join", seat, ...nameMember() });
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

    /* What is chosen is shown once it holds. */
    async #allow(voices) {
        await this.#send({ type: "action", kind: `chat.${voices}` });
        this.#draw();
    }

    /* One's seats go to another device, or have come from one. */
    async #withDevice(act) {
        const [connection, notes, { room }] = [this.#connection, this.#notes, this.#replica];
        this.#device ??= import("./other_device.js").then(
            ({ OtherDevice }) => new OtherDevice({ connection, notes, room, onArrival: () => this.#draw() }),
            () => (this.#device = null),
        );
        const device = await this.#device;
        return device ? act(device) : notes.error({ code: "disconnected" });
    }

    #redeemKey() {
        const key = takeSeatKey();
        if (key) this.#withDevice((device) => device.redeem(key));
    }

    /* --- looking back ------------------------------------------------------------------------ */

    /* What was seen of a server that has been set back may have happened otherwise since. */
    #forgetPast() {
        this.#history.forget();
        this.#walk.go("last");
    }

    /* What is only on this page is known only here; and without a server the engine knows what was played. */
    async #askThePast(question) {
        const { ply } = question;
        if (this.#oneScreen.count > 0 && ply !== undefined) return this.#oneScreen.answer(question);
        const here = ply !== undefined && this.#connection.status.is !== "online" && (await this.#rules.past(this.#replica, ply));
        return here || this.#connection.request({ ...question, room: this.#replica.room });
    }

    /* A position that has just been seen need not be asked for. */
    #remember(frame) {
        if (this.#oneScreen.games > 0) return; /* another game is on the board */
        const { state, plies } = this.#replica;
        this.#walk.count = plies;
        if (frame.type === "snapshot" || frame.kind === "taken_back") this.#history.cut(this.#replica.stand);
        this.#history.keep(plies, state, this.#replica);
        if (frame.kind === "moved" && frame.text) this.#history.keepText(plies, frame.text);
    }

    /* The moves before those the list begins with. */
    async #learnEarlier() {
        const { movesFrom } = this.#replica;
        if (movesFrom === 0 || this.#learnsEarlier) return;
        this.#learnsEarlier = true;
        try {
            this.#replica.takeEarlier(await this.#history.earlier(movesFrom));
            this.#learnsEarlier = false;
            this.#draw();
        } catch (error) {
            this.#learnsEarlier = false;
            this.#notes.error(error);
        }
    }

    /* A position with more legal moves than fit into a frame: the others are asked for, as long as it is the position. */
    async #learnLegalMoves() {
        const { version, legalMoves, legalMovesCount } = this.#replica;
        this.#rules.learn(this.#replica);
        if (legalMoves.length >= legalMovesCount) return;
        try {
            this.#replica.takeLegalMoves(await this.#rules.legalMoves(this.#replica, legalMoves.length));
        } catch (error) {
            if (error.code !== "disconnected" && this.#replica.version === version) this.#notes.error(error);
            return;
        }
        if (this.#replica.version !== version || this.#replica.legalMoves.length === legalMoves.length) return;
        this.#playAhead();
        this.#draw();
        await this.#learnLegalMoves();
    }

    /* --- the engine in this browser ------------------------------------------------------------ */

    /* Loaded when a hand first comes to the board, of somebody who plays or may try other moves. */
    #wakeRules() {
        if (!this.#replica.layout) return;
        const { mine, mayAnalyse } = this.#view();
        if (mayAnalyse || (this.#replica.state.status === "playing" && mine.length > 0)) this.#learnRules();
    }

    async #learnRules(record) {
        if (this.element.dataset.engine !== "here") this.element.dataset.engine = "coming";
        const engine = await this.#rules.wake(record);
        this.element.dataset.engine = engine ? "here" : "missing";
        this.#learnWays(this.#view());
        return engine;
    }

    /* What one will do next turn, where the engine knows better than one's last turn. */
    async #learnWays({ mayMark, putter }) {
        if (mayMark && (await this.#rules.learnWays(putter, this.#replica))) this.#draw();
    }

    async #playHere(move) {
        const done = this.#oneScreen.play(move);
        this.#draw();
        await done;
    }

    /* Whether the room's game is over or not: another one is on the board from now on. */
    async #beginHere() {
        if (!this.#oneScreen.mayBegin) return;
        const begun = this.#oneScreen.begin();
        this.#forgetPast();
        this.#draw();
        await begun;
    }

    #drawHere() {
        const { replica, games } = this.#oneScreen;
        if (replica) this.#history.keep(replica.plies, replica.state, replica);
        const texts = games > 0 ? (replica?.moves ?? []) : [];
        for (const [index, { text }] of texts.entries()) this.#history.keepText(index + 1, text);
        if (replica?.moves.length > 0) this.#history.keepText(replica.plies, replica.moves.at(-1).text);
        this.#draw();
    }

    #tellLost(count) {
        this.#forgetPast();
        this.#notes.say(unkeptWords(count), "bad");
        this.#draw();
    }

    /* Loaded without a server: the room as this browser last knew it. */
    #showKept() {
        const { snapshot } = this.#oneScreen;
        if (!snapshot || this.#replica.apply(snapshot) !== "snapshot") return;
        this.#remember({});
        this.#oneScreen.want(this.#view());
        this.#draw();
    }

    async #showReach(from, kind) {
        const { plies } = this.#replica;
        if (kind !== null) return this.board.showReach(from, kind, this.#rules.lastReachFromHand(this.#replica, this.#view().putter, kind));
        if (!this.#rules.engine) this.board.showReach(from, null, this.#rules.lastReach(this.#replica, from)); /* at once, until it says more */
        await this.#learnRules();
        const cells = await this.#rules.reach(this.#replica, from);
        if (plies === this.#replica.plies) this.board.showReach(from, null, cells);
    }

    #markAhead(move) {
        this.#premove.mark(move, this.#replica.plies);
        this.#draw();
    }

    #unmark() {
        if (this.#premove.clear()) this.#draw();
    }

    /* The move that was marked is sent as soon as it is legal. */
    #playAhead() {
        const marked = this.#premove.move;
        if (!marked || !this.#replica.layout || this.#replica.lost) return;
        const view = this.#view();
        const { play, drop } = this.#premove.settle(view, (text, moves) => findMoves(text, moves, view.state.cells));
        if (play) this.#move(play);
        if (drop) this.#notes.say(say("{move} is not possible now, so it was not played.", { move: aheadWords(marked) }), "bad");
    }

    /* Other moves, on this page alone. Whoever plays a game that goes on gets no such help. */
    async #analyse() {
        const engine = await this.#learnRules();
        const { Analysis } = (await import("./engine/analysis.js").catch(() => null)) ?? {};
        if (!engine || !Analysis) return this.#notes.say(this.#withoutEngine(), "bad");
        const analysis = new Analysis(
            engine,
            { replica: this.#view().replica, history: this.#history, ply: this.#walk.at },
            { onChange: () => this.#draw(), onError: (error) => this.#notes.say(error.message, "bad") },
        );
        if (!(await analysis.open()) || !this.#view().mayAnalyse) return;
        this.#analysis = analysis;
        this.#draw();
    }

    #withoutEngine() {
        if (this.#connection.status.is === "online") return say("This needs the engine in the browser, which is not to be had here.");
        return say("This needs the engine in the browser, which cannot be loaded without a connection.");
    }

    #endAnalysis() {
        this.#analysis = null;
        this.#draw();
    }

    async #sharePly() {
        const { at } = this.#walk;
        const { sharePly } = (await import("./ply_link.js").catch(() => null)) ?? {};
        await sharePly?.(this.#replica.room, at, this.moves.placeOf(at).number, this.#notes);
    }

    /* Where the link leads that one has come by (ply_link.js). */
    #followLink() {
        const ply = plyOfLink(location.hash);
        if (ply !== null) this.#step(ply);
    }

    #step(step, byItself = false) {
        if (!byItself) this.stepper.stop();
        if (this.#analysis) return this.#analysis.step(step);
        if (!this.#walk.go(step)) return;
        const { ply, direction, count } = this.#walk;
        if (ply !== null) this.#history.want(ply, direction, count);
        this.#draw();
    }

    #keyDown(event) {
        const step = stepOfKey(event);
        if (event.key === "Escape" && step && (this.#premove.clear() || this.#proposal.take())) return this.#draw();
        if (!step || !this.#replica.layout || this.element.inert) return;
        event.preventDefault();
        if (this.board.element.contains(event.target)) event.target.blur(); /* a cell that was clicked */
        this.#step(step);
    }

    async #explainGame() {
        const { game, room } = this.#replica;
        const title = gameTitle(this.#replica) || say("this game");
        await learnGame(this.#connection, this.#notes, { ...game, title }, { room });
    }

    #flip() {
        this.#flipped = !this.#flipped;
        this.#draw();
    }

    #remark(event, before) {
        const view = this.#view(), { mine } = view;
        this.bell.heard(event, view, before);
        this.hint?.heard(event);
        this.seats.heard(event);
        const others = !mine.includes(event.seat);
        const player = named(event.seat);
        if (event.kind === "moved" && others) this.announcer.moved(event.move, event.seat, before.cells);
        if (event.kind === "draw_declined" && others) this.#notes.say(say("{player} declined the draw.", { player }));
        if (event.kind === "takeback_declined" && others) this.#notes.say(say("{player} keeps the move.", { player }));
        if (event.kind === "taken_back" && others) this.#notes.say(say("{player} took back the last turn.", { player }));
        if (event.kind === "rematch_declined" && others)
            this.#notes.say(say("{player} declined the rematch.", { player }));
        if (event.kind === "rematch" && mine.length > 0) goToRoom(event.next_room);
    }

    /* Somebody may come to wait in another game. The lobby says so, and is not listened to any longer. */
    async #lookElsewhere() {
        this.#mayPlayElsewhere = false;
        const ask = async () => {
            const { mine } = await this.#connection.request({ type: "lobby.subscribe" }, { once: true });
            this.#connection.request({ type: "lobby.unsubscribe" }, { once: true }).catch(() => {});
            return mine;
        };
        const mine = await ask().catch(() => []);
        this.waiting = await this.bell.look({ mine, ask, here: this.#replica.room });
        if (this.waiting) this.verdict.element.append(this.waiting.element);
    }

    /* Everything that the panels need to know, in one plain value. */
    #view() {
        const analysis = this.#analysis;
        const here = analysis ? { count: 0 } : this.#oneScreen.stand();
        const replica = analysis?.replica ?? here.replica ?? this.#replica;
        const { state, players } = replica;
        const mine = this.#replica.seatsOf(this.#oneScreen.player);
        const nearest = mine[0] ?? players[0];
        const first = this.#flipped && players.length === 2 ? players.find((seat) => seat !== nearest) : nearest;
        const going = this.#replica.state.status === "playing";
        const walk = analysis?.walk ?? this.#walk;
        const myTurn = state.status === "playing" && (Boolean(analysis) || mine.includes(state.to_move));
        const pending = analysis ? null : (this.#pending ?? here.pending);
        const proposed = this.#proposal.of({ replica, myTurn, analysis });
        const mayMark = !analysis && going && !myTurn && !pending && mine.length > 0 && !walk.looksBack;
        return {
            replica,
            timed: analysis ? this.#replica : replica, /* whose clocks go on, whatever is tried */
            analysis,
            layout: replica.layout,
            state,
            players,
            mine,
            player: this.#oneScreen.player,
            nearest: first,
            angle: (this.#replica.layout?.rotation?.[nearest] ?? 0) + (this.#flipped ? 180 : 0),
            myTurn,
            walk,
            history: analysis ?? this.#history,
            mayAnalyse: (this.#oneScreen.replica ?? this.#replica).state.status === "finished" || (going && mine.length === 0),
            mayMove: Boolean(analysis) || !walk.looksBack,
            mayMark,
            putter: mayMark ? nextOf(mine, state.to_move, players) : state.to_move, /* whose hand is a hand here */
            premove: this.#premove.move,
            proposed,
            zoomed: this.board.zoomed,
            here: here.replica ? { moves: this.#oneScreen.moves, games: this.#oneScreen.games } : null,
            away: here.count > 0 || (this.#oneScreen.isReady && this.#connection.status.is !== "online"),
            placeOf: (ply) => this.moves.placeOf(ply),
            pending,
            captured: replica.hands ? {} : captured(this.#replica.layout, this.#shownCells()),
            hands: !analysis && walk.looksBack ? this.#history.hands(walk.ply) : replica.hands,
            goesOn: goesOn(replica, walk.at),
        };
    }

    #shownCells() {
        if (this.#analysis) return this.#analysis.replica.state.cells;
        const past = this.#walk.looksBack ? this.#history.position(this.#walk.ply) : null;
        return (past ?? this.#oneScreen.stand().replica?.state ?? this.#replica.state).cells;
    }

    #draw() {
        if (this.#replica.layout) this.#walk.count = ((this.#analysis ? null : this.#oneScreen.stand().replica) ?? this.#replica).plies;
        if (this.#analysis && !this.#view().mayAnalyse) this.#analysis = null; /* a seat was taken */
        const view = this.#view();
        const { replica, state } = view;
        if (!view.layout) return;
        speakGame(view.layout);
        this.element.classList.remove("loading");
        this.element.removeAttribute("aria-busy");
        this.element.classList.toggle("many-seats", view.players.length > 3);
        Object.assign(this.element.dataset, { version: replica.version, hash: replica.hash, status: this.#replica.state.status });
        this.element.dataset.here = this.#oneScreen.isReady ? `${this.#oneScreen.count}` : "";
        this.element.classList.toggle("analysing", Boolean(view.analysis));
        this.board.setLayout(view.layout, view.angle);
        this.element.style.setProperty("--board-aspect", this.board.aspect.toFixed(3));
        if (view.analysis) this.#drawAnalysis(view);
        else this.#drawBoard(view);
        for (const panel of this.#panels()) panel?.update(view);
        this.bell.watch(this.seats.clocks, view.mine);
        this.#callHint(view);
        this.#learnWays(view);
        this.#drawHands();
        this.#drawHead(view);
        this.#device?.then((device) => device?.greet(view));
    }

    /* What is picked up is known to the board. */
    #drawHands() {
        const view = this.#view();
        this.element.classList.toggle("with-hands", Boolean(view.replica.hands));
        this.hands.update({ ...view, inHand: this.board.inHand, mayPut: this.board.mayPut() });
    }

    #panels() {
        const { seats, verdict, invitation, stepper, moves, extras, controls, hint, moveBox, chat } = this;
        return [moves, seats, verdict, invitation, stepper, extras, controls, hint, moveBox, chat]; /* the list numbers the moves */
    }

    /* Whoever plays people has no use for it. */
    async #callHint({ analysis, state, mine, players }) {
        const alone = state.status === "playing" && mine.length > 0 && players.every((seat) => mine.includes(seat) || state.seats?.[seat]?.as === "bot");
        if (this.#callsHint || !(analysis || alone || state.status === "finished")) return;
        this.#callsHint = true;
        const { Hint } = (await import("./hint.js").catch(() => null)) ?? {};
        this.#callsHint = Boolean(Hint);
        if (!Hint) return;
        this.hint = new Hint({ connection: this.#connection, room: this.#replica.room, onShow: (move) => this.board.showHint(move), onError: (error) => this.#notes.error(error) });
        this.hintPlace.replaceWith(this.hint.element);
        this.#draw();
    }

    /* A position that is not here yet leaves the board as it is until it comes. */
    #drawBoard({ replica, state, mine, myTurn, goesOn, walk, mayMark, putter, pending: sent, proposed }) {
        const pending = sent ?? proposed; /* either is drawn as made, but pale */
        const past = walk.looksBack ? this.#history.position(walk.ply) : null;
        this.frame.classList.toggle("past", walk.looksBack);
        this.frame.setAttribute("aria-busy", walk.looksBack && !past);
        if (walk.looksBack && !past) return;
        this.element.dataset.ply = walk.at;
        const { cells, last_move: lastMove, taken = [] } = past ?? state;
        const checked = this.#history.attacked(walk.ply);
        if (past) return this.board.show({ cells, lastMove, taken, moves: [], pending: null, attacked: checked });
        const moves = pending ? [] : replica.legalMoves;
        const mover = myTurn && !pending ? state.to_move : null;
        const { attacked } = replica;
        const ways = mayMark ? this.#rules.waysOf(putter, replica) : {};
        const ahead = ways.moves ? mine : [];
        const putsAhead = Boolean(ways.puts);
        const marked = this.#premove.move?.to ? this.#premove.move : null;
        const hand = replica.hands?.[putter] ?? null;
        const handAhead = mayMark && !putsAhead ? hand : null;
        this.board.show({ cells, lastMove, taken, moves, pending, attacked, active: goesOn, mover, ahead, marked, hand, handAhead, putsAhead });
    }

    #drawAnalysis({ replica, state, goesOn, walk, analysis }) {
        this.frame.classList.remove("past");
        this.frame.setAttribute("aria-busy", analysis.busy);
        this.element.dataset.ply = walk.at;
        const { cells, taken = [], last_move: lastMove } = state;
        const moves = analysis.busy ? [] : replica.legalMoves;
        const mover = state.to_move ?? null;
        const hand = replica.hands?.[state.to_move] ?? null;
        this.board.show({ cells, lastMove, taken, moves, pending: null, attacked: replica.attacked, active: goesOn, mover, hand });
    }

    #drawHead({ replica, state, myTurn }) {
        const title = gameTitle(replica) || say("A game of one's own");
        setText(this.title, title);
        const { spectators } = replica.presence;
        const kind = replica.visibility === "private" ? say("Private room") : say("Public room");
        const about = [kind, replica.rated && ratedWords(replica.rated), spectators > 0 && watchingWords(spectators)];
        setText(this.subtitle.firstChild, about.filter(Boolean).join(" · "));
        this.#origin.update({ replica: this.#replica, placeOf: (ply) => this.moves.placeOf(ply) });
        const turn = state.last_move ? say("Your turn {move}", { move: moveWords(state.last_move) }) : say("Your turn");
        document.title = myTurn ? `● ${turn} · ${title}` : `${title} · Senet`;
        this.waiting?.mark();
    }

    #showMissing() {
        localStorage.removeItem(`senet.here.${this.#replica.room}`); /* nobody takes its moves any more */
        showNothing(this.element, say("There is no such room"), say("The link may have been cut short on its way to you."));
    }
}

/* The cell whose figure goes on in a turn of several moves: the state says so, or nothing else can move than what has
 * just been moved by the same player (a move and then a shot). */
function goesOn({ state, moves, movesFrom, legalMoves }, ply) {
    if (state.active) return state.active;
    const last = moves[ply - 1 - movesFrom];
    const same = last?.seat === state.to_move && legalMoves.length > 0;
    return same && legalMoves.every((move) => move.from === last.move.to) ? last.move.to : null;
}

/* Of one's own seats the one whose turn comes first. */
function nextOf(mine, mover, players) {
    const start = players.indexOf(mover) + 1;
    return [...players.slice(start), ...players.slice(0, start)].find((seat) => mine.includes(seat));
}

function aheadWords(move) {
    return move.text ? `“${move.text}”` : moveWords(move);
}
