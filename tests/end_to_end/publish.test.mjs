// Games that players publish: versions under a name, for everybody to read and to play, on both stores. What was
// acknowledged is there, whatever happens to the server; what an operator hides is hidden while it runs.
//
// On SQLite, and on PostgreSQL where there is one (SENET_TEST_POSTGRES is its URL, as tests/run sets it).
import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import {randomBytes} from 'node:crypto';
import test from 'node:test';
import {Client} from '../support/client.mjs';
import {tooLarge} from '../support/large_games.mjs';
import {program, Server} from '../support/server.mjs';
import {makeRace, setTable, takeSeat} from '../support/table.mjs';

const newToken = () => randomBytes(32).toString('base64url');
const raceCalled = (title, rest = {}) => ({...makeRace(['a', 'b']), title, ...rest});
const first = {from: 'κ1', to: 'κ4'};

class Publisher {
    constructor(server, token = newToken()) {
        this.server = server;
        this.token = token;
    }

    async post(path, body, {token = this.token} = {}) {
        const headers = token === null ? {} : {Authorization: `Bearer ${token}`};
        const answer = await fetch(`${this.server.url}/api/v1/games/${path}`, {method: 'POST', headers, body});
        const text = await answer.text();
        const isJson = answer.headers.get('content-type')?.startsWith('application/json');
        return {status: answer.status, text, headers: answer.headers, ...(isJson && {json: JSON.parse(text)})};
    }

    // The version it has then.
    async publish(path, game, status = 201) {
        const answer = await this.post(path, typeof game === 'string' ? game : JSON.stringify(game));
        assert.equal(answer.status, status, answer.text);
        return answer.json;
    }

    async refused(path, body, status, words = /./, options) {
        const answer = await this.post(path, typeof body === 'string' ? body : JSON.stringify(body), options);
        assert.equal(answer.status, status, answer.text);
        assert.match(answer.text, words);
        return answer;
    }
}

async function get(server, path, status = 200) {
    const answer = await fetch(`${server.url}/api/v1/${path}`);
    const text = await answer.text();
    assert.equal(answer.status, status, text);
    return status === 200 ? JSON.parse(text) : text;
}

const games = (server, ...words) => spawnSync(program, ['games', ...words, '--store', server.store], {encoding: 'utf8'});

function told(server, ...words) {
    const {status, stdout, stderr} = games(server, ...words);
    assert.equal(status, 0, stderr);
    return stdout;
}

const names = async (server, query = '') => (await get(server, `published${query}`)).games.map(({id}) => id);

async function aVersionIsReadAsItCame(server) {
    const ada = new Publisher(server);
    const game = raceCalled('First ♟');
    const text = JSON.stringify(game, null, 3);
    const {game: id, version, hash, listed, hidden} = await ada.publish('fox-race', text);
    assert.deepEqual({id, version, listed, hidden}, {id: 'fox-race@1', version: 1, listed: false, hidden: false});
    const again = await ada.publish('fox-race', text, 200);
    assert.deepEqual([again.game, again.hash], ['fox-race@1', hash]);
    const next = await ada.publish('fox-race?from=fox-race@1', raceCalled('Second'));
    assert.equal(next.game, 'fox-race@2');
    assert.notEqual(next.hash, hash);
    const read = await get(server, 'games/fox-race@1');
    assert.deepEqual(read.definition, game);
    assert.deepEqual([read.title, read.players, read.versions, read.hash], ['First ♟', ['a', 'b'], 2, hash]);
    assert.ok(Math.abs(read.published_at - Date.now()) < 600000);
    assert.equal(JSON.stringify(read).includes(ada.token), false);
    const newest = await get(server, 'games/fox-race');
    assert.deepEqual([newest.id, newest.title, newest.from], ['fox-race@2', 'Second', 'fox-race@1']);
    assert.ok((await fetch(`${server.url}/api/v1/games/fox-race@1`).then(answer => answer.text())).includes(text), 'to the byte');
    // What was there before a newer version is a version of its own when it comes again.
    assert.equal((await ada.publish('fox-race', text)).game, 'fox-race@3');
    for (const unknown of ['fox-race@4', 'fox-race@0', 'fox-race@01', 'fox-race@', 'fox', 'Fox-race', 'fox-race@1/x'])
        await get(server, `games/${unknown}`, 404);
}

