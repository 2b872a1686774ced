// SIGTERM, and what is found after it (and after kill -9: everything that was acknowledged, but that is kill.test.mjs).
import assert from 'node:assert/strict';
import test from 'node:test';
import {setTimeout as pause} from 'node:timers/promises';
import {Client} from '../support/client.mjs';
import {Server} from '../support/server.mjs';
import {countedMs, inTime, RACE, playMoves, ROUNDING_MS, setTable, SHORT_GAME, takeSeat} from '../support/table.mjs';

const record = 'restart';
const actOf = room => (client, kind, id) => client.done({type: 'action', room, kind, ...(id && {id})});

async function withServer(body, {postgres} = {}) {
    const server = new Server(['--bot-think-ms', '0'], {postgres});
    await server.start();
    try {
        return await body(server);
    } finally {
        await server.remove();
    }
}

test('SIGTERM: everybody is told 1012, and the program ends with 0', async () => {
    await withServer(async server => {
        const table = await setTable(server, {record, watch: true});
        const stranger = await Client.open(server, {token: false});
        const busy = Array.from({length: 20}, (_, i) => table.white.ask({type: 'chat', id: `last-${i}`, room: table.room, text: `${i}`}));
        const answers = Promise.allSettled(busy);
        assert.deepEqual(await server.stop('SIGTERM'), {code: 0, signal: null});
        for (const client of [...table.clients, stranger]) assert.equal((await client.closed).code, 1012);
        // What was acknowledged while it stopped is there afterwards; what was refused is not.
        const outcomes = (await answers).map(({value}) => value);
        await server.start();
        const {chat} = await Client.open(server, {record, token: table.white.token}).then(client => takeSeat(client, table.room, 'white'));
        const acknowledged = outcomes.flatMap((answer, i) => (answer?.type === 'ack' ? [`${i}`] : []));
        const refused = outcomes.flatMap((answer, i) => (answer?.type === 'error' ? [`${i}`] : []));
        const kept = chat.map(({text}) => text);
        for (const text of acknowledged) assert.ok(kept.includes(text), `"${text}" was acknowledged`);
        for (const text of refused) assert.ok(!kept.includes(text), `"${text}" was refused`);
    });
});

test('kill -9, and nobody comes back: a flag falls all the same, and no turn is shorter for it', {timeout: 120000}, async () => {
    await withServer(async server => {
        const table = await setTable(server, {create: {game: 'chess', clock: {initial_ms: 3000}}});
        await playMoves(table, 'e2e4 e7e5');
        await server.stop('SIGKILL');
        const began = Date.now();
        await server.start();
        while (Number(server.sql(`SELECT status FROM room WHERE id = '${table.room}'`)) !== 2) await pause(50);
        assert.ok(Date.now() - began >= 3000, 'the turn began anew');
        const {state} = await Client.open(server).then(client => takeSeat(client, table.room, 'spectator'));
        assert.deepEqual(state.result, {winner: 'black', reason: 'time'});
    });
});

// Whether `play` came to its end before the flag fell of somebody who had all the time that was there since then.
async function unlessFlagged(since, leftMs, play) {
    try {
        await play();
        return true;
    } catch (error) {
        const passed = performance.now() - since;
        assert.ok(/game_over/.test(error.message) && passed >= leftMs, error);
        return false;
    }
}

test('kill -9 for longer than a player has left: his turn begins anew, and later his flag falls all the same', {timeout: 240000}, async () => {
    await inTime(3000, leftMs => withServer(async server => {
        const table = await setTable(server, {record, create: {game: 'chess', clock: {initial_ms: leftMs}}});
        const {room} = table;
        await playMoves(table, 'e2e4 e7e5');
        await pause(leftMs / 10); // he has thought for a while
        await server.stop('SIGKILL');
        await pause(leftMs + 2000);
        const started = performance.now();
        await server.start();
        const clients = await Promise.all([table.white, table.black].map(({token}) => Client.open(server, {record, token})));
        const [white, black] = clients;
        const shown = await Promise.all(clients.map(client => takeSeat(client, room, 'any')));
        const isThere = performance.now() - started;
        if (isThere >= leftMs) return false;
        for (const {state, turn_ms} of shown) {
            assert.equal(state.status, 'playing');
            assert.equal(state.seats.white.clock.left_ms, leftMs);
            assert.ok(turn_ms <= isThere + ROUNDING_MS, `${turn_ms} of ${isThere} ms are counted`);
        }
        assert.deepEqual(shown[0].state.seats, shown[1].state.seats);

        // He moves, and both see what that took.
        if (!(await unlessFlagged(started, leftMs, () => playMoves({white, room}, 'g1f3')))) return false;
        const moved = await Promise.all(clients.map(client => client.next({type: 'event', kind: 'moved'})));
        assert.ok(countedMs(moved[0]) <= performance.now() - started + ROUNDING_MS);
        for (const {rooms} of clients) assert.equal(rooms.get(room).state.seats.white.clock.left_ms, leftMs - (moved[0].spent_ms ?? 0));
        const began = performance.now();
        if (!(await unlessFlagged(started, leftMs, () => playMoves({black, room}, 'b8c6', ['black'])))) return false;

        // And when he does not, his flag falls, but not before what was left is over.
        const [flag] = await Promise.all(clients.map(client => client.next({type: 'event', kind: 'flagged'})));
        assert.equal(flag.seat, 'white');
        assert.ok(performance.now() - began >= leftMs - (moved[0].spent_ms ?? 0) - ROUNDING_MS, 'he had what was left');
        for (const {rooms} of clients) assert.deepEqual(rooms.get(room).state.result, {winner: 'black', reason: 'time'});
        await Promise.all(clients.map(client => client.end()));
        return true;
    }));
});

