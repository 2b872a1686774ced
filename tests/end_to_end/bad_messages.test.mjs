// What is wrong, what is said to it, and whether the connection survives: a table per subject. A row:
//
//     [what is sent, as text or as a command (an id is added), the code, words, fate]
//
// `fate` is the close code; a row without one must leave the connection usable. Rows are sent by somebody in a certain
// place: nobody (not authenticated), a player, one who waits, those who play, one who watches, one whose game is over.
import assert from 'node:assert/strict';
import test, {after, before, describe} from 'node:test';
import {Client} from '../support/client.mjs';
import {frameOf, openRaw, RawSocket, upgradeRequest} from '../support/raw_socket.mjs';
import {Server} from '../support/server.mjs';
import {makeRace, playMoves, setTable, takeSeat} from '../support/table.mjs';

const record = 'bad_messages';
const server = new Server();
const people = {}; // place → {token, room}
const ROOM = 'ROOM'; // in a row: the room of whoever sends it

before(async () => {
    await server.start();
    const waiting = await setTable(server, {seats: ['white']});
    const playing = await setTable(server, {watch: true});
    await playMoves(playing, 'e2e4 e7e5'); // so that there is something to be stale about
    const over = await setTable(server);
    await over.white.done({type: 'action', room: over.room, kind: 'resign'});
    people.player = {token: (await Client.open(server)).token};
    people.waits = {token: waiting.white.token, room: waiting.room};
    for (const place of ['white', 'black']) people[place] = {token: playing[place].token, room: playing.room};
    people.watches = {token: playing.spectator.token, room: playing.room};
    people.over = {token: over.black.token, room: over.room};
});
after(() => server.remove());

async function place(name) {
    const {token, room} = people[name] ?? {token: false};
    const client = await Client.open(server, {token, record});
    if (room) {
        await client.done({type: 'resume', room, version: 0});
        await client.next({type: 'snapshot'});
    }
    return client;
}

let sent = 0;
function textOf(what, room) {
    if (typeof what === 'string') return what;
    return JSON.stringify({id: `bad-${++sent}`, ...what}, (key, value) => (key === 'room' && value === ROOM ? room : value));
}

async function refuse(who, what, code, words = /./, fate) {
    const client = await place(who);
    const text = textOf(what, people[who]?.room);
    client.sendText(text);
    const error = await client.next(({type}) => type === 'error');
    assert.equal(error.code, code, error.message);
    assert.match(error.message, words);
    assert.ok(error.message.length < 200);
    let id;
    try {
        id = JSON.parse(text).id;
    } catch {
        // Then there is no `re` either.
    }
    assert.equal(error.re, typeof id === 'string' && /^[\w.:-]{1,32}$/.test(id) && code !== 'bad_json' ? id : undefined);
    if (fate) assert.equal((await client.closed).code, fate);
    else await client.settle();
    await client.end();
}

function rows(subject, who, table) {
    describe(subject, () => {
        for (const [what, code, words, fate] of table) {
            const name = (typeof what === 'string' ? what : JSON.stringify(what)).replace(/(.{70}).*/s, '$1…').replace(/[^ -~…]/g, '?');
            test(`${name || 'nothing'} → ${code}`, () => refuse(who, what, code, words, fate));
        }
    });
}

const nested = depth => `{"type":"ping","id":"1","x":${'['.repeat(depth)}${']'.repeat(depth)}}`;

