// What the games of moving figures add to the conversation: choices, turns of several moves, passes, claims, places,
// numbers of players, and why a move is none. On the wire, and through a kill in the middle of a turn.
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import test, {after, before, describe} from 'node:test';
import {Client} from '../support/client.mjs';
import {Server} from '../support/server.mjs';
import {playMoves, setTable, sitAlone, takeSeat} from '../support/table.mjs';

const record = 'turns';
const server = new Server(['--bot-think-ms', '0', '--commands-per-second', '5000', '--commands-burst', '5000']);
before(() => server.start());
after(() => server.remove());

const definitionOf = id => JSON.parse(readFileSync(new URL(`../../games/${id}.json`, import.meta.url), 'utf8'));
const words = move => (move.pass ? 'pass' : `${move.from}-${move.to}${move.choice ? `=${move.choice}` : ''}`);

// A room with one client on all seats; `play` makes one move, `playAll` several, and gives the event of the last.
async function alone(create) {
    const table = await sitAlone(server, record, create);
    const playAll = async text => {
        let event;
        for (const word of text.split(' ')) {
            const [way, choice] = word.split('=');
            const [from, to] = way.split('-');
            event = await table.play(word === 'pass' ? {pass: true} : {from, to, ...(choice && {choice})});
        }
        return event;
    };
    return {...table, playAll};
}

describe('choices', () => {
    test('where the rules leave a choice every one is a move of its own, and one must be made', async () => {
        const {client, room, playAll, play, state} = await alone({game: 'chess'});
        const {legal_moves} = await playAll('h2-h4 g7-g5 h4-g5 h7-h6 g5-h6 g8-f6 h6-h7 f6-d5');
        assert.deepEqual(legal_moves.filter(({from}) => from === 'h7'), [], 'the rook stands before it');
        const later = await playAll('b1-c3 h8-g8');
        assert.deepEqual(later.legal_moves.filter(({from}) => from === 'h7').map(words).sort(), [
            'h7-g8=bishop', 'h7-g8=knight', 'h7-g8=queen', 'h7-g8=rook', 'h7-h8=bishop', 'h7-h8=knight', 'h7-h8=queen', 'h7-h8=rook',
        ]);
        const {version} = client.rooms.get(room);
        const missing = await client.refused({type: 'move', room, move: {from: 'h7', to: 'h8'}}, 'illegal_move');
        assert.equal(missing.explanation.verdict, 'choice');
        for (const choice of ['king', 'pawn'])
            assert.equal((await client.refused({type: 'move', room, move: {from: 'h7', to: 'h8', choice}}, 'illegal_move')).explanation.verdict, 'choice');
        await client.refused({type: 'move', room, move: {from: 'h7', to: 'h8', choice: 'dragon'}}, 'illegal_move', /no figure "dragon"/);
        await client.refused({type: 'move', room, move: {from: 'a2', to: 'a3', choice: 'queen'}}, 'illegal_move');
        assert.equal(client.rooms.get(room).version, version);
        const promoted = await play({from: 'h7', to: 'h8', choice: 'knight'});
        assert.deepEqual(promoted.move, {from: 'h7', to: 'h8', choice: 'knight'});
        assert.deepEqual([state().cells.h8.figure, state().last_move], ['knight', promoted.move]);
        await play({from: 'a7', to: 'a6'});
        assert.deepEqual(state().last_move, {from: 'a7', to: 'a6'}, 'a choice does not stay');
        const {moves} = await client.done({type: 'sync', room});
        assert.deepEqual(moves.at(-2).move, promoted.move);
        const {events} = await client.done({type: 'history', room, from: promoted.version, to: promoted.version});
        assert.deepEqual(events[0].move, promoted.move);
        await client.end();
    });

    test('the same id with another choice is another move', async () => {
        const {client, room, playAll} = await alone({game: 'chess'});
        await playAll('h2-h4 g7-g5 h4-g5 h7-h6 g5-h6 g8-f6 h6-h7 h8-g8');
        const command = {type: 'move', id: 'promotion', room, move: {from: 'h7', to: 'h8', choice: 'rook'}};
        const ack = await client.done(command);
        assert.deepEqual(await client.done(command), ack);
        await client.refused({...command, move: {...command.move, choice: 'queen'}}, 'id_reused');
        await client.refused({...command, move: {from: 'h7', to: 'h8'}}, 'id_reused');
        await client.refused({...command, move: {pass: true}}, 'id_reused');
        await client.end();
    });
});

