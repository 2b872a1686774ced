/* The draft that is open: what is typed is saved a moment later, one save after the other. */

import { TooMany } from "./drafts.js";

const WAIT_MS = 250;

export class DraftKeeper {
    #drafts;
    #timer = 0;
    #saving = Promise.resolve();
    #wanted = null; /* {name, text} not yet saved */

    /* onTrouble(words), onSaved(): it may have another id now. */
    constructor(drafts, { onTrouble, onSaved }) {
        this.#drafts = drafts;
        this.onTrouble = onTrouble;
        this.onSaved = onSaved;
        this.current = null;
    }

    list() {
        return this.#drafts.list();
    }

    async all() {
        await this.saveNow();
        return this.#drafts.all();
    }

    async open(id) {
        const draft = await this.#drafts.get(id);
        if (draft) this.current = draft;
        return draft;
    }

    async add(name, text, from) {
        try {
            this.current = await this.#drafts.add(name, text, from);
            return this.current;
        } catch (error) {
            this.onTrouble(wordsOf(error));
            return null;
        }
    }

    /* The name follows the game's title until somebody gives another one. */
    keep(text, title) {
        if (!this.current) return;
        const name = this.current.named || !title ? this.current.name : title;
        this.#wanted = { name, text };
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => this.saveNow(), WAIT_MS);
    }

    rename(name) {
        this.current.named = true;
        this.#wanted = { text: this.#wanted?.text ?? this.current.text, name };
        return this.saveNow();
    }

    saveNow() {
        clearTimeout(this.#timer);
        this.#saving = this.#saving.then(() => this.#save());
        return this.#saving;
    }

    async remove() {
        clearTimeout(this.#timer);
        this.#wanted = null;
        await this.#saving;
        await this.#drafts.remove(this.current.id);
        this.current = null;
    }

    async #save() {
        const wanted = this.#wanted;
        if (!wanted || !this.current) return;
        this.#wanted = null;
        try {
            const saved = await this.#drafts.save({ ...this.current, ...wanted });
            const moved = saved.id !== this.current.id;
            this.current = saved;
            if (moved) this.onTrouble("This draft was changed in another window as well: yours is kept as a draft of its own.");
            this.onSaved();
        } catch (error) {
            this.#wanted ??= wanted;
            this.onTrouble(wordsOf(error));
        }
    }
}

function wordsOf(error) {
    if (error instanceof TooMany) return error.message;
    return "This browser cannot keep the draft just now: download it.";
}
