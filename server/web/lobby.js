/* The lobby: what can be played, who waits for somebody, and one's own rooms. */

import { h, replaceChildren } from "./dom.js";
import { GameCard } from "./game_card.js";
import { askNewRoom } from "./new_room.js";
import { openRoom } from "./open_room.js";
import { OwnGame } from "./own_game.js";
import { nameField } from "./player_name.js";
import { roomRow } from "./room_row.js";
import { SavedGame } from "./saved_game.js";

export class LobbyPage {
    #connection;
    #notes;
    #rooms = [];
    #mine = [];
    #asked = false;

    constructor({ connection, notes }) {
        this.#connection = connection;
        this.#notes = notes;
        this.games = h("div", { class: "game-cards" });
        this.open = h("div", { class: "rows" });
        this.own = h("div", { class: "rows" });
        this.ownSection = h("section", { class: "my-rooms", hidden: true }, h("h2", {}, "Your rooms"), this.own);
        this.openSection = h("section", { class: "open-rooms" }, h("h2", {}, "Open rooms"), this.open);
        this.ownGame = new OwnGame({
            request: (command) => connection.request(command),
            bytesMax: () => connection.limits.message_bytes ?? 16_384,
            onPlay: (definition, game) => this.#newRoom({ definition }, game),
        });
        this.savedGame = new SavedGame({
            target: document.documentElement,
            onRoom: (room) => location.assign(`/room/${encodeURIComponent(room)}`),
            onRules: (text) => this.ownGame.show(text),
        });
        this.element = this.#layOut();
    }

    onWelcome() {
        this.#subscribe();
        if (this.#asked) return;
        this.#asked = true;
        this.#loadGames();
    }

    onFrame(frame) {
        if (frame.type === "error") return this.#notes.error(frame);
        if (frame.type !== "lobby") return undefined;
        this.#rooms = frame.rooms ?? this.#rooms;
        this.#mine = frame.mine ?? this.#mine;
        return this.#draw();
    }

    #layOut() {
        return h(
            "div",
            { class: "lobby" },
            h(
                "section",
                { class: "welcome" },
                h(
                    "div",
                    {},
                    h("h1", {}, "Sit down and play."),
                    h(
                        "p",
                        {},
                        "Open a room and send its link to a friend, let the bot have a seat, or share one screen. ",
                        "No account: this browser remembers your seats. A game that you saved ",
                        h("a", { href: "#saved-game" }, "is opened here"),
                        ".",
                    ),
                ),
                nameField(),
            ),
            this.ownSection,
            this.openSection,
            h("section", {}, h("h2", {}, "Games"), this.games),
            this.savedGame.element,
            this.ownGame.element,
        );
    }

    async #subscribe() {
        try {
            await this.#connection.request({ type: "lobby.subscribe" }, { once: true });
        } catch (error) {
            if (error.code !== "disconnected") this.#notes.error(error);
        }
    }

    async #loadGames() {
        try {
            const { games } = await this.#connection.request({ type: "games", op: "list" });
            const cards = games.map(
                (game) => new GameCard(game, (opponent) => this.#newRoom({ game: game.id }, game, opponent)),
            );
            replaceChildren(
                this.games,
                cards.map((card) => card.element),
            );
            for (const card of cards) await this.#illustrate(card);
        } catch (error) {
            this.#notes.error(error);
        }
    }

    async #illustrate(card) {
        const { game } = await this.#connection.request({ type: "games", op: "get", game: card.game.id });
        card.illustrate(game.definition);
    }

    async #newRoom(what, game, opponent = "friend") {
        const wish = await askNewRoom(game, opponent);
        if (!wish) return;
        try {
            location.assign(`/room/${await openRoom(this.#connection, what, wish)}`);
        } catch (error) {
            this.#notes.error(error);
        }
    }

    #draw() {
        const mine = new Set(this.#mine.map((row) => row.room));
        const others = this.#rooms.filter((row) => !mine.has(row.room));
        this.ownSection.hidden = this.#mine.length === 0;
        const fresh = new Map(
            this.#rooms.map((row) => [row.room, row]),
        ); /* one's own rooms are told once, the public ones again and again */
        replaceChildren(
            this.own,
            this.#mine.slice(0, 12).map((row) => roomRow(fresh.get(row.room) ?? row, true)),
        );
        replaceChildren(
            this.open,
            others.map((row) => roomRow(row, false)),
        );
        if (others.length === 0)
            this.open.append(
                h(
                    "p",
                    { class: "empty" },
                    "Nobody is waiting just now. Open a room below, and it appears here for others.",
                ),
            );
    }
}
