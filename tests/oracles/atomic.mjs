// Atomic chess, from its rules, plainly: a move is legal if one's own king is still there, and either the enemy king is gone or nobody can
// take mine. Kings that touch cannot be attacked: whoever took one would lose the other. Kings take nothing, so they attack nothing.
import {AROUND, other, SquareChess, step} from './square_chess.mjs';

export class Atomic extends SquareChess {
    moves(position) {
        const {player} = position;
        if (this.king(position, player) === undefined) return [];
        return this.pseudoLegal(position).filter(move => {
            const after = this.play(position, move);
            if (this.king(after, player) === undefined) return false;
            return this.king(after, other(player)) === undefined || !this.inCheck(after, player);
        });
    }

    taken(cells, at) {
        cells.delete(at);
        for (const cell of AROUND.map(way => step(at, way))) if (cells.get(cell)?.kind !== 'pawn') cells.delete(cell);
    }

    inCheck(position, player) {
        const king = this.king(position, player), enemy = this.king(position, other(player));
        return !AROUND.some(way => step(king, way) === enemy) && super.inCheck(position, player);
    }

    isAttacked({cells}, target, by) {
        const harmless = ([cell, piece]) => [cell, piece.kind === 'king' ? {...piece, kind: 'harmless'} : piece];
        return super.isAttacked({cells: new Map([...cells].map(harmless))}, target, by);
    }

    movesOf(position, from, kind) {
        const moves = super.movesOf(position, from, kind);
        return kind === 'king' ? moves.filter(({to}) => !position.cells.has(to)) : moves;
    }

    end(position) {
        if (this.king(position, position.player) === undefined) return 'the king exploded';
        return super.end(position);
    }
}
