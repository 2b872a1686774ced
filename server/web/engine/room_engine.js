// The engine for a room: its game, as the server pinned it, and questions about positions that come of its moves.

import {startEngine} from './engine.js';
import {GameLine, keyOf, plain} from './game_line.js';
import {hashState} from '../senet.js';

const LIMIT_MS = 20_000; // of what never ends: an answer is bounded work, which only a slow phone or a busy machine takes so long for

// record: {definition, players, moves} as `record` of an earlier RoomEngine of this room; without, the server is asked.
// null where this cannot be: no WebAssembly, no engine on this server, no record.
export async function openRoomEngine(room, record = null) {
    const worker = await startEngine({limit: LIMIT_MS});
    if (worker.status !== 'ready') return null;
    const known = record ?? (await fetchRecord(room));
    if (!known) return null;
    const engine = new RoomEngine(worker, known);
    await engine.begin();
    return engine;
}

// Of an export, what an engine needs; its moves are all that were made by then.
export async function fetchRecord(room) {
    const answer = await fetch(`/api/v1/rooms/${encodeURIComponent(room)}/export`);
    if (!answer.ok) return null;
    const {definition, players, events} = await answer.json();
    const moves = events.flatMap(({kind, body}) => (kind === 'created' ? (body.moves ?? []) : kind === 'moved' ? [body.move] : []));
    return {definition, players, moves: moves.map(plain)};
}

export class RoomEngine {
    record;
    #worker;
    #line;
    #checked = -1; // the version at which engine and server were found to agree
    #differs = false;

    constructor(worker, record) {
        this.record = record;
        this.#worker = worker;
        this.#line = new GameLine(worker, {text: record.definition, players: record.players});
    }

    get broken() {
        return this.#differs || this.#line.broken;
    }

    end() {
        this.#worker.end();
    }

    // The Worker is there from now on, and has the game: later there may be no connection to fetch it by.
    async begin() {
        await this.#line.ask([], {do: 'state'});
    }

    // All moves of the room so far. null: those before the ones that the page has are not known here.
    movesOf(replica) {
        const before = this.record.moves.slice(0, replica.movesFrom);
        return before.length < replica.movesFrom ? null : [...before, ...replica.moves.map(({move}) => move)];
    }

    // Whether the engine stands where the server says the room does. Where it does not it is not used again.
    async agrees(replica) {
        const {version, state} = replica;
        if (this.broken) return false;
        if (this.#checked === version) return true;
        const moves = this.movesOf(replica);
        if (!moves) return false;
        const answer = await this.#line.ask(moves, {do: 'state'});
        this.#differs ||= !stateAgrees(answer.state, state);
        if (!this.#differs) this.#checked = version;
        return !this.#differs;
    }

    // Why the move is legal, or what forbids it, as the server explains it; null: it has to be asked.
    async explain(replica, {from, to, choice}) {
        const moves = this.movesOf(replica);
        if (!(await this.agrees(replica))) return null;
        return (await this.#line.ask(moves, {do: 'explain', from, to, choice})).explanation;
    }

    // Where the figure there may go, now or once the board is another: {cell: whether it might at once, if it were its player's turn}.
    async reach(replica, from) {
        const moves = this.movesOf(replica);
        if (!(await this.agrees(replica))) return null;
        const {targets} = await this.#line.ask(moves, {do: 'targets', from, ahead: true});
        return Object.fromEntries(Object.entries(targets).map(([cell, {verdict}]) => [cell, verdict === 'legal' || verdict === 'choice']));
    }

    // What the seat would do if it were its turn: {moves, puts} as of rules.js; null where that is not known.
    async waysOf(replica, seat) {
        const made = this.movesOf(replica);
        if (!(await this.agrees(replica))) return null;
        const {moves} = await this.#line.ask(made, {do: 'moves', ahead: seat});
        return {moves: moves.some(({from}) => from !== undefined), puts: moves.some(({from, to, choice}) => from === undefined && to !== undefined && choice === undefined)};
    }

    // The legal moves, with their texts; null: the server has to be asked.
    async legalMoves(replica) {
        const moves = this.movesOf(replica);
        if (!(await this.agrees(replica))) return null;
        return await this.#legalAfter(moves);
    }

    // How it stands after any moves that the rules allow: {state, legalMoves, attacked, counters, scores, hands}; `state` as a room's
    // without what belongs to seats.
    async position(moves) {
        const {state} = await this.#line.ask(moves, {do: 'state'});
        const legalMoves = state.status === 'playing' ? await this.#legalAfter(moves) : [];
        const {attacked = [], scores = {}, hands = null} = state;
        return {state: roomState(state, moves), legalMoves, attacked, counters: countersOf(state), scores, hands};
    }

    // What is good after them: so many moves and what may follow, the best first, as the server answers `hint`.
    async hint(moves, count) {
        const {lines} = await this.#line.ask(moves, {do: 'hint', lines: count});
        const shown = move => ({move: plain(move), text: move.algebraic ?? move.text});
        return {lines: lines.map(line => ({...line, moves: line.moves.map(shown)}))};
    }

    // How it stood after the first `ply` of them, as the server answers `history`; null where they are not known.
    async past(moves, ply) {
        if (!moves) return null;
        const {state, attacked, hands} = await this.position(moves.slice(0, ply));
        return {state, hash: hashState(state), attacked, hands};
    }

    // The last of them, in the game's own words.
    async textOf(moves) {
        const last = keyOf(moves.at(-1));
        return (await this.#legalAfter(moves.slice(0, -1))).find(move => keyOf(move) === last)?.text ?? '';
    }

    async #legalAfter(moves) {
        const answer = await this.#line.ask(moves, {do: 'moves', algebraic: true});
        return answer.moves.map(move => ({...plain(move), text: move.algebraic ?? move.text}));
    }
}

function stateAgrees(engine, server) {
    const figures = cells => Object.entries(cells).map(([name, {figure, player}]) => `${name} ${figure} ${player}`).sort().join();
    const going = server.status === 'playing' && engine.to_move === server.to_move;
    return (going || server.status !== 'playing') && engine.state === server.state && figures(engine.cells) === figures(server.cells);
}

function roomState({cells, state, status, to_move, active, taken, move_number, result, ranks, out}, moves) {
    const ended = result && (ranks ? {...result, ranks} : result);
    const all = {cells, state, status, to_move, active, taken, move_number, out, ply: moves.length, result: ended, last_move: moves.at(-1)};
    return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

function countersOf({counters = {}}) {
    return Object.fromEntries(Object.entries(counters).filter(([, value]) => typeof value === 'object'));
}

// The room as if it stood elsewhere: a replica that everybody may be shown, and whose server knows nothing of it.
export function elsewhere(replica, {state, legalMoves, attacked, counters, scores, hands}, moves, movesFrom) {
    return Object.assign(Object.create(replica), {
        state: {...state, seats: replica.state.seats},
        legalMoves,
        legalMovesCount: legalMoves.length,
        attacked,
        counters,
        scores,
        hands,
        moves,
        movesFrom,
    });
}

export {keyOf, plain};
