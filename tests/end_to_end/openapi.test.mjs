// protocol/schema/openapi.json beside the program: each operation is called, and what comes is as the document says; what the program
// answers is in the document; the document is served, with everything it names.
import assert from 'node:assert/strict';
import {randomBytes, randomUUID} from 'node:crypto';
import {readFileSync} from 'node:fs';
import test, {after, before, describe} from 'node:test';
import {fileURLToPath} from 'node:url';
import {OpenApi} from '../support/open_api.mjs';
import {Server} from '../support/server.mjs';
import {makeRace} from '../support/table.mjs';

const here = relative => fileURLToPath(new URL(relative, import.meta.url));
const api = new OpenApi();
const server = new Server();
before(() => server.start());
after(() => server.remove());

const newToken = () => randomBytes(32).toString('base64url');
const text = new TextEncoder();

// Asked as the document wants it, unless it is asked `wrongly`; the answer is as the document says in any case.
async function call(method, path, {token, key, type = 'application/json', body, query = '', wrongly = false} = {}) {
    const headers = {...(token && {Authorization: `Bearer ${token}`}), ...(key && {'Idempotency-Key': key}), ...(body !== undefined && {'Content-Type': type})};
    const said = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
    if (!wrongly) assert.deepEqual(api.requestFaults({method, path, query, headers, body: said}), [], `${method} ${path}`);
    const answer = await fetch(`${server.url}${path}${query}`, {method, headers, body: said});
    const bytes = Buffer.from(await answer.arrayBuffer());
    assert.deepEqual(api.answerFaults({method, path, status: answer.status, headers: answer.headers, text: bytes}), []);
    return {status: answer.status, text: bytes.toString(), headers: answer.headers, json: () => JSON.parse(bytes)};
}

async function expect(status, method, path, options) {
    const answer = await call(method, path, options);
    assert.equal(answer.status, status, `${method} ${path}: ${answer.text.slice(0, 300)}`);
    return answer;
}

const command = (token, body, key = randomUUID()) => ({token, key, body});

