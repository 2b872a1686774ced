/* Work in progress, kept in this browser: several drafts, each with a name. IndexedDB, because a game may have 256 KiB and
 * there may be many; every change is a transaction of its own, so a crash loses what was typed since the last one at most.
 *
 * Two windows may have the same draft open. A draft has a revision, and whoever saves names the one it knows: a save that
 * would undo another window's becomes a draft of its own instead. */

import { say } from "../language.js";


const DATABASE = "senet.make";
const STORE = "drafts";
export const DRAFTS_MAX = 50;
export const TEXT_BYTES_MAX = 256 * 1024;
const NAME_LENGTH_MAX = 80;

export class TooMany extends Error {}

export class Drafts {
    #database;

    static async open(factory = indexedDB) {
        const request = factory.open(DATABASE, 1);
        request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: "id" });
        const drafts = new Drafts();
        drafts.#database = await promised(request);
        return drafts;
    }

    /* [{id, name, changed}], the newest first. */
    async list() {
        const all = await this.all();
        return all.map(({ id, name, changed }) => ({ id, name, changed })).sort((a, b) => b.changed - a.changed);
    }

    all() {
        return this.#within("readonly", (store) => promised(store.getAll()));
    }

    get(id) {
        return this.#within("readonly", (store) => promised(store.get(id)));
    }

    /* from: the id of the game it is a copy of. */
    add(name, text, from = "") {
        return this.#within("readwrite", (store) => insert(store, name, text, from));
    }

    /* Drafts that come back from a file, all or none. One that is here already, in name and text, is not doubled; no draft that is here
     * is changed: another one of the same name stands beside it. Returns how many were added. */
    bringBack(drafts) {
        return this.#within("readwrite", async (store) => {
            const here = await promised(store.getAll());
            const fresh = drafts.filter(({ name, text }) => !here.some((draft) => draft.name === cut(name) && draft.text === text));
            if (here.length + fresh.length > DRAFTS_MAX) throw new TooMany(say("There is room for {most} drafts: {here} are here, and {more} would come.", { most: DRAFTS_MAX, here: here.length, more: fresh.length }));
            for (const { name, text, from, named, changed } of fresh) await promised(store.add({ ...draftOf(name, text, from), named, changed }));
            return fresh.length;
        });
    }

    /* Returns the draft as saved: with another id when somebody else had saved it since `revision`. Nobody else has where the text
     * that is there is the same, or one that was still being saved when its page was left (`onItsWay`). */
    save({ id, revision, name, named, text, onItsWay }) {
        return this.#within("readwrite", async (store) => {
            const there = await promised(store.get(id));
            const isOurs = there && (there.revision === revision || [text, onItsWay].includes(there.text));
            if (!isOurs) return insert(store, there ? `${name} (2)` : name, text, there?.from);
            const saved = { id, name: cut(name), named: Boolean(named), text, from: there.from ?? "", changed: Date.now(), revision: there.revision + 1 };
            await promised(store.put(saved));
            return saved;
        });
    }

    remove(id) {
        return this.#within("readwrite", (store) => promised(store.delete(id)));
    }

    async #within(mode, work) {
        const transaction = this.#database.transaction(STORE, mode, { durability: "strict" });
        const done = new Promise((resolve, reject) => {
            transaction.oncomplete = resolve;
            transaction.onabort = transaction.onerror = () => reject(transaction.error);
        });
        done.catch(() => {}); /* when the work has failed first */
        const result = await work(transaction.objectStore(STORE));
        await done;
        return result;
    }
}

/* From elsewhere on the site: returns where to go on. */
export async function openAsDraft(name, text) {
    if (new TextEncoder().encode(text).length > TEXT_BYTES_MAX) throw new Error(say("This text has more than 256 KiB: no game may."));
    const drafts = await Drafts.open();
    const { id } = await drafts.add(name, text);
    return `/make#${id}`;
}

async function insert(store, name, text, from = "") {
    if ((await promised(store.count())) >= DRAFTS_MAX) throw new TooMany(say("There are {count} drafts here already: delete one first.", { count: DRAFTS_MAX }));
    const draft = draftOf(name, text, from);
    await promised(store.add(draft));
    return draft;
}

const draftOf = (name, text, from) => ({ id: crypto.randomUUID?.() ?? randomId(), name: cut(name), text, from, changed: Date.now(), revision: 1 });

/* randomUUID is there over TLS and on this machine only. */
function randomId() {
    return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

const cut = (name) => [...name].slice(0, NAME_LENGTH_MAX).join("") || say("Untitled");

function promised(request) {
    return new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
    });
}
