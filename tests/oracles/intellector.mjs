// Intellector, from its rules. A point is [column, height in half cells]: up a column is +2, to the next column ±1.
const EDGES = [[0, 2], [1, 1], [1, -1], [0, -2], [-1, -1], [-1, 1]];
const CORNERS = [[2, 0], [1, -3], [-1, -3], [-2, 0], [-1, 3], [1, 3]];
const AURA = ['aggressor', 'defensor', 'liberator', 'dominator'];
const START = {intellector: ['e1'], dominator: ['a1', 'i1'], aggressor: ['c1', 'g1'], defensor: ['d1', 'f1'], liberator: ['b1', 'h1'],
    progressor: ['a2', 'c2', 'e2', 'g2', 'i2']};

const text = point => point.join(',');
const add = ([x, h], [dx, dh], times = 1) => [x + dx * times, h + dh * times];
const other = player => player === 'white' ? 'black' : 'white';
const pointOf = name => {
    const column = 'abcdefghi'.indexOf(name[0]);
    return [column, 2 * (Number(name.slice(1)) - 1) + column % 2];
};

export class Intellector {
    constructor() {
        this.points = new Map();
        for (let x = 0; x < 9; x++)
            for (let h = x % 2; h <= 12; h += 2) this.points.set(text([x, h]), [x, h]);
    }

    start() {
        const cells = new Map();
        for (const [kind, names] of Object.entries(START))
            for (const [x, h] of names.map(pointOf)) {
                cells.set(text([x, h]), {player: 'white', kind});
                cells.set(text([x, 12 - h]), {player: 'black', kind});
            }
        return {cells, player: 'white', winner: null};
    }

    name([x, h]) {
        return 'abcdefghi'[x] + ((h - x % 2) / 2 + 1);
    }

    moves(position) {
        if (position.winner) return [];
        return [...position.cells].filter(([, {player}]) => player === position.player)
            .flatMap(([name, piece]) => this.#movesOf(position, this.points.get(name), piece));
    }

    play(position, {from, to, swap, promotion}) {
        const cells = new Map(position.cells);
        const piece = cells.get(text(from)), taken = swap ? null : cells.get(text(to));
        if (swap) cells.set(text(from), cells.get(text(to)));
        else cells.delete(text(from));
        cells.set(text(to), promotion ? {...piece, kind: promotion} : piece);
        const arrived = [...cells].some(([name, {player, kind}]) =>
            player === piece.player && kind === 'intellector' && this.#isFinal(this.points.get(name), player));
        return {cells, player: other(position.player), winner: taken?.kind === 'intellector' || arrived ? piece.player : null};
    }

    // Why no move is left.
    end(position) {
        const taken = ![...position.cells.values()].some(({player, kind}) => player === position.player && kind === 'intellector');
        if (taken) return 'the intellector was taken';
        return position.winner ? 'the intellector reached the far side' : 'no move is left';
    }

    #isFinal([x, h], player) {
        return x % 2 === 0 && h === (player === 'white' ? 12 : 0);
    }

    #movesOf(position, from, {kind, player}) {
        const at = point => position.cells.get(text(point));
        const on = points => points.filter(point => this.points.has(text(point)));
        const near = on(EDGES.map(way => add(from, way)));
        const notOwn = points => points.filter(point => at(point)?.player !== player);
        const empty = points => points.filter(point => !at(point));
        const up = player === 'white' ? 1 : -1;
        const swaps = partner => near.filter(point => at(point)?.player === player && at(point).kind === partner)
            .map(to => ({from, to, swap: true}));
        const ways = {
            intellector: () => [...empty(near).map(to => ({from, to})), ...swaps('defensor')],
            defensor: () => [...notOwn(near).map(to => ({from, to})), ...swaps('intellector')],
            progressor: () => notOwn(on([[0, 2], [1, 1], [-1, 1]].map(([dx, dh]) => add(from, [dx, dh * up])))).map(to => ({from, to})),
            liberator: () => [...empty(near), ...notOwn(on(EDGES.map(way => add(from, way, 2))))].map(to => ({from, to})),
            dominator: () => this.#slides(position, from, EDGES, player),
            aggressor: () => this.#slides(position, from, CORNERS, player),
        };
        const aura = AURA.includes(kind) && near.some(point => at(point)?.player === player && at(point).kind === 'intellector');
        return ways[kind]().flatMap(move => {
            if (kind === 'progressor' && this.#isFinal(move.to, player)) return AURA.map(promotion => ({...move, promotion}));
            const target = move.swap ? undefined : at(move.to);
            const becomes = aura && target && target.kind !== kind && target.kind !== 'intellector';
            return becomes ? [move, {...move, promotion: target.kind}] : [move];
        });
    }

    #slides(position, from, ways, player) {
        const moves = [];
        for (const way of ways)
            for (let to = add(from, way); this.points.has(text(to)); to = add(to, way)) {
                const target = position.cells.get(text(to));
                if (target?.player !== player) moves.push({from, to});
                if (target) break;
            }
        return moves;
    }
}