rows('not JSON, or not ours', 'player', [
    ['', 'bad_json'],
    [' ', 'bad_json'],
    ['hello', 'bad_json'],
    ['{', 'bad_json', /end/],
    ['{"type":"ping","id":"1"', 'bad_json'],
    ['{"type":"ping","id":"1"}}', 'bad_json', /follows/],
    ['{"type":"ping","id":"1"}{"type":"ping","id":"2"}', 'bad_json', /follows/],
    ["{'type':'ping','id':'1'}", 'bad_json'],
    ['{"type":"ping","id":"1",}', 'bad_json'],
    ['{"type":"ping","id":"1","id":"2"}', 'bad_json', /twice/],
    ['{"type":"ping","id":"1","x":NaN}', 'bad_json'],
    ['{"type":"ping","id":"1","x":01}', 'bad_json'],
    ['{"type":"ping","id":"1","x":1e999}', 'bad_json', /number/],
    ['{"type":"ping","id":"1","x":123456789012345678901234567890}', 'bad_json', /number/],
    ['{"type":"ping","id":"1","x":"\n"}', 'bad_json'],
    ['{"type":"ping","id":"1","x":"\\ud800"}', 'bad_json'],
    ['{"type":"ping","id":"1","x":"\\u0000"}', 'bad_json', /null character/],
    ['{"type":"ping","id":"1"}\0', 'bad_json'],
    ['\0', 'bad_json'],
    ['\ufeff{"type":"ping","id":"1"}', 'bad_json'],
    ['[]', 'bad_json'],
    ['[{"type":"ping","id":"1"}]', 'bad_json'],
    ['"ping"', 'bad_json'],
    ['7', 'bad_json'],
    ['null', 'bad_json'],
    [nested(32), 'bad_json', /deep/],
    [nested(8000), 'bad_json', /deep/],
    ['['.repeat(16000), 'bad_json', /deep/],
]);

rows('the envelope', 'player', [
    ['{}', 'bad_message', /id/],
    ['{"type":"ping"}', 'bad_message', /id/],
    ['{"type":"ping","id":""}', 'bad_message', /id/],
    ['{"type":"ping","id":7}', 'bad_message', /id/],
    ['{"type":"create","id":"1","game":"chess","clock":{}}', 'bad_message', /clock/],
    ['{"type":"create","id":"1","game":"chess","clock":{"initial_ms":1,"periods":0,"period_ms":1}}', 'bad_message', /clock.periods/],
    ['{"type":"ping","id":null}', 'bad_message', /id/],
    ['{"type":"ping","id":["1"]}', 'bad_message', /id/],
    [`{"type":"ping","id":"${'x'.repeat(33)}"}`, 'bad_message', /id/],
    ['{"type":"ping","id":"a b"}', 'bad_message', /id/],
    ['{"type":"ping","id":"é"}', 'bad_message', /id/],
    ['{"type":"ping","id":"1/2"}', 'bad_message', /id/],
    ['{"id":"1"}', 'bad_message', /type/],
    [{type: 7}, 'bad_message', /type/],
    [{type: null}, 'bad_message', /type/],
    [{type: 'fly'}, 'unknown_type'],
    [{type: ''}, 'unknown_type'],
    [{type: 'PING'}, 'unknown_type'],
    [{type: 'hello'}, 'unknown_type'],
    [{type: 'x'.repeat(10000)}, 'unknown_type'],
]);

const EVERY_COMMAND = [
    {type: 'games', op: 'list'}, {type: 'create', game: 'chess'}, {type: 'lobby.subscribe'}, {type: 'lobby.unsubscribe'}, {type: 'seek', game: 'chess'}, {type: 'seek.cancel'},
    ...['sync', 'leave', 'legal_moves'].map(type => ({type, room: 'k3Qd9xZa'})),
    {type: 'join', room: 'k3Qd9xZa', seat: 'any'}, {type: 'move', room: 'k3Qd9xZa', move: {from: 'e2', to: 'e4'}},
    {type: 'action', room: 'k3Qd9xZa', kind: 'resign'}, {type: 'chat', room: 'k3Qd9xZa', text: 'x'},
    {type: 'history', room: 'k3Qd9xZa', from: 1, to: 2}, {type: 'resume', room: 'k3Qd9xZa', version: 1},
];
rows('before auth', 'nobody', EVERY_COMMAND.map(command => [command, 'unauthenticated']));

rows('auth', 'nobody', [
    [{type: 'auth', token: ''}, 'bad_token', /./, 4001],
    [{type: 'auth', token: 'x'.repeat(42)}, 'bad_token', /./, 4001],
    [{type: 'auth', token: 'x'.repeat(44)}, 'bad_token', /./, 4001],
    [{type: 'auth', token: `${'x'.repeat(42)}+`}, 'bad_token', /./, 4001],
    [{type: 'auth', token: 'é'.repeat(21) + 'x'}, 'bad_token', /./, 4001],
    [{type: 'auth', token: 'x'.repeat(16000)}, 'bad_token', /./, 4001],
    [{type: 'auth', token: 7}, 'bad_message', /token/],
    [{type: 'auth', token: null}, 'bad_message', /token/],
]);
rows('auth a second time', 'player', [[{type: 'auth'}, 'bad_message', /authenticated/], [{type: 'auth', token: 'x'.repeat(43)}, 'bad_message', /authenticated/]]);

