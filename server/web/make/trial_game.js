/* A game played on this page against oneself: the moves made, which a new version of the rules plays again as far as they are
 * legal there. Knows the engine, not the page. */

export class TrialGame {
    #engine;
    #onChange;
    #played = []; /* [{move, text}] */
    #base = null; /* the position it began with, if not the start: a request for `load` */
    #work = Promise.resolve();

    constructor(engine, onChange) {
        this.#engine = engine;
        this.#onChange = onChange;
        this.state = null;
        this.moves = [];
        this.dropped = 0; /* moves that the new rules no longer allow */
    }

    get played() {
        return this.#played;
    }

    get base() {
        return this.#base;
    }

    get lastMove() {
        return this.#played.at(-1)?.move ?? null;
    }

    forget() {
        this.#played = [];
        this.#base = null;
        this.state = null;
    }

    reload() {
        return this.#one(async () => {
            const wanted = this.#played;
            await this.#replay(wanted);
            this.dropped = wanted.length - this.#played.length;
        });
    }

    /* Of these states of the game those in which somebody is to move; the game stands afterwards where it stood. */
    async turnsAmong(names) {
        const turns = [];
        await this.#one(async () => {
            const { cells, hands } = this.state;
            for (const state of names) {
                const answer = await this.#engine.ask({ do: "load", state: { cells, state, ...(hands && { hands }) }, short: true }).catch(() => null);
                if (answer) turns.push(state);
            }
            await this.#replay(this.#played);
        });
        return turns;
    }

    async #replay(moves) {
        this.#played = [];
        this.state = await this.#begin();
        for (const { move } of moves) {
            const answer = await this.#engine.ask({ do: "move", move }).catch(() => null);
            if (!answer) return;
            this.#took(answer);
        }
    }

    play(move) {
        return this.#one(async () => this.#took(await this.#engine.ask({ do: "move", move: plain(move) })));
    }

    back() {
        return this.#one(async () => {
            if (this.#played.length === 0) return;
            this.state = (await this.#engine.ask({ do: "undo" })).state;
            this.#played = this.#played.slice(0, -1);
        });
    }

    restart() {
        this.#played = [];
        this.#base = null;
        return this.reload();
    }

    /* text: a position in the game's notation, or the JSON of a state; or what gives it, once all that was begun before is done.
     * Throws what the engine says against it. */
    setUp(text) {
        return this.#one(async () => {
            const request = loading(typeof text === "function" ? text() : text);
            this.state = (await this.#engine.ask(request)).state;
            this.#played = [];
            this.#base = request;
        });
    }

    async #begin() {
        if (this.#base) {
            const answer = await this.#engine.ask(this.#base).catch(() => null);
            if (answer) return answer.state;
            this.#base = null;
        }
        return (await this.#engine.ask({ do: "new" })).state;
    }

    #took({ move, state }) {
        this.#played = [...this.#played, { move: plain(move), text: move.algebraic ?? move.text }];
        this.state = state;
    }

    /* One after the other: an answer is about the position its question was asked in. */
    #one(work) {
        const done = this.#work.then(async () => {
            await work();
            this.moves = this.state?.to_move ? (await this.#engine.ask({ do: "moves" })).moves : [];
            this.#onChange();
        });
        this.#work = done.catch(() => {});
        return done;
    }
}

function loading(text) {
    return text.trim().startsWith("{") ? { do: "load", state: JSON.parse(text) } : { do: "load", position: text.trim() };
}

function plain({ from, to, choice, pass, swap }) {
    if (pass) return { pass: true };
    if (swap) return { swap: true };
    return { ...(from === undefined ? {} : { from }), to, ...(choice === undefined ? {} : { choice }) };
}
