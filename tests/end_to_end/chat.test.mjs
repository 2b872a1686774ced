// Talk in a room: whose words are wanted, and how many there may be.
import assert from 'node:assert/strict';
import test, {after, before} from 'node:test';
import {Client} from '../support/client.mjs';
import {Server} from '../support/server.mjs';
import {setTable, takeSeat} from '../support/table.mjs';

const record = 'chat';
const server = new Server();
before(() => server.start());
after(() => server.remove());

test('players decide whose words they hear, and it holds after a restart', async () => {
    const {room, white, black, spectator} = await setTable(server, {watch: true, record});
    const say = (client, text) => client.ask({type: 'chat', room, text});
    const decide = (client, kind, rest) => client.done({type: 'action', room, kind, ...rest});
    assert.equal((await say(spectator, 'hello')).type, 'ack');
    const {player, version} = await white.next({type: 'event', kind: 'chat'});
    assert.equal(player, spectator.player);
    await decide(white, 'chat.mute', {player});
    const muted = await black.next({type: 'event', kind: 'muted'});
    assert.deepEqual([muted.seat, muted.player, muted.version], ['white', player, version + 1]);
    await spectator.refused({type: 'chat', room, text: 'hello?'}, 'muted', /do not want to hear you/);
    await spectator.refused({type: 'action', room, kind: 'chat.unmute', player}, 'not_seated');
    await black.refused({type: 'action', room, kind: 'chat.mute', player: white.player}, 'bad_message', /who plays/);
    await black.refused({type: 'action', room, kind: 'chat.mute'}, 'bad_message', /player/);
    await decide(black, 'chat.players');
    assert.equal((await white.next({type: 'event', kind: 'chat_allowed'})).voices, 'players');

    await server.stop();
    await server.start();
    const back = await Client.open(server, {token: white.token, record});
    const again = await takeSeat(back, room, 'white');
    assert.deepEqual([again.voices, again.muted], ['players', [player]]);
    await decide(back, 'chat.unmute', {player});
    await decide(back, 'chat.nobody');
    await back.refused({type: 'chat', room, text: 'am I alone?'}, 'muted', /turned the chat off/);
    await decide(back, 'chat.everybody');
    const third = await Client.open(server, {token: spectator.token, record});
    const seen = await takeSeat(third, room, 'spectator');
    assert.deepEqual([seen.voices, seen.muted, seen.chat_count], [undefined, undefined, 1]);
    await third.done({type: 'chat', room, text: 'here I am'});
    const {events} = await third.done({type: 'history', room, from: version, to: version + 10});
    assert.deepEqual(events.map(event => event.kind), ['chat', 'muted', 'chat_allowed', 'unmuted', 'chat_allowed', 'chat_allowed', 'chat']);
    await Promise.all([back.end(), third.end()]);
});

test('a crowd that talks is slowed down; the players play and talk as if it were not there', async () => {
    const {room, white, black} = await setTable(server, {record});
    const crowd = await Promise.all(Array.from({length: 6}, () => Client.open(server)));
    for (const client of crowd) await takeSeat(client, room, 'spectator');
    const answers = await Promise.all(
        crowd.flatMap(client => Array.from({length: 30}, (_, i) => client.ask({type: 'chat', room, text: `noise ${i}`}))),
    );
    const said = answers.filter(answer => answer.type === 'ack').length;
    const slowed = answers.filter(answer => answer.code === 'rate_limited');
    assert.ok(said >= 20 && said < 60, `${said} lines were said`);
    for (const {retry, retry_ms: wait} of slowed) assert.ok(retry && wait > 0);
    assert.equal((await white.ask({type: 'chat', room, text: 'quiet, please'})).type, 'ack');
    assert.equal((await white.ask({type: 'move', room, move: {from: 'e2', to: 'e4'}})).type, 'ack');
    await Promise.all([white, black, ...crowd].map(client => client.end()));
});
