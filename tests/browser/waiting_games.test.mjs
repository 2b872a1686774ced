// One's turn in games elsewhere: counted in the title, called once, a link in a room.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {waitsForMe} from '../../server/web/waiting_games.js';
import {Player} from '../support/player.mjs';
import {assertFits, DESKTOP, eventually, PHONE, stage} from './browser.mjs';
import {heard, hide, listen} from './heard.mjs';

const {server, browser} = stage('waiting-games');

const LONG_MS = 150_000; // a page asks again within that, whatever it has heard before

// A visitor with so many games, as white against somebody who is to answer the first move.
async function table(name, size, count) {
    const [owner, friend] = [new Player(server, {name}), new Player(server, {name: 'Friend'})];
    for (const player of [owner, friend]) await player.connect();
    const rooms = [];
    for (let i = 0; i < count; i++) {
        const {room} = await owner.call({type: 'create', game: 'chess', visibility: 'private'});
        await owner.call({type: 'join', room, seat: 'white', name});
        await friend.call({type: 'join', room, seat: 'black', name: 'Friend'});
        await owner.call({type: 'move', room, move: {from: 'e2', to: 'e4'}});
        rooms.push(room);
    }
    owner.close();
    const visitor = await browser.visitor(name, size);
    await listen(visitor, {on: true});
    await visitor.context.clock.install(); // of the pages alone
    await visitor.context.addInitScript(token => (localStorage['senet.token'] ??= token), owner.token);
    const answers = room => friend.call({type: 'move', room, move: {from: 'e7', to: 'e5'}});
    const moves = async room => {
        await owner.connect();
        await owner.call({type: 'resume', room, version: 0});
        await owner.call({type: 'move', room, move: {from: 'g1', to: 'f3'}});
        owner.close();
    };
    return {visitor, rooms, answers, moves, end: () => friend.close()};
}

const later = ({page}) => page.clock.fastForward(LONG_MS);
const titled = (page, form) => eventually(async () => assert.match(await page.title(), form));

// Until it looks after other games.
const looks = ({page}) => page.waitForSelector('html[data-waiting]', {state: 'attached'});

test('in the lobby: each game that has come to wait calls once, and all that wait are counted', async () => {
    const {visitor, rooms: [first, second], answers, moves, end} = await table('Theano', DESKTOP, 2);
    await visitor.open(server.url);
    await visitor.page.locator('.my-rooms .call', {hasText: 'Black to move'}).nth(1).waitFor();
    await looks(visitor);
    assert.equal(await visitor.page.title(), 'Senet: board games for friends');
    await hide(visitor, true);
    await answers(first);
    await later(visitor);
    await titled(visitor.page, /^\(1\) Senet: /);
    await eventually(async () => assert.deepEqual((await heard(visitor)).notices, ['Chess: It is your turn']));
    assert.deepEqual(await heard(visitor), {sounds: ['turn'], notices: ['Chess: It is your turn'], asked: 0, tag: first});
    await visitor.page.locator('.my-rooms .call', {hasText: 'Your turn'}).waitFor();
    await answers(second);
    await later(visitor);
    await titled(visitor.page, /^\(2\) Senet: /);
    await eventually(async () => assert.equal((await heard(visitor)).notices.length, 2));
    await hide(visitor, false);
    await visitor.screenshot('lobby');
    await moves(first);
    await hide(visitor, true);
    await later(visitor);
    await titled(visitor.page, /^\(1\) Senet: /);
    assert.deepEqual((await heard(visitor)).sounds, ['turn', 'turn'], 'the other one has called');
    await end();
});

test('whoever comes back to the page learns it at once', async () => {
    const {visitor, rooms: [room], answers, end} = await table('Diotima', PHONE, 1);
    await visitor.open(server.url);
    await looks(visitor);
    await hide(visitor, true);
    await answers(room);
    await hide(visitor, false); // no later than after the five seconds between two questions
    await titled(visitor.page, /^\(1\) Senet: /);
    await eventually(async () => assert.deepEqual((await heard(visitor)).sounds, ['turn']));
    assert.deepEqual((await heard(visitor)).notices, [], 'who sees the page needs none');
    await assertFits(visitor);
    await visitor.screenshot('lobby');
    await end();
});

for (const size of [DESKTOP, PHONE])
    test(`in a room: a link to the game that waits, or to the lobby where several do, ${size.viewport.width} wide`, async () => {
        const {visitor, rooms: [here, first, second], answers, end} = await table(`Lais-${size.viewport.width}`, size, 3);
        const page = await visitor.open(`${server.url}/room/${here}`);
        await visitor.reaches(4);
        await looks(visitor);
        const link = page.locator('.elsewhere a');
        assert.equal(await link.count(), 0);
        await answers(first);
        await later(visitor);
        await link.filter({hasText: 'It is your turn in another game'}).waitFor();
        assert.equal(await link.getAttribute('href'), `/room/${first}`);
        await titled(page, /^\(1\) Chess · Senet$/);
        await answers(here); // which is no other one
        await visitor.reaches(5);
        await titled(page, /^\(1\) ● Your turn e7–e5 · Chess$/);
        await answers(second);
        await later(visitor);
        await link.filter({hasText: 'It is your turn in 2 other games'}).waitFor();
        await titled(page, /^\(2\) ● /);
        await visitor.screenshot('room');
        await assertFits(visitor);
        await link.click();
        await page.locator('.my-rooms .call', {hasText: 'Your turn'}).nth(2).waitFor();
        await titled(page, /^\(3\) Senet: /);
        await end();
    });

test('a game that has called in its own window does not call in another one', async () => {
    const {visitor, rooms: [shown], answers, end} = await table('Hipparchia', DESKTOP, 1);
    const room = await visitor.open(`${server.url}/room/${shown}`);
    await visitor.reaches(4);
    const lobby = await visitor.open(server.url);
    await looks(visitor);
    for (const page of [room, lobby]) await hide(visitor, true, page);
    await answers(shown);
    await eventually(async () => assert.deepEqual(await heard(visitor, room), {sounds: ['move', 'turn'], notices: ['Chess: It is your turn'], asked: 0, tag: shown}));
    await later(visitor);
    await titled(lobby, /^\(1\) /);
    assert.deepEqual(await heard(visitor, lobby), {sounds: [], notices: [], asked: 0});
    await end();
});

test('who waits is a person, in a game that goes on', () => {
    const row = {status: 'playing', yours: ['white'], to_move: 'white', seats: {white: 'Ada', black: 'Bob'}};
    assert.ok(waitsForMe(row));
    assert.ok(!waitsForMe({...row, to_move: 'black'}));
    assert.ok(!waitsForMe({...row, to_move: undefined}), 'it is not known');
    assert.ok(!waitsForMe({...row, status: 'finished'}));
    assert.ok(!waitsForMe({...row, bots: ['black']}));
    assert.ok(waitsForMe({...row, seats: {...row.seats, red: 'Bot'}, bots: ['red']}));
    assert.ok(!waitsForMe({...row, yours: ['white', 'black']}));
});

test('no page had anything to complain about', () => browser.assertNoErrors());
