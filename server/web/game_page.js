/* The page of a game, of the server's own or that somebody published: its board, its rules in sentences, ways to play it and to watch
 * it played, its source and where it comes from. */

import { ask } from "./dialogs.js";
import { h, replaceChildren, setText } from "./dom.js";
import { fileUrl } from "./files.js";
import { howLink, learnGame } from "./how_link.js";
import { day, parts, say } from "./language.js";
import { askNewRoom } from "./new_room.js";
import { showNothing } from "./nothing_here.js";
import { openRoom, playBot } from "./open_room.js";
import { PlayNow } from "./play_now.js";
import { listGame, ownNames, pictureOf, readGame, reportGame } from "./published.js";
import { RoomList } from "./room_list.js";
import { wantsPeopleOnly } from "./settings.js";
import { linkField } from "./share_link.js";
import { countWords, gameWord, named, speakGame } from "./words.js";

const ROOMS_FEW = 6;
const REPORT_BYTES_MAX = 500;
const WAYS = [
    ["friend", say("Play a friend"), "primary"],
    ["bot", say("Play the bot"), ""],
    ["screen", say("One screen"), ""],
];

export class GamePage {
    #connection;
    #notes;
    #id;
    #game = null;
    #rows = [];
    #seeks = [];

    constructor({ connection, notes, seeker, id }) {
        this.#connection = connection;
        this.#notes = notes;
        this.#id = id;
        this.seeker = seeker;
        seeker.onBot = (game) => this.#playBot(game);
        this.rooms = new RoomList({ few: ROOMS_FEW });
        this.played = h("section", { class: "rooms-of-it", hidden: true }, h("h2", {}, say("Rooms")), this.rooms.element);
        this.element = h("div", { class: "published-game", "aria-busy": "true" }, h("p", { class: "empty" }, say("One moment…")));
        this.#load();
    }

    onWelcome() {
        this.#connection.request({ type: "lobby.subscribe" }, { once: true }).catch((error) => error.code !== "disconnected" && this.#notes.error(error));
    }

    onFrame(frame) {
        if (frame.type === "error") this.#notes.error(frame);
        if (frame.type !== "lobby") return;
        this.#rows = frame.rooms ?? this.#rows;
        this.#seeks = frame.seeks ?? this.#seeks;
        this.#showRooms();
        this.#showSeeks();
    }

