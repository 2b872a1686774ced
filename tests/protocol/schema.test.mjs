// The schemas of protocol/schema are as strict as the program, and name the same words as its tables. Examples of
// everything the server says are held against them, then spoilt in every place, and each spoilt one must be refused.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {existsSync, readFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import test from 'node:test';
import {fileURLToPath} from 'node:url';
import {findFaults, loadValidators} from '../end_to_end/validate_traffic.mjs';

const here = relative => fileURLToPath(new URL(relative, import.meta.url));
const validators = loadValidators();
const faults = (dir, frame) => findFaults(validators, {dir, frame});

const room = 'k3Qd9xZa';
const player = 'p_0123456789abcdef';
const at = 1790000000000;
const pawn = {figure: 'pawn', last_move: 1, moves_made: 1, player: 'white'};
const move = {from: 'e2', to: 'e4'};
const promotion = {from: 'e7', to: 'e8', choice: 'queen'}, placement = {to: 'e4'};
const pass = {pass: true};
const explanation = {verdict: 'forbidden', words: 'would leave the king attacked', pointers: ['/forbid/0']};
const diagnostics = [{severity: 'error', pointer: '/board', line: 3, column: 7, message: 'The board is empty', hint: ''}];
const summary = {id: 'chess', title: 'Chess', description: '', players: ['white', 'black']};
const star = {...summary, id: 'star', player_counts: {2: ['white', 'black'], 3: ['white', 'black', 'red']}};
const state = {
    cells: {e4: pawn}, draw_offer: 'white', last_move: promotion, move_number: 1, ply: 1, rematch_offer: 'black', takeback_offer: 'white',
    seats: {white: {as: 'human', clock: {left_ms: 300000, periods: 0}, name: 'Ada', player}}, state: 'black_move', status: 'playing', to_move: 'black',
};
const finished = {
    cells: {}, move_number: 9, next_room: room, ply: 17, result: {winner: 'white', reason: 'resigned'}, seats: {}, state: 'over', status: 'finished',
};
const halfMade = {
    ...state, active: 'e4', taken: ['d5', 'e6'], claim: {draw: true, reason: 'fifty moves'}, ranks: ['red'], out: ['blue'], last_move: pass,
};
const winnable = {...state, claim: {winner: 'black', reason: 'bare king'}};
const ranked = {...finished, result: {winner: 'white', reason: 'home first', ranks: ['white', 'black']}};
const drawn = {...finished, result: {draw: true, reason: 'agreed'}};
const aborted = {...finished, result: {aborted: true, reason: 'aborted by white'}};
const layout = {
    players: ['white', 'black'], figures: ['pawn'], rotation: {white: 0, black: 180}, shapes: [[[0, 0], [0, 1], [1, 0.5]]],
    cells: [{name: 'e2', x: 4, y: -0.5, shape: 0, fill: '#eee', selector: 'skyblue', highlighter: 'red'}],
    images: {white: {pawn: '/games/chess/white-pawn.svg'}, black: {pawn: `/pictures/${'0'.repeat(64)}.svg`}},
};
const sets = [{name: 'Plain', images: {white: {pawn: '/games/mine/p.svg'}}}];
const snapshot = {
    type: 'snapshot', room, version: 3, game: {id: '', title: 'Mine', description: ''}, seat: 'white', seats: ['white'], visibility: 'public', state,
    hash: '9c1f03aa', clock: {initial_ms: 300000, increment_ms: 3000}, turn_ms: 0, may_abort: true, to_begin: true, layout, legal_moves: [move], chat: [{at, name: '', player, seat: 'white', text: 'hi', version: 2}], moves: [{seat: 'white', move, version: 3}],
};
const event = (kind, rest = {}) => ({type: 'event', room, version: 4, kind, at, ...rest, patch: {}, hash: '00000000'});
const events = [
    event('created', {game: '', previous_room: room, clock: {initial_ms: 0, delay_ms: 1, bronstein: true, periods: 3, period_ms: 30000, seats: {white: {initial_ms: 60000}}}}), event('flagged', {seat: 'white'}), event('moved', {seat: 'white', move, text: 'e4', spent_ms: 1, compensated_ms: 80, lag_ms: 80}), event('created', {game: 'star', players: 3}), event('created', {game: 'chess', fork: {room, ply: 2}}), event('created', {game: '', import: {room}}), event('created', {game: '', previous_room: room, seated: [{seat: 'white', player, name: 'Ada', as: 'human'}]}), event('claimed', {seat: 'white'}), event('abandoned', {seat: 'white', by: 'black', as: 'draw'}), event('moved', {seat: 'white', move: pass, text: '0000'}), event('joined', {seats: ['white'], player, name: '', as: 'bot', house: true}), event('left', {seats: ['white', 'black']}),
    event('moved', {seat: 'white', move, text: 'e4'}), event('moved', {seat: 'white', move: promotion, text: 'e8=Q'}), event('moved', {seat: 'white', move: placement, text: 'e4'}), event('resigned', {seat: 'white'}), {...event('aborted', {seat: 'white'}), patch: {result: aborted.result, status: 'finished', to_move: null}}, event('stopped', {seat: 'white', move}), event('draw_offered', {seat: 'white'}),
    event('draw_declined', {seat: 'white'}), event('draw_accepted', {seat: 'white'}), event('drawn'), event('takeback_offered', {seat: 'white'}), event('takeback_declined', {seat: 'white'}), event('takeback_accepted', {seat: 'white'}), event('taken_back', {seat: 'white', ply: 3}), event('rematch_offered', {seat: 'white'}),
    event('rematch_declined', {seat: 'white'}), event('rematch_accepted', {seat: 'white'}), event('rematch', {next_room: room}),
    event('chat', {player, name: 'Ada', text: 'hi', seat: 'white'}), event('chat', {player, name: 'Ada', text: 'hi'}),
    event('seat_key', {seats: ['white', 'black']}), event('handed_over', {seats: ['white', 'black'], player, name: 'Ada', as: 'human'}),
];
const patched = {
    ...event('moved', {seat: 'white', move, text: 'e4'}), may_abort: true, to_begin: true, legal_moves: [move],
    patch: {
        cells: {e2: null, e4: pawn}, draw_offer: null, last_move: {...move, choice: null}, move_number: 2, next_room: room, ply: 2, rematch_offer: null, takeback_offer: null,
        result: {winner: 'white', draw: null, reason: 'mate'}, seats: {white: null, black: {as: 'bot', name: '', player}}, state: 'over', status: 'finished', to_move: null,
    },
};
const patchedTwice = {
    ...event('moved', {seat: 'white', move: pass, text: '0000'}),
    patch: {
        active: null, claim: {draw: true, reason: 'fifty moves', winner: null}, ranks: ['red'], out: ['blue', 'red'], taken: ['d5'],
        last_move: {pass: true, from: null, to: null, choice: null}, result: {draw: true, reason: 'x', ranks: null, winner: null},
    },
};
const patchedAgain = {...event('moved', {seat: 'white', move, text: 'e4'}), patch: {last_move: {...placement, from: null, choice: null, pass: null}, active: 'e4', claim: null, out: null, ranks: null, taken: null, result: null}};
const withoutPatch = ({type, room: _, patch, hash, ...body}) => body;
const sought = {game: 'chess', title: 'Chess', players: 2, player, name: 'Ada', as: 'human', since: at};
const choosy = {...sought, clock: {initial_ms: 300000, increment_ms: 3000}, seat: 'white', bots: false, rated: 'blitz', rating: 1500, range: {min: 1400, max: 1600, within: 100}};
const lobbyRoom = {room, game: 'chess', title: 'Chess', status: 'waiting', players: ['white', 'black'], seats: {white: 'Ada'}, created_at: at};

