// Atomic chess, from its rules, plainly: a move is legal if one's own king is still there, and either the enemy king is gone or nobody can
// take mine. Kings that touch cannot be attacked: whoever took one would lose the other. A cell is y * 8 + x.
const STRAIGHT = [[1, 0], [0, 1], [-1, 0], [0, -1]], DIAGONAL = [[1, 1], [1, -1], [-1, 1], [-1, -1]];
const AROUND = [...STRAIGHT, ...DIAGONAL];
const LEAPS = [[1, 2], [2, 1], [-1, 2], [-2, 1], [1, -2], [2, -1], [-1, -2], [-2, -1]];
const BACK = ['rook', 'knight', 'bishop', 'queen', 'king', 'bishop', 'knight', 'rook'];

const cellAt = (x, y) => x < 0 || y < 0 || x > 7 || y > 7 ? -1 : y * 8 + x;
const step = (cell, [dx, dy]) => cellAt(cell % 8 + dx, Math.floor(cell / 8) + dy);
const other = player => player === 'white' ? 'black' : 'white';
const nameOf = cell => 'abcdefgh'[cell % 8] + (Math.floor(cell / 8) + 1);

export class Atomic {
    points = {get: cell => cell}; // cells of a position are named by themselves

    start() {
        const cells = new Map();
        for (let x = 0; x < 8; x++) {
            cells.set(x, {player: 'white', kind: BACK[x]}).set(8 + x, {player: 'white', kind: 'pawn'});
            cells.set(48 + x, {player: 'black', kind: 'pawn'}).set(56 + x, {player: 'black', kind: BACK[x]});
        }
        return {cells, player: 'white', passed: -1, still: new Set([0, 4, 7, 56, 60, 63])};
    }

    name(cell) {
        return nameOf(cell);
    }

    moves(position) {
        const {player} = position;
        if (this.#king(position, player) === undefined) return [];
        return this.#pseudoLegal(position).filter(move => {
            const after = this.play(position, move);
            if (this.#king(after, player) === undefined) return false;
            return this.#king(after, other(player)) === undefined || !this.inCheck(after, player);
        });
    }

    play(position, move) {
        const cells = new Map(position.cells), still = new Set(position.still);
        const piece = cells.get(move.from);
        const takes = cells.has(move.to) || move.enPassant !== undefined;
        cells.delete(move.from);
        cells.delete(move.enPassant);
        cells.set(move.to, move.promotion ? {...piece, kind: move.promotion} : piece);
        if (move.rook) cells.set(move.rook[1], cells.get(move.rook[0])).delete(move.rook[0]);
        if (takes) {
            cells.delete(move.to);
            for (const cell of AROUND.map(way => step(move.to, way))) if (cells.get(cell)?.kind !== 'pawn') cells.delete(cell);
        }
        for (const cell of still) if (!cells.has(cell) || cell === move.from || cell === move.to) still.delete(cell);
        return {cells, still, player: other(position.player), passed: move.passed ?? -1};
    }

    inCheck(position, player) {
        const king = this.#king(position, player), enemy = this.#king(position, other(player));
        return !AROUND.some(way => step(king, way) === enemy) && this.#isAttacked(position, king, other(player));
    }

    end(position) {
        if (this.#king(position, position.player) === undefined) return 'the king exploded';
        return this.inCheck(position, position.player) ? 'checkmate' : 'stalemate';
    }

    perft(position, depth) {
        const moves = this.moves(position);
        if (depth === 1) return moves.length;
        return moves.reduce((sum, move) => sum + this.perft(this.play(position, move), depth - 1), 0);
    }

    #king({cells}, player) {
        for (const [cell, piece] of cells) if (piece.kind === 'king' && piece.player === player) return cell;
        return undefined;
    }

    // Kings take nothing, so they attack nothing.
    #isAttacked({cells}, target, by) {
        const is = (cell, ...kinds) => cells.get(cell)?.player === by && kinds.includes(cells.get(cell).kind);
        const up = by === 'white' ? 1 : -1;
        if ([[-1, -up], [1, -up]].some(way => is(step(target, way), 'pawn'))) return true;
        if (LEAPS.some(way => is(step(target, way), 'knight'))) return true;
        const seen = (ways, kind) => ways.some(way => {
            let cell = step(target, way);
            while (cell >= 0 && !cells.has(cell)) cell = step(cell, way);
            return is(cell, kind, 'queen');
        });
        return seen(STRAIGHT, 'rook') || seen(DIAGONAL, 'bishop');
    }

    #pseudoLegal(position) {
        return [...position.cells].filter(([, {player}]) => player === position.player)
            .flatMap(([from, {kind}]) => this.#movesOf(position, from, kind));
    }

    #movesOf(position, from, kind) {
        const {cells, player} = position;
        const ways = {rook: STRAIGHT, bishop: DIAGONAL, queen: AROUND, knight: LEAPS, king: AROUND}[kind];
        if (kind === 'pawn') return this.#pawnMoves(position, from);
        const moves = [];
        for (const way of ways)
            for (let to = step(from, way); to >= 0; to = step(to, way)) {
                const target = cells.get(to);
                if (!target || target.player !== player && kind !== 'king') moves.push({from, to});
                if (target || kind === 'knight' || kind === 'king') break;
            }
        return kind === 'king' ? [...moves, ...this.#castles(position, from)] : moves;
    }

    #castles(position, king) {
        const {cells, still, player} = position;
        if (!still.has(king)) return [];
        const lifted = new Map([...cells].filter(([cell]) => cell !== king));
        return [[king + 3, 1, 2], [king - 4, -1, 3]].filter(([rook, way, between]) => still.has(rook) &&
            Array.from({length: between}, (_, i) => king + way * (i + 1)).every(cell => !cells.has(cell)) &&
            [0, 1, 2].every(count => !this.#isAttacked({cells: lifted}, king + way * count, other(player))))
            .map(([rook, way]) => ({from: king, to: king + 2 * way, rook: [rook, king + way]}));
    }

    #pawnMoves({cells, player, passed}, from) {
        const up = player === 'white' ? 1 : -1;
        const ahead = step(from, [0, up]), twice = step(from, [0, 2 * up]);
        const moves = [];
        if (!cells.has(ahead)) moves.push({from, to: ahead});
        if (!cells.has(ahead) && !cells.has(twice) && Math.floor(from / 8) === (up > 0 ? 1 : 6)) moves.push({from, to: twice, passed: ahead});
        for (const to of [step(from, [-1, up]), step(from, [1, up])]) {
            const target = cells.get(to);
            if (target && target.player !== player) moves.push({from, to});
            if (!target && to >= 0 && to === passed) moves.push({from, to, enPassant: step(to, [0, -up])});
        }
        return moves.flatMap(move => Math.floor(move.to / 8) !== (up > 0 ? 7 : 0) ? [move]
            : ['queen', 'rook', 'bishop', 'knight'].map(promotion => ({...move, promotion})));
    }
}
