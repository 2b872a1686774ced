// See tests/bench/kills.
import {parseArgs} from 'node:util';
import {Server} from '../support/server.mjs';
import {killAgainAndAgain} from '../support/kills.mjs';
import {seed} from '../support/load.mjs';

const FIRST_ACK_MS = 2000;

const {values} = parseArgs({
    options: {
        store: {type: 'string', default: 'both'},
        kills: {type: 'string', default: '200'},
        moves: {type: 'string', default: '1000000'},
        rooms: {type: 'string', default: '64'},
    },
});
const [kills, moves, rooms] = [values.kills, values.moves, values.rooms].map(Number);
const stores = values.store === 'both' ? ['sqlite', 'postgres'] : [values.store];
if (!(kills > 0 && moves >= 0 && rooms > 0) || !stores.every(store => ['sqlite', 'postgres'].includes(store))) {
    console.error('kills [--store sqlite|postgres|both] [--kills N] [--moves N] [--rooms N]');
    process.exit(2);
}

const quantile = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];

async function kill(store) {
    const server = new Server([], store === 'postgres' ? {postgres: process.env.SENET_TEST_POSTGRES} : {});
    const began = Date.now();
    const tell = ({kill, moves: played, firstAckMs}) => {
        if (kill % 10 === 0 || kill === kills)
            console.log(`${store}: ${kill} kills, ${played} moves acknowledged, ${Math.round((Date.now() - began) / 1000)} s, first ack ${firstAckMs} ms`);
    };
    const result = await killAgainAndAgain(server, {kills, rooms, movesPerLife: Math.ceil(moves / kills), tell});
    return {...result, seconds: (Date.now() - began) / 1000};
}

function summary(store, {moves: acknowledged, waits, seconds}) {
    const sorted = [...waits].sort((a, b) => a - b);
    const late = sorted.filter(ms => ms >= FIRST_ACK_MS).length;
    console.log(`
${store}: ${kills} kills in ${Math.round(seconds)} s, ${acknowledged} moves acknowledged in ${rooms} rooms of two
    each looked up in the server's log: 0 lost, 0 twice, 0 out of order; no gaps, and no other moves in the database
    from the kill to the first acknowledgement: median ${quantile(sorted, 0.5)} ms, 99 % within ${quantile(sorted, 0.99)} ms, slowest ${sorted.at(-1)} ms; ${late} of ${FIRST_ACK_MS} ms or more
    ${late === 0 ? 'passed' : 'FAILED'}`);
    return late === 0;
}

console.log(`seed ${seed}`);
let passed = true;
for (const store of stores) {
    try {
        passed = summary(store, await kill(store)) && passed;
    } catch (error) {
        passed = false;
        console.log(`\n${store}: FAILED (seed ${seed})\n    ${error.stack}`);
    }
}
process.exit(passed ? 0 : 1);
