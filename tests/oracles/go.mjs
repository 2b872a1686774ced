// Go from its rules, plainly: chains are walked for every question, and every board that has been is kept as a text.
const COLUMNS = 'abcdefghjklmnopqrst';
const other = player => player === 'black' ? 'white' : 'black';

export class Go {
    cells = new Map();
    player = 'black';
    passes = 0;
    been = new Set(['']);

    constructor(size) {
        this.size = size;
        this.names = [];
        for (let x = 0; x < size; x++) for (let y = 1; y <= size; y++) this.names.push(COLUMNS[x] + y);
        this.beside = new Map(this.names.map(name => {
            const x = COLUMNS.indexOf(name[0]), y = Number(name.slice(1));
            return [name, [[x - 1, y], [x + 1, y], [x, y - 1], [x, y + 1]]
                .filter(([a, b]) => a >= 0 && a < size && b >= 1 && b <= size).map(([a, b]) => COLUMNS[a] + b)];
        }));
    }

    // What hangs together with the cell on these boards, and what lies beside it.
    #region(cells, start) {
        const inside = new Set([start]), around = new Set(), waiting = [start];
        while (waiting.length > 0)
            for (const near of this.beside.get(waiting.pop())) {
                if (cells.get(near) !== cells.get(start)) around.add(near);
                else if (!inside.has(near)) {
                    inside.add(near);
                    waiting.push(near);
                }
            }
        return {inside, around};
    }

    #breathes(cells, region) {
        return [...region.around].some(near => !cells.has(near));
    }

    // The board after a stone, or null if it may not be put there.
    #after(cell) {
        const cells = new Map(this.cells).set(cell, this.player);
        for (const near of this.beside.get(cell)) {
            if (cells.get(near) !== other(this.player)) continue;
            const chain = this.#region(cells, near);
            if (!this.#breathes(cells, chain)) for (const stone of chain.inside) cells.delete(stone);
        }
        return this.#breathes(cells, this.#region(cells, cell)) && !this.been.has(this.#text(cells)) ? cells : null;
    }

    #text(cells) {
        return this.names.filter(name => cells.has(name)).map(name => name + cells.get(name)[0]).join();
    }

    moves() {
        return [...this.names.filter(name => !this.cells.has(name) && this.#after(name) !== null), 'pass'];
    }

    play(move) {
        this.passes = move === 'pass' ? this.passes + 1 : 0;
        if (move !== 'pass') this.cells = this.#after(move);
        this.been.add(this.#text(this.cells));
        this.player = other(this.player);
    }

    #area(player) {
        return this.names.filter(name => {
            if (this.cells.has(name)) return this.cells.get(name) === player;
            const owners = new Set([...this.#region(this.cells, name).around].map(near => this.cells.get(near)));
            return owners.size === 1 && owners.has(player);
        }).length;
    }

    outcome() {
        if (this.passes < 2) return null;
        return this.#area('black') > this.#area('white') + 7.5 ? 'black' : 'white';
    }
}