describe('explanations', () => {
    test('an illegal move is refused with the words of the game that forbid it', async () => {
        const {client, room, playAll} = await alone({game: 'chess'});
        await playAll('e2-e4 e7-e5 d2-d3 f8-b4');
        const refusal = await client.refused({type: 'move', room, move: {from: 'g1', to: 'f3'}}, 'illegal_move', /king/);
        assert.equal(refusal.explanation.verdict, 'forbidden');
        assert.equal(refusal.explanation.pointers[0], '/forbid/0');
        assert.ok(refusal.message.endsWith(refusal.explanation.words));
        const verdicts = {};
        for (const [from, to] of [['g1', 'g5'], ['e7', 'e6'], ['a1', 'a3'], ['e4', 'e5'], ['d4', 'd5']])
            verdicts[from + to] = (await client.refused({type: 'move', room, move: {from, to}}, 'illegal_move')).explanation.verdict;
        assert.deepEqual(verdicts, {g1g5: 'no_movement', e7e6: 'not_yours', a1a3: 'blocked', e4e5: 'blocked', d4d5: 'not_yours'});
        await client.end();
    });

    test('legal_moves explains each move from a cell, or the one that is asked about', async () => {
        const {client, room, playAll} = await alone({game: 'chess'});
        await playAll('e2-e4 e7-e5 d2-d3 f8-b4');
        const each = await client.done({type: 'legal_moves', room, cell: 'c2', explain: true});
        assert.deepEqual(each.moves.map(words), ['c2-c3']);
        const figures = definitionOf('chess').figures;
        assert.equal(each.moves[0].explanation.verdict, 'legal');
        assert.match(each.moves[0].explanation.pointers[0], /^\/figures\/pawn\/movement\/\d$/);
        assert.ok(figures.pawn.movement[Number(each.moves[0].explanation.pointers[0].split('/')[4])]);
        const none = await client.done({type: 'legal_moves', room, cell: 'g1', to: 'f3', explain: true});
        assert.deepEqual(none.moves, []);
        assert.equal(none.explanation.verdict, 'forbidden');
        const one = await client.done({type: 'legal_moves', room, cell: 'c2', to: {x: 2, y: 2}, explain: true});
        assert.deepEqual([one.moves.map(words), one.explanation.verdict], [['c2-c3'], 'legal']);
        await client.refused({type: 'legal_moves', room, cell: 'c2', to: 'z9', explain: true}, 'bad_message', /to/);
        await client.refused({type: 'legal_moves', room, cell: 'c2', to: 'c3', choice: 'dragon', explain: true}, 'bad_message', /dragon/);
        await client.end();
    });
});

// Black has jumped over 29 to 34, and has to go on over 30 to 25.
async function halfACapture() {
    const table = await alone({game: 'international-draughts'});
    const event = await table.playAll('35-30 18-23 34-29 23-34');
    return {...table, event};
}

