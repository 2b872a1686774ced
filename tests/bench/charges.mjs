// See tests/bench/charges: what a command costs the server in processor time, beside what it is charged.
import {readdirSync, readFileSync} from 'node:fs';
import {parseArgs} from 'node:util';
import {Agent, request} from 'node:http';
import {deflateSync} from 'node:zlib';
import {Client, WebSocket} from '../support/client.mjs';
import {Server} from '../support/server.mjs';
import {takeSeat} from '../support/table.mjs';

const RATIO_MAX = 3;
const {values} = parseArgs({options: {only: {type: 'string', default: ''}, ms: {type: 'string', default: '400'}}});
const CPU_NS = Number(values.ms) * 1e6; // of each row
const AT_ONCE = 32, PARTS = 7;

const server = new Server(['--commands-per-second', '10000000', '--commands-burst', '10000000', '--bot-think-ms', '0', '--address-rate', '1000000', '--chess-mate', '/chess-mate']);
const agent = new Agent({keepAlive: true});
await server.start();

// All threads': what runs on another one costs, too.
function processorNs() {
    const folder = `/proc/${server.pid}/task`;
    return readdirSync(folder).reduce((sum, thread) => sum + Number(readFileSync(`${folder}/${thread}/schedstat`, 'utf8').split(' ')[0]), 0);
}

async function charged() {
    const text = await (await fetch(`${server.url}/metrics`)).text();
    return Number(/^senet_cost_total (\d+)$/m.exec(text)[1]);
}

// Sends texts and counts the answers, and looks at neither: the bench shall not be slower than the server.
class Asker {
    static async open(token) {
        const asker = new Asker();
        asker.socket = new WebSocket(`ws://127.0.0.1:${server.port}/ws`, 'senet.v1', {perMessageDeflate: false});
        asker.open = true;
        asker.socket.on('message', data => asker.#hear(data.toString()));
        asker.socket.on('close', (code, reason) => ((asker.open = false), (asker.reason = `${code} ${reason}`), asker.wake?.()));
        asker.socket.on('error', () => {});
        await new Promise(resolve => asker.socket.on('open', resolve));
        if (token !== false) await asker.run([JSON.stringify({type: 'auth', id: 'a', ...(token && {token})})]);
        return asker;
    }

    answered = 0;
    #hear(text) {
        if (!/"re":|"type":"error"/.test(text)) return;
        if (this.acknowledged) {
            this.acknowledged(JSON.parse(text));
            this.acknowledged = null;
        }
        this.answered++;
        this.wake?.();
    }

    async run(texts) {
        const wanted = this.answered + texts.length;
        for (const text of texts) this.socket.send(text);
        while (this.open && this.answered < wanted) await new Promise(resolve => (this.wake = resolve));
        if (!this.open) throw new Error(`closed: ${this.reason}`);
    }

    // A room of chess, in which it has both seats.
    async create() {
        const made = new Promise(resolve => (this.acknowledged = resolve));
        await this.run([JSON.stringify({type: 'create', id: `c${Math.random()}`, game: 'chess', visibility: 'private'})]);
        const {room} = await made;
        await this.run([JSON.stringify({type: 'join', id: `j${Math.random()}`, room, seat: 'all'})]);
        return room;
    }

    end() {
        this.socket.terminate();
    }
}

const rows = [];

