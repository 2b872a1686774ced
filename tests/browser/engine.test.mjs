// The engine in a Worker: what it answers, and that whatever it is given costs the Worker alone.
import assert from 'node:assert/strict';
import {existsSync, readFileSync} from 'node:fs';
import {test} from 'node:test';
import {stage} from './browser.mjs';

const WASM = new URL('../../build/browser/engine.wasm.gz', import.meta.url);
const game = name => readFileSync(new URL(`../../games/${name}.json`, import.meta.url), 'utf8');

const {server, browser} = stage('engine');

// The page's module, in a page of ours and under its policy.
async function open(name) {
    const visitor = await browser.visitor(name);
    const page = await visitor.open(server.url);
    await page.evaluate(async () => {
        const {startEngine} = await import('/engine/engine.js');
        globalThis.begin = async options => {
            globalThis.engine = await startEngine(options);
            return engine.status;
        };
        globalThis.tried = (request, options) =>
            engine.ask(request, options).catch(({reason, message}) => ({reason, message}));
    });
    return {visitor, page};
}

test('where there is no engine the page is told so', async () => {
    const {visitor, page} = await open('without');
    visitor.refusals = true;
    await page.route('**/engine/engine.wasm', route => route.fulfill({status: 404, body: 'not here'}));
    assert.equal(await page.evaluate(() => begin()), 'missing');
    const answer = await page.evaluate(() => tried({do: 'state'}));
    assert.equal(answer.reason, 'missing');
    assert.match(answer.message, /no engine/);
    await page.unroute('**/engine/engine.wasm');
    await page.context().close();
});

test('questions are answered in order, and a long one ends the Worker alone', {skip: !existsSync(WASM)}, async () => {
    const {page} = await open('asking');
    assert.equal(await page.evaluate(() => begin({limit: 15_000})), 'ready');
    const chess = game('chess');
    const [loaded, moves, nodes] = await page.evaluate(
        text => Promise.all([tried({do: 'game', text}), tried({do: 'moves', from: 'e2'}), tried({do: 'perft', depth: 3})]),
        chess,
    );
    assert.equal(loaded.state.to_move, 'white');
    assert.deepEqual(moves.moves.map(move => move.to), ['e3', 'e4']);
    assert.equal(nodes.nodes, 8902);

    const [stopped, behind] = await page.evaluate(() =>
        Promise.all([tried({do: 'perft', depth: 10}, {limit: 300}), tried({do: 'state'})]),
    );
    assert.equal(stopped.reason, 'time');
    assert.match(stopped.message, /too long/);
    assert.equal(behind.reason, 'ended');
    const after = await page.evaluate(async text => {
        const before = engine.generation;
        const lost = await tried({do: 'state'});
        const again = await tried({do: 'game', text});
        return {grown: engine.generation - before, lost, again};
    }, chess);
    assert.equal(after.lost.error.code, 'no_game');
    assert.equal(after.again.state.hash, loaded.state.hash);
    assert.equal(after.grown, 1);
    await page.context().close();
});

// Games that would be far too large multiplied out, nested too deep, or take ever so long: each is refused or played
// within bounds, and the next question is answered.
function hostileTexts() {
    const base = JSON.parse(game('breakthrough'));
    const movement = Array.from({length: 250}, (_, i) => ({x: 1 + (i % 15), y: 1 + Math.floor(i / 15), symmetric: 'all', repeat: true}));
    const figures = Object.fromEntries(Array.from({length: 8}, (_, i) => [`f${i}`, {movement}]));
    const cell = {...base.cell, name: undefined};
    return {
        'many movements': JSON.stringify({...base, cell, board: {cells: {box: {x: 32, y: 32}}}, figures, zones: undefined, initial_position: undefined, results: [], notation: undefined, tests: undefined}),
        'many cells': JSON.stringify({...base, board: {cells: {box: {x: 1000, y: 1000}}}}),
        'deep': '['.repeat(200_000),
        'an expression that counts': JSON.stringify({...base, cell: {...base.cell, position: {x: `${'Math.pow(x, y) * '.repeat(50)}1`, y: 'y'}}}),
        'too long': ' '.repeat(900_000) + game('chess'),
    };
}

test('hostile files cost the Worker at most, and the next game is played', {skip: !existsSync(WASM)}, async () => {
    const {page} = await open('hostile');
    assert.equal(await page.evaluate(() => begin({limit: 8_000})), 'ready');
    for (const [name, text] of Object.entries(hostileTexts())) {
        const answer = await page.evaluate(text => tried({do: 'game', text, short: true}), text);
        const said = answer.state ? 'loaded' : answer.error?.code ?? answer.reason;
        assert.ok(['loaded', 'bad_game', 'time', 'memory', 'too_long'].includes(said), `${name}: ${JSON.stringify(answer).slice(0, 300)}`);
    }
    const chess = await page.evaluate(text => tried({do: 'game', text, short: true}), game('chess'));
    assert.equal(chess.state.to_move, 'white');
    await page.context().close();
});
