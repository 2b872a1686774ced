/* Pictures for the figures: a file chosen for one, or dropped on it, is uploaded, and the text names what the upload has given. One
 * file is one edit, the smallest there is, and one step to be undone. Of several sets one is shown, and the board is drawn with it. */

import { h, replaceChildren, setText } from "../dom.js";
import { say, sayCount } from "../language.js";
import { chosenSet, pieceIcon } from "../pieces.js";
import { parseTree } from "./editor.js";
import { slotNamed, uploadPicture } from "./pictures_upload.js";
import { removeAt, setAt } from "./text_edits.js";
import { nodeValue } from "./tolerant.js";

const FILES_MAX = 128;

export class PicturesTab {
    #loaded = null;
    #open = false;
    #newSet = null; /* the name of one that the text does not have yet */
    #slot = null; /* whom the file is for that is being chosen; null: its name says so */
    #work = Promise.resolve();

    constructor(view) {
        this.view = view;
        this.input = h("input", { type: "file", accept: ".svg,.png,image/svg+xml,image/png", hidden: true, onchange: () => this.#chosen() });
        this.table = h("table", { class: "pictures" });
        this.sets = h("select", { "aria-label": say("Set of pieces"), onchange: () => this.#chooseSet(this.sets.value) });
        this.setName = h("input", { type: "text", "aria-label": say("Another set's name"), placeholder: say("Another set's name"), maxlength: 64, onkeydown: (event) => event.key === "Enter" && this.#addSet() });
        this.words = h("p", { class: "picture-words", role: "status", "aria-live": "polite" });
        this.element = h(
            "div",
            { class: "pictures-tab", ondragover: (event) => this.#over(event), ondragleave: () => this.#light(null), ondrop: (event) => this.#dropped(event) },
            h("p", { class: "hint" }, say("Choose a picture for a figure, or drop it there: SVG or PNG, square, up to 64 KiB. Files called like “white-king.svg” find their figure by themselves. A published game keeps its pictures; one that no game uses goes after some days.")),
            h("div", { class: "row" }, this.sets),
            this.table,
            h("button", { type: "button", class: "small several", onclick: () => this.#choose(null) }, say("Choose several files…")),
            h("div", { class: "row" }, this.setName, h("button", { type: "button", class: "small", onclick: () => this.#addSet() }, say("Add a set"))),
            this.input,
            this.words,
        );
    }

    load(loaded) {
        this.#loaded = loaded;
        if (this.#open) this.#show();
    }

    shown() {
        this.#open = true;
        if (this.#loaded) this.#show();
    }

    hide() {
        this.#open = false;
        setText(this.words, "");
    }

    #slots() {
        const { players, figures } = this.#loaded.game;
        return figures.flatMap((figure) => players.map((player) => ({ player, figure })));
    }

    /* What had the focus has it again. */
    #show() {
        const { game, root } = this.#loaded;
        const focused = this.table.contains(document.activeElement) ? document.activeElement.dataset.slot : null;
        const { images, sets = {} } = nodeValue(root)?.resources ?? {};
        this.#showSets();
        const named = (this.#set ? sets[this.#set] : images)?.figures ?? {};
        const heads = game.players.map((player) => h("th", { scope: "col" }, player));
        const rows = game.figures.map((figure) =>
            h("tr", {}, h("th", { scope: "row" }, figure), game.players.map((player) => this.#cell({ player, figure }, named[player]?.[figure]))),
        );
        replaceChildren(this.table, h("thead", {}, h("tr", {}, h("td"), heads)), h("tbody", {}, rows));
        if (focused) this.#button(focused)?.focus();
    }

    /* "": the pictures of who has chosen none. */
    get #set() {
        return this.#newSet ?? chosenSet(this.#loaded.layout)?.name ?? "";
    }

    /* Also those of the game that the text extends. */
    #showSets() {
        const names = (this.#loaded.layout.sets ?? []).map(({ name }) => name);
        if (names.includes(this.#newSet)) this.#newSet = null;
        const all = ["", ...names, ...(this.#newSet ? [this.#newSet] : [])];
        replaceChildren(this.sets, all.map((name) => h("option", { value: name }, name || say("As the game has it"))));
        this.sets.value = this.#set;
        this.sets.hidden = all.length === 1;
    }

    async #chooseSet(name) {
        const { layout } = this.#loaded;
        this.#newSet = name === "" || layout.sets?.some((set) => set.name === name) ? null : name;
        const { choosePieces } = await import("../piece_sets.js");
        choosePieces(layout, name);
        this.#show();
    }

    #addSet() {
        const name = this.setName.value.trim();
        if (!name) return this.setName.focus();
        this.setName.value = "";
        return this.#chooseSet(name);
    }

    #cell(slot, picture) {
        const { player, figure } = slot;
        const name = `${player} ${figure}`;
        const elsewhere = typeof picture === "string" && /^https?:/.test(picture);
        const choose = h(
            "button",
            { type: "button", class: "small slot", "data-slot": name, "aria-label": say("{name}: choose a picture", { name }), title: name, onclick: () => this.#choose(slot) },
            pieceIcon(this.#layout, slot),
            elsewhere && h("small", {}, say("on another server: not shown, upload it")),
        );
        choose.figure = slot;
        const remove = picture && h("button", { type: "button", class: "small remove", "aria-label": say("{name}: take the picture away", { name }), title: say("Take the picture away"), onclick: () => this.#remove(slot) }, "×");
        return h("td", {}, choose, remove);
    }

    /* As a new set leaves it, too. */
    get #layout() {
        const { layout } = this.#loaded;
        return this.#newSet ? { ...layout, sets: [] } : layout;
    }

    #button(name) {
        return [...this.table.querySelectorAll(".slot")].find(({ dataset }) => dataset.slot === name);
    }

    #choose(slot) {
        this.#slot = slot;
        this.input.multiple = slot === null;
        this.input.value = "";
        this.input.click();
    }

    #chosen() {
        this.#take([...this.input.files], this.#slot);
    }

    /* --- dropping ------------------------------------------------------------------------------ */

    #over(event) {
        if (!event.dataTransfer?.types.includes("Files")) return;
        event.preventDefault();
        this.#light(event.target.closest(".slot"));
    }

    #light(slot) {
        for (const other of this.table.querySelectorAll(".slot.over")) if (other !== slot) other.classList.remove("over");
        slot?.classList.add("over");
    }

    #dropped(event) {
        const files = [...(event.dataTransfer?.files ?? [])];
        if (files.length === 0) return;
        event.preventDefault();
        this.#light(null);
        const slot = event.target.closest(".slot")?.figure;
        this.#take(files, files.length === 1 ? slot : null);
    }

    /* --- the text ------------------------------------------------------------------------------ */

    /* One after the other: each edit is made in the text that the one before has left. What is refused is said, the rest goes on. */
    #take(files, slot) {
        this.#work = this.#work.then(async () => {
            const refused = [];
            let done = 0;
            for (const file of files.slice(0, FILES_MAX)) {
                setText(this.words, say("Uploading {file}…", { file: file.name }));
                await this.#put(file, slot).then(
                    () => done++,
                    (error) => refused.push(error.message),
                );
            }
            this.words.classList.toggle("bad", refused.length > 0);
            setText(this.words, [done > 0 && wordsOf(done), ...refused].filter(Boolean).join(" "));
        });
        return this.#work;
    }

    async #put(file, wanted) {
        const slot = wanted ?? slotNamed(file.name, this.#slots());
        if (!slot) throw new Error(say("{file}: its name is that of no player's figure, like “white-king.svg”.", { file: file.name }));
        this.#read();
        const picture = await uploadPicture(file);
        const { text, root } = this.#read();
        this.view.editor.edit(setAt(text, root, this.#pathOf(slot), picture));
        await this.view.settle();
    }

    #remove(slot) {
        this.#work = this.#work
            .then(async () => {
                const { text, root } = this.#read();
                this.view.editor.edit(removeAt(text, root, this.#pathOf(slot)));
                await this.view.settle();
                this.words.classList.remove("bad");
                setText(this.words, say("{name}: the picture is taken away.", { name: `${slot.player} ${slot.figure}` }));
                this.#button(`${slot.player} ${slot.figure}`)?.focus();
            })
            .catch((error) => setText(this.words, error.message));
    }

    #pathOf({ player, figure }) {
        return ["resources", ...(this.#set ? ["sets", this.#set] : ["images"]), "figures", player, figure];
    }

    #read() {
        const { text } = this.view.editor;
        try {
            JSON.parse(text);
        } catch {
            throw new Error(say("The text is no JSON just now: mend it first."));
        }
        return { text, root: parseTree(text) };
    }
}

const wordsOf = (done) => (sayCount("The picture is uploaded.", "{count} pictures are uploaded.", done));
