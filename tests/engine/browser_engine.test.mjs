// The engine of the browser and the native one are the same C: the same lines, the same answers, byte for byte. What the
// lines are is found out with the browser's engine (which moves there are, which one is made); then both are asked all of them.
//
// SENET_PROGRAM=build/release/senet node --test tests/engine/browser_engine.test.mjs; build/browser/engine.wasm is there.
import assert from 'node:assert/strict';
import {execFile} from 'node:child_process';
import {existsSync, readFileSync, readdirSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {test} from 'node:test';
import {fileURLToPath} from 'node:url';
import {gunzipSync} from 'node:zlib';
import {openEngine} from '../../server/web/engine/lines.js';
import {wholeGame} from '../support/games.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const program = process.env.SENET_PROGRAM ?? join(root, 'build/release/senet');
const data = join(process.env.SENET_SHARED ?? join(root, '..', 'shared'), 'data');
const module = new WebAssembly.Module(readFileSync(join(root, 'build/browser/engine.wasm')));

const read = path => (path.startsWith('games/') ? wholeGame(path.slice('games/'.length, -'.json'.length)) : readFileSync(join(root, path), 'utf8'));
const games = readdirSync(join(root, 'games')).filter(name => name.endsWith('.json')).map(name => `games/${name}`);

// Remembers what is asked, so that the other engine can be asked the same.
class Conversation {
    #engine = openEngine(module);
    lines = [];
    answers = [];

    ask(request) {
        const line = typeof request === 'string' ? request : JSON.stringify(request);
        const answer = this.#engine.answer(line);
        this.lines.push(line);
        this.answers.push(answer);
        return JSON.parse(answer);
    }
}

function native(lines) {
    return new Promise((resolve, reject) => {
        const child = execFile(program, ['engine'], {cwd: root, maxBuffer: 2 ** 30}, (error, out) =>
            error ? reject(error) : resolve(out.split('\n').slice(0, -1)),
        );
        child.stdin.end(lines.join('\n') + '\n');
    });
}

async function assertSame({lines, answers}, what) {
    const others = await native(lines);
    for (let i = 0; i < lines.length; i++)
        if (answers[i] !== others[i])
            assert.equal(answers[i], others[i], `${what}: ${lines[i].slice(0, 200)}`);
    assert.equal(others.length, lines.length);
    return lines.length;
}

function* pointersOf(value, at = '') {
    yield at;
    if (value === null || typeof value !== 'object') return;
    for (const [key, member] of Object.entries(value))
        yield* pointersOf(member, `${at}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`);
}

// Every one of `list`, or so many of them at even distances.
const some = (list, most) => list.filter((_, i) => Math.floor((i * most) / list.length) !== Math.floor(((i - 1) * most) / list.length) || list.length <= most);

// Every word of the formats once, and the games.
const files = [...games, ...['sound', 'modern', 'notation'].map(name => `tests/engine/broken/${name}.json`), 'tests/engine/version_0/chess.json'];

// The same cells asked for by themselves lie where they lie on the board.
function assertDrawnAlike(talk, layout, coordinates, {cell, board}) {
    const places = answer => answer.layout.cells.map(({x, y}, i) => [answer.coordinates[i].join(), x, y].join(' ')).sort();
    const own = places({layout, coordinates});
    assert.equal(new Set(own).size, layout.cells.length);
    assert.deepEqual(places(talk.ask({do: 'layout', cells: board.cells})), own);
    const listed = coordinates.map(numbers => Object.fromEntries(cell.coordinates_names.map((name, i) => [name, numbers[i]])));
    assert.deepEqual(places(talk.ask({do: 'layout', cells: listed})), own);
}

test('every game: what it is, looks like and says of itself', async () => {
    let asked = 0;
    for (const file of files) {
        const text = read(file), talk = new Conversation();
        assert.equal(talk.ask({do: 'check', text}).sound, true, file);
        const {game} = talk.ask({do: 'game', text});
        assert.equal(game.name.length > 0, true);
        const {layout, coordinates} = talk.ask({do: 'layout'});
        const cells = layout.cells.map(cell => cell.name);
        assertDrawnAlike(talk, layout, coordinates, JSON.parse(text));
        for (const request of [{do: 'moves', explain: true, algebraic: true}, {do: 'tests'}, {do: 'outcome'}, {do: 'fen'}, {do: 'random', games: 5}])
            talk.ask(request);
        for (const from of some(cells, 12)) for (const ahead of [false, true]) talk.ask({do: 'targets', from, ahead});
        for (const ahead of layout.players) talk.ask({do: 'moves', ahead});
        for (const put of some(layout.figures, 4)) talk.ask({do: 'targets', put});
        for (const pointer of some([...pointersOf(JSON.parse(text))].filter(pointer => !pointer.startsWith('/tests')), 60)) talk.ask({do: 'cells', pointer});
        asked += await assertSame(talk, file);
    }
    assert.ok(asked > 1200, `${asked}`);
});

// What is not asked rightly, and what may not be asked there.
const REFUSED = [
    [{do: 'game'}, 'bad_request'], [{do: 'game', text: 1}, 'bad_request'], [{do: 'game', text: '{}', players: 9}, 'bad_request'],
    [{do: 'game', text: ''}, 'bad_game'], [{do: 'check'}, 'bad_request'],
    [{do: 'moves', from: 'z9'}, 'unknown_cell'], [{do: 'moves', ahead: 'nobody'}, 'bad_request'], [{do: 'targets'}, 'unknown_cell'], [{do: 'targets', from: {x: 1}}, 'unknown_cell'], [{do: 'targets', put: 'dragon'}, 'unknown_choice'],
    [{do: 'layout', cells: []}, 'bad_request'], [{do: 'layout', cells: 'a1'}, 'bad_request'], [{do: 'layout', cells: [{x: 1}]}, 'bad_request'],
    [{do: 'layout', cells: null}, 'bad_request'], [{do: 'layout', cells: {box: {x: 1e9, y: 1}}}, 'bad_request'],
    [{do: 'cells'}, 'bad_request'], [{do: 'cells', pointer: 'zones'}, 'bad_request'], [{do: 'cells', pointer: '/x'.repeat(300)}, 'bad_request'],
    [{do: 'cells', pointer: '/zones/last', from: 'z9'}, 'unknown_cell'],
    [{do: 'choose'}, 'bad_request'], [{do: 'choose', seed: -1}, 'bad_request'], [{do: 'choose', seed: 2 ** 53}, 'bad_request'],
    [{do: 'random'}, 'bad_request'], [{do: 'random', games: 0}, 'bad_request'], [{do: 'random', games: 1001}, 'bad_request'],
    [{do: 'random', games: 1, first: -1}, 'bad_request'],
];
const SPEAK_OF_NOTHING = ['', '/', '//', '/title', '/zones', '/zones/none', '/directions/none', '/board/cells/7', '/board/cells/0/box', '/initial_position/each/pawn/99',
    '/initial_position/nobody/pawn', '/figures/dragon', '/results/99', '/~', '/zones/~2', `/${'a/'.repeat(40)}`, '/figures/pawn/movement/-1'];

test('what is asked wrongly is refused, and changes nothing', async () => {
    const talk = new Conversation();
    for (const request of ['state', 'layout', 'tests', 'cells', 'random', 'choose', 'targets'])
        assert.equal(talk.ask({do: request}).error.code, 'no_game', request);
    const {state} = talk.ask({do: 'game', text: read('games/chess.json')});
    for (const [request, code] of REFUSED) assert.equal(talk.ask(request).error?.code, code, JSON.stringify(request).slice(0, 100));
    for (const pointer of SPEAK_OF_NOTHING) talk.ask({do: 'cells', pointer});
    assert.deepEqual(talk.ask({do: 'state'}).state, state);
    await assertSame(talk, 'refusals');
});

test('rule to board, and board to rule', () => {
    const talk = new Conversation();
    const cells = (pointer, role, player, from) =>
        talk.ask({do: 'cells', pointer, from}).cells.sets.find(set => set.role === role && set.player === player)?.cells;
    talk.ask({do: 'game', text: read('games/chess.json')});
    assert.deepEqual(cells('/figures/pawn/movement/1', 'to', 'white', 'e2'), ['e4']);
    assert.deepEqual(cells('/figures/king', 'reach', 'black'), ['c8', 'd7', 'd8', 'e7', 'f7', 'f8', 'g8']);
    assert.deepEqual(cells('/figures/queen/movement/1', 'reach', 'white'), ['a4', 'b3', 'c2', 'e2', 'f3', 'g4', 'h5'], 'by the name of a bishop\'s movements');
    assert.deepEqual(cells('/figures/rook', 'from', 'white'), ['a1', 'h1']);
    assert.equal(talk.ask({do: 'cells', pointer: '/figures/pawn/promote/to/1'}).cells.kind, 'promotion', 'a rook there is no movement');
    assert.deepEqual(cells('/combined_movements/1', 'reach', 'black'), ['c8']);
    assert.deepEqual(cells('/initial_position/each/rook/1', 'placed', 'black'), ['h8']);
    talk.ask({do: 'load', position: '4r2k/8/8/8/8/8/4N3/4K3 w - - 0 1'});
    const pinned = talk.ask({do: 'targets', from: 'e2'}).targets.d4;
    assert.equal(pinned.verdict, 'forbidden');
    assert.match(pinned.words, /king on e1 attacked by the rook on e8/);
    assert.deepEqual(pinned.pointers.slice(0, 1), ['/forbid/0']);
    assert.equal(cells('/figures/knight/movement/0', 'to', 'white'), undefined, 'a pinned knight goes nowhere');
    talk.ask({do: 'load', position: '4r2k/8/8/8/8/8/8/4K3 w - - 0 1'});
    assert.deepEqual(cells('/forbid/0', 'attacked', 'white'), ['e1']);
    assert.deepEqual(cells('/forbid/0', 'attacker', 'white'), ['e8']);
    talk.ask({do: 'game', text: read('tests/engine/broken/modern.json')});
    assert.deepEqual(['white', 'black'].map(player => cells('/directions/forward', 'reach', player, 'b2')), [['b3'], ['b1']]);
    assert.deepEqual(['white', 'black', 'red'].map(player => cells('/directions/side', 'reach', player, 'b2')), [['c2'], ['a2'], ['b3']]);
    assert.deepEqual(cells('/board/cells/1', 'board'), ['a1']);
    assert.equal(cells('/board/cells/0', 'board').length, 23);
});

// Rows of tests/engine/broken: what is behind `-` becomes what is behind `+`, or the whole is what is behind `*`.
function brokenTexts(table, sound) {
    return read(table).split('\n= ').slice(1).map(row => {
        let text = sound, old = '', wanted = false;
        for (const line of row.split('\n')) {
            if (line.startsWith('- ')) [old, wanted] = [line.slice(2), true];
            else if (line.startsWith('+ ') && wanted) text = text.replace(old, () => line.slice(2));
            else if (line.startsWith('* ')) text = line.slice(2);
        }
        return text;
    });
}

test('every broken file: the same mistakes at the same places', async () => {
    const talk = new Conversation();
    let findings = 0;
    for (const [table, sound] of [['table', 'sound'], ['modern', 'modern'], ['notation', 'notation']])
        for (const text of brokenTexts(`tests/engine/broken/${table}.txt`, read(`tests/engine/broken/${sound}.json`)))
            findings += talk.ask({do: 'check', text}).findings.length;
    assert.ok(findings > 300, `${findings} findings`);
    await assertSame(talk, 'broken files');
});

test('ten thousand random positions of all games', async () => {
    const each = Math.ceil(10_000 / games.length);
    let positions = 0;
    for (const [number, file] of games.entries()) {
        const talk = new Conversation();
        let {state} = talk.ask({do: 'game', text: read(file), short: true});
        for (let i = 0, seed = number; i < each; i++, positions++) {
            if (state.status === 'finished') ({state} = talk.ask({do: 'new', short: true}));
            const chosen = talk.ask({do: 'choose', seed});
            ({seed} = chosen);
            ({state} = talk.ask({do: 'move', move: chosen.move, short: i % 16 !== 0}));
            talk.ask({do: 'moves'});
        }
        await assertSame(talk, file);
    }
    assert.ok(positions >= 10_000, `${positions}`);
});

// The first games of each file, move by move.
const RECORDED_MOVES = 3000;
const traces = {checkers: 'checkers', chess: 'chess', intellector_if: 'intellector'};

test('recorded games of the original program', {skip: !existsSync(data) && `${data} is not there`}, async () => {
    for (const [trace, game] of Object.entries(traces)) {
        const talk = new Conversation();
        const text = readFileSync(join(data, 'original-games', `${game}.json`), 'utf8');
        const rows = gunzipSync(readFileSync(join(data, 'original-traces', `${trace}.jsonl.gz`))).toString('utf8').split('\n');
        let names = [], moves = 0;
        assert.equal(talk.ask({do: 'game', text}).error, undefined);
        for (const row of rows) {
            if (moves === RECORDED_MOVES || row === '') break;
            const {t, chosen, ...rest} = JSON.parse(row);
            if (t === 'start') {
                names = rest.names;
                talk.ask({do: 'new'});
            } else if (t === 'ply' && chosen) {
                const [from, to] = chosen.map(cell => Object.fromEntries(names.map((name, i) => [name, cell[i]])));
                assert.equal(talk.ask({do: 'moves'}).moves.length, rest.moves.length);
                assert.equal(talk.ask({do: 'move', move: {from, to}}).error, undefined);
                moves++;
            }
        }
        assert.ok(moves > 100, `${moves} moves of ${trace}`);
        await assertSame(talk, trace);
    }
});

test('memory has an end, and then the engine says so', () => {
    const ends = [];
    const none = () => 0;
    const system = {clock_time_get: none, fd_close: none, fd_seek: none, fd_write: none, proc_exit: status => {
        ends.push(status);
        throw new Error('ended');
    }};
    const {exports} = new WebAssembly.Instance(module, {wasi_snapshot_preview1: system});
    exports._initialize();
    assert.throws(() => {
        for (let i = 0; i < 1000; i++) exports.browser_room(4 * 1024 * 1024);
    }, /ended/);
    assert.deepEqual(ends, [71]); // MEMORY_EXIT
    assert.ok(exports.memory.buffer.byteLength <= 128 * 1024 * 1024);
});

const NODES_MAX = 300_000;

test('a file over another one, which comes with the question', async () => {
    const talk = new Conversation(), file = name => readFileSync(join(root, `games/${name}.json`), 'utf8');
    const bases = {chess: file('chess'), knightmate: file('knightmate')};
    const text = '{"extends": "knightmate",\n "name": "slow",\n "figures": {"man": {"movement": ["rok"]}}, "tests": null}';
    const {error, findings} = talk.ask({do: 'game', text, bases});
    assert.equal(error.code, 'bad_game');
    assert.deepEqual(findings.map(({line, column, pointer, hint}) => [line, column, pointer, hint]), [[3, 35, '/figures/man/movement/0', 'did you mean `rook`?']]);
    const {findings: unknown} = talk.ask({do: 'check', text});
    assert.deepEqual(unknown.map(({line, column, message}) => [line, column, message]), [[1, 13, 'there is no game `knightmate` here that could be extended']]);
    const {game, state} = talk.ask({do: 'game', text: text.replace('rok', 'rook'), bases});
    assert.deepEqual([game.name, game.figures, state.cells.b1.figure], ['slow', ['king', 'queen', 'rook', 'bishop', 'pawn', 'man'], 'man']);
    talk.ask({do: 'cells', pointer: '/zones/last'});
    talk.ask({do: 'tests'});
    for (const wrong of [1, null, [], {knightmate: 7}]) assert.equal(talk.ask({do: 'check', text, bases: wrong}).sound, false);
    await assertSame(talk, 'bases');
});

test('golden numbers', () => {
    const engine = openEngine(module);
    let loaded = '', counted = 0;
    for (const line of read('tests/engine/perft_games.txt').split('\n')) {
        if (line === '' || line.startsWith('#')) continue;
        const [file, position, numbers] = line.split('\t');
        const ask = request => JSON.parse(engine.answer(JSON.stringify(request)));
        if (file !== loaded) assert.equal(ask({do: 'game', text: read(file), short: true}).error, undefined, file);
        loaded = file;
        assert.equal(ask(position === 'start' ? {do: 'new', short: true} : {do: 'load', position, short: true}).error, undefined, line);
        for (const [i, nodes] of numbers.split(' ').map(Number).entries()) {
            if (nodes > NODES_MAX) break;
            assert.equal(ask({do: 'perft', depth: i + 1}).nodes, nodes, `${line} at ${i + 1}`);
            counted++;
        }
    }
    assert.ok(counted > 200, `${counted}`);
});

test('the examples of the page that describes the lines', async () => {
    const text = read('server/cli/README.md');
    const examples = [...text.matchAll(/^    > (\{.*\})\n    < (.*)$/gm)];
    assert.ok(examples.length >= 8, `${examples.length} examples`);
    const talk = new Conversation();
    talk.ask({do: 'game', text: read('games/chess.json')});
    for (const [, request, answer] of examples) {
        talk.ask(request);
        const said = talk.answers.at(-1);
        if (answer.endsWith('…')) assert.ok(said.startsWith(answer.slice(0, -1)), `${request}\n${said}`);
        else assert.equal(said, answer, request);
    }
    await assertSame(talk, 'examples');
});
