// See tests/attacks/run.
import {execFileSync, spawn} from 'node:child_process';
import {readFileSync, readdirSync} from 'node:fs';
import {availableParallelism} from 'node:os';
import {parseArgs} from 'node:util';
import {Client} from '../support/client.mjs';
import {Server} from '../support/server.mjs';
import {setTable} from '../support/table.mjs';
import {attacks} from './attacks.mjs';

const {values, positionals} = parseArgs({allowPositionals: true, options: {seconds: {type: 'string', default: '10'}, rounds: {type: 'string', default: '1'}}});
const seconds = Number(values.seconds), rounds = Number(values.rounds);
const names = positionals.length ? positionals : Object.keys(attacks);
const unknown = names.find(name => !attacks[name]);
if (unknown || !(seconds > 0) || !(rounds > 0)) {
    console.error(`run [--seconds S] [--rounds N] [${Object.keys(attacks).join('|')}]…`);
    process.exit(2);
}

// What is measured is what an attack does to the server, not to whoever else is on the machine: attackers have the last core,
// honest people the others, the server all.
const cores = availableParallelism();
const ON_THE_LAST_CORE = cores > 1 ? ['taskset', '-c', String(cores - 1)] : [];

const TABLES = 4, MOVES_PER_S = 20; // of each table
const sleep = ms => new Promise(resolve => setTimeout(resolve, ms));
const quantile = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;

const server = new Server(['--limit-loopback']);
const process_ = {
    get ticks() {
        const fields = readFileSync(`/proc/${server.pid}/stat`, 'utf8').replace(/.*\) /, '').split(' ');
        return Number(fields[11]) + Number(fields[12]);
    },
    get megabytes() {
        return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))[1]) / 1024;
    },
    // Of the server's own figures: what SQLite holds (its cache grows with the database to its bound; what is flat or not is the
    // rest), and how long the loop was held at most since this was asked for last.
    async told() {
        const text = await (await fetch(`${server.url}/metrics`)).text();
        const figure = name => Number(new RegExp(`^senet_${name} (\\d+)$`, 'm').exec(text)[1]);
        return {ofStore: figure('store_memory_bytes') / 1048576, longestMs: figure('loop_longest_turn_microseconds') / 1000};
    },
    get descriptors() {
        return readdirSync(`/proc/${server.pid}/fd`).length;
    },
};

// Knights out and back, and a pawn's step now and then so that no position comes back too often.
const LONG_GAME = [...'ahbgcde'].flatMap(file => [[2, 3], [3, 4]].flatMap(([from, to]) => [
    ...Array(3).fill(['g1f3', 'g8f6', 'f3g1', 'f6g8']).flat(), `${file}${from}${file}${to}`, `${file}${9 - from}${file}${9 - to}`,
])).map(move => ({from: move.slice(0, 2), to: move.slice(2)}));

// People who play by twos while it goes on, and once a second somebody new who comes in and asks how the server is.
class HonestPeople {
    waits = [];
    faults = [];
    moves = 0;

    async play(until) {
        while (Date.now() < until) {
            const table = await setTable(server);
            for (const [ply, move] of LONG_GAME.entries()) {
                if (Date.now() >= until) break;
                const due = sleep(1000 / MOVES_PER_S);
                const began = performance.now();
                const answer = await table[ply % 2 ? 'black' : 'white'].ask({type: 'move', room: table.room, move});
                if (answer.type !== 'ack') throw new Error(`a move was answered by ${JSON.stringify(answer)}`);
                this.waits.push(performance.now() - began);
                this.moves++;
                await due;
            }
            await table.clients[0].done({type: 'action', room: table.room, kind: 'resign'});
            await table.end();
        }
    }

    async newcomers(until) {
        while (Date.now() < until) {
            await sleep(1000);
            const [health, one] = await Promise.all([fetch(`${server.url}/healthz`), Client.open(server)]);
            if (health.status !== 200) throw new Error(`/healthz says ${health.status}`);
            await one.end();
        }
    }