// Pictures: an ordinary one, much to read, what libxml2 is slowest at, and much to unpack.
async function measurePictures() {
    const drawing = inside => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">${inside}</svg>`;
    const king = readFileSync(new URL('../../games/chess/white-king.svg', import.meta.url), 'utf8');
    const numbers = Array.from({length: 10000}, (_, i) => `${i % 100}.${i % 7}`).join(' ');
    const names = Array.from({length: 5000}, (_, i) => `a${i.toString(36)}=""`).join(' ');
    const bring = (type, make) => async (from, count) => {
        for (let i = from; i < from + count; i++)
            await (await fetch(`${server.url}/api/v1/pictures`, {method: 'POST', body: make(i), headers: {'Content-Type': type}})).arrayBuffer();
    };
    const svg = make => bring('image/svg+xml', make);
    await measure('POST picture', svg(i => king.replace('white king', `king ${i}`)), {atOnce: 16});
    await measure('POST picture again', svg(() => king), {atOnce: 16});
    await measure('POST picture, 50 KiB', svg(i => drawing(`<path d="M${i} 0 L${numbers}"/>`)), {atOnce: 4});
    await measure('POST picture, 5,000 attributes', svg(i => drawing(`<path ${names} x="${i}"/>`)), {atOnce: 4});
    await measure('POST picture, a megapixel', bring('image/png', png(1024)), {atOnce: 4});
    const {picture} = await (await fetch(`${server.url}/api/v1/pictures`, {method: 'POST', body: king, headers: {'Content-Type': 'image/svg+xml'}})).json();
    await measure('GET picture', async (from, count) => {
        for (let i = 0; i < count; i++) await (await fetch(server.url + picture)).arrayBuffer();
    }, {atOnce: 16});
}

// Another one for each number.
function png(side) {
    const chunk = (type, data) => {
        const body = Buffer.concat([Buffer.from(type), data]), ends = Buffer.alloc(8);
        ends.writeUInt32BE(data.length, 0);
        ends.writeUInt32BE(crc32(body), 4);
        return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
    };
    return i => {
        const header = Buffer.from([0, 0, side >> 8, side & 255, 0, 0, side >> 8, side & 255, 8, 3, 0, 0, 0]);
        const palette = Buffer.from([i & 255, (i >> 8) & 255, 0]);
        const parts = [['IHDR', header], ['PLTE', palette], ['IDAT', deflated ??= deflateSync(Buffer.alloc(side * (side + 1)))], ['IEND', Buffer.alloc(0)]];
        return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...parts.map(([type, data]) => chunk(type, data))]);
    };
}

let deflated;
function crc32(bytes) {
    let value = ~0;
    for (const byte of bytes) {
        value ^= byte;
        for (let i = 0; i < 8; i++) value = (value >>> 1) ^ (value & 1 ? 0xedb88320 : 0);
    }
    return ~value >>> 0;
}

// `ask(i, count)`: resolves when so many have been answered. Measured in parts, of which the cheapest counts: whatever else the machine
// does makes a part dearer (its caches, and the core's other half), and never cheaper.
async function measure(name, ask, {most = 20000, atOnce = AT_ONCE} = {}) {
    if (!new RegExp(values.only).test(name)) return;
    const asked = {count: Math.min(atOnce, 4)};
    await ask(0, asked.count);
    const parts = [];
    for (let part = 0; part < PARTS; part++) parts.push(await measurePart(ask, asked, Math.ceil(most / PARTS), atOnce));
    const {ns, cost, times} = parts.sort((a, b) => a.ns / a.cost - b.ns / b.cost)[0];
    rows.push({name, times: asked.count, us: ns / times / 1000, units: cost / times / 1000, nsPerUnit: (1000 * ns) / cost});
    console.error(name);
}

async function measurePart(ask, asked, most, atOnce) {
    await new Promise(resolve => setTimeout(resolve, 30));
    const first = asked.count, costBefore = await charged(), before = processorNs();
    while (processorNs() - before < CPU_NS / PARTS && asked.count - first < most) {
        const more = Math.min(atOnce, most - (asked.count - first));
        await ask(asked.count, more);
        asked.count += more;
    }
    await new Promise(resolve => setTimeout(resolve, 60)); // what threads still do for it
    return {ns: processorNs() - before, cost: (await charged()) - costBefore, times: asked.count - first};
}

const say = (asker, make, options) => async (from, count) =>
    asker.run(Array.from({length: count}, (_, i) => (text => (typeof text === 'string' ? text : JSON.stringify({id: `${options?.id ?? 'q'}${from + i}`, ...text})))(make(from + i))));

