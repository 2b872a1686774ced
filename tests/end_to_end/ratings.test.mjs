// Rated games, against both stores: who may sit there, what a game does to both players, once, also when the server is killed
// right after it, and that all of it follows from the games again.
import assert from 'node:assert/strict';
import {execFileSync, spawnSync} from 'node:child_process';
import test from 'node:test';
import {Client} from '../support/client.mjs';
import {Server} from '../support/server.mjs';
import {playMoves, setTable, SHORT_GAME, takeSeat} from '../support/table.mjs';

const clock = {initial_ms: 180000, increment_ms: 2000};
const rated = {game: 'chess', clock, rated: true};
const program = process.env.SENET_PROGRAM;

// Asked again until it is so: a game counts a moment after its end.
async function until(ask, holds) {
    for (let left = 300; ; left--) {
        const answer = await ask();
        if (holds(answer) || left === 0) return answer;
        await new Promise(resolve => setTimeout(resolve, 100));
    }
}

const get = async (server, path) => (await fetch(`${server.url}/api/v1/ratings/${path}`)).json();
const ratingOf = (server, player, games) => until(() => get(server, `chess/blitz/${player}`), answer => answer.games === games);

function check(server) {
    const {status, stdout, stderr} = spawnSync(program, ['ratings', '--check', '--store', server.store], {encoding: 'utf8'});
    return {status, said: stdout + stderr};
}

for (const [name, postgres] of [['SQLite', undefined], ['PostgreSQL', process.env.SENET_TEST_POSTGRES]]) {
    const skip = name === 'PostgreSQL' && !postgres && 'SENET_TEST_POSTGRES names no PostgreSQL';

    test(`${name}: rated games count once, and their ratings follow from them`, {skip, timeout: 240000}, async () => {
        const server = new Server([], {postgres});
        try {
            await server.start();
            const table = await setTable(server, {create: rated});
            assert.equal(table.white.snapshot.rated, 'blitz');
            const none = await get(server, `chess/blitz/${table.white.player}`);
            assert.deepEqual(none, {player: table.white.player, rating: 1500, deviation: 350, provisional: true, games: 0, won: 0, drawn: 0, lost: 0});
            await playMoves(table, SHORT_GAME);
            const white = await ratingOf(server, table.white.player, 1), black = await ratingOf(server, table.black.player, 1);
            // Of two about whom nothing is known, by the paper's formulas.
            assert.deepEqual([white.rating, white.deviation, white.won, white.lost, white.provisional, white.name], [1662, 290, 1, 0, true, 'white']);
            assert.deepEqual([black.rating, black.deviation, black.won, black.lost], [1338, 290, 0, 1]);

            // A game that is not begun does not count, and an unrated one changes nothing.
            const again = {create: {...rated, game: 'chess'}};
            const aborted = await setTable(server, again);
            await aborted.white.done({type: 'action', room: aborted.room, kind: 'abort'});
            const plain = await setTable(server, {create: {game: 'chess', clock}});
            assert.equal(plain.white.snapshot.rated, undefined);
            await playMoves(plain, SHORT_GAME);

            // Killed with the end of the game on disk and nothing else: it counts after the restart, once. A rematch is rated as well.
            await table.black.done({type: 'action', room: table.room, kind: 'rematch.offer'});
            await table.white.done({type: 'action', room: table.room, kind: 'rematch.accept'});
            const {next_room: room} = (await table.white.next({type: 'event', kind: 'rematch'}));
            const second = {room, white: table.black, black: table.white};
            await takeSeat(table.black, room, 'white');
            await takeSeat(table.white, room, 'black');
            await playMoves(second, SHORT_GAME);
            await server.stop('SIGKILL');
            await server.start();
            const after = await ratingOf(server, table.black.player, 2);
            assert.deepEqual([after.games, after.won, after.lost], [2, 1, 1]);
            await server.stop('SIGKILL');
            await server.start();
            await ratingOf(server, table.white.player, 2);
            assert.equal((await get(server, `chess/blitz/${aborted.white.player}`)).games, 0);

            // Nobody is sure yet, so nobody leads; and what there is not is not found.
            assert.deepEqual(await get(server, 'chess/blitz'), {game: 'chess', speed: 'blitz', players: []});
            for (const path of ['chess/fast', 'nothing/blitz', 'chess']) {
                assert.equal((await fetch(`${server.url}/api/v1/ratings/${path}`)).status, 404, path);
            }

            assert.deepEqual(check(server), {status: 0, said: '2 games, 0 differences\n'});
            const lines = execFileSync(program, ['ratings', '--store', server.store], {encoding: 'utf8'}).trim().split('\n');
            assert.equal(lines.length, 2);
            assert.ok(lines.some(line => line.startsWith(`chess/blitz\t${table.black.player}\t`) && line.endsWith('\t2')), lines.join('\n'));
            server.sql("UPDATE rating SET rating = rating + 1 WHERE won = 1 AND player = '" + table.white.player + "'");
            const found = check(server);
            assert.equal(found.status, 1);
            assert.match(found.said, new RegExp(`the rating is another one\tchess/blitz\t${table.white.player}`));
        } finally {
            await server.remove();
        }
    });
}

test('who may make a rated room, and sit there', async () => {
    const server = new Server();
    try {
        await server.start();
        const client = await Client.open(server);
        for (const [create, words] of [
            [{game: 'chess', rated: true}, /clock/],
            [{...rated, clock: {...clock, seats: {white: {initial_ms: 60000}}}}, /same time/],
            [{definition: {}, clock, rated: true}, /server's own/],
            [{...rated, rated: 1}, /rated/],
        ]) await client.refused({type: 'create', ...create}, 'bad_message', words);
        const {room} = await client.done({type: 'create', ...rated});
        await client.refused({type: 'join', room, seat: 'all', name: 'A'}, 'seat_taken', /for two/);
        await takeSeat(client, room, 'white');
        await client.refused({type: 'join', room, seat: 'black', name: 'A'}, 'seat_taken', /for two/);
        await client.refused({type: 'action', room, kind: 'bot.invite'}, 'unsupported', /no rating/);
        const {rooms} = await (await fetch(`${server.url}/api/v1/rooms`)).json();
        assert.equal(rooms.find(listed => listed.room === room).rated, 'blitz');
        // Who seeks a rated game does not meet who seeks another one.
        const other = await Client.open(server), third = await Client.open(server);
        const casual = other.ask({type: 'seek', game: 'chess', clock});
        const first = client.ask({type: 'seek', game: 'chess', clock, rated: true});
        const {room: sought} = await third.done({type: 'seek', game: 'chess', clock, rated: true});
        assert.equal((await first).room, sought);
        await other.done({type: 'seek.cancel'});
        assert.equal((await casual).code, 'withdrawn');
        await takeSeat(third, sought, 'any');
    } finally {
        await server.remove();
    }
});
