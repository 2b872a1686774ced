// A room is played by the definition it was made with, for ever: the file it came from may change, break or go, the server
// may end or be killed; running rooms go on by the old rules, finished ones show what happened, new ones get the new
// file. And a definition is stored once, however many rooms are played by it.
import assert from 'node:assert/strict';
import {createHash} from 'node:crypto';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import test from 'node:test';
import {Client} from '../support/client.mjs';
import {Server} from '../support/server.mjs';
import {makeRace, playMoves, setTable, takeSeat} from '../support/table.mjs';

const SEATS = ['white', 'black'];
const RACE = {...makeRace(SEATS), title: 'Race'};
const OLD = JSON.stringify(RACE, null, 1);
// Two steps at most, and another title.
const NEW = JSON.stringify({...RACE, title: 'Slow race', figures: {stone: {...RACE.figures.stone, movement: [{x: 1}, {x: 2}]}}}, null, 1);
const WHOLE_GAME = 'κ1-κ4 κ2-κ5 κ4-κ7 κ5-κ8 κ7-κ10 κ8-κ9 κ10-κ12';
const hashOf = text => createHash('sha256').update(text).digest('hex');

const past = async (client, room) => {
    const {events} = await client.done({type: 'history', room, from: 1, to: 200});
    const states = [];
    for (const ply of [0, 1, 2]) states.push(await client.done({type: 'history', room, ply}).then(({re, ...rest}) => rest));
    return {events, states};
};

async function comeBack(server, table) {
    const back = {room: table.room, clients: []};
    for (const seat of SEATS) {
        const client = await Client.open(server, {token: table[seat].token});
        client.snapshot = await takeSeat(client, table.room, 'any');
        back.clients.push((back[seat] = client));
    }
    return back;
}

const longestOf = ({legal_moves}) => Math.max(...legal_moves.map(({from, to}) => Number(to.slice(1)) - Number(from.slice(1))));
const definitionsOf = server => Number(server.sql('select count(*) from definition'));
const pinnedTo = (server, room) => server.sql(`select definition from room where id = '${room}'`);

async function playByWhatWasPlayed(server, games) {
    const file = join(games, 'race.json');
    writeFileSync(file, OLD);
    await server.start();
    const running = await setTable(server, {create: {game: 'race'}, seats: SEATS});
    const finished = await setTable(server, {create: {game: 'race'}, seats: SEATS});
    await playMoves(running, 'κ1-κ4');
    await playMoves(finished, WHOLE_GAME);
    assert.equal(definitionsOf(server), 1, 'two rooms, one definition');
    assert.equal(pinnedTo(server, running.room), hashOf(OLD));
    assert.equal(server.sql('select text from definition'), OLD, 'byte for byte');
    const was = await past(finished.white, finished.room);
    const exported = await (await fetch(`${server.url}/api/v1/rooms/${finished.room}/export`)).text();

    // The file changes, and for the server that runs nothing does.
    writeFileSync(file, NEW);
    await playMoves({...running, white: running.black, black: running.white}, 'κ2-κ5');
    let now = running;
    for (const signal of ['SIGTERM', 'SIGKILL']) {
        await server.stop(signal);
        await server.start();
        now = await comeBack(server, now);
        assert.equal(now.white.snapshot.state.status, 'playing');
        assert.equal(longestOf(now.white.snapshot), 3);
        const again = await comeBack(server, finished);
        assert.deepEqual(await past(again.white, finished.room), was);
        assert.equal(again.white.snapshot.state.result.winner, 'white');
        assert.equal(await (await fetch(`${server.url}/api/v1/rooms/${finished.room}/export`)).text(), exported);
        assert.equal(JSON.parse(exported).definition, OLD);
        await Promise.all(again.clients.map(client => client.end()));

        const fresh = await setTable(server, {create: {game: 'race'}, seats: SEATS});
        assert.equal(longestOf(await takeSeat(fresh.white, fresh.room, 'any')), 2);
        await fresh.white.refused({type: 'move', room: fresh.room, move: {from: 'κ1', to: 'κ4'}}, 'illegal_move');
        assert.equal(pinnedTo(server, fresh.room), hashOf(NEW));
        assert.equal(pinnedTo(server, running.room), hashOf(OLD));
        assert.equal(definitionsOf(server), 2);
        await fresh.end();
        await playMoves(now, signal === 'SIGTERM' ? 'κ4-κ7 κ5-κ8' : 'κ7-κ10 κ8-κ9');
    }

    // It breaks, and it goes: whoever plays goes on, and a rematch is by the same rules.
    for (const change of [() => writeFileSync(file, '{'), () => rmSync(file)]) {
        await server.stop('SIGKILL');
        change();
        await server.start();
        now = await comeBack(server, now);
        assert.equal(now.white.snapshot.state.status, 'playing');
    }
    await playMoves(now, 'κ10-κ12');
    await now.black.done({type: 'action', room: now.room, kind: 'rematch.offer'});
    await now.white.done({type: 'action', room: now.room, kind: 'rematch.accept'});
    const {next_room} = await now.white.next({type: 'event', kind: 'rematch'});
    assert.equal(pinnedTo(server, next_room), hashOf(OLD));

    // It comes back as it was: what was stored is stored.
    await server.stop();
    writeFileSync(file, OLD);
    await server.start();
    const last = await setTable(server, {create: {game: 'race'}, seats: SEATS});
    assert.equal(pinnedTo(server, last.room), hashOf(OLD));
    assert.equal(definitionsOf(server), 2);
    await last.end();
}

for (const [name, postgres] of [['SQLite'], ['PostgreSQL', process.env.SENET_TEST_POSTGRES]]) {
    const skip = name === 'PostgreSQL' && !postgres && 'SENET_TEST_POSTGRES names no PostgreSQL';
    test(`${name}: a room is played by the definition it was made with, whatever becomes of the file`, {skip, timeout: 300000}, async () => {
        const games = mkdtempSync(join(tmpdir(), 'senet-games-'));
        const server = new Server(['--games', games], {postgres});
        try {
            await playByWhatWasPlayed(server, games);
        } finally {
            await server.remove();
            rmSync(games, {recursive: true, force: true});
        }
    });
}