// --- rooms to ask about

const player = await Client.open(server);
const asker = await Asker.open(player.token);
const ask = (command, id) => say(asker, () => command, {id: id ?? Math.random().toString(36).slice(2, 6)});

async function room(game, players) {
    const {room} = await player.done({type: 'create', game, ...(players && {players})});
    const snapshot = await takeSeat(player, room, 'all');
    return {room, snapshot};
}

// Everybody steps to and fro, so many plies in all.
async function long(game, players, plies) {
    const made = await room(game, players);
    const back = new Map();
    let legal = made.snapshot.legal_moves, seat = made.snapshot.state.to_move;
    for (let ply = 0; ply < plies; ply++) {
        const move = back.get(seat) ?? legal.find(({from, to}) => from && to && from !== to);
        const answer = await player.done({type: 'move', room: made.room, move});
        const event = await player.next(message => message.type === 'event' && message.version === answer.version);
        back.set(seat, {from: move.to, to: move.from});
        seat = event.patch?.to_move ?? seat;
        legal = event.legal_moves ?? legal;
        player.drain();
    }
    return made;
}

const definition = name => readFileSync(new URL(`../../games/${name}.json`, import.meta.url), 'utf8');
const renamed = (text, i) => text.replace(/"title": *"[^"]*"/, `"title": "T ${i} ${Math.random()}"`);
const short = JSON.stringify({
    name: 'race', title: 'x', players: ['a', 'b'],
    cell: {coordinates_names: ['x'], geometry: [[0, 0], [1, 0], [1, 1], [0, 1]], position: {x: 'x', y: '0'}},
    board: {cells: Array.from({length: 12}, (_, x) => ({x}))},
    figures: {man: {movement: [{x: 1, cell_actions: {destination: [{actions: ['move']}]}}]}},
    initial_position: {a: {man: [{x: 0}]}, b: {man: [{x: 5}]}},
    win_conditions: {},
    game_states: {one: {type: 'move', parameters: {player: 'a'}, next: 'two'}, two: {type: 'move', parameters: {player: 'b'}, next: 'one'}},
    initial_game_state: 'one',
});
const create = text => `{"type":"create","id":"d${Math.random()}","definition":${text.replace(/\n\s*/g, '')}}`;
const validate = text => `{"type":"games","op":"validate","id":"v${Math.random()}","definition":${text.replace(/\n\s*/g, '')}}`;

const chess = await room('chess');
const amazons = await room('amazons');
const endless = await long('chinese-checkers', 2, 3000);

// --- without a room

await measure('ping', ask({type: 'ping'}));
await measure('unknown type', ask({type: 'what'}));
await measure('unknown type, 16,000 bytes', ask({type: 'what', filling: 'x'.repeat(15900)}));
await measure('unknown type, 16,000 bytes of little', ask({type: 'what', filling: Array(7800).fill(0)}));
await measure('games list', ask({type: 'games', op: 'list'}), {atOnce: 4});
await measure('games get, small', ask({type: 'games', op: 'get', game: 'breakthrough'}), {atOnce: 8});
await measure('games get, chess', ask({type: 'games', op: 'get', game: 'chess'}), {atOnce: 8});
await measure('games guide, chess', ask({type: 'games', op: 'guide', game: 'chess'}), {atOnce: 4});
await measure('unknown room', say(asker, () => ({type: 'join', room: Math.random().toString(36).slice(2, 10).padEnd(8, 'x'), seat: 'any'}), {id: 'ur'}));
await measure('lobby subscribe', ask({type: 'lobby.subscribe'}), {atOnce: 8});
await asker.run([JSON.stringify({type: 'lobby.unsubscribe', id: 'lu'})]);
await measure('connect, and away', async (from, count) => {
    for (let i = 0; i < count; i++) (await Asker.open(false)).end();
}, {atOnce: 8, most: 400});
const others = await Promise.all(Array.from({length: 400}, () => Asker.open(false)));
await measure('auth of one\'s own', async (from, count) => {
    await Promise.all(others.slice(from, from + count).map(one => one.run(['{"type":"auth","id":"a"}'])));
}, {atOnce: 8, most: others.length - 8});
others.forEach(one => one.end());
await measure('connect, seven malformed', async (from, count) => {
    for (let i = 0; i < count; i++) {
        const one = await Asker.open(false);
        await one.run(Array(7).fill('{'));
        one.end();
    }
}, {atOnce: 8, most: 400});

