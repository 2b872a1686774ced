// Chess Mate's HTTP API, held against what the original answers: its page's calls, every route, every refusal; and what
// ours does besides: turns, all the rules, spectators, and nothing lost.
import assert from 'node:assert/strict';
import {randomBytes} from 'node:crypto';
import test, {after, before, describe} from 'node:test';
import {Client} from '../support/client.mjs';
import {RawSocket} from '../support/raw_socket.mjs';
import {Server} from '../support/server.mjs';

const server = new Server(['--chess-mate', '/chess-mate', '--commands-burst', '100000']);
before(() => server.start());
after(() => server.remove());

const base = () => `${server.url}/chess-mate`;
const fresh = () => `test-${randomBytes(9).toString('base64url')}`;

// {status, headers, body}: the body parsed where it is JSON.
async function ask(path, {id, method = 'GET', json, body, headers = {}} = {}) {
    const answer = await fetch(base() + path, {
        method,
        body: json === undefined ? body : JSON.stringify(json),
        headers: {...(id !== undefined && {browser_id: id}), ...(json !== undefined && {'content-type': 'application/json'}), ...headers},
    });
    const text = await answer.text();
    const isJson = answer.headers.get('content-type')?.startsWith('application/json');
    return {status: answer.status, headers: answer.headers, text, body: isJson && text ? JSON.parse(text) : text};
}

async function newGame(id = fresh()) {
    const {status, body} = await ask('/new-game', {method: 'POST', json: {browser_id: id}});
    assert.equal(status, 200, JSON.stringify(body));
    return {id, ...body};
}

const load = async id => (await ask('/load-game', {id})).body;
const targets = async (id, from) => (await ask(`/legal-moves/${from}`, {id})).body;
const move = (id, from, to, query = '') => ask(`/make-move/${from}/${to}${query}`, {id});

// Plays 'e2e4 e7e5 …' and gives the last answer.
async function play(id, moves) {
    let last;
    for (const text of moves.split(' ')) {
        last = await move(id, text.slice(0, 2), text.slice(2, 4), text[4] ? `?choice=${{q: 'queen', r: 'rook', b: 'bishop', n: 'knight'}[text[4]]}` : '');
        assert.equal(last.status, 200, `${text}: ${last.text}`);
    }
    return last.body;
}

const refused = (answer, status, words) => {
    assert.deepEqual([answer.status, answer.body], [status, {error: words}]);
    assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8');
};

const names = [...'87654321'].flatMap(row => [...'abcdefgh'].map(file => file + row));
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const none = {P: 0, N: 0, B: 0, R: 0, Q: 0, K: 0};
const isStamped = object => {
    for (const key of ['updatedAt', 'createdAt']) {
        assert.match(object[key], time);
        assert.ok(Math.abs(Date.now() - Date.parse(object[key])) < 3600000);
    }
};

function startBoard() {
    const board = Object.fromEntries(names.map(name => [name, {color: '', piece: null}]));
    [...'RNBQKBNR'].forEach((piece, i) => {
        const file = 'abcdefgh'[i];
        board[`${file}8`] = {color: 'B', piece};
        board[`${file}7`] = {color: 'B', piece: 'P'};
        board[`${file}2`] = {color: 'W', piece: 'P'};
        board[`${file}1`] = {color: 'W', piece};
    });
    return board;
}

