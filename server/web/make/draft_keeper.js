/* The draft that is open: what is typed is saved a moment later, one save after the other. A page that is left has no time for that:
 * what is not saved by then is put down in one go, and saved by the page that comes next. */

import { TooMany } from "./drafts.js";
import { say } from "../language.js";

const WAIT_MS = 250;
const LEFT = "senet.make.left."; /* and the draft's id */

export class DraftKeeper {
    #drafts;
    #timer = 0;
    #saving = Promise.resolve();
    #wanted = null; /* {name, text} not yet saved */
    #writing = null; /* the same, on its way */

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

    /* Returns how many were added, or null. */
    async bringBack(drafts) {
        try {
            return await this.#drafts.bringBack(drafts);
        } catch (error) {
            this.onTrouble(wordsOf(error));
            return null;
        }
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

    /* The page is going away. */
    leave() {
        const last = this.#wanted ?? this.#writing;
        if (last && this.current) remember(LEFT + this.current.id, { ...this.current, ...last, onItsWay: this.#writing?.text });
        return this.saveNow();
    }

    /* What pages put down that were left. */
    async recover() {
        for (const key of Object.keys(localStorage).filter((name) => name.startsWith(LEFT))) {
            try {
                await this.#drafts.save(JSON.parse(localStorage.getItem(key)));
            } catch (error) {
                this.onTrouble(wordsOf(error));
                continue;
            }
            localStorage.removeItem(key);
        }
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
        this.#writing = wanted;
        try {
            const saved = await this.#drafts.save({ ...this.current, ...wanted });
            const moved = saved.id !== this.current.id;
            forget(LEFT + this.current.id); /* the page came back */
            this.current = saved;
            if (moved) this.onTrouble(say("This draft was changed in another window as well: yours is kept as a draft of its own."));
            this.onSaved();
        } catch (error) {
            this.#wanted ??= wanted;
            this.onTrouble(wordsOf(error));
        }
        this.#writing = null;
    }
}

function remember(key, draft) {
    try {
        localStorage.setItem(key, JSON.stringify(draft));
    } catch {
        /* full: then what was saved last has to do */
    }
}

function forget(key) {
    if (localStorage.getItem(key) !== null) localStorage.removeItem(key);
}

function wordsOf(error) {
    if (error instanceof TooMany) return error.message;
    return say("This browser cannot keep the draft just now: download it.");
}
