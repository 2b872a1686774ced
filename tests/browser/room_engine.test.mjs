// The ordinary room with the engine in the browser: it answers as the server does, in games that are served, pasted and
// published and for whoever comes late; and without it the server answers.
import assert from 'node:assert/strict';
import {randomBytes} from 'node:crypto';
import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {after, test} from 'node:test';
import {Player} from '../support/player.mjs';
import {seeded, stage, traffic} from './browser.mjs';

const BUILT = existsSync(new URL('../../build/browser/engine.wasm.gz', import.meta.url));
const skip = BUILT ? false : 'the engine for browsers is not built';
const {server, browser} = stage('room-engine');

const LEAP = {
    format: 2, name: 'leap', title: 'A leap', players: ['white', 'black'],
    cell: {coordinates_names: ['x', 'y'], name: "'abcd'[x] + (y + 1)", position: {x: 'x', y: '4 - y'},
        geometry: [[0, 0], [1, 0], [1, 1], [0, 1]], colors: {fill: "(x + y) % 2 ? 'wheat' : 'peru'"}},
    board: {cells: {box: {x: 4, y: 5}}},
    figures: {king: {movement: [{x: 1, symmetric: 'all'}, {x: 1, y: 2, symmetric: 'all', for: 'take'}]}},
    initial_position: {white: {king: ['a1', 'c1']}, black: {king: ['d5', 'b5']}},
    turns: ['white', 'black'],
    results: [{if: {no_moves: true}, result: 'draw', reason: 'nowhere to go'}],
};

async function publish(name, game) {
    const headers = {Authorization: `Bearer ${randomBytes(32).toString('base64url')}`};
    const answer = await fetch(`${server.url}/api/v1/games/${name}`, {method: 'POST', headers, body: JSON.stringify(game)});
    assert.equal(answer.status, 201, await answer.clone().text());
    return (await answer.json()).id;
}

// A room where a player makes so many moves of both sides by chance. {room, player}
async function played(what, plies, random) {
    const player = new Player(server, {on: message => (player.last = message.state || message.patch ? message : player.last)});
    after(() => player.close());
    await player.connect();
    const {room} = await player.call({type: 'create', ...what});
    player.room = room;
    await player.call({type: 'join', room, seat: 'all', name: 'Late'});
    for (let ply = 0; ply < plies; ply++) {
        const {moves} = await player.call({type: 'legal_moves', room});
        if (moves.length === 0) break;
        const {figure, ...move} = moves[Math.floor(random() * moves.length)];
        await player.call({type: 'move', room, move});
    }
    return {room, player};
}

const keysOf = moves => moves.map(({from, to, choice, pass}) => [from, to, choice, pass].join(' ')).sort();

// What the server says of some moves, legal ones and others: [[from, to, explanation]].
async function explained(player, room, moves, cells, random) {
    const wishes = moves.slice(0, 6).map(({from, to}) => [from, to]);
    for (let i = 0; i < 14; i++) wishes.push([0, 0].map(() => cells[Math.floor(random() * cells.length)]));
    const answers = [];
    for (const [cell, to] of wishes.filter(([from]) => from)) {
        const {explanation} = await player.call({type: 'legal_moves', room, cell, to, explain: true});
        answers.push([cell, to, explanation]);
    }
    return answers;
}

test('engine and server say the same of any position, in games served, pasted and published', {skip}, async () => {
    const random = seeded(11);
    const game = await publish('leaping', LEAP);
    const rooms = [
        [{game: 'chess'}, 61], [{game: 'international-draughts'}, 40], [{game: 'intellector'}, 25], [{game: 'janggi'}, 20], [{game: 'amazons'}, 9],
        [{game: 'chinese-checkers', players: 3}, 30], [{definition: LEAP}, 7], [{game}, 6],
    ];
    const visitor = await browser.visitor('comparing');
    const page = await visitor.open(server.url);
    for (const [what, plies] of rooms) {
        const {room, player} = await played(what, plies, random);
        const {moves} = await player.call({type: 'legal_moves', room});
        const snapshot = await player.call({type: 'sync', room});
        const cells = snapshot.layout.cells.map(({name}) => name);
        const wanted = await explained(player, room, moves, cells, random);
        const here = await page.evaluate(
            async ({room, snapshot, wishes}) => {
                const {openRoomEngine} = await import('/engine/room_engine.js');
                const {Replica} = await import('/senet.js');
                const replica = new Replica(room);
                replica.apply(snapshot);
                const engine = await openRoomEngine(room);
                const explanations = [];
                for (const [from, to] of wishes) explanations.push(await engine.explain(replica, {from, to}));
                const {state, attacked} = await engine.position(engine.movesOf(replica));
                const answer = {agrees: await engine.agrees(replica), moves: await engine.legalMoves(replica), explanations, state, attacked};
                engine.end();
                return answer;
            },
            {room, snapshot, wishes: wanted},
        );
        const name = JSON.stringify(what).slice(0, 40);
        assert.equal(here.agrees, true, name);
        assert.deepEqual(keysOf(here.moves), keysOf(moves), name);
        assert.deepEqual(here.explanations, wanted.map(([, , explanation]) => explanation), name);
        const {seats, ranks, claim, ...state} = snapshot.state;
        if (state.status === 'playing') assert.deepEqual({...here.state, cells: null}, {...state, cells: null}, name);
        assert.deepEqual(here.attacked, snapshot.attacked ?? [], name);
    }
});