describe('turns of several moves', () => {
    test('within a turn the state says which figure goes on and what it took; only it may move', async () => {
        const {client, room, event, state, play} = await halfACapture();
        const {active, taken, to_move} = state();
        assert.deepEqual([active, taken, to_move], ['34', ['29'], 'black']);
        assert.equal(state().cells['29'].player, 'white', 'it stands there still');
        assert.deepEqual(event.legal_moves, [{from: '34', to: '25'}]);
        const {moves} = await client.done({type: 'legal_moves', room, cell: '20'});
        assert.deepEqual(moves, []);
        const refusal = await client.refused({type: 'move', room, move: {from: '20', to: '24'}}, 'illegal_move');
        assert.equal(refusal.explanation.verdict, 'priority');
        await client.refused({type: 'move', room, move: {pass: true}}, 'illegal_move', /no passing/);
        await play({from: '34', to: '25'});
        assert.deepEqual([state().to_move, state().active, state().taken], ['white', undefined, undefined]);
        assert.deepEqual([state().cells['29'], state().cells['30']], [undefined, undefined], 'now they have gone');
        await client.end();
    });

    test('kill -9 in the middle of a turn: afterwards it is the same half turn', async () => {
        const {client, room, event, state} = await halfACapture();
        const before = structuredClone(client.rooms.get(room));
        assert.ok(state().active);
        await server.stop('SIGKILL');
        await client.closed;
        await server.start();
        const back = await Client.open(server, {record, token: client.token});
        back.rooms.set(room, before);
        await back.done({type: 'resume', room, version: 0});
        const snapshot = await back.next({type: 'snapshot'});
        assert.deepEqual([snapshot.state, snapshot.legal_moves], [before.state, event.legal_moves]);
        await back.done({type: 'move', room, version: before.version, move: event.legal_moves[0]});
        await back.settle();
        assert.equal(back.rooms.get(room).version, before.version + 1);
        await back.end();
    });

    test('a pass ends a turn that may go on, and is refused where there is none', async () => {
        const {client, room, playAll, play, state} = await alone({game: 'chinese-checkers', players: 2});
        await client.refused({type: 'move', room, move: {pass: true}}, 'illegal_move', /no passing/);
        const hop = await playAll('d1-e5 n1-m6 b1-d1');
        assert.deepEqual([state().active, state().to_move, state().taken], ['d1', 'red', undefined]);
        assert.deepEqual(hop.legal_moves.map(words).sort(), ['d1-f4', 'pass']);
        const passed = await play({pass: true});
        assert.deepEqual(passed.move, {pass: true});
        assert.deepEqual([state().last_move, state().active, state().to_move], [{pass: true}, undefined, 'green']);
        const {moves} = await client.done({type: 'sync', room});
        assert.deepEqual(moves.at(-1).move, {pass: true});
        await client.end();
    });

    test('a move and its shot are two moves of one turn', async () => {
        const {client, playAll, state} = await alone({game: 'amazons'});
        const moved = await playAll('d1-d7');
        assert.equal(state().to_move, 'white');
        assert.ok(moved.legal_moves.every(({from}) => from === 'd7'));
        await playAll('d7-f9');
        assert.deepEqual([state().to_move, state().cells.f9.figure, state().cells.d7.figure], ['black', 'arrow', 'amazon']);
        await client.end();
    });
});

describe('claims', () => {
    const knights = 'g1-f3 g8-f6 f3-g1 f6-g8';

    test('whoever is to move may claim what the state offers, and nobody else, and nothing else', async () => {
        const table = await setTable(server, {record, watch: true});
        const {room, white, black, spectator} = table;
        await white.refused({type: 'action', room, kind: 'claim.result'}, 'no_offer', /nothing to claim/);
        await playMoves(table, 'g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1');
        await black.settle();
        assert.equal(black.rooms.get(room).state.claim, undefined);
        await playMoves({...table, white: black}, 'f6g8');
        await white.settle();
        assert.deepEqual(white.rooms.get(room).state.claim, {draw: true, reason: 'threefold repetition'});
        await black.refused({type: 'action', room, kind: 'claim.result'}, 'not_your_turn');
        await spectator.refused({type: 'action', room, kind: 'claim.result'}, 'not_seated');
        const command = {type: 'action', id: 'claim', room, kind: 'claim.result'};
        const ack = await white.done(command);
        assert.deepEqual(await white.done(command), ack, 'the same command');
        const {kind, seat, patch} = await spectator.next({type: 'event', kind: 'claimed'});
        assert.deepEqual([kind, seat, patch.status, patch.claim, patch.result], ['claimed', 'white', 'finished', null, {draw: true, reason: 'threefold repetition'}]);
        await white.refused({type: 'action', room, kind: 'claim.result'}, 'game_over');
        await table.end();
    });

    test('a claim not made goes with the move, and what nobody claims ends by itself at last', async () => {
        const {client, playAll, play, state} = await alone({game: 'chess'});
        await playAll(`${knights} ${knights}`);
        assert.ok(state().claim);
        await play({from: 'e2', to: 'e4'});
        assert.equal(state().claim, undefined);
        await client.end();
        const other = await alone({game: 'chess'});
        const event = await other.playAll([knights, knights, knights, knights].join(' '));
        assert.deepEqual([other.state().status, event.patch.result], ['finished', {draw: true, reason: 'fivefold repetition'}]);
        await other.client.end();
    });

    test('a claim that stands is there after a restart', async () => {
        const {client, room, playAll, state} = await alone({game: 'chess'});
        await playAll(`${knights} ${knights}`);
        const claim = state().claim;
        await server.stop('SIGKILL');
        await server.start();
        const back = await Client.open(server, {record, token: client.token});
        await back.done({type: 'resume', room, version: 0});
        assert.deepEqual((await back.next({type: 'snapshot'})).state.claim, claim);
        await back.done({type: 'action', room, kind: 'claim.result'});
        assert.equal((await back.next({type: 'event'})).patch.result.draw, true);
        await back.end();
    });
});

