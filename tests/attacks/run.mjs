// See tests/attacks/run.
import {execFileSync, spawn} from 'node:child_process';
import {readFileSync, readdirSync} from 'node:fs';
import {availableParallelism} from 'node:os';
import {parseArgs} from 'node:util';
import {Server} from '../support/server.mjs';
import {setTable} from '../support/table.mjs';
import {attacks} from './attacks.mjs';
import {HonestPeople, look} from './honest.mjs';

const PEOPLE = 8; // so many more or fewer come and go
const QUICK_COMMIT_MS = 4, SETTLE_S = 20, STAGE_TRIES = 5;
const FLAT_PERCENT = 5, FLAT_ROUNDS = 4; // memory, up and down from the middle, from the second round on; with fewer rounds it is only said
const {values, positionals} = parseArgs({allowPositionals: true, options: {
    seconds: {type: 'string', default: '10'}, rounds: {type: 'string', default: '1'}, minutes: {type: 'string', default: '0'},
    rest: {type: 'string', default: '90'}, aside: {type: 'boolean', default: false},
}});
const seconds = Number(values.seconds), rounds = Number(values.rounds), minutes = Number(values.minutes), rest = Number(values.rest);
const names = positionals.length ? positionals : Object.keys(attacks);
const unknown = names.find(name => !attacks[name]);
if (unknown || !(seconds > 0) || !(rounds > 0) || !(minutes >= 0) || !(rest >= 0)) {
    console.error(`run [--seconds S] [--rounds N | --minutes M] [--rest S] [--aside] [${Object.keys(attacks).join('|')}]…`);
    process.exit(2);
}

// What is measured is what an attack does to the server, not to whoever else is on the machine: attackers have what is left of
// the last core, honest people the others, the server all.
const cores = availableParallelism();
const ON_THE_LAST_CORE = cores > 1 ? ['taskset', '-c', String(cores - 1), 'chrt', '--idle', '0'] : [];

const sleep = ms => new Promise(resolve => setTimeout(resolve, ms));
const number = value => (Number.isFinite(value) ? value.toFixed(value < 10 ? 1 : 0) : '–');
const faults = []; // whatever must not be

// Of many waits: the median and the 99th percentile.
class Waits {
    constructor(...lists) {
        this.sorted = Float64Array.from(lists.flat()).sort();
    }

    at(share) {
        return this.sorted[Math.min(this.sorted.length - 1, Math.floor(this.sorted.length * share))] ?? NaN;
    }

    get p99() {
        return this.at(0.99);
    }

    toString() {
        return `${number(this.at(0.5))} / ${number(this.p99)}`;
    }
}

// A room nobody moved in or is in goes after a second, in each row: housekeeping is always under way while people play.
const FLAGS = ['--limit-loopback', '--room-idle-ms', '1000', '--keep-unmoved-s', '1', '--prune-every-s', '1'];
const server = new Server(FLAGS);
// Who is attacked: this server, or with --aside one of its own on the same cores. What honest people lose beside that one is the
// machine's time, and no server can give it back to them.
const attacked = values.aside ? new Server(FLAGS) : server;
const process_ = {
    get ticks() {
        const fields = readFileSync(`/proc/${server.pid}/stat`, 'utf8').replace(/.*\) /, '').split(' ');
        return Number(fields[11]) + Number(fields[12]);
    },
    get megabytes() {
        return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))[1]) / 1024;
    },
    // Of the server's own figures: what SQLite holds (its cache grows with the database to its bound; what is flat or not is the
    // rest), what is asked for of its heaps and not freed, SQLite's included, rooms in memory, how long the loop was held at most since this was asked for last, and how many commits took how many ms or less.
    async told() {
        const {text} = await look(`${server.url}/metrics`);
        const figure = name => Number(new RegExp(`^senet_${name} (\\d+)$`, 'm').exec(text)[1]);
        const commits = [...text.matchAll(/^senet_store_commit_seconds_bucket\{le="([^"]*)"\} (\d+)$/gm)].map(([, le, count]) => [1000 * Number(le.replace('+Inf', 'Infinity')), Number(count)]);
        return {ofStore: figure('store_memory_bytes') / 1048576, used: figure('heap_used_bytes') / 1048576, rooms: figure('rooms_live'), longestMs: figure('loop_longest_turn_microseconds') / 1000, commits};
    },
    get descriptors() {
        return readdirSync(`/proc/${server.pid}/fd`).length;
    },
};

