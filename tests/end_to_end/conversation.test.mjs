// The whole of protocol/README.md, said to the real program by somebody who has read nothing else. What the text promises of
// every event (versions, patches, hashes) is checked by the client itself, in tests/support/client.mjs.
import assert from 'node:assert/strict';
import {createHash} from 'node:crypto';
import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import test, {after, before, describe} from 'node:test';
import {Client} from '../support/client.mjs';
import {wholeGame} from '../support/games.mjs';
import {Server} from '../support/server.mjs';
import {applyPatch} from '../support/state.mjs';
import {makeRace, playMoves, RACE, setTable, SHORT_GAME, takeSeat} from '../support/table.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const record = 'conversation';
const server = new Server(['--bot-think-ms', '0', '--commands-per-second', '5000', '--commands-burst', '5000']);
before(() => server.start());
after(() => server.remove());

const names = object => Object.keys(object).sort();
const typesOf = messages => messages.map(({type}) => type);
const eventsOf = messages => messages.filter(({type}) => type === 'event');

// A test with people at a table; their connections are ended, and what they found wrong is thrown, whatever happens.
function atTable(name, options, body) {
    test(name, async () => {
        const table = await setTable(server, {record, ...options});
        try {
            await body(table);
        } finally {
            await table.end();
        }
    });
}

function withClients(name, count, body) {
    test(name, async () => {
        const clients = await Promise.all(Array.from({length: count}, () => Client.open(server, {record})));
        try {
            await body(...clients);
        } finally {
            await Promise.all(clients.map(client => client.end()));
        }
    });
}

// Some at once, but not so many that the room's queue is full.
async function chatALot(client, room, count) {
    const lines = Array.from({length: count}, (_, i) => `line ${i}`);
    while (lines.length > 0) await Promise.all(lines.splice(0, 25).map(text => client.done({type: 'chat', room, text})));
}

async function nextEvent(client, room, kind) {
    const event = await client.next({type: 'event', room});
    assert.equal(event.kind, kind);
    return event;
}

describe('the session', () => {
    test('hello comes first and says what the limits are', async () => {
        const client = await Client.open(server, {record, token: false});
        const {server: version, ...rest} = client.hello;
        assert.match(version, /^\d+\.\d+\.\d+$/);
        assert.deepEqual(rest, {
            type: 'hello', protocol: 'senet.v1', heartbeat_ms: 15000, player_heartbeat_ms: 3000,
            limits: {message_bytes: 16384, definition_bytes: 16384, name_bytes: 40, chat_bytes: 500, rooms: 16},
        });
        await client.end();
    });

    test('a token is minted once; the same token is the same player on every connection', async () => {
        const first = await Client.open(server, {record, token: false});
        const welcome = await first.authenticate();
        assert.deepEqual(names(welcome), ['player', 're', 'session', 'token', 'type']);
        assert.match(welcome.token, /^[A-Za-z0-9_-]{43}$/);
        assert.match(welcome.session, /^s_/);
        assert.equal(welcome.player, `p_${createHash('sha256').update(welcome.token).digest('base64url').slice(0, 16)}`);
        const second = await Client.open(server, {record, token: welcome.token});
        assert.equal(second.player, welcome.player);
        assert.notEqual(second.session, welcome.session);
        const other = await Client.open(server, {record});
        assert.notEqual(other.token, welcome.token);
        await Promise.all([first, second, other].map(client => client.end()));
    });

    test('a token that was never seen before is a player as well', async () => {
        const token = createHash('sha256').update(`mine ${Math.random()}`).digest('base64url');
        const client = await Client.open(server, {record, token});
        assert.match(client.player, /^p_[A-Za-z0-9_-]{16}$/);
        await client.end();
    });

    test('nobody has to wait for an answer before the next command', async () => {
        const client = await Client.open(server, {record, token: false});
        client.send({type: 'auth', id: 'auth'});
        client.send({type: 'create', id: `at-once-${Math.random()}`, game: 'chess'});
        client.send({type: 'lobby.subscribe', id: 'lobby'});
        client.player = (await client.next({type: 'welcome'})).player;
        const {room} = await client.next({type: 'ack'});
        assert.ok((await client.next({re: 'lobby'})).rooms);
        client.send({type: 'join', id: 'j', room, seat: 'all'});
        client.send({type: 'move', id: 'm', room, move: {from: 'e2', to: 'e4'}});
        assert.equal((await client.next({re: 'm'})).version, 3);
        await client.end();
    });

    test('ping is answered with the server\'s time, before auth too', async () => {
        const client = await Client.open(server, {record, token: false});
        for (let i = 0; i < 2; i++) {
            const {at, ...pong} = await client.ask({type: 'ping', id: `a.b:c-d_${i}`});
            assert.deepEqual(pong, {type: 'pong', re: `a.b:c-d_${i}`});
            assert.ok(Math.abs(at - Date.now()) < 60000);
            if (i === 0) await client.authenticate();
        }
        await client.end();
    });
});

describe('games', () => {
    withClients('list names them, get gives all of one', 1, async client => {
        const {games, ...rest} = await client.done({type: 'games', id: 'g1', op: 'list'});
        assert.deepEqual(rest, {type: 'games', re: 'g1'});
        assert.deepEqual(games.map(({id}) => id).sort(), readdirSync(`${root}games`).filter(name => name.endsWith('.json')).map(name => name.slice(0, -5)).sort());
        for (const listed of games) {
            const {player_counts, ...always} = listed;
            assert.deepEqual(names(always), ['description', 'id', 'players', 'title']);
            assert.equal(player_counts !== undefined, listed.id === 'chinese-checkers');
            const {game} = await client.done({type: 'games', op: 'get', game: listed.id});
            const {definition, hash, ...summary} = game;
            assert.deepEqual(summary, listed);
            const text = wholeGame(listed.id);
            assert.deepEqual(definition, JSON.parse(text));
            assert.equal(hash, createHash('sha256').update(text).digest('hex'));
        }
        await client.refused({type: 'games', op: 'get', game: 'ludo'}, 'unknown_game');
        await client.refused({type: 'games', op: 'publish', definition: RACE}, 'unsupported');
    });

    withClients('validate says what is wrong, and where, in an object and in a text', 1, async client => {
        assert.deepEqual(await client.done({type: 'games', id: 'v', op: 'validate', definition: RACE}), {type: 'games', re: 'v', valid: true, diagnostics: []});
        const broken = {...RACE, initial_game_state: 'turn O', figures: {...RACE.figures, ghost: {movement: [{x: 0, repeat: true}]}}};
        const text = JSON.stringify(broken, null, 2);
        const lines = text.split('\n');
        const elsewhere = {...RACE, resources: {images: {figures: {[RACE.players[0]]: {[Object.keys(RACE.figures)[0]]: 'https://elsewhere.example/a.svg'}}}}};
        const warned = await client.done({type: 'games', op: 'validate', definition: elsewhere});
        assert.deepEqual([warned.valid, warned.diagnostics.map(({severity, message}) => `${severity}: ${message}`)], [true, ['warning: pages do not show pictures from other servers: those would learn who plays']]);
        const {room: unpictured} = await client.done({type: 'create', definition: elsewhere});
        await client.done({type: 'join', room: unpictured, seat: 'spectator'});
        assert.ok(!JSON.stringify((await client.next({type: 'snapshot', room: unpictured})).layout).includes('elsewhere'));
        await client.done({type: 'leave', room: unpictured});
        for (const definition of [broken, text]) {
            const {valid, diagnostics} = await client.done({type: 'games', op: 'validate', definition});
            assert.equal(valid, false);
            assert.ok(diagnostics.length >= 2, 'all problems at once');
            for (const diagnostic of diagnostics) assert.deepEqual(names(diagnostic), ['column', 'hint', 'line', 'message', 'pointer', 'severity']);
            const state = diagnostics.find(({pointer}) => pointer === '/initial_game_state');
            assert.equal(state.severity, 'error');
            assert.match(state.hint, /turn 0/);
            const line = definition === text ? lines[state.line - 1] : JSON.stringify(broken);
            assert.match(Buffer.from(line).subarray(state.column - 1).toString(), /^"turn O"/);
        }
        const notJson = await client.done({type: 'games', op: 'validate', definition: '{"name": "x",\n  oops}'});
        assert.equal(notJson.valid, false);
        assert.equal(notJson.diagnostics[0].line, 2);
        const {code, diagnostics} = await client.ask({type: 'create', definition: broken});
        assert.equal(code, 'bad_definition');
        assert.ok(diagnostics.some(({pointer}) => pointer === '/initial_game_state'));
    });
});

