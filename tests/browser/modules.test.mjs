// The page's modules that need no page: state, replica, geometry, the text of a definition, the delays.
import assert from 'node:assert/strict';
import {readdirSync, readFileSync} from 'node:fs';
import {test} from 'node:test';

const web = new URL('../../server/web/', import.meta.url);
const {applyPatch, canonicalText, fnv1a, hashState, reconnectDelay, Replica} = await import(new URL('senet.js', web));
const {areToldApart, arrange, cellAt} = await import(new URL('geometry.js', web));
const {CellSteps} = await import(new URL('cell_steps.js', web));
const {coordinates} = await import(new URL('coordinates.js', web));
const {fitDefinition} = await import(new URL('make/definition_text.js', web));
const {LastMoves} = await import(new URL('last_moves.js', web));
const {Turns} = await import(new URL('turns.js', web));

// The table of RFC 7396, appendix A.
const patches = [
    [{a: 'b'}, {a: 'c'}, {a: 'c'}],
    [{a: 'b'}, {b: 'c'}, {a: 'b', b: 'c'}],
    [{a: 'b'}, {a: null}, {}],
    [{a: 'b', b: 'c'}, {a: null}, {b: 'c'}],
    [{a: ['b']}, {a: 'c'}, {a: 'c'}],
    [{a: 'c'}, {a: ['b']}, {a: ['b']}],
    [{a: {b: 'c'}}, {a: {b: 'd', c: null}}, {a: {b: 'd'}}],
    [{a: [{b: 'c'}]}, {a: [1]}, {a: [1]}],
    [
        ['a', 'b'],
        ['c', 'd'],
        ['c', 'd'],
    ],
    [{a: 'b'}, ['c'], ['c']],
    [{a: 'foo'}, null, null],
    [{a: 'foo'}, 'bar', 'bar'],
    [{e: null}, {a: 1}, {e: null, a: 1}],
    [[1, 2], {a: 'b', c: null}, {a: 'b'}],
    [{}, {a: {bb: {ccc: null}}}, {a: {bb: {}}}],
];

for (const [target, patch, result] of patches) {
    test(`the patch ${JSON.stringify(patch)} makes ${JSON.stringify(result)} of ${JSON.stringify(target)}`, () => {
        const before = structuredClone(target);
        assert.deepEqual(applyPatch(target, patch), result);
        assert.deepEqual(target, before, 'the target is left as it was');
    });
}

test('a member called __proto__ is a member like any other', () => {
    const result = applyPatch({}, JSON.parse('{"__proto__":{"polluted":true}}'));
    assert.deepEqual(Object.keys(result), ['__proto__']);
    assert.equal({}.polluted, undefined);
});

for (const [text, hash] of [
    ['', 0x811c9dc5],
    ['a', 0xe40c292c],
    ['foobar', 0xbf9cf968],
    ['é', 0x1e9de8c1],
]) {
    test(`the FNV-1a of "${text}" is the known one`, () => assert.equal(fnv1a(text), hash));
}

test('JSON text is written without spaces and with sorted keys', () => {
    assert.equal(canonicalText({b: [1, {d: null, c: 'é"'}], a: true}), '{"a":true,"b":[1,{"c":"é\\"","d":null}]}');
});

test('a state’s hash is the one that the server’s own tests name', () => {
    assert.equal(
        hashState({cells: {}, seats: {}, state: 'start', move_number: 1, ply: 0, status: 'waiting'}),
        '66ff5039',
    );
});

test('a state’s hash is a sum: parts may come in any order, and each of them counts', () => {
    const pawn = {figure: 'pawn', player: 'white', moves_made: 0, last_move: 0};
    const state = {status: 'playing', cells: {e2: pawn, d2: pawn}, seats: {white: {name: 'Zoë'}}, ply: 3};
    const shuffled = {ply: 3, seats: state.seats, cells: {d2: pawn, e2: {...pawn, player: 'white'}}, status: 'playing'};
    assert.equal(hashState(state), hashState(shuffled));
    assert.notEqual(hashState(state), hashState({...state, cells: {e2: pawn, d3: pawn}}));
    assert.notEqual(hashState(state), hashState({...state, seats: {white: {name: 'Zoe'}}}));
});

function replicaAt(version) {
    const replica = new Replica('r');
    const state = {cells: {}, seats: {}, state: 's', status: 'playing'};
    assert.equal(
        replica.apply({type: 'snapshot', room: 'r', version, state, layout: {players: ['white', 'black']}}),
        'snapshot',
    );
    return replica;
}