test('while the server is stopped clocks stand, as when its machine sleeps', {timeout: 60000}, async () => {
    const STOPPED_MS = 6000;
    await withServer(async server => {
        const table = await setTable(server, {create: {game: 'chess', clock: {initial_ms: 600000}}});
        await playMoves(table, 'e2e4 e7e5');
        const began = Date.now();
        server.signal('SIGSTOP');
        await pause(STOPPED_MS);
        server.signal('SIGCONT');
        await playMoves(table, 'g1f3');
        const passed = Date.now() - began;
        const {events} = await table.white.done({type: 'history', room: table.room, from: 1, to: 20});
        const {kind, spent_ms: spent = 0} = events.at(-1); // a time of 0 is not said
        assert.equal(kind, 'moved');
        assert.ok(spent <= passed - STOPPED_MS + 500, `${spent} of ${passed} ms are counted`);
    });
});

test('after a restart everybody is where they were', async () => {
    await withServer(async server => {
        const waiting = await setTable(server, {record, seats: ['black']});
        const playing = await setTable(server, {record, watch: true});
        const finished = await setTable(server, {record});
        const own = await setTable(server, {record, create: {definition: RACE, visibility: 'private'}, seats: RACE.players});
        const withBot = await setTable(server, {record, create: {game: 'checkers'}, seats: ['white']});
        await playMoves(playing, 'e2e4 e7e5');
        await playing.spectator.done({type: 'chat', room: playing.room, text: 'kept'});
        await actOf(playing.room)(playing.white, 'draw.offer');
        await playMoves(finished, SHORT_GAME);
        await actOf(finished.room)(finished.black, 'rematch.offer');
        await playMoves(own, 'κ1-κ4', RACE.players);
        await actOf(withBot.room)(withBot.white, 'bot.invite');
        const tables = [waiting, playing, finished, own, withBot];
        const before = new Map();
        for (const {room, clients} of tables) before.set(room, await clients[0].done({type: 'sync', room}));
        assert.deepEqual(await server.stop(), {code: 0, signal: null});
        await server.start();

        for (const {room, clients} of tables) {
            const {re: _, ...was} = before.get(room);
            for (const client of clients) {
                const back = await Client.open(server, {record, token: client.token});
                assert.equal(back.player, client.player);
                back.rooms.set(room, client.rooms.get(room));
                const {mode, version} = await back.done({type: 'resume', room, version: was.version});
                assert.equal(version, was.version);
                const snapshot = mode === 'snapshot' ? await back.next({type: 'snapshot'}) : await back.done({type: 'sync', room});
                const {re, ...is} = snapshot;
                if (client === clients[0]) assert.deepEqual(is, was);
                assert.deepEqual(is.state, was.state);
                await back.end();
            }
        }

        // The house's bot is back by itself and answers.
        const ada = await Client.open(server, {record, token: withBot.white.token});
        const {legal_moves} = await takeSeat(ada, withBot.room, 'white');
        await ada.done({type: 'move', room: withBot.room, move: legal_moves[0]});
        await ada.next(({type, kind, seat}) => type === 'event' && kind === 'moved' && seat === 'black');

        // Offers stand, and are answered.
        const bob = await Client.open(server, {record, token: playing.black.token});
        await takeSeat(bob, playing.room, 'any');
        await actOf(playing.room)(bob, 'draw.accept');
        assert.equal((await bob.next({type: 'event', kind: 'drawn'})).patch.result.draw, true);
        const white = await Client.open(server, {record, token: finished.white.token});
        await takeSeat(white, finished.room, 'any');
        await actOf(finished.room)(white, 'rematch.accept');
        const {next_room} = await white.next({type: 'event', kind: 'rematch'});
        assert.equal((await takeSeat(white, next_room, 'any')).seat, 'black');

        // A stranger reads the finished one.
        const stranger = await Client.open(server, {record});
        const {state, moves} = await takeSeat(stranger, finished.room, 'spectator');
        assert.deepEqual([state.result.winner, moves.length], ['white', 7]);
        const {events} = await stranger.done({type: 'history', room: finished.room, from: 1, to: 200});
        assert.deepEqual(events.map(({version}) => version), events.map((_, index) => index + 1));
        const {mine} = await white.done({type: 'lobby.subscribe'});
        assert.deepEqual(mine.map(({room}) => room), [next_room, finished.room]);
        await Promise.all([ada, bob, white, stranger].map(client => client.end()));
    });
});

