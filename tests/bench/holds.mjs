// How much of the loop's processor time one request about a long game takes, and how long an honest address waits beside one
// that validates as fast as it may. The loop is the server's first thread; the kernel says how long it has worked.
import {readFileSync} from 'node:fs';
import {setTimeout as pause} from 'node:timers/promises';
import {createHash} from 'node:crypto';
import {Client} from '../support/client.mjs';
import {Server} from '../support/server.mjs';

const PLIES = 12000; // as many as fit into a record of 1 MiB
const VALIDATIONS = 45;
const FLAGS = ['--commands-per-second', '50000', '--commands-burst', '50000', '--room-idle-ms', '1000', '--trust-forwarded'];

const FLAT = {coordinates_names: ['x', 'y'], geometry: [[0, 0], [1, 0], [1, 1], [0, 1]], position: {x: 'x', y: 'y'}};
const game = size => ({
    format: 2, name: 'passes', players: ['red', 'green'], cell: FLAT, max_plies: 20000,
    board: {cells: {box: {x: size, y: size}}},
    figures: {man: {movement: [{x: 1, for: 'move'}, {y: 1, repeat: 8, for: 'move'}]}},
    pass: true, turns: ['red', 'green'],
    initial_position: {red: {man: ['0_0']}, green: {man: ['1_0']}},
});

function recordOf(definition, plies) {
    const text = JSON.stringify(definition);
    const events = [{version: 1, at: 1, kind: 'created', body: {game: ''}},
        {version: 2, at: 1, kind: 'joined', body: {seats: ['red', 'green'], player: 'p_aaaaaaaaaaaaaaaa', name: 'A', as: 'human'}}];
    for (let i = 0; i < plies; i++)
        events.push({version: i + 3, at: 1, kind: 'moved', body: {seat: ['red', 'green'][i % 2], move: {pass: true}}});
    const head = {senet_export: 1, room: 'AAAAAAAA', game: '', title: 'passes', definition_hash: createHash('sha256').update(text).digest('hex')};
    return `${JSON.stringify(head).slice(0, -1)},"definition":${JSON.stringify(text)},"events":${JSON.stringify(events)}}`;
}

const loopMs = server => Number(readFileSync(`/proc/${server.pid}/task/${server.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;

async function measured(server, name, act) {
    const began = loopMs(server), then = performance.now();
    const what = await act();
    console.log(`| ${name} | ${(loopMs(server) - began).toFixed(1)} | ${(performance.now() - then).toFixed(0)} |`);
    return what;
}

const server = new Server(FLAGS);
await server.start();
try {
    const ada = await Client.open(server);
    console.log('| request | loop, ms of processor time | answered after, ms |\n|---|---|---|');
    const body = recordOf(game(8), PLIES);
    const answer = await measured(server, `import of ${PLIES} plies`, () => fetch(`${server.url}/api/v1/rooms`, {method: 'POST', body}));
    if (answer.status !== 201) throw new Error(await answer.text());
    const {room} = await answer.json();
    await pause(3000); // it leaves memory
    await measured(server, `waking ${PLIES} plies`, () => ada.done({type: 'history', room, ply: 1}));
    await measured(server, `history of ply ${PLIES - 2000}`, () => ada.done({type: 'history', room, ply: PLIES - 2000}));
    await measured(server, `history of 200 moves`, () => ada.done({type: 'history', room, moves: true, from: PLIES - 300}));
    await measured(server, `fork at ply ${PLIES}`, () => ada.done({type: 'create', fork: {room, ply: PLIES}}));

    const greedy = await Client.open(server, {headers: {'x-forwarded-for': '203.0.113.1'}});
    const honest = await Client.open(server, {headers: {'x-forwarded-for': '203.0.113.2'}});
    const dear = number => ({...game(32), name: `n${number}`});
    for (let i = 0; i < VALIDATIONS; i++) greedy.send({type: 'games', id: `g${i}`, op: 'validate', definition: dear(i)});
    await measured(server, `validation beside ${VALIDATIONS} of another address`, () => honest.done({type: 'games', op: 'validate', definition: dear(-1)}));
} finally {
    await server.remove();
}
