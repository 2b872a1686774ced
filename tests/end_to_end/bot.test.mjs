// The server's own bot of a level plays on, and lets moves be taken back or not; `senet bot --level`; `senet bot` comes back, whatever the first answer of a server is: one that dies between accepting and answering too.
import assert from 'node:assert/strict';
import {spawn, spawnSync} from 'node:child_process';
import {readdirSync, readFileSync} from 'node:fs';
import {createServer} from 'node:net';
import {availableParallelism} from 'node:os';
import test from 'node:test';
import {setTimeout} from 'node:timers/promises';
import {Client} from '../support/client.mjs';
import {program, Server} from '../support/server.mjs';
import {takeSeat} from '../support/table.mjs';

const onceAsked = then => socket => socket.once('data', () => then(socket));
const answers = {
    'closes at once': socket => socket.destroy(),
    'resets at once': socket => socket.resetAndDestroy(),
    'closes instead of answering': onceAsked(socket => socket.destroy()),
    'resets instead of answering': onceAsked(socket => socket.resetAndDestroy()),
    'closes within its answer': onceAsked(socket => socket.end('HTTP/1.1 101 Switching')),
    'resets within its answer': onceAsked(socket => socket.write('HTTP/1.1 101 Switching', () => socket.resetAndDestroy())),
    'is too busy': onceAsked(socket => socket.end('HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n')),
};

for (const [what, answer] of Object.entries(answers)) {
    test(`a bot comes back to a server that ${what}`, {timeout: 300000}, async () => {
        let bot;
        const server = createServer();
        const thirdTime = new Promise(resolve => {
            let asked = 0;
            server.on('connection', socket => {
                socket.on('error', () => {});
                if (++asked === 3) resolve();
                answer(socket);
            });
        });
        try {
            await new Promise(resolve => server.listen(0, '127.0.0.1', resolve));
            bot = spawn(program, ['bot', `http://127.0.0.1:${server.address().port}`, '--room', 'anywhere'], {stdio: 'ignore'});
            const ended = new Promise(resolve => bot.on('exit', resolve));
            assert.notEqual(await Promise.race([thirdTime.then(() => 'asked'), ended.then(() => 'ended')]), 'ended');
        } finally {
            bot?.kill('SIGKILL');
            server.close();
        }
    });
}

// The server's own bots think on threads that are nicer than all others: so many of the cores, 8 at most.
const niceness = stat => Number(readFileSync(stat, 'utf8').split(') ').at(-1).split(' ')[16]);

for (const [share, threads] of [[100, Math.min(availableParallelism(), 8)], [1, 1]]) {
    test(`with --bot-cores ${share} bots think on their share of the cores`, async () => {
        const server = new Server(['--bot-cores', String(share)]);
        await server.start();
        try {
            const folder = `/proc/${server.pid}`;
            const nicer = () => readdirSync(`${folder}/task`).filter(thread => niceness(`${folder}/task/${thread}/stat`) > niceness(`${folder}/stat`));
            for (let tries = 0; nicer().length < threads && tries < 200; tries++) await setTimeout(50);
            assert.equal(nicer().length, threads);
        } finally {
            await server.stop();
        }
    });
}

// Somebody makes the first move there is, whenever it is their turn, until the other side has moved so often.
async function playUntil(client, room, seat, turns) {
    for (let others = 0; others < turns; ) {
        const {state} = client.rooms.get(room);
        if (state.status === 'finished') return;
        if (state.to_move === seat) {
            const {moves} = await client.done({type: 'legal_moves', room});
            await client.done({type: 'move', room, move: moves[0]});
        }
        const event = await client.next({type: 'event', kind: 'moved', room});
        others += event.seat !== seat;
    }
}

test("the server's own bot plays at the level it was invited for, in a rematch and after a restart too", {timeout: 300000}, async () => {
    const server = new Server(['--bot-level', '2', '--bot-think-ms', '0']);
    await server.start();
    try {
        const client = await Client.open(server, {record: 'level'});
        const {room} = await client.done({type: 'create', game: 'breakthrough'});
        const [mine, other] = [await takeSeat(client, room, 'any'), 'black'].map(it => it.seat ?? it);
        await client.refused({type: 'action', kind: 'bot.invite', room, level: 9}, 'bad_message');
        await client.done({type: 'action', kind: 'bot.invite', room, level: 4});
        const nameIn = (id, seat) => client.rooms.get(id).state.seats[seat].name;
        assert.equal(nameIn(room, other), 'Senet, level 4');
        await playUntil(client, room, mine, 2);
        await client.done({type: 'action', room, kind: 'resign'});
        await client.done({type: 'action', room, kind: 'rematch.offer'});
        const {next_room: next} = await client.next({type: 'event', kind: 'rematch'});
        const {seat} = await takeSeat(client, next, 'any');
        assert.deepEqual([seat, nameIn(next, mine)], [other, 'Senet, level 4']);
        await playUntil(client, next, seat, 2);
        await client.end();
        const usual = await Client.open(server, {record: 'usual'});
        const {room: third} = await usual.done({type: 'create', game: 'breakthrough'});
        await takeSeat(usual, third, mine);
        await usual.done({type: 'action', kind: 'bot.invite', room: third});
        assert.equal(usual.rooms.get(third).state.seats[other].name, 'Senet, level 2');
        await usual.end();
    } finally {
        await server.remove();
    }
});

