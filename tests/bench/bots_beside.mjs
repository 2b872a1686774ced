// How long acknowledgements take while bots of the highest level think, beside as long without them, in turns: the same rooms of
// people go on throughout.
import {setTimeout as pause} from 'node:timers/promises';
import {HonestPeople} from '../attacks/honest.mjs';
import {Client} from '../support/client.mjs';
import {Server} from '../support/server.mjs';

const number = (at, otherwise) => Number(process.argv[at] ?? otherwise);
const [BOTS, SECONDS, ROUNDS] = [number(2, 50), number(3, 10), number(4, 5)];
const LEVEL = 8, ASKED = 1.5;
const FLAGS = ['--bot-think-ms', '0', '--address-bots', '4096', '--address-rooms-per-minute', '1000000', '--address-rooms-burst', '1000000'];

// People who move at once, so that the bot always thinks; while `goes` is false they leave their move for later.
class Tables {
    goes = false;
    turns = 0; // a bot has answered so often
    #ended = false;
    #all;

    constructor(server, count) {
        this.#all = Array.from({length: count}, () => this.#goOn(server));
    }

    async #goOn(server) {
        const one = await Client.open(server);
        while (!this.#ended) await this.#play(one);
        await one.end();
    }

    async #play(one) {
        const {room} = await one.done({type: 'create', game: 'chess', visibility: 'private'});
        await one.done({type: 'join', room, seat: 'white'});
        await one.next({type: 'snapshot', room});
        await one.done({type: 'action', room, kind: 'bot.invite', level: LEVEL});
        while (!this.#ended && one.rooms.get(room).state.status !== 'finished') {
            if (!this.goes) {
                await pause(20);
                continue;
            }
            one.drain();
            const {moves} = await one.done({type: 'legal_moves', room});
            await one.done({type: 'move', room, move: moves[Math.floor(Math.random() * moves.length)]});
            while (one.rooms.get(room).state.to_move === 'black') await one.next({type: 'event', room});
            this.turns++;
        }
        await one.done({type: 'leave', room});
    }

    async end() {
        this.#ended = true;
        await Promise.all(this.#all);
    }
}

const percentile = (waits, share) => waits.toSorted((a, b) => a - b)[Math.min(waits.length - 1, Math.floor(waits.length * share))];
const said = waits => `${percentile(waits, 0.5).toFixed(2)} / ${percentile(waits, 0.99).toFixed(2)}`;

const server = new Server(FLAGS);
await server.start();
try {
    const people = new HonestPeople(server), tables = new Tables(server, BOTS), without = [], beside = [], faults = [];
    tables.goes = true;
    while (tables.turns < BOTS) await pause(100); // what the game is worth is worked out at the first question
    tables.goes = false;
    await pause(2000);
    console.log(`Acknowledgements of ${SECONDS} s in turns, median / 99th percentile, ms\n\n| round | without | beside ${BOTS} bots of level ${LEVEL} | moves of bots |\n|--:|--:|--:|--:|`);
    for (let round = 1; round <= ROUNDS; round++) {
        const before = await people.live(SECONDS * 1000), turns = tables.turns;
        tables.goes = true;
        const meanwhile = await people.live(SECONDS * 1000);
        tables.goes = false;
        await pause(2000); // what they think of is thought to its end
        without.push(...before.waits);
        beside.push(...meanwhile.waits);
        faults.push(...before.faults, ...meanwhile.faults);
        console.log(`| ${round} | ${said(before.waits)} | ${said(meanwhile.waits)} | ${tables.turns - turns} |`);
    }
    const ratio = percentile(beside, 0.99) / percentile(without, 0.99);
    console.log(`| all | ${said(without)} | ${said(beside)} | |\n\n99th percentile ${ratio.toFixed(2)} times as long (asked: ${ASKED})`);
    for (const fault of faults) console.log(`fault: ${fault}`);
    const isMet = ratio <= ASKED; // which no ratio is of nothing measured
    if (!isMet) console.error(`beside bots the 99th percentile of acknowledgements is ${ratio.toFixed(2)} times as long as without them; at most ${ASKED} times was asked for`);
    process.exitCode = faults.length > 0 || !isMet ? 1 : 0;
    await people.end();
    await tables.end();
} finally {
    await server.remove();
}