function moved(replica, version, patch, hash = hashState(applyPatch(replica.state, patch))) {
    return {type: 'event', kind: 'moved', room: 'r', version, seat: 'white', move: {from: 'a', to: 'b'}, patch, hash};
}

test('an event that follows is applied, one that is known already is not', () => {
    const replica = replicaAt(4);
    assert.equal(replica.apply(moved(replica, 5, {ply: 1})), 'event');
    assert.equal(replica.state.ply, 1);
    assert.equal(replica.apply(moved(replica, 5, {ply: 2})), 'ignored');
    assert.equal(replica.moves.length, 1);
    assert.equal(replica.apply({...moved(replica, 6, {}), room: 'another'}), 'ignored');
});

test('an older snapshot is not news, unless the copy is lost or the server was set back', () => {
    const replica = replicaAt(4);
    const older = {type: 'snapshot', room: 'r', version: 3, state: {ply: 0}};
    assert.equal(replica.apply(older), 'ignored');
    assert.equal(replica.version, 4);
    assert.equal(replica.resumed({mode: 'snapshot', version: 3}, 2), false); // meanwhile something newer has come
    assert.equal(replica.resumed({mode: 'snapshot', version: 9}, 4), false);
    assert.equal(replica.apply(older), 'ignored');
    assert.equal(replica.resumed({mode: 'snapshot', version: 3}, 4), true);
    assert.equal(replica.apply(older), 'snapshot');
    assert.equal(replica.version, 3);
});

test('a gap or a wrong hash loses the copy, and only a snapshot mends it', () => {
    for (const spoiled of [
        replica => moved(replica, 6, {ply: 1}),
        replica => moved(replica, 5, {ply: 1}, '00000000'),
    ]) {
        const replica = replicaAt(4);
        assert.equal(replica.apply(spoiled(replica)), 'lost');
        assert.equal(replica.apply(moved(replica, 5, {ply: 1})), 'ignored');
        assert.equal(replica.version, 4);
        assert.equal(replica.apply({type: 'snapshot', room: 'r', version: 6, state: {seats: {}}}), 'snapshot');
        assert.equal(replica.lost, false);
    }
});

const made = (from, to) =>
    Array.from({length: to - from}, (_, i) => ({seat: 'white', move: {pass: true}, version: from + i + 2}));
const told = (from, to) => made(from, to).map((move, i) => ({...move, ply: from + i + 1, text: 'pass'}));

test('of a long game the last moves are here, and those before them are taken when they come', () => {
    const replica = replicaAt(4);
    const snapshot = {type: 'snapshot', room: 'r', version: 9, state: {ply: 500}, moves: made(300, 500), plies: 500};
    replica.apply(snapshot);
    assert.deepEqual([replica.plies, replica.movesFrom, replica.moves.length], [500, 300, 200]);
    replica.takeEarlier(told(50, 250)); // not what stands before
    assert.equal(replica.movesFrom, 300);
    replica.takeEarlier(told(100, 300));
    assert.deepEqual([replica.plies, replica.movesFrom], [500, 100]);
    assert.deepEqual(replica.moves, made(100, 500));
    replica.apply(moved(replica, 10, {ply: 501}));
    replica.apply({...snapshot, version: 12, moves: made(303, 503), plies: 503});
    assert.deepEqual([replica.plies, replica.movesFrom], [503, 100], 'what was known stays');
    replica.apply({...snapshot, version: 13, moves: made(600, 800), plies: 800});
    assert.deepEqual([replica.plies, replica.movesFrom], [800, 600], 'moves have been missed: they are asked for again');
    replica.takeEarlier(told(400, 600));
    replica.takeEarlier(told(0, 400));
    assert.deepEqual(replica.moves, made(0, 800));
    replica.lost = true;
    replica.apply({...snapshot, version: 3});
    assert.deepEqual([replica.plies, replica.movesFrom], [500, 300]);
});