const said = [
    {type: 'hello', protocol: 'senet.v1', server: '0.1.0', heartbeat_ms: 15000, player_heartbeat_ms: 3000, limits: {message_bytes: 16384, definition_bytes: 16384, name_bytes: 40, chat_bytes: 500, rooms: 16}},
    {type: 'welcome', re: '1', session: 's_1', player, token: 'A'.repeat(43)}, {type: 'welcome', re: '1', session: 's_1', player},
    {type: 'pong', re: '1', at},
    {type: 'ack', re: '1'}, {type: 'ack', re: '1', room, version: 1}, {type: 'ack', re: '1', room, version: 1, mode: 'events'},
    {type: 'error', code: 'bad_json', message: 'no', retry: false}, {type: 'error', re: '1', room, code: 'stale', message: 'no', retry: false, version: 3},
    {type: 'error', re: '1', code: 'rate_limited', message: 'no', retry: true, retry_ms: 5}, {type: 'error', re: '1', code: 'bad_definition', message: 'no', retry: false, diagnostics},
    {type: 'error', re: '1', room, code: 'illegal_move', message: 'no', retry: false, explanation},
    {type: 'games', re: '1', games: [summary, star]}, {type: 'games', re: '1', game: {...star, hash: '0'.repeat(64), definition: {}}}, {type: 'games', re: '1', game: {...summary, hash: '0'.repeat(64), definition: {}}}, {type: 'games', re: '1', valid: false, diagnostics},
    {type: 'legal_moves', re: '1', room, version: 3, moves: [move, promotion, placement, pass]},
    {type: 'legal_moves', re: '1', room, version: 3, moves: [{...move, explanation}, {...promotion, explanation}]},
    {type: 'legal_moves', re: '1', room, version: 3, moves: [], explanation},
    {type: 'hint', re: '1', room, version: 4, ply: 2, lines: [{value: 1000, ends_in: 3, moves: [{move, text: 'e4'}, {move: pass, text: 'pass'}]}, {value: 512, moves: [{move: placement, text: '@e4'}]}]},
    {type: 'hint', re: '1', room, version: 4, ply: 9, lines: []},
    {type: 'history', re: '1', room, from: 1, to: 21, version: 21, events: events.map(withoutPatch)},
    {type: 'history', re: '1', room, ply: 1, version: 4, state, hash: '9c1f03aa'},
    {type: 'history', re: '1', room, from: 0, plies: 1, version: 4, moves: [{ply: 1, version: 4, seat: 'white', move, text: 'e4'}]},
    snapshot, {...snapshot, re: '1'}, {...snapshot, state: finished}, {...snapshot, state: drawn}, {...snapshot, state: aborted}, {...snapshot, state: halfMade}, {...snapshot, state: winnable}, {...snapshot, state: ranked}, {...snapshot, layout: {...layout, sets}}, ...events, patched, patchedTwice, patchedAgain,
    {type: 'seat_key', re: '1', room, version: 4, key: 'A'.repeat(22)}, {type: 'seat_key', re: '1', room, version: 4},
    {type: 'presence', room, spectators: 3, connected: ['white']}, {type: 'presence', room, spectators: 0, connected: ['white'], absent: {black: 15000}},
    {type: 'lobby', re: '1', rooms: [lobbyRoom], seeks: [sought, choosy], mine: []}, {type: 'lobby', rooms: [], seeks: []},
];

