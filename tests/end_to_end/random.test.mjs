// Many clients do at random what the text allows, and some of what it does not; connections break and come back, and so
// does the server, three times. Whatever
// happens: every command has one answer, of the codes there are, and in the end everybody sees the same state, which is
// what a stranger gets. (What each client sees on the way is checked by the client.)
//
// SENET_SEED repeats a run's choices; SENET_RANDOM_STEPS makes it longer.
import assert from 'node:assert/strict';
import test from 'node:test';
import {Client} from '../support/client.mjs';
import {Server} from '../support/server.mjs';
import {makeRace, RACE} from '../support/table.mjs';

const seed = Number(process.env.SENET_SEED ?? Date.now() % 1e9);
const steps = Number(process.env.SENET_RANDOM_STEPS ?? 1500);
const ALLOWED = ['seat_taken', 'no_such_seat', 'not_in_room', 'not_seated', 'not_started', 'game_over', 'not_over', 'too_late', 'not_your_turn', 'illegal_move', 'stale', 'no_offer', 'too_many', 'unavailable', 'bad_message'];

let randomState = seed;
function below(bound) {
    randomState = (Math.imul(randomState, 1664525) + 1013904223) >>> 0;
    return Math.floor((randomState / 2 ** 32) * bound);
}
const oneOf = list => list[below(list.length)];

const GAMES = [{game: 'chess'}, {game: 'checkers'}, {definition: makeRace(['white', 'black'])}, {definition: RACE}, {definition: makeRace(['alone'])}];
const ACTIONS = ['resign', 'abort', 'draw.offer', 'draw.accept', 'draw.decline', 'rematch.offer', 'rematch.offer', 'rematch.accept', 'rematch.decline', 'bot.invite'];

const BREAKS = [1006, 1012]; // cut off, by this test or a killed server; told to come back

// Somebody with a token, who comes back when the connection breaks.
class Somebody {
    rooms = new Set();

    constructor(server) {
        this.server = server;
    }

    async connect() {
        for (;;) {
            try {
                return await this.#comeBack();
            } catch (error) {
                if (!this.client.close) throw error; // otherwise the server is away
                assert.ok(BREAKS.includes(this.client.close.code), `closed with ${this.client.close.code}`);
                await new Promise(resolve => setTimeout(resolve, 20));
            }
        }
    }

    async #comeBack() {
        const {token, rooms: known} = this.client ?? {};
        this.client = new Client(this.server, {record: 'random'});
        this.client.token = token;
        for (const [room, was] of known ?? []) this.client.rooms.set(room, was);
        await this.client.next({type: 'hello'});
        const welcome = await this.client.ask({type: 'auth', ...(token && {token})});
        if (welcome.code === 'unavailable') await this.client.closed; // the server is stopping
        assert.equal(welcome.type, 'welcome');
        this.client.token = token ?? welcome.token;
        for (const room of this.rooms) {
            const was = known?.get(room);
            const answer = await this.client.ask({type: 'resume', room, version: was?.version ?? 0});
            if (answer.code === 'unavailable') await this.client.closed; // the room was still being read when the server was told to stop
            assert.ok(answer.type === 'ack' || answer.code === 'too_many', answer.message);
        }
    }

    // What may be said about a room, a likely thing most of the time.
    command(room) {
        const state = this.client.rooms.get(room)?.state;
        switch (below(12)) {
            case 0: return {type: 'join', room, seat: oneOf(['any', 'any', 'all', 'spectator', 'white', 'nobody']), name: `N${below(9)} 😀`, as: oneOf(['human', 'bot'])};
            case 1: return below(3) === 0 ? {type: 'leave', room} : {type: 'join', room, seat: 'any'};
            case 2: return {type: 'chat', room, text: `"${below(1000)}" é😀`};
            case 3: return {type: 'action', room, kind: oneOf(ACTIONS)};
            case 4: return {type: 'sync', room};
            case 5: return {type: 'resume', room, version: Math.max(0, (this.client.rooms.get(room)?.version ?? 0) - below(4))};
            case 6: return {type: 'history', room, from: 1 + below(5), to: 300};
            default: return {type: 'legal_moves', room, then: state && below(10) > 0 ? 'move' : 'nothing'};
        }
    }

    async act(room) {
        const {then, ...command} = this.command(room);
        const answer = await this.client.ask(command);
        if (answer.type === 'error') assert.ok(ALLOWED.includes(answer.code), `${JSON.stringify(command)} → ${answer.code}: ${answer.message}`);
        if (answer.type === 'ack' && (command.type === 'join' || command.type === 'resume')) this.rooms.add(room);
        if (answer.type === 'ack' && command.type === 'leave') this.rooms.delete(room), this.client.rooms.delete(room);
        if (then !== 'move' || answer.type !== 'legal_moves') return;
        const moved = await this.client.ask({type: 'move', room, version: answer.version, move: oneOf(answer.moves)});
        if (moved.type === 'error') assert.ok(['stale', 'not_your_turn', 'not_in_room', 'not_seated', 'game_over', 'unavailable'].includes(moved.code), `${moved.code}: ${moved.message}`);
    }
}

