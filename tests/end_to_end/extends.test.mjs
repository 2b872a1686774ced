// A definition may extend a game of the server's. What is compiled, stored, hashed, shown and given away is the whole text: a
// room never depends on another file, whatever becomes of it.
import assert from 'node:assert/strict';
import {createHash, randomBytes} from 'node:crypto';
import {copyFileSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import test, {after, before} from 'node:test';
import {Client} from '../support/client.mjs';
import {Server} from '../support/server.mjs';
import {applyPatch} from '../support/state.mjs';
import {playMoves, setTable, takeSeat} from '../support/table.mjs';

const chessFile = new URL('../../games/chess.json', import.meta.url);
const folder = mkdtempSync(join(tmpdir(), 'senet-games-'));
const file = (name, value) => writeFileSync(join(folder, `${name}.json`), typeof value === 'string' ? value : JSON.stringify(value, null, 1));
const hashOf = text => createHash('sha256').update(text).digest('hex');

// A rook moves as a knight does: a patch that is much shorter than what comes of it.
const LEAPING = {figures: {rook: {movement: [{x: 1, y: 2, symmetric: 'all'}]}}, tests: null};
const LEAPER = {extends: 'chess', name: 'leaper', title: 'Leaper', ...LEAPING};
const TEXT = JSON.stringify(LEAPER, null, 2);

let server;
before(async () => {
    copyFileSync(chessFile, join(folder, 'chess.json'));
    file('backwards', {extends: 'leaping', name: 'backwards', title: 'Backwards', initial_position: {each: {rook: null}}});
    file('leaping', {extends: 'chess', name: 'leaping', title: 'Leaping', ...LEAPING});
    file('round', {extends: 'about', name: 'round'});
    file('about', {extends: 'round', name: 'about'});
    file('lost', {extends: 'nowhere', name: 'lost'});
    server = new Server(['--games', folder]);
    await server.start();
});
after(async () => {
    await server.remove();
    rmSync(folder, {recursive: true, force: true});
});

const whole = JSON.parse(JSON.stringify(LEAPER));
delete whole.extends;

async function get(path, status = 200) {
    const answer = await fetch(`${server.url}${path}`);
    assert.equal(answer.status, status);
    return answer.json();
}

const chess = async () => (await get('/api/v1/games/chess')).definition;
const exported = room => get(`/api/v1/rooms/${room}/export`);

// A room of it, by its definition: stored whole, and played.
async function assertWhole(room, expected) {
    const {definition, definition_hash} = await exported(room);
    assert.deepEqual(JSON.parse(definition), expected);
    assert.equal(definition_hash, hashOf(definition));
    assert.equal(server.sql(`select definition from room where id = '${room}'`), definition_hash);
}

test('the folder: a game over another one is offered whole; circles and what extends nothing there is are left out', async () => {
    const {games} = await get('/api/v1/games');
    assert.deepEqual(games.map(({id}) => id).sort(), ['backwards', 'chess', 'leaping']);
    const {definition, hash} = await get('/api/v1/games/backwards');
    assert.equal(definition.extends, undefined);
    assert.deepEqual(definition.figures, (await get('/api/v1/games/leaping')).definition.figures);
    assert.equal(definition.initial_position.each.rook, undefined);
    const table = await setTable(server, {create: {game: 'backwards'}});
    assert.equal((await exported(table.room)).definition_hash, hash);
    await table.end();
    const refused = server.lines.filter(({fact}) => fact === 'game_refused').map(({file: path, message}) => [path.split('/').at(-1), message]);
    assert.deepEqual(refused.sort(), [
        ['about.json', 'in `about`, line 2, column 13: `round` would extend itself'],
        ['lost.json', 'there is no game `nowhere` here that could be extended'],
        ['round.json', 'in `round`, line 2, column 13: `about` would extend itself'],
    ].sort());
});

test('a definition given with the room', async () => {
    const expected = applyPatch(await chess(), whole);
    const rooms = [];
    for (const definition of [LEAPER, TEXT, JSON.stringify(expected)]) {
        const table = await setTable(server, {create: {definition}});
        await playMoves(table, 'a1b3 h7h5');
        await assertWhole(table.room, expected);
        rooms.push(table.room);
        await table.end();
    }
    assert.equal(new Set(rooms).size, 3);
});

test('what is wrong is told at the author\'s places, and of what is inherited with its own', async () => {
    const client = await Client.open(server);
    const asked = definition => client.done({type: 'games', op: 'validate', definition});
    const {valid, diagnostics} = await asked(TEXT);
    assert.deepEqual({valid, diagnostics}, {valid: true, diagnostics: []});
    const cases = [
        ['{"extends": "chess",\n "name": "n", "figurs": {}}', 2, 15, /^unknown key `figurs`/],
        ['{"name": "n",\n "extends": "nowhere"}', 2, 13, /^there is no game `nowhere`/],
        ['{"name": "n", "extends":\n  "chess", "figures": {"knight": null}}', 2, 3, /^in `chess`, line \d+, column \d+: no figure `knight`/],
    ];
    for (const [definition, line, column, words] of cases) {
        const {valid, diagnostics: [first]} = await asked(definition);
        assert.equal(valid, false);
        assert.deepEqual([first.line, first.column], [line, column], first.message);
        assert.match(first.message, words);
        await client.refused({type: 'create', definition}, 'bad_definition');
    }
    await client.end();
});

test('a game that is published', async () => {
    const headers = {Authorization: `Bearer ${randomBytes(32).toString('base64url')}`};
    const publish = async () => (await fetch(`${server.url}/api/v1/games/leap-frog`, {method: 'POST', headers, body: TEXT})).json();
    const {game, hash} = await publish();
    assert.equal(game, 'leap-frog@1');
    assert.equal((await publish()).hash, hash, 'the same text again is the same version');
    const {definition} = await get('/api/v1/games/leap-frog@1');
    assert.deepEqual(definition, applyPatch(await chess(), whole));
    const table = await setTable(server, {create: {game: 'leap-frog@1'}});
    await assertWhole(table.room, definition);
    assert.equal((await exported(table.room)).definition_hash, hash);
    await table.end();
    // Nobody extends what may be taken down.
    const client = await Client.open(server);
    for (const name of ['leap-frog', 'leap-frog@1']) await client.refused({type: 'create', definition: {...LEAPER, extends: name}}, 'bad_definition');
    await client.end();
});

test('a record that is brought in', async () => {
    const bring = async (record, status) => {
        const answer = await fetch(`${server.url}/api/v1/rooms`, {method: 'POST', body: JSON.stringify(record)});
        assert.equal(answer.status, status, await answer.clone().text());
        return answer.status === 201 ? answer.json() : answer.text();
    };
    const table = await setTable(server, {create: {definition: TEXT}});
    await playMoves(table, 'a1b3 h7h5 b3a1');
    const record = await exported(table.room);
    await table.end();
    const expected = applyPatch(await chess(), whole);
    const {definition_hash, ...unnamed} = record;
    for (const definition of [record.definition, TEXT]) {
        const {room} = await bring({...unnamed, definition}, 201);
        await assertWhole(room, expected);
    }
    await bring({...record, definition: TEXT}, 201);
    assert.match(await bring({...record, definition: TEXT.replace('Leaper', 'Other')}, 400), /is not the one that was played/);
    assert.match(await bring({...unnamed, definition: TEXT.replace('"chess"', '"nowhere"')}, 400), /there is no game `nowhere`/);
});

test('a room is played on when what its game extended has changed and gone', async () => {
    const table = await setTable(server, {create: {definition: TEXT}});
    await playMoves(table, 'a1b3 h7h5');
    const before = await exported(table.room);
    const [white, black] = [table.white, table.black];
    const {token} = white;
    await server.stop('SIGKILL');
    file('chess', {...JSON.parse(before.definition), name: 'chess', figures: {}});
    await server.start();
    const back = await Client.open(server, {token});
    const {state} = await takeSeat(back, table.room, 'any');
    assert.equal(state.status, 'playing');
    await back.done({type: 'move', room: table.room, move: {from: 'b3', to: 'a1'}});
    assert.equal((await exported(table.room)).definition, before.definition);
    await back.end();
    await Promise.all([white, black].map(client => client.end().catch(() => {})));
    copyFileSync(chessFile, join(folder, 'chess.json'));
});
