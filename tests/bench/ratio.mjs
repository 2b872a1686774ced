// Perft of our engine and of Fairy-Stockfish, measured in turns. Both processes live through all rounds and are held on one core (they
// inherit it from the caller); a round repeats the count until it has taken ROUND_MS of processor time, which is taken from the
// kernel for each of them, so that what else runs on the machine counts for neither. Nodes must be equal.
import {spawnSync} from 'node:child_process';
import {readdirSync, readFileSync} from 'node:fs';
import {gameFile, Senet} from '../oracles/senet.mjs';
import {Uci} from '../oracles/uci.mjs';

const ROUND_MS = 400;
const KIWIPETE = 'r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1';
const JANGGI = 'rnba1abnr/4k4/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/4K4/RNBA1ABNR w - - 0 1';
const ROWS = [
    {name: 'chess, start', game: 'chess', depth: 5, aim: 7},
    {name: 'chess, Kiwipete', game: 'chess', position: KIWIPETE, depth: 4, aim: 7},
    {name: 'xiangqi', game: 'xiangqi', depth: 4, aim: 2},
    {name: 'makruk', game: 'makruk', depth: 5, aim: 2},
    {name: 'janggi', game: 'janggi', position: JANGGI, depth: 4, aim: 2},
    {name: 'breakthrough', game: 'breakthrough', depth: 5, aim: 2},
    {name: 'antichess', game: 'antichess', depth: 5},
    {name: 'three-check', game: 'three-check', variant: '3check', depth: 5},
    {name: 'racing kings', game: 'racing-kings', variant: 'racingkings', depth: 4},
    {name: 'horde', game: 'horde', depth: 6},
];
const PLAYED = ['chess', 'breakthrough', 'english-draughts', 'international-draughts', 'amazons', 'xiangqi', 'glinski'];
const rounds = Number(process.argv[2] ?? 7);
const wanted = process.argv.slice(3);

// Nanoseconds on the processor, of all its threads.
function processorTime(pid) {
    return readdirSync(`/proc/${pid}/task`).reduce((sum, thread) =>
        sum + Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]), 0);
}

// Nodes a second, in millions, of one round.
async function rate(pid, count) {
    const begin = processorTime(pid);
    let nodes = 0, taken = 0;
    do {
        nodes += await count();
        taken = processorTime(pid) - begin;
    } while (taken < ROUND_MS * 1e6);
    return nodes / taken * 1e3;
}

const best = rates => Math.max(...rates);
const median = rates => [...rates].sort((a, b) => a - b)[rates.length >> 1];
const shown = number => number.toFixed(1);

async function compare({name, game, variant = game, position, depth, aim}) {
    const senet = new Senet(game), fairy = await Uci.start('fairy-stockfish', {UCI_Variant: variant});
    if (position) await senet.load(position);
    else await senet.new();
    fairy.say(`position ${position ? `fen ${position}` : 'startpos'}`);
    const count = {
        ours: async () => (await senet.ask({do: 'perft', depth})).nodes,
        theirs: async () => Number((await fairy.ask(`go perft ${depth}`, line => line.startsWith('Nodes searched'))).at(-1).split(': ')[1]),
    };
    const nodes = await Promise.all([count.ours(), count.theirs()]);
    if (nodes[0] !== nodes[1]) console.log(`${name}: ${nodes[0]} nodes, Fairy-Stockfish counts ${nodes[1]}`);
    const ours = [], theirs = [];
    for (let round = 0; round < rounds; round++) {
        ours.push(await rate(senet.pid, count.ours));
        theirs.push(await rate(fairy.pid, count.theirs));
    }
    await Promise.all([senet.quit(), fairy.quit()]);
    const ratio = of => shown(of(ours) / of(theirs));
    console.log(`| ${name} (${depth}) | ${shown(best(ours))} | ${shown(median(ours))} | ${shown(best(theirs))} | ${shown(median(theirs))} | ` +
        `${ratio(best)} | ${ratio(median)} | ${aim ? `> ${aim}` : ''} |`);
}

console.log('| perft (depth) | ours, M nodes/s | median | fairy-stockfish | median | ratio | of medians | aim |');
console.log('|---|--:|--:|--:|--:|--:|--:|--:|');
for (const row of ROWS) if (wanted.length === 0 || wanted.includes(row.game)) await compare(row);

// Whole random games by the code that play uses (legal moves, make, is it over), and those cut at 200 plies: columns of engine_bench.
function randomGames() {
    const games = PLAYED.filter(game => wanted.length === 0 || wanted.includes(game));
    if (!process.env.SENET_BENCH || games.length === 0) return;
    console.log('\n| random games | thousands a second | M moves/s | cut at 200 plies | M moves/s |\n|---|--:|--:|--:|--:|');
    for (const game of games) {
        const {stdout} = spawnSync(process.env.SENET_BENCH, ['--quick', gameFile(game)], {encoding: 'utf8'});
        const line = stdout.trim().split('\n')[1].split('\t');
        console.log(`| ${[game, ...line.slice(-4)].join(' | ')} |`);
    }
}

randomGames();