// Whatever else is wrong with a room of that name: there is none.
for (const room of ['k3Qd9xZa', 'nosuchroom', 'x', '../../etc', 'é', '😀😀', "'; -- '", '%00%00%0', 'y'.repeat(64)])
    rows(`a room called ${room.slice(0, 12)}`, 'player', EVERY_COMMAND.filter(command => command.room).map(command => [{...command, room}, 'unknown_room']));

// Each field of each command: left out, and of every wrong type.
describe('fields', () => {
    const object = {from: 'e2', to: 'e4'}, text = 'text', number = 3, list = ['e2'];
    const commands = [
        [{type: 'games', op: 'list'}, {op: [number, object, list, null, true, '', 'steal']}, false, ['op']],
        [{type: 'games', op: 'get', game: 'chess'}, {game: [number, object, list, null, '', 'x'.repeat(65), 'a\u0007']}],
        [{type: 'games', op: 'validate', definition: {}}, {definition: [number, list, null, true, '']}],
        [{type: 'create', definition: {}}, {definition: [number, list, null, true, '']}, true],
        [{type: 'create', game: 'chess'}, {game: [number, object, list, null, '', 'x'.repeat(65)]}, true],
        [{type: 'create', game: 'chess', visibility: 'private'}, {visibility: [number, object, null, '', 'secret']}, true, ['visibility']],
        [{type: 'join', room: ROOM, seat: 'spectator'}, {room: [number, object, list, null, '', 'x'.repeat(65), 'a\nb'], seat: [number, object, list, null, '', 'x'.repeat(65)]}],
        [{type: 'join', room: ROOM, seat: 'spectator', name: text, as: 'bot'}, {name: [number, object, null, 'x'.repeat(41), 'é'.repeat(21), 'a\u001bb', 'a\u0085b'], as: [number, null, '', 'robot']}, false, ['name', 'as']],
        [{type: 'leave', room: ROOM}, {room: [number, null, '']}],
        [{type: 'move', room: ROOM, move: object}, {
            room: [number, null, ''],
            move: [number, text, list, null, {}, {from: 'e2'}, {choice: 'queen'}, {from: 2, to: 4}, {from: null, to: 'e4'}, {from: '', to: 'e4'}, {from: 'e2', to: {}},
                {from: 'e2', to: {x: 'four'}}, {from: 'e2', to: {x: 1.5, y: 1}}, {from: 'e2', to: {x: 10001, y: 1}}, {from: 'e2', to: 'x'.repeat(65)}, {...object, choice: 7}, {...object, choice: ''}],
        }],
        [{type: 'move', room: ROOM, move: object, version: 3}, {version: ['3', 1.5, -1, null, 2 ** 53, list]}, false, ['version']],
        [{type: 'action', room: ROOM, kind: 'resign'}, {room: [number, null], kind: [number, object, list, null, '', 'give up']}],
        [{type: 'action', room: ROOM, kind: 'bot.invite', seat: 'black', level: 3}, {seat: [number, object, null, '', 'x'.repeat(65)], level: [0, 9, -1, 1.5, '3', null, list]}, false, ['seat', 'level']],
        [{type: 'chat', room: ROOM, text}, {room: [number, null], text: [number, object, list, null, '', 'x'.repeat(501), 'é'.repeat(251), 'a\nb', 'a\tb', '\u0007', '\u007f', '\u0085', '\u009f']}],
        [{type: 'legal_moves', room: ROOM}, {room: [number, null]}],
        [{type: 'legal_moves', room: ROOM, cell: 'e2'}, {cell: [number, null, list, '', {}, {x: 'e'}]}, false, ['cell']],
        [{type: 'history', room: ROOM, from: 1, to: 2}, {room: [number, null], from: ['1', 0, -1, 1.5, null, 3, 2 ** 60], to: ['2', 0, null, 1.5]}],
        [{type: 'sync', room: ROOM}, {room: [number, null, list]}],
        [{type: 'resume', room: ROOM, version: 1}, {room: [number, null], version: ['1', -1, 1.5, null, list]}],
    ];
    for (const [command, fields, unnamed, mayBeAbsent = []] of commands)
        test(`${command.type} ${Object.keys(fields).join(', ')}`, async () => {
            for (const [name, values] of Object.entries(fields)) {
                const wrong = values.map(value => ({...command, [name]: value}));
                if (!mayBeAbsent.includes(name)) wrong.push(Object.fromEntries(Object.entries(command).filter(([key]) => key !== name)));
                while (wrong.length > 0) {
                    const client = await place('white');
                    for (const what of wrong.splice(0, 7)) { // the eighth would end it
                        client.sendText(textOf(what, people.white.room));
                        const error = await client.next(({type, re}) => type === 'error' && re === `bad-${sent}`);
                        assert.equal(error.code, 'bad_message', `${JSON.stringify(what).slice(0, 200)}: ${error.message}`);
                        if (!unnamed) assert.match(error.message, new RegExp(`\\b${name}\\b|\\bto\\b.*\\bfrom\\b`), JSON.stringify(what).slice(0, 200));
                        assert.ok(error.message.length < 200);
                    }
                    await client.end();
                }
            }
        });

    test('what is just within the bounds is taken', async () => {
        const client = await place('player');
        const {room} = await client.done({type: 'create', game: 'chess', nonsense: {of: [1, null]}});
        for (const name of ['x'.repeat(40), 'é'.repeat(20), '', 'a', ' spaced ', '<b>"\\', '\u00a0', '\u2028'])
            await client.done({type: 'join', room, seat: 'spectator', name});
        for (const text of ['x'.repeat(500), 'é'.repeat(250), '😀'.repeat(125), ' ']) await client.done({type: 'chat', room, text});
        await client.done({type: 'ping', id: 'x'.repeat(32)});
        client.sendText(nested(31).replace('"1"', '"deep"'));
        await client.next({type: 'pong', re: 'deep'});
        client.sendText('{"type":"ping","id":"padded"}'.padEnd(16384));
        await client.next({type: 'pong', re: 'padded'});
        await client.end();
    });
});