describe('numbers of players', () => {
    const all = ['red', 'orange', 'yellow', 'green', 'blue', 'purple'];
    const counts = {2: ['red', 'green'], 3: ['red', 'yellow', 'blue'], 4: ['red', 'orange', 'green', 'blue'], 6: all};

    test('the list says with how many a game may be played', async () => {
        const client = await Client.open(server, {record});
        const {games} = await client.done({type: 'games', op: 'list'});
        const {player_counts, players} = games.find(({id}) => id === 'chinese-checkers');
        assert.deepEqual([player_counts, players], [counts, all]);
        assert.equal(games.find(({id}) => id === 'chess').player_counts, undefined);
        const {game} = await client.done({type: 'games', op: 'get', game: 'chinese-checkers'});
        assert.deepEqual(game.player_counts, counts);
        await client.end();
    });

    for (const [count, players] of Object.entries(counts))
        test(`${count} play the game for ${count}, after a restart as well, and the rematch too`, async () => {
            const {client, room, snapshot, play, state} = await alone({game: 'chinese-checkers', players: Number(count)});
            assert.deepEqual(snapshot.layout.players, players);
            assert.deepEqual([...new Set(Object.values(snapshot.state.cells).map(({player}) => player))].sort(), [...players].sort());
            assert.equal(Object.keys(snapshot.state.cells).length, 10 * players.length);
            const {events} = await client.done({type: 'history', room, from: 1, to: 1});
            assert.equal(events[0].players, Number(count) === 6 ? undefined : Number(count));
            await play(snapshot.legal_moves[0]);
            while (state().active) await play({pass: true});
            assert.equal(state().to_move, players[1]);
            const before = structuredClone(client.rooms.get(room));
            await server.stop('SIGKILL');
            await server.start();
            const back = await Client.open(server, {record, token: client.token});
            back.rooms.set(room, before);
            await back.done({type: 'resume', room, version: 0});
            const again = await back.next({type: 'snapshot'});
            assert.deepEqual([again.state, again.layout.players], [before.state, players]);
            await back.done({type: 'action', room, kind: 'resign'});
            await back.done({type: 'action', room, kind: 'rematch.offer'});
            for (const _ of players.slice(1)) await back.done({type: 'action', room, kind: 'rematch.accept'});
            const {next_room} = await back.next({type: 'event', kind: 'rematch'});
            const next = await takeSeat(back, next_room, 'any');
            assert.deepEqual(next.layout.players, players);
            await back.end();
        });

    test('a number the game is not for is refused', async () => {
        const client = await Client.open(server, {record});
        await client.refused({type: 'create', game: 'chinese-checkers', players: 5}, 'bad_message', /not for 5 players/);
        await client.refused({type: 'create', game: 'chess', players: 3}, 'bad_message', /not for 3 players/);
        await client.done({type: 'create', game: 'chess', players: 2});
        const definition = definitionOf('chinese-checkers');
        const {diagnostics} = await client.refused({type: 'create', definition, players: 5}, 'bad_definition');
        assert.equal(diagnostics.length, 1);
        await client.end();
    });

    test('a definition of one\'s own is for as many as it says', async () => {
        const definition = {...definitionOf('chinese-checkers'), name: 'mine'};
        const {client, room, snapshot} = await alone({definition, players: 3});
        assert.deepEqual(snapshot.layout.players, counts[3]);
        const {snapshot: whole, client: other} = await alone({definition});
        assert.deepEqual(whole.layout.players, all);
        await server.stop('SIGTERM');
        await server.start();
        const back = await Client.open(server, {record, token: client.token});
        assert.deepEqual((await takeSeat(back, room, 'any')).layout.players, counts[3]);
        await Promise.all([client, other, back].map(one => one.end()));
    });
});