async function aNameIsItsPublishers(server) {
    const ada = new Publisher(server), eve = new Publisher(server);
    const game = raceCalled('Hers');
    await ada.publish('hers', game);
    await eve.refused('hers', game, 403, /somebody else's/);
    await eve.refused('hers', raceCalled('His'), 403, /somebody else's/);
    await eve.refused('hers/listing', 'yes', 403, /somebody else's/);
    await eve.refused('nobodys/listing', 'yes', 404);
    const answer = await ada.refused('hers', game, 401, /Authorization/, {token: null});
    assert.equal(answer.headers.get('www-authenticate'), 'Bearer');
    await ada.refused('hers', game, 401, /not a token/, {token: 'guess'});
    await ada.refused('hers/listing', 'yes', 401, /Authorization/, {token: null});
    await ada.refused('chess', game, 403, /server's own/);
    // The same token over the WebSocket is the same publisher: no account, no other secret.
    const client = await Client.open(server);
    await new Publisher(server, client.token).publish('by-a-player', game);
    await client.end();
    const foreign = await fetch(`${server.url}/api/v1/games/hers`, {
        method: 'POST', body: JSON.stringify(raceCalled('Forged')),
        headers: {Authorization: `Bearer ${ada.token}`, Origin: 'https://elsewhere.example'},
    });
    assert.equal(foreign.status, 403);
    assert.equal((await get(server, 'games/hers')).versions, 1);
}

async function whatCannotBeIsRefused(server) {
    const ada = new Publisher(server);
    const game = raceCalled('x');
    for (const name of ['ab', 'a'.repeat(41), 'Fox', 'fox_race', '-fox', 'fox-', 'fox@1', 'füchse', '%00abc', 'a b c'])
        await ada.refused(encodeURI(name), game, 400, /3 to 40 lower-case/);
    for (const path of ['abc/other', 'abc/listing/x', 'abc/']) assert.ok([404, 405].includes((await ada.post(path, '{}')).status), path);
    for (const from of ['nothing-here@1', 'ludo', 'chess@1', '@', 'x'.repeat(300)])
        await ada.refused(`abc?from=${from}`, game, 400, /^from: /);
    await ada.refused('abc?listed=perhaps', game, 400, /^listed: /);
    await ada.refused('abc/listing', 'perhaps', 400, /yes or no/);
    const {json} = await ada.refused('abc', {...game, initial_game_state: 'turn 7'}, 400);
    assert.equal(json.code, 'bad_definition');
    assert.ok(json.diagnostics.length > 0);
    for (const {severity, pointer, line, column, message} of json.diagnostics) {
        assert.equal(severity, 'error');
        assert.ok(line >= 1 && column >= 1 && message.length > 0 && typeof pointer === 'string');
    }
    for (const text of ['', '{', 'null', '[]', '{"a":"\0"}', '\u0000', JSON.stringify(tooLarge('x'))])
        assert.ok((await ada.refused('abc', text, 400)).json.diagnostics.length > 0, text.slice(0, 20));
    await ada.refused('abc', ' '.repeat(256 * 1024 + 1), 413);
    await get(server, 'games/abc', 404);
    for (const before of ['x', '12', '12-', '12-Fox', '-abc', '99999999999999999999999-abc-', '%ff'])
        assert.ok([200, 400].includes((await fetch(`${server.url}/api/v1/published?before=${before}`)).status));
    await get(server, 'published?before=x', 400);
}

async function aGameOf256KiB(server) {
    const ada = new Publisher(server);
    const game = raceCalled('Long', {description: 'It is long.'});
    const text = JSON.stringify(game);
    const padded = text.slice(0, -1) + ' '.repeat(256 * 1024 - Buffer.byteLength(text)) + '}';
    assert.equal(Buffer.byteLength(padded), 256 * 1024);
    await ada.publish('long-game', padded);
    assert.deepEqual((await get(server, 'games/long-game@1')).definition, game);
    const table = await setTable(server, {create: {game: 'long-game@1'}, seats: ['a', 'b']});
    await table.a.done({type: 'move', room: table.room, move: first});
    await table.end();
    // Unpublished, it is a room in which nothing has happened yet: the record of one, without the hash.
    const record = {senet_export: 1, definition: padded, events: [{version: 1, at: 0, kind: 'created', body: {game: ''}}]};
    const answer = await fetch(`${server.url}/api/v1/rooms?visibility=private`, {method: 'POST', body: JSON.stringify(record)});
    assert.equal(answer.status, 201);
    const {room} = await answer.json();
    const client = await Client.open(server);
    await client.done({type: 'join', room, seat: 'all'});
    await client.done({type: 'move', room, move: first});
    await client.end();
    assert.equal((await get(server, `rooms/${room}/export`)).definition, padded);
}

async function roomsStayWithTheirVersion(server) {
    const ada = new Publisher(server);
    await ada.publish('a-race', raceCalled('Version one'));
    const old = await setTable(server, {create: {game: 'a-race@1', visibility: 'public'}, seats: ['a', 'b']});
    await ada.publish('a-race', raceCalled('Version two'));
    const fresh = await setTable(server, {create: {game: 'a-race'}, seats: ['a', 'b']});
    const same = await setTable(server, {create: {game: 'a-race@1', visibility: 'private'}, seats: ['a', 'b']});
    const gameOf = ({a}) => [a.snapshot.game.id, a.snapshot.game.title];
    assert.deepEqual([old, fresh, same].map(gameOf), [['a-race@1', 'Version one'], ['a-race@2', 'Version two'], ['a-race@1', 'Version one']]);
    assert.deepEqual(old.a.snapshot.layout, same.a.snapshot.layout);
    const {rooms} = await get(server, 'rooms');
    assert.deepEqual(rooms.filter(({game}) => game.startsWith('a-race')).map(({game}) => game).sort(), ['a-race@1', 'a-race@2']);
    for (const table of [old, fresh]) await table.a.done({type: 'move', room: table.room, move: first});
    await server.stop('SIGKILL');
    await server.start();
    const tables = [];
    for (const [{room, b}, id] of [[old, 'a-race@1'], [fresh, 'a-race@2']]) {
        const client = await Client.open(server, {token: b.token});
        const {game, version} = await takeSeat(client, room, 'b');
        assert.deepEqual([game.id, version], [id, 4]);
        await client.done({type: 'move', room, move: {from: 'κ2', to: 'κ3'}});
        const record = await get(server, `rooms/${room}/export`);
        assert.equal(record.game, id);
        tables.push(client);
    }
    // Brought in again a room is of that version still; a record that says so of another text is not believed.
    const record = await get(server, `rooms/${old.room}/export`), other = await get(server, `rooms/${fresh.room}/export`);
    for (const [sent, id] of [[record, 'a-race@1'], [other, 'a-race@2'], [{...record, game: 'a-race@2'}, ''], [{...record, game: 'a-race@9'}, ''], [{...record, game: 'a-race'}, '']]) {
        const answer = await fetch(`${server.url}/api/v1/rooms`, {method: 'POST', body: JSON.stringify(sent)});
        assert.equal(answer.status, 201);
        const {room} = await answer.json();
        assert.equal((await get(server, `rooms/${room}/export`)).game, id, `${sent.game} brought in`);
    }
    const client = tables[0];
    for (const game of ['a-race@3', 'a-race@x', 'b-race', 'a-race@']) await client.refused({type: 'create', game}, 'unknown_game');
    const {room} = await client.done({type: 'create', fork: {room: old.room, ply: 1}});
    await client.done({type: 'join', room, seat: 'all'});
    const {game} = await client.next({type: 'snapshot', room});
    assert.equal(game.id, 'a-race@1');
    await Promise.all(tables.map(client => client.end()));
}

async function aSameCommandMakesOneRoom(server) {
    const ada = new Publisher(server);
    await ada.publish('once', raceCalled('Once'));
    const client = await Client.open(server);
    const made = await Promise.all([1, 2].map(async id => (await client.done({type: 'create', game: 'once', id: `c${id}`})).room));
    assert.notEqual(made[0], made[1]);
    assert.equal((await client.done({type: 'create', game: 'once@1', id: 'c1'})).room, made[0]);
    await client.end();
}

// Its board as a picture and how it is played, compiled when somebody asks, and told from memory the second time.
async function aGameIsShown(server) {
    const ada = new Publisher(server);
    const game = raceCalled('Shown');
    await ada.publish('a-show', game);
    const picture = id => fetch(`${server.url}/api/v1/games/${encodeURIComponent(id)}/board.svg`);
    const client = await Client.open(server);
    for (const id of ['a-show@1', 'a-show', 'a-show@1']) {
        const answer = await picture(id);
        assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, 'image/svg+xml']);
        const svg = await answer.text();
        assert.match(svg, /^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" viewBox="[^"]*">.*<use href="#p0_0".*<\/svg>$/s);
        assert.doesNotMatch(svg, /<script|https?:(?!\/\/www.w3.org)/);
        const {guide} = await client.done({type: 'games', op: 'guide', game: id});
        assert.deepEqual([guide.layout.players, JSON.parse(guide.definition)], [['a', 'b'], game]);
        assert.ok(guide.figures.length > 0);
    }
    // It is drawn once: who asks again gets it compressed, and who has it already gets nothing.
    const again = await picture('a-show@1'), etag = again.headers.get('etag');
    assert.equal(again.headers.get('content-encoding'), 'gzip');
    assert.match(await again.text(), /^<svg/);
    const known = await fetch(again.url, {headers: {'If-None-Match': etag, 'Cache-Control': 'max-age=0'}});
    assert.deepEqual([known.status, await known.text()], [304, '']);
    const together = await Promise.all(Array.from({length: 8}, () => picture('a-show@1').then(({status}) => status)));
    assert.deepEqual(together, Array(8).fill(200));
    told(server, 'hide', 'a-show');
    for (const id of ['a-show@1', 'nobodys@1', 'a-show@2', 'x', 'chess']) {
        assert.equal((await picture(id)).status, 404, id);
        if (id !== 'chess') await client.refused({type: 'games', op: 'guide', game: id}, 'unknown_game');
    }
    await client.end();
}

// Whoever looks for the newest version and whoever names it look for the same.
async function itIsSought(server) {
    const publisher = new Publisher(server);
    await publisher.publish('sought', raceCalled('Sought'));
    await publisher.publish('sought', raceCalled('Sought again'));
    const [ada, bob, eve] = await Promise.all(['Ada', 'Bob', 'Eve'].map(() => Client.open(server, {record: 'publish'})));
    const clock = {initial_ms: 60000, seats: {b: {initial_ms: 30000}}};
    const sought = ada.ask({type: 'seek', game: 'sought', clock, seat: 'b', name: 'Ada'});
    const old = eve.ask({type: 'seek', game: 'sought@1', clock, name: 'Eve'});
    const waits = async count => {
        let {seeks} = await bob.done({type: 'lobby.subscribe'});
        while (seeks.length < count) ({seeks} = await bob.next(({type, re}) => type === 'lobby' && !re));
        return seeks.map(({game, title, seat}) => [game, title, seat]).sort();
    };
    assert.deepEqual(await waits(2), [['sought@1', 'Sought', undefined], ['sought@2', 'Sought again', 'b']]);
    const {room} = await bob.done({type: 'seek', game: 'sought@2', clock, name: 'Bob'});
    assert.equal((await sought).room, room);
    const {game, clock: had, state} = await takeSeat(bob, room, 'any');
    assert.deepEqual([game.id, had, state.seats.a.name, state.seats.b.name], ['sought@2', clock, 'Bob', 'Ada']);
    await bob.done({type: 'move', room, move: first});
    await bob.refused({type: 'seek', game: 'sought', rated: true, clock: {initial_ms: 60000}}, 'bad_message', /server's own/);
    await bob.refused({type: 'seek', game: 'sought', players: 3}, 'bad_message', /players/);
    await bob.refused({type: 'seek', game: 'sought', seat: 'c'}, 'no_such_seat');
    for (const unknown of ['sought@3', 'sought@', 'nobodys']) await bob.refused({type: 'seek', game: unknown}, 'unknown_game');
    told(server, 'hide', 'sought');
    await bob.refused({type: 'seek', game: 'sought@1', clock}, 'unknown_game', /hidden/);
    await eve.done({type: 'seek.cancel'});
    assert.equal((await old).code, 'withdrawn');
    await Promise.all([ada, bob, eve].map(client => client.end()));
}

async function whatIsListedAndHidden(server) {
    const ada = new Publisher(server);
    await ada.publish('seen', raceCalled('Seen'));
    await ada.publish('shown?listed=yes', raceCalled('Shown twice'));
    assert.deepEqual(await names(server), ['shown@1']);
    assert.deepEqual((await ada.post('seen/listing', 'yes')).json, {listed: true});
    await ada.publish('seen', raceCalled('Seen again'));
    assert.deepEqual(await names(server), ['seen@2', 'shown@1']);
    assert.deepEqual((await ada.post('shown/listing', 'no')).json, {listed: false});
    assert.deepEqual(await names(server), ['seen@2']);
    const table = await setTable(server, {create: {game: 'seen@1'}, seats: ['a', 'b']});
    assert.match(told(server, 'list'), /^seen@2\tlisted\tshown\t\S+Z\tSeen again\nshown@1\tunlisted\tshown\t\S+Z\tShown twice\n$/);
    told(server, 'hide', 'seen');
    assert.deepEqual(await names(server), []);
    for (const id of ['seen', 'seen@1', 'seen@2']) {
        const {hidden, title, definition} = await get(server, `games/${id}`);
        assert.deepEqual({hidden, title, definition}, {hidden: true, title: undefined, definition: undefined});
        await table.a.refused({type: 'create', game: id}, 'unknown_game', /hidden/);
    }
    await ada.post('seen/listing', 'yes');
    assert.equal((await ada.publish('seen', raceCalled('Seen once more'))).hidden, true);
    assert.deepEqual(await names(server), [], 'its publisher cannot bring it back');
    await table.a.done({type: 'move', room: table.room, move: first});
    await table.end();
    await server.stop();
    told(server, 'show', 'seen'); // without a server as well
    await server.start();
    assert.deepEqual(await names(server), ['seen@3']);
    assert.equal(games(server, 'hide', 'nobodys').status, 1);
    for (const words of [[], ['hide'], ['list', 'x'], ['show', 'a', 'b'], ['other', 'x']]) assert.equal(games(server, ...words).status, 2, words.join(' '));
}

// Taken away for good, while a server runs: nobody reads it or begins anew, its name is nobody's, and rooms have their own copy.
async function whatIsRemovedIsGone(server) {
    const ada = new Publisher(server), eve = new Publisher(server);
    const text = JSON.stringify(raceCalled('Not yours'));
    await ada.publish('stolen?listed=yes', text);
    await ada.publish('stolen', raceCalled('Not yours either'));
    await eve.publish('copy?from=stolen@1', raceCalled('A copy'));
    await eve.post('stolen@1/report', 'It is mine');
    const table = await setTable(server, {create: {game: 'stolen@1'}, seats: ['a', 'b']});
    assert.equal(games(server, 'remove', 'nobodys').status, 1);
    told(server, 'remove', 'stolen');
    assert.equal(games(server, 'remove', 'stolen').status, 1);
    assert.equal(games(server, 'show', 'stolen').status, 1);
    assert.deepEqual([told(server, 'reports'), await names(server)], ['', []]);
    assert.match(told(server, 'list'), /^copy@1\t[^\n]*\n$/);
    for (const id of ['stolen', 'stolen@1', 'stolen@2']) {
        await get(server, `games/${id}`, 404);
        await table.a.refused({type: 'create', game: id}, 'unknown_game');
        assert.equal((await fetch(`${server.url}/api/v1/games/${id}/board.svg`)).status, 404);
    }
    for (const publisher of [ada, eve]) await publisher.refused('stolen', raceCalled('Again'), 403, /out of use/);
    await ada.refused('another?from=stolen@1', raceCalled('Again'), 400, /no such published game/);
    assert.equal((await ada.post('stolen/listing', 'yes')).status, 404);
    assert.equal((await get(server, 'games/copy@1')).from, 'stolen@1');
    await table.a.done({type: 'move', room: table.room, move: first});
    await server.stop('SIGKILL');
    await server.start();
    const client = await Client.open(server, {token: table.b.token});
    const {game} = await takeSeat(client, table.room, 'b');
    assert.equal(game.title, 'Not yours');
    await client.done({type: 'move', room: table.room, move: {from: 'κ2', to: 'κ3'}});
    assert.equal((await get(server, `rooms/${table.room}/export`)).definition, text);
    await ada.refused('stolen', raceCalled('Again'), 403, /out of use/);
    await client.end();
}

// Of each person one report a name, the newest; for whoever looks after the server, until it is shown again.
async function reportsAreHeard(server) {
    const ada = new Publisher(server), eve = new Publisher(server), bob = new Publisher(server);
    await ada.publish('disputed', raceCalled('Disputed'));
    await ada.publish('other', raceCalled('Other'));
    const heard = () => told(server, 'reports').split('\n').filter(Boolean).map(line => line.split('\t')).map(([id, , , words]) => `${id} ${words}`).sort();
    const said = async (publisher, id, words) => assert.deepEqual((await publisher.post(`${id}/report`, words)).json, {reported: true});
    assert.deepEqual(heard(), []);
    await said(eve, 'disputed@1', 'It is stolen');
    await said(eve, 'disputed@1', 'It is stolen from me');
    await said(bob, 'disputed@1', 'Sie beißt ♟');
    await said(bob, 'other@1', 'x'.repeat(500));
    assert.deepEqual(heard(), ['disputed@1 It is stolen from me', 'disputed@1 Sie beißt ♟', `other@1 ${'x'.repeat(500)}`]);
    for (const words of ['', 'two\nlines', 'tab\there', '\0', 'x'.repeat(501), Buffer.from([0xff, 0xfe])]) assert.equal((await eve.post('disputed@1/report', words)).status, 400);
    for (const id of ['disputed', 'disputed@2', 'nobodys@1', 'chess', 'x']) assert.equal((await eve.post(`${id}/report`, 'no')).status, 404, id);
    await eve.refused('disputed@1/report', 'no', 401, /Authorization/, {token: null});
    assert.equal(heard().length, 3);
    await server.stop('SIGKILL');
    await server.start();
    assert.equal(heard().length, 3, 'what was acknowledged is there');
    told(server, 'hide', 'disputed');
    assert.equal(heard().length, 3);
    told(server, 'show', 'disputed');
    assert.deepEqual(heard(), [`other@1 ${'x'.repeat(500)}`]);
}

async function theListHasPages(server) {
    const ada = new Publisher(server);
    const text = JSON.stringify(raceCalled('Many'));
    for (let i = 0; i < 53; i++) await ada.publish(`many-${i}?listed=yes`, text);
    const {games, next} = await get(server, 'published');
    assert.equal(games.length, 50);
    const rest = await get(server, `published?before=${encodeURIComponent(next)}`);
    assert.deepEqual([rest.games.length, rest.next], [3, undefined]);
    assert.equal(new Set([...games, ...rest.games].map(({name}) => name)).size, 53);
}

// Every version acknowledged is there after the kill, under its number and with its text; what was under way is there
// once or not at all, and sent again it is the same version.
async function nothingAcknowledgedIsLost(server) {
    const publishers = [1, 2, 3].map(() => new Publisher(server));
    const known = new Map(); // "name@n" → title
    const counts = [0, 0, 0];
    let going = true;
    const keepPublishing = async (publisher, index) => {
        while (going) {
            const title = `Race ${index}-${counts[index]}`;
            const answer = await publisher.post(`kill-${index}`, JSON.stringify(raceCalled(title))).catch(() => null);
            if (!answer) return;
            assert.ok([200, 201].includes(answer.status), answer.text);
            known.set(answer.json.game, title);
            counts[index]++;
        }
    };
    for (let kill = 0; kill < 3; kill++) {
        const before = known.size;
        const running = publishers.map(keepPublishing);
        while (known.size < before + 6) await new Promise(resolve => setTimeout(resolve, 5));
        await server.stop('SIGKILL');
        await Promise.all(running);
        await server.start();
        for (const [id, title] of known) assert.equal((await get(server, `games/${id}`)).title, title, id);
    }
    going = false;
    for (const [index, count] of counts.entries()) {
        const {versions} = await get(server, `games/kill-${index}`);
        assert.ok(versions === count || versions === count + 1, `${versions} versions, ${count} acknowledged`);
        const {version} = await publishers[index].post(`kill-${index}`, JSON.stringify(raceCalled(`Race ${index}-${count}`))).then(({json}) => json);
        assert.equal(version, count + 1, 'sent again it is the one version');
    }
    assert.equal(known.size, counts.reduce((sum, count) => sum + count));
}

const stories = {
    'a version is read as it came, and never changes': aVersionIsReadAsItCame,
    'a name is its first publisher\'s': aNameIsItsPublishers,
    'what cannot be is refused in words': whatCannotBeIsRefused,
    'a game of 256 KiB is published and played': aGameOf256KiB,
    'rooms stay with their version': roomsStayWithTheirVersion,
    'the same command makes one room': aSameCommandMakesOneRoom,
    'its board is drawn, and how it is played is told': aGameIsShown,
    'whoever looks for somebody to play it with finds him': itIsSought,
    'what is listed, and what is hidden while a server runs': whatIsListedAndHidden,
    'what is removed is gone for good, and rooms of it go on': whatIsRemovedIsGone,
    'what people say against a game is heard': reportsAreHeard,
    'the list has pages': theListHasPages,
    'kill -9: nothing acknowledged is lost': nothingAcknowledgedIsLost,
};

const postgres = process.env.SENET_TEST_POSTGRES;
for (const [store, url] of [['SQLite', undefined], ['PostgreSQL', postgres]])
    for (const [what, story] of Object.entries(stories)) {
        const skip = store === 'PostgreSQL' && !postgres && 'SENET_TEST_POSTGRES names no PostgreSQL';
        test(`${store}: ${what}`, {skip, timeout: 300000}, async () => {
            const server = new Server([], {postgres: url});
            try {
                await server.start();
                await story(server);
            } finally {
                await server.remove();
            }
        });
    }

test('an address, and a player, publish only so fast', {timeout: 300000}, async () => {
    const server = new Server(['--limit-loopback']);
    try {
        await server.start();
        const ada = new Publisher(server);
        const statuses = [];
        for (let i = 0; i < 60 && statuses.at(-1) !== 429; i++) statuses.push((await ada.post('fast', JSON.stringify(raceCalled(`${i}`)))).status);
        assert.equal(statuses.at(-1), 429, `${statuses.length} versions at once`);
        assert.ok(statuses.length > 10 && statuses.slice(0, -1).every(status => status === 201));
        const {headers} = await ada.refused('fast', raceCalled('x'), 429);
        assert.ok(Number(headers.get('retry-after')) >= 1);
        await new Publisher(server).publish('another', raceCalled('x')); // of the same address
    } finally {
        await server.remove();
    }
});