test('moves that are taken back are gone, and it is known which stand', () => {
    const replica = replicaAt(4);
    replica.apply({type: 'snapshot', room: 'r', version: 9, state: {ply: 500}, moves: made(300, 500), plies: 500});
    replica.apply({...moved(replica, 10, {ply: 498}), kind: 'taken_back', ply: 498});
    assert.deepEqual([replica.plies, replica.movesFrom, replica.stand], [498, 300, 498]);
    assert.deepEqual(replica.moves, made(300, 498));
    replica.apply({...moved(replica, 11, {ply: 120}), kind: 'taken_back', ply: 120});
    assert.deepEqual([replica.plies, replica.movesFrom, replica.stand], [120, 120, 120]);
    replica.apply({type: 'snapshot', room: 'r', version: 20, state: {ply: 3}, moves: made(0, 3), plies: 3});
    const anew = [...made(0, 2), {...made(2, 3)[0], version: 24}, ...made(30, 31)];
    replica.apply({type: 'snapshot', room: 'r', version: 26, state: {ply: 4}, moves: anew, plies: 4});
    assert.deepEqual([replica.plies, replica.stand], [4, 2], 'the third was taken back and played anew meanwhile');
});

test('legal moves that did not fit into the event are added, as long as it is the same position', () => {
    const replica = replicaAt(4);
    const move = n => ({from: 'a', to: `b${n}`});
    replica.apply({...moved(replica, 5, {ply: 1}), legal_moves: [move(1), move(2)], legal_moves_count: 5});
    replica.takeLegalMoves({version: 4, skip: 2, moves: [move(9)]});
    replica.takeLegalMoves({version: 5, skip: 1, moves: [move(9)]});
    assert.equal(replica.legalMoves.length, 2);
    replica.takeLegalMoves({version: 5, skip: 2, moves: [move(3), move(4)]});
    assert.deepEqual([replica.legalMoves.length, replica.legalMovesCount], [4, 5]);
    replica.apply(moved(replica, 6, {ply: 2}));
    assert.deepEqual([replica.legalMoves.length, replica.legalMovesCount], [0, 0]);
});

test('seats are read from the state', () => {
    const replica = replicaAt(1);
    const hold = {seats: {black: {as: 'human', name: 'Ada', player: 'p_1'}}};
    replica.apply(moved(replica, 2, hold));
    assert.deepEqual(replica.seatsOf('p_1'), ['black']);
    assert.deepEqual(replica.freeSeats, ['white']);
});

const squares = {
    shapes: [
        [
            [0, 0],
            [1, 0],
            [1, 1],
            [0, 1],
        ],
    ],
    cells: ['a2', 'b2', 'a1', 'b1'].map((name, i) => ({name, shape: 0, x: i % 2, y: Math.floor(i / 2)})),
};
const hexagons = {
    shapes: [
        [
            [0.25, 0],
            [0.75, 0],
            [1, 0.433],
            [0.75, 0.866],
            [0.25, 0.866],
            [0, 0.433],
        ],
    ],
    cells: [
        {name: 'p', shape: 0, x: 0, y: 0},
        {name: 'q', shape: 0, x: 0.75, y: 0.433},
    ],
};

test('a board turned by half a circle has its far corner near', () => {
    const {cells, box} = arrange(squares, 180);
    const [a2] = cells;
    assert.ok(Math.abs(a2.x - box.x - 1.5) < 1e-9 && Math.abs(a2.y - box.y - 1.5) < 1e-9);
    assert.ok(Math.abs(a2.radius - 0.5) < 1e-9);
});

test('a point belongs to the cell it lies in, on hexagons too', () => {
    const board = arrange(hexagons, 0);
    assert.equal(cellAt(board, 0.5, 0.4).name, 'p');
    assert.equal(cellAt(board, 1.2, 0.9).name, 'q');
    assert.equal(cellAt(board, 0.02, 0.02), undefined);
    assert.ok(Math.abs(board.cells[0].radius - 0.433) < 0.001);
});

test('the arrow keys go to the neighbour that one sees there', () => {
    const board = arrange(squares, 180);
    const steps = new CellSteps(board);
    const a1 = board.cells.find(cell => cell.name === 'a1');
    assert.equal(steps.step(a1, -1, 0).name, 'b1');
    assert.equal(steps.step(a1, 0, 1).name, 'a2');
    assert.equal(steps.step(a1, 1, 0), null);
});

