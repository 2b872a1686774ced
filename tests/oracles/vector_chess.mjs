// Gliński's hexagonal chess and Raumschach, each from its rules: cells are points, pieces are lists of vectors, and a move is legal if
// afterwards nobody can take the king. Slow and plain, so that it can be believed.
const add = (point, vector, times = 1) => point.map((value, i) => value + vector[i] * times);
const text = point => point.join(',');
const other = player => player === 'white' ? 'black' : 'white';

// A position: cells (point as text -> {player, kind}), the player to move, and the point an enemy pawn has just passed over.
class VectorChess {
    constructor(points, pieces) {
        this.points = new Map(points.map(point => [text(point), point]));
        this.pieces = pieces;
    }

    moves(position) {
        return this.#pseudoLegal(position).filter(move => !this.inCheck(this.play(position, move), position.player));
    }

    inCheck(position, player) {
        const king = [...position.cells].find(([, piece]) => piece.kind === 'king' && piece.player === player)[0];
        return this.#pseudoLegal({...position, player: other(player)}).some(move => text(move.to) === king);
    }

    play(position, move) {
        const cells = new Map(position.cells);
        const piece = cells.get(text(move.from));
        cells.delete(text(move.from));
        if (move.enPassant) cells.delete(text(move.enPassant));
        cells.set(text(move.to), move.promotion ? {...piece, kind: move.promotion} : piece);
        return {cells, player: other(position.player), passed: move.passed ?? null, pawn: move.passed ? move.to : null};
    }

    perft(position, depth) {
        const moves = this.moves(position);
        if (depth === 1) return moves.length;
        return moves.reduce((sum, move) => sum + this.perft(this.play(position, move), depth - 1), 0);
    }

    // 'checkmate', 'stalemate' or null.
    end(position) {
        if (this.moves(position).length > 0) return null;
        return this.inCheck(position, position.player) ? 'checkmate' : 'stalemate';
    }

    #pseudoLegal(position) {
        const moves = [];
        for (const [name, piece] of position.cells) {
            if (piece.player !== position.player) continue;
            const from = this.points.get(name);
            if (piece.kind === 'pawn') moves.push(...this.pawnMoves(position, from, piece.player));
            else moves.push(...this.#pieceMoves(position, from, piece));
        }
        return moves;
    }

    #pieceMoves(position, from, {kind, player}) {
        const {vectors, far} = this.pieces[kind];
        const moves = [];
        for (const vector of vectors)
            for (let times = 1; times === 1 || far; times++) {
                const to = add(from, vector, times);
                if (!this.points.has(text(to)) || position.cells.get(text(to))?.player === player) break;
                moves.push({from, to});
                if (position.cells.has(text(to))) break;
            }
        return moves;
    }
}

const signs = list => list.flatMap(vector => vector.reduce((found, value) =>
    found.flatMap(begun => value === 0 ? [[...begun, 0]] : [[...begun, value], [...begun, -value]]), [[]]));

// --- Gliński ---------------------------------------------------------------------------------------------------------------------
// A point is [file from the middle, height in half cells]: up a file is +2, to the next file ±1.

const FILES = 'abcdefghikl';
const HEX_ROOK = signs([[0, 2], [1, 1]]), HEX_BISHOP = signs([[2, 0], [1, 3]]);
const HEX_KNIGHT = signs([[1, 5], [2, 4], [3, 1]]);
const hexPoint = name => {
    const file = FILES.indexOf(name[0]) - 5;
    return [file, 2 * Number(name.slice(1)) + Math.abs(file)];
};

export class Glinski extends VectorChess {
    constructor() {
        const names = [...FILES].flatMap((letter, i) => Array.from({length: 11 - Math.abs(i - 5)}, (_, rank) => letter + (rank + 1)));
        super(names.map(hexPoint), {
            king: {vectors: [...HEX_ROOK, ...HEX_BISHOP]}, queen: {vectors: [...HEX_ROOK, ...HEX_BISHOP], far: true},
            rook: {vectors: HEX_ROOK, far: true}, bishop: {vectors: HEX_BISHOP, far: true}, knight: {vectors: HEX_KNIGHT}});
    }

    static white = {king: ['g1'], queen: ['e1'], rook: ['c1', 'i1'], bishop: ['f1', 'f2', 'f3'], knight: ['d1', 'h1'],
        pawn: ['b1', 'c2', 'd3', 'e4', 'f5', 'g4', 'h3', 'i2', 'k1']};
    static black = {king: ['g10'], queen: ['e10'], rook: ['c8', 'i8'], bishop: ['f9', 'f10', 'f11'], knight: ['d9', 'h9'],
        pawn: ['b7', 'c7', 'd7', 'e7', 'f7', 'g7', 'h7', 'i7', 'k7']};

