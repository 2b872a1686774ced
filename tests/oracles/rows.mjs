// Games in which stones are put and rows of them count, from their rules: cells are lists of coordinates, rows are walked cell by cell.
const box = sizes => sizes.reduce((cells, size) => cells.flatMap(cell => Array.from({length: size}, (_, at) => [...cell, at])), [[]]);
// Of each direction and its opposite one.
const boxWays = count => box(Array(count).fill(3)).map(way => way.map(at => at - 1)).filter(way => way.find(at => at !== 0) > 0);
const hexagon = side => box([2 * side - 1, 2 * side - 1]).map(cell => cell.map(at => at - side + 1)).filter(([q, r]) => Math.abs(q + r) < side);
const letter = (letters, at) => letters[at];

export const GAMES = {
    'connect-four': {
        players: ['red', 'yellow'], cells: box([7, 6]), ways: boxWays(2), wins: 4, falls: true,
        nameOf: ([x, y]) => letter('abcdefg', x) + (y + 1),
    },
    'gomoku': {
        players: ['black', 'white'], cells: box([15, 15]), ways: boxWays(2), wins: 5,
        nameOf: ([x, y]) => letter('abcdefghijklmno', x) + (y + 1),
    },
    'yavalath': {
        players: ['white', 'black'], cells: hexagon(5), ways: [[1, 0], [0, 1], [1, -1]], wins: 4, loses: 3, swaps: true,
        nameOf: ([q, r]) => letter('abcdefghi', q + 4) + (r + 5 + Math.min(q, 0)),
    },
    'tic-tac-toe-4': {
        players: ['white', 'black'], cells: box([4, 4, 4]), ways: boxWays(3), wins: 4,
        nameOf: ([x, y, z]) => letter('ABCD', z) + letter('abcd', x) + (y + 1),
    },
};

export class Rows {
    constructor(game) {
        this.game = game;
        this.stones = new Map(game.cells.map(cell => [cell.join(), null]));
        this.next = 0;
        this.result = null;
    }

    // Instead of the second player's first move.
    maySwap() {
        return this.game.swaps === true && [...this.stones.values()].filter(stone => stone !== null).length === 1 && this.next === 1;
    }

    swap() {
        for (const [cell, stone] of this.stones) if (stone !== null) this.stones.set(cell, this.game.players[1]);
        this.next = 0;
    }

    moves() {
        if (this.result) return [];
        const {cells, falls} = this.game;
        return cells.filter(cell => this.#at(cell) === null && !(falls && this.#at([cell[0], cell[1] - 1]) === null));
    }

    play(cell) {
        const {players, ways, wins, loses} = this.game, mover = players[this.next];
        this.stones.set(cell.join(), mover);
        this.next = 1 - this.next;
        const longest = Math.max(...ways.map(way => 1 + this.#row(cell, way, 1, mover) + this.#row(cell, way, -1, mover)));
        if (longest >= wins) this.result = {winner: mover};
        else if (longest >= loses) this.result = {winner: players[this.next]};
        else if (this.moves().length === 0) this.result = {draw: true};
    }

    #at(cell) {
        return this.stones.get(cell.join());
    }

    #row(cell, way, sign, mover) {
        let count = 0;
        for (let at = cell;; count++) {
            at = at.map((value, axis) => value + sign * way[axis]);
            if (this.#at(at) !== mover) return count;
        }
    }
}
