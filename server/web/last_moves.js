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

    /* The same of a kind that the seat has in hand. */
    reachFromHand(cells, seat, kind) {
        const isPut = (move) => move.from === undefined && move.choice === kind;
        const step = this.#turns[seat]?.find(({ legalMoves }) => legalMoves.some(isPut));
        const targets = (step?.legalMoves ?? []).filter(isPut).map(({ to }) => to);
        return Object.fromEntries(targets.map((cell) => [cell, alike(step.cells[cell], cells[cell])]));
    }

    /* What a seat does in its turns: whether it `moves` figures of the board, and whether it `puts` some that need not be chosen. Its last turn says so, else
     * the moves that were made; before the first one a board with nothing on it and one kind of figure does. */
    waysOf(seat, { moves, layout }) {
        const known = [this.#turns[seat]?.at(-1)?.legalMoves ?? [], moves.map(({ move }) => move)];
        const seen = known.find((list) => list.some(({ to }) => to !== undefined));
        const puts = seen ? seen.some(({ from, to, choice }) => from === undefined && to !== undefined && choice === undefined) : beginsEmpty(layout);
        return { puts, moves: !puts || Boolean(seen?.some(({ from }) => from !== undefined)) };
    }
}

function alike(one, other) {
    return one?.figure === other?.figure && one?.player === other?.player;
}

function beginsEmpty({ start, figures }) {
    return figures.length === 1 && Boolean(start) && Object.values(start).every((counts) => Object.keys(counts).length === 0);
}
