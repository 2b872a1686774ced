// Boards of all games as the server tells them: walking over them by keys, lines, names, pictures.
import assert from 'node:assert/strict';
import {after, before, test} from 'node:test';
import {Client} from '../support/client.mjs';
import {Server} from '../support/server.mjs';
import {playMoves, setTable} from '../support/table.mjs';

const web = new URL('../../server/web/', import.meta.url);
const {arrange} = await import(new URL('geometry.js', web));
const {CellSteps} = await import(new URL('cell_steps.js', web));
const {coordinates} = await import(new URL('coordinates.js', web));

const KEYS = {up: [0, -1], down: [0, 1], left: [-1, 0], right: [1, 0]};
const server = new Server();
const layouts = new Map();

before(async () => {
    await server.start();
    const client = await Client.open(server);
    const {games} = await client.done({type: 'games'});
    for (const {id} of games) {
        const {room} = await client.done({type: 'create', game: id, visibility: 'private'});
        await client.done({type: 'join', room, seat: 'spectator'});
        layouts.set(id, (await client.next({type: 'snapshot', room})).layout);
        await client.done({type: 'leave', room});
    }
    await client.end();
});
after(() => server.remove());

function reached(board, steps) {
    const seen = new Set([board.cells[0]]);
    for (const cell of seen) for (const [dx, dy] of Object.values(KEYS)) seen.add(steps(cell, dx, dy) ?? cell);
    return seen.size;
}

test('every cell of every game is reached by the four arrows, however the board is turned', () => {
    assert.ok(layouts.size >= 20);
    for (const [game, layout] of layouts)
        for (const angle of new Set(Object.values(layout.rotation))) {
            const board = arrange(layout, angle);
            const found = reached(board, (cell, dx, dy) => new CellSteps(board).step(cell, dx, dy));
            assert.equal(found, board.cells.length, `${game}, turned by ${angle}`);
        }
});

const middles = ({points}) => points.map(([x, y], i) => [(x + points[(i + 1) % points.length][0]) / 2, (y + points[(i + 1) % points.length][1]) / 2]);
const shareAnEdge = (cell, other) => middles(cell).some(([x, y]) => middles(other).some(([otherX, otherY]) => Math.hypot(x - otherX, y - otherY) < cell.radius / 4));

test('what an arrow has done its opposite undoes, up to the edge', () => {
    for (const [game, layout] of layouts) {
        const board = arrange(layout, 0);
        const steps = new CellSteps(board);
        for (const [there, back] of [['up', 'down'], ['down', 'up'], ['left', 'right'], ['right', 'left']])
            for (const cell of board.cells) {
                const next = steps.step(cell, ...KEYS[there]);
                if (next && shareAnEdge(cell, next)) assert.equal(steps.step(next, ...KEYS[back]), cell, `${game}: ${there} from ${cell.name}`);
            }
    }
});

function walk(game, from, keys) {
    const board = arrange(layouts.get(game), 0);
    const steps = new CellSteps(board);
    let cell = board.cells.find(({name}) => name === from);
    return keys.split(' ').map(key => (cell = steps.step(cell, ...(KEYS[key] ?? aslant(key)))).name).join(' ');
}

const aslant = degrees => [Math.cos((degrees * Math.PI) / 180), -Math.sin((degrees * Math.PI) / 180)];

test('on hexagons a walk to the side stays at its height, and six directions lead to six neighbours', () => {
    assert.equal(walk('glinski', 'f6', 'right right right right'), 'g6 h5 i5 k4');
    assert.equal(walk('glinski', 'f6', 'up up down'), 'f7 f8 f7');
    const six = [30, 90, 150, 210, 270, 330].map(degrees => walk('glinski', 'f6', `${degrees}`));
    assert.deepEqual(six, ['g6', 'f7', 'e6', 'e5', 'f5', 'g5']);
    assert.equal(walk('intellector', 'a1', 'right right right right'), 'b1 c1 d1 e1');
});

test('a key changes the level, at the same place', () => {
    const board = arrange(layouts.get('raumschach'), 0);
    const steps = new CellSteps(board);
    const cell = name => board.cells.find(other => other.name === name);
    assert.equal(steps.layers.length, 5);
    assert.equal(steps.toLayer(cell('Ab2'), 1).name, 'Bb2');
    assert.equal(steps.toLayer(cell('Ce5'), 1).name, 'De5');
    assert.equal(steps.toLayer(cell('Aa1'), -1), null);
    assert.equal(new CellSteps(arrange(layouts.get('chess'), 0)).layers.length, 1);
    assert.equal(new CellSteps(arrange(layouts.get('russian-draughts'), 0)).layers.length, 1);
});