    // Whatever goes wrong is kept and said; then people try again, as people do.
    async over(what, until) {
        while (Date.now() < until)
            await this[what](until).catch(async error => {
                this.faults.push(error.message.split('\n')[0].slice(0, 160));
                await sleep(200);
            });
    }

    async live(ms) {
        const until = Date.now() + ms;
        this.waits = [];
        this.faults = [];
        await Promise.all([...Array.from({length: TABLES}, () => this.over('play', until)), this.over('newcomers', until)]);
        const sorted = this.waits.sort((a, b) => a - b);
        return {p50: quantile(sorted, 0.5), p99: quantile(sorted, 0.99), moves: sorted.length, faults: this.faults};
    }
}

// The room attackers go to: a long game that somebody plays.
async function setStage() {
    const table = await setTable(server);
    return table;
}

function attack(name, room) {
    const options = JSON.stringify({port: server.port, seconds, room});
    const child = spawn('nice', ['-n', '5', ...ON_THE_LAST_CORE, process.execPath, new URL('attacker.mjs', import.meta.url).pathname, name, options], {stdio: ['ignore', 'pipe', 'inherit']});
    let out = '';
    child.stdout.on('data', data => (out += data));
    return new Promise(resolve => child.on('exit', () => resolve(out ? JSON.parse(out) : {})));
}

const round = number => (Number.isFinite(number) ? number.toFixed(number < 10 ? 1 : 0) : '–');
let faults = 0;
try {
    await server.start();
    if (cores > 1) execFileSync('taskset', ['-acp', `0-${cores - 2}`, String(process.pid)], {stdio: 'ignore'});
    const honest = new HonestPeople();
    await honest.live(1000);
    const start = {megabytes: process_.megabytes, ofStore: (await process_.told()).ofStore, descriptors: process_.descriptors};
    console.log('| attack | ack p50 / p99 ms | beside it | p99 ratio | moves | faults | loop held ms | server: cpu | MiB | of the store | got |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|---|');
    for (let n = 0; n < rounds; n++)
        for (const name of names) {
            const stage = await setStage();
            const before = await honest.live(seconds * 500);
            await process_.told();
            const ticks = process_.ticks;
            const [beside, got] = await Promise.all([honest.live(seconds * 1000), attack(name, stage.room)]);
            const cpu = process_.ticks - ticks, {ofStore, longestMs} = await process_.told();
            faults += beside.faults.length;
            const said = Object.entries(got).map(([key, count]) => `${key} ${count}`).join(', ');
            console.log(`| ${name}: ${attacks[name].says} | ${round(before.p50)} / ${round(before.p99)} | ${round(beside.p50)} / ${round(beside.p99)} | ${round(beside.p99 / before.p99)} | ${beside.moves} | ${beside.faults.length} | ${round(longestMs)} | ${Math.round(cpu / seconds)} % | ${Math.round(process_.megabytes)} | ${Math.round(ofStore)} | ${said} |`);
            for (const fault of new Set(beside.faults)) console.log(`<!-- ${name}: ${fault} -->`);
            // The room that was attacked still takes what its players may say.
            const over = await stage.white.ask({type: 'action', room: stage.room, kind: 'draw.offer'});
            if (over.type !== 'ack') faults++, console.log(`<!-- ${name}: the players' offer was answered by ${over.code} -->`);
            await stage.end().catch(error => (faults++, console.log(`<!-- ${name}: at the table: ${error.message.slice(0, 200)} -->`)));
        }
    await sleep(1500);
    console.log(`\nmemory ${Math.round(start.megabytes)} → ${Math.round(process_.megabytes)} MiB, of the store ${Math.round(start.ofStore)} → ${Math.round((await process_.told()).ofStore)}, descriptors ${start.descriptors} → ${process_.descriptors}; ${honest.moves} honest moves, ${faults} faults`);
} finally {
    await server.remove();
}
process.exitCode = faults > 0 ? 1 : 0;