test('whatever is done in whatever order, everybody sees the same', {timeout: 300000}, async t => {
    t.diagnostic(`seed ${seed}`);
    const server = new Server(['--bot-think-ms', '0', '--room-idle-ms', '100', '--commands-per-second', '100000', '--commands-burst', '100000']);
    await server.start();
    try {
        const people = Array.from({length: 6}, () => new Somebody(server));
        for (const somebody of people) await somebody.connect();
        const rooms = [];
        let done = 0, failure = null;
        const walk = async somebody => {
            while (!failure && done++ < steps) {
                try {
                    if (rooms.length < 4 || below(150) === 0) {
                        const {room, code} = await somebody.client.ask({type: 'create', ...oneOf(GAMES)});
                        if (room) rooms.push(room);
                        else assert.equal(code, 'unavailable');
                    }
                    if (rooms.length === 0) continue;
                    if (below(60) === 0) somebody.client.socket.terminate();
                    await somebody.act(oneOf(rooms.slice(-4)));
                } catch (error) {
                    if (!somebody.client.close) throw error;
                    assert.ok(BREAKS.includes(somebody.client.close.code), `closed with ${somebody.client.close.code}`);
                    await somebody.connect();
                }
            }
        };
        const restart = async () => {
            for (const [index, signal] of ['SIGKILL', 'SIGTERM', 'SIGKILL'].entries()) {
                while (!failure && done < (steps * (index + 1)) / 4) await new Promise(resolve => setTimeout(resolve, 5));
                if (failure) return;
                await server.stop(signal);
                await server.start();
            }
        };
        // Who fails ends it for all, so that the test says so at once.
        await Promise.all([restart(), ...people.map(walk)].map(part => part.catch(error => (failure ??= error))));
        if (failure) throw failure;
        for (const {client} of people) if (!client.close) await client.settle();
        const stranger = await Client.open(server, {record: 'random'});
        let compared = 0;
        for (const room of rooms) {
            // A bot may still be playing: look until nothing has happened meanwhile.
            for (let before = -1, now = 0; before !== now;) {
                before = now;
                now = (await stranger.done({type: 'history', room, from: 1, to: 1})).version;
                for (const {client} of people) if (!client.close) await client.settle();
            }
            await stranger.done({type: 'join', room, seat: 'spectator'});
            const {state, version} = await stranger.next({type: 'snapshot', room});
            for (const somebody of people) {
                if (!somebody.rooms.has(room) || somebody.client.close) continue;
                const seen = somebody.client.rooms.get(room);
                if (!seen || seen.version !== version) continue;
                assert.deepEqual(seen.state, state);
                compared++;
            }
            await stranger.done({type: 'leave', room});
        }
        t.diagnostic(`${rooms.length} rooms, ${compared} states compared, ${people.reduce((sum, {client}) => sum + client.received.length, 0)} messages on the last connections`);
        assert.ok(compared > 0);
        for (const {client} of people) await client.end();
        await stranger.end();
    } finally {
        await server.remove();
    }
});
