// Ataxx, reversi and tablut, from their rules. A cell is its name; a board is a map from cells to who stands there.
const ALONG = [[1, 0], [-1, 0], [0, 1], [0, -1]];
const AROUND = [...ALONG, [1, 1], [1, -1], [-1, 1], [-1, -1]];
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

    count(what) {
        return [...this.cells.values()].filter(found => found === what).length;
    }

    more() {
        const difference = this.count('black') - this.count('white');
        return difference === 0 ? 'draw' : difference > 0 ? 'black' : 'white';
    }
}

export class Ataxx extends Board {
    quiet = 0;

    constructor() {
        super(7);
        this.cells = new Map([['a7', 'black'], ['g1', 'black'], ['a1', 'white'], ['g7', 'white']]);
    }

    outcome() {
        for (const player of ['black', 'white']) if (this.count(player) === 0) return other(player);
        if (this.cells.size === this.names.length) return this.more();
        return this.quiet >= 100 ? 'draw' : null;
    }

    moves() {
        const found = [];
        for (const to of this.names) {
            if (this.cells.has(to)) continue;
            const near = distance => this.names.filter(from => this.cells.get(from) === this.player &&
                Math.max(Math.abs(from.charCodeAt(0) - to.charCodeAt(0)), Math.abs(from[1] - to[1])) === distance);
            if (near(1).length > 0) found.push(to);
            found.push(...near(2).map(from => from + to));
        }
        return found.length > 0 ? found : ['0000'];
    }

    play(move) {
        const to = move.slice(-2);
        this.quiet = move.length === 2 ? 0 : this.quiet + 1;
        if (move !== '0000') {
            if (move.length === 4) this.cells.delete(move.slice(0, 2));
            this.cells.set(to, this.player);
            for (const [dx, dy] of AROUND) {
                const cell = this.from(to, dx, dy);
                if (this.cells.has(cell)) this.cells.set(cell, this.player);
            }
        }
        this.player = other(this.player);
    }
}

export class Reversi extends Board {
    passes = 0;

    constructor() {
        super(8);
        this.cells = new Map([['d4', 'white'], ['e5', 'white'], ['d5', 'black'], ['e4', 'black']]);
    }

    #turned(to) {
        return AROUND.flatMap(([dx, dy]) => {
            const row = [];
            let cell = this.from(to, dx, dy);
            for (; this.cells.get(cell) === other(this.player); cell = this.from(cell, dx, dy)) row.push(cell);
            return this.cells.get(cell) === this.player ? row : [];
        });
    }

    outcome() {
        return this.passes === 2 ? this.more() : null;
    }

    moves() {
        const found = this.names.filter(cell => !this.cells.has(cell) && this.#turned(cell).length > 0);
        return found.length > 0 ? found : ['pass'];
    }

    play(move) {
        this.passes = move === 'pass' ? this.passes + 1 : 0;
        if (move !== 'pass') for (const cell of [...this.#turned(move), move]) this.cells.set(cell, this.player);
        this.player = other(this.player);
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