// Of a player's rooms, none of which is in memory.
async function toldTurns(server, token) {
    const client = await Client.open(server, {record, token});
    const {mine} = await client.done({type: 'lobby.subscribe'});
    await client.end();
    const metrics = await (await fetch(`${server.url}/metrics`)).text();
    assert.match(metrics, /^senet_rooms_live 0$/m);
    return mine.map(({room, to_move}) => [room, to_move]);
}

for (const [store, postgres] of [['SQLite', undefined], ['PostgreSQL', process.env.SENET_TEST_POSTGRES]])
    test(`${store}: whose turn it is in one's rooms is told after a restart without reading them, and where it is one's own comes first`, {
        skip: store === 'PostgreSQL' && !postgres && 'SENET_TEST_POSTGRES names no PostgreSQL',
    }, () => withServer(async server => {
        const first = await setTable(server, {record});
        const rooms = [first.room];
        for (const moves of ['e2e4', 'd2d4 d7d5', 'c2c4']) {
            const {room} = await first.white.done({type: 'create', game: 'chess'});
            await takeSeat(first.white, room, 'white');
            await takeSeat(first.black, room, 'black');
            await playMoves({...first, room}, moves);
            rooms.push(room);
        }
        const [none, one, two, last] = rooms;
        const {token} = first.white;
        assert.equal((await server.stop()).code, 0);
        await server.start();
        const expected = [[two, 'white'], [none, 'white'], [last, 'black'], [one, 'black']];
        assert.deepEqual(await toldTurns(server, token), expected);

        // What happens after that and is on disk when the server dies is not known, and nothing wrong is said.
        const white = await Client.open(server, {record, token});
        for (const room of [two, last]) await takeSeat(white, room, 'any');
        await white.done({type: 'move', room: two, move: {from: 'c2', to: 'c4'}});
        await server.stop('SIGKILL');
        await server.start();
        assert.deepEqual(await toldTurns(server, token), [[none, 'white'], [last, 'black'], [two, undefined], [one, 'black']]);
    }, {postgres}));

test('the same id after a restart: the same answer, no second event', async () => {
    await withServer(async server => {
        const {room, white, black} = await setTable(server, {record});
        const commands = [
            {type: 'create', id: 'again-create', game: 'checkers'},
            {type: 'move', id: 'again-move', room, move: {from: 'e2', to: 'e4'}},
            {type: 'chat', id: 'again-chat', room, text: 'once'},
            {type: 'action', id: 'again-draw', room, kind: 'draw.offer'},
            {type: 'action', id: 'again-resign', room, kind: 'resign'},
            {type: 'action', id: 'again-rematch', room, kind: 'rematch.offer'},
        ];
        const answers = [];
        for (const command of commands) answers.push(await white.done(command));
        await black.settle();
        const {version} = black.rooms.get(room);
        await server.stop('SIGKILL');
        await server.start();
        const back = await Client.open(server, {record, token: white.token});
        await back.done({type: 'resume', room, version: 0});
        for (const [index, command] of commands.entries()) assert.deepEqual(await back.done(command), answers[index]);
        await back.refused({type: 'chat', id: 'again-move', room, text: 'with a move\'s id'}, 'id_reused');
        await back.refused({type: 'move', id: 'again-move', room, move: {from: 'd2', to: 'd4'}}, 'id_reused');
        const {events} = await back.done({type: 'history', room, from: 1, to: 99});
        assert.equal(events.length, version);
        await back.end();
    });
});

test('a room that nobody looks at leaves memory and comes back as it was', async () => {
    await withServer(async server => {
        const table = await setTable(server, {record});
        await playMoves(table, 'e2e4');
        await table.black.settle();
        await table.end();
        const client = await Client.open(server, {record, token: table.black.token});
        for (let live = 1; live > 0; await new Promise(resolve => setTimeout(resolve, 20)))
            live = Number(/^senet_rooms_live (\d+)$/m.exec(await (await fetch(`${server.url}/metrics`)).text())[1]);
        client.rooms.set(table.room, table.black.rooms.get(table.room));
        const {mode} = await client.done({type: 'resume', room: table.room, version: 3});
        assert.equal(mode, 'events', 'what was sent before is made again');
        assert.equal((await client.next({type: 'event', version: 4})).legal_moves.length, 20);
        await client.end();
    }, ['--room-idle-ms', '50']);
});
