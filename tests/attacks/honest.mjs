// People who play by twos, game after game, and once a second somebody new who comes in and asks how the server is.
import {get} from 'node:http';
import {Client} from '../support/client.mjs';
import {setTable} from '../support/table.mjs';

const TABLES = 8, MOVES_PER_S = 25; // of each table; rooms of one address are as many as it may make in the long run

const sleep = ms => new Promise(resolve => setTimeout(resolve, ms));

// On a connection of its own: one that is kept may be closed just as it is used again, which browsers see to, and fetch does not.
export const look = url => new Promise((resolve, reject) => {
    get(url, {agent: false}, answer => {
        let text = '';
        answer.setEncoding('utf8').on('data', part => (text += part)).on('end', () => resolve({status: answer.statusCode, text})).on('error', reject);
    }).on('error', reject);
});

// Knights out and back, and a pawn's step now and then so that no position comes back too often.
const LONG_GAME = [...'ahbgcde'].flatMap(file => [[2, 3], [3, 4]].flatMap(([from, to]) => [
    ...Array(3).fill(['g1f3', 'g8f6', 'f3g1', 'f6g8']).flat(), `${file}${from}${file}${to}`, `${file}${9 - from}${file}${9 - to}`,
])).map(move => ({from: move.slice(0, 2), to: move.slice(2)}));

export class HonestPeople {
    moves = 0;
    acknowledged = new Map(); // by room: so many moves
    #server;
    #waits = [];
    #faults = [];
    #going = true;
    #people;

    constructor(server) {
        this.#server = server;
        const tables = Array.from({length: TABLES}, () => this.#goOn(() => this.#play()));
        this.#people = Promise.all([...tables, this.#goOn(() => this.#comeIn())]);
    }

    // One game, and the next one then.
    async #play() {
        const table = await setTable(this.#server);
        this.acknowledged.set(table.room, 0);
        for (const [ply, move] of LONG_GAME.entries()) {
            if (!this.#going) break;
            const due = sleep(1000 / MOVES_PER_S);
            const began = performance.now();
            const answer = await table[ply % 2 ? 'black' : 'white'].ask({type: 'move', room: table.room, move});
            if (answer.type !== 'ack') throw new Error(`a move was answered by ${JSON.stringify(answer)}`);
            this.#waits.push(performance.now() - began);
            this.moves++;
            this.acknowledged.set(table.room, ply + 1);
            await due;
        }
        await table.clients[0].done({type: 'action', room: table.room, kind: 'resign'});
        await table.end();
    }

    async #comeIn() {
        await sleep(1000);
        const [health, one] = await Promise.all([look(`${this.#server.url}/healthz`), Client.open(this.#server)]);
        if (health.status !== 200) throw new Error(`/healthz says ${health.status}`);
        await one.end();
    }

    // Whatever goes wrong is kept and said; then people try again, as people do.
    async #goOn(what) {
        while (this.#going)
            await what().catch(async error => {
                this.#faults.push(error.message.split('\n')[0].slice(0, 160));
                await sleep(200);
            });
    }

    // How long each acknowledgement took in so many milliseconds, and what went wrong.
    async live(ms) {
        this.#waits = [];
        this.#faults = [];
        await sleep(ms);
        return {waits: this.#waits, faults: this.#faults};
    }

    async end() {
        this.#going = false;
        await this.#people;
    }

    // Rooms of whose acknowledged moves the store has not all, or more than one that was under way. `stored`: by room.
    lost(stored) {
        const rows = [...this.acknowledged].map(([room, count]) => ({room, count, kept: stored.get(room) ?? 0}));
        return rows.filter(({count, kept}) => kept < count || kept > count + 1).map(({room, count, kept}) => `${room}: ${count} acknowledged, ${kept} stored`);
    }
}
