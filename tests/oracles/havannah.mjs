// Havannah from its rules: chains are walked stone by stone. A ring is there if some cell beside a chain cannot be left without
// stepping on the chain, or if a stone of it has the chain on all six sides.
const SIDE = 8, FAR = SIDE - 1;
const STEPS = [[1, 0], [0, 1], [-1, 1], [-1, 0], [0, -1], [1, -1]];
const key = (q, r) => `${q},${r}`;
const isThere = (q, r) => Math.max(Math.abs(q), Math.abs(r), Math.abs(q + r)) <= FAR;
const numbers = Array.from({length: 2 * FAR + 1}, (_, at) => at - FAR);

export const CELLS = numbers.flatMap(q => numbers.filter(r => isThere(q, r)).map(r => [q, r]));
export const nameOf = ([q, r]) => 'abcdefghijklmno'[q + FAR] + (r + SIDE + Math.min(q, 0));

// The sides of the board that a cell lies on: one, or two at a corner.
const sidesOf = ([q, r]) => [q, r, q + r].flatMap((value, at) => Math.abs(value) === FAR ? [`${at}${value > 0}`] : []);

export class Havannah {
    constructor() {
        this.stones = new Map();
        this.player = 'white';
        this.result = null;
    }

    moves() {
        return this.result ? [] : CELLS.filter(cell => !this.stones.has(key(...cell)));
    }

    play(cell) {
        this.stones.set(key(...cell), this.player);
        const chain = this.#chain(cell);
        const ends = {'a bridge': this.#corners(chain) >= 2, 'a fork': this.#edges(chain) >= 3, 'a ring': this.#isRing(chain)};
        const reason = Object.keys(ends).find(name => ends[name]);
        if (reason) this.result = {winner: this.player, reason};
        else if (this.stones.size === CELLS.length) this.result = {draw: true, reason: 'the board is full'};
        this.player = this.player === 'white' ? 'black' : 'white';
    }

    swap() {
        for (const [cell] of this.stones) this.stones.set(cell, 'black');
        this.player = 'white';
    }

    #chain(start) {
        const chain = new Map([[key(...start), start]]);
        for (const [q, r] of chain.values())
            for (const [dq, dr] of STEPS) {
                const beside = key(q + dq, r + dr);
                if (this.stones.get(beside) === this.player && !chain.has(beside)) chain.set(beside, [q + dq, r + dr]);
            }
        return chain;
    }

    #corners(chain) {
        return [...chain.values()].filter(cell => sidesOf(cell).length === 2).length;
    }

    #edges(chain) {
        return new Set([...chain.values()].map(sidesOf).filter(sides => sides.length === 1).flat()).size;
    }

    #isRing(chain) {
        const outside = new Map(CELLS.filter(cell => sidesOf(cell).length > 0 && !chain.has(key(...cell))).map(cell => [key(...cell), cell]));
        for (const [q, r] of outside.values())
            for (const [dq, dr] of STEPS) {
                const beside = key(q + dq, r + dr);
                if (isThere(q + dq, r + dr) && !chain.has(beside)) outside.set(beside, [q + dq, r + dr]);
            }
        if (outside.size + chain.size < CELLS.length) return true;
        return [...chain.values()].some(([q, r]) => STEPS.every(([dq, dr]) => chain.has(key(q + dq, r + dr))));
    }
}
