// The protocol over HTTP, for those without WebSockets: commands, questions, and a room's events as lines.
import assert from 'node:assert/strict';
import {randomUUID} from 'node:crypto';
import test, {after, before, describe} from 'node:test';
import {Player} from '../support/player.mjs';
import {RawSocket} from '../support/raw_socket.mjs';
import {Server} from '../support/server.mjs';

const {Replica} = await import(new URL('../../protocol/clients/javascript/senet.js', import.meta.url));

const token = letter => letter.repeat(43); // any 43 characters are one
const ADA = token('A'), BOB = token('B'), EVE = token('E');
const e4 = {from: 'e2', to: 'e4'}, e5 = {from: 'e7', to: 'e5'};

// What one says and hears over HTTP.
class Caller {
    constructor(server, secret) {
        this.server = server;
        this.headers = secret ? {Authorization: `Bearer ${secret}`} : {};
    }

    async get(path) {
        const answer = await fetch(`${this.server.url}/api/v1${path}`, {headers: this.headers});
        return {status: answer.status, headers: answer.headers, body: await answer.json()};
    }

    async post(path, body, key = randomUUID()) {
        const headers = {...this.headers, 'Content-Type': 'application/json', ...(key && {'Idempotency-Key': key})};
        const answer = await fetch(`${this.server.url}/api/v1${path}`, {method: 'POST', headers, body: typeof body === 'string' ? body : JSON.stringify(body)});
        return {status: answer.status, headers: answer.headers, body: await answer.json()};
    }

    async stream(room, query = '', replica = new Replica(room)) {
        const stop = new AbortController();
        const answer = await fetch(`${this.server.url}/api/v1/rooms/${room}/stream${query}`, {headers: this.headers, signal: stop.signal});
        assert.equal(answer.status, 200);
        return new Lines(answer, replica, stop);
    }
}

// The lines of a stream, each taken by a client's copy of the room.
class Lines {
    #reader;
    #text = '';
    blank = 0;

    constructor(answer, replica, stop) {
        this.#reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
        this.replica = replica;
        this.stop = () => stop.abort();
        this.headers = answer.headers;
    }

    // null: it has ended.
    async next() {
        for (;;) {
            const end = this.#text.indexOf('\n');
            if (end < 0) {
                const {value, done} = await this.#reader.read();
                if (done) return null;
                this.#text += value;
                continue;
            }
            const line = this.#text.slice(0, end);
            this.#text = this.#text.slice(end + 1);
            if (line === '') {
                this.blank++;
                continue;
            }
            const frame = JSON.parse(line);
            assert.notEqual(this.replica.apply(frame), 'lost', line);
            return frame;
        }
    }

    async until(fits) {
        for (let frame; (frame = await this.next()) !== null;) if (fits(frame)) return frame;
        throw new Error('the stream has ended');
    }
}

async function table(server, game = 'chess', options = {}) {
    const ada = new Caller(server, ADA), bob = new Caller(server, BOB);
    const {status, body, headers} = await ada.post(`/games/${game}/rooms`, options);
    assert.equal(status, 201, JSON.stringify(body));
    assert.equal(headers.get('location'), `/api/v1/rooms/${body.room}`);
    const {room} = body;
    assert.equal((await ada.post(`/rooms/${room}/seats`, {seat: 'white', name: 'Ada'})).status, 200);
    assert.equal((await bob.post(`/rooms/${room}/seats`, {seat: 'any', as: 'bot'})).status, 200);
    return {ada, bob, room};
}

