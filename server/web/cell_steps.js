/* Which cell lies beside which, as one sees it: for keys. Every cell of a board can be walked to.
 *
 * Cells beside each other share an edge. A step goes to the one whose direction is nearest to the key's; where two are
 * as near (hexagons have no side there) to the one nearest to the line on which the walk began, so that a walk to the
 * right stays at its height. Where no cell shares an edge (draughts, the gap between two levels) it is the nearest there. */

const WITHIN_COSINE = 0.7; /* 45° aside */
const SAME = 1e-3;

export class CellSteps {
    #cells;
    #beside = new Map(); /* cell → cells that share an edge */
    #layers = null;
    #line = null; /* of the walk: {across: "x" or "y", at} */
    #last = null; /* the cell the last step led to */

    constructor(arrangement) {
        this.#cells = arrangement.cells;
        const edges = edgesByPlace(arrangement.cells);
        for (const cell of arrangement.cells) this.#beside.set(cell, besideOf(cell, edges));
    }

    /* dx, dy: a unit vector, y downwards. Returns a cell or null. */
    step(from, dx, dy) {
        const across = Math.abs(dx) < SAME ? "x" : Math.abs(dy) < SAME ? "y" : null;
        if (from !== this.#last || this.#line?.across !== across) this.#line = across && { across, at: from[across] };
        const next = this.#touching(from, dx, dy) ?? this.#nearest(from, dx, dy);
        if (next) this.#last = next;
        return next;
    }

    /* The same place on another layer: the next (by = 1) or the previous one. Null where there is one layer only. */
    toLayer(from, by) {
        const layers = this.layers;
        const here = layers.findIndex((layer) => layer.cells.includes(from));
        const there = layers[here + by];
        if (!there) return null;
        const x = from.x - layers[here].x + there.x;
        const y = from.y - layers[here].y + there.y;
        return least(there.cells, (cell) => Math.hypot(cell.x - x, cell.y - y));
    }

    /* Parts of the board that do not touch each other, in the order of their names: [{cells, x, y, right, bottom}]. A board of
     * cells that all stand alone is one. */
    get layers() {
        this.#layers ??= this.#findLayers();
        return this.#layers;
    }

    #touching(from, dx, dy) {
        const towards = (cell) => ((cell.x - from.x) * dx + (cell.y - from.y) * dy) / apart(from, cell);
        const beside = this.#beside.get(from).filter((cell) => towards(cell) > WITHIN_COSINE);
        return least(beside, (cell) => -towards(cell), (cell) => this.#off(cell));
    }

    /* Sideways a row is kept to, up and down the next row comes first. */
    #nearest(from, dx, dy) {
        const weight = Math.abs(dx) > Math.abs(dy) ? 2 : 0.5;
        const along = (cell) => (cell.x - from.x) * dx + (cell.y - from.y) * dy;
        const aside = (cell) => Math.abs((cell.x - from.x) * dy - (cell.y - from.y) * dx);
        const ahead = this.#cells.filter((cell) => along(cell) > SAME && aside(cell) <= along(cell) + SAME);
        return least(ahead, (cell) => along(cell) + weight * aside(cell), (cell) => this.#off(cell));
    }

    #off(cell) {
        return this.#line ? Math.abs(cell[this.#line.across] - this.#line.at) : 0;
    }

    #findLayers() {
        const left = new Set(this.#cells);
        const layers = [];
        for (const first of this.#cells) if (left.has(first)) layers.push(this.#take(first, left));
        if (layers.some((cells) => cells.length < 3)) return [layerOf(this.#cells)];
        return layers.map(layerOf).sort((a, b) => (a.name < b.name ? -1 : 1));
    }

    #take(first, left) {
        const layer = [first];
        left.delete(first);
        for (const cell of layer)
            for (const other of this.#beside.get(cell)) if (left.delete(other)) layer.push(other);
        return layer;
    }
}

function layerOf(cells) {
    const names = cells.map((cell) => cell.name).sort();
    const [x, y] = [Math.min(...cells.map((cell) => cell.left)), Math.min(...cells.map((cell) => cell.top))];
    const right = Math.max(...cells.map((cell) => cell.right));
    return { cells, x, y, right, bottom: Math.max(...cells.map((cell) => cell.bottom)), name: names[0] };
}

/* Edges found by where their middle is, within a part of the cell's size: tables of corners are often rounded. */
function edgesByPlace(cells) {
    const grain = Math.min(...cells.map((cell) => cell.radius)) / 4 || 1;
    const places = new Map();
    const key = (x, y) => `${x},${y}`;
    for (const cell of cells)
        for (const [x, y] of middles(cell)) {
            const place = key(Math.round(x / grain), Math.round(y / grain));
            places.set(place, [...(places.get(place) ?? []), { cell, x, y }]);
        }
    return { grain, at: (x, y) => places.get(key(x, y)) ?? [] };
}

function besideOf(cell, { grain, at }) {
    const found = new Set();
    for (const [x, y] of middles(cell))
        for (const dx of [-1, 0, 1])
            for (const dy of [-1, 0, 1])
                for (const edge of at(Math.round(x / grain) + dx, Math.round(y / grain) + dy))
                    if (edge.cell !== cell && Math.hypot(edge.x - x, edge.y - y) < grain) found.add(edge.cell);
    return [...found];
}

function middles({ points }) {
    return points.map(([x, y], i) => {
        const [nextX, nextY] = points[(i + 1) % points.length];
        return [(x + nextX) / 2, (y + nextY) / 2];
    });
}

function apart(a, b) {
    return Math.hypot(b.x - a.x, b.y - a.y) || 1;
}

/* The first of the least by `cost`, and among equals by `second`. */
function least(cells, cost, second = () => 0) {
    let best = null;
    for (const cell of cells) {
        const found = { cell, cost: cost(cell), second: second(cell) };
        const better = !best || found.cost < best.cost - SAME;
        if (better || (found.cost < best.cost + SAME && found.second < best.second - SAME)) best = found;
    }
    return best?.cell ?? null;
}