describe('shapes', () => {
    test('the index', async () => {
        for (const path of ['', '/']) {
            const {status, text, headers} = await ask(path);
            assert.deepEqual([status, text], [200, '{"message":"Api OK!"}']);
            assert.equal(headers.get('access-control-allow-origin'), '*');
            assert.equal(headers.get('content-type'), 'application/json; charset=utf-8');
        }
    });

    test('a new game: members, their order, a board in a string from a8 to h1', async () => {
        const {id, game, board, room, check} = await newGame();
        assert.deepEqual(Object.keys(game), ['id', 'browser_id', 'updatedAt', 'createdAt']);
        assert.deepEqual(Object.keys(board), ['id', 'game_id', 'board', 'score', 'turn_player', 'move_number', 'updatedAt', 'createdAt']);
        assert.ok(Number.isSafeInteger(game.id) && Number.isSafeInteger(board.id));
        assert.deepEqual([game.browser_id, board.game_id, board.turn_player, board.move_number], [id, game.id, '', 0]);
        assert.equal(board.board, JSON.stringify(startBoard()));
        assert.deepEqual(Object.keys(JSON.parse(board.board)), names);
        assert.equal(board.score, JSON.stringify({W: none, B: none}));
        isStamped(game), isStamped(board);
        assert.match(room, /^[A-Za-z0-9]{18}$/);
        assert.equal(check, false);
    });

    test('without an id one is made, in the look of bcrypt, that nobody guesses', async () => {
        const made = new Set();
        for (const request of [{}, {json: {}}, {json: {browser_id: ''}}, {json: {browser_id: null}}, {json: {browser_id: 0}}, {json: {browser_id: false}}, {json: []}, {body: 'browser_id=me', headers: {'content-type': 'text/plain'}}]) {
            const {status, body} = await ask('/new-game', {method: 'POST', ...request});
            assert.equal(status, 200);
            assert.match(body.game.browser_id, /^\$2a\$08\$[./A-Za-z0-9]{53}$/);
            assert.equal((await load(body.game.browser_id)).board.move_number, 0);
            made.add(body.game.browser_id);
        }
        assert.equal(made.size, 8);
    });

    test('a number is an id, and comes back as one; another id in the body is ignored', async () => {
        const number = Date.now() * 1000 + Math.floor(Math.random() * 1000);
        const {body} = await ask('/new-game', {method: 'POST', json: {id: 777, browser_id: number}});
        assert.strictEqual(body.game.browser_id, number);
        assert.notEqual(body.game.id, 777);
        assert.equal((await load(`${number}`)).board.game_id, body.game.id);
    });

    test('a loaded game: the newest board, the moves newest first', async () => {
        const {id, game} = await newGame();
        await play(id, 'e2e4 d7d5 e4d5');
        const {board, moves} = await load(id);
        assert.deepEqual(moves.map(({player, flag, move_number, from, to, piece}) => [player, flag, move_number, from, to, piece]), [
            ['W', 'x', 3, 'e4', 'd5', 'P'], ['B', '-', 2, 'd7', 'd5', 'P'], ['W', '-', 1, 'e2', 'e4', 'P'],
        ]);
        assert.deepEqual(Object.keys(moves[0]), ['id', 'game_id', 'player', 'flag', 'move_number', 'from', 'to', 'piece', 'updatedAt', 'createdAt']);
        assert.equal(new Set(moves.map(one => one.id)).size, 3);
        for (const one of moves) assert.equal(one.game_id, game.id), assert.ok(Number.isSafeInteger(one.id)), isStamped(one);
        assert.deepEqual([board.turn_player, board.move_number], ['W', 3]);
        assert.deepEqual(JSON.parse(board.score), {W: {...none, P: 1}, B: none});
        const squares = startBoard();
        squares.e2 = squares.d7 = {color: '', piece: null};
        squares.d5 = {color: 'W', piece: 'P'};
        assert.equal(board.board, JSON.stringify(squares));
    });

    test('a move: the board and the move as load-game shows them', async () => {
        const {id} = await newGame();
        const answer = await play(id, 'g1f3');
        assert.deepEqual(Object.keys(answer).slice(0, 2), ['board', 'move']);
        assert.deepEqual([answer.move.player, answer.move.flag, answer.move.piece, answer.move.move_number, answer.board.turn_player], ['W', '-', 'N', 1, 'W']);
        const again = await load(id);
        assert.deepEqual([again.board, again.moves[0]], [answer.board, answer.move]);
    });

    test('legal moves: a plain array, in the order of the original', async () => {
        const {id} = await newGame();
        assert.deepEqual(await targets(id, 'e2'), ['e3', 'e4']);
        assert.deepEqual(await targets(id, 'g1'), ['f3', 'h3']);
        assert.deepEqual(await targets(id, 'b1'), ['a3', 'c3']);
        for (const square of ['e4', 'a1', 'd1', 'e1', 'e7', 'g8']) assert.deepEqual(await targets(id, square), [], square);
        await play(id, 'e2e4 d7d5');
        assert.deepEqual(await targets(id, 'e4'), ['e5', 'd5']);
        assert.deepEqual(await targets(id, 'f1'), ['e2', 'd3', 'c4', 'b5', 'a6']);
        assert.deepEqual(await targets(id, 'd1'), ['e2', 'f3', 'g4', 'h5']);
        await play(id, 'b1c3 d5e4');
        assert.deepEqual(await targets(id, 'c3'), ['a4', 'b5', 'd5', 'e4', 'e2', 'b1']);
        await play(id, 'h2h4 a7a5');
        assert.deepEqual(await targets(id, 'h1'), ['h2', 'h3']);
        assert.deepEqual(await targets(id, 'a1'), ['b1']);
        await play(id, 'h4h5');
        assert.deepEqual(await targets(id, 'a8'), ['a7', 'a6']);
        assert.deepEqual(await targets(id, 'd8'), ['d7', 'd6', 'd5', 'd4', 'd3', 'd2']);
    });
});

