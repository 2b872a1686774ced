// Chess on 8×8 cells and what differs from it in little, each from its rules, plainly: a move is legal if afterwards nobody can take the
// king. A cell is y * 8 + x.
export const STRAIGHT = [[1, 0], [0, 1], [-1, 0], [0, -1]], DIAGONAL = [[1, 1], [1, -1], [-1, 1], [-1, -1]];
export const AROUND = [...STRAIGHT, ...DIAGONAL];
const LEAPS = [[1, 2], [2, 1], [-1, 2], [-2, 1], [1, -2], [2, -1], [-1, -2], [-2, -1]];
const BACK = ['rook', 'knight', 'bishop', 'queen', 'king', 'bishop', 'knight', 'rook'];

const cellAt = (x, y) => x < 0 || y < 0 || x > 7 || y > 7 ? -1 : y * 8 + x;
export const step = (cell, [dx, dy]) => cellAt(cell % 8 + dx, Math.floor(cell / 8) + dy);
export const other = player => player === 'white' ? 'black' : 'white';
const row = cell => Math.floor(cell / 8);
const all = kind => Array(8).fill(kind);

export class SquareChess {
    points = {get: cell => cell}; // cells of a position are named by themselves
    army = [BACK, all('pawn')];   // by rows, from the player's own edge on
    promotions = ['queen', 'rook', 'bishop', 'knight'];

    start() {
        const cells = new Map();
        this.army.forEach((kinds, y) => kinds.forEach((kind, x) =>
            cells.set(cellAt(x, y), {player: 'white', kind}).set(cellAt(x, 7 - y), {player: 'black', kind})));
        return {cells, player: 'white', passed: -1, still: new Set([0, 4, 7, 56, 60, 63])};
    }

    name(cell) {
        return 'abcdefgh'[cell % 8] + (row(cell) + 1);
    }

    moves(position) {
        return this.pseudoLegal(position).filter(move => !this.inCheck(this.play(position, move), position.player));
    }

    play(position, move) {
        const cells = new Map(position.cells), still = new Set(position.still);
        const piece = cells.get(move.from);
        cells.delete(move.from);
        cells.delete(move.enPassant);
        cells.set(move.to, move.promotion ? {...piece, kind: move.promotion} : piece);
        if (move.rook) cells.set(move.rook[1], cells.get(move.rook[0])).delete(move.rook[0]);
        if (position.cells.has(move.to) || move.enPassant !== undefined) this.taken(cells, move.to);
        for (const cell of still) if (!cells.has(cell) || cell === move.from || cell === move.to) still.delete(cell);
        return {cells, still, player: other(position.player), passed: move.passed ?? -1};
    }

    // What else becomes of the board where something was taken.
    taken() {}

    inCheck(position, player) {
        return this.isAttacked(position, this.king(position, player), other(player));
    }

    end(position) {
        return this.inCheck(position, position.player) ? 'checkmate' : 'stalemate';
    }

    perft(position, depth) {
        const moves = this.moves(position);
        if (depth === 1) return moves.length;
        return moves.reduce((sum, move) => sum + this.perft(this.play(position, move), depth - 1), 0);
    }

    king({cells}, player) {
        for (const [cell, piece] of cells) if (piece.kind === 'king' && piece.player === player) return cell;
        return undefined;
    }

    isAttacked({cells}, target, by) {
        const is = (cell, ...kinds) => cells.get(cell)?.player === by && kinds.includes(cells.get(cell).kind);
        const up = by === 'white' ? 1 : -1;
        if ([[-1, -up], [1, -up]].some(way => is(step(target, way), 'pawn'))) return true;
        if (LEAPS.some(way => is(step(target, way), 'knight'))) return true;
        if (AROUND.some(way => is(step(target, way), 'king'))) return true;
        const seen = (ways, kind) => ways.some(way => is(this.firstSeen(cells, target, way), kind, 'queen'));
        return seen(STRAIGHT, 'rook') || seen(DIAGONAL, 'bishop');
    }

