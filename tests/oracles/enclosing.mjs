// Tablut, from its rules. A cell is its name; a board is a map from cells to who stands there.
const ALONG = [[1, 0], [-1, 0], [0, 1], [0, -1]];
const other = player => player === 'black' ? 'white' : 'black';

class Board {
    cells = new Map();
    player = 'black';

    constructor(size) {
        this.names = [];
        this.size = size;
        for (let x = 0; x < size; x++) for (let y = 0; y < size; y++) this.names.push(this.name(x, y));
    }

    name(x, y) {
        return x >= 0 && y >= 0 && x < this.size && y < this.size ? 'abcdefghi'[x] + (y + 1) : null;
    }

    // The cell so far away, or null.
    from(cell, dx, dy) {
        return this.name('abcdefghi'.indexOf(cell[0]) + dx, Number(cell.slice(1)) - 1 + dy);
    }
}

const THRONE = 'e5';

export class Tablut extends Board {
    constructor() {
        super(9);
        for (const cell of 'd1 e1 f1 e2 a4 a5 a6 b5 i4 i5 i6 h5 d9 e9 f9 e8'.split(' ')) this.cells.set(cell, 'black');
        for (const cell of 'e3 e4 e6 e7 c5 d5 f5 g5'.split(' ')) this.cells.set(cell, 'white');
        this.cells.set(THRONE, 'king');
    }

    #owner(cell) {
        return this.cells.get(cell) === 'king' ? 'white' : this.cells.get(cell);
    }

    outcome() {
        const king = this.names.find(cell => this.cells.get(cell) === 'king');
        if (!king) return 'black';
        if (ALONG.some(([dx, dy]) => this.from(king, dx, dy) === null)) return 'white';
        return this.moves().length === 0 ? other(this.player) : null;
    }

    moves() {
        return this.names.filter(from => this.#owner(from) === this.player).flatMap(from => ALONG.flatMap(([dx, dy]) => {
            const found = [];
            for (let to = this.from(from, dx, dy); to && !this.cells.has(to) && to !== THRONE; to = this.from(to, dx, dy)) found.push(`${from}-${to}`);
            return found;
        }));
    }

    play(move) {
        const [from, to] = move.split('-');
        this.cells.set(to, this.cells.get(from));
        this.cells.delete(from);
        const taken = ALONG.map(([dx, dy]) => [this.from(to, dx, dy), this.from(to, 2 * dx, 2 * dy)]).filter(pair => this.#isTaken(...pair));
        for (const [cell] of taken) this.cells.delete(cell);
        this.player = other(this.player);
    }

    #isTaken(cell, behind) {
        if (this.#owner(cell) !== other(this.player)) return false;
        const nearThrone = cell === THRONE || ALONG.some(([dx, dy]) => this.from(cell, dx, dy) === THRONE);
        if (this.cells.get(cell) === 'king' && nearThrone)
            return ALONG.every(([dx, dy]) => [this.from(cell, dx, dy)].every(beside => beside === THRONE || this.cells.get(beside) === 'black'));
        if (this.#owner(behind) === this.player) return true;
        return this.cells.get(cell) !== 'king' && behind === THRONE && !this.cells.has(THRONE);
    }
}
