/* The games that a text may extend ("extends": "chess"): those of this server, whose texts are whole. The engine opens nothing: it is
 * given them with each question. */


const NAME = /^[A-Za-z0-9_-]{1,64}$/;
const KEPT_MAX = 8;

export class Bases {
    #texts = new Map(); /* by name: a promise; those that are not there are asked for again */

    /* {name: text}, as far as there is one. */
    async of(text) {
        const name = extendedBy(text);
        const base = name === null ? null : await this.#find(name);
        return base === null ? {} : { [name]: base };
    }

    #find(name) {
        if (!this.#texts.has(name)) {
            const coming = read(name).catch(() => null);
            this.#texts.set(name, coming);
            if (this.#texts.size > KEPT_MAX) this.#texts.delete(this.#texts.keys().next().value);
            coming.then((base) => base === null && this.#texts.delete(name));
        }
        return this.#texts.get(name);
    }
}

/* The name of the game that a text extends; null: it extends none. */
export function extendedBy(text) {
    if (!/extends|\\u/.test(text)) return null;
    try {
        const name = JSON.parse(text)?.extends;
        return typeof name === "string" && NAME.test(name) ? name : null;
    } catch {
        return null; /* the engine says what is wrong with it */
    }
}

/* Only what the server offers itself: what players publish may be taken down. */
async function read(name) {
    const response = await fetch(`/api/v1/games/${name}`);
    if (!response.ok) return null;
    const answer = await response.text();
    const { definitionText } = await import("../published.js");
    return "version" in JSON.parse(answer) ? null : definitionText(answer);
}
