/* The page /make: the text of a game beside its board.
 *
 * The text is the only truth: everything else on the page is made from it, or edits it. A change is saved at once and, when the
 * hand rests for a moment, loaded: a text that is a game becomes the board; one that is not leaves the last board that was, and
 * says what is wrong. */

import { bringIn } from "../bring_in.js";
import { h } from "../dom.js";
import { say, sayCount } from "../language.js";
import { askNewRoom } from "../new_room.js";
import { openRoom } from "../open_room.js";
import { DraftBar } from "./draft_bar.js";
import { writeDrafts } from "./draft_file.js";
import { DraftKeeper } from "./draft_keeper.js";
import { TEXT_BYTES_MAX } from "./drafts.js";
import { parseTree } from "./editor.js";
import { Findings } from "./findings.js";
import { GameView } from "./game_view.js";
import { jsonFault } from "./json_fault.js";
import { offsetOf, placeOf, spanAt } from "./places.js";
import { rangeOf } from "./pointers.js";
import { askPublish, nameFor } from "./publish.js";
import { askStart, copyPublished, readFile, template, titleOf } from "./start.js";
import { TextEditor } from "./text_editor.js";
import { textValue } from "./tolerant.js";

const REST_MS = 300;

export class MakePage {
    #timer = 0;
    #turn = 0; /* counts loads: an answer that is overtaken is not shown */
    #good = null; /* the last text that was a game */