test('names stand on the outer cells of a board of squares, and where they make no lines in every cell', () => {
    const names = (layout, angle) => {
        const board = arrange(layout, angle);
        return coordinates(board, new CellSteps(board))
            .map(({text, anchor, on}) => `${on.name} ${anchor} ${text}`)
            .sort();
    };
    assert.deepEqual(names(squares, 0), ['a1 start a', 'b1 end 1', 'b1 start b', 'b2 end 2']);
    assert.deepEqual(names(squares, 180), ['a1 end 1', 'a2 end 2', 'a2 start a', 'b2 start b']);
    assert.deepEqual(names(squares, 90), ['a2 end a', 'b1 start 1', 'b2 end b', 'b2 start 2']);
    assert.deepEqual(names(hexagons, 0), ['p middle p', 'q middle q']);
});

test('names are no larger on a board of few cells than they are on one of five columns', () => {
    const square = side => ({...squares, cells: Array.from({length: side * side}, (_, i) => ({name: `${'abcdefgh'[i % side]}${Math.floor(i / side) + 1}`, x: i % side, y: side - 1 - Math.floor(i / side), shape: 0}))});
    const sizes = side => {
        const board = arrange(square(side), 0);
        return [...new Set(coordinates(board, new CellSteps(board)).map(({size}) => (size / side).toFixed(3)))];
    };
    assert.deepEqual([2, 3, 8].map(sizes), [['0.045'], ['0.045'], ['0.022']]);
});

test('squares of a checkerboard are told apart by their colours, others need lines', () => {
    const painted = fills => arrange({...squares, cells: squares.cells.map((cell, i) => ({...cell, fill: fills[i]}))}, 90).cells;
    const dark = squares.cells.map(({x, y}) => ((x + y) % 2 ? 'wheat' : 'peru'));
    assert.equal(areToldApart(painted(dark)), true);
    assert.equal(areToldApart(painted(dark.map(() => 'grey'))), false);
});

test('a definition is sent without its indentation, and its diagnostics are put back in place', () => {
    const text = '{\n    "name": "x",\n        "cell": 1\n}';
    const {definition, locate} = fitDefinition(text, 16384);
    assert.equal(definition, '{\n"name": "x",\n"cell": 1\n}');
    assert.deepEqual(locate({line: 3, column: 1}), {line: 3, column: 9});
});

test('what does not fit a frame as text goes as a value, and what does not fit at all is said', () => {
    const text = JSON.stringify({name: 'x', cells: Array(200).fill('a')}, null, 4);
    assert.equal(typeof fitDefinition(text, 1200).definition, 'object');
    assert.match(fitDefinition(text, 500).problem, /too large/);
    assert.match(fitDefinition('', 500).problem, /nothing here/);
    assert.match(fitDefinition('{'.repeat(600), 500).problem, /not JSON/);
});

test('what a game is called in other languages is left out where it does not fit', () => {
    const rules = {name: 'x', cells: Array(200).fill('a')};
    const text = JSON.stringify({...rules, translations: {de: {x: 'y'.repeat(1000)}}});
    assert.deepEqual(JSON.parse(JSON.stringify(fitDefinition(text, 1200).definition)), rules);
    assert.ok(fitDefinition(text, 4000).definition.includes('translations'));
});

const games = new URL('../../games/', import.meta.url);
const gameTexts = readdirSync(games)
    .filter(name => name.endsWith('.json'))
    .map(name => ({name, text: readFileSync(new URL(name, games), 'utf8')}));

test('every game of the server can be checked by the server', () => {
    assert.ok(gameTexts.length >= 20);
    for (const {name, text} of gameTexts) assert.equal(fitDefinition(text, 16384).problem, undefined, name);
});

test('every game of the server is described in every language that is complete', () => {
    for (const {name, text} of gameTexts) {
        const {description, translations} = JSON.parse(text);
        assert.ok(description, name);
        for (const language of ['de', 'es']) assert.ok(translations?.[language]?.[description], `${name}: ${language}`);
    }
});

test('the first reconnection comes within a second, later ones spread over half a minute', () => {
    assert.ok(reconnectDelay(0, () => 1) <= 1000);
    assert.equal(
        reconnectDelay(3, () => 0),
        0,
    );
    assert.equal(
        reconnectDelay(3, () => 0.5),
        2000,
    );
    assert.equal(
        reconnectDelay(20, () => 1),
        30_000,
    );
});

const LATER = ['absence.js', 'ask_seek.js', 'clock_form.js', 'link_dialog.js', 'other_device.js', 'ply_link.js', 'rematch_dialog.js', 'piece_sets.js', 'ring.js', 'save_dialog.js', 'settings_dialog.js', 'chess_mate_file.js', 'hint.js', 'how_to_play.js', 'published_list.js', 'rule_sentences.js', 'sounds.js', 'waiting_games.js']; // loaded when somebody asks for them

