// A player far away: the server measures the way itself, gives it back, says so, and still says the same after it was killed.
import assert from 'node:assert/strict';
import test from 'node:test';
import {Client} from '../support/client.mjs';
import {farAway} from '../support/far_away.mjs';
import {Server} from '../support/server.mjs';

const WAY_MS = 120; // in each direction

test('the way from and to a player is measured and not counted', {timeout: 120000}, async () => {
    const server = new Server([]);
    let far;
    try {
        await server.start();
        far = await farAway(server, WAY_MS);
        const [white, black] = [await Client.open(far, {record: 'lag'}), await Client.open(server, {record: 'lag'})];
        const {room} = await white.done({type: 'create', game: 'chess', clock: {initial_ms: 300000, increment_ms: 2000}});
        await white.done({type: 'join', room, seat: 'white'});
        await black.done({type: 'join', room, seat: 'black'});
        const play = async (player, text) => {
            const {version} = await player.done({type: 'move', room, move: {from: text.slice(0, 2), to: text.slice(2)}});
            const shown = message => message.type === 'event' && message.version === version;
            return (await Promise.all([black.next(shown), white.next(shown)]))[0]; // nobody moves before he has seen that
        };
        await play(white, 'e2e4');
        await play(black, 'e7e5');
        const far1 = await play(white, 'g1f3'), near = await play(black, 'b8c6'), far2 = await play(white, 'f1b5');
        for (const event of [far1, far2]) {
            assert.ok(event.lag_ms >= 2 * WAY_MS, JSON.stringify(event));
            assert.ok(event.compensated_ms >= 2 * WAY_MS && event.compensated_ms <= event.lag_ms, JSON.stringify(event));
        }
        assert.ok((near.lag_ms ?? 0) < far1.lag_ms && (near.compensated_ms ?? 0) <= (near.lag_ms ?? 0), JSON.stringify(near));
        const time = event => [event.spent_ms, event.compensated_ms, event.lag_ms];
        const left = black.rooms.get(room).state.seats.white.clock.left_ms;
        await server.stop('SIGKILL');
        await server.start();
        const late = await Client.open(server);
        const {events} = await late.done({type: 'history', room, from: 1, to: 200});
        const moves = events.filter(event => event.kind === 'moved');
        assert.deepEqual([moves[2], moves[3], moves[4]].map(time), [far1, near, far2].map(time));
        await late.done({type: 'join', room, seat: 'spectator'});
        await late.next({type: 'snapshot'});
        assert.equal(late.rooms.get(room).state.seats.white.clock.left_ms, left);
    } finally {
        far?.stop();
        await server.remove();
    }
});
