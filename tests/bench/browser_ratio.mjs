// The same questions to both engines, in turns, so that what else runs on the machine counts for both.
import {spawn} from 'node:child_process';
import {readFileSync, statSync} from 'node:fs';
import {createInterface} from 'node:readline';
import {gzipSync} from 'node:zlib';
import {openEngine} from '../../server/web/engine/lines.js';
import {wholeGame} from '../support/games.mjs';

const ROWS = [['chess', 5], ['xiangqi', 4], ['international-draughts', 8], ['breakthrough', 5], ['glinski', 4], ['intellector', 4], ['raumschach', 4]];
const rounds = Number(process.argv[2] ?? 5);
const bytes = readFileSync('build/browser/engine.wasm');

const timed = async what => {
    const began = process.hrtime.bigint();
    const answer = await what();
    return {answer, seconds: Number(process.hrtime.bigint() - began) / 1e9};
};

function native(game) {
    const child = spawn(process.env.SENET_PROGRAM, ['engine', `games/${game}.json`], {stdio: ['pipe', 'pipe', 'inherit']});
    const answers = createInterface({input: child.stdout})[Symbol.asyncIterator]();
    return {
        ask: async request => (child.stdin.write(`${JSON.stringify(request)}\n`), JSON.parse((await answers.next()).value)),
        end: () => child.stdin.end(),
    };
}

const {answer: module, seconds} = await timed(() => WebAssembly.compile(bytes));
console.log(`engine.wasm: ${statSync('build/browser/engine.wasm').size} bytes, ${gzipSync(bytes, {level: 9}).length} by gzip; compiled in ${(seconds * 1000).toFixed(0)} ms\n`);
console.log('| perft | native, million/s | browser | ratio | loaded in ms |\n|---|--:|--:|--:|--:|');

for (const [game, depth] of ROWS) {
    const wasm = openEngine(module), other = native(game);
    const ask = request => JSON.parse(wasm.answer(JSON.stringify(request)));
    const text = wholeGame(game);
    const loaded = await timed(() => ask({do: 'game', text, short: true}));
    const rates = {here: [], there: []};
    for (let round = -1; round < rounds; round++) { // the first round warms up
        const here = await timed(() => ask({do: 'perft', depth})), there = await timed(() => other.ask({do: 'perft', depth}));
        if (here.answer.nodes !== there.answer.nodes) throw new Error(`${game}: ${here.answer.nodes} and ${there.answer.nodes} leaves`);
        if (round < 0) continue;
        rates.here.push(here.answer.nodes / here.seconds / 1e6);
        rates.there.push(there.answer.nodes / there.seconds / 1e6);
    }
    other.end();
    const median = list => list.sort((a, b) => a - b)[Math.floor(list.length / 2)];
    const [here, there] = [median(rates.here), median(rates.there)];
    console.log(`| ${game}, depth ${depth} | ${there.toFixed(1)} | ${here.toFixed(1)} | ${(here / there).toFixed(2)} | ${(loaded.seconds * 1000).toFixed(0)} |`);
}