    /* Of every version: who waits and what is played, for whoever wants to join or to watch. */
    #showRooms() {
        const { id, name } = this.#game ?? {};
        const rows = this.#rows.filter(({ game }) => (name ? game?.startsWith(`${name}@`) : id && game === id));
        this.rooms.update(rows);
        this.played.hidden = rows.length === 0;
    }

    #showSeeks() {
        this.now?.showOthers(this.#seeks.filter((seek) => seek.player !== this.#connection.player && !(wantsPeopleOnly() && seek.as === "bot")));
    }

    async #playBot(game) {
        try {
            location.assign(`/room/${await playBot(this.#connection, game)}`);
        } catch (error) {
            this.#notes.error(error);
        }
    }

    async #load() {
        try {
            this.#show(await readGame(this.#id));
        } catch (error) {
            if (error.status === 404) showNothing(this.element, say("There is no such game"), say("The link may have been cut short on its way to you."));
            else showNothing(this.element, this.#id, error.message);
        }
        this.element.removeAttribute("aria-busy");
    }

    /* A published game has a name and versions; one of the server's own has only its id. */
    #show(game) {
        if (game.hidden || !game.definition) return showNothing(this.element, game.title ?? this.#id, say("This game was taken down by whoever runs this server."));
        speakGame(game.definition);
        game.title = gameWord(game.title);
        document.title = `${game.title} · Senet`;
        this.#game = game;
        this.#showRooms();
        const { description } = game.definition;
        const learn = howLink(() => learnGame(this.#connection, this.#notes, { title: game.title, description }, { game: game.id }));
        const { title, players, definition } = game;
        const counts = game.name ? {} : { player_counts: definition.player_counts }; /* the lobby's list does not know those of published ones, and all look for as many */
        this.now = new PlayNow({ id: game.id, title, players, ...counts }, this.seeker, { mayRate: !game.name });
        this.#showSeeks();
        const ways = WAYS.map(([way, label, tone]) => h("button", { type: "button", class: tone, "data-way": way, onclick: () => this.#play(game, way) }, label));
        return replaceChildren(
            this.element,
            h(
                "div",
                { class: "face" },
                picture(game),
                h(
                    "div",
                    { class: "about" },
                    h("h1", {}, game.title),
                    h("p", { class: "players" }, h("span", {}, playersWords(game), game.name && [" · ", h("span", { class: "version" }, versionWords(game))]), learn),
                    typeof description === "string" && h("p", { class: "about-game" }, gameWord(description)),
                    players.length > 1 && h("div", { class: "play-now" }, this.now.elements),
                    h("div", { class: "ways" }, ways),
                    linkField(`${location.origin}/game/${game.id}`, say("Link to this game")),
                ),
            ),
            this.played,
            rules(game),
            h(
                "ul",
                { class: "more-of-it" },
                h("li", {}, h("a", { href: `/make?game=${encodeURIComponent(game.id)}`, "data-make": "" }, say("Make your own from it"))),
                h("li", {}, h("button", { type: "button", class: "link", onclick: () => save(game) }, say("Download the file"))),
                game.name && h("li", {}, ownNames().includes(game.name) ? this.#listing(game) : h("button", { type: "button", class: "link", onclick: () => this.#report(game) }, say("Report it"))),
                game.from && h("li", {}, parts("Made from {game}", { game: h("a", { href: `/game/${game.from}` }, game.from) })),
                ...versionLinks(game),
            ),
            source(game),
        );
    }

    /* Its publisher's: whether everybody finds it. */
    #listing({ name, listed }) {
        const state = h("span", {});
        const button = h("button", { type: "button", class: "link", "data-listing": "" });
        const show = (is) => {
            setText(state, `${is ? say("Listed in the lobby.") : say("Only people with the link find it.")} `);
            setText(button, is ? say("Take it off the list") : say("List it in the lobby"));
            button.onclick = () => change(!is);
        };
        const change = async (wanted) => {
            button.disabled = true;
            try {
                await listGame(name, wanted, this.#connection.token);
                show(wanted);
            } catch (error) {
                this.#notes.error(error);
            }
            button.disabled = false;
        };
        show(listed);
        return h("span", { role: "status" }, state, button);
    }

    async #report(game) {
        const words = h("input", { type: "text", maxlength: 300, "aria-label": say("What is wrong with it"), autocomplete: "off" });
        const body = [h("p", {}, say("What is wrong with this game? Whoever looks after this server reads it.")), h("form", {}, words)];
        const choices = [
            { label: say("Cancel"), value: false },
            { label: say("Report"), value: true, tone: "primary" },
        ];
        const agreed = await ask({ title: say("Report {game}", { game: game.title }), body, choices });
        const line = words.value.replace(/\s+/g, " ").trim();
        if (!agreed || !line) return;
        try {
            await reportGame(game.id, cutTo(line, REPORT_BYTES_MAX), this.#connection.token);
            this.#notes.say(say("Thank you: it will be looked at."), "good");
        } catch (error) {
            this.#notes.error(error);
        }
    }

    async #play(game, way) {
        const { definition, title, players } = game;
        const make = (wish) => openRoom(this.#connection, { game: game.id }, wish);
        const room = await askNewRoom({ title, description: typeof definition.description === "string" && gameWord(definition.description), players, player_counts: definition.player_counts }, way, { make });
        if (room) location.assign(`/room/${room}`);
    }
}

/* The board as it stands at the start, drawn by the server. */
function picture({ id, name }) {
    const image = h("img", { src: name ? pictureOf(id) : fileUrl(`/games/${id}.board.svg`), alt: "", decoding: "async" });
    image.addEventListener("error", () => image.parentElement.remove());
    return h("div", { class: "board-picture", "aria-hidden": "true" }, image);
}

/* The file in sentences; what pictures say better is behind "How to play". */
function rules({ definition }) {
    const section = h("section", { class: "rules-of-it" });
    import("./rule_sentences.js").then(({ endSentences, figureSentences, ruleSentences }) => {
        const figures = Object.keys(definition.figures ?? {}).map((figure) => [figure, figureSentences(definition, figure)]);
        const ends = endSentences(definition).map(({ title, reasons }) => [title, reasons.filter(Boolean).map((reason) => `${named(reason)}.`)]);
        const entries = [...figures, ...ends].filter(([, sentences]) => sentences.length > 0);
        const general = ruleSentences(definition);
        if (entries.length === 0 && general.length === 0) return;
        replaceChildren(
            section,
            h("h2", {}, say("The rules")),
            h("ul", {}, general.map((sentence) => h("li", {}, sentence))),
            h("dl", {}, entries.flatMap(([name, sentences]) => [h("dt", {}, named(name)), h("dd", {}, sentences.join(" "))])),
        );
    });
    return section;
}

/* Long, and wanted by few: written when it is opened. */
function source({ text }) {
    const place = h("pre", { tabindex: 0, role: "region", "aria-label": say("The game's file") });
    const details = h("details", { class: "source-of-it" }, h("summary", {}, say("The file")), place);
    details.addEventListener("toggle", () => details.open && place.replaceChildren(text));
    return details;
}

function playersWords({ players, definition }) {
    if (definition.player_counts) return countWords(Object.keys(definition.player_counts));
    return players.map((player) => named(player)).join(" · ");
}

function versionWords({ name, version, versions, published_at }) {
    const about = { name, version, versions, day: day(published_at) };
    return versions > version ? say("{name}, version {version} of {versions}, {day}", about) : say("{name}, version {version}, {day}", about);
}

function versionLinks({ name, version, versions }) {
    const others = [version - 1, versions > version ? versions : 0].filter((other) => other > 0);
    return others.map((other) => h("li", {}, h("a", { href: `/game/${name}@${other}` }, other > version ? say("The newest version, {version}", { version: other }) : say("The version before, {version}", { version: other }))));
}

/* Letters of other scripts take more than a byte. */
function cutTo(words, bytes) {
    let cut = words;
    while (new TextEncoder().encode(cut).length > bytes) cut = [...cut].slice(0, -1).join("");
    return cut;
}

function save({ id, name, version, text }) {
    const url = URL.createObjectURL(new Blob([text], { type: "application/json" }));
    h("a", { href: url, download: `${name ? `${name}-${version}` : id}.json` }).click();
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