describe('the document is what the program does', {timeout: 120_000}, () => {
    test('rooms', async () => {
        const ada = newToken(), bob = newToken();
        const created = await expect(201, 'POST', '/api/v1/games/chess/rooms', command(ada, {clock: {initial_ms: 300_000, increment_ms: 2000}}));
        const {room} = created.json(), path = `/api/v1/rooms/${room}`;
        await expect(200, 'POST', `${path}/seats`, command(ada, {seat: 'white', name: 'Ada'}));
        await expect(403, 'POST', `${path}/moves`, command(bob, {move: {from: 'e2', to: 'e4'}}));
        await expect(409, 'POST', `${path}/moves`, command(ada, {move: {from: 'e2', to: 'e4'}}));
        await expect(200, 'POST', `${path}/seats`, command(bob, {seat: 'any', as: 'bot'}));
        for (const query of ['', '?legal_moves=false']) await expect(200, 'GET', path, {token: ada, query});
        await expect(200, 'GET', path);
        await expect(200, 'POST', `${path}/moves`, command(ada, {move: {from: 'e2', to: 'e4'}, version: 3}));
        await expect(422, 'POST', `${path}/moves`, command(bob, {move: {from: 'e7', to: 'e2'}}));
        await expect(401, 'POST', `${path}/moves`, {...command('', {move: {from: 'e7', to: 'e5'}}), token: ''});
        await expect(400, 'POST', `${path}/moves`, {...command(bob, {move: 5}), wrongly: true});
        await expect(400, 'POST', `${path}/moves`, {...command(bob, {type: 'chat', move: {pass: true}}), wrongly: true});
        await expect(413, 'POST', `${path}/moves`, {...command(bob, 'x'.repeat(20_000)), wrongly: true});
        await expect(200, 'POST', `${path}/chat`, command(bob, {text: 'hello'}));
        await expect(200, 'GET', `${path}/moves`, {query: '?from=0'});
        await expect(409, 'GET', `${path}/hint`, {token: ada}); // they are two
        await expect(400, 'GET', `${path}/moves`, {query: '?from=x'});
        await expect(200, 'GET', '/api/v1/rooms');
        await expect(200, 'POST', `${path}/actions`, command(bob, {kind: 'resign'}));
        await expect(409, 'POST', `${path}/actions`, command(bob, {kind: 'resign'}));
        const {ply, lines} = (await expect(200, 'GET', `${path}/hint`, {query: '?ply=0&lines=2'})).json();
        assert.deepEqual([ply, lines.length], [0, 2]);
        for (const query of ['?lines=x', '?lines=9', '?ply=2']) await expect(400, 'GET', `${path}/hint`, {query, wrongly: true});
        const record = await expect(200, 'GET', `${path}/export`);
        const pgn = await expect(200, 'GET', `${path}/pgn`);
        await expect(201, 'POST', '/api/v1/rooms', {body: record.text, query: '?visibility=private'});
        await expect(201, 'POST', '/api/v1/rooms', {body: pgn.text, type: 'application/vnd.chess-pgn'});
        await expect(400, 'POST', '/api/v1/rooms', {body: '{}', wrongly: true});
        for (const [method, rest] of [['GET', ''], ['GET', '/moves'], ['GET', '/hint'], ['GET', '/stream'], ['GET', '/export'], ['GET', '/pgn']]) await expect(404, method, `/api/v1/rooms/k3Qd9xZa${rest}`);
        for (const [rest, body] of [['moves', {move: {pass: true}}], ['seats', {seat: 'any'}], ['actions', {kind: 'resign'}], ['chat', {text: 'x'}]]) await expect(404, 'POST', `/api/v1/rooms/k3Qd9xZa/${rest}`, command(ada, body));
        for (const rest of ['', '/stream']) await expect(401, 'GET', path + rest, {token: 'short'});
        await expect(400, 'GET', `${path}/stream`, {query: '?since=x'});
    });

    test('a stream, line by line', async () => {
        const ada = newToken(), bob = newToken();
        const {room} = (await expect(201, 'POST', '/api/v1/games/chess/rooms', command(ada, {}))).json();
        const path = `/api/v1/rooms/${room}`;
        await expect(200, 'POST', `${path}/seats`, command(ada, {seat: 'white'}));
        const first = await fetch(`${server.url}${path}/stream`, {headers: {Authorization: `Bearer ${ada}`}});
        assert.deepEqual(api.answerFaults({method: 'GET', path: `${path}/stream`, status: 200, headers: first.headers, text: text.encode('')}), []);
        await expect(200, 'POST', `${path}/seats`, command(bob, {seat: 'any'}));
        await expect(200, 'POST', `${path}/moves`, command(ada, {move: {from: 'e2', to: 'e4'}}));
        await expect(200, 'POST', `${path}/actions`, command(bob, {kind: 'draw.offer'}));
        const stop = new AbortController();
        const second = await fetch(`${server.url}${path}/stream?since=3`, {headers: {Authorization: `Bearer ${ada}`}, signal: stop.signal});
        const lines = (await first.text()).split('\n').filter(line => line !== '').map(line => JSON.parse(line)); // which has ended with the second
        for (const line of lines) assert.deepEqual(api.lineFaults(`${path}/stream`, line), [], JSON.stringify(line));
        const kinds = new Set(lines.map(({type, kind}) => kind ?? type));
        for (const kind of ['snapshot', 'presence', 'joined', 'moved', 'draw_offered', 'closed']) assert.ok(kinds.has(kind), kind);
        assert.notDeepEqual(api.lineFaults(`${path}/stream`, {...lines[0], version: 'x'}), []);
        assert.notDeepEqual(api.lineFaults(`${path}/stream`, {type: 'ack', re: '1'}), []);
        stop.abort();
        await second.text().catch(() => {});
    });

    test('games, pictures and what operators look at', async () => {
        const ada = newToken(), eve = newToken(), game = makeRace(['a', 'b']);
        await expect(200, 'GET', '/api/v1/games');
        await expect(200, 'GET', '/api/v1/games/chess');
        await expect(404, 'GET', '/api/v1/games/no-such-game');
        await expect(201, 'POST', '/api/v1/games/open-race', {token: ada, body: game, query: '?listed=yes'});
        await expect(200, 'POST', '/api/v1/games/open-race', {token: ada, body: game});
        await expect(400, 'POST', '/api/v1/games/open-race', {token: ada, body: {}});
        await expect(401, 'POST', '/api/v1/games/open-race', {body: game});
        await expect(403, 'POST', '/api/v1/games/open-race', {token: eve, body: game});
        await expect(200, 'GET', '/api/v1/games/open-race@1');
        await expect(200, 'GET', '/api/v1/games/open-race@1/board.svg');
        await expect(201, 'POST', '/api/v1/games/open-race/rooms', command(ada, {visibility: 'private'}));
        await expect(404, 'POST', '/api/v1/games/no-such-game/rooms', command(ada, {}));
        await expect(400, 'POST', '/api/v1/games/chess/rooms', {...command(ada, {players: 99}), wrongly: true});
        await expect(200, 'GET', '/api/v1/published');
        await expect(200, 'GET', '/api/v1/ratings/chess/blitz');
        await expect(200, 'GET', '/api/v1/ratings/chess/blitz/p_AAAAAAAAAAAAAAAA');
        await expect(404, 'GET', '/api/v1/ratings/no-such-game/blitz');
        await expect(200, 'POST', '/api/v1/games/open-race/listing', {token: ada, type: 'text/plain', body: 'no'});
        await expect(200, 'POST', '/api/v1/games/open-race@1/report', {token: eve, type: 'text/plain', body: 'too easy'});
        const picture = await expect(201, 'POST', '/api/v1/pictures', {type: 'image/svg+xml', body: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0h1v1z"/></svg>'});
        await expect(200, 'GET', picture.json().picture);
        await expect(400, 'POST', '/api/v1/pictures', {type: 'image/svg+xml', body: '<svg', wrongly: true});
        await expect(415, 'POST', '/api/v1/pictures', {type: 'image/gif', body: 'GIF89a', wrongly: true});
        await expect(200, 'POST', '/api/v1/qr', {type: 'text/plain', body: 'http://localhost'});
        await expect(400, 'POST', '/api/v1/qr', {type: 'text/plain', body: '', wrongly: true});
        for (const path of ['/healthz', '/readyz', '/metrics']) await expect(200, 'GET', path);
    });

    test('an answer that is spoilt is seen', () => {
        const good = {method: 'GET', path: '/api/v1/rooms', status: 200, headers: new Headers({'Content-Type': 'application/json'}), text: '{"rooms":[]}'};
        assert.deepEqual(api.answerFaults(good), []);
        for (const spoilt of [{status: 418}, {text: '{}'}, {text: '{"rooms":[5]}'}, {text: '{"rooms":[],"more":1}'}, {text: 'no JSON'}, {headers: new Headers()}, {status: 429}, {path: '/api/v1/nothing'}])
            assert.notDeepEqual(api.answerFaults({...good, ...spoilt}), [], JSON.stringify(spoilt));
    });

    test('every operation was called, and went well', () => {
        for (const [path, item] of Object.entries(api.document.paths))
            for (const method of ['get', 'post']) {
                const id = item[method]?.operationId;
                if (id) assert.ok(api.seen.has(`${id} 200`) || api.seen.has(`${id} 201`), `${method} ${path}`);
            }
    });

    test('every endpoint of the program is in it, and nothing else', () => {
        const table = readFileSync(here('../../server/cli/answers.c'), 'utf8').matchAll(/\{NET_(GET|POST), +"([^"]+)"/g);
        const endpoints = [...table].map(([, method, path]) => ({method: method.toLowerCase(), path}));
        assert.ok(endpoints.length > 10);
        const fits = (endpoint, method, path) => endpoint.method === method && (endpoint.path.endsWith('/') ? path.startsWith(endpoint.path) : path === endpoint.path);
        const said = Object.entries(api.document.paths).flatMap(([path, item]) => ['get', 'post'].filter(method => item[method]).map(method => ({method, path})));
        for (const endpoint of endpoints) assert.ok(said.some(({method, path}) => fits(endpoint, method, path)), `${endpoint.method} ${endpoint.path}`);
        for (const {method, path} of said) assert.ok(endpoints.some(endpoint => fits(endpoint, method, path)), `${method} ${path}`);
    });

    test('a command\'s body is what is left of its message', () => {
        const commands = {'games/{game}/rooms': 'create', 'rooms/{room}/seats': 'join', 'rooms/{room}/moves': 'move', 'rooms/{room}/actions': 'action', 'rooms/{room}/chat': 'chat'};
        for (const [path, type] of Object.entries(commands)) {
            const {properties, required} = JSON.parse(readFileSync(here(`../../protocol/schema/client/${type}.schema.json`), 'utf8'));
            const elsewhere = new Set(['type', 'id', 'room', ...(type === 'create' ? ['game', 'definition', 'fork'] : [])]);
            const {schema} = api.document.paths[`/api/v1/${path}`].post.requestBody.content['application/json'];
            assert.deepEqual(Object.keys(schema.properties), Object.keys(properties).filter(name => !elsewhere.has(name)), path);
            assert.deepEqual(schema.required ?? [], required.filter(name => !elsewhere.has(name)), path);
        }
    });
});

test('both documents are served, with every file they name', async () => {
    const seen = new Set(), left = ['openapi.json', 'asyncapi.json'];
    while (left.length > 0) {
        const path = left.pop();
        if (seen.has(path)) continue;
        seen.add(path);
        const answer = await fetch(`${server.url}/protocol/${path}`);
        const body = await answer.text();
        assert.equal(answer.status, 200, path);
        assert.equal(body, readFileSync(here(`../../protocol/schema/${path}`), 'utf8'));
        for (const [, name] of body.matchAll(/"\$ref": *"([^"#]+)(#[^"]*)?"/g)) left.push(new URL(name, `http://x/${path}`).pathname.slice(1));
    }
    assert.ok(seen.size > 20);
});