describe('create', () => {
    withClients('by game, by object and by text; it does not join', 1, async client => {
        for (const what of [{game: 'chess'}, {definition: RACE}, {definition: JSON.stringify(RACE)}, {game: 'checkers', visibility: 'private'}]) {
            const ack = await client.done({type: 'create', ...what});
            assert.deepEqual(names(ack), ['re', 'room', 'type', 'version']);
            assert.equal(ack.version, 1);
            assert.match(ack.room, /^[A-Za-z0-9]{18}$/);
            await client.refused({type: 'sync', room: ack.room}, 'not_in_room');
            await client.refused({type: 'chat', room: ack.room, text: 'hello'}, 'not_in_room');
            await client.refused({type: 'action', room: ack.room, kind: 'bot.invite'}, 'not_in_room');
            const snapshot = await takeSeat(client, ack.room, 'spectator');
            const id = what.game ?? '';
            assert.equal(snapshot.game.id, id);
            assert.equal(snapshot.visibility, what.visibility ?? 'public');
            assert.equal(snapshot.version, 1);
            assert.equal(snapshot.state.status, 'waiting');
            assert.deepEqual(snapshot.state.seats, {});
            const {events} = await client.done({type: 'history', room: ack.room, from: 1, to: 1});
            assert.equal(events[0].kind, 'created');
            assert.equal(events[0].game, id);
        }
        await client.refused({type: 'create', game: 'ludo'}, 'unknown_game');
        await client.refused({type: 'create', game: 'chess', clock: {minutes: 5}}, 'bad_message', /clock/);
        await client.refused({type: 'create', game: 'chess', definition: RACE}, 'bad_message');
        await client.refused({type: 'create'}, 'bad_message');
    });
});