await measure('seek, and cancel', say(asker, i => (i % 2 ? {type: 'seek.cancel'} : {type: 'seek', game: 'chess'}), {id: 's'}), {atOnce: 8, most: 4000});

// --- rooms

await measure('create', ask({type: 'create', game: 'chess', visibility: 'private'}), {most: 4000});
await measure('create, amazons', ask({type: 'create', game: 'amazons', visibility: 'private'}), {most: 4000});
await measure('create from a small definition', say(asker, i => create(renamed(short, i))), {most: 400, atOnce: 16});
await measure('create from a large definition', say(asker, i => create(renamed(definition('brazilian-draughts'), i))), {most: 60, atOnce: 8});
await measure('validate a small one', say(asker, () => validate(renamed(short, 0))), {most: 400, atOnce: 2});
await measure('validate a large one', say(asker, () => validate(renamed(definition('brazilian-draughts'), 0))), {most: 60, atOnce: 8});
await measure('validate nonsense', say(asker, () => validate('{"name":1}')), {most: 2000, atOnce: 1});
await measure('fork at 0', ask({type: 'create', fork: {room: endless.room, ply: 0}}), {most: 2000});
await measure('fork at 3,000', ask({type: 'create', fork: {room: endless.room, ply: 2999}}), {most: 100, atOnce: 8});
await measure('join to watch chess', ask({type: 'join', room: chess.room, seat: 'spectator'}), {atOnce: 8});
await measure('resume, chess', ask({type: 'resume', room: chess.room, version: 0}), {atOnce: 8});
await measure('resume, amazons with its moves', ask({type: 'resume', room: amazons.room, version: 0}), {most: 4000, atOnce: 2});
await measure('resume, 3,000 plies', ask({type: 'resume', room: endless.room, version: 0}), {most: 2000, atOnce: 1});
await measure('sync, chess', ask({type: 'sync', room: chess.room}), {atOnce: 8});
await measure('join and leave', async (from, count) => {
    await asker.run(Array.from({length: count}, (_, i) => JSON.stringify(i % 2 ? {type: 'leave', id: `l${from + i}`, room: amazons.room} : {type: 'join', id: `j${from + i}`, room: amazons.room, seat: 'spectator'})));
}, {atOnce: 4});
await measure('legal moves, chess', ask({type: 'legal_moves', room: chess.room}), {atOnce: 16});
await measure('legal moves of one cell', ask({type: 'legal_moves', room: chess.room, cell: 'e2'}));
await measure('legal moves, amazons', ask({type: 'legal_moves', room: amazons.room}), {most: 4000, atOnce: 16});
await measure('explained, one cell', ask({type: 'legal_moves', room: chess.room, cell: 'e2', explain: true}));
await measure('why not', ask({type: 'legal_moves', room: chess.room, cell: 'e2', to: 'e5', explain: true}));
await measure('history events, chess', ask({type: 'history', room: chess.room, from: 1, to: 3}));
await measure('history events, 200 moves', ask({type: 'history', room: endless.room, from: 2000, to: 2199}), {most: 2000, atOnce: 2});
await measure('history plies, 200', ask({type: 'history', room: endless.room, moves: true, from: 1000}), {most: 2000, atOnce: 2});
await measure('history state, early', ask({type: 'history', room: endless.room, ply: 1}), {atOnce: 8});
await measure('history state, late', ask({type: 'history', room: endless.room, ply: 2949}), {atOnce: 8});
await measure('illegal move', say(asker, () => ({type: 'move', room: chess.room, move: {from: 'e2', to: 'e5'}}), {id: 'im'}));
asker.end();