test('xiangqi and janggi have their lines: a river that columns do not cross, palaces with diagonals', () => {
    const names = game => {
        const {cells, lines} = layouts.get(game);
        return new Set(lines.map(pair => pair.map(cell => cells[cell].name).sort().join('-')));
    };
    const [xiangqi, janggi] = [names('xiangqi'), names('janggi')];
    assert.equal(xiangqi.size, 10 * 8 + 2 * 9 * 4 + 2 + 8);
    assert.equal(janggi.size, 10 * 8 + 9 * 9 + 8);
    assert.ok(xiangqi.has('a5-a6') && !xiangqi.has('b5-b6') && janggi.has('b5-b6'));
    for (const game of [xiangqi, janggi]) assert.ok(game.has('d1-e2') && game.has('e9-f10') && !game.has('c1-d2'));
    assert.ok(!('lines' in layouts.get('chess')));
});

test('no picture needs a font', async () => {
    for (const [game, {images, sets = []}] of layouts)
        for (const path of [{images}, ...sets].flatMap(set => Object.values(set.images)).flatMap(figures => Object.values(figures))) {
            const text = await (await fetch(server.url + path)).text();
            assert.doesNotMatch(text, /<text|font/, `${game}: ${path}`);
        }
});

test('every cell of every game is named on its board, on its own or by its column, row and level', () => {
    for (const [game, layout] of layouts) {
        const board = arrange(layout, 0);
        const labels = coordinates(board, new CellSteps(board));
        const written = new Set(labels.map(({text}) => text));
        const parts = name => name.match(/[A-Z]|[a-z]+|[0-9]+/g);
        for (const {name} of board.cells) assert.ok(written.has(name) || parts(name).every(part => written.has(part)), `${game}: ${name}`);
        const places = new Set(labels.map(({x, y}) => `${x.toFixed(2)} ${y.toFixed(2)}`));
        assert.equal(places.size, labels.length, `${game}: no two at one place`);
    }
});

test('a check is told with the move that gives it, and so are the counters of each player; both stand in a snapshot', async () => {
    const table = await setTable(server, {create: {game: 'three-check'}});
    await playMoves(table, 'e2e4 d7d5 e4d5 d8d5 b1c3 d5e5 f1e2');
    await table.white.settle();
    const moved = table.white.received.filter(({type, kind}) => type === 'event' && kind === 'moved');
    assert.deepEqual(moved.map(({attacked}) => attacked?.join(' ') ?? ''), ['', '', '', '', '', 'e1', '']);
    assert.deepEqual(moved.at(-1).counters, {checks: {white: 0, black: 1}});
    await playMoves(table, 'e5e2', ['black']);
    const snapshot = await table.black.done({type: 'sync', room: table.room});
    assert.deepEqual([snapshot.attacked, snapshot.counters], [['e1'], {checks: {white: 0, black: 2}}]);
    await table.end();
    const mate = await setTable(server);
    await playMoves(mate, 'f2f3 e7e5 g2g4 d8h4');
    const end = await mate.white.done({type: 'sync', room: mate.room});
    assert.deepEqual([end.state.result.reason, end.attacked, end.counters], ['checkmate', ['e1'], undefined]);
    await mate.end();
});

test('what a game counts at its end is told with every move, and stands in a snapshot', async () => {
    const dots = {
        format: 2, name: 'dots', players: ['white', 'black'], board: {cells: {box: {x: 4}}, mirror: {black: {x: '3 - x'}}},
        cell: {coordinates_names: ['x'], geometry: [[0, 0], [1, 0], [1, 1], [0, 1]], position: {x: 'x', y: '0'}, name: "'abcd'[x]"},
        figures: {dot: {movement: [{x: 1}]}}, initial_position: {white: {dot: ['a', 'c']}, black: {dot: ['d']}}, turns: ['white', 'black'],
        results: [{if: {count: {is: {player: 'black'}, max: 0}}, result: {most: {is: {player: 'mover'}}, plus: {black: 0.5}}, reason: 'more dots'}],
    };
    const table = await setTable(server, {create: {definition: JSON.stringify(dots)}});
    await playMoves(table, 'a-b d-c');
    await table.white.settle();
    const moved = table.white.received.filter(({type, kind}) => type === 'event' && kind === 'moved');
    assert.deepEqual(moved.map(({scores}) => scores), [{white: 2, black: 1.5}, {white: 1, black: 1.5}]);
    await playMoves(table, 'b-c', ['white']);
    const snapshot = await table.black.done({type: 'sync', room: table.room});
    assert.deepEqual([snapshot.state.result, snapshot.scores], [{winner: 'white', reason: 'more dots'}, {white: 1, black: 0.5}]);
    await table.end();
});

test('a general is in check as a king is', async () => {
    const table = await setTable(server, {create: {game: 'xiangqi'}, seats: ['red', 'black']});
    await playMoves(table, 'h3-e3 i10-i9 e3-e7 i9-i10 a1-a2 i10-i9 a2-d2 i9-i10 d2-d8 i10-i9 d8-e8', ['red', 'black']);
    const {attacked} = await table.red.done({type: 'sync', room: table.room});
    assert.deepEqual(attacked, ['e10']);
    await table.end();
});
