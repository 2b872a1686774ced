/* The lobby: what can be played, who waits for somebody, and one's own rooms. */

import { Bell } from "./bell.js";
import { h, setText } from "./dom.js";
import { GameCard } from "./game_card.js";
import { GameList } from "./game_list.js";
import { learnGame } from "./how_link.js";
import { say, sayCount } from "./language.js";
import { languageMember } from "./language_choice.js";
import { askNewRoom } from "./new_room.js";
import { joinOne, openRoom, playBot } from "./open_room.js";
import { nameField } from "./player_name.js";
import { RoomList } from "./room_list.js";
import { SavedGame } from "./saved_game.js";
import { clockWords, seekRow } from "./seek_row.js";
import { wantsPeopleOnly } from "./settings.js";
import { Turns } from "./turns.js";

const whenNothingElseIsToDo = globalThis.requestIdleCallback ?? setTimeout;

const OWN_ROOMS_FEW = 3;
const OWN_ROOMS_PAGE = 50; /* as the server tells them */
const OPEN_ROOMS_FEW = 12;
const SEEKS_FEW = 6;

export class LobbyPage {
    bell = new Bell();
    #connection;
    #notes;
    #rooms = [];
    #mine = []; /* as many pages of them as have been asked for; */
    #mineMore = false; /*   there may be another one */
    #waiting = null; /* looks after them; promised */
    #seeks = [];
    #begins = false; /* a room is being made: a second click makes no second one */