    start() {
        const cells = new Map();
        for (const player of ['white', 'black'])
            for (const [kind, names] of Object.entries(Glinski[player]))
                for (const name of names) cells.set(text(hexPoint(name)), {player, kind});
        return {cells, player: 'white', passed: null, pawn: null};
    }

    name([file, height]) {
        return FILES[file + 5] + (height - Math.abs(file)) / 2;
    }

    pawnMoves(position, from, player) {
        const up = player === 'white' ? 1 : -1;
        const ahead = add(from, [0, 2 * up]), twice = add(from, [0, 4 * up]);
        const free = point => this.points.has(text(point)) && !position.cells.has(text(point));
        const moves = [];
        if (free(ahead)) moves.push({from, to: ahead});
        if (free(ahead) && free(twice) && Glinski[player].pawn.includes(this.name(from))) moves.push({from, to: twice, passed: ahead});
        for (const to of [add(from, [1, up]), add(from, [-1, up])]) {
            const target = position.cells.get(text(to));
            if (target && target.player !== player) moves.push({from, to});
            if (!target && position.passed && text(to) === text(position.passed)) moves.push({from, to, enPassant: position.pawn});
        }
        return moves.flatMap(move => this.points.has(text(add(move.to, [0, 2 * up]))) ? [move]
            : ['queen', 'rook', 'bishop', 'knight'].map(promotion => ({...move, promotion})));
    }
}

// --- Raumschach ------------------------------------------------------------------------------------------------------------------
// A point is [file, rank, level], each 0 to 4; the levels are A to E.

const CUBE = signs([[1, 0, 0], [0, 1, 0], [0, 0, 1]]), EDGES = signs([[1, 1, 0], [1, 0, 1], [0, 1, 1]]), CORNERS = signs([[1, 1, 1]]);
const EVERY = [...CUBE, ...EDGES, ...CORNERS];
const SPACE_KNIGHT = signs([[1, 2, 0], [2, 1, 0], [1, 0, 2], [2, 0, 1], [0, 1, 2], [0, 2, 1]]);
const BACK = ['rook', 'knight', 'king', 'knight', 'rook'];
const SECOND = {white: ['bishop', 'unicorn', 'queen', 'bishop', 'unicorn'], black: ['unicorn', 'bishop', 'queen', 'unicorn', 'bishop']};

export class Raumschach extends VectorChess {
    constructor() {
        const five = [0, 1, 2, 3, 4];
        super(five.flatMap(x => five.flatMap(y => five.map(z => [x, y, z]))), {
            king: {vectors: EVERY}, queen: {vectors: EVERY, far: true}, rook: {vectors: CUBE, far: true}, bishop: {vectors: EDGES, far: true},
            unicorn: {vectors: CORNERS, far: true}, knight: {vectors: SPACE_KNIGHT}});
    }

    start() {
        const cells = new Map();
        for (let file = 0; file < 5; file++)
            for (const [player, rank, level, ahead] of [['white', 0, 0, 1], ['black', 4, 4, -1]]) {
                cells.set(text([file, rank, level]), {player, kind: BACK[file]});
                cells.set(text([file, rank, level + ahead]), {player, kind: SECOND[player][file]});
                cells.set(text([file, rank + ahead, level]), {player, kind: 'pawn'});
                cells.set(text([file, rank + ahead, level + ahead]), {player, kind: 'pawn'});
            }
        return {cells, player: 'white', passed: null, pawn: null};
    }

    name([file, rank, level]) {
        return 'ABCDE'[level] + 'abcde'[file] + (rank + 1);
    }

    // One step towards the enemy in rank or level; takes one such step and one to another side, or both such steps.
    pawnMoves(position, from, player) {
        const up = player === 'white' ? 1 : -1;
        const steps = [[0, up, 0], [0, 0, up]].map(vector => add(from, vector))
            .filter(to => this.points.has(text(to)) && !position.cells.has(text(to)));
        const takes = [[1, up, 0], [-1, up, 0], [1, 0, up], [-1, 0, up], [0, up, up]].map(vector => add(from, vector))
            .filter(to => position.cells.get(text(to))?.player === other(player));
        const [last, top] = player === 'white' ? [4, 4] : [0, 0];
        return [...steps, ...takes].map(to => ({from, to})).flatMap(move => move.to[1] !== last || move.to[2] !== top ? [move]
            : ['queen', 'rook', 'bishop', 'knight', 'unicorn'].map(promotion => ({...move, promotion})));
    }
}