describe('refusals', () => {
    test('no id', async () => {
        for (const [path, options] of [['/load-game'], ['/legal-moves/e2'], ['/make-move/e2/e4'], ['/make-move/x/y'], ['/nothing'], ['/new-game'], ['/load-game', {id: ''}], ['/load-game?browser_id=x'],
            ['/load-game', {headers: {'browser-id': 'x'}}], ['/load-game', {headers: {cookie: 'browser_id=x'}}], ['/load-game', {method: 'POST'}], ['/nothing', {method: 'DELETE'}]])
            refused(await ask(path, options), 400, 'No browser id');
    });

    test('no such game', async () => {
        for (const path of ['/load-game', '/legal-moves/e2', '/legal-moves/x', '/make-move/e2/e4', '/make-move/x/y', '/nothing']) refused(await ask(path, {id: fresh()}), 400, 'Game not found!');
        refused(await ask('/load-game', {id: 'x'.repeat(4096)}), 400, 'Game not found!'); // longer than any can be
    });

    test('squares that are none, names of prototypes too', async () => {
        const {id} = await newGame();
        for (const square of ['E2', 'e9', 'i1', 'e', 'e22', 'constructor', 'toString', '__proto__', 'hasOwnProperty', '%20e2', 'é2', 'e0'])
            refused(await ask(`/legal-moves/${square}`, {id}), 400, 'Invalid position!');
        for (const [from, to] of [['constructor', 'f3'], ['e2', 'toString'], ['E2', 'E4'], ['e2', 'e9'], ['x', 'y'], ['__proto__', '__proto__']]) refused(await move(id, from, to), 400, 'Invalid position');
        for (const square of ['%C3%28', '%zz', '%', 'e2%', 'e2%00']) refused(await ask(`/legal-moves/${square}`, {id}), 400, 'Internal server error.');
        assert.equal((await load(id)).board.move_number, 0);
    });

    test('moves that are none: turns are held', async () => {
        const {id} = await newGame();
        for (const [from, to] of [['e4', 'e5'], ['e2', 'e5'], ['e7', 'e5'], ['e1', 'e2'], ['e2', 'e2'], ['a1', 'a8']]) refused(await move(id, from, to), 400, 'Invalid move!');
        await play(id, 'e2e4');
        refused(await move(id, 'd2', 'd4'), 400, 'Invalid move!');
        assert.equal((await load(id)).board.move_number, 1);
    });

    test('an id can be taken once', async () => {
        const {id, game} = await newGame();
        refused(await ask('/new-game', {method: 'POST', json: {browser_id: id}}), 400, 'Browser id already in use!');
        await play(id, 'e2e4');
        refused(await ask('/new-game', {method: 'POST', json: {browser_id: id}}), 400, 'Browser id already in use!');
        assert.deepEqual([(await load(id)).board.game_id, (await load(id)).board.move_number], [game.id, 1]);
        const both = await Promise.all(Array.from({length: 6}, (_, i) => ask('/new-game', {method: 'POST', json: {browser_id: `${id}-${i % 2}`}})));
        assert.deepEqual(both.map(({status}) => status).sort(), [200, 200, 400, 400, 400, 400]);
    });

    test('bodies: malformed, too long, ids that are none', async () => {
        const post = (body, type = 'application/json') => ask('/new-game', {method: 'POST', body, headers: {'content-type': type}});
        for (const body of ['{', '"text"', '5', 'null', '{"browser_id":}', '{"a":1}}', '['.repeat(5000)]) {
            const answer = await post(body);
            refused(answer, 400, 'Internal server error.');
            assert.equal(answer.headers.get('access-control-allow-origin'), null);
        }
        const raw = new RawSocket(server.port);
        raw.write('POST /chess-mate/new-game HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 102401\r\n\r\n');
        const long = await raw.answer();
        assert.deepEqual([long.status, long.body, long.headers['access-control-allow-origin']], [413, '{"error":"Internal server error."}', undefined]);
        raw.destroy();
        assert.equal((await post(JSON.stringify({browser_id: fresh(), filler: 'x'.repeat(102300 - 50)}))).status, 200);
        const unnamed = [{}, [], {a: 1}, 'a\u0000b', 'a\nb', ' a', 'a ', '\u007f', 'x'.repeat(4096), 'é'.repeat(2048)];
        for (const id of unnamed) refused(await post(JSON.stringify({browser_id: id})), 400, 'Invalid browser id!');
        for (const id of ['x'.repeat(4095 - 17) + fresh(), `${fresh()} ${'é'.repeat(2000)}`]) {
            assert.equal((await post(JSON.stringify({browser_id: id}), `APPLICATION/JSON; charset=utf-8; filler=${'x'.repeat(3000)}`)).body.game.browser_id, id);
            assert.equal((await load(id)).board.move_number, 0);
        }
        const id = fresh(), json = JSON.stringify({browser_id: id}), latin = new RawSocket(server.port);
        latin.write(Buffer.from(`POST /chess-mate/new-game HTTP/1.1\r\nHost: x\r\nContent-Type: application/json; filler=${'\u00e9'.repeat(5000)}\r\nContent-Length: ${json.length}\r\n\r\n${json}`, 'latin1'));
        assert.equal(JSON.parse((await latin.answer()).body).game.browser_id, id);
        latin.destroy();
        refused(await ask('/make-move/e2/e4', {method: 'POST', id: 'x', body: '{', headers: {'content-type': 'application/json'}}), 400, 'Internal server error.');
    });

    test('paths that are none are 404 in HTML, for an id that is known', async () => {
        const {id} = await newGame();
        for (const [method, path, shown] of [['GET', '/nothing', '/nothing'], ['POST', '/make-move/e2/e4', '/make-move/e2/e4'], ['DELETE', '/load-game', '/load-game'], ['GET', '/load-game/x', '/load-game/x'],
            ['GET', '/legal-moves', '/legal-moves'], ['PUT', '/a&b', '/a&amp;b'], ['GET', '/%3Cscript%3E', '/%3Cscript%3E'], ['GET', '/new-game', '/new-game']]) {
            const answer = await ask(path, {id, method});
            assert.equal(answer.status, 404, path);
            assert.equal(answer.headers.get('content-type'), 'text/html; charset=utf-8');
            assert.equal(answer.text, `<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>Error</title>\n</head>\n<body>\n<pre>Cannot ${method} /chess-mate${shown}</pre>\n</body>\n</html>\n`);
        }
    });
});