rows('where one is not', 'player', [
    [{type: 'games', op: 'get', game: 'ludo'}, 'unknown_game'],
    [{type: 'games', op: 'publish'}, 'unsupported'],
    [{type: 'create', game: 'ludo'}, 'unknown_game'],
    [{type: 'create', game: '../chess'}, 'unknown_game'],
    [{type: 'create', definition: {}}, 'bad_definition'],
    [{type: 'create', definition: 'not JSON'}, 'bad_definition'],
    [{type: 'create', definition: '[]'}, 'bad_definition'],
    [{type: 'create', definition: '['.repeat(8000)}, 'bad_definition'],
]);
rows('while waiting', 'waits', [
    [{type: 'move', room: ROOM, move: {from: 'e2', to: 'e4'}}, 'not_started'],
    [{type: 'legal_moves', room: ROOM}, 'not_started'],
    [{type: 'action', room: ROOM, kind: 'resign'}, 'not_started'],
    [{type: 'action', room: ROOM, kind: 'abort'}, 'not_started'],
    [{type: 'action', room: ROOM, kind: 'draw.offer'}, 'not_started'],
    [{type: 'action', room: ROOM, kind: 'rematch.offer'}, 'not_over'],
    [{type: 'action', room: ROOM, kind: 'takeback.offer'}, 'not_started'],
    [{type: 'action', room: ROOM, kind: 'claim.timeout', as: 'win'}, 'not_started'],
    [{type: 'action', room: ROOM, kind: 'claim.timeout'}, 'bad_message', /as/],
    [{type: 'action', room: ROOM, kind: 'claim.timeout', as: 'bot'}, 'bad_message', /as/],
    [{type: 'action', room: ROOM, kind: 'bot.invite', seat: 'white'}, 'seat_taken'],
    [{type: 'action', room: ROOM, kind: 'bot.invite', seat: 'red'}, 'no_such_seat'],
    [{type: 'join', room: ROOM, seat: 'red'}, 'no_such_seat'],
    [{type: 'history', room: ROOM, from: 3, to: 3}, 'bad_message', /from/],
]);
rows('while playing', 'white', [
    [{type: 'move', room: ROOM, move: {from: 'd2', to: 'd5'}}, 'illegal_move'],
    [{type: 'move', room: ROOM, move: {to: 'e4'}}, 'illegal_move', /puts no figures/],
    [{type: 'move', room: ROOM, move: {from: 'd7', to: 'd5'}}, 'illegal_move'],
    [{type: 'move', room: ROOM, move: {from: 'd4', to: 'd5'}}, 'illegal_move'],
    [{type: 'move', room: ROOM, move: {from: 'd9', to: 'd4'}}, 'illegal_move', /from.*d9/],
    [{type: 'move', room: ROOM, move: {from: 'd2', to: 'D4'}}, 'illegal_move', /to.*D4/],
    [{type: 'move', room: ROOM, move: {from: 'd2', to: {x: 3, z: 3}}}, 'illegal_move', /to/],
    [{type: 'move', room: ROOM, move: {from: 'd2', to: {x: 3, y: 3, z: 0}}}, 'illegal_move', /to/],
    [{type: 'move', room: ROOM, move: {from: 'd2', to: 'd4', choice: 'queen'}}, 'illegal_move', /choose/],
    ...[0, 3, 4].map(version => [{type: 'move', room: ROOM, version, move: {from: 'd2', to: 'd4'}}, 'stale']),
    [{type: 'action', room: ROOM, kind: 'abort'}, 'too_late'],
    [{type: 'action', room: ROOM, kind: 'draw.accept'}, 'no_offer'],
    [{type: 'action', room: ROOM, kind: 'draw.decline'}, 'no_offer'],
    [{type: 'action', room: ROOM, kind: 'rematch.offer'}, 'not_over'],
    [{type: 'action', room: ROOM, kind: 'bot.invite'}, 'seat_taken'],
    [{type: 'legal_moves', room: ROOM, cell: 'd9'}, 'bad_message', /cell/],
    [{type: 'join', room: ROOM, seat: 'black'}, 'seat_taken'],
    [{type: 'join', room: ROOM, seat: 'all'}, 'seat_taken'],
    [{type: 'join', room: ROOM, seat: 'WHITE'}, 'no_such_seat'],
]);
rows('out of turn', 'black', [[{type: 'move', room: ROOM, move: {from: 'd7', to: 'd5'}}, 'not_your_turn'], [{type: 'move', room: ROOM, move: {from: 'd2', to: 'd4'}}, 'not_your_turn']]);
rows('watching', 'watches', [
    [{type: 'move', room: ROOM, move: {from: 'e2', to: 'e4'}}, 'not_seated'],
    ...['resign', 'abort', 'draw.offer', 'draw.accept', 'rematch.offer', 'bot.invite'].map(kind => [{type: 'action', room: ROOM, kind}, 'not_seated']),
    ...['any', 'white', 'all'].map(seat => [{type: 'join', room: ROOM, seat}, 'seat_taken']),
]);
rows('after the end', 'over', [
    [{type: 'move', room: ROOM, move: {from: 'e2', to: 'e4'}}, 'game_over'],
    [{type: 'legal_moves', room: ROOM}, 'game_over'],
    ...['resign', 'abort', 'draw.offer', 'draw.accept', 'draw.decline', 'bot.invite'].map(kind => [{type: 'action', room: ROOM, kind}, 'game_over']),
    [{type: 'action', room: ROOM, kind: 'rematch.accept'}, 'no_offer'],
    [{type: 'action', room: ROOM, kind: 'rematch.decline'}, 'no_offer'],
]);

