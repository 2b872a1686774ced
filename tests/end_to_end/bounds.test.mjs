// What is bounded: readers that do not read, silence, long lists, commands sent without waiting for answers.
import assert from 'node:assert/strict';
import test, {after, before} from 'node:test';
import {isDeepStrictEqual} from 'node:util';
import {Client} from '../support/client.mjs';
import {frameOf, openRaw} from '../support/raw_socket.mjs';
import {Server} from '../support/server.mjs';
import {setTable, takeSeat} from '../support/table.mjs';

const record = 'bounds';
const server = new Server(['--commands-per-second', '100000', '--commands-burst', '100000']);
before(() => server.start());
after(() => server.remove());

const metric = async name => Number(new RegExp(`^senet_${name} (\\d+)$`, 'm').exec(await (await fetch(`${server.url}/metrics`)).text())[1]);
const wait = ms => new Promise(resolve => setTimeout(resolve, ms));

async function chat(client, room, count) {
    for (let done = 0; done < count; done += 50)
        await Promise.all(Array.from({length: 50}, (_, i) => client.done({type: 'chat', room, text: `${done + i} `.padEnd(500, 'x')})));
}

test('a spectator who does not read for a while is caught up with one snapshot; nobody else notices', async () => {
    const {room, white, spectator, end} = await setTable(server, {watch: true});
    spectator.socket.pause();
    const resyncs = await metric('resyncs_total');
    let said = 0;
    for (const full = await metric('outboxes_full_total'); (await metric('outboxes_full_total')) === full; said += 500) {
        assert.ok(said < 20000, 'the outbox is bounded');
        await chat(white, room, 500);
    }
    await chat(white, room, 100);
    spectator.socket.resume();
    const snapshot = await spectator.next({type: 'snapshot'});
    assert.equal(snapshot.layout, undefined, 'the layout is known');
    assert.ok(snapshot.chat.length > 20 && JSON.stringify(snapshot.chat).length < 17000, 'the last lines, as many as fit');
    assert.equal(snapshot.chat_count, said + 100);
    assert.equal(snapshot.chat.at(-1).version, snapshot.version);
    await white.done({type: 'move', room, move: {from: 'e2', to: 'e4'}});
    await spectator.next({type: 'event', kind: 'moved'});
    await white.settle();
    assert.deepEqual(spectator.rooms.get(room), white.rooms.get(room));
    assert.equal(await metric('resyncs_total'), resyncs + 1);
    await end();
});

test('a player who does not read is closed with 4010 and resumes', async () => {
    const {room, white, black} = await setTable(server);
    black.socket.pause();
    for (const full = await metric('outboxes_full_total'); (await metric('outboxes_full_total')) === full;) await chat(white, room, 500);
    black.socket.resume();
    assert.equal((await black.closed).code, 4010);
    const back = await Client.open(server, {token: black.token});
    back.rooms.set(room, black.rooms.get(room));
    const {version} = await back.done({type: 'resume', room, version: black.rooms.get(room).version});
    await back.settle();
    assert.deepEqual(back.rooms.get(room), white.rooms.get(room));
    assert.equal(version, white.rooms.get(room).version);
    await back.end();
    await white.end();
});

test('who asks and does not read the answers is closed with 4010', async () => {
    const {room, white, end} = await setTable(server);
    white.socket.pause();
    const full = await metric('outboxes_full_total');
    for (let i = 0; i < 3000; i++) white.send({type: 'sync', id: `${i}`, room});
    while ((await metric('outboxes_full_total')) === full) await wait(10);
    white.socket.resume();
    assert.equal((await white.closed).code, 4010);
    await end();
});