describe('HTTP', () => {
    test('preflight, and the headers of CORS on everything', async () => {
        for (const path of ['/load-game', '/new-game', '/make-move/e2/e4', '/nothing', '/']) {
            const {status, headers, text} = await ask(path, {method: 'OPTIONS', headers: {Origin: 'https://elsewhere.example', 'Access-Control-Request-Method': 'GET', 'Access-Control-Request-Headers': 'browser_id,content-type'}});
            assert.deepEqual([status, text], [204, '']);
            assert.equal(headers.get('access-control-allow-origin'), '*');
            assert.equal(headers.get('access-control-allow-methods'), 'GET,HEAD,PUT,PATCH,POST,DELETE');
            assert.equal(headers.get('access-control-allow-headers'), 'browser_id,content-type');
            assert.equal(headers.get('vary'), 'Access-Control-Request-Headers');
        }
        const {id} = await newGame();
        for (const path of ['/load-game', '/legal-moves/e2', '/legal-moves/x', '/nothing', '/make-move/a1/a2']) assert.equal((await ask(path, {id})).headers.get('access-control-allow-origin'), '*', path);
    });

    test('paths in any case, with a slash at the end, with escapes; the header in any case', async () => {
        const {id} = await newGame();
        for (const path of ['/LEGAL-moves/e2', '/legal-moves/e2/', '/Legal-Moves/%65%32', '/legal%2Dmoves/e2']) assert.deepEqual((await ask(path, {id})).body, ['e3', 'e4'], path);
        assert.equal((await ask('/NEW-GAME/', {method: 'POST'})).status, 200);
        assert.equal((await ask('/Load-Game/', {headers: {Browser_ID: id}})).status, 200);
        assert.equal((await fetch(`${server.url}/CHESS-MATE`)).status, 200);
    });

    test('HEAD is GET without the body; what is known already is 304', async () => {
        const {id} = await newGame();
        for (const path of ['/', '/load-game', '/legal-moves/e2']) {
            const whole = await ask(path, {id}), head = await ask(path, {id, method: 'HEAD'});
            assert.deepEqual([head.status, head.text, head.headers.get('content-length')], [200, '', `${Buffer.byteLength(whole.text)}`]);
            const etag = whole.headers.get('etag');
            assert.match(etag, /^W\/"[0-9a-f]+-[\w+/]+"$/);
            // (fetch says no-cache beside If-None-Match of ours, as a reload does)
            const raw = new RawSocket(server.port);
            raw.write(`GET /chess-mate${path} HTTP/1.1\r\nHost: x\r\nbrowser_id: ${id}\r\nIf-None-Match: ${etag}\r\n\r\n`);
            const known = await raw.answer({head: true});
            assert.deepEqual([known.status, known.headers.etag], [304, etag]);
            raw.destroy();
        }
        const before = (await ask('/load-game', {id})).headers.get('etag');
        await play(id, 'e2e4');
        assert.notEqual((await ask('/load-game', {id})).headers.get('etag'), before);
    });

    test('an id beyond ASCII comes in Latin-1 from browsers, and in UTF-8 from programs', async () => {
        const {id, board} = await newGame(`Zoë ${fresh()}`);
        for (const encoding of ['latin1', 'utf8']) {
            const raw = new RawSocket(server.port);
            raw.write(Buffer.from(`GET /chess-mate/load-game HTTP/1.1\r\nHost: x\r\nbrowser_id: ${id}\r\n\r\n`, encoding));
            const answer = await raw.answer();
            assert.deepEqual([answer.status, JSON.parse(answer.body).board], [200, board], encoding);
            raw.destroy();
        }
    });

    test('a preflight may ask for many headers, and for too many is answered', async () => {
        const asking = (names, method = 'OPTIONS') => ask('/load-game', {method, headers: {Origin: 'https://elsewhere.example', 'Access-Control-Request-Headers': names}});
        const many = 'browser_id,'.repeat(93).slice(0, -1);
        assert.equal((await asking(many)).headers.get('access-control-allow-headers'), many);
        const answer = await asking(`${many},${many}`);
        refused(answer, 431, 'Too many headers.');
        assert.equal(answer.headers.get('access-control-allow-origin'), '*');
    });

    // The text as one chunk each so many bytes.
    const chunked = (text, bytes) => {
        let out = '';
        for (let at = 0; at < text.length; at += bytes) out += `${text.slice(at, at + bytes).length.toString(16)};so=what\r\n${text.slice(at, at + bytes)}\r\n`;
        return `${out}0\r\nX-Trailer: none\r\n\r\n`;
    };
    const postChunks = chunks => `POST /chess-mate/new-game HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: Chunked\r\n\r\n${chunks}`;

    test('a body in chunks of any size is a body; what comes behind it is the next request', async () => {
        for (const [bytes, cut] of [[1, 7], [3, 100], [1000, 1], [1000, 100000]]) {
            const id = fresh(), raw = new RawSocket(server.port);
            const bytesSent = `${postChunks(chunked(JSON.stringify({browser_id: id, filler: 'x'.repeat(200)}), bytes))}GET /chess-mate/load-game HTTP/1.1\r\nHost: x\r\nbrowser_id: ${id}\r\n\r\n`;
            for (let at = 0; at < bytesSent.length; at += cut) {
                raw.write(bytesSent.slice(at, at + cut));
                if (cut < 1000 && at % (cut * 50) === 0) await new Promise(resolve => setTimeout(resolve, 1));
            }
            const made = await raw.answer();
            assert.equal(JSON.parse(made.body).game.browser_id, id);
            const loaded = await raw.answer();
            assert.deepEqual([loaded.status, JSON.parse(loaded.body).moves], [200, []]);
            raw.destroy();
        }
        const stream = new Blob([JSON.stringify({browser_id: fresh()})]).stream();
        assert.equal((await fetch(`${base()}/new-game`, {method: 'POST', body: stream, duplex: 'half', headers: {'content-type': 'application/json'}})).status, 200);
    });

    test('chunks that are none, or too much', async () => {
        const filler = chunked(JSON.stringify({browser_id: fresh(), filler: 'x'.repeat(102400)}), 10000);
        for (const [chunks, status] of [['zz\r\n', 400], ['\r\n', 400], [';\r\n', 400], ['2\r\n{}x', 400], ['2\n{}', 400], ['123456789\r\n', 400], [`2;${'x'.repeat(5000)}\r\n{}`, 400], [`0\r\n${'X: y\r\n'.repeat(1000)}\r\n`, 400], ['ffffffff\r\n{}', 408], [filler, 413]]) {
            const raw = new RawSocket(server.port);
            raw.write(postChunks(chunks));
            if (status === 408) raw.destroy(); // more would come: nobody waits here for it
            else assert.equal((await raw.answer()).status, status, chunks.slice(0, 20));
            raw.destroy();
        }
        for (const [headers, status] of [['Transfer-Encoding: chunked\r\nContent-Length: 2', 400], ['Transfer-Encoding: gzip, chunked', 501], ['Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked', 501]]) {
            const raw = new RawSocket(server.port);
            raw.write(`POST /chess-mate/new-game HTTP/1.1\r\nHost: x\r\n${headers}\r\n\r\n0\r\n\r\n`);
            assert.equal((await raw.answer()).status, status, headers);
            raw.destroy();
        }
    });

    test('an absolute target is the path in it, and its host is the one that counts', async () => {
        for (const [target, status] of [['http://x/chess-mate/', 200], ['HTTP://other.example:8080/chess-mate?x', 200], ['https://x/healthz', 200], ['http://x', 200], ['http://x?y', 200], ['http:///healthz', 400], ['http://me@x/', 400], ['ftp://x/', 400], ['x', 400]]) {
            const raw = new RawSocket(server.port);
            raw.write(`GET ${target} HTTP/1.1\r\nHost: x\r\n\r\n`);
            assert.equal((await raw.answer()).status, status, target);
            raw.destroy();
        }
    });

    test('off unless asked for, and / may be its place beside the page', async () => {
        const plain = new Server(), root = new Server(['--chess-mate', '/']);
        try {
            await Promise.all([plain.start(), root.start()]);
            for (const path of ['/load-game', '/chess-mate/load-game']) assert.equal((await fetch(plain.url + path, {headers: {browser_id: 'x'}})).status, 404);
            assert.equal((await fetch(`${plain.url}/new-game`, {method: 'POST'})).status, 405);
            assert.deepEqual(await (await fetch(`${root.url}/`)).json(), {message: 'Api OK!'});
            const {game, room} = await (await fetch(`${root.url}/new-game`, {method: 'POST'})).json();
            assert.equal((await (await fetch(`${root.url}/make-move/e2/e4`, {headers: {browser_id: game.browser_id}})).json()).move.to, 'e4');
            for (const path of ['/index.html', '/main.js', `/room/${room}`, '/api/v1/games', '/healthz']) assert.equal((await fetch(root.url + path)).status, 200, path);
            assert.deepEqual(await (await fetch(`${root.url}/elsewhere`)).json(), {error: 'No browser id'});
        } finally {
            await Promise.all([plain.remove(), root.remove()]);
        }
    });
});