describe('not in the room', () => {
    test('what only those inside may', async () => {
        const client = await place('player');
        const {room} = people.white;
        for (const command of [{type: 'sync'}, {type: 'chat', text: 'x'}, {type: 'move', move: {from: 'e2', to: 'e4'}}, {type: 'action', kind: 'resign'}])
            await client.refused({...command, room}, 'not_in_room');
        await client.end();
    });
});

describe('too much', () => {
    test('sixteen rooms on a connection, not seventeen', async () => {
        const client = await Client.open(server, {record});
        const rooms = [];
        while (rooms.length < 17) rooms.push((await client.done({type: 'create', game: 'chess'})).room);
        for (const room of rooms.slice(0, 16)) await takeSeat(client, room, 'white');
        await client.refused({type: 'join', room: rooms[16], seat: 'white'}, 'too_many');
        await client.refused({type: 'join', room: rooms[16], seat: 'spectator'}, 'too_many');
        await client.refused({type: 'resume', room: rooms[16], version: 0}, 'too_many');
        await client.done({type: 'leave', room: rooms[0]});
        await takeSeat(client, rooms[16], 'white');
        await client.end();
    });

    test('eight malformed messages end a connection with 1008, and what is only unknown does not', async () => {
        const client = await place('player');
        for (let i = 0; i < 20; i++) await client.refused({type: `unknown ${i}`}, 'unknown_type');
        for (let i = 0; i < 8; i++) {
            client.sendText(i % 2 === 0 ? '{' : '{"type":"ping"}');
            await client.next({type: 'error', code: i % 2 === 0 ? 'bad_json' : 'bad_message'});
        }
        assert.equal((await client.closed).code, 1008);
    });

    test('too fast: rate_limited says when to come back, and who does not listen is closed with 4008', async () => {
        const strict = new Server(['--commands-per-second', '1', '--commands-burst', '7']);
        await strict.start();
        try {
            const client = await Client.open(strict, {record});
            const answers = await Promise.all(Array.from({length: 40}, () => client.ask({type: 'ping'})));
            const limited = answers.filter(({code}) => code === 'rate_limited');
            assert.ok(limited.length > 0 && limited.length < 20, `${limited.length} of 40`); // fewer, the longer it takes
            for (const {retry, retry_ms} of limited) assert.ok(retry === true && retry_ms > 0 && retry_ms < 5000);
            await new Promise(resolve => setTimeout(resolve, limited.at(-1).retry_ms + 20));
            await client.done({type: 'ping'});
            const closed = client.closed;
            for (let i = 0; i < 100; i++) client.send({type: 'ping', id: `${i}`});
            assert.equal((await closed).code, 4008);
        } finally {
            await strict.remove();
        }
    });

    test('behind a proxy, from pages of the host that the browser asked', async () => {
        const behind = new Server(['--trust-forwarded']);
        const table = [
            [{'X-Forwarded-Host': 'a.example', Origin: 'https://a.example'}, 101],
            [{'X-Forwarded-Host': 'a.example', 'X-Forwarded-Proto': 'https', Origin: 'https://a.example'}, 101],
            [{'X-Forwarded-Host': 'a.example', 'X-Forwarded-Proto': 'https', Origin: 'http://a.example'}, 403],
            [{'X-Forwarded-Host': 'a.example', Origin: 'https://b.example'}, 403],
            [{Host: 'a.example', Origin: 'https://a.example'}, 101],
        ];
        await behind.start();
        try {
            for (const [headers, expected] of table) {
                const raw = new RawSocket(behind.port);
                raw.write(upgradeRequest({headers}));
                assert.equal((await raw.answer()).status, expected, JSON.stringify(headers));
                raw.destroy();
            }
        } finally {
            await behind.remove();
        }
    });

    test('from any page, when the list says so', async () => {
        const open = new Server(['--origins', '*']);
        await open.start();
        try {
            for (const origin of ['https://a.example', 'null']) {
                const raw = new RawSocket(open.port);
                raw.write(upgradeRequest({headers: {Origin: origin}}));
                assert.equal((await raw.answer()).status, 101, origin);
                raw.destroy();
            }
        } finally {
            await open.remove();
        }
    });

    test('who does not say who they are in time is closed with 1008', async () => {
        const strict = new Server(['--auth-within-ms', '200']);
        await strict.start();
        try {
            const silent = await Client.open(strict, {record, token: false});
            const known = await Client.open(strict, {record});
            assert.equal((await silent.closed).code, 1008);
            await known.settle();
            await known.end();
        } finally {
            await strict.remove();
        }
    });
});