    // The first occupied cell that way; -1: none.
    firstSeen(cells, from, way) {
        let cell = step(from, way);
        while (cell >= 0 && !cells.has(cell)) cell = step(cell, way);
        return cell;
    }

    pseudoLegal(position) {
        return [...position.cells].filter(([, {player}]) => player === position.player)
            .flatMap(([from, {kind}]) => this.movesOf(position, from, kind));
    }

    movesOf(position, from, kind) {
        const {cells, player} = position;
        const ways = {rook: STRAIGHT, bishop: DIAGONAL, queen: AROUND, knight: LEAPS, king: AROUND}[kind];
        if (kind === 'pawn') return this.pawnMoves(position, from);
        const moves = [];
        for (const way of ways)
            for (let to = step(from, way); to >= 0; to = step(to, way)) {
                const target = cells.get(to);
                if (target?.player !== player) moves.push({from, to});
                if (target || kind === 'knight' || kind === 'king') break;
            }
        return kind === 'king' ? [...moves, ...this.castles(position, from)] : moves;
    }

    castles(position, king) {
        const {cells, still, player} = position;
        if (!still.has(king)) return [];
        const lifted = new Map([...cells].filter(([cell]) => cell !== king));
        return [[king + 3, 1, 2], [king - 4, -1, 3]].filter(([rook, way, between]) => still.has(rook) &&
            Array.from({length: between}, (_, i) => king + way * (i + 1)).every(cell => !cells.has(cell)) &&
            [0, 1, 2].every(count => !this.isAttacked({cells: lifted}, king + way * count, other(player))))
            .map(([rook, way]) => ({from: king, to: king + 2 * way, rook: [rook, king + way]}));
    }

    mayStepTwice(from, player) {
        return row(from) === (player === 'white' ? 1 : 6);
    }

    pawnMoves({cells, player, passed}, from) {
        const up = player === 'white' ? 1 : -1;
        const ahead = step(from, [0, up]), twice = step(from, [0, 2 * up]);
        const moves = [];
        if (ahead >= 0 && !cells.has(ahead)) {
            moves.push({from, to: ahead});
            if (twice >= 0 && !cells.has(twice) && this.mayStepTwice(from, player)) moves.push({from, to: twice, passed: ahead});
        }
        for (const to of [step(from, [-1, up]), step(from, [1, up])]) {
            const target = cells.get(to);
            if (target && target.player !== player) moves.push({from, to});
            if (!target && to >= 0 && to === passed) moves.push({from, to, enPassant: step(to, [0, -up])});
        }
        return moves.flatMap(move => row(move.to) !== (up > 0 ? 7 : 0) ? [move]
            : this.promotions.map(promotion => ({...move, promotion})));
    }
}

// A pawn may step two cells from anywhere.
export class Torpedo extends SquareChess {
    mayStepTwice() {
        return true;
    }
}

// Over the first that is met, to the cell right behind it. Pawns do not step two cells.
export class Grasshopper extends SquareChess {
    army = [BACK, all('grasshopper'), all('pawn')];
    promotions = ['queen', 'rook', 'bishop', 'knight', 'grasshopper'];

    mayStepTwice() {
        return false;
    }

    movesOf(position, from, kind) {
        if (kind !== 'grasshopper') return super.movesOf(position, from, kind);
        const {cells, player} = position;
        return AROUND.map(way => [this.firstSeen(cells, from, way), way]).filter(([over]) => over >= 0)
            .map(([over, way]) => step(over, way)).filter(to => to >= 0 && cells.get(to)?.player !== player)
            .map(to => ({from, to}));
    }

    isAttacked(position, target, by) {
        const {cells} = position;
        const hops = way => {
            const over = step(target, way), from = over >= 0 && cells.has(over) ? this.firstSeen(cells, over, way) : -1;
            return cells.get(from)?.player === by && cells.get(from).kind === 'grasshopper';
        };
        return super.isAttacked(position, target, by) || AROUND.some(hops);
    }
}
