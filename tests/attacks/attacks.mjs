// What a stranger may try against a server, each as a function that goes on until its time is over and says what it got.
// Every attacker keeps to loopback, is bounded in count and time, and may come from many addresses: 127.0.0.2, .3, …,
// which the server counts apart with --limit-loopback.
import {createRequire} from 'node:module';
import {request} from 'node:http';
import {createConnection} from 'node:net';
import {frameOf, upgradeRequest} from '../support/raw_socket.mjs';

const require = createRequire(new URL('../browser/package.json', import.meta.url));
const WebSocket = require('ws');

const sleep = ms => new Promise(resolve => setTimeout(resolve, ms));
const address = n => `127.0.${1 + (n >> 8)}.${n & 255}`;

// The status of the answer, 'failed' when there is none.
function post(port, path, body, from) {
    return new Promise(resolve => {
        const sent = request({host: '127.0.0.1', port, path, method: 'POST', localAddress: address(from), agent: false, timeout: 20000}, answer => {
            answer.on('error', () => {}).on('close', () => resolve(answer.statusCode)).resume();
        });
        sent.on('error', () => resolve('failed')).on('timeout', () => sent.destroy());
        sent.end(body);
    });
}

// A connection that is told what it may send and counts what it is answered. It never waits for long, and never throws.
class Stranger {
    answers = {}; // how often which code: 'ok' for what is no error
    bytes = 0;
    closed = null;
    #counter = 0;
    #waiting = new Map();
    #open;

    constructor(port, from = 2, on = () => {}) {
        this.on = on;
        this.socket = new WebSocket(`ws://127.0.0.1:${port}/ws`, 'senet.v1', {localAddress: address(from), perMessageDeflate: false});
        this.#open = new Promise(resolve => {
            this.socket.on('open', () => resolve(true));
            this.socket.on('error', () => resolve(false));
            this.socket.on('close', code => {
                this.closed = code;
                for (const give of this.#waiting.values()) give({code: `closed ${code}`});
                this.#waiting.clear();
                resolve(false);
            });
        });
        this.socket.on('message', data => this.#hear(data));
    }

