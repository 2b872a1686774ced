// Nine men's morris from its rules: points and mills are listed by name, stones are a map from point to player.
export const POINTS = ('a1 a4 a7 b2 b4 b6 c3 c4 c5 d1 d2 d3 d5 d6 d7 e3 e4 e5 f2 f4 f6 g1 g4 g7').split(' ');
const MILLS = `a1 d1 g1, b2 d2 f2, c3 d3 e3, a4 b4 c4, e4 f4 g4, c5 d5 e5, b6 d6 f6, a7 d7 g7,
    a1 a4 a7, b2 b4 b6, c3 c4 c5, d1 d2 d3, d5 d6 d7, e3 e4 e5, f2 f4 f6, g1 g4 g7`.split(',').map(mill => mill.trim().split(/\s+/));
const BESIDE = Object.fromEntries(POINTS.map(point => [point, MILLS.flatMap(([a, b, c]) =>
    point === b ? [a, c] : point === a || point === c ? [b] : [])]));
const PLAYERS = ['white', 'black'];

export class Morris {
    constructor() {
        this.stones = {};
        this.put = [0, 0];
        this.next = 0;
        this.removes = false; // a mill has been closed, and a stone is to be taken away
        this.quiet = 0;
        this.result = null;
        this.seen = {};
        this.#note();
    }

    // Texts of moves: `a1` is put or taken away, `a1-a4` goes.
    moves() {
        if (this.result) return [];
        const empty = POINTS.filter(point => this.stones[point] === undefined), own = this.#of(this.next), enemies = this.#of(1 - this.next);
        if (this.removes) {
            const free = enemies.filter(point => !this.#inMill(point));
            return free.length > 0 ? free : enemies;
        }
        if (this.put[this.next] < 9) return empty;
        const flies = own.length <= 3;
        return own.flatMap(from => empty.filter(to => flies || BESIDE[from].includes(to)).map(to => `${from}-${to}`));
    }

    play(move) {
        if (this.removes) {
            delete this.stones[move];
            this.removes = false;
            this.quiet = 0;
            this.next = 1 - this.next;
        } else {
            const to = move.slice(-2);
            if (move.length > 2) delete this.stones[move.slice(0, 2)];
            else this.put[this.next]++;
            this.stones[to] = this.next;
            this.quiet++;
            this.removes = this.#inMill(to);
            if (!this.removes) this.next = 1 - this.next;
        }
        this.#end();
    }

    get toMove() {
        return PLAYERS[this.next];
    }

    #of(player) {
        return POINTS.filter(point => this.stones[point] === player);
    }

    #inMill(point) {
        return MILLS.some(mill => mill.includes(point) && mill.every(other => this.stones[other] === this.stones[point]));
    }

    #note() {
        const key = JSON.stringify([POINTS.map(point => this.stones[point] ?? '-'), this.put, this.next, this.removes]);
        return this.seen[key] = (this.seen[key] ?? 0) + 1;
    }

    #end() {
        const again = this.#note(), winner = PLAYERS[1 - this.next];
        if (this.put[this.next] >= 9 && !this.removes && this.#of(this.next).length <= 2) this.result = {winner, why: 'two'};
        else if (this.moves().length === 0) this.result = {winner, why: 'stuck'};
        else if (again >= 3) this.result = {why: 'repetition'};
        else if (this.quiet >= 100) this.result = {why: 'quiet'};
    }
}