// What 99 of 100 commits between two tellings took at most: the disk's part of an acknowledgement. In steps of two.
function commitsP99(before, after) {
    const all = after.commits.at(-1)[1] - before.commits.at(-1)[1];
    return after.commits.find(([, count], i) => count - before.commits[i][1] >= 0.99 * all)[0];
}

function attack(name, room) {
    const options = JSON.stringify({port: attacked.port, seconds, room});
    const child = spawn('nice', ['-n', '5', ...ON_THE_LAST_CORE, process.execPath, new URL('attacker.mjs', import.meta.url).pathname, name, options], {stdio: ['ignore', 'pipe', 'inherit']});
    let out = '';
    child.stdout.on('data', data => (out += data));
    return new Promise(resolve => child.on('exit', () => resolve(out ? JSON.parse(out) : {})));
}

// What was written before, by a build for instance, the disk still has to write: nothing is measured until 99 of 100 commits are
// quick, twice in a row; or that does not come, and is said.
async function settle() {
    let told = await process_.told();
    for (let s = 0, quick = 0; s < SETTLE_S && quick < 2; s++) {
        await honest.live(1000);
        const before = told;
        told = await process_.told();
        const p99 = commitsP99(before, told);
        quick = p99 <= QUICK_COMMIT_MS ? quick + 1 : 0;
        if (quick === 2 || s === SETTLE_S - 1) console.log(`before the first: ${s + 1} s, in the last 99 of 100 commits within ${number(p99)} ms`);
    }
}

let honest, most; // most: descriptors while only people are there
const rows = [], ends = []; // ends: memory without the store's after each round: resident, and used by somebody

// On a machine that has no time for us for ten seconds its people are no longer expected when they say who they are: once more, then.
async function setStage() {
    for (let tries = 1; ; tries++)
        try {
            return await setTable(attacked);
        } catch (error) {
            if (tries === STAGE_TRIES) throw error;
            console.error(`at the table, try ${tries}: ${error.message.slice(0, 120)}`);
        }
}

async function measure(name) {
    const stage = await setStage();
    const before = await honest.live(seconds * 500);
    const toldBefore = await process_.told();
    const ticks = process_.ticks;
    const [beside, got] = await Promise.all([honest.live(seconds * 1000), attack(name, stage.room)]);
    const cpu = (process_.ticks - ticks) / seconds, told = await process_.told();
    const row = {name, cpu, ofStore: told.ofStore, longestMs: told.longestMs, commitsP99: commitsP99(toldBefore, told), megabytes: process_.megabytes, got, beside: new Waits(beside.waits), faults: [...before.faults, ...beside.faults]};
    // The room that was attacked still takes what its players may say.
    const over = await stage.white.ask({type: 'action', room: stage.room, kind: 'draw.offer'}).catch(error => ({code: error.message.slice(0, 200)}));
    if (over.type !== 'ack') row.faults.push(`the players' offer was answered by ${over.code}`);
    await stage.end().catch(error => row.faults.push(`at the table: ${error.message.slice(0, 200)}`));
    await attackersAreGone();
    const after = await honest.live(seconds * 500);
    row.faults.push(...after.faults);
    row.without = new Waits(before.waits, after.waits);
    for (const fault of new Set(row.faults)) faults.push(`${name}: ${fault}`);
    rows.push(row);
    console.error(`${name}: ${row.without} without, ${row.beside} beside it`);
}

// Thousands of connections that were cut are closed a part at a time.
async function attackersAreGone() {
    for (const end = Date.now() + 5000; process_.descriptors > most + PEOPLE && Date.now() < end; ) await sleep(50);
}

async function comeToRest(descriptors) {
    for (const end = Date.now() + 20000; process_.descriptors > descriptors && Date.now() < end; ) await sleep(100);
    if (process_.descriptors > descriptors) faults.push(`${process_.descriptors - descriptors} descriptors more than at the start`);
}