test('the page asks for all of its modules at once, and for none that is not there', () => {
    const page = readFileSync(new URL('index.html', web), 'utf8');
    const asked = [...page.matchAll(/(?:src|rel="modulepreload" href)="\{\{files\}\}\/([a-z_]+\.js)"/g)].map(([, name]) => name);
    assert.deepEqual(
        asked.sort(),
        readdirSync(web)
            .filter(name => name.endsWith('.js') && !LATER.includes(name))
            .sort(),
    );
});

test('no module writes markup', () => {
    for (const name of readdirSync(web).filter(file => file.endsWith('.js'))) {
        const text = readFileSync(new URL(name, web), 'utf8');
        assert.doesNotMatch(text, /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function/, name);
    }
});

test('whose turn it is is asked of rooms of which it is not said, once each and one after the other', async () => {
    const toMove = {asked: 'black', over: undefined, mine: 'white'}, asked = [];
    let under = 0;
    const request = async ({room, ply}) => {
        assert.equal(++under, 1);
        await null;
        under--;
        if (ply === undefined) return asked.push(room), {plies: 7};
        assert.equal(ply, 7);
        if (room === 'gone') throw new Error('unknown_room');
        return {state: {to_move: toMove[room]}};
    };
    const row = (room, rest) => ({room, status: 'playing', yours: ['white'], ...rest});
    const rows = [row('said', {to_move: 'black'}), row('asked'), row('gone'), row('waits', {status: 'waiting'}), row('over'), row('mine')];
    await new Promise(done => {
        let known = 0;
        const turns = new Turns({request, onTurn: () => {
            turns.want(rows);
            if (++known === 3) done();
        }});
        turns.want(rows);
        assert.equal(turns.of(rows[1]), undefined);
        rows.turns = turns;
    });
    assert.deepEqual(asked, ['asked', 'gone', 'over', 'mine']);
    assert.deepEqual(rows.map(one => rows.turns.of(one)), ['black', 'black', undefined, undefined, undefined, 'mine']);
    assert.equal(rows.turns.of(row('said', {to_move: 'white'})), 'mine');
});

test('a typed move is one of the legal ones, however it is written', async () => {
    const {findMoves} = await import(new URL('move_box.js', web));
    const cells = {e2: {figure: 'pawn'}, g1: {figure: 'knight'}, b1: {figure: 'knight'}, a7: {figure: 'pawn'}, '1_2': {figure: 'man'}};
    const moves = [
        {from: 'e2', to: 'e4'}, {from: 'g1', to: 'f3'}, {from: 'g1', to: 'd2'}, {from: 'b1', to: 'd2'},
        {from: 'a7', to: 'a8', choice: 'queen'}, {from: 'a7', to: 'a8', choice: 'rook'}, {from: '1_2', to: '1_3'}, {pass: true},
    ];
    const find = text => findMoves(text, moves, cells).map(move => moves.indexOf(move)).join(' ');
    for (const text of ['e2e4', 'E2-E4', 'e2 e4', 'e2xe4', 'e4', 'pawn e4']) assert.equal(find(text), '0', text);
    assert.equal(find('knight f3'), '1');
    assert.equal(find('knight d2'), '2 3');
    assert.equal(find('a7a8'), '4 5');
    for (const text of ['a7a8q', 'a8=Q', 'a7-a8=queen', 'pawn a8 queen']) assert.equal(find(text), '4', text);
    assert.equal(find('1_2-1_3'), '6');
    assert.equal(find('pass'), '7');
    for (const text of ['', 'e5', 'knight', 'e']) assert.equal(find(text), '', text);
});

test('what was taken is what is missing; what has become something else was not', async () => {
    const {missing} = await import(new URL('captured.js', web));
    const start = {white: {king: 1, queen: 1, rook: 2, pawn: 8}, black: {king: 1, pawn: 2}};
    assert.deepEqual(missing(start, {white: {king: 1, queen: 1, rook: 1, pawn: 6}, black: {king: 1, pawn: 2}}), {white: ['rook', 'pawn', 'pawn'], black: []});
    assert.deepEqual(missing(start, {white: {king: 1, queen: 2, rook: 2, pawn: 6}, black: {king: 1}}), {white: ['pawn'], black: ['pawn', 'pawn']});
    assert.deepEqual(missing(start, {white: start.white}), {white: [], black: ['king', 'pawn', 'pawn']});
});