// The server's own searches on threads, and says what it found like anybody else.
for (const game of ['chess', 'international-draughts', 'hex', 'reversi', 'chinese-checkers']) {
    test(`the server's own bot of a level plays ${game}`, {timeout: 300000}, async () => {
        const server = new Server(['--bot-level', '2', '--bot-think-ms', '0']);
        await server.start();
        try {
            const client = await Client.open(server, {record: 'bot'});
            const {room} = await client.done({type: 'create', game, ...(game === 'chinese-checkers' && {players: 2})});
            const {seat} = await takeSeat(client, room, 'any');
            await client.done({type: 'action', kind: 'bot.invite', room});
            await playUntil(client, room, seat, 6);
            await client.end();
        } finally {
            await server.remove();
        }
    });
}

// `taken_back` names the seat that had asked, `takeback_declined` the one that said no.
const takebacks = [
    {flags: [], words: 'lets a move be taken back', told: {kind: 'taken_back', seat: 'white', ply: 0}, ply: 0, next: {from: 'd2', to: 'd4'}},
    {flags: ['--bot-keeps-moves'], words: 'keeps moves with --bot-keeps-moves', told: {kind: 'takeback_declined', seat: 'black', ply: undefined}, ply: 2, next: {from: 'g1', to: 'f3'}},
];
for (const {flags, words, told, ply, next} of takebacks) {
    test(`the server's own bot ${words}, and plays on`, {timeout: 300000}, async () => {
        const server = new Server(['--bot-think-ms', '0', ...flags]);
        await server.start();
        try {
            const client = await Client.open(server, {record: 'takeback'});
            const {room} = await client.done({type: 'create', game: 'chess'});
            const isAnswered = async move => {
                await client.done({type: 'move', room, move});
                await client.next({type: 'event', kind: 'moved', seat: 'black'});
            };
            await takeSeat(client, room, 'white');
            await client.done({type: 'action', kind: 'bot.invite', room});
            await isAnswered({from: 'e2', to: 'e4'});
            await client.done({type: 'action', room, kind: 'takeback.offer'});
            const answer = await client.next(({kind}) => ['taken_back', 'takeback_declined'].includes(kind));
            assert.deepEqual({kind: answer.kind, seat: answer.seat, ply: answer.ply}, told);
            const {state} = client.rooms.get(room);
            assert.deepEqual([state.ply, state.to_move, state.takeback_offer], [ply, 'white', undefined]);
            await isAnswered(next);
            await client.end();
        } finally {
            await server.remove();
        }
    });
}

// Its exit status, and all it has said.
function playsAlone(server, room, ...words) {
    const child = spawn(program, ['bot', server.url, '--room', room, ...words], {stdio: ['ignore', 'pipe', 'pipe']});
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', text => (said += text));
    return new Promise(done => child.on('close', status => done({status, said})));
}

// `senet bot --level` has the rules from the game's file: also where sides are swapped.
for (const game of ['breakthrough', 'hex', 'tic-tac-toe']) {
    test(`senet bot --level plays ${game} to its end`, {timeout: 300000}, async () => {
        const server = new Server();
        await server.start();
        try {
            const client = await Client.open(server, {record: 'levels'});
            const {room} = await client.done({type: 'create', game});
            await takeSeat(client, room, 'spectator');
            for (const {status, said} of await Promise.all([playsAlone(server, room, '--level', '2'), playsAlone(server, room, '--level', '1', '--delay-ms', '1')])) {
                assert.equal(status, 0, said);
                assert.match(said, /the game is over/);
                assert.doesNotMatch(said, /refused|given up/);
            }
            await client.end();
        } finally {
            await server.remove();
        }
    });
}

test('senet bot --level plays where fewer play than could', {timeout: 300000}, async () => {
    const server = new Server();
    await server.start();
    try {
        const client = await Client.open(server, {record: 'levels'});
        const {room} = await client.done({type: 'create', game: 'chinese-checkers', players: 2});
        const {seat} = await takeSeat(client, room, 'any');
        const ended = playsAlone(server, room, '--level', '2');
        await client.next({type: 'event', kind: 'joined', room});
        await playUntil(client, room, seat, 3);
        await client.done({type: 'action', room, kind: 'resign'});
        const {status, said} = await ended;
        assert.equal(status, 0, said);
        // A move of its own may have been on its way when the other one resigned.
        assert.doesNotMatch(said.replace('refused: game_over: the game is over\n', ''), /refused|given up/);
        await client.end();
    } finally {
        await server.remove();
    }
});

