// Draughts, written from the rules of the four games for themselves: nothing here knows of game files. A cell is y * size + x with
// y = 0 in the first row of white, who plays up; the dark cells, among them the one at white's left hand, are played on.
const MAN = 1, KING = 2;

const DIAGONALS = [[1, 1], [-1, 1], [1, -1], [-1, -1]];

export const DRAUGHTS = {
    // men take forwards only, kings are short, whoever becomes a king stops; black begins
    english: {size: 8, rows: 3, first: 'black', flying: false, backwards: false, most: false, crowned: 'stops'},
    international: {size: 10, rows: 4, first: 'white', flying: true, backwards: true, most: true, crowned: 'at the end'},
    brazilian: {size: 8, rows: 3, first: 'white', flying: true, backwards: true, most: true, crowned: 'at the end'},
    // whoever comes to the last row while taking goes on as a king
    russian: {size: 8, rows: 3, first: 'white', flying: true, backwards: true, most: false, crowned: 'goes on'},
};

const other = player => player === 'white' ? 'black' : 'white';

export class Draughts {
    constructor(rules) {
        Object.assign(this, rules);
    }

    darkCells() {
        return Array.from({length: this.size ** 2}, (_, cell) => cell)
            .filter(cell => (cell % this.size + Math.floor(cell / this.size)) % 2 === 0);
    }

    start() {
        const board = Array(this.size * this.size).fill(null);
        for (const cell of this.darkCells()) {
            const y = Math.floor(cell / this.size);
            if (y < this.rows) board[cell] = {player: 'white', kind: MAN};
            if (y >= this.size - this.rows) board[cell] = {player: 'black', kind: MAN};
        }
        return {board, player: this.first};
    }

    // Names: letters and numbers (a1), or numbers from black's side, as draughts players count.
    algebraicName(cell) {
        return 'abcdefghij'[cell % this.size] + (Math.floor(cell / this.size) + 1);
    }

    numberName(cell) {
        const row = this.size - 1 - Math.floor(cell / this.size);
        return String(row * this.size / 2 + Math.floor(cell % this.size / 2) + 1);
    }

    // What stands where, in words.
    cells(position, name) {
        const found = {};
        position.board.forEach((piece, cell) => {
            if (piece) found[name(cell)] = `${piece.player} ${piece.kind === KING ? 'king' : 'man'}`;
        });
        return found;
    }

    // All whole turns; those with the same start, end and captured pieces are one. `path` is one way to go.
    turns(position) {
        const takes = new Map();
        position.board.forEach((piece, cell) => {
            if (piece?.player === position.player) this.#takesFrom(position, cell, piece, takes);
        });
        if (takes.size > 0) {
            const all = [...takes.values()];
            const most = Math.max(...all.map(({taken}) => taken.length));
            return this.most ? all.filter(({taken}) => taken.length === most) : all;
        }
        return position.board.flatMap((piece, cell) => piece?.player === position.player ? this.#stepsFrom(position, cell, piece) : []);
    }

    play(position, turn) {
        const board = position.board.slice();
        const piece = board[turn.from];
        board[turn.from] = null;
        for (const cell of turn.taken) board[cell] = null;
        board[turn.to] = turn.crowned || this.#isLastRow(turn.to, piece.player) ? {...piece, kind: KING} : piece;
        return {board, player: other(position.player)};
    }

    key(turn) {
        return [turn.from, turn.to, ...turn.taken.slice().sort((a, b) => a - b)].join(' ');
    }

    perft(position, depth) {
        const turns = this.turns(position);
        if (depth <= 1) return depth === 1 ? turns.length : 1;
        return turns.reduce((sum, turn) => sum + this.perft(this.play(position, turn), depth - 1), 0);
    }

    #next(cell, [dx, dy]) {
        const x = cell % this.size + dx, y = Math.floor(cell / this.size) + dy;
        return x < 0 || y < 0 || x >= this.size || y >= this.size ? -1 : y * this.size + x;
    }

    #isLastRow(cell, player) {
        return Math.floor(cell / this.size) === (player === 'white' ? this.size - 1 : 0);
    }

    #isForward([, dy], player) {
        return dy > 0 === (player === 'white');
    }

    #stepsFrom(position, from, piece) {
        const turns = [];
        for (const way of DIAGONALS) {
            if (piece.kind === MAN && !this.#isForward(way, piece.player)) continue;
            const reach = piece.kind === KING && this.flying ? this.size : 1;
            for (let to = this.#next(from, way), steps = 0; to >= 0 && !position.board[to] && steps < reach; to = this.#next(to, way), steps++)
                turns.push({from, to, taken: [], path: [to]});
        }
        return turns;
    }

    // The pieces one jump takes in a direction and where it may land: [victim, landings], or null.
    #jump(board, cell, piece, way, taken) {
        if (piece.kind === MAN && !this.backwards && !this.#isForward(way, piece.player)) return null;
        const far = piece.kind === KING && this.flying;
        let victim = this.#next(cell, way);
        while (far && victim >= 0 && !board[victim]) victim = this.#next(victim, way);
        if (victim < 0 || !board[victim] || board[victim].player === piece.player || taken.includes(victim)) return null;
        const landings = [];
        for (let to = this.#next(victim, way); to >= 0 && !board[to]; to = this.#next(to, way)) {
            landings.push(to);
            if (!far) break;
        }
        return landings.length > 0 ? {victim, landings} : null;
    }

    #canJump(board, cell, piece, taken) {
        return DIAGONALS.some(way => this.#jump(board, cell, piece, way, taken) !== null);
    }

    // What was taken stays on the board until the turn ends, and is not jumped again; only the piece itself has left its cell.
    #takesFrom(position, from, piece, takes) {
        const board = position.board.slice();
        board[from] = null;
        this.#goOn(board, {from, cell: from, piece, taken: [], path: []}, takes);
    }

    #goOn(board, turn, takes) {
        const {from, cell, piece, taken, path} = turn;
        let jumped = false;
        for (const way of DIAGONALS) {
            const jump = this.#jump(board, cell, piece, way, taken);
            if (!jump) continue;
            jumped = true;
            const after = [...taken, jump.victim];
            const crownedAt = to => piece.kind === MAN && this.crowned === 'goes on' && this.#isLastRow(to, piece.player) ? {...piece, kind: KING} : piece;
            // a Russian king lands where it can go on, if there is such a cell behind this victim
            const better = this.most ? [] : jump.landings.filter(to => this.#canJump(board, to, crownedAt(to), after));
            for (const to of better.length > 0 ? better : jump.landings)
                this.#land(board, {from, cell: to, piece: crownedAt(to), taken: after, path: [...path, to]}, piece, takes);
        }
        if (jumped || taken.length === 0) return;
        const found = {from, to: cell, taken, path, crowned: piece.kind === KING};
        takes.set(this.key(found), found);
    }

    #land(board, turn, before, takes) {
        const stops = before.kind === MAN && this.crowned === 'stops' && this.#isLastRow(turn.cell, before.player);
        if (!stops) return this.#goOn(board, turn, takes);
        const found = {from: turn.from, to: turn.cell, taken: turn.taken, path: turn.path, crowned: true};
        takes.set(this.key(found), found);
    }
}