test('of a figure that waits for its turn it is known where it could go in the last one, as long as it is the same figure', () => {
    const [king, rook, pawn] = ['king', 'rook', 'pawn'].map(figure => ({figure, player: 'white'}));
    const enemy = {figure: 'rook', player: 'black'};
    const last = new LastMoves();
    const learn = (plies, mover, cells, legalMoves) => last.learn({plies, state: {to_move: 'white', cells}, moves: mover ? [{seat: mover}] : [], legalMoves});
    const from = (cell, ...targets) => targets.map(to => ({from: cell, to}));
    assert.deepEqual(last.reach({a1: king}, 'a1'), {});
    learn(0, null, {a1: king, b1: rook, c4: enemy}, [...from('a1', 'a2'), ...from('b1', 'b2', 'c1'), {pass: true}, {to: 'd4', choice: 'pawn'}]);
    learn(0, null, {a1: king, b1: rook, c4: enemy}, [...from('a1', 'a2', 'b2'), ...from('b1', 'b2', 'c1')]); // the others of the same position
    assert.deepEqual(last.reach({a1: king, b2: rook}, 'a1'), {a2: true, b2: false});
    assert.deepEqual(last.reach({a1: king, b2: rook}, 'b2'), {});
    assert.deepEqual(last.reach({a1: pawn}, 'a1'), {});
    learn(1, 'white', {a1: king, b2: rook, c4: enemy}, from('b2', 'b3')); // its turn goes on
    assert.deepEqual(last.reach({a1: king, b2: rook}, 'a1'), {a2: true, b2: false});
    assert.deepEqual(last.reach({a1: king, b2: rook}, 'b2'), {b3: true});
    assert.deepEqual(last.reach({c4: enemy}, 'c4'), {}, 'of others nothing is known');
    learn(2, 'black', {a1: king, b3: rook}, []);
    assert.deepEqual(last.reach({a1: king}, 'a1'), {a2: true, b2: true}, 'it is not their turn');
    learn(3, 'black', {a1: king, b3: rook}, from('b3', 'b4'));
    assert.deepEqual(last.reach({a1: king, b3: rook}, 'a1'), {}, 'a new turn');
    learn(5, 'black', {a1: king}, [...from('a1', 'a2'), {to: 'c3', choice: 'pawn'}, {to: 'c4', choice: 'pawn'}, {to: 'c5', choice: 'rook'}]);
    assert.deepEqual(last.reachFromHand({a1: king, c4: enemy}, 'white', 'pawn'), {c3: true, c4: false});
    assert.deepEqual(last.reachFromHand({a1: king}, 'white', 'queen'), {});
    assert.deepEqual(last.reachFromHand({a1: king}, 'black', 'pawn'), {});
});

test('whether a seat puts figures or moves them is told by its last turn, the moves that were made, and the start', () => {
    const empty = {figures: ['stone'], start: {white: {}, black: {}}}, full = {figures: ['stone'], start: {white: {stone: 2}}};
    const waysOf = (legalMoves, made, layout) => {
        const last = new LastMoves();
        last.learn({plies: 0, state: {to_move: 'white', cells: {}}, moves: [], legalMoves});
        return Object.entries(last.waysOf('white', {moves: made.map(move => ({move})), layout})).flatMap(([way, is]) => (is ? [way] : [])).join(' ');
    };
    assert.equal(waysOf([], [], empty), 'puts');
    assert.equal(waysOf([], [], full), 'moves');
    assert.equal(waysOf([], [], {...empty, figures: ['pawn', 'knight']}), 'moves', 'of several kinds one is chosen');
    assert.equal(waysOf([], [{to: 'a1'}, {swap: true}], full), 'puts');
    assert.equal(waysOf([], [{from: 'a1', to: 'a2'}, {to: 'b1', choice: 'pawn'}], empty), 'moves');
    assert.equal(waysOf([{to: 'a1'}, {pass: true}], [{from: 'a1', to: 'a2'}], full), 'puts');
    assert.equal(waysOf([{to: 'a1'}, {from: 'b1', to: 'b2'}], [], full), 'puts moves');
    assert.equal(waysOf([{pass: true}], [{to: 'a1'}], full), 'puts', 'who had to pass has shown nothing');
});