describe('the game', () => {
    test('what its page does: start, choose, move, come back', async () => {
        const preflight = path => ask(path, {method: 'OPTIONS', headers: {Origin: 'http://page.example', 'Access-Control-Request-Headers': 'browser_id'}});
        const id = (await ask('/new-game', {method: 'POST'})).body.game.browser_id;
        let turn = 'W';
        for (const [from, to] of [['e2', 'e4'], ['e7', 'e5'], ['g1', 'f3'], ['b8', 'c6'], ['f1', 'b5']]) {
            assert.equal((await preflight(`/legal-moves/${from}`)).status, 204);
            assert.ok((await targets(id, from)).includes(to));
            assert.equal((await preflight(`/make-move/${from}/${to}`)).status, 204);
            const {body} = await move(id, from, to);
            assert.equal(body.move.player, turn);
            turn = turn === 'W' ? 'B' : 'W';
        }
        assert.equal((await preflight('/load-game')).status, 204);
        const {board, moves} = await load(id);
        assert.deepEqual([board.turn_player, moves.length, JSON.parse(board.board).b5], ['W', 5, {color: 'W', piece: 'B'}]);
    });

    test('four moves at once: one is made', async () => {
        const {id} = await newGame();
        const answers = await Promise.all([['e2', 'e4'], ['d2', 'd4'], ['g1', 'f3'], ['c2', 'c4']].map(([from, to]) => move(id, from, to)));
        assert.deepEqual(answers.map(({status}) => status).sort(), [200, 400, 400, 400]);
        const {board, moves} = await load(id);
        assert.deepEqual([board.move_number, moves.length], [1, 1]);
        assert.deepEqual(moves[0], answers.find(({status}) => status === 200).body.move);
    });

    test('check and mate are said', async () => {
        const {id} = await newGame();
        assert.equal((await play(id, 'e2e4 e7e5 f1c4 b8c6 d1h5 g8f6')).check, false);
        const last = await play(id, 'h5f7');
        assert.deepEqual([last.move.flag, last.check, last.result.winner, last.result.reason], ['x', true, 'white', 'checkmate']);
        assert.deepEqual(JSON.parse(last.board.score).W, {...none, P: 1});
        const again = await load(id);
        assert.deepEqual([again.result, again.check], [last.result, true]);
        assert.deepEqual(await targets(id, 'e8'), []);
        refused(await move(id, 'e8', 'f7'), 400, 'Invalid move!');
        const other = await newGame();
        const check = await play(other.id, 'e2e4 f7f6 d1h5');
        assert.deepEqual([check.check, check.result], [true, undefined]);
        assert.deepEqual(await targets(other.id, 'g7'), ['g6'], 'only what ends the check');
        assert.deepEqual(await targets(other.id, 'a7'), []);
    });

    test('castling is two steps of the king, listed last', async () => {
        const {id} = await newGame();
        await play(id, 'e2e4 d7d5 g1f3 c8g4 f1e2 b8c6 b2b3 d8d6 c1b2');
        assert.deepEqual(await targets(id, 'e8'), ['d7', 'd8', 'c8']);
        await play(id, 'e8c8');
        let squares = JSON.parse((await load(id)).board.board);
        assert.deepEqual([squares.c8, squares.d8, squares.a8, squares.e8], [{color: 'B', piece: 'K'}, {color: 'B', piece: 'R'}, {color: '', piece: null}, {color: '', piece: null}]);
        assert.deepEqual(await targets(id, 'e1'), ['f1', 'g1']);
        await play(id, 'e1g1');
        squares = JSON.parse((await load(id)).board.board);
        assert.deepEqual([squares.g1, squares.f1, squares.h1], [{color: 'W', piece: 'K'}, {color: 'W', piece: 'R'}, {color: '', piece: null}]);
    });

    test('a pawn is taken in passing', async () => {
        const {id} = await newGame();
        await play(id, 'e2e4 a7a6 e4e5 d7d5');
        assert.deepEqual(await targets(id, 'e5'), ['e6', 'd6']);
        const {move: taken, board} = await play(id, 'e5d6');
        const squares = JSON.parse(board.board);
        assert.deepEqual([taken.flag, squares.d5, squares.d6, JSON.parse(board.score).W.P], ['x', {color: '', piece: null}, {color: 'W', piece: 'P'}, 1]);
    });

    test('a pawn becomes a queen, or what is chosen; a8 is a square like any other', async () => {
        const way = 'b2b4 a7a5 b4a5 b7b6 a5b6 c8b7 b6c7 b7c6';
        const {id} = await newGame();
        await play(id, way);
        assert.deepEqual(await targets(id, 'c7'), ['c8', 'b8', 'd8'], 'each square once');
        const {move: made, board} = await play(id, 'c7b8');
        assert.deepEqual([made.piece, made.flag, JSON.parse(board.board).b8], ['P', 'x', {color: 'W', piece: 'Q'}]);
        await play(id, 'h7h6');
        assert.ok((await targets(id, 'b8')).includes('a8'));
        const corner = await play(id, 'b8a8');
        assert.deepEqual([JSON.parse(corner.board.board).a8, JSON.parse(corner.board.score).W.R], [{color: 'W', piece: 'Q'}, 1]);

        const chosen = await newGame();
        await play(chosen.id, way);
        for (const choice of ['king', 'pawn', 'Q', 'x'.repeat(15)]) refused(await move(chosen.id, 'c7', 'd8', `?choice=${choice}`), 400, 'Invalid move!');
        const {board: after} = await play(chosen.id, 'c7b8n');
        assert.deepEqual(JSON.parse(after.board).b8, {color: 'W', piece: 'N'});
        assert.deepEqual((await load(chosen.id)).board, after);
        assert.equal((await move(chosen.id, 'e7', 'e6', '?choice=rook')).status, 200, 'where nothing is chosen a choice says nothing');
    });

    test('the room is open to spectators of ours, and to nobody\'s hands', async () => {
        const {id, room} = await newGame();
        await play(id, 'e2e4');
        const watcher = await Client.open(server);
        const joined = await watcher.done({type: 'join', room, seat: 'spectator', name: 'Eve'});
        assert.equal(joined.room, room);
        for (const seat of ['white', 'black', 'any', 'all']) await watcher.refused({type: 'join', room, seat}, 'seat_taken');
        await watcher.refused({type: 'move', room, move: {from: 'e7', to: 'e5'}}, 'not_seated');
        await watcher.done({type: 'chat', room, text: 'e5!'});
        const {board} = await play(id, 'e7e5');
        const event = await watcher.next({type: 'event', kind: 'moved'});
        assert.deepEqual(event.move, {from: 'e7', to: 'e5'});
        assert.equal(new Date(event.at).toISOString(), board.createdAt);
        assert.equal((await load(id)).moves.length, 2);
        const lobby = await watcher.done({type: 'lobby.subscribe'});
        assert.ok(!lobby.rooms.some(one => one.room === room), 'it is not shown around');
        assert.equal((await fetch(`${server.url}/room/${room}`)).status, 200);
        await watcher.end();
    });

    test('kill -9 in the middle: what was answered is there', async () => {
        const {id, game, room} = await newGame();
        await play(id, 'e2e4 e7e5');
        const before = await load(id);
        const answered = [];
        const killed = (async () => {
            for (const text of 'g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f8e7 f1e1 b7b5 a4b3 d7d6'.split(' ')) {
                const {status, body} = await move(id, text.slice(0, 2), text.slice(2)).catch(() => ({status: 0}));
                if (status !== 200) return;
                answered.push(body.move);
                if (answered.length === 5) server.stop('SIGKILL');
            }
        })();
        await killed;
        await server.stop('SIGKILL');
        await server.start();
        const {board, moves, room: same} = await load(id);
        assert.deepEqual([board.game_id, same], [game.id, room]);
        assert.ok(answered.length >= 5);
        const kept = moves.reverse();
        assert.deepEqual(kept.slice(0, 2), before.moves.reverse());
        assert.deepEqual(kept.slice(2, 2 + answered.length), answered, 'ids and times, too');
        assert.ok(kept.length <= 2 + answered.length + 1, 'at most the one that was on its way');
        refused(await ask('/new-game', {method: 'POST', json: {browser_id: id}}), 400, 'Browser id already in use!');
        assert.ok((await targets(id, kept.length % 2 ? 'h7' : 'h2')).length > 0);
    });

    test('a long game comes whole', async () => {
        const {id} = await newGame();
        const dance = ['g1f3', 'g8f6', 'f3g1', 'f6g8', 'b1c3', 'b8c6', 'c3b1', 'c6b8'];
        const pawns = ['a2a3', 'a7a6', 'b2b3', 'b7b6', 'c2c3', 'c7c6', 'd2d3', 'd7d6', 'e2e3', 'e7e6', 'f2f3', 'f7f6', 'g2g3', 'g7g6', 'h2h3', 'h7h6'];
        let count = 0;
        for (let i = 0; i < pawns.length; i += 2) {
            await play(id, [pawns[i], pawns[i + 1]].join(' '));
            count += 2;
            for (let round = 0; round < 3; round++) {
                const steps = dance.slice(0, i < 4 ? 4 : 8).filter(() => i !== 4 && i !== 10);
                if (i >= 4) break;
                await play(id, steps.join(' '));
                count += steps.length;
            }
        }
        const {moves, board} = await load(id);
        assert.deepEqual([moves.length, board.move_number], [count, count]);
        assert.deepEqual(moves.map(one => one.move_number), Array.from({length: count}, (_, i) => count - i));
    });

    test('many at once: each has its own game', async () => {
        const games = await Promise.all(Array.from({length: 40}, () => newGame()));
        await Promise.all(games.map(({id}, i) => play(id, ['e2e4', 'd2d4', 'c2c4', 'g1f3'][i % 4])));
        const loaded = await Promise.all(games.map(({id}) => load(id)));
        loaded.forEach(({moves}, i) => assert.deepEqual([moves.length, moves[0].to], [1, ['e4', 'd4', 'c4', 'f3'][i % 4]]));
        assert.equal(new Set(games.map(({game}) => game.id)).size, 40);
    });
});