    constructor({ connection, notes, drafts, engine, words }) {
        this.connection = connection;
        this.notes = notes;
        this.engine = engine;
        this.keeper = new DraftKeeper(drafts, { onTrouble: (words) => notes.say(words, "bad"), onSaved: () => this.#saved() });
        this.bar = new DraftBar({
            onPick: (id) => this.#switchTo(id),
            onNew: () => this.start(),
            onRename: (name) => this.keeper.rename(name),
            onRemove: () => this.#remove(),
            onDownload: () => this.#download(),
            onDownloadAll: () => this.#downloadAll(),
            onOpen: () => this.#open(),
            onPlay: () => this.#play(),
            onPublish: () => this.#publish(),
            onUndo: () => this.editor.undo(),
            onRedo: () => this.editor.redo(),
            onFind: () => this.editor.find(),
            onFormat: () => this.editor.format(),
        });
        this.editor = new TextEditor({ words, onChange: (text) => this.#changed(text), onCursor: (offset) => this.game.cursorAt(offset) });
        this.findings = new Findings({ onPick: (one) => this.#goTo(one) });
        this.game = new GameView({
            engine,
            editor: this.editor,
            notes,
            onSettle: () => this.#settle(),
            onTests: (failed) => this.#failed(failed),
            onShowText: ({ from, to }) => (this.#showSide("text"), this.editor.goTo(from, to)),
        });
        engine.onRestart = () => this.#restarted();
        this.element = this.#build();
        this.#receiveFiles();
    }

    /* A copy of the game the address names, or the draft, else the newest, else a question. */
    async begin() {
        const copy = new URLSearchParams(location.search).get("game");
        const wanted = decodeURIComponent(location.hash.slice(1));
        await this.keeper.recover();
        const drafts = await this.keeper.list();
        const id = drafts.find((draft) => draft.id === wanted)?.id ?? drafts[0]?.id;
        if (copy) await this.#begin(() => copyPublished(copy));
        else if (id) await this.#switchTo(id);
        else await this.start();
        if (!this.keeper.current) await this.#openNewest();
        addEventListener("hashchange", () => this.#switchTo(decodeURIComponent(location.hash.slice(1))));
        for (const moment of ["pagehide", "visibilitychange"]) addEventListener(moment, () => this.keeper.leave());
    }

    online(is) {
        this.bar.online(is);
    }

    start() {
        return this.#begin(askStart);
    }

    async #begin(make) {
        try {
            const begun = await make();
            if (begun?.drafts) await this.#bringBack(begun.drafts);
            else if (begun?.saved) await this.#watch(begun.saved);
            else if (begun) await this.#adopt(begun);
        } catch (error) {
            this.notes.error(error);
        }
    }

    #build() {
        const tab = (name, label) =>
            h("button", { type: "button", class: "small", "data-side": name, onclick: () => this.#showSide(name) }, label);
        this.sides = h("div", { class: "sides", role: "group", "aria-label": say("What is shown") }, tab("text", say("Text")), tab("board", say("Board")));
        const element = h(
            "div",
            { class: "make", "data-side": "text", "data-state": "empty" },
            h("h1", { class: "unseen" }, say("Make a game")),
            this.bar.element,
            this.sides,
            h("div", { class: "text-side" }, this.editor.element, this.findings.element),
            this.game.element,
        );
        this.#showSide("text", element);
        return element;
    }

    #showSide(name, element = this.element) {
        element.dataset.side = name;
        for (const button of this.sides.children) button.setAttribute("aria-pressed", `${button.dataset.side === name}`);
    }

    #changed(text) {
        this.keeper.keep(text, titleOf(text));
        this.element.dataset.state = "busy";
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => this.#load(text), REST_MS);
    }

    /* The browser's engine is there, or there again. */
    #restarted() {
        this.game.engineIsThere();
        return this.#settle();
    }

    #settle() {
        clearTimeout(this.#timer);
        return this.#load(this.editor.text);
    }

    /* An engine that is ended under its hands, by another question or as on a slow machine, is asked once more. */
    async #load(text, again = true) {
        const turn = ++this.#turn;
        this.element.dataset.state = "busy";
        const answer = await this.#ask(text);
        if (turn !== this.#turn || text !== this.editor.text) return undefined;
        if (answer.ended === "ended" && again) return this.#load(text, false);
        this.answer = answer;
        this.findings.show(answer);
        this.editor.show(answer.diagnostics);
        if (answer.valid) {
            this.#good = text;
            const isShown = await this.game.load(text, answer).then(
                () => true,
                () => false,
            );
            if (!isShown && again && turn === this.#turn) return this.#load(text, false);
        } else {
            this.game.stale(this.#good !== null);
            if (answer.ended && this.#good) await this.engine.load(this.#good).then(() => this.game.trial.reload()).catch(() => {}); /* the board is stale, and says so */
        }
        const isLast = turn === this.#turn && text === this.editor.text; /* nobody has gone on writing meanwhile */
        if (isLast) this.element.dataset.state = answer.valid ? "good" : "bad";
        return undefined;
    }

    async #ask(text) {
        if (new TextEncoder().encode(text).length > TEXT_BYTES_MAX)
            return { valid: false, diagnostics: [], trouble: say("This text has more than 256 KiB: no game may.") };
        const fault = jsonFault(text);
        if (fault) return { valid: false, diagnostics: [fault] };
        try {
            return await this.engine.load(text);
        } catch (error) {
            return { valid: false, diagnostics: [], trouble: `${error.message}.`.replace(/\.\.$/, "."), ended: error.reason };
        }
    }

    /* A game whose tests fail is a game: they stand in the list, at their places. */
    #failed(tests) {
        const { answer } = this;
        if (!answer?.valid || this.editor.text !== this.#good) return;
        const root = parseTree(this.#good);
        const found = tests.map(({ name, pointer, words }) => ({
            ...placeOf(rangeOf(pointer, root)?.from ?? 0, this.#good),
            severity: "warning",
            pointer,
            message: `the test “${name}” fails${words ? `: ${words}` : ""}`,
            hint: "",
        }));
        const diagnostics = [...answer.diagnostics, ...found];
        this.findings.show({ ...answer, diagnostics });
        this.editor.show(diagnostics);
    }

    #goTo({ line, column }) {
        this.#showSide("text");
        if (!line) return this.editor.focus();
        const { from, to } = spanAt(this.editor.text, offsetOf(this.editor.text, line, column));
        return this.editor.goTo(from, to);
    }

    async #switchTo(id) {
        if (id === this.keeper.current?.id) return;
        await this.keeper.saveNow();
        const draft = await this.keeper.open(id);
        if (draft) await this.#show(draft);
    }

    async #adopt({ name, text, from }) {
        await this.keeper.saveNow();
        const draft = await this.keeper.add(name, text, from);
        if (draft) await this.#show(draft);
    }

    async #show(draft) {
        history.replaceState(null, "", `${location.pathname}#${draft.id}`);
        this.#good = null;
        this.element.dataset.state = "busy";
        this.game.clear();
        this.editor.open(draft.text);
        this.bar.show(await this.keeper.list(), draft);
        clearTimeout(this.#timer);
        await this.#load(draft.text);
    }

    async #saved() {
        const { current } = this.keeper;
        if (!current) return;
        if (location.hash !== `#${current.id}`) history.replaceState(null, "", `#${current.id}`);
        this.bar.show(await this.keeper.list(), current);
    }

    async #remove() {
        await this.keeper.remove();
        await this.#openNewest();
    }

    async #openNewest() {
        const [newest] = await this.keeper.list();
        if (newest) await this.#switchTo(newest.id);
        else await this.#adopt(await template("square").catch(() => ({ name: say("My game"), text: "" })));
    }

    #download() {
        const { name } = textValue(this.editor.text) ?? {};
        const word = typeof name === "string" && /^[\w.-]{1,60}$/.test(name) ? name : "game";
        download(`${word}.json`, this.editor.text, "application/json");
    }

    async #downloadAll() {
        download("senet-drafts.json", writeDrafts(await this.keeper.all()), "application/json");
    }

    #open() {
        const file = h("input", { type: "file", accept: ".json,application/json" });
        file.addEventListener("change", () => this.#take(file.files[0]));
        file.click();
    }

    async #bringBack(drafts) {
        const added = await this.keeper.bringBack(drafts);
        if (added === null) return;
        const there = drafts.length - added;
        const words = sayCount("One draft is here again.", "{count} drafts are here again.", added);
        this.notes.say([added > 0 && words, there > 0 && sayCount("{count} of the file was here already.", "{count} of the file were here already.", there)].filter(Boolean).join(" "), "good");
        if (this.keeper.current) this.bar.show(await this.keeper.list(), this.keeper.current);
        else await this.#openNewest();
    }

