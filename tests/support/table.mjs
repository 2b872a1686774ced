// Rooms with people in them, for tests that begin where the game does.
import {Client} from './client.mjs';

// `create`: what to create; `seats`: who sits there, in that order, each with a client of its own.
export async function setTable(server, {create = {game: 'chess'}, seats = ['white', 'black'], watch = false, record} = {}) {
    const clients = await Promise.all([...seats, ...(watch ? ['spectator'] : [])].map(() => Client.open(server, {record})));
    const {room} = await clients[0].done({type: 'create', ...create});
    const table = {room, clients, end: () => Promise.all(clients.map(client => client.end()))};
    for (const [index, client] of clients.entries()) {
        const seat = seats[index] ?? 'spectator';
        table[seat] = client;
        client.snapshot = await takeSeat(client, room, seat);
    }
    for (const client of clients) {
        await client.settle();
        client.drain();
    }
    return table;
}

export async function takeSeat(client, room, seat, rest = {}) {
    await client.done({type: 'join', room, seat, name: seat, ...rest});
    return await client.next({type: 'snapshot', room});
}

// Plays "e2e4 e7e5 … b7a8=queen pass" alternately; resolves with the answers.
export async function playMoves(table, words, seats = ['white', 'black']) {
    const answers = [];
    for (const [ply, word] of words.split(' ').entries()) {
        answers.push(await table[seats[ply % seats.length]].done({type: 'move', room: table.room, move: moveOf(word)}));
    }
    return answers;
}

function moveOf(word) {
    if (word === 'pass') return {pass: true};
    const [way, choice] = word.split('=');
    const [from, to] = way.includes('-') ? way.split('-') : [way.slice(0, 2), way.slice(2)];
    return {from, to, ...(choice && {choice})};
}

// For tests in which a clock runs out: `play` is told how many milliseconds there are, and gives false where this machine took them
// all by itself. Then it is played again with twice as much, so that nothing fails for being slow.
export async function inTime(firstMs, play) {
    for (let ms = firstMs; !(await play(ms)); ms *= 2);
}

// What the server counted of the time that a move took, its player's and that of the way.
export const countedMs = ({spent_ms = 0, compensated_ms = 0}) => spent_ms + compensated_ms; // a time of 0 is not said

// The server counts whole milliseconds, from one moment and to another.
export const ROUNDING_MS = 2;

// The shepherd's mate: four moves of white.
export const SHORT_GAME = 'e2e4 e7e5 f1c4 b8c6 d1h5 g8f6 h5f7';

// A race over twelve cells: each goes one to three steps at a time, not onto another; who reaches the last cell wins.
export function makeRace(players) {
    const states = {round: {type: 'next_move', next: 'turn 0'}};
    players.forEach((player, index) => {
        const next = index === players.length - 1 ? 'round' : `turn ${index + 1}`;
        states[`turn ${index}`] = {type: 'move', parameters: {player}, next: `check ${index}`};
        states[`check ${index}`] = {
            type: 'check_win', parameters: {player},
            next: [{if: [{result: true}], state: `won ${index}`}, {if: [{result: false}], state: next}],
        };
        states[`won ${index}`] = {type: 'end', winner: player, reason: `${player} is home`};
    });
    return {
        name: 'race', title: 'Race ♟', players,
        cell: {coordinates_names: ['x'], geometry: [[0, 0], [1, 0], [1, 1], [0, 1]], position: {x: 'x', y: '0'}, name: "'κ' + (x + 1)"},
        board: {cells: Array.from({length: 12}, (_, x) => ({x}))},
        figures: {stone: {movement: [{x: 1}, {x: 2}, {x: 3}], cell_actions: {destination: [{actions: ['move'], if: [{computed: {is_figure: false}}]}]}}},
        initial_position: Object.fromEntries(players.map((player, x) => [player, {stone: [{x}]}])),
        win_conditions: Object.fromEntries(players.map(player => [player, [{entity: 'cell', filter: {player, coordinates: {x: 11}}, type: 'exists', result: true}]])),
        game_states: states, initial_game_state: 'turn 0',
    };
}

// Three, with names that have to be escaped somewhere.
export const RACE = makeRace(['Ёж', 'the "second"', 'c']);

// A room with one client on all seats; `play` makes one move and gives the event of it.
export async function sitAlone(server, record, create) {
    const client = await Client.open(server, {record});
    const {room} = await client.done({type: 'create', ...create});
    const snapshot = await takeSeat(client, room, 'all');
    await client.settle();
    client.drain();
    const play = async move => {
        await client.done({type: 'move', room, move});
        return await client.next({type: 'event', kind: 'moved'});
    };
    return {client, room, snapshot, play, state: () => client.rooms.get(room).state};
}
