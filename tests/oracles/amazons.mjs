// The Game of the Amazons, from its rules. A cell is y * 10 + x.
const SIZE = 10;
const WAYS = [-1, 0, 1].flatMap(dx => [-1, 0, 1].map(dy => [dx, dy])).filter(([dx, dy]) => dx !== 0 || dy !== 0);

export const nameOf = cell => 'abcdefghij'[cell % SIZE] + (Math.floor(cell / SIZE) + 1);
const cellOf = name => 'abcdefghij'.indexOf(name[0]) + SIZE * (Number(name.slice(1)) - 1);

export class Amazons {
    constructor() {
        this.cells = new Map();
        for (const name of ['d1', 'g1', 'a4', 'j4']) this.cells.set(cellOf(name), 'white amazon');
        for (const name of ['d10', 'g10', 'a7', 'j7']) this.cells.set(cellOf(name), 'black amazon');
        this.player = 'white';
        this.shooter = null; // the amazon that has moved and must shoot
    }

    // [from, to] of moves, or of shots where a shot is due.
    moves() {
        const amazons = this.shooter === null ? [...this.cells.keys()].filter(cell => this.cells.get(cell) === `${this.player} amazon`) : [this.shooter];
        return amazons.flatMap(from => this.#reach(from).map(to => [from, to]));
    }

    play([from, to]) {
        if (this.shooter === null) {
            this.cells.set(to, this.cells.get(from));
            this.cells.delete(from);
            this.shooter = to;
        } else {
            this.cells.set(to, `${this.player} arrow`);
            this.shooter = null;
            this.player = this.player === 'white' ? 'black' : 'white';
        }
    }

    named() {
        return Object.fromEntries([...this.cells].map(([cell, what]) => [nameOf(cell), what]));
    }

    #reach(from) {
        const found = [];
        for (const [dx, dy] of WAYS)
            for (let x = from % SIZE + dx, y = Math.floor(from / SIZE) + dy; x >= 0 && y >= 0 && x < SIZE && y < SIZE; x += dx, y += dy) {
                if (this.cells.has(y * SIZE + x)) break;
                found.push(y * SIZE + x);
            }
        return found;
    }
}
