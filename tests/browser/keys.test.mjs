// Walking over boards by keys, by geometry alone: the boards of all games, as the server tells them.
import assert from 'node:assert/strict';
import {after, before, test} from 'node:test';
import {Client} from '../support/client.mjs';
import {Server} from '../support/server.mjs';

const web = new URL('../../server/web/', import.meta.url);
const {arrange} = await import(new URL('geometry.js', web));
const {CellSteps} = await import(new URL('cell_steps.js', web));

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

test('what an arrow has done its opposite undoes, up to the edge', () => {
    for (const [game, layout] of layouts) {
        const board = arrange(layout, 0);
        const steps = new CellSteps(board);
        for (const [there, back] of [['up', 'down'], ['down', 'up'], ['left', 'right'], ['right', 'left']])
            for (const cell of board.cells) {
                const next = steps.step(cell, ...KEYS[there]);
                if (next && steps.areBeside(cell, next)) assert.equal(steps.step(next, ...KEYS[back]), cell, `${game}: ${there} from ${cell.name}`);
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