// What is made durable shares its commit with what else is: as in a server where more goes on than one room.
const tables = 15;
const crowd = await Promise.all(Array.from({length: 4}, () => Asker.open()));
const many = [];
for (const one of crowd)
    for (let i = 0; i < tables; i++) many.push({one, room: await one.create(), ply: 0});
const inAll = make => async (from, count) => {
    const texts = new Map(crowd.map(one => [one, []]));
    for (let i = 0; i < count; i++) {
        const table = many[(from + i) % many.length];
        texts.get(table.one).push(JSON.stringify({id: `${from + i}${Math.random()}`, room: table.room, ...make(table)}));
    }
    await Promise.all([...texts].map(([one, some]) => one.run(some)));
};
const durable = {atOnce: crowd.length * tables};
await measure('chat', inAll(() => ({type: 'chat', text: 'x'})), durable);
await measure('chat, 400 bytes', inAll(() => ({type: 'chat', text: 'é'.repeat(200)})), durable);
await measure('seat key', inAll(() => ({type: 'seat_key'})), {...durable, most: 1200});
await measure('draw offered, declined', inAll(table => ({type: 'action', kind: (table.offered = !table.offered) ? 'draw.offer' : 'draw.decline'})), durable);
await measure('muted, heard again', inAll(table => ({type: 'action', kind: (table.muted = !table.muted) ? 'chat.mute' : 'chat.unmute', player: 'p_aaaaaaaaaaaaaaaa'})), durable);
const knights = [['g1', 'f3'], ['g8', 'f6'], ['f3', 'g1'], ['f6', 'g8']];
await measure('move, chess', inAll(table => {
    const [from, to] = knights[table.ply++ % 4];
    return {type: 'move', move: {from, to}};
}), {...durable, most: 8 * durable.atOnce}); // before the game repeats itself
crowd.forEach(one => one.end());

// --- over HTTP