describe('too many requests', () => {
    const limited = new Server(['--chess-mate', '/chess-mate', '--address-commands-per-second', '1', '--address-commands-burst', '50', '--trust-forwarded']);
    before(() => limited.start());
    after(() => limited.remove());
    // As a proxy on this machine passes it on.
    const from = (address, path = '/load-game', method = 'GET') =>
        fetch(`${limited.url}/chess-mate${path}`, {method, headers: {browser_id: 'nobody', ...(address && {'x-forwarded-for': address})}});

    // The refusal, once there is one; and how many were answered before.
    async function askTillRefused(address) {
        for (let answered = 0; answered < 200; answered++) {
            const answer = await from(address);
            if (answer.status === 429) return {answer, answered};
            assert.equal(answer.status, 400);
            await answer.arrayBuffer();
        }
        throw new Error('200 requests were answered');
    }

    // How often the other way to ask was answered before.
    async function gamesTillRefused(address) {
        for (let answered = 0; answered < 2000; answered++) {
            const answer = await fetch(`${limited.url}/api/v1/games`, {headers: {'x-forwarded-for': address}});
            await answer.arrayBuffer();
            if (answer.status === 429) return answered;
            assert.equal(answer.status, 200);
        }
        throw new Error('2000 requests were answered');
    }

    test('an address that has used up what it may ask for is told when to come again', async () => {
        const {answer, answered} = await askTillRefused('203.0.113.1');
        assert.ok(answered >= 3, `${answered} were answered`);
        assert.deepEqual(await answer.json(), {error: 'Too many requests.'});
        assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8');
        assert.equal(answer.headers.get('access-control-allow-origin'), '*');
        assert.equal(answer.headers.get('access-control-expose-headers'), 'Retry-After');
        const seconds = Number(answer.headers.get('retry-after'));
        assert.ok(seconds >= 1 && seconds <= 60, `in ${seconds} s`);
        assert.equal((await from('203.0.113.2')).status, 400, 'another address is not refused');
    });

    test('of IPv6 the first half is the address', async () => {
        await askTillRefused('2001:db8::1');
        assert.equal((await from('2001:db8::2')).status, 429);
        assert.equal((await from('2001:db8:0:1::1')).status, 400);
    });

    test('preflights are not counted, nor what comes from this machine; all else is one account', async () => {
        await askTillRefused('203.0.113.3');
        const began = Date.now();
        for (let i = 0; i < 20; i++) assert.equal((await from('203.0.113.3', '/load-game', 'OPTIONS')).status, 204);
        for (let i = 0; i < 80; i++) assert.equal((await from('', '/')).status, 200);
        const left = await gamesTillRefused('203.0.113.3');
        const earned = (Date.now() - began) / 1000;
        const whole = await gamesTillRefused('203.0.113.4');
        assert.ok(left < whole / 2 + earned, `${left} were answered, ${whole} to another address, in ${earned} s`);
    });
});