// What may be left out of a message; everything else that an example has is required.
const optional = {
    welcome: ['token'], ack: ['room', 'version', 'mode'], error: ['re', 'room', 'explanation'], legal_moves: ['explanation'], hint: ['ends_in'], snapshot: ['re', 'clock', 'turn_ms', 'may_abort', 'to_begin', 'layout', 'legal_moves'],
    event: ['previous_room', 'clock', 'spent_ms', 'compensated_ms', 'lag_ms', 'players', 'house', 'fork', 'import', 'seated', 'may_abort', 'to_begin', 'legal_moves'], lobby: ['re'], seat_key: ['key'], presence: ['absent'],
};

// Every object inside an example, with the path that leads to it.
function* objectsIn(value, path = []) {
    if (value === null || typeof value !== 'object') return;
    if (!Array.isArray(value)) yield {object: value, path};
    for (const [key, inner] of Object.entries(value)) yield* objectsIn(inner, [...path, key]);
}

function changed(example, path, change) {
    const copy = structuredClone(example);
    change(path.reduce((inner, key) => inner[key], copy));
    return copy;
}

const isFree = path => path.includes('definition');
const show = frame => JSON.stringify(frame);

test('everything the server says is admitted', () => {
    for (const frame of said) assert.deepEqual(faults('out', frame), [], show(frame));
    for (const type of [...validators.keys()].filter(name => name.startsWith('out ')))
        assert.ok(said.some(frame => `out ${frame.type}` === type), `no example of ${type}`);
});

