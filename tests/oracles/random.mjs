// Chance from a seed (mulberry32): a failure is repeated by its seed.
export class Random {
    #state;

    constructor(seed) {
        this.#state = seed >>> 0;
    }

    fraction() {
        this.#state = (this.#state + 0x6d2b79f5) >>> 0;
        let mixed = this.#state;
        mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
        mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
        return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
    }

    below(limit) {
        return Math.floor(this.fraction() * limit);
    }

    pick(list) {
        return list[this.below(list.length)];
    }
}

// How many games are played, and from which seed on: SENET_ORACLE_TIMES times as many as usual, or SENET_ORACLE_GAMES of each.
const {SENET_ORACLE_TIMES: TIMES = 1, SENET_ORACLE_GAMES: GAMES, SENET_ORACLE_SEED: FIRST = 1} = process.env;
export const SEED = Number(FIRST);
export const rounds = usual => Number(GAMES ?? Math.ceil(usual * Number(TIMES)));