    /* games: a promise of what is played here, or of null when the server has to be asked. */
    constructor({ connection, notes, games, seeker }) {
        this.#connection = connection;
        this.#notes = notes;
        this.seeker = seeker;
        seeker.onBot = (game) => this.#begin(() => playBot(connection, game));
        this.games = new GameList(seeker.peopleOnlyBox(() => this.#draw()));
        this.turns = new Turns({ request: (command) => connection.request(command), onTurn: () => this.#drawOwn() });
        this.open = new RoomList({ few: OPEN_ROOMS_FEW });
        this.own = new RoomList({ few: OWN_ROOMS_FEW, describe: (row) => this.#describeOwn(row) });
        this.own.onMore = () => this.#wantOwn();
        this.ownSection = h("section", { class: "my-rooms", hidden: true }, h("h2", {}, say("Your rooms")), this.bell.element, this.own.element);
        this.nobody = h(
            "p",
            { class: "empty" },
            say("Nobody is waiting just now. Open a room that is not private, and it appears here for others."),
        );
        this.openSection = h("section", { class: "open-rooms", id: "open-rooms" }, h("h2", {}, say("Open rooms")), this.open.element, this.nobody);
        this.seeking = new RoomList({ few: SEEKS_FEW, describe: (seek) => this.#describeSeek(seek), draw: seekRow });
        this.seekSection = h("section", { class: "seeks", id: "seeks", hidden: true }, h("h2", {}, say("Looking for an opponent")), this.seeking.element);
        this.waiting = h("a", { href: "#open-rooms", class: "waiting-count", hidden: true });
        this.publishedSection = h("section", { class: "published-games" }, h("h2", {}, say("Games by players")));
        this.savedGame = new SavedGame({
            target: document.documentElement,
            onRoom: (room) => location.assign(`/room/${encodeURIComponent(room)}`),
            onRules: (name, text) => this.#makeFrom(name, text),
        });
        this.element = this.#layOut();
        document.title = say("Senet: board games for friends");
        this.#loadGames(games);
        seeker.draw();
    }

    onWelcome() {
        this.#mine = [];
        this.#subscribe();
    }

    onFrame(frame) {
        if (frame.type === "error") return this.#notes.error(frame);
        if (frame.type !== "lobby") return undefined;
        this.#rooms = frame.rooms ?? this.#rooms;
        if (frame.mine) this.#takeMine(frame.mine);
        this.#seeks = frame.seeks ?? this.#seeks;
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
                    h("h1", {}, say("Sit down and play.")),
                    h(
                        "p",
                        {},
                        say("Send a friend a link, play whoever waits, the bot, or share one screen. No account: this browser remembers your seats."),
                        " ",
                        this.waiting,
                    ),
                ),
                nameField(),
            ),
            this.ownSection,
            this.seekSection,
            this.games.element,
            this.openSection,
            this.publishedSection,
            h("section", { class: "own-game ladders" }, h("h2", {}, say("Ratings")), h("p", { class: "make-one" }, h("a", { class: "button", href: "/ratings/chess/blitz" }, say("Who plays best")), " ", say("Of each game, at each speed; open a room for a friend as a rated one."))),
            this.savedGame.element,
            h(
                "section",
                { class: "own-game" },
                h("h2", {}, say("Your own game")),
                h("p", { class: "make-one" }, h("a", { class: "button primary", href: "/make" }, say("Make your own")), " ", say("Write a rule, see it on the board, play it a minute later.")),
            ),
        );
    }

    #takeMine(rows) {
        const known = this.#mine.length;
        this.#mine = [...new Map([...this.#mine, ...rows].map((row) => [row.room, row])).values()];
        if (this.#mine.length > known) this.#mineMore = rows.length === OWN_ROOMS_PAGE;
        this.#waiting ??= this.bell.look({ mine: rows, ask: async () => (await this.#ask()).mine });
    }

    #ask(from = {}) {
        return this.#connection.request({ type: "lobby.subscribe", ...from }, { once: true });
    }

    /* Before the last ones are shown; and all that are not over at once: in any of them it may be one's turn. */
    #wantOwn() {
        const enough = this.own.left > OWN_ROOMS_FEW && this.#mine.some((row) => row.status === "finished");
        if (!this.#mineMore || enough) return;
        this.#mineMore = false;
        this.#subscribe({ from: this.#mine.length });
    }

    async #subscribe(from) {
        try {
            await this.#ask(from);
        } catch (error) {
            if (error.code !== "disconnected") this.#notes.error(error);
        }
    }

    #card(game) {
        return new GameCard(game, {
            seeker: this.seeker,
            onPlay: (way) => this.#newRoom({ game: game.id }, game, way),
            onHost: () => this.#joinHost(game),
            onLearn: () => learnGame(this.#connection, this.#notes, game, { game: game.id }),
        });
    }

    async #loadGames(early) {
        try {
            const games = (await early) ?? (await this.#connection.request({ type: "games", op: "list", ...languageMember })).games;
            this.games.show(games.map((game) => this.#card(game)));
            this.#draw();
            whenNear(this.publishedSection, () => import("./published_list.js").then((module) => this.#showPublished(module), () => {}));
            whenNothingElseIsToDo(() => import("./room.js").catch(() => {})); /* where most go from here */
        } catch (error) {
            this.#notes.error(error);
        }
    }

    #joinHost(game) {
        return this.#begin(async () => {
            const room = await joinOne(this.#connection, this.#waitingFor(game.id));
            if (!room) this.#notes.say(say("Somebody else was faster."));
            return room;
        });
    }

    async #newRoom(what, game, opponent = "friend") {
        const room = await askNewRoom(game, opponent, { mayRate: true, make: (wish) => openRoom(this.#connection, what, wish) });
        if (room) location.assign(`/room/${room}`);
    }

    async #begin(make) {
        if (this.#begins) return;
        this.#begins = true;
        try {
            const room = await make();
            if (room) location.assign(`/room/${room}`);
        } catch (error) {
            this.#notes.error(error);
        }
        this.#begins = false;
    }

    /* The rules of a game that were dropped here are a draft there. */
    async #makeFrom(name, text) {
        try {
            const { openAsDraft } = await import("./make/drafts.js");
            location.assign(await openAsDraft(name.replace(/\.json$/i, ""), text));
        } catch (error) {
            this.#notes.error(error);
        }
    }

    /* A row of a room or of who looks for somebody, with its game called as in the list of games. */
    #inOurWords(row) {
        const { title, words } = this.games.find(row.game) ?? row;
        return { ...row, title, words };
    }

    get #others() {
        const mine = new Set(this.#mine.map((row) => row.room));
        return this.#rooms.filter((row) => !mine.has(row.room));
    }

    /* Rooms where somebody sits and a seat is free. */
    #waitingFor(game) {
        return this.#others.filter((row) => row.game === game && row.status === "waiting" && Object.keys(row.seats).length > 0);
    }

    #showPublished({ PublishedList }) {
        this.published = new PublishedList({ notes: this.#notes, seeker: this.seeker, onShown: () => this.#draw() });
        this.publishedSection.append(...this.published.elements);
    }

    /* Whoever says the same is paired with who was first. */
    #describeSeek(seek) {
        const { id, players } = this.games.find(seek.game) ?? { id: seek.game, players: [] };
        const terms = { game: id, players: seek.players, ...(seek.clock ? { clock: seek.clock } : {}), ...(seek.rated ? { rated: true } : {}) };
        return { onPress: () => this.seeker.begin(seek.title, seek.rated ? say("{clock}, rated", { clock: clockWords(seek) }) : clockWords(seek), terms, { id, players }) };
    }

    #describeOwn(row) {
        return { mine: true, turn: this.turns.of(row) };
    }

    #draw() {
        const others = this.#others;
        const waiting = others.filter((row) => row.status === "waiting");
        this.open.update(others.map((row) => this.#inOurWords(row)));
        this.nobody.hidden = others.length > 0;
        const people = wantsPeopleOnly();
        const seeks = this.#seeks.filter((seek) => seek.player !== this.#connection.player && !(people && seek.as === "bot")); /* one's own is in the bar */
        const count = waiting.length + seeks.length;
        this.waiting.hidden = count === 0;
        this.waiting.href = seeks.length > 0 ? "#seeks" : "#open-rooms";
        setText(this.waiting, count === 1 ? say("Somebody waits for an opponent.") : sayCount("{count} person waits for an opponent.", "{count} people wait for an opponent.", count));
        this.games.showOthers(hostsOf(waiting), seeks);
        this.published?.showOthers(seeks);
        this.seeking.update(seeks.map((seek) => this.#inOurWords(seek)));
        this.seekSection.hidden = seeks.length === 0;
        this.#drawOwn();
    }

    /* Where it is one's turn comes first, then where others are waited for, then what is over; the newest first each time. */
    #drawOwn() {
        const fresh = new Map(this.#rooms.map((row) => [row.room, row]));
        const rows = this.#mine.map((row) => this.#inOurWords({ ...row, ...fresh.get(row.room) }));
        const rank = (row) => (row.status === "playing" ? (this.turns.of(row) === "mine" ? 0 : 1) : row.status === "waiting" ? 2 : 3);
        this.own.update(rows.sort((one, other) => rank(one) - rank(other) || other.created_at - one.created_at));
        this.ownSection.hidden = rows.length === 0;
        this.turns.want(rows);
        this.#wantOwn();
    }
}

/* What is looked for by few is loaded when somebody comes near. */
function whenNear(element, then) {
    const observer = new IntersectionObserver(
        (entries) => {
            if (!entries.some((entry) => entry.isIntersecting)) return;
            observer.disconnect();
            then();
        },
        { rootMargin: "300px" },
    );
    observer.observe(element);
}

/* The first one of each game is who has waited for the shortest time. */
function hostsOf(rows) {
    const hosts = new Map();
    for (const row of rows) {
        const [name] = Object.values(row.seats);
        if (name !== undefined && !hosts.has(row.game)) hosts.set(row.game, name);
    }
    return hosts;
}