test('a member too many is refused, in every object', () => {
    for (const example of said)
        for (const {path} of objectsIn(example)) {
            if (isFree(path) || path.at(-1) === 'rotation' || path.at(-1) === 'player_counts' || path.at(-1) === 'absent') continue;
            const spoilt = changed(example, path, object => (object.misspelt = 1));
            assert.notDeepEqual(faults('out', spoilt), [], show(spoilt));
        }
});

test('a member of the wrong type is refused, in every object', () => {
    for (const example of said)
        for (const {object, path} of objectsIn(example))
            for (const key of Object.keys(object)) {
                if (isFree([...path, key])) continue;
                const spoilt = changed(example, path, inner => (inner[key] = [{wrong: true}]));
                assert.notDeepEqual(faults('out', spoilt), [], show(spoilt));
            }
});

function refuseWithout(example, path, keys) {
    for (const key of keys) {
        const spoilt = changed(example, path, object => delete object[key]);
        assert.notDeepEqual(faults('out', spoilt), [], `without ${key}: ${show(spoilt)}`);
    }
}

test('a member that is missing is refused', () => {
    for (const example of said) {
        const spared = [...(optional[example.type] ?? []), ...(example.kind === 'chat' ? ['seat'] : [])];
        refuseWithout(example, [], Object.keys(example).filter(key => !spared.includes(key)));
    }
    for (const key of Object.keys(layout)) refuseWithout(snapshot, ['layout'], [key]);
    refuseWithout(snapshot, ['layout', 'cells', 0], Object.keys(layout.cells[0]));
    refuseWithout(snapshot, ['state'], ['cells', 'move_number', 'ply', 'seats', 'state', 'status', 'to_move']);
    refuseWithout(snapshot, ['state', 'cells', 'e4'], Object.keys(pawn));
    refuseWithout(snapshot, ['state', 'seats', 'white'], ['as', 'name', 'player']);
    refuseWithout(snapshot, ['state', 'last_move'], ['to']);
    refuseWithout(snapshot, ['chat', 0], ['at', 'name', 'player', 'text', 'version']);
    refuseWithout(snapshot, ['moves', 0], ['seat', 'move', 'version']);
    refuseWithout({...snapshot, state: finished}, ['state'], ['result']);
    refuseWithout({...snapshot, state: finished}, ['state', 'result'], ['winner', 'reason']);
    refuseWithout({...snapshot, state: aborted}, ['state', 'result'], ['aborted', 'reason']);
    refuseWithout({...snapshot, state: ranked}, ['state', 'result'], ['winner', 'reason']);
    refuseWithout({...snapshot, state: halfMade}, ['state', 'claim'], ['draw', 'reason']);
    refuseWithout(said.find(frame => frame.code === 'illegal_move'), ['explanation'], Object.keys(explanation));
    refuseWithout(patched, ['patch', 'cells', 'e4'], Object.keys(pawn));
    refuseWithout(said.find(frame => frame.seeks?.length > 0), ['seeks', 0], Object.keys(sought));
    refuseWithout(said[0], ['limits'], Object.keys(said[0].limits));
});