describe('over HTTP', {timeout: 120_000}, () => {
    const server = new Server();
    before(() => server.start());
    after(() => server.remove());

    test('two play, and who watches has it line by line', async () => {
        const {ada, bob, room} = await table(server);
        const watched = await new Caller(server).stream(room);
        assert.equal(watched.headers.get('content-type'), 'application/x-ndjson');
        assert.equal(watched.headers.get('content-length'), null);
        const snapshot = await watched.until(({type}) => type === 'snapshot');
        assert.equal(snapshot.seat, 'spectator');
        assert.equal(snapshot.legal_moves, undefined);
        const {body} = await ada.post(`/rooms/${room}/moves`, {move: e4, version: snapshot.version});
        assert.deepEqual({type: body.type, room: body.room, version: body.version}, {type: 'ack', room, version: snapshot.version + 1});
        assert.equal((await watched.until(({kind}) => kind === 'moved')).text, 'e4');
        assert.equal((await bob.post(`/rooms/${room}/chat`, {text: 'hello'})).status, 200);
        assert.equal((await watched.until(({kind}) => kind === 'chat')).text, 'hello');
        assert.equal((await bob.post(`/rooms/${room}/actions`, {kind: 'resign'})).status, 200);
        await watched.until(({kind}) => kind === 'resigned');
        assert.deepEqual(watched.replica.state.result.winner, 'white');
        watched.stop();
    });

    test('a room as it is: with legal moves for whose turn it is, and for nobody else', async () => {
        const {ada, bob, room} = await table(server);
        const seen = async caller => (await caller.get(`/rooms/${room}`)).body;
        const white = await seen(ada), black = await seen(bob), nobody = await seen(new Caller(server));
        assert.equal(white.type, 'snapshot');
        assert.equal(white.legal_moves.length, 20);
        assert.deepEqual([white.seat, black.seat, nobody.seat], ['white', 'black', 'spectator']);
        assert.equal(black.legal_moves ?? nobody.legal_moves, undefined);
        assert.deepEqual(nobody.state, white.state);
        await ada.post(`/rooms/${room}/moves`, {move: e4});
        const {body} = await bob.get(`/rooms/${room}/moves`);
        assert.deepEqual([body.plies, body.moves[0].text], [1, 'e4']);
        assert.equal((await bob.get(`/rooms/${room}/moves?from=1`)).body.moves.length, 0);
        const exported = await bob.get(`/rooms/${room}/export`);
        assert.equal(exported.body.senet_export, 1);
    });

    test('a key is a command: the same again is the same answer, and another under it is none', async () => {
        const {ada, bob, room} = await table(server);
        const key = '"8e03978e-40d5-43dd-bc93-6894a57f9324"';
        const many = await Promise.all(Array.from({length: 8}, () => ada.post(`/rooms/${room}/moves`, {move: e4}, key)));
        assert.deepEqual(new Set(many.map(({status, body}) => `${status} ${body.version}`)).size, 1, JSON.stringify(many.map(({body}) => body)));
        assert.deepEqual([many[0].status, many[0].body.re], [200, '8e03978e40d543ddbc936894a57f9324']);
        const other = await ada.post(`/rooms/${room}/moves`, {move: {from: 'd2', to: 'd4'}}, key);
        assert.deepEqual([other.status, other.body.code], [409, 'id_reused']);
        await bob.post(`/rooms/${room}/moves`, {move: e5});
        assert.equal((await bob.get(`/rooms/${room}/moves`)).body.plies, 2);
    });

    test('what is refused is refused as on a WebSocket, with a status of HTTP', async () => {
        const {ada, bob, room} = await table(server);
        const eve = new Caller(server, EVE), moves = `/rooms/${room}/moves`;
        const rows = [
            [bob, moves, {move: e5}, 'k1', 409, 'not_your_turn'],
            [eve, moves, {move: e4}, 'k1', 403, 'not_seated'],
            [ada, moves, {move: {from: 'e2', to: 'e5'}}, 'k1', 422, 'illegal_move'],
            [ada, moves, {move: 5}, 'k1', 400, 'bad_message'],
            [ada, moves, {}, 'k1', 400, 'bad_message'],
            [ada, moves, '[]', 'k1', 400, 'bad_json'],
            [ada, moves, '', 'k1', 400, 'bad_json'],
            [ada, moves, '{"move":{}}{', 'k1', 400, 'bad_json'],
            [ada, moves, {type: 'chat', text: 'x'}, 'k1', 400, 'bad_json'], // a member that the path says
            [ada, moves, {room, move: e4}, 'k1', 400, 'bad_json'],
            [ada, moves, `{"a":${'['.repeat(40)}${']'.repeat(40)}}`, 'k1', 400, 'bad_json'],
            [ada, moves, {move: e4}, '', 400, 'bad_message'],
            [ada, moves, {move: e4}, 'x'.repeat(33), 400, 'bad_message'],
            [ada, moves, {move: e4}, 'with space', 400, 'bad_message'],
            [new Caller(server), moves, {move: e4}, 'k1', 401, 'unauthenticated'],
            [new Caller(server, 'short'), moves, {move: e4}, 'k1', 401, 'bad_token'],
            [ada, '/rooms/k3Qd9xZa/moves', {move: e4}, 'k1', 404, 'unknown_room'],
            [ada, '/games/no-such-game/rooms', {}, 'k1', 404, 'unknown_game'],
            [ada, `/rooms/${room}/seats`, {seat: 'green'}, 'k1', 400, 'no_such_seat'],
            [eve, `/rooms/${room}/seats`, {seat: 'white'}, 'k1', 409, 'seat_taken'],
            [ada, `/rooms/${room}/actions`, {kind: 'draw.accept'}, 'k1', 409, 'no_offer'],
        ];
        for (const [who, path, body, key, status, code] of rows) {
            const answer = await who.post(path, body, key);
            assert.deepEqual([answer.status, answer.body.type, answer.body.code], [status, 'error', code], JSON.stringify([path, body, answer.body]));
            if (status === 401) assert.equal(answer.headers.get('www-authenticate'), 'Bearer');
        }
        for (const path of ['/rooms/k3Qd9xZa', '/rooms/k3Qd9xZa/stream']) assert.deepEqual((await ada.get(path)).body.code, 'unknown_room', path);
        assert.equal((await ada.get(`/rooms/${room}/stream?since=x`)).status, 400);
        for (const [method, path, status] of [['GET', `/rooms/${room}/seats`, 404], ['POST', `/rooms/${room}`, 405], ['POST', `/rooms/${room}/stream`, 405], ['HEAD', `/rooms/${room}/stream`, 405], ['PUT', `/rooms/${room}/moves`, 405]])
            assert.equal((await fetch(`${server.url}/api/v1${path}`, {method})).status, status, `${method} ${path}`);
        const long = await ada.post(moves, {move: e4, x: 'x'.repeat(15 * 1024)}).catch(() => null);
        assert.equal(long.status, 200); // of a member that nobody reads
        assert.equal((await fetch(`${server.url}/api/v1${moves}`, {method: 'POST', headers: ada.headers, body: 'x'.repeat(17 * 1024)})).status, 413);
    });

    test('a command over HTTP takes nobody\'s place, a stream of whoever sits does', async () => {
        const {ada, bob, room} = await table(server);
        const player = new Player(server);
        player.token = ADA;
        await player.connect();
        await player.call({type: 'resume', room, version: 0});
        assert.equal((await ada.post(`/rooms/${room}/moves`, {move: e4})).status, 200);
        assert.equal((await ada.post(`/rooms/${room}/seats`, {seat: 'white'})).status, 200);
        assert.equal((await ada.get(`/rooms/${room}`)).body.seat, 'white');
        await player.call({type: 'sync', room});
        assert.deepEqual(player.closeCodes, []);
        player.close();
        const first = await bob.stream(room);
        const snapshot = await first.until(({type}) => type === 'snapshot');
        assert.deepEqual([snapshot.seat, snapshot.legal_moves.length], ['black', 20]);
        const second = await bob.stream(room, `?since=${snapshot.version}&legal_moves=false`);
        assert.deepEqual(await first.until(({type}) => type === 'closed'), {type: 'closed', code: 4009, reason: 'replaced by a newer connection'});
        assert.equal(await first.next(), null);
        assert.equal((await second.until(({type}) => type === 'presence')).type, 'presence');
        await bob.post(`/rooms/${room}/moves`, {move: e5});
        second.stop();
    });

    for (const [query, said] of [['', true], ['legal_moves=true', true], ['legal_moves=false', false]]) {
        test(`a stream ${query && `with ${query} `}says ${said ? 'the' : 'no'} legal moves to who must act`, async () => {
            const {ada, bob, room} = await table(server);
            const stream = await ada.stream(room, `?${query}`), snapshot = await stream.until(({type}) => type === 'snapshot');
            assert.deepEqual([snapshot.seat, snapshot.state.to_move, snapshot.legal_moves?.length], ['white', 'white', said ? 20 : undefined]);
            await ada.post(`/rooms/${room}/moves`, {move: e4});
            const {version} = (await bob.post(`/rooms/${room}/moves`, {move: e5})).body;
            const moved = await stream.until(frame => frame.version === version);
            assert.deepEqual([moved.kind, moved.seat, moved.legal_moves?.length], ['moved', 'black', said ? 29 : undefined]);
            // The same event, of who has missed it.
            stream.stop();
            const again = await ada.stream(room, `?since=${version - 1}&${query}`, stream.replica);
            assert.deepEqual(await again.until(frame => frame.version === version), moved);
            again.stop();
            // It holds for the stream alone: a question is answered as ever.
            assert.equal((await ada.get(`/rooms/${room}`)).body.legal_moves.length, 29);
        });
    }

    test('a stream that nobody reads any more is over, and is counted as long as it lasts', async () => {
        const {room} = await table(server);
        const figure = async () => Number(/^senet_http_streams (\d+)$/m.exec(await (await fetch(`${server.url}/metrics`)).text())[1]);
        const before = await figure();
        const streams = await Promise.all(Array.from({length: 20}, () => new Caller(server).stream(room)));
        for (const stream of streams) await stream.until(({type}) => type === 'snapshot');
        assert.equal(await figure(), before + 20);
        for (const stream of streams) stream.stop();
        while ((await figure()) > before) await new Promise(resolve => setTimeout(resolve, 20));
        const raw = new RawSocket(server.port);
        raw.write(`GET /api/v1/rooms/${room}/stream HTTP/1.0\r\n\r\n`);
        const answer = await raw.answer();
        assert.deepEqual([answer.status, answer.headers.connection, answer.headers['content-length']], [200, 'close', undefined]);
        raw.destroy();
        while ((await figure()) > before) await new Promise(resolve => setTimeout(resolve, 20));
    });
});