// What no good client sends: [name, bytes or a function that makes them, fate]; null: the connection stays.
describe('frames', () => {
    const ping = '{"type":"ping","id":"1"}';
    const table = [
        ['a binary frame', [frameOf(ping, {opcode: 2})], 1003],
        ['an empty binary frame', [frameOf('', {opcode: 2})], 1003],
        ['text that is not UTF-8', [frameOf(Buffer.from([0x7b, 0xff, 0x7d]))], 1007],
        ['text that is cut inside a character', [frameOf(Buffer.from('{"x":"é').subarray(0, 7))], 1007],
        ['an encoded surrogate', [frameOf(Buffer.from([0xed, 0xa0, 0x80]))], 1007],
        ['an overlong slash', [frameOf(Buffer.from([0xc0, 0xaf]))], 1007],
        ['16,385 bytes', [frameOf(ping.padEnd(16385))], 1009],
        ['a megabyte', [frameOf('x'.repeat(1 << 20))], 1009],
        ['16,385 bytes in fragments', [frameOf(ping.padEnd(8192), {fin: false}), frameOf(' '.repeat(8193), {opcode: 0})], 1009],
        ['fragments without end', [frameOf(ping.padEnd(4096), {fin: false}), ...Array.from({length: 8}, () => frameOf(' '.repeat(4096), {opcode: 0, fin: false}))], 1009],
        ['a declared terabyte', [frameOf('{', {length: 2 ** 40})], 1009],
        ['a declared 16,385', [frameOf('{', {length: 16385})], 1009],
        ['the first reserved bit', [frameOf(ping, {reserved: 4})], 1002],
        ['the second reserved bit', [frameOf(ping, {reserved: 2})], 1002],
        ['the third reserved bit', [frameOf(ping, {reserved: 1})], 1002],
        ['a reserved opcode', [frameOf(ping, {opcode: 3})], 1002],
        ['a reserved control opcode', [frameOf('', {opcode: 11})], 1002],
        ['a ping of 126 bytes', [frameOf('x'.repeat(126), {opcode: 9})], [1002, 'dropped']], // the library hangs up
        ['a ping in fragments', [frameOf('x', {opcode: 9, fin: false})], 1002],
        ['a continuation of nothing', [frameOf(ping, {opcode: 0})], 1002],
        ['a new message inside another', [frameOf('{', {fin: false}), frameOf(ping)], 1002],
        ['a message in fragments, one of them empty, a ping between', [frameOf(ping.slice(0, 5), {fin: false}), frameOf('', {opcode: 0, fin: false}), frameOf('p', {opcode: 9}), frameOf(ping.slice(5), {opcode: 0})], null],
        ['a character across two fragments', [frameOf(Buffer.from('{"x":"é').subarray(0, 7), {fin: false}), frameOf(Buffer.concat([Buffer.from('é').subarray(1), Buffer.from('"}')]), {opcode: 0})], null],
        ['16,384 bytes', [frameOf(ping.padEnd(16384))], null],
        ['a byte at a time', [...frameOf(ping)].map(byte => Buffer.from([byte])), null],
        ['an unasked pong', [frameOf('what?', {opcode: 10})], null],
        // The library unmasks what was never masked and does not tell; newer ones refuse it.
        ['a frame that is not masked', [frameOf(ping, {masked: false})], [null, 1002]],
    ];
    for (const [name, frames, fate] of table)
        test(name, async () => {
            const raw = await openRaw(server.port);
            for (const frame of frames) {
                raw.write(frame);
                if (frames.length > 10) await new Promise(setImmediate);
            }
            // Said after it, this is answered only on a connection that stays.
            raw.write(frameOf('{"type":"ping","id":"after"}'));
            const found = await raw.fate('after');
            assert.ok([fate].flat().includes(found), `${found} instead of ${fate}`);
            raw.destroy();
        });

    test('a close is answered with its own code', async () => {
        const raw = await openRaw(server.port);
        raw.write(frameOf(Buffer.from([0x03, 0xe8]), {opcode: 8}));
        assert.equal(await raw.fate(), 1000);
        assert.ok(await raw.untilEnded());
    });

    test('who goes away without a word, in the middle of a frame, hurts nobody', async () => {
        for (const bytes of [frameOf(ping).subarray(0, 9), frameOf(ping, {fin: false}), frameOf('x', {length: 16000})]) {
            const raw = await openRaw(server.port);
            raw.write(bytes);
            await new Promise(resolve => setTimeout(resolve, 5));
            raw.destroy();
        }
        await (await place('player')).end();
    });
});