    #hear(data) {
        this.bytes += data.length;
        const head = data.subarray(0, 200).toString();
        const re = /"re":"([^"]*)"/.exec(head)?.[1];
        const code = /"type":"error"/.test(head) ? (/"code":"([a-z_]+)"/.exec(head)?.[1] ?? 'error') : 'ok';
        if (re !== undefined) {
            this.answers[code] = (this.answers[code] ?? 0) + 1;
            this.#waiting.get(re)?.(code === 'ok' && data.length < 65536 ? JSON.parse(data) : {code});
            this.#waiting.delete(re);
        }
        this.on(head, data);
    }

    async open() {
        if (!(await this.#open)) return false;
        return (await this.ask({type: 'auth'})).code === undefined;
    }

    get isOpen() {
        return this.socket.readyState === WebSocket.OPEN;
    }

    send(command) {
        if (this.isOpen) this.socket.send(typeof command === 'string' ? command : JSON.stringify(command));
    }

    // The answer, or {code} of a refusal, a closing, or of none within 20 s.
    ask(command) {
        if (!this.isOpen) return Promise.resolve({code: 'closed'});
        const id = `${++this.#counter}`;
        return new Promise(resolve => {
            const timer = setTimeout(() => (this.#waiting.delete(id), resolve({code: 'no answer'})), 20000);
            this.#waiting.set(id, answer => (clearTimeout(timer), resolve(answer)));
            this.send({id, ...command});
        });
    }

    end() {
        this.socket.terminate();
    }
}

const add = (sum, more) => {
    for (const [key, count] of Object.entries(more)) sum[key] = (sum[key] ?? 0) + count;
    return sum;
};

// So many strangers at once, each doing the same until the time is over; what they were answered, added up.
async function crowd({port, until, count, from = n => 2 + (n % 16), on}, work) {
    const sum = {};
    await Promise.all(Array.from({length: count}, async (_, n) => {
        while (Date.now() < until) {
            const one = new Stranger(port, from(n), on);
            if (await one.open()) await work(one, n);
            else add(sum, {'not let in': 1});
            const code = one.closed;
            one.end();
            add(sum, one.answers);
            add(sum, {bytes: one.bytes, ...(code && {[`closed ${code}`]: 1})});
            await sleep(50);
        }
    }));
    return sum;
}

const goes = (one, until) => one.isOpen && Date.now() < until;

// --- games that cost more than they look

const QUEEN = [{x: 1, symmetric: 'all', repeat: true}, {x: 1, y: 1, symmetric: 'all', repeat: true}];

const KING = [{x: 1, symmetric: 'all'}, {x: 1, y: 1, symmetric: 'all'}];

const board = (size, more) => ({
    format: 2, name: 'hostile', players: ['a', 'b'],
    cell: {coordinates_names: ['x', 'y'], name: "x + '_' + y", position: {x: 'x', y: `${size - 1} - y`}, geometry: [[0, 0], [1, 0], [1, 1], [0, 1]]},
    board: {cells: {box: {x: size, y: size}}, mirror: {b: {y: `${size - 1} - y`}}},
    zones: {home: {each: 'y < 12'}, all: {each: 'x >= 0'}},
    initial_position: {each: {queen: [{zone: 'home'}]}}, turns: ['a', 'b'], ...more,
});

// Each move asks so often whether any of hundreds of figures is attacked, and none is.
export const attackedOften = times => board(32, {
    zones: {home: {each: 'y < 14 && x % 2 == 0'}},
    figures: {queen: {movement: KING}},
    forbid: [{any: Array.from({length: times}, () => ({attacked: {player: 'mover'}}))}],
});

// Compiles to far more bytes than it has.
export const largeOnceCompiled = edition => {
    const players = [...'abcdefgh'];
    return board(32, {
        description: `edition ${edition}`, players, turns: players,
        board: {cells: {box: {x: 32, y: 32}}},
        figures: Object.fromEntries(['q0', 'q1', 'q2'].map(name => [name, {movement: QUEEN}])),
        initial_position: Object.fromEntries(players.map((player, x) => [player, {q0: [{x, y: 0}]}])),
        results: [{if: {no_moves: true}, result: 'draw', reason: 'stuck'}],
    });
};

// More legal moves than anybody could read: each may become one of many.
export const manyMoves = () => {
    const others = Array.from({length: 12}, (_, i) => `f${i}`);
    return board(24, {
        figures: {queen: {movement: QUEEN, promote: {in: 'all', to: others}}, ...Object.fromEntries(others.map(name => [name, {movement: []}]))},
        zones: {home: {each: 'y < 8 && (x + y) % 2 == 0'}, all: {each: 'x >= 0'}},
    });
};

const createAndLook = definition => async (one, n, until) => {
    const {room} = await one.ask({type: 'create', definition: definition(n), visibility: 'private'});
    if (!room) return void (await sleep(200));
    await one.ask({type: 'join', room, seat: 'all'});
    for (let asked = 0; asked < 50 && goes(one, until); asked++) await one.ask({type: 'legal_moves', room});
};

// Of those nobody moved in, since the server's start.
async function removedRooms(port) {
    const text = await new Promise((resolve, reject) => {
        const sent = request({host: '127.0.0.1', port, path: '/metrics', agent: false}, answer => {
            let text = '';
            answer.setEncoding('utf8').on('data', part => (text += part)).on('end', () => resolve(text));
        });
        sent.on('error', reject).end();
    });
    return Number(/^senet_removed_rooms_total\{why="never_moved"\} (\d+)$/m.exec(text)[1]);
}

// --- the attacks

let editions = 0;

async function connections({port, until}) {
    // Sixteen addresses with a thousand connections each that say nothing.
    const open = new Set();
    const sum = {opened: 0, refused: 0, closed: 0};
    for (let n = 0; n < 16000 && Date.now() < until; n++) {
        const socket = createConnection({port, host: '127.0.0.1', localAddress: address(2 + (n % 16))});
        socket.on('connect', () => (sum.opened++, open.add(socket), socket.write(upgradeRequest())));
        socket.on('error', () => sum.refused++);
        socket.on('data', () => {});
        socket.on('close', () => open.delete(socket) && sum.closed++);
        if (n % 100 === 99) await sleep(10);
    }
    while (Date.now() < until) await sleep(100);
    for (const socket of open) socket.destroy();
    return sum;
}

const flood = text => options => crowd({...options, count: 8}, async one => {
    for (let n = 0; goes(one, options.until); n++) {
        one.send(text(n));
        if (n % 500 === 499) await sleep(5);
    }
});

async function controlFrames({port, until}) {
    const sum = {connections: 0, frames: 0, ended: 0};
    const ping = Buffer.concat(Array.from({length: 200}, () => frameOf('x'.repeat(100), {opcode: 9})));
    await Promise.all(Array.from({length: 8}, async (_, n) => {
        while (Date.now() < until) {
            const socket = createConnection({port, host: '127.0.0.1', localAddress: address(2 + n)});
            let alive = true;
            socket.on('error', () => (alive = false)).on('close', () => ((alive = false), sum.ended++)).on('data', () => {});
            socket.write(upgradeRequest());
            sum.connections++;
            await sleep(50);
            while (alive && Date.now() < until) {
                if (socket.writableLength < 1 << 20) socket.write(ping), (sum.frames += 200);
                await sleep(1);
            }
            socket.destroy();
        }
    }));
    return sum;
}

// Who asks for much and never reads.
async function deaf({port, until}) {
    const sum = {connections: 0, ended: 0};
    await Promise.all(Array.from({length: 64}, async (_, n) => {
        while (Date.now() < until) {
            const socket = createConnection({port, host: '127.0.0.1', localAddress: address(2 + (n % 16))});
            let alive = true;
            socket.on('error', () => (alive = false)).on('close', () => ((alive = false), sum.ended++));
            socket.write(upgradeRequest());
            sum.connections++;
            await sleep(50);
            socket.pause();
            socket.write(frameOf(JSON.stringify({type: 'auth', id: 'a'})));
            for (let k = 0; alive && Date.now() < until; k++) {
                socket.write(frameOf(JSON.stringify({type: 'games', op: 'get', game: 'chess', id: `${k}`})));
                await sleep(k < 200 ? 1 : 200);
            }
            socket.destroy();
        }
    }));
    return sum;
}

export const attacks = {
    nothing: {says: 'nobody attacks: what two such times differ by', run: async ({until}) => (await sleep(until - Date.now()), {})},
    connections: {says: '16 addresses, 16,000 silent connections', run: connections},
    unknown: {says: 'unknown types as fast as they go', run: flood(n => JSON.stringify({type: 'what', id: `${n}`}))},
    malformed: {says: 'malformed messages as fast as they go', run: flood(() => '{"type":')},
    flood: {says: 'a flooder, closed and back again', run: flood(n => JSON.stringify({type: 'ping', id: `${n}`}))},
    control: {says: 'ping frames as fast as they go', run: controlFrames},
    deaf: {says: '64 who ask and never read', run: deaf},
    dear: {says: '700 bytes of rules that look at everything', run: o => crowd({...o, count: 4}, (one, n) => createAndLook(() => attackedOften(1))(one, n, o.until))},
    dearer: {says: '2.5 KB of them', run: o => crowd({...o, count: 4}, (one, n) => createAndLook(() => attackedOften(35))(one, n, o.until))},
    bytes: {says: 'definitions that compile to much, each another edition', run: o => crowd({...o, count: 8}, (one, n) => createAndLook(() => largeOnceCompiled(`${n}-${editions++}`))(one, n, o.until))},
    moves: {says: 'a position of countless moves, 60 who ask for them', run: o => crowd({...o, count: 60}, (one, n) => createAndLook(manyMoves)(one, n, o.until))},
    validate: {
        says: '15 validations a second from each of 8 connections of one address',
        run: o => crowd({...o, count: 8, from: () => 2}, async one => {
            while (goes(one, o.until)) {
                one.ask({type: 'games', op: 'validate', definition: largeOnceCompiled(editions++)});
                await sleep(1000 / 15);
            }
        }),
    },
    rooms: {
        says: 'one address, 100 connections that make rooms',
        run: o => crowd({...o, count: 100, from: () => 2}, async one => {
            while (goes(one, o.until)) {
                await Promise.all(Array.from({length: 10}, () => one.ask({type: 'create', game: 'chess'})));
                await sleep(5);
            }
        }),
    },
    forgotten: {
        says: 'rooms nobody moves in, made from 16 addresses, which the server removes meanwhile',
        run: async o => {
            const before = await removedRooms(o.port);
            const sum = await crowd({...o, count: 64}, async one => {
                while (goes(one, o.until)) {
                    const {room} = await one.ask({type: 'create', game: 'chess'});
                    if (!room) await sleep(100);
                }
            });
            return {...sum, removed: (await removedRooms(o.port)) - before};
        },
    },
    watched: {
        says: '64 connections that watch 16 rooms each',
        run: o => crowd({...o, count: 64}, async one => {
            for (let n = 0; n < 16 && goes(one, o.until); n++) {
                const {room} = await one.ask({type: 'create', game: 'chess'});
                if (room) await one.ask({type: 'join', room, seat: 'spectator'});
            }
            while (goes(one, o.until)) await sleep(100);
        }),
    },
    bots: {
        says: '37 connections that invite bots',
        run: o => crowd({...o, count: 37}, async one => {
            while (goes(one, o.until)) {
                const {room} = await one.ask({type: 'create', game: 'breakthrough', visibility: 'private'});
                if (!room) {
                    await sleep(200);
                    continue;
                }
                await one.ask({type: 'join', room, seat: 'any'});
                await one.ask({type: 'action', room, kind: 'bot.invite'});
            }
        }),
    },
    hints: {
        says: '32 connections that ask for five moves of a position, again and again',
        run: o => crowd({...o, count: 32}, async one => {
            const {room} = await one.ask({type: 'create', game: 'chess', visibility: 'private'});
            await one.ask({type: 'join', room, seat: 'all'});
            while (goes(one, o.until)) if ((await one.ask({type: 'hint', room, lines: 5})).type === 'error') await sleep(50);
        }),
    },
    chat: {
        says: 'six spectators of the table who chat',
        run: o => crowd({...o, count: 6, from: n => 2 + n}, async one => {
            await one.ask({type: 'join', room: o.room, seat: 'spectator'});
            while (goes(one, o.until)) {
                await Promise.all(Array.from({length: 50}, () => one.ask({type: 'chat', room: o.room, text: 'x'.repeat(400)})));
                await sleep(5);
            }
        }),
    },
    snapshots: {
        says: 'spectators of the table who come, ask for the state and go',
        run: o => crowd({...o, count: 16}, async one => {
            while (goes(one, o.until)) {
                await one.ask({type: 'join', room: o.room, seat: 'spectator'});
                await Promise.all(Array.from({length: 20}, () => one.ask({type: 'sync', room: o.room})));
                await one.ask({type: 'leave', room: o.room});
            }
        }),
    },
    history: {
        says: 'the past of the table, asked for again and again',
        run: o => crowd({...o, count: 8}, async one => {
            for (let n = 0; goes(one, o.until); n++) await Promise.all([one.ask({type: 'history', room: o.room, ply: 0}), one.ask({type: 'history', room: o.room, moves: true, from: 0}), one.ask({type: 'history', room: o.room, from: 1, to: 200 + (n % 2)})]);
        }),
    },
    pipelined: {
        says: 'sixteen addresses that ask for the past of a long game a hundred times at once',
        run: o => crowd({...o, count: 32}, async one => {
            while (goes(one, o.until)) {
                const {room} = await one.ask({type: 'create', game: 'chinese-checkers', players: 2});
                if (!room) return void (await sleep(200));
                await one.ask({type: 'join', room, seat: 'all'});
                // Some plies, then a hundred answers of them all without waiting for one.
                for (let ply = 0; ply < 40 && goes(one, o.until); ply++) {
                    const {moves} = await one.ask({type: 'legal_moves', room});
                    if (!moves?.length || (await one.ask({type: 'move', room, move: moves[ply % moves.length]})).code) break;
                }
                for (let n = 0; n < 5 && goes(one, o.until); n++)
                    await Promise.all(Array.from({length: 100}, () => one.ask({type: 'history', room, from: 1, to: 41})));
            }
        }),
    },
    hangups: {
        says: 'thousands who come and all go at once, again and again',
        run: async ({port, until}) => {
            const sum = {opened: 0, rounds: 0};
            while (Date.now() < until) {
                const open = new Set();
                for (let n = 0; n < 3000 && Date.now() < until; n++) {
                    const socket = createConnection({port, host: '127.0.0.1', localAddress: address(2 + (n % 16))});
                    socket.on('connect', () => (sum.opened++, socket.write(upgradeRequest()))).on('error', () => {}).on('data', () => {});
                    open.add(socket);
                    if (n % 50 === 49) await sleep(5);
                }
                await sleep(300);
                for (const socket of open) socket.destroy();
                sum.rounds++;
                await sleep(100);
            }
            return sum;
        },
    },
    crowd: {
        says: 'a game of theirs that thousands watch, an eighth of them deaf',
        run: async ({port, until}) => {
            const sum = {watching: 0, closed: 0, bytes: 0, moves: 0};
            const player = new Stranger(port, 20);
            if (!(await player.open())) return sum;
            const {room} = await player.ask({type: 'create', game: 'chess'});
            await player.ask({type: 'join', room, seat: 'all'});
            const play = async () => {
                for (let n = 0; goes(player, until); n++) {
                    const {moves} = await player.ask({type: 'legal_moves', room});
                    if (!moves?.length) return;
                    sum.moves += (await player.ask({type: 'move', room, move: moves[(n * 7) % moves.length]})).code === undefined;
                    await sleep(100);
                }
            };
            const open = new Set();
            const watch = n => {
                const socket = createConnection({port, host: '127.0.0.1', localAddress: address(2 + (n % 16))});
                socket.on('error', () => {}).on('close', () => open.delete(socket) && sum.closed++);
                socket.on('connect', () => (open.add(socket), socket.write(upgradeRequest())));
                socket.once('data', () => {
                    socket.write(Buffer.concat([{type: 'auth', id: 'a'}, {type: 'join', id: 'j', room, seat: 'spectator'}].map(said => frameOf(JSON.stringify(said)))));
                    sum.watching++;
                    if (n % 8 === 0) socket.pause();
                }).on('data', data => (sum.bytes += data.length));
            };
            const come = async () => {
                for (let n = 0; n < 4000 && Date.now() < until; n++) {
                    watch(n);
                    if (n % 20 === 19) await sleep(10);
                }
                while (Date.now() < until) await sleep(100);
            };
            await Promise.all([play(), come()]);
            for (const socket of open) socket.destroy();
            player.end();
            add(sum, player.answers);
            return sum;
        },
    },
    imports: {
        says: 'games of a megabyte brought in from four addresses, eight at a time',
        run: async o => {
            const sum = {}, text = `1. Nf3 {${'x'.repeat(900000)}} Nf6 *`;
            await Promise.all(Array.from({length: 8}, async (_, i) => {
                while (Date.now() < o.until) {
                    add(sum, {[await post(o.port, '/api/v1/rooms', text, 2 + i % 4)]: 1});
                    await sleep(20);
                }
            }));
            return sum;
        },
    },
};
