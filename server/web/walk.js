/* Where in the game somebody looks: at the game itself, or back at the position after some of its plies.
 *
 * Plain values; which key means which step is here as well. */

const KEYS = { ArrowLeft: "previous", ArrowRight: "next", Home: "first", End: "last", Escape: "last" };

export class Walk {
    #count = 0;
    ply = null; /* null: at the game itself, wherever it goes */
    direction = -1; /* of the last step */

    /* Moves played so far; whoever looks back stays where they are. */
    set count(count) {
        this.#count = count;
        if (this.ply !== null && this.ply > count) this.ply = null;
    }

    get count() {
        return this.#count;
    }

    /* The ply on the board. */
    get at() {
        return this.ply ?? this.#count;
    }

    get looksBack() {
        return this.ply !== null;
    }

    /* step: "first", "previous", "next", "last" or a ply. The last position is the game itself. Returns whether
     * anything is different now. */
    go(step) {
        const before = this.at;
        const goal = { first: 0, previous: before - 1, next: before + 1, last: this.#count }[step] ?? step;
        const at = Math.min(Math.max(goal, 0), this.#count);
        if (at === before) return false;
        this.direction = at < before ? -1 : 1;
        this.ply = at === this.#count ? null : at;
        return true;
    }
}

/* The ply behind the # of a link to a move; null: it is another link. */
export function plyOfLink(hash) {
    return /^#\d{1,6}$/.test(hash) ? Number(hash.slice(1)) : null;
}

/* The step that a key means; null for keys that are typed, or that somebody has used already. */
export function stepOfKey(event) {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return null;
    if (event.target.closest?.("input, textarea, select, dialog, [contenteditable]")) return null;
    return KEYS[event.key] ?? null;
}