describe('places', () => {
    // Each runs up a column of its own: who is at the top has a place, and the others go on.
    const race = {
        format: 2, name: 'places', players: ['red', 'green', 'blue'], player_counts: {2: ['red', 'blue']},
        cell: {coordinates_names: ['x', 'y'], geometry: [[0, 0], [1, 0], [1, 1], [0, 1]], position: {x: 'x', y: '4 - y'}},
        board: {cells: {box: {x: 3, y: 5}}},
        zones: {top: 'y == 4'},
        figures: {runner: {movement: [{y: 1, repeat: 2, for: 'move'}]}},
        initial_position: {red: {runner: ['0_0']}, green: {runner: ['1_0']}, blue: {runner: ['2_0']}},
        turns: ['red', 'green', 'blue'],
        results: [{if: {count: {is: {player: 'mover', zone: 'top'}, min: 1}}, result: {finish: 'mover'}, reason: 'at the top'}],
    };

    test('places are given while others play on, and are the result in the end', async () => {
        const {client, playAll, state} = await alone({definition: race});
        await playAll('0_0-0_1 1_0-1_2 2_0-2_1 0_1-0_2');
        assert.equal(state().ranks, undefined);
        await playAll('1_2-1_4');
        assert.deepEqual([state().ranks, state().status, state().to_move], [['green'], 'playing', 'blue']);
        await playAll('2_1-2_2 0_2-0_3');
        assert.equal(state().to_move, 'blue', 'green is left out');
        const {patch} = await playAll('2_2-2_4');
        assert.deepEqual(patch.result, {winner: 'green', ranks: ['green', 'blue', 'red'], reason: 'at the top'});
        assert.equal(state().ranks, undefined);
        await client.end();
    });

    // Each steps to the right and takes what is there; who has nothing left is out.
    const takers = {
        format: 2, name: 'takers', players: ['red', 'green', 'blue'],
        cell: {coordinates_names: ['x'], geometry: [[0, 0], [1, 0], [1, 1], [0, 1]], position: {x: 'x', y: '0'}},
        board: {cells: {box: {x: 8}}},
        figures: {man: {movement: [{x: 1, for: 'both'}]}},
        initial_position: {red: {man: ['0']}, green: {man: ['1', '7']}, blue: {man: ['3', '2']}},
        turns: ['red', 'green', 'blue'],
        results: [{if: {no_moves: true}, result: {eliminated: 'next', their_figures: 'removed'}, reason: 'stuck'}],
    };

    test('who is eliminated is told while others play on', async () => {
        const {client, playAll, state} = await alone({definition: takers});
        await playAll('0-1');
        assert.deepEqual([state().out, state().status, state().to_move], [['green'], 'playing', 'blue']);
        assert.equal(state().cells['7'], undefined, 'what is left of green is gone');
        await playAll('3-4 1-2 4-5 2-3 5-6 3-4 6-7 4-5');
        assert.deepEqual(state().result, {winner: 'red', ranks: ['red', 'blue', 'green'], reason: 'stuck'});
        assert.deepEqual(state().out, ['green', 'blue']);
        await client.end();
    });
});