// Frames of a kind that this file's visitors have sent.
function sent(type) {
    const lines = readFileSync(join(traffic, 'browser-room-engine.ndjson'), 'utf8').trim().split('\n');
    return lines.map(line => JSON.parse(line)).filter(({dir, frame}) => dir === 'in' && frame.type === type).length;
}

async function playAll(visitor, words) {
    for (const word of words.split(' ')) {
        const {version} = await visitor.holds();
        await visitor.click(...word.split('-'));
        await visitor.reaches(version + 1);
    }
}

const note = (visitor, words) => visitor.page.locator('.note', {hasText: words}).first();

test('why a figure may not go there is said without asking the server, and nothing is loaded before a hand comes', {skip}, async () => {
    const visitor = await browser.visitor('asking');
    const loaded = [];
    visitor.context.on('request', request => loaded.push(new URL(request.url()).pathname));
    await visitor.enterRoom(server, 'chess', 'friend', {seat: 'White'});
    assert.deepEqual(loaded.filter(path => path.startsWith('/engine')), []);
    const other = new Player(server);
    after(() => other.close());
    await other.connect();
    const room = visitor.page.url().split('/').at(-1);
    await other.call({type: 'join', room, seat: 'black', name: 'Other'});
    await visitor.reaches(3);
    const exported = visitor.page.waitForResponse('**/export');
    await playAll(visitor, 'e2-e4');
    await exported;
    await other.call({type: 'move', room, move: {from: 'e7', to: 'e5'}});
    await visitor.reaches(5);
    await visitor.page.waitForSelector('.room[data-engine="here"]');
    const before = sent('legal_moves');
    await visitor.drag('a1', 'a5');
    await note(visitor, 'a2 is in the way').waitFor();
    assert.equal(sent('legal_moves'), before);
});

test('without an engine the server answers', async () => {
    const visitor = await browser.visitor('without');
    visitor.refusals = true;
    await visitor.context.route('**/engine.wasm', route => route.fulfill({status: 404, body: 'not here'}));
    await visitor.enterRoom(server, 'chess', 'screen');
    await visitor.cell('a1').click();
    await visitor.page.waitForSelector('.room[data-engine="missing"]');
    await visitor.drag('a1', 'a5');
    await note(visitor, 'a2 is in the way').waitFor();
    await playAll(visitor, 'e2-e4 e7-e5');
});

test('moves are typed in the game’s own words', {skip}, async () => {
    const visitor = await browser.visitor('typing');
    await visitor.enterRoom(server, 'chess', 'screen');
    await visitor.page.waitForSelector('.room[data-engine="here"]'); // it is waited for two seconds, and then gone on without
    const type = async text => {
        const {version} = await visitor.holds();
        await visitor.page.fill('[name="move"]', text);
        await visitor.page.keyboard.press('Enter');
        await visitor.reaches(version + 1);
    };
    for (const text of ['e4', 'd5', 'exd5', 'Nf6', 'Bb5', 'c6', 'dxc6', 'bxc6', 'Nf3', 'Ba6', '0-0']) await type(text);
    assert.match(await visitor.cell('g1').getAttribute('aria-label'), /white king/);
    const words = await visitor.page.locator('.moves-list .move').allTextContents();
    assert.deepEqual(words, ['e4', 'd5', 'exd5', 'Nf6', 'Bb5+', 'c6', 'dxc6', 'bxc6', 'Nf3', 'Ba6', 'O-O']);
});

test('no page had anything to complain about', () => browser.assertNoErrors());