    /* Not rules, but a game that was played by some: it becomes a room, as in the lobby. */
    async #watch(saved) {
        const room = await bringIn(saved);
        await this.keeper.saveNow();
        location.assign(`/room/${encodeURIComponent(room)}`);
    }

    async #play() {
        await this.#settle();
        if (!this.answer?.valid) return this.notes.say(say("This is not a game yet: see what is wrong below the text."), "bad");
        const definition = JSON.parse(this.editor.text);
        const { title, name, description, player_counts } = definition;
        const game = { title: title ?? name, description, players: playersOf(definition), player_counts };
        const wish = await askNewRoom(game, "friend", { visibility: "private", timed: false });
        if (!wish) return null;
        try {
            const room = await openRoom(this.connection, { rules: this.editor.text }, wish);
            location.assign(`/room/${room}`);
        } catch (error) {
            this.notes.error(error);
        }
        return null;
    }

    async #publish() {
        await this.#settle();
        if (!this.answer?.valid) return this.notes.say(say("This is not a game yet: see what is wrong below the text."), "bad");
        const { name, title } = JSON.parse(this.editor.text);
        return askPublish({
            text: this.editor.text,
            name: nameFor(title ?? name) || nameFor(name),
            from: this.keeper.current?.from,
            token: () => this.connection.token,
            onFault: (diagnostics) => {
                if (diagnostics.length === 0) return;
                this.findings.show({ valid: false, diagnostics });
                this.editor.show(diagnostics);
            },
        });
    }

    #receiveFiles() {
        const holdsFile = (event) => event.dataTransfer?.types.includes("Files");
        addEventListener("dragover", (event) => holdsFile(event) && event.preventDefault());
        addEventListener(
            "drop",
            async (event) => {
                if (!holdsFile(event) || event.target.closest?.(".pictures-tab")) return;
                event.preventDefault();
                event.stopPropagation(); /* the editor would put the text into the one that is there */
                for (const file of [...event.dataTransfer.files].slice(0, 10)) await this.#take(file);
            },
            { capture: true },
        );
    }

    /* A game, or a file of exported drafts. */
    #take(file) {
        return this.#begin(() => readFile(file));
    }
}

/* Version-0 files may leave the list of players out; the initial position names them as well. */
function playersOf({ players, initial_position }) {
    return Array.isArray(players) && players.length > 0 ? players : Object.keys(initial_position ?? {});
}

function download(name, text, type) {
    const url = URL.createObjectURL(new Blob([text], { type }));
    h("a", { href: url, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