test('members that contradict each other are refused', () => {
    const wrong = [
        {...snapshot, state: {...state, result: {draw: true, reason: 'x'}}}, {...snapshot, state: {...finished, to_move: 'white'}},
        {...snapshot, state: {...finished, result: {draw: true, winner: 'white', reason: 'x'}}}, {...snapshot, state: {...finished, result: {aborted: true, draw: true, reason: 'x'}}}, {...snapshot, may_abort: false}, event('aborted'), {type: 'ack', re: '1', mode: 'events'}, {type: 'ack', re: '1', room},
        {type: 'error', code: 'stale', message: 'no', retry: true, version: 1}, {type: 'error', code: 'unavailable', message: 'no', retry: true},
        {type: 'error', code: 'stale', message: 'no', retry: false}, {type: 'error', code: 'sulking', message: 'no', retry: false},
        {type: 'games', re: '1'}, {type: 'games', re: '1', games: [], valid: true, diagnostics: []}, {type: 'lobby', re: '1', rooms: [], seeks: []}, {type: 'lobby', rooms: [], seeks: [{...sought, bots: true}]}, {type: 'lobby', rooms: []},
        event('moved', {seat: 'white'}), event('moved', {seat: 'white', move}), event('moved', {seat: 'white', move, text: ''}), event('drawn', {seat: 'white'}), event('danced'), event('seat_key', {seats: ['white'], key_hash: '0'.repeat(64)}), {...event('drawn'), version: 0}, {...patched, patch: {cells: {}}},
        {...snapshot, state: {...finished, active: 'e4'}}, {...snapshot, state: {...finished, claim: {draw: true, reason: 'x'}}}, {...snapshot, state: {...finished, ranks: ['white']}},
        event('moved', {seat: 'white', move: {...move, pass: true}, text: 'e4'}), event('moved', {seat: 'white', move: {pass: false}, text: 'e4'}), event('created', {game: 'star', players: 9}),
        {type: 'error', code: 'not_your_turn', message: 'no', retry: false, explanation}, {type: 'games', re: '1', games: [{...star, player_counts: {9: ['white']}}]},
        {...event('drawn'), hash: '9C1F03AA'}, {type: 'of.tomorrow'},
    ];
    for (const frame of wrong) assert.notDeepEqual(faults('out', frame), [], show(frame));
});

// The words of a table X(…) in a header.
function wordsOf(header, table, position) {
    const text = readFileSync(here(`../../protocol/${header}`), 'utf8');
    const body = text.slice(text.indexOf(`#define ${table}(X)`)).split('\n\n')[0];
    return [...body.matchAll(/X\(\w+, "([^"]*)"/g)].map(match => match[position]).sort();
}

test('the schemas name the same words as the program', () => {
    const schema = path => JSON.parse(readFileSync(here(`../../protocol/schema/${path}.schema.json`), 'utf8'));
    const commands = [...validators.keys()].filter(name => name.startsWith('in ')).map(name => name.slice(3));
    assert.deepEqual(commands.sort(), wordsOf('message.h', 'MESSAGE_KINDS', 1));
    assert.deepEqual(schema('client/action').properties.kind.enum.sort(), wordsOf('message.h', 'ACTION_KINDS', 1));
    assert.deepEqual(['ok', ...schema('server/error').properties.code.enum].sort(), wordsOf('message.h', 'REFUSALS', 1));
    assert.deepEqual(schema('common').$defs.event_body.properties.kind.enum.sort(), wordsOf('event.h', 'EVENT_KINDS', 1));
});

test('the AsyncAPI document binds every schema, and nothing else', () => {
    const document = JSON.parse(readFileSync(here('../../protocol/schema/asyncapi.json'), 'utf8'));
    const bound = Object.values(document.components.messages).map(({payload}) => payload.schema.$ref);
    for (const path of bound) assert.ok(existsSync(here(`../../protocol/schema/${path}`)), path);
    assert.equal(new Set(bound).size, validators.size);
    const find = reference => reference.slice(2).split('/').reduce((value, key) => value?.[key], document);
    const follow = value => {
        if (value === null || typeof value !== 'object') return;
        if (typeof value.$ref === 'string' && value.$ref.startsWith('#/')) assert.ok(find(value.$ref), value.$ref);
        Object.values(value).forEach(follow);
    };
    follow(document);
});

// What a JSON Schema cannot say, or says of the text before a parser saw it; and what servers tell each other, which the schemas of
// clients do not name.
const beyondSchemas = new Set(['a name of 41 bytes', 'history backwards', 'seek in a range that is none', 'a version with a fraction',
    'seek a seat that no game has']);
const rowsProgram = process.env.SENET_PROGRAM && join(dirname(process.env.SENET_PROGRAM), 'tests/protocol/json_test');

test('the schemas and the program agree on every command of its table', {skip: !rowsProgram || !existsSync(rowsProgram)}, () => {
    const rows = execFileSync(rowsProgram, ['--rows'], {encoding: 'utf8'}).trim().split('\n').map(line => JSON.parse(line));
    assert.ok(rows.length > 80);
    for (const {name, text, refusal} of rows) {
        if (refusal === 'bad_json' || beyondSchemas.has(name)) continue;
        assert.equal(faults('in', JSON.parse(text)).length === 0, refusal === 'ok', `${name}: ${faults('in', JSON.parse(text))}`);
    }
});