test('silence is broken by blank lines, a restart is said, and what was missed comes', {timeout: 120_000}, async () => {
    const server = new Server(['--heartbeat-ms', '300']);
    await server.start();
    try {
        const {ada, bob, room} = await table(server);
        const stream = await ada.stream(room);
        const {version} = await stream.until(({type}) => type === 'snapshot');
        const broken = assert.rejects(stream.until(({type}) => type === 'closed'));
        while (stream.blank < 2) await new Promise(resolve => setTimeout(resolve, 20));
        const {body} = await ada.post(`/rooms/${room}/moves`, {move: e4}, 'first');
        server.signal('SIGKILL');
        await server.ended;
        await broken;
        await server.start();
        assert.deepEqual((await ada.post(`/rooms/${room}/moves`, {move: e4}, 'first')).body, body);
        const again = await ada.stream(room, `?since=${version}`, stream.replica);
        while (again.replica.version < body.version) await again.next();
        const closed = again.until(({type}) => type === 'closed');
        await bob.post(`/rooms/${room}/moves`, {move: e5});
        server.stop();
        assert.deepEqual(await closed, {type: 'closed', code: 1012, reason: 'restart'});
        assert.equal(await again.next(), null);
        assert.equal(again.replica.version, body.version + 1);
        assert.equal((await server.ended).code, 0);
    } finally {
        await server.remove();
    }
});