const get = path => async (from, count) => {
    for (let i = 0; i < count; i++) await (await fetch(server.url + path)).arrayBuffer();
};
const record = Buffer.from(await (await fetch(`${server.url}/api/v1/rooms/${chess.room}/export`)).arrayBuffer());
const longRecord = Buffer.from(await (await fetch(`${server.url}/api/v1/rooms/${endless.room}/export`)).arrayBuffer());
const post = (path, body) => async (from, count) => {
    for (let i = 0; i < count; i++) await (await fetch(server.url + path, {method: 'POST', body})).arrayBuffer();
};
// Without a fetch, which would ask for it compressed.
const getPlain = path => async (from, count) => {
    for (let i = 0; i < count; i++)
        await new Promise((resolve, reject) => request({agent, host: '127.0.0.1', port: server.port, path}, answer => answer.resume().on('end', resolve)).on('error', reject).end());
};
const chessMate = async (path, id, options = {}) => (await fetch(`${server.url}/chess-mate${path}`, {...options, headers: {browser_id: id, 'Content-Type': 'application/json'}})).arrayBuffer();
async function largestFile() {
    const page = await (await fetch(`${server.url}/`)).text();
    const paths = [...page.matchAll(/(?:src|href)="([^":]+\.(?:js|css))"/g)].map(([, path]) => new URL(path, `${server.url}/`).pathname);
    const lengths = await Promise.all(paths.map(async path => [(await (await fetch(server.url + path)).arrayBuffer()).byteLength, path]));
    return lengths.sort((a, b) => b[0] - a[0])[0][1];
}
await measure('GET games', get('/api/v1/games'), {atOnce: 16});
await measure('GET games/chess', get('/api/v1/games/chess'), {atOnce: 16});
await measure('GET rooms', get('/api/v1/rooms'), {atOnce: 16});
await measure('GET export', get(`/api/v1/rooms/${chess.room}/export`), {atOnce: 16});
await measure('GET export, 3,000 plies', get(`/api/v1/rooms/${endless.room}/export`), {atOnce: 4, most: 60});
await measure('POST import', post('/api/v1/rooms', record), {atOnce: 4, most: 100});
await measure('POST import, 3,000 plies', post('/api/v1/rooms', longRecord), {atOnce: 1, most: 10});
await measurePictures();
await measure('POST qr', post('/api/v1/qr', 'https://a.example/room/12345678'), {atOnce: 16});
await measure('GET /', get('/'), {atOnce: 16});
await measure('GET a file', get('/games/chess/white-king.svg'), {atOnce: 16});
await measure('GET a large file, plain', getPlain(await largestFile()), {atOnce: 16, most: 4000});
await measure('GET metrics', get('/metrics'), {atOnce: 16, most: 4000});
// As above, what is made durable shares its commit.
const together = make => (from, count) => Promise.all(Array.from({length: count}, (_, i) => make(from + i)));
// Games that are published, and the protocol without a WebSocket: what the store is asked for is asked for by many at once, too.
const authorization = {Authorization: `Bearer ${player.token}`};
const call = (method, path, body) => together(async i => {
    const headers = {...authorization, 'Idempotency-Key': `k${i}${Math.random()}`};
    return (await fetch(`${server.url}/api/v1${path}`, {method, headers, ...(body && {body: body(i)})})).arrayBuffer();
});
await measure('POST game, published', call('POST', '/games/a-race', i => renamed(short, i)), {atOnce: 1, most: 30});
await measure('GET published', call('GET', '/published'), {atOnce: 16});
await measure('GET a published game', call('GET', '/games/a-race'), {atOnce: 16});
await measure('GET its board', call('GET', '/games/a-race/board.svg'), {atOnce: 16});
await measure('GET ratings', call('GET', '/ratings/chess/blitz'), {atOnce: 16});
await measure('GET room', call('GET', `/rooms/${chess.room}`), {atOnce: 16});
await measure('POST illegal move', call('POST', `/rooms/${chess.room}/moves`, () => '{"move":{"from":"e2","to":"e5"}}'), {atOnce: 16});
await measure('GET stream, and away', together(async () => {
    const stop = new AbortController();
    const answer = await fetch(`${server.url}/api/v1/rooms/${chess.room}/stream`, {signal: stop.signal});
    await answer.body.getReader().read();
    stop.abort();
}), {atOnce: 16, most: 2000});
const browser = i => `browser${i}`;
await measure('Chess Mate, a new game', together(i => chessMate('/new-game', browser(i), {method: 'POST', body: JSON.stringify({browser_id: browser(i)})})), {atOnce: 16, most: 800});
await measure('Chess Mate, a game looked at', together(i => chessMate('/load-game', browser(i % 16))), {atOnce: 16, most: 2000});
await measure('Chess Mate, where a figure may go', together(i => chessMate('/legal-moves/e2', browser(i % 16))), {atOnce: 16, most: 2000});

asker.end();
await server.remove();

// --- the table

const sorted = rows.filter(({units}) => units > 0).sort((a, b) => a.nsPerUnit - b.nsPerUnit);
console.log('| what | times | µs of processor time | units | ns per unit |\n|---|--:|--:|--:|--:|');
for (const {name, times, us, units, nsPerUnit} of rows)
    console.log(`| ${name} | ${times} | ${us.toFixed(1)} | ${units.toFixed(2)} | ${units > 0 ? nsPerUnit.toFixed(0) : '-'} |`);
const ratio = sorted.at(-1).nsPerUnit / sorted[0].nsPerUnit;
console.log(`\ndearest: ${sorted.at(-1).name}; cheapest: ${sorted[0].name}; ratio ${ratio.toFixed(1)} (at most ${RATIO_MAX})`);