describe('handshakes', () => {
    const table = [
        ['a good one', {}, 101],
        ['among other subprotocols', {headers: {'Sec-WebSocket-Protocol': 'chat, senet.v1'}}, 101],
        ['after a name of the library\'s own', {headers: {'Sec-WebSocket-Protocol': 'http, senet.v1'}}, 101],
        ['in capitals', {headers: {'Sec-WebSocket-Protocol': 'SENET.V1'}}, 400],
        ['with arguments', {path: '/ws?from=here'}, 101],
        ['without a subprotocol', {headers: {'Sec-WebSocket-Protocol': null}}, 400],
        ['with another subprotocol', {headers: {'Sec-WebSocket-Protocol': 'senet.v2'}}, 400],
        ['elsewhere', {path: '/'}, 404],
        ['elsewhere, below', {path: '/ws/x'}, 404],
        ['elsewhere, in a room', {path: '/room/k3Qd9xZa'}, 404],
        ['an old version', {headers: {'Sec-WebSocket-Version': '8'}}, 426],
        ['no version', {headers: {'Sec-WebSocket-Version': null}}, 426],
        ['no key', {headers: {'Sec-WebSocket-Key': null}}, 400],
        ['half a key', {headers: {'Sec-WebSocket-Key': 'abc'}}, 400],
        ['by POST', {method: 'POST'}, 405],
        ['without Connection: Upgrade', {headers: {Connection: 'keep-alive'}}, 400],
        ['a GET that is no handshake', {headers: {Upgrade: null, Connection: 'keep-alive'}}, 426],
        ['compression is not negotiated', {headers: {'Sec-WebSocket-Extensions': 'permessage-deflate'}}, 101],
        ['from a page of ours', {headers: {Host: 'senet.example:8080', Origin: 'http://senet.example:8080'}}, 101],
        ['from a page of ours, its port left out', {headers: {Host: 'senet.example:443', Origin: 'https://senet.example'}}, 101],
        ['from a page of ours, in capitals', {headers: {Host: 'Senet.example', Origin: 'https://senet.EXAMPLE'}}, 101],
        ['from another page', {headers: {Origin: 'https://elsewhere.example'}}, 403],
        ['from a page of another port', {headers: {Host: 'senet.example:8080', Origin: 'http://senet.example:8081'}}, 403],
        ['from a page whose name only begins like ours', {headers: {Host: 'senet.example', Origin: 'https://senet.example.evil'}}, 403],
        ['from a page that does not say', {headers: {Origin: 'null'}}, 403],
        ['from no page, in words', {headers: {Origin: ''}}, 403],
        ['from a page of what the browser asked a proxy for, which is not trusted', {headers: {'X-Forwarded-Host': 'senet.example', Origin: 'https://senet.example'}}, 403],
    ];
    for (const [name, request, expected] of table)
        test(name, async () => {
            const raw = new RawSocket(server.port);
            raw.write(upgradeRequest(request));
            const {status, headers} = await raw.answer();
            assert.equal(status, expected);
            if (status === 101) {
                assert.equal(headers['sec-websocket-protocol'], 'senet.v1');
                assert.equal(headers['sec-websocket-extensions'], undefined);
            } else if (name !== 'a GET that is no handshake') {
                assert.ok(await raw.untilEnded(), 'a refused handshake ends the connection');
            }
            raw.destroy();
        });

    test('only from pages that may', async () => {
        const strict = new Server(['--origins', 'https://a.example,https://b.example']);
        await strict.start();
        try {
            for (const [origin, expected] of [['https://a.example', 101], ['https://b.example', 101], [null, 101], ['https://c.example', 403], ['https://a.example.evil', 403], ['null', 403]]) {
                const raw = new RawSocket(strict.port);
                raw.write(upgradeRequest({headers: {Origin: origin}}));
                assert.equal((await raw.answer()).status, expected, `${origin}`);
                raw.destroy();
            }
        } finally {
            await strict.remove();
        }
    });
});

test('after all this the server plays on', async () => {
    const table = await setTable(server, {record, create: {definition: makeRace(['a', 'b'])}, seats: ['a', 'b']});
    await table.a.done({type: 'move', room: table.room, move: {from: 'κ1', to: 'κ3'}});
    await table.b.next({type: 'event', kind: 'moved'});
    await table.end();
});
