// See tests/bench/faults.
import {parseArgs} from 'node:util';
import {program} from '../support/server.mjs';
import {random, seed} from '../support/load.mjs';
import {House, NOTHING, quantile, rolled, STRIKES, wordsOf} from '../support/faults.mjs';
import {Pages} from '../support/pages.mjs';

const STILL_MS_MIN = 1000;
const THINK_MS = 400;
const STOOD_STILL_MS = 500; // of a machine that others keep busy
const ALIKE_MS = 2000; // after that everybody has been shown the same
// So long may a table pause, but for one in a hundred. Without PostgreSQL there is nothing to do but wait.
const PAUSE_MS = {'node KILL': 2000, 'node TERM': 5000, 'node STOP': 10000, 'node cut from clients': 10000, 'node cut from postgres': 10000, 'node cut from nats': 10000, 'nats KILL': 5000, 'nats TERM': 5000, 'nats STOP': 10000};

const {values} = parseArgs({
    options: {
        kills: {type: 'string', default: '100'},
        others: {type: 'string', default: '30'},
        tables: {type: 'string', default: '64'},
        still: {type: 'string', default: '60000'},
        minutes: {type: 'string', default: '600'},
        roll: {type: 'string', default: '0'},
        old: {type: 'string', default: program},
    },
});
const [kills, others, tables, stillMax, minutes, roll] = [values.kills, values.others, values.tables, values.still, values.minutes, values.roll].map(Number);
if (!(kills >= 0 && others >= 0 && tables > 0 && stillMax >= STILL_MS_MIN && minutes > 0 && roll >= 0)) {
    console.error('faults [--kills N] [--others N] [--tables N] [--still MS] [--minutes N] [--roll N] [--old PROGRAM]');
    process.exit(2);
}

// All servers, one after the other, from the one program to the other and back; else what there is, in any order.
function drawRounds() {
    if (roll > 0) return Array.from({length: roll}, (_, i) => rolled(i % 2 === 0 ? program : values.old)).flat();
    const rounds = [...STRIKES, NOTHING].flatMap(strike => Array(wordsOf(strike) === 'node KILL' ? kills : others).fill(strike));
    for (let i = rounds.length - 1; i > 0; i--) {
        const j = random(i + 1);
        [rounds[i], rounds[j]] = [rounds[j], rounds[i]];
    }
    return rounds;
}

// Most are still for seconds, some for a minute.
const stillFor = ({how}) =>
    how === 'STOP' || how === 'CUT' ? STILL_MS_MIN + Math.floor((stillMax - STILL_MS_MIN) * (random(1000) / 1000) ** 4) : random(1000);

console.log(`seed ${seed}`);
const house = new House();
const pages = roll > 0 ? new Pages() : null;
const pauses = new Map(), alike = [];
const began = Date.now();
let passed = true;
try {
    await house.open(tables, THINK_MS, roll > 0 ? values.old : undefined);
    await pages?.open(i => house.way(i));
    for (const [i, strike] of drawRounds().entries()) {
        if (Date.now() - began > minutes * 60000) break;
        const still = stillFor(strike), kind = wordsOf(strike);
        const round = await house.round(strike, still);
        await pages?.playOn(2);
        pauses.set(kind, [...(pauses.get(kind) ?? []), ...round.pauses]);
        alike.push(round.alikeMs);
        console.log(`${i + 1}: ${kind} (${still} ms): pause median ${quantile(round.pauses, 0.5)}, at most ${Math.max(...round.pauses)} ms; alike after ${round.alikeMs} ms; ${house.moves} moves${round.stoodStillMs > STOOD_STILL_MS ? `; the clients stood still for ${round.stoodStillMs} ms` : ''}`);
    }
    await pages?.finish();
    await house.finish(pages?.moves);
    console.log(`${house.moves} moves in ${Math.round((Date.now() - began) / 1000)} s: 0 lost, 0 twice, 0 out of order`);
    if (pages)
        console.log(`two pages in a browser: ${pages.moves} moves, none loaded anew; from a click until both had seen it median ${quantile(pages.pauses, 0.5)} ms, at most ${Math.max(...pages.pauses)} ms`);
} catch (error) {
    passed = false;
    console.log(`FAILED (seed ${seed})\n    ${error.stack}`);
} finally {
    await pages?.close();
    await house.close();
}
for (const [kind, list] of [...pauses].sort()) {
    const most = quantile(list, 0.99), asked = PAUSE_MS[kind];
    passed &&= !(most >= asked);
    console.log(`${kind.padEnd(23)} ${String(list.length / tables).padStart(3)} times: pause of a table median ${quantile(list, 0.5)} ms, 99 % within ${most} ms${asked ? ` (asked: ${asked})` : ''}, longest ${Math.max(...list)} ms`);
}
if (alike.length > 0) {
    const late = alike.filter(ms => ms >= ALIKE_MS).length;
    passed &&= late === 0;
    console.log(`all clients of a room alike after ${quantile(alike, 0.5)} ms in the median, ${Math.max(...alike)} ms at most; ${late} times after ${ALIKE_MS} ms or more`);
}
console.log(passed ? 'passed' : 'FAILED');
process.exit(passed ? 0 : 1);