function sayTable() {
    const without = new Waits(...rows.map(row => [...row.without.sorted]));
    console.log('| attack | ack p50 / p99 ms without | beside it | p99, times that of all rows without | moves without, beside | commits p99 ms | faults | loop held ms | server: cpu | MiB | of the store | got |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|---|');
    for (const row of rows) {
        const said = Object.entries(row.got).map(([key, count]) => `${key} ${count}`).join(', ');
        console.log(`| ${row.name}: ${attacks[row.name].says} | ${row.without} | ${row.beside} | ${number(row.beside.p99 / without.p99)} | ${row.without.sorted.length}, ${row.beside.sorted.length} | ≤ ${number(row.commitsP99)} | ${row.faults.length} | ${number(row.longestMs)} | ${Math.round(row.cpu)} % | ${Math.round(row.megabytes)} | ${Math.round(row.ofStore)} | ${said} |`);
    }
    console.log(`\nwithout attack, all rows: ${without} ms, ${without.sorted.length} moves`);
}

// Rooms of attackers have left memory by then, and what was free on top of what lives went back to the system: what is there after
// each round is the same people at their games.
async function lookAtMemory() {
    if (rounds > 1 || minutes > 0) await honest.live(rest * 1000);
    const told = await process_.told(), end = {resident: process_.megabytes - told.ofStore, used: told.used - told.ofStore, rooms: told.rooms};
    ends.push(end);
    console.error(`after round ${ends.length}: ${number(end.resident)} MiB without the store's, ${number(end.used)} of them used, ${end.rooms} rooms`);
}

// How far they go up and down from the middle, in percent.
function deviation(sizes) {
    const least = Math.min(...sizes), most_ = Math.max(...sizes);
    return (100 * (most_ - least)) / (most_ + least);
}

function sayMemory() {
    if (ends.length < 3) return;
    const settled = ends.slice(1), change = deviation(settled.map(end => end.resident));
    const list = name => ends.map(end => end[name].toFixed(1)).join(', ');
    console.log(`memory without the store's, after each round: ${list('resident')} MiB; from the second on ± ${change.toFixed(1)} %`);
    console.log(`of it used by somebody: ${list('used')} MiB; ± ${deviation(settled.map(end => end.used)).toFixed(1)} %; rooms in memory: ${ends.map(end => end.rooms).join(', ')}`);
    if (ends.length >= FLAT_ROUNDS && change > FLAT_PERCENT) faults.push(`memory is not flat within ± ${FLAT_PERCENT} %`);
}

// What was acknowledged is in the store, once the server has ended.
async function sayWhatIsStored() {
    await server.stop();
    const stored = new Map(server.sql("SELECT group_concat(room || ' ' || count, char(10)) FROM (SELECT room, count(*) AS count FROM event WHERE kind = 'moved' GROUP BY room)").split('\n').map(line => line.split(' ')).map(([room, count]) => [room, Number(count)]));
    const lost = honest.lost(stored);
    console.log(`${honest.moves} honest moves in ${honest.acknowledged.size} rooms, of ${lost.length} rooms not stored as acknowledged`);
    faults.push(...lost);
}

async function goThroughAll() {
    const began = Date.now();
    const goesOn = round => (minutes > 0 ? Date.now() < began + minutes * 60000 : round < rounds);
    for (let round = 0; goesOn(round); round++) {
        for (const name of names) if (round === 0 || goesOn(round)) await measure(name);
        if (round === 0 || minutes === 0 || goesOn(round)) await lookAtMemory();
    }
    console.log(`${rows.length} attacks in ${Math.round((Date.now() - began) / 60000)} minutes`);
}

try {
    execFileSync('sync');
    await server.start();
    if (attacked !== server) await attacked.start();
    if (cores > 1) execFileSync('taskset', ['-acp', `0-${cores - 2}`, String(process.pid)], {stdio: 'ignore'});
    const start = {megabytes: process_.megabytes, descriptors: process_.descriptors};
    honest = new HonestPeople(server);
    await settle();
    most = process_.descriptors;
    await goThroughAll();
    await honest.end();
    await comeToRest(start.descriptors);
    sayTable();
    sayMemory();
    console.log(`memory ${Math.round(start.megabytes)} → ${Math.round(process_.megabytes)} MiB, descriptors ${start.descriptors} → ${process_.descriptors}`);
    await sayWhatIsStored();
    for (const fault of faults) console.log(`<!-- ${fault} -->`);
    console.log(`${faults.length} faults`);
} finally {
    await server.remove();
    if (attacked !== server) await attacked.remove();
}
process.exitCode = faults.length > 0 ? 1 : 0;