describe('join and leave', () => {
    withClients('ack, then snapshot, then presence; others see an event', 3, async (ada, bob, eve) => {
        const {room} = await ada.done({type: 'create', game: 'chess'});
        await takeSeat(eve, room, 'spectator');
        await eve.settle();
        for (const client of [ada, eve]) client.drain();
        const before = ada.received.length;
        const ack = await ada.done({type: 'join', id: 'j', room, seat: 'white', name: 'Ada'});
        assert.deepEqual(ack, {type: 'ack', re: 'j', room, version: 2});
        const snapshot = await ada.next({type: 'snapshot'});
        const presence = await ada.next({type: 'presence'});
        assert.deepEqual(typesOf(ada.received.slice(before, before + 3)), ['ack', 'snapshot', 'presence']);
        assert.deepEqual(presence, {type: 'presence', room, spectators: 1, connected: ['white']});
        assert.deepEqual(names(snapshot), ['chat', 'chat_count', 'game', 'hash', 'layout', 'moves', 'plies', 'room', 'seat', 'seats', 'state', 'type', 'version', 'visibility']);
        assert.equal(snapshot.seat, 'white');
        assert.deepEqual(snapshot.seats, ['white']);
        assert.equal(snapshot.version, 2);
        assert.deepEqual(snapshot.state.seats, {white: {as: 'human', name: 'Ada', player: ada.player}});
        assert.deepEqual(names(snapshot.state), ['cells', 'move_number', 'ply', 'seats', 'state', 'status']);
        assert.equal(Object.keys(snapshot.state.cells).length, 32, 'occupied cells only');
        for (const cell of Object.values(snapshot.state.cells)) assert.deepEqual(names(cell), ['figure', 'last_move', 'moves_made', 'player']);

        const seen = await nextEvent(eve, room, 'joined');
        assert.deepEqual(names(seen), ['as', 'at', 'hash', 'kind', 'name', 'patch', 'player', 'room', 'seat', 'seats', 'type', 'version']);
        assert.deepEqual([seen.seats, seen.player, seen.name, seen.as, seen.version], [['white'], ada.player, 'Ada', 'human', 2]);
        assert.ok(Math.abs(seen.at - Date.now()) < 60000);
        // What came of her own coming may be told as late.
        assert.deepEqual(await eve.next(message => message.type === 'presence' && message.connected.length > 0), presence);

        const start = await takeSeat(bob, room, 'black', {as: 'bot'});
        assert.deepEqual([start.state.status, start.state.to_move, start.state.state], ['playing', 'white', 'white']);
        assert.equal(start.state.seats.black.as, 'bot');
        assert.equal(start.legal_moves, undefined, 'black does not have to act');
        const started = await nextEvent(ada, room, 'joined');
        assert.deepEqual([started.patch.status, started.patch.to_move], ['playing', 'white']);
        assert.equal(started.legal_moves.length, 20, 'white must act');
        assert.equal((await nextEvent(eve, room, 'joined')).legal_moves, undefined);
        await ada.settle();
        assert.equal(eventsOf(ada.received).length, 1, 'nobody sees the event of their own joining');
    });

    withClients('a layout is what is to be drawn', 1, async client => {
        const {room} = await client.done({type: 'create', game: 'intellector'});
        const {layout, state} = await takeSeat(client, room, 'all');
        assert.deepEqual(names(layout), ['cells', 'figures', 'images', 'players', 'rotation', 'shapes', 'start', 'translations']);
        assert.deepEqual(layout.players, ['white', 'black']);
        assert.equal(layout.cells.length, 59);
        const drawn = new Set(layout.cells.map(({name}) => name));
        for (const name of Object.keys(state.cells)) assert.ok(drawn.has(name));
        for (const {x, y, shape, fill, selector, highlighter} of layout.cells) {
            assert.ok(Number.isFinite(x) && Number.isFinite(y) && layout.shapes[shape].length >= 3);
            for (const colour of [fill, selector, highlighter]) assert.match(colour, /^[a-z#(), .%\d]+$/i);
        }
        for (const {figure, player} of Object.values(state.cells)) {
            assert.ok(layout.figures.includes(figure));
            const answer = await fetch(server.url + layout.images[player][figure]);
            assert.equal(answer.headers.get('content-type'), 'image/svg+xml');
            await answer.arrayBuffer();
        }
    });

    withClients('a layout has the words of its board in other languages, and no description, of the game it extends neither', 1, async client => {
        const {room} = await client.done({type: 'create', game: 'antichess'});
        const {layout} = await takeSeat(client, room, 'all');
        const [own, chess] = ['antichess', 'chess'].map(name => JSON.parse(readFileSync(`${root}games/${name}.json`)));
        for (const language of ['de', 'es']) {
            const words = layout.translations[language];
            assert.equal(words.king, chess.translations[language].king);
            assert.ok(own.description in own.translations[language] && chess.description in chess.translations[language]);
            assert.ok(!(own.description in words) && !(chess.description in words));
        }
    });

    withClients('a layout has the sets of pictures that the game offers, all of them there to be had', 1, async client => {
        const {room} = await client.done({type: 'create', game: 'minixiangqi'});
        const {layout} = await takeSeat(client, room, 'all');
        assert.deepEqual(layout.sets.map(set => [set.name, names(set)]), [['International', ['images', 'name']]]);
        const [{images}] = layout.sets;
        for (const player of layout.players) {
            assert.deepEqual(names(images[player]), names(layout.images[player]));
            for (const [figure, path] of Object.entries(images[player])) {
                assert.equal(path, `/games/xiangqi/international/${player}-${figure}.svg`);
                const answer = await fetch(server.url + path);
                assert.equal(answer.headers.get('content-type'), 'image/svg+xml');
                await answer.arrayBuffer();
            }
        }
    });

    withClients('a game of one\'s own shows the pictures that served games have, and no other file', 1, async client => {
        const figure = Object.keys(RACE.figures)[0];
        const [one, other] = RACE.players;
        const definition = {...RACE, resources: {images: {figures: {[one]: {[figure]: 'chess/white-rook.svg'}, [other]: {[figure]: 'chess/nothing.svg'}}}}};
        const {room} = await client.done({type: 'create', definition});
        const {layout} = await takeSeat(client, room, 'all');
        assert.deepEqual([layout.images[one], layout.images[other]], [{[figure]: '/games/chess/white-rook.svg'}, {}]);
        const sets = {International: null, Plain: {figures: {red: {horse: 'chess/white-knight.svg', general: 'chess/nothing.svg', cannon: 'https://elsewhere.example/a.svg'}}}};
        const varied = await client.done({type: 'create', definition: {extends: 'minixiangqi', name: 'mine', resources: {sets}}});
        const snapshot = await takeSeat(client, varied.room, 'all');
        assert.deepEqual(snapshot.layout.sets, [{name: 'Plain', images: {red: {horse: '/games/chess/white-knight.svg'}, black: {}}}]);
    });

    withClients('any takes the first free seat, all takes both, a spectator none', 4, async (ada, bob, eve, hot) => {
        const {room} = await ada.done({type: 'create', game: 'chess'});
        assert.equal((await takeSeat(ada, room, 'any')).seat, 'white');
        await bob.refused({type: 'join', room, seat: 'white'}, 'seat_taken');
        await bob.refused({type: 'join', room, seat: 'all'}, 'seat_taken');
        await bob.refused({type: 'join', room, seat: 'green'}, 'no_such_seat');
        assert.equal((await takeSeat(bob, room, 'any')).seat, 'black');
        for (const seat of ['any', 'black', 'all']) await eve.refused({type: 'join', room, seat}, 'seat_taken');
        const watching = await takeSeat(eve, room, 'spectator');
        assert.deepEqual([watching.seat, watching.seats, watching.legal_moves], ['spectator', [], undefined]);
        const {room: shared} = await hot.done({type: 'create', game: 'chess'});
        const both = await takeSeat(hot, shared, 'all');
        assert.deepEqual([both.seat, both.seats, both.legal_moves.length, both.version], ['all', ['white', 'black'], 20, 2]);
        const {room: halves} = await hot.done({type: 'create', game: 'chess'});
        assert.equal((await takeSeat(hot, halves, 'black')).seat, 'black');
        assert.deepEqual((await takeSeat(hot, halves, 'all')).seats, ['white', 'black'], 'the free one is taken beside one\'s own');
    });

    atTable('who watches may sit down, and who sits may watch', {seats: ['white'], watch: true}, async ({room, white, spectator}) => {
        const sitting = await takeSeat(spectator, room, 'black');
        assert.deepEqual([sitting.seat, sitting.version, sitting.state.status], ['black', 3, 'playing']);
        const watching = await takeSeat(white, room, 'spectator');
        assert.deepEqual([watching.seat, watching.seats, watching.legal_moves], ['spectator', [], undefined]);
        await white.refused({type: 'move', room, move: {from: 'e2', to: 'e4'}}, 'not_seated');
        await spectator.next(({type, spectators, connected}) => type === 'presence' && spectators === 1 && connected.join() === 'black');
        assert.equal(watching.state.seats.white.player, white.player, 'the seat stays held');
        await takeSeat(white, room, 'any');
        await white.done({type: 'move', room, move: {from: 'e2', to: 'e4'}});
    });

    atTable('a held seat is given again to its player, without an event', {}, async ({room, white, black}) => {
        const {version} = white.snapshot;
        for (const seat of ['white', 'any', 'white']) {
            const again = await takeSeat(white, room, seat);
            assert.deepEqual([again.seat, again.version, again.legal_moves.length], ['white', version + 1, 20]);
        }
        await black.settle();
        assert.deepEqual(eventsOf(black.drain()), []);
    });

    withClients('leave: a waiting room has the seat free again', 2, async (ada, bob) => {
        const {room} = await ada.done({type: 'create', game: 'chess'});
        await takeSeat(ada, room, 'white');
        await takeSeat(bob, room, 'spectator');
        bob.drain();
        assert.deepEqual(await ada.done({type: 'leave', id: 'l', room}), {type: 'ack', re: 'l', room, version: 3});
        const left = await nextEvent(bob, room, 'left');
        assert.deepEqual([left.seats, left.patch], [['white'], {seats: {white: null}}]);
        await bob.next(({type, connected}) => type === 'presence' && connected.length === 0);
        await ada.refused({type: 'sync', room}, 'not_in_room');
        assert.equal((await takeSeat(bob, room, 'white')).seat, 'white');
        await ada.settle();
        assert.deepEqual(ada.drain().filter(message => message.room === room && message.type === 'event'), [], 'who has left hears nothing more');
        await ada.done({type: 'leave', room}); // a second time is as good
    });

    atTable('leave: while playing the seat stays held, and a spectator just goes', {watch: true}, async ({room, white, black, spectator}) => {
        await white.done({type: 'leave', room});
        await black.next(({type, connected}) => type === 'presence' && connected.join() === 'black');
        await spectator.done({type: 'leave', room});
        await black.next(({type, spectators}) => type === 'presence' && spectators === 0);
        await spectator.refused({type: 'join', room, seat: 'white'}, 'seat_taken');
        await white.refused({type: 'move', room, move: {from: 'e2', to: 'e4'}}, 'not_in_room');
        assert.equal((await takeSeat(white, room, 'white')).legal_moves.length, 20);
        await black.settle();
        assert.deepEqual(eventsOf(black.drain()), [], 'nothing has happened');
        await white.done({type: 'move', room, move: {from: 'e2', to: 'e4'}});
    });

    atTable('leave: a finished room keeps its seats', {}, async ({room, white, black}) => {
        await white.done({type: 'action', room, kind: 'resign'});
        await nextEvent(black, room, 'resigned');
        await white.done({type: 'leave', room});
        assert.equal((await takeSeat(white, room, 'any')).seat, 'white');
    });
});

describe('moves', () => {
    atTable('the event says everything; legal moves go to who must act, and only there', {watch: true}, async ({room, white, black, spectator}) => {
        const version = 3;
        const ack = await white.done({type: 'move', id: 'm', room, version, move: {from: 'e2', to: 'e4'}});
        assert.deepEqual(ack, {type: 'ack', re: 'm', room, version: version + 1});
        const [own, theirs, seen] = await Promise.all([white, black, spectator].map(client => nextEvent(client, room, 'moved')));
        const {legal_moves, ...rest} = theirs;
        assert.deepEqual(own, rest);
        assert.deepEqual(seen, rest);
        assert.equal(legal_moves.length, 20);
        const {at, hash, ...event} = rest;
        assert.deepEqual(event, {
            type: 'event', room, version: 4, kind: 'moved', seat: 'white', move: {from: 'e2', to: 'e4'}, text: 'e4', may_abort: true,
            patch: {
                cells: {e2: null, e4: {figure: 'pawn', last_move: 0, moves_made: 0, player: 'white'}},
                last_move: {from: 'e2', to: 'e4'}, ply: 1, state: white.rooms.get(room).state.state, to_move: 'black',
            },
        });
        await black.done({type: 'move', room, move: legal_moves[0]});
        assert.equal((await nextEvent(white, room, 'moved')).legal_moves.length, 30);
        assert.equal((await nextEvent(black, room, 'moved')).legal_moves, undefined);
    });

    atTable('a cell is its name, its coordinates joined, or an object of them', {}, async ({room, white, black}) => {
        await white.done({type: 'move', room, move: {from: '4_1', to: {x: 4, y: 3}}});
        assert.deepEqual((await nextEvent(black, room, 'moved')).move, {from: 'e2', to: 'e4'}, 'the server writes names');
        await black.done({type: 'move', room, move: {from: {y: 6, x: 4}, to: 'e5'}});
        for (const cell of ['g1', '6_0', {x: 6, y: 0}]) {
            const {moves, ...rest} = await black.done({type: 'legal_moves', id: 'q', room, cell});
            assert.deepEqual(rest, {type: 'legal_moves', re: 'q', room, version: 5, skip: 0, count: 3});
            assert.deepEqual(moves.map(({from, to}) => from + to).sort(), ['g1e2', 'g1f3', 'g1h3'], 'of the player to move, whoever asks');
        }
        assert.deepEqual((await white.done({type: 'legal_moves', room, cell: 'd4'})).moves, []);
        await white.refused({type: 'legal_moves', room, cell: 'z9'}, 'bad_message', /cell/);
    });

    withClients('what cannot be played is refused and changes nothing', 3, async (ada, bob, eve) => {
        const {room} = await ada.done({type: 'create', game: 'chess'});
        const move = {from: 'e2', to: 'e4'};
        await takeSeat(ada, room, 'white');
        await ada.refused({type: 'move', room, move}, 'not_started');
        await ada.refused({type: 'legal_moves', room}, 'not_started');
        await takeSeat(bob, room, 'black');
        await ada.next({type: 'event'});
        await takeSeat(eve, room, 'spectator');
        await eve.refused({type: 'move', room, move}, 'not_seated');
        await bob.refused({type: 'move', room, move: {from: 'e7', to: 'e5'}}, 'not_your_turn');
        for (const wrong of [{from: 'e2', to: 'e5'}, {from: 'e7', to: 'e5'}, {from: 'e4', to: 'e5'}, {from: 'e2', to: 'e2'}, {from: 'nowhere', to: 'e4'}, {from: 'e2', to: {x: 99, y: 0}}, {from: {x: 4}, to: 'e4'}, {...move, choice: 'queen'}])
            await ada.refused({type: 'move', room, move: wrong}, 'illegal_move');
        await ada.done({type: 'move', room, version: 3, move});
        const stale = await bob.refused({type: 'move', room, version: 3, move: {from: 'e7', to: 'e5'}}, 'stale');
        assert.equal(stale.version, 4);
        assert.equal(stale.room, room);
        await eve.done({type: 'chat', room, text: 'a word in between does not make it stale'});
        await bob.done({type: 'move', room, version: 4, move: {from: 'e7', to: 'e5'}});
        await eve.settle();
        assert.equal(eve.rooms.get(room).version, 6);
    });

    atTable('a game is played to its end', {watch: true}, async ({room, white, black, spectator, ...table}) => {
        await playMoves({room, white, black, ...table}, SHORT_GAME);
        const events = [];
        while (events.length < 7) events.push(await nextEvent(spectator, room, 'moved'));
        const {patch} = events.at(-1);
        assert.deepEqual([patch.status, patch.to_move, patch.result.winner, typeof patch.result.reason], ['finished', null, 'white', 'string']);
        const {state} = spectator.rooms.get(room);
        assert.deepEqual([state.status, state.to_move, state.ply], ['finished', undefined, 7]);
        await spectator.settle();
        assert.deepEqual(eventsOf(spectator.drain()), [], 'the end is part of the move\'s event');
        await black.settle();
        assert.equal(eventsOf(black.drain()).at(-1).legal_moves, undefined);
        for (const client of [white, black]) {
            await client.refused({type: 'move', room, move: {from: 'a4', to: 'a3'}}, 'game_over');
            await client.refused({type: 'legal_moves', room}, 'game_over');
            for (const kind of ['resign', 'draw.offer', 'draw.accept', 'bot.invite']) await client.refused({type: 'action', room, kind}, 'game_over');
        }
        const {moves, ...snapshot} = await spectator.done({type: 'sync', room});
        assert.deepEqual(moves.map(({seat, move, version}) => `${version} ${seat} ${move.from}${move.to}`), events.map(({seat, move, version}) => `${version} ${seat} ${move.from}${move.to}`));
        assert.equal(snapshot.legal_moves, undefined);
    });
});

describe('history, sync, resume', () => {
    withClients('history comes in pages of 200 and tells what the events told', 3, async (ada, bob, stranger) => {
        const {room} = await ada.done({type: 'create', game: 'chess'});
        await takeSeat(ada, room, 'all');
        await takeSeat(bob, room, 'spectator');
        await chatALot(ada, room, 250);
        await ada.done({type: 'move', room, move: {from: 'e2', to: 'e4'}});
        await bob.settle();
        const told = eventsOf(bob.received).map(({type, room: _, patch, hash, may_abort, legal_moves, ...facts}) => facts);
        assert.equal(told.length, 251);
        const pages = [];
        for (let from = 1; from <= 253; from += pages.at(-1).events.length) {
            const page = await stranger.done({type: 'history', room, from, to: 9999});
            assert.deepEqual(names(page), ['events', 'from', 're', 'room', 'to', 'type', 'version']);
            assert.deepEqual([page.from, page.to, page.version], [from, from + page.events.length - 1, 253]);
            pages.push(page);
        }
        const all = pages.flatMap(({events}) => events);
        assert.deepEqual(pages.map(({events}) => events.length), [200, 53]);
        assert.deepEqual(all.map(({version}) => version), Array.from({length: 253}, (_, i) => i + 1));
        assert.deepEqual(all.slice(2), told);
        const one = await stranger.done({type: 'history', room, from: 7, to: 7});
        assert.deepEqual(one.events, [all[6]]);
        await stranger.refused({type: 'history', room, from: 254, to: 300}, 'bad_message', /from/);
        await stranger.refused({type: 'history', room, from: 3, to: 2}, 'bad_message', /to/);

        const {chat} = await bob.done({type: 'sync', room});
        assert.deepEqual(chat.map(({text}) => text), Array.from({length: 50}, (_, i) => `line ${i + 200}`), 'the last fifty');
    });

    atTable('sync: one snapshot, with the legal moves of who must act', {}, async ({room, white, black}) => {
        const snapshot = await white.done({type: 'sync', id: 's', room});
        assert.deepEqual([snapshot.type, snapshot.re, snapshot.seat, snapshot.legal_moves.length], ['snapshot', 's', 'white', 20]);
        assert.equal((await black.done({type: 'sync', room})).legal_moves, undefined);
        await white.settle();
        assert.deepEqual(white.drain().filter(({type}) => type !== 'presence'), []); // who sat down last may be told of late
    });

    atTable('resume with events, on a new connection, gives the seats back', {}, async ({room, white, black, ...table}) => {
        await playMoves({room, white, black, ...table}, 'e2e4 e7e5 g1f3');
        await black.settle();
        const known = structuredClone(black.rooms.get(room));
        await black.end();
        assert.deepEqual((await white.next(({type, connected}) => type === 'presence' && connected.length === 1)).connected, ['white']);
        await white.done({type: 'chat', room, text: 'are you there?'});
        const returned = await Client.open(server, {record, token: black.token});
        for (const back of [4, 5, 6, 7]) {
            returned.rooms.delete(room);
            const events = (await returned.done({type: 'history', room, from: 1, to: 9})).events;
            assert.equal(events.length, 7);
            // What it knew at that version, by way of what the other saw.
            const state = replayOf(white, room, back);
            returned.rooms.set(room, {version: back, state});
            const ack = await returned.done({type: 'resume', id: `r${back}`, room, version: back});
            assert.deepEqual(ack, {type: 'ack', re: `r${back}`, room, version: 7, mode: 'events'});
            await returned.settle(); // somebody's presence may have been on its way before
            const came = returned.received.slice(returned.received.findIndex(({re}) => re === `r${back}`) + 1);
            assert.deepEqual(came.slice(0, 7 - back).map(({version}) => version), [5, 6, 7].slice(back - 4));
            assert.equal(came[7 - back].type, 'presence');
            assert.deepEqual(came[7 - back].connected, ['white', 'black']);
            if (back < 7) assert.ok(came[6 - back].legal_moves.length > 0, 'it must act after the last');
        }
        assert.deepEqual(returned.rooms.get(room).state, white.rooms.get(room).state);
        assert.deepEqual(returned.rooms.get(room).state, known.state);
        await returned.done({type: 'move', room, move: {from: 'b8', to: 'c6'}});
        await nextEvent(returned, room, 'moved');
        await returned.end();
    });

    atTable('resume with a snapshot: from nothing, from long ago, from the future', {watch: true}, async ({room, white, spectator}) => {
        await chatALot(white, room, 200);
        for (const version of [0, 3, 99999]) {
            const ack = await white.done({type: 'resume', room, version});
            assert.equal(ack.mode, 'snapshot');
            const snapshot = await white.next({type: 'snapshot'});
            assert.equal(snapshot.version, ack.version);
            assert.deepEqual([snapshot.seat, snapshot.legal_moves.length], ['white', 20]);
            assert.ok(snapshot.layout);
        }
        await spectator.settle();
        const stranger = await Client.open(server, {record});
        await stranger.done({type: 'resume', room, version: 0});
        assert.equal((await stranger.next({type: 'snapshot'})).seat, 'spectator', 'who holds no seat watches');
        await stranger.end();
    });

    // The state at a version, from all the events one client has seen and the snapshot it began with.
    function replayOf(client, room, version) {
        let state = null;
        for (const message of client.received.filter(message => message.room === room)) {
            if (message.version > version) break;
            if (message.type === 'snapshot') state = message.state;
            if (message.type === 'event') state = applyPatch(state, message.patch);
        }
        return state;
    }
});

describe('presence and chat', () => {
    atTable('chat reaches everybody, with the seat of who has one, and is kept', {watch: true}, async ({room, white, black, spectator}) => {
        const words = 'Zug? — ♞ 😀 "quoted" \\ </script>';
        await spectator.done({type: 'chat', room, text: words});
        const {at, hash, legal_moves, ...event} = await nextEvent(white, room, 'chat');
        assert.equal(legal_moves.length, 20, 'in every event after which it must act');
        assert.deepEqual(event, {type: 'event', room, version: 4, kind: 'chat', player: spectator.player, name: 'spectator', text: words, patch: {}, may_abort: true});
        await black.done({type: 'chat', room, text: 'x'.repeat(500)});
        const second = await nextEvent(white, room, 'chat').then(() => white.done({type: 'sync', room}));
        assert.deepEqual(second.chat, [
            {at, player: spectator.player, name: 'spectator', text: words, version: 4},
            {at: second.chat[1].at, player: black.player, name: 'black', text: 'x'.repeat(500), seat: 'black', version: 5},
        ]);
    });

    atTable('presence counts spectators and names the seats that are connected', {}, async ({room, white, black}) => {
        const watchers = await Promise.all([1, 2].map(() => Client.open(server, {record})));
        for (const watcher of watchers) await takeSeat(watcher, room, 'spectator');
        await white.next(({type, spectators}) => type === 'presence' && spectators === 2);
        await watchers[0].end();
        await white.next(({type, spectators}) => type === 'presence' && spectators === 1);
        await black.end();
        const {connected} = await white.next(({type, connected}) => type === 'presence' && connected.length === 1);
        assert.deepEqual(connected, ['white']);
        await watchers[1].end();
    });
});

describe('the lobby', () => {
    withClients('shows public rooms that wait or play, and one\'s own', 3, async (ada, bob, guest) => {
        const first = await guest.done({type: 'lobby.subscribe', id: 'lobby'});
        assert.deepEqual(names(first), ['mine', 're', 'rooms', 'seeks', 'type']);
        assert.deepEqual(first.mine, []);
        const pushed = async (room, fits) => {
            const message = await guest.next(({type, re, rooms}) => type === 'lobby' && !re && fits(rooms.find(row => row.room === room)));
            assert.deepEqual(names(message), ['rooms', 'seeks', 'type']);
            return message.rooms.find(row => row.room === room);
        };
        const {room} = await ada.done({type: 'create', game: 'chess'});
        const {created_at, ...row} = await pushed(room, row => row !== undefined);
        assert.ok(Math.abs(created_at - Date.now()) < 60000);
        assert.deepEqual(row, {room, game: 'chess', title: 'Chess', status: 'waiting', players: ['white', 'black'], seats: {}});
        await takeSeat(ada, room, 'white', {name: 'Ada'});
        assert.deepEqual((await pushed(room, row => row?.seats.white)).seats, {white: 'Ada'});
        await takeSeat(bob, room, 'black', {name: 'Bob', as: 'bot'});
        const playing = await pushed(room, row => row?.status === 'playing');
        assert.deepEqual([playing.seats, playing.bots], [{white: 'Ada', black: 'Bob'}, ['black']]);

        const hidden = await ada.done({type: 'create', game: 'chess', visibility: 'private'});
        await takeSeat(ada, hidden.room, 'all');
        const open = await ada.done({type: 'create', definition: RACE});
        const listed = await pushed(open.room, row => row !== undefined);
        assert.deepEqual([listed.game, listed.title, listed.players], ['', 'Race ♟', RACE.players]);
        const {rooms, mine} = await ada.done({type: 'lobby.subscribe'});
        assert.ok(!rooms.some(row => row.room === hidden.room), 'a private room is not shown');
        assert.deepEqual(mine.map(row => row.room), [hidden.room, room], 'newest first');
        const order = rooms.map(({status}) => status);
        assert.deepEqual(order, [...order].sort().reverse(), 'waiting first');
        const waiting = rooms.filter(({status}) => status === 'waiting').map(row => row.created_at);
        assert.deepEqual(waiting, [...waiting].sort((a, b) => b - a), 'newest first');

        await bob.done({type: 'action', room, kind: 'resign'});
        await guest.next(({type, rooms}) => type === 'lobby' && !rooms.some(row => row.room === room));
        const finished = (await ada.done({type: 'lobby.subscribe'})).mine.find(row => row.room === room);
        assert.deepEqual([finished.status, finished.bots], ['finished', ['black']], 'of one\'s own the finished ones too');

        assert.deepEqual(await guest.done({type: 'lobby.unsubscribe', id: 'u'}), {type: 'ack', re: 'u'});
        await ada.done({type: 'create', game: 'chess'});
        await ada.next(({type, re}) => type === 'lobby' && !re);
        await guest.settle();
        assert.deepEqual(guest.drain().filter(({type, rooms}) => type === 'lobby' && rooms.some(row => row.room === room)), []);
    });
});

describe('seeks', () => {
    const clock = {initial_ms: 300000}, seek = {type: 'seek', game: 'chess', clock};
    // The first one looks for somebody, as white, and is found by the other; what each is called then.
    const found = async (ada, bob, theirs) => {
        const first = ada.ask({...seek, seat: 'white', ...theirs[0]});
        await ada.settle();
        const {room} = await bob.done({...seek, ...theirs[1]});
        assert.equal((await first).room, room);
        const {state, layout} = await takeSeat(bob, room, 'any');
        await takeSeat(ada, room, 'any');
        assert.deepEqual([state.seats.white.player, state.seats.black.player], [ada.player, bob.player]);
        return {room, names: layout.players.map(seat => state.seats[seat].name)};
    };

    withClients('two of one name who find each other are told apart, in the lobby and the log too', 3, async (ada, bob, guest) => {
        const {room, names: told} = await found(ada, bob, [{name: 'Ada'}, {name: 'Ada'}]);
        assert.deepEqual(told, ['Ada', 'Ada (2)']);
        const {rooms} = await guest.done({type: 'lobby.subscribe'});
        assert.deepEqual(rooms.find(row => row.room === room).seats, {white: 'Ada', black: 'Ada (2)'});
        const {events: [created]} = await guest.done({type: 'history', room, from: 1, to: 1});
        assert.deepEqual(created.seated.map(({seat, name}) => [seat, name]), [['white', 'Ada'], ['black', 'Ada (2)']]);
    });

    withClients('so are names that only look alike; others, and those of nobody, stay as they are', 6, async (...clients) => {
        for (const [theirs, told] of [
            [[{name: 'Ada'}, {name: '\u0410DA'}], ['Ada', '\u0410DA (2)']], // a Cyrillic A
            [[{name: 'Ada'}, {name: 'Bob'}], ['Ada', 'Bob']],
            [[{}, {}], ['Guest', 'Guest']],
        ]) assert.deepEqual((await found(...clients.splice(0, 2), theirs)).names, told);
    });
});

describe('actions', () => {
    withClients('resign: the other one wins', 3, async (ada, bob, eve) => {
        const {room} = await ada.done({type: 'create', game: 'chess'});
        await takeSeat(ada, room, 'white');
        for (const kind of ['resign', 'draw.offer', 'draw.accept', 'draw.decline']) await ada.refused({type: 'action', room, kind}, 'not_started');
        await takeSeat(bob, room, 'black');
        await takeSeat(eve, room, 'spectator');
        for (const kind of ['resign', 'draw.offer', 'bot.invite', 'rematch.offer']) await eve.refused({type: 'action', room, kind}, 'not_seated');
        for (const kind of ['rematch.offer', 'rematch.accept', 'rematch.decline']) await ada.refused({type: 'action', room, kind}, 'not_over');
        for (const kind of ['takeback.offer', 'takeback.accept', 'takeback.decline']) await ada.refused({type: 'action', room, kind}, 'no_offer');
        await ada.refused({type: 'action', room, kind: 'claim.timeout', as: 'win'}, 'no_offer');
        await ada.refused({type: 'action', room, kind: 'dance'}, 'bad_message', /kind/);
        // Not only on one's own turn.
        assert.deepEqual(await bob.done({type: 'action', id: 'r', room, kind: 'resign'}), {type: 'ack', re: 'r', room, version: 4});
        const {seat, patch, legal_moves} = await nextEvent(eve, room, 'resigned');
        assert.deepEqual([seat, patch, legal_moves], ['black', {result: {winner: 'white', reason: 'resignation'}, status: 'finished', to_move: null}, undefined]);
    });

    atTable('a draw is offered, lapses, is declined, is agreed', {}, async ({room, white, black, ...table}) => {
        const act = (client, kind) => client.done({type: 'action', room, kind});
        const offered = () => white.rooms.get(room).state.draw_offer;
        await black.refused({type: 'action', room, kind: 'draw.accept'}, 'no_offer');
        await act(white, 'draw.offer');
        assert.deepEqual((({kind, seat, patch}) => [kind, seat, patch])(await black.next({type: 'event'})), ['draw_offered', 'white', {draw_offer: 'white'}]);
        for (const kind of ['draw.accept', 'draw.decline']) await white.refused({type: 'action', room, kind}, 'no_offer');
        await playMoves({room, white, black, ...table}, 'e2e4');
        assert.equal((await nextEvent(black, room, 'moved')).patch.draw_offer, null, 'the next move of either side ends it');
        await act(white, 'draw.offer');
        await act(black, 'draw.decline');
        await nextEvent(black, room, 'draw_offered');
        const {seat, patch} = await nextEvent(black, room, 'draw_declined');
        assert.deepEqual([seat, patch], ['black', {draw_offer: null}]);
        await act(black, 'draw.offer');
        await white.settle();
        assert.equal(offered(), 'black');
        await act(white, 'draw.accept');
        await nextEvent(black, room, 'draw_offered');
        const {kind, patch: end} = await black.next({type: 'event'});
        assert.deepEqual([kind, end], ['drawn', {draw_offer: null, result: {draw: true, reason: 'agreement'}, status: 'finished', to_move: null}]);
    });

    atTable('an offer against the other\'s offer accepts it; one\'s own second offer changes nothing', {}, async ({room, white, black}) => {
        const act = (client, kind) => client.done({type: 'action', room, kind});
        const first = await act(white, 'draw.offer');
        assert.equal((await act(white, 'draw.offer')).version, first.version);
        await act(black, 'draw.offer');
        await act(black, 'rematch.offer');
        await act(white, 'rematch.offer');
        await white.settle();
        assert.deepEqual(eventsOf(white.drain()).map(({kind}) => kind), ['draw_offered', 'drawn', 'rematch_offered', 'rematch']);
        // Once there is a next room everybody has what they want.
        const {version} = white.rooms.get(room);
        for (const kind of ['rematch.offer', 'rematch.accept']) assert.equal((await act(black, kind)).version, version);
    });

    atTable('a rematch: a new room, the seats rotated, the old one names it', {watch: true}, async ({room, white, black, spectator}) => {
        const act = (client, kind) => client.done({type: 'action', room, kind});
        await act(white, 'resign');
        await white.refused({type: 'action', room, kind: 'rematch.accept'}, 'no_offer');
        await act(white, 'rematch.offer');
        await act(black, 'rematch.decline');
        await act(black, 'rematch.offer');
        await white.refused({type: 'move', room, move: {from: 'e2', to: 'e4'}}, 'game_over');
        await act(white, 'rematch.accept');
        const seen = [];
        while (seen.length < 5) seen.push(await spectator.next({type: 'event'}));
        assert.deepEqual(seen.map(({kind, seat}) => [kind, seat]), [['resigned', 'white'], ['rematch_offered', 'white'], ['rematch_declined', 'black'], ['rematch_offered', 'black'], ['rematch', undefined]]);
        const {next_room: next, patch} = seen.at(-1);
        assert.deepEqual(patch, {next_room: next, rematch_offer: null});
        const snapshot = await takeSeat(black, next, 'any');
        assert.deepEqual([snapshot.seat, snapshot.version, snapshot.state.status, snapshot.game.id], ['white', 1, 'playing', 'chess']);
        assert.deepEqual([snapshot.state.seats.white.player, snapshot.state.seats.black.player], [black.player, white.player]);
        assert.equal((await takeSeat(white, next, 'black')).seat, 'black');
        await takeSeat(spectator, next, 'spectator');
        const {events} = await white.done({type: 'history', room: next, from: 1, to: 1});
        assert.deepEqual([events[0].kind, events[0].previous_room], ['created', room]);
        await black.done({type: 'move', room: next, move: {from: 'e2', to: 'e4'}});
        await nextEvent(spectator, next, 'moved');
    });

    withClients('bot.invite: the server\'s own bot takes a seat and plays a whole game', 2, async (ada, eve) => {
        const {room} = await ada.done({type: 'create', definition: RACE});
        await takeSeat(eve, room, 'spectator');
        await eve.refused({type: 'action', room, kind: 'bot.invite'}, 'not_seated');
        await takeSeat(ada, room, RACE.players[0]);
        await ada.refused({type: 'action', room, kind: 'bot.invite', seat: 'nobody'}, 'no_such_seat');
        await ada.refused({type: 'action', room, kind: 'bot.invite', seat: RACE.players[0]}, 'seat_taken');
        const named = await ada.done({type: 'action', room, kind: 'bot.invite', seat: 'c'});
        assert.equal(named.version, 3);
        const joined = await nextEvent(eve, room, 'joined').then(() => nextEvent(eve, room, 'joined'));
        assert.deepEqual([joined.seats, joined.as, joined.house], [['c'], 'bot', true]);
        await ada.done({type: 'action', room, kind: 'bot.invite'});
        for (;;) {
            const {legal_moves, patch} = await ada.next(({type, legal_moves, patch}) => type === 'event' && (legal_moves || patch.result));
            if (patch.result) break;
            await ada.done({type: 'move', room, move: legal_moves[0]});
        }
        const {state} = ada.rooms.get(room);
        assert.equal(state.status, 'finished');
        const {moves} = await eve.done({type: 'sync', room});
        assert.deepEqual(new Set(moves.map(({seat}) => seat)), new Set(RACE.players));
        assert.deepEqual(state, eve.rooms.get(room).state);
    });

    withClients('the bot plays again when it is asked to', 1, async ada => {
        const {room} = await ada.done({type: 'create', definition: makeRace(['white', 'black'])});
        await takeSeat(ada, room, 'white');
        await ada.done({type: 'action', room, kind: 'bot.invite'});
        await ada.done({type: 'action', room, kind: 'resign'});
        await ada.done({type: 'action', room, kind: 'rematch.offer'});
        const {next_room: next} = await ada.next({type: 'event', kind: 'rematch'});
        const {seat, state, legal_moves} = await takeSeat(ada, next, 'any');
        assert.deepEqual([seat, state.seats.white.as], ['black', 'bot']);
        const moves = legal_moves ?? (await ada.next(message => message.room === next && message.legal_moves)).legal_moves;
        assert.ok(moves.length > 0, 'the bot has moved first');
    });
});

describe('more than two', () => {
    const [first, second, third] = RACE.players;
    const options = {create: {definition: RACE}, seats: RACE.players, watch: true};

    atTable('three play a game of their own, with names that must be escaped', options, async ({room, clients, spectator, ...table}) => {
        await spectator.done({type: 'chat', room, text: 'go!'}); // whoever must act is told the legal moves
        for (let ply = 0, over = false; !over; ply++) {
            const client = table[RACE.players[ply % 3]];
            const {legal_moves} = await client.next(message => message.legal_moves);
            await client.done({type: 'move', room, move: legal_moves.at(-1)});
            over = (await spectator.next({type: 'event', kind: 'moved'})).patch.status === 'finished';
        }
        await spectator.settle();
        const {state} = spectator.rooms.get(room);
        assert.equal(state.status, 'finished');
        assert.match(state.result.reason, /is home$/);
        assert.ok(state.move_number > 1, 'rounds are counted');
        for (const client of clients) {
            await client.settle();
            assert.deepEqual(client.rooms.get(room).state, state);
        }
    });

    atTable('all others must agree to a draw, and to a rematch', options, async ({room, spectator, ...table}) => {
        const act = (seat, kind) => table[seat].done({type: 'action', room, kind});
        await act(second, 'draw.offer');
        await act(third, 'draw.accept');
        await table[third].refused({type: 'action', room, kind: 'draw.accept'}, 'no_offer');
        await act(first, 'draw.accept');
        await act(first, 'rematch.offer');
        await act(second, 'rematch.accept');
        await act(third, 'rematch.accept');
        const seen = [];
        while (seen.length < 6) seen.push(await spectator.next({type: 'event'}));
        assert.deepEqual(seen.map(({kind, seat}) => [kind, seat]), [
            ['draw_offered', second], ['draw_accepted', third], ['drawn', undefined], ['rematch_offered', first], ['rematch_accepted', second], ['rematch', undefined],
        ]);
        const next = seen.at(-1).next_room;
        assert.equal((await takeSeat(table[third], next, 'any')).seat, first, 'rotated by one');
    });

    atTable('one who resigns ends the game, and has lost it', options, async ({room, spectator, ...table}) => {
        await table[third].done({type: 'action', room, kind: 'resign'});
        const {patch} = await nextEvent(spectator, room, 'resigned');
        assert.deepEqual(patch.result, {loser: 'c', reason: 'resignation'});
    });
});

describe('one player, several connections', () => {
    atTable('who takes the seat on a newer connection replaces the older one: 4009', {}, async ({room, white}) => {
        const newer = await Client.open(server, {record, token: white.token});
        await white.settle(); // being there twice is fine
        await takeSeat(newer, room, 'white');
        assert.equal((await white.closed).code, 4009);
        await newer.done({type: 'move', room, move: {from: 'e2', to: 'e4'}});
        await nextEvent(newer, room, 'moved');
        const newest = await Client.open(server, {record, token: white.token});
        await newest.done({type: 'resume', room, version: 0});
        assert.equal((await newer.closed).code, 4009);
        await newest.end();
    });

    atTable('watching twice replaces nobody', {watch: true}, async ({room, spectator}) => {
        const second = await Client.open(server, {record, token: spectator.token});
        await takeSeat(second, room, 'spectator');
        await spectator.settle();
        await second.end();
    });
});

describe('seat keys', () => {
    atTable('a key is shown once, and is nowhere but with whoever got it', {watch: true}, async ({room, white, black, spectator}) => {
        const given = await white.done({type: 'seat_key', id: 'key-1', room});
        assert.deepEqual(names(given), ['key', 're', 'room', 'type', 'version']);
        assert.match(given.key, /^[A-Za-z0-9_-]{22}$/);
        const {key, ...rest} = given;
        assert.deepEqual(await white.done({type: 'seat_key', id: 'key-1', room}), rest, 'sent again: done, and the key is gone');
        const {events} = await black.done({type: 'history', room, from: given.version, to: given.version});
        assert.deepEqual(names(events[0]), ['at', 'kind', 'seat', 'seats', 'version']);
        assert.deepEqual(names(await nextEvent(spectator, room, 'seat_key')), ['at', 'hash', 'kind', 'may_abort', 'patch', 'room', 'seat', 'seats', 'type', 'version']);
        const body = server.sql(`select body from event where room = '${room}' and version = ${given.version}`);
        assert.ok(body.includes(createHash('sha256').update(key).digest('hex')), 'the log has its digest');
        assert.ok(!body.includes(key), 'and not the key');
        await spectator.refused({type: 'seat_key', room}, 'not_seated');
    });

    atTable('whoever joins with the key plays on, once', {watch: true}, async ({room, white, black, spectator}) => {
        const {key: first} = await white.done({type: 'seat_key', room});
        const {key} = await white.done({type: 'seat_key', room});
        const phone = await Client.open(server, {record});
        try {
            await phone.refused({type: 'join', room, key: first}, 'bad_key', /replaced/);
            await phone.refused({type: 'join', room, key, seat: 'white'}, 'bad_message', /either seat or key/);
            const joined = await phone.done({type: 'join', id: 'take', room, key, name: 'Phone'});
            const {seat, state} = await phone.next({type: 'snapshot', room});
            assert.equal(seat, 'white');
            assert.deepEqual(state.seats.white, {as: 'human', name: 'Phone', player: phone.player});
            assert.equal((await white.closed).code, 4009);
            assert.equal(white.received.at(-1).kind, 'handed_over', 'and knows why');
            const [, , event] = [await nextEvent(spectator, room, 'seat_key'), await nextEvent(spectator, room, 'seat_key'), await nextEvent(spectator, room, 'handed_over')];
            assert.deepEqual([event.seats, event.seat, event.player, event.name, event.as], [['white'], 'white', phone.player, 'Phone', 'human']);
            await spectator.refused({type: 'join', room, key}, 'bad_key');
            assert.deepEqual(await phone.done({type: 'join', id: 'take', room, key, name: 'Phone'}), joined, 'sent again: the same answer');
            await phone.next({type: 'snapshot', room});
            await playMoves({room, white: phone, black}, 'e2e4 e7e5');
            const rooms = async client => (await client.done({type: 'lobby.subscribe'})).mine.map(one => one.room);
            assert.ok((await rooms(phone)).includes(room));
            const former = await Client.open(server, {record, token: white.token});
            assert.ok(!(await rooms(former)).includes(room));
            await former.end();
        } finally {
            await phone.end();
        }
    });

    atTable('a game whose seats were handed over leaves as a file without keys, and comes back', {}, async ({room, white, black}) => {
        const {key} = await white.done({type: 'seat_key', room});
        const phone = await Client.open(server, {record});
        try {
            await phone.done({type: 'join', room, key});
            await playMoves({room, white: phone, black}, SHORT_GAME);
            const file = await (await fetch(`${server.url}/api/v1/rooms/${room}/export`)).text();
            assert.deepEqual(JSON.parse(file).events.map(({kind}) => kind).slice(3, 5), ['seat_key', 'handed_over']);
            for (const secret of [key, createHash('sha256').update(key).digest('hex'), white.token, phone.token]) assert.ok(!file.includes(secret));
            const posted = await fetch(`${server.url}/api/v1/rooms`, {method: 'POST', body: file, headers: {'content-type': 'application/json'}});
            assert.equal(posted.status, 201, await posted.clone().text());
            const copy = await black.done({type: 'join', room: (await posted.json()).room, seat: 'spectator'}).then(() => black.next({type: 'snapshot'}));
            assert.deepEqual([copy.state.status, copy.state.seats.white.player, copy.state.result.winner], ['finished', phone.player, 'white']);
        } finally {
            await phone.end();
        }
    });
});

describe('resends', () => {
    atTable('the same id twice: the same answer and one event', {watch: true}, async ({room, white, black, spectator}) => {
        const commands = [
            [white, {type: 'move', id: 'same-1', room, move: {from: 'e2', to: 'e4'}}],
            [black, {type: 'move', id: 'same-1', room, move: {from: 'e7', to: 'e5'}}], // somebody else's id is another id
            [white, {type: 'chat', id: 'same-2', room, text: 'once'}],
            [white, {type: 'action', id: 'same-3', room, kind: 'draw.offer'}],
            [black, {type: 'action', id: 'same-4', room, kind: 'draw.accept'}],
            [black, {type: 'action', id: 'same-5', room, kind: 'rematch.offer'}],
            [white, {type: 'action', id: 'same-6', room, kind: 'rematch.accept'}],
        ];
        for (const [client, command] of commands) {
            client.send(command); // three times at once, without waiting
            client.send(command);
            client.send(command);
            const answers = [];
            while (answers.length < 3) answers.push(await client.next({re: command.id}));
            assert.equal(answers[0].type, 'ack', JSON.stringify(answers[0]));
            assert.deepEqual(answers[1], answers[0]);
            assert.deepEqual(answers[2], answers[0]);
        }
        // And long after that, in the finished room.
        for (const [client, command] of commands) assert.equal((await client.done(command)).type, 'ack');
        await spectator.settle();
        assert.deepEqual(eventsOf(spectator.received).map(({kind}) => kind), ['moved', 'moved', 'chat', 'draw_offered', 'drawn', 'rematch_offered', 'rematch']);
        const [[, move]] = commands;
        await white.refused({type: 'chat', id: move.id, room, text: 'with a move\'s id'}, 'id_reused');
        await white.refused({...move, move: {from: 'd2', to: 'd4'}}, 'id_reused');
        await white.refused({type: 'action', id: 'same-2', room, kind: 'rematch.offer'}, 'id_reused');
    });

    withClients('create and join', 2, async (ada, bob) => {
        const create = {type: 'create', id: 'create-1', game: 'chess'};
        ada.send(create);
        const [one, two] = [await ada.done(create), await ada.next({re: create.id})];
        assert.deepEqual(one, two);
        const {room} = one;
        assert.equal((await bob.done({...create})).version, 1);
        const join = {type: 'join', id: 'join-1', room, seat: 'white', name: 'Ada'};
        const first = await ada.done(join);
        await ada.next({type: 'snapshot'});
        assert.deepEqual(await ada.done(join), first);
        const {version, seat} = await ada.next({type: 'snapshot'});
        assert.deepEqual([version, seat], [2, 'white']);
        await ada.refused({type: 'chat', id: 'join-1', room, text: 'hello'}, 'id_reused');
        await ada.done({type: 'leave', id: 'leave-1', room});
        assert.equal((await ada.done({type: 'leave', id: 'leave-1', room})).version, 3);
    });
});

describe('hot seat', () => {
    withClients('one connection moves for both', 1, async client => {
        const {room} = await client.done({type: 'create', game: 'intellector'});
        let {legal_moves: moves} = await takeSeat(client, room, 'all');
        for (let ply = 0; ply < 60 && moves; ply++) {
            await client.done({type: 'move', room, move: moves[(ply * 31) % moves.length]});
            const event = await nextEvent(client, room, 'moved');
            assert.equal(event.seat, ply % 2 === 0 ? 'white' : 'black');
            moves = event.legal_moves;
            if (!moves) assert.equal(event.patch.status, 'finished');
        }
        if (moves) await client.done({type: 'action', room, kind: 'resign'});
    });
});

describe('games of the original kind', () => {
    const folder = `${process.env.SENET_SHARED ?? `${root}../shared`}/data/original-games`;
    for (const name of ['chess', 'checkers', 'intellector']) {
        const file = `${folder}/${name}.json`;
        test(`${name}, sent as a definition, is playable`, {skip: !existsSync(file) && `${folder} is absent`}, async () => {
            const client = await Client.open(server, {record});
            const {room} = await client.done({type: 'create', definition: JSON.parse(readFileSync(file, 'utf8'))});
            let {legal_moves: moves, game} = await takeSeat(client, room, 'all');
            assert.equal(game.id, '');
            for (let ply = 0; ply < 40 && moves; ply++) {
                await client.done({type: 'move', room, move: moves[(ply * 31) % moves.length]});
                moves = (await nextEvent(client, room, 'moved')).legal_moves;
            }
            await client.settle();
            await client.end();
        });
    }
});
