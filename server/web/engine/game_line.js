// One game in one engine, asked about any of its positions: "after these moves, what …?". The engine is brought there by
// taking back and playing on, so what the rules remember (repetitions, who has moved) is exact.

export class LineTrouble extends Error {
    constructor({code, message}) {
        super(message);
        this.name = 'LineTrouble';
        this.code = code;
    }
}

const FAILURES_MAX = 2; // Workers that a game may cost, before it is left to the server

export class GameLine {
    #engine;
    #game; // the request that loads it
    #generation = 0; // of the Worker that has it
    #made = []; // the moves made there, as keys
    #last = Promise.resolve();
    #failures = 0;

    // engine: of engine.js, or anything with ask(request) and generation. players: how many play; undefined: all.
    constructor(engine, {text, players}) {
        this.#engine = engine;
        this.#game = {do: 'game', text, short: true, ...(players ? {players} : {})};
    }

    // It has failed too often to be asked again.
    get broken() {
        return this.#failures >= FAILURES_MAX;
    }

    // The answer in the position after `moves`. Rejects with LineTrouble (the engine refuses) or EngineTrouble. One question
    // after the other: the next one begins when this one is over.
    ask(moves, request) {
        const answer = this.#last.then(async () => {
            await this.#bring(moves);
            return await this.#answer(request);
        });
        this.#last = answer.catch(() => {});
        return answer;
    }

    async #bring(moves) {
        await this.#load();
        const keys = moves.map(keyOf);
        let same = 0;
        while (same < keys.length && keys[same] === this.#made[same]) same++;
        while (this.#made.length > same) {
            await this.#answer({do: 'undo', short: true});
            this.#made.pop();
        }
        for (let i = same; i < moves.length; i++) {
            await this.#answer({do: 'move', move: plain(moves[i]), short: true});
            this.#made.push(keys[i]);
        }
    }

    // Again whenever the Worker is another one than the one that has it.
    async #load() {
        if (this.#generation !== 0 && this.#generation === this.#engine.generation) return;
        this.#made = [];
        this.#generation = 0;
        await this.#answer(this.#game);
        this.#generation = this.#engine.generation;
    }

    async #answer(request) {
        let answer;
        try {
            answer = await this.#engine.ask(request);
        } catch (error) {
            this.#failures++;
            this.#generation = 0;
            throw error;
        }
        if (answer.error) throw new LineTrouble(answer.error);
        return answer;
    }
}

// Of a move that a server or an engine has told, what names it.
export function plain({from, to, choice, pass, swap}) {
    if (pass) return {pass: true};
    if (swap) return {swap: true};
    return {...(from === undefined ? {} : {from}), to, ...(choice === undefined ? {} : {choice})};
}

export function keyOf({from, to, choice, pass, swap}) {
    return pass ? 'pass' : swap ? 'swap' : `${from ?? ''} ${to} ${choice ?? ''}`;
}
