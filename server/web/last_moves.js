/* Where one's figures could go in one's last turn, as the server said then: what is known of a figure before its turn where no
 * engine says more. Plain values; of each seat one turn is kept. */

const STEPS_MAX = 16; /* kept of a turn that goes on and on */

export class LastMoves {
    #turns = {}; /* by seat: the steps of its last turn, the last one first: {ply, cells, legalMoves} */

    /* Only who is to move is told legal moves. In a turn of several, what it began with says most. */
    learn({ plies, moves, state, legalMoves }) {
        if (legalMoves.length === 0) return;
        const seat = state.to_move;
        const goesOn = moves.at(-1)?.seat === seat;
        const before = goesOn ? (this.#turns[seat] ?? []).filter(({ ply }) => ply < plies) : [];
        this.#turns[seat] = [{ ply: plies, cells: state.cells, legalMoves }, ...before].slice(0, STEPS_MAX);
    }

    /* {cell: whether what stands there is what stood there then}; nothing where that is not known of the figure. */
    reach(cells, from) {
        const figure = cells[from];
        const turn = this.#turns[figure?.player] ?? [];
        const step = turn.find((one) => alike(one.cells[from], figure) && one.legalMoves.some((move) => move.from === from));
        if (!step) return {};
        const targets = step.legalMoves.filter((move) => move.from === from).map(({ to }) => to);
        return Object.fromEntries(targets.map((cell) => [cell, alike(step.cells[cell], cells[cell])]));
    }
}

function alike(one, other) {
    return one?.figure === other?.figure && one?.player === other?.player;
}