test('senet bot --level: 1 to 8, and no program beside it', () => {
    for (const words of [['--level', '0'], ['--level', '9'], ['--level', 'x'], ['--level', '3', '--uci', 'stockfish']])
        assert.equal(spawnSync(program, ['bot', 'http://localhost:1/room/k3Qd9xZa', ...words]).status, 2);
});

// `senet bot --seek`, until it ends; `said` is told what it says.
function seeks(server, ...words) {
    const child = spawn(program, ['bot', server.url, '--name', 'Robo', ...words], {stdio: ['ignore', 'pipe', 'pipe']});
    const bot = {child, said: ''};
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', text => (bot.said += text));
    bot.ended = new Promise(done => child.on('close', done));
    return bot;
}

async function waiting(client, count, name = 'Robo') {
    let {seeks: all} = await client.done({type: 'lobby.subscribe'});
    while (all.filter(seek => seek.name === name).length !== count) ({seeks: all} = await client.next(({type, re}) => type === 'lobby' && !re));
    await client.done({type: 'lobby.unsubscribe'});
    return all;
}

test('senet bot --seek is found by who takes bots, plays, and looks for the next one', {timeout: 300000}, async () => {
    const server = new Server();
    await server.start();
    const bot = seeks(server, '--seek', 'tic-tac-toe', '--clock', '5+3', '--level', '1', '--games', '2');
    try {
        const clock = {initial_ms: 300000, increment_ms: 3000};
        const seek = {type: 'seek', game: 'tic-tac-toe', clock};
        const [ada, eve] = await Promise.all([Client.open(server, {record: 'levels'}), Client.open(server, {record: 'levels'})]);
        const [{as, clock: its}] = await waiting(ada, 1);
        assert.deepEqual([as, its], ['bot', clock]);
        const people = eve.ask({...seek, bots: false, name: 'Eve'}); // who excludes bots waits beside it
        await waiting(ada, 1, 'Eve');
        await waiting(ada, 1);
        await eve.done({type: 'seek.cancel'});
        assert.equal((await people).code, 'withdrawn');
        for (let game = 1; game <= 2; game++) {
            await waiting(ada, 1);
            const {room} = await ada.done({...seek, seat: 'cross', name: 'Ada'});
            const {state, seat} = await takeSeat(ada, room, 'any');
            assert.deepEqual([state.status, state.seats.nought.name, state.seats.nought.as], ['playing', 'Robo', 'bot']);
            await playUntil(ada, room, seat, 1);
            await ada.done({type: 'action', room, kind: 'resign'});
        }
        assert.equal(await bot.ended, 0, bot.said);
        assert.equal(bot.said.match(/the game is over/g).length, 2);
        await ada.end();
        await eve.end();
    } finally {
        bot.child.kill('SIGKILL');
        await server.remove();
    }
});

test('senet bot --seek does not wait for who was found and has gone', {timeout: 300000}, async () => {
    const server = new Server();
    await server.start();
    const bot = seeks(server, '--seek', 'tic-tac-toe', '--clock', '{"initial_ms":20000}', '--people');
    try {
        const [ada, eve] = await Promise.all([Client.open(server), Client.open(server)]);
        assert.equal((await waiting(ada, 1))[0].bots, false);
        const {room} = await eve.done({type: 'seek', game: 'tic-tac-toe', clock: {initial_ms: 20000}});
        await eve.end(); // without having come in
        await waiting(ada, 1);
        const {state} = await takeSeat(ada, room, 'spectator');
        assert.equal(state.status, 'finished');
        await ada.end();
    } finally {
        bot.child.kill('SIGKILL');
        await server.remove();
    }
});

test('senet bot --seek: a game, and no room beside it', () => {
    const url = 'http://localhost:1';
    for (const words of [[`${url}/room/k3Qd9xZa`, '--seek', 'chess'], [url, '--seek', 'chess', '--room', 'k3Qd9xZa'], [url, '--seek', 'chess', '--stay'], [url, '--clock', '5+3'],
        ...['5', '5+', '+3', '5+3x', '{}', '0+0', '99999999+1', '{"initial_ms":-1}', '[1]'].map(clock => [url, '--seek', 'chess', '--clock', clock]),
        [url, '--seek', 'chess', '--games', 'x'], [`${url}/room/k3Qd9xZa`, '--people'], [`${url}/room/k3Qd9xZa`, '--games', '2']])
        assert.equal(spawnSync(program, ['bot', ...words]).status, 2, words.join(' '));
});
