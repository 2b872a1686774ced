// Chinese checkers, from its rules. A point is [x, row]: rows from 0 at the bottom, x in half cells from the middle.
const LENGTHS = [1, 2, 3, 4, 13, 12, 11, 10, 9, 10, 11, 12, 13, 4, 3, 2, 1];
const WAYS = [[2, 0], [-2, 0], [1, 1], [1, -1], [-1, 1], [-1, -1]];
const SEATS = ['red', 'orange', 'yellow', 'green', 'blue', 'purple']; // round the star, from its lowest point to the left
const COUNTS = {2: ['red', 'green'], 3: ['red', 'yellow', 'blue'], 4: ['red', 'orange', 'green', 'blue'], 6: SEATS};

const text = ([x, row]) => `${x},${row}`;
const POINTS = LENGTHS.flatMap((length, row) => Array.from({length}, (_, i) => [2 * i - (length - 1), row]));
const BOARD = new Map(POINTS.map(point => [text(point), point]));

// Which point of the star a cell belongs to, as the seat at home there; null for the middle.
function cornerOf([x, row]) {
    if (row < 4) return 'red';
    if (row > 12) return 'green';
    const edge = 8 + Math.abs(row - 8) - 2 * Math.abs(row - 8); // how far out, in half cells, the middle hexagon reaches in this row
    if (Math.abs(x) <= edge) return null;
    return row < 8 ? x < 0 ? 'orange' : 'purple' : x < 0 ? 'yellow' : 'blue';
}

const opposite = seat => SEATS[(SEATS.indexOf(seat) + 3) % 6];

export const nameOf = ([x, row]) => 'abcdefghijklmnopq'[row] + ((x + LENGTHS[row] - 1) / 2 + 1);

export class ChineseCheckers {
    constructor(count) {
        this.players = COUNTS[count];
        this.marbles = new Map();
        for (const point of POINTS)
            if (this.players.includes(cornerOf(point))) this.marbles.set(text(point), cornerOf(point));
        this.player = this.players[0];
        this.places = [];
        this.hopping = null; // the point of the marble that goes on, and where it has been in this turn
    }

    // {from, to, hop}; while a marble hops on, also null: to stop there.
    moves() {
        if (this.hopping) return [...this.#hops(this.hopping.at), null];
        return [...this.marbles].filter(([, player]) => player === this.player)
            .flatMap(([name]) => [...this.#steps(BOARD.get(name)), ...this.#hops(BOARD.get(name))]);
    }

    play(move) {
        if (move) {
            this.marbles.delete(text(move.from));
            this.marbles.set(text(move.to), this.player);
            const been = [...this.hopping?.been ?? [text(move.from)], text(move.to)];
            this.hopping = move.hop ? {at: move.to, been} : null;
            if (this.hopping && this.#hops(move.to).length > 0) return;
        }
        this.hopping = null;
        this.#endTurn();
    }

    // How far the marble is from the tip of the point opposite: what one plays for.
    distance(point) {
        const tips = {red: [0, 0], green: [0, 16], orange: [-12, 4], purple: [12, 4], yellow: [-12, 12], blue: [12, 12]};
        const [x, row] = tips[opposite(this.player)];
        const across = Math.abs(point[0] - x), up = Math.abs(point[1] - row);
        return up + Math.max(0, across - up) / 2;
    }

    named() {
        return Object.fromEntries([...this.marbles].map(([name, player]) => [nameOf(BOARD.get(name)), `${player} marble`]));
    }

    #allowed(from, to) {
        const goal = opposite(this.player);
        return BOARD.has(text(to)) && !this.marbles.has(text(to)) && (cornerOf(from) !== goal || cornerOf(to) === goal);
    }

    #steps(from) {
        return WAYS.map(([dx, dy]) => [from[0] + dx, from[1] + dy]).filter(to => this.#allowed(from, to)).map(to => ({from, to, hop: false}));
    }

    #hops(from) {
        return WAYS.filter(([dx, dy]) => this.marbles.has(text([from[0] + dx, from[1] + dy])))
            .map(([dx, dy]) => [from[0] + 2 * dx, from[1] + 2 * dy])
            .filter(to => this.#allowed(from, to) && !this.hopping?.been.includes(text(to))).map(to => ({from, to, hop: true}));
    }

    #endTurn() {
        const goal = POINTS.filter(point => cornerOf(point) === opposite(this.player));
        const inside = goal.map(point => this.marbles.get(text(point)));
        const before = this.player;
        if (!inside.includes(undefined) && inside.includes(before)) this.places.push(before);
        const left = player => this.players.includes(player) && !this.places.includes(player);
        if (this.players.filter(left).length === 0) return;
        do this.player = this.players[(this.players.indexOf(this.player) + 1) % this.players.length];
        while (!left(this.player));
    }
}