test('silence for two heartbeats ends a connection; answering pings keeps it', async () => {
    const HEARTBEAT_MS = 2000; // who answers may come late by as much: the machine may be busy
    const server = new Server(['--heartbeat-ms', `${HEARTBEAT_MS}`]);
    await server.start();
    const quiet = await Client.open(server, {record}); // its library answers pings
    assert.equal(quiet.hello.heartbeat_ms, HEARTBEAT_MS);
    const deaf = await openRaw(server.port), polite = await openRaw(server.port);
    const began = Date.now();
    for (const raw of [deaf, polite]) raw.write(frameOf('{"type":"auth","id":"silence-1"}'));
    const pinged = (async () => {
        for (let pings = 0; pings < 3;) {
            const {opcode, payload} = await polite.frame();
            if (opcode !== 9) continue;
            pings++;
            polite.write(frameOf(payload, {opcode: 10}));
        }
    })();
    assert.ok(await deaf.untilEnded());
    const lasted = Date.now() - began;
    assert.ok(lasted >= 2 * HEARTBEAT_MS - 50, `${lasted} ms`);
    await pinged;
    polite.write(frameOf('{"type":"ping","id":"after"}'));
    assert.equal(await polite.fate('after'), null);
    polite.destroy();
    await quiet.settle();
    await quiet.end();
    await server.remove();
});

test('the lobby shows the newest hundred, and of one\'s own the newest fifty', async () => {
    const client = await Client.open(server, {record});
    const rooms = [];
    for (let i = 0; i < 165; i++) {
        const {room} = await client.done({type: 'create', game: 'chess'});
        rooms.push(room);
        if (i % 3 === 0) {
            await takeSeat(client, room, 'all');
            await client.done({type: 'leave', room});
        }
    }
    const {rooms: shown} = await client.done({type: 'lobby.subscribe'});
    const waiting = new Set(rooms.filter((_, i) => i % 3 !== 0));
    assert.equal(shown.length, 100);
    for (const {room} of shown) assert.ok(waiting.has(room), 'none where one has all seats');
    const made = shown.map(row => row.created_at);
    assert.deepEqual(made, [...made].sort((a, b) => b - a), 'the newest first');
    for (const room of rooms.slice(80).filter(one => waiting.has(one))) assert.ok(shown.some(row => row.room === room));
    // One's turns come first: in rooms that rest the store is told whose it is a few seconds later.
    const newest = rooms.filter((_, i) => i % 3 === 0).reverse().slice(0, 50);
    for (let tries = 60, shows = []; ; tries--) {
        await client.done({type: 'lobby.unsubscribe'});
        shows = (await client.done({type: 'lobby.subscribe'})).mine.map(({room}) => room);
        if (tries === 0) assert.deepEqual(shows, newest);
        if (isDeepStrictEqual(shows, newest)) break;
        await wait(500);
    }
    await client.end();
});

test('moves sent without waiting are played in order', async () => {
    const client = await Client.open(server, {record});
    const {room} = await client.done({type: 'create', game: 'chess'});
    await takeSeat(client, room, 'all');
    const words = 'e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f8e7'.split(' ');
    for (const [ply, word] of words.entries()) client.send({type: 'move', id: `ply-${ply}`, room, move: {from: word.slice(0, 2), to: word.slice(2)}});
    for (const [ply] of words.entries()) assert.equal((await client.next({re: `ply-${ply}`})).version, ply + 3);
    const {moves} = await client.done({type: 'sync', room});
    assert.deepEqual(moves.map(({move}) => move.from + move.to), words);
    await client.end();
});

test('more commands than wait for their turn in a room are unavailable for a moment, and lost is none that was acknowledged', async () => {
    const {room, white, black, end} = await setTable(server, {record});
    const answers = await Promise.all(Array.from({length: 400}, (_, i) => white.ask({type: 'chat', room, text: `${i}`})));
    const refused = answers.filter(({type}) => type === 'error');
    for (const {code, retry, retry_ms} of refused) assert.ok(code === 'unavailable' && retry && retry_ms > 0);
    const acknowledged = answers.filter(({type}) => type === 'ack').map(({version}) => version);
    assert.deepEqual(acknowledged, acknowledged.map((_, i) => i + 4));
    assert.ok(acknowledged.length >= 64);
    await black.settle();
    assert.equal(black.rooms.get(room).version, 3 + acknowledged.length);
    await end();
});
