// Rated games, against both stores: who may sit there, what a game does to both players, once, also when the server is killed
// right after it, who leads, and that all of it follows from the games again, and they from their logs.
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

const stores = [['SQLite', undefined], ['PostgreSQL', process.env.SENET_TEST_POSTGRES]];
const skipOf = (name, postgres) => name === 'PostgreSQL' && !postgres && 'SENET_TEST_POSTGRES names no PostgreSQL';

// All come from one address here.
const UNLIMITED = ['--address-rooms-per-minute', '0', '--rooms-made-per-second', '0', '--address-commands-per-second', '100000', '--all-commands-per-second', '0', '--address-rate', '10000', '--address-mib-per-day', '0'];

// A rated game of two, begun and ended so: `first` has won, `second` has, or it is `drawn`. Gives the room.
async function playRated(first, second, how, create = rated) {
    const {room} = await first.done({type: 'create', ...create});
    await takeSeat(first, room, 'white');
    await takeSeat(second, room, 'black');
    for (const client of [first, second]) {
        const {legal_moves} = await client.next(message => message.type === 'event' && message.room === room && message.legal_moves);
        await client.done({type: 'move', room, move: legal_moves[0]});
    }
    const act = (client, kind) => client.done({type: 'action', room, kind});
    if (how === 'drawn') await act(first, 'draw.offer').then(() => act(second, 'draw.accept'));
    else await act(how === 'first' ? second : first, 'resign');
    await Promise.all([first, second].map(client => client.done({type: 'leave', room})));
    for (const client of [first, second]) client.drain();
    return room;
}

for (const [name, postgres] of stores) {
    const skip = skipOf(name, postgres);

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

            assert.deepEqual(check(server), {status: 0, said: '2 games, 2 with their logs, 0 differences\n'});
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

const PLAYERS = 12, ROUNDS = 2 * (PLAYERS - 1); // each plays each twice: more games than the store tells at once
const LISTED = 50;

// Who plays whom in a round: the last one stays, the others go round.
function pairsOf(round) {
    const others = PLAYERS - 1, place = k => (round + k + others) % others;
    const pairs = [[others, place(0)]];
    for (let k = 1; k < PLAYERS / 2; k++) pairs.push([place(k), place(-k)]);
    return pairs;
}

async function playTournament(clients, tally) {
    for (let round = 0; round < ROUNDS; round++) {
        await Promise.all(pairsOf(round).map(async ([one, other]) => {
            const how = ['first', 'second', 'drawn'][(one * other + round) % 3];
            await playRated(clients[one], clients[other], how);
            for (const [player, result] of [[one, {first: 'won', second: 'lost'}], [other, {first: 'lost', second: 'won'}]])
                tally[player][result[how] ?? 'drawn']++;
        }));
    }
}

// Ratings of people who have never been here.
function addStrangers(server, count, ladder) {
    const rows = Array.from({length: count}, (_, i) => `('${ladder}', 'p_stranger${i + 100}', 'S${i}', false, ${300000 - Math.floor(i / 2)}, 7000, 60000, 9, 9, 0, ${Date.now()}, ${i % 5 === 0 ? 1 : Date.now() + 1e9})`);
    server.sql(`INSERT INTO rating (ladder, player, name, bot, rating, deviation, volatility, games, won, drawn, rated_at, sure_until) VALUES ${rows.join(', ')}`);
    return rows.map((_, i) => ({player: `p_stranger${i + 100}`, rating: Math.round((300000 - Math.floor(i / 2)) / 100), sure: i % 5 !== 0}));
}

for (const [name, postgres] of stores) {
    const skip = skipOf(name, postgres);

    test(`${name}: of many players the best lead, in each game at each speed`, {skip, timeout: 240000}, async () => {
        const server = new Server(UNLIMITED, {postgres});
        try {
            await server.start();
            const clients = await Promise.all(Array.from({length: PLAYERS + 2}, () => Client.open(server)));
            const tally = clients.map(() => ({won: 0, drawn: 0, lost: 0}));
            await playTournament(clients, tally);
            const [best, last, newcomer, other] = [clients[0], clients[PLAYERS - 1], ...clients.slice(PLAYERS)];
            await playRated(newcomer, other, 'first');
            await playRated(best, newcomer, 'second', {...rated, clock: {initial_ms: 600000}});
            await playRated(last, newcomer, 'second', {...rated, game: 'checkers'});
            Object.assign(tally[PLAYERS], {won: 1}), Object.assign(tally[PLAYERS + 1], {lost: 1});

            // What each has done is told of each, and the list has those who are sure, the best first.
            const all = await Promise.all(clients.map((client, i) => ratingOf(server, client.player, i < PLAYERS ? ROUNDS : 1)));
            for (const [i, {won, drawn, lost}] of all.entries()) assert.deepEqual({won, drawn, lost}, tally[i]);
            assert.deepEqual(all.map(({provisional}) => provisional), clients.map((_, i) => i >= PLAYERS));
            const {players} = await get(server, 'chess/blitz');
            const byName = list => [...list].sort((one, two) => (one.player < two.player ? -1 : 1));
            assert.deepEqual(byName(players), byName(all.slice(0, PLAYERS)));
            assert.deepEqual(players.map(({rating}) => rating), all.slice(0, PLAYERS).map(({rating}) => rating).sort((one, two) => two - one));
            assert.ok(new Set(players.map(({rating}) => rating)).size > PLAYERS / 3, 'they are told apart');

            // Another speed, and another game, are other ladders, where nobody is sure yet.
            for (const [ladder, loser] of [['chess/rapid', best], ['checkers/blitz', last]]) {
                const lost = await until(() => get(server, `${ladder}/${loser.player}`), answer => answer.games === 1);
                assert.deepEqual([lost.lost, lost.provisional, lost.rating < 1500], [1, true, true], ladder);
                assert.deepEqual((await get(server, ladder)).players, []);
            }

            const games = PLAYERS / 2 * ROUNDS + 3, ratings = clients.length + 4;
            assert.deepEqual(check(server), {status: 0, said: `${games} games, ${games} with their logs, 0 differences\n`});
            assert.equal(execFileSync(program, ['ratings', '--store', server.store], {encoding: 'utf8'}).trim().split('\n').length, ratings);

            // More than a list holds, and more than the store tells at once; who is as good as another comes by the name.
            const strangers = addStrangers(server, 140, 'chess/blitz');
            const lead = strangers.filter(({sure}) => sure).slice(0, LISTED).map(({player, rating}) => [player, rating]);
            const found = await get(server, 'chess/blitz');
            assert.deepEqual(found.players.map(({player, rating}) => [player, rating]), lead);
            assert.ok(found.players.every(({provisional}) => !provisional));
            assert.deepEqual((await get(server, 'chess/rapid')).players, []);
            const {status, said} = check(server);
            assert.equal(status, 1);
            for (const {player} of strangers) assert.match(said, new RegExp(`no games led there\tchess/blitz\t${player}\n`));
            assert.match(said, new RegExp(`${games} games, ${games} with their logs, ${strangers.length} differences\n$`));
        } finally {
            await server.remove();
        }
    });

    test(`${name}: what has counted is compared with the logs of the games`, {skip, timeout: 240000}, async () => {
        const server = new Server(UNLIMITED, {postgres});
        try {
            await server.start();
            const clients = await Promise.all(Array.from({length: 10}, () => Client.open(server)));
            const rooms = [];
            for (let i = 0; i < clients.length; i += 2)
                rooms.push(await playRated(clients[i], clients[i + 1], ['first', 'second', 'drawn'][(i / 2) % 3]));
            // The seat goes to another device of the same person, and the rating with it.
            const table = await setTable(server, {create: rated});
            await playMoves(table, 'e2e4 e7e5');
            const {key} = await table.white.done({type: 'seat_key', room: table.room});
            const device = await Client.open(server);
            await device.done({type: 'join', room: table.room, key});
            await table.black.done({type: 'action', room: table.room, kind: 'resign'});
            rooms.push(table.room);
            for (const client of [...clients, device]) await ratingOf(server, client.player, 1);
            assert.equal((await server.stop()).code, 0);
            assert.deepEqual(check(server), {status: 0, said: '6 games, 6 with their logs, 0 differences\n'});
            const numbers = rooms.map(room => Number(server.sql(`SELECT number FROM rated_game WHERE room = '${room}'`)));

            const log = postgres ? 'event' : 'folded_event';
            const spoil = (statement, line) => {
                server.sql(statement);
                const {status, said} = check(server);
                assert.equal(status, 1, statement);
                assert.match(said, line, statement);
            };
            const [ended, between, inLadder, unrated, broken, moved] = numbers;
            const says = (number, words, whose) => new RegExp(`^game ${number}: its log ${words}\\t${whose}$`, 'm');
            spoil(`UPDATE rated_side SET score = 2 - score WHERE number = ${ended}`, says(ended, 'says that it ended otherwise', `chess/blitz\t${clients[0].player}`));
            spoil(`UPDATE rated_side SET player = 'p_0123456789abcdef' WHERE number = ${between} AND side = 1`, says(between, 'says that somebody else played', 'chess/blitz\tp_0123456789abcdef'));
            spoil(`UPDATE rated_side SET taken_from = '${clients[0].player}' WHERE number = ${moved} AND side = 0`, says(moved, 'says that somebody else played', `chess/blitz\t${device.player}`));
            spoil(`UPDATE rated_game SET ladder = 'chess/rapid' WHERE number = ${inLadder}`, says(inLadder, 'is of another ladder', `chess/rapid\t${rooms[2]}`));
            spoil(`UPDATE ${log} SET body = replace(body, '"rated":true', '"rated":false') WHERE version = 1 AND room = '${rooms[3]}'`, says(unrated, 'says that it does not count', `chess/blitz\t${rooms[3]}`));
            spoil(`UPDATE ${log} SET body = '{}' WHERE version = 4 AND room = '${rooms[4]}'`, says(broken, 'cannot be followed', `chess/blitz\t${rooms[4]}`));

            // A room that is gone says nothing.
            server.sql(`DELETE FROM seat WHERE room = '${rooms[4]}'; DELETE FROM room WHERE id = '${rooms[4]}'`);
            const {said} = check(server);
            assert.ok(!said.includes(`game ${broken}:`), said);
            assert.match(said, /^6 games, 5 with their logs, \d+ differences$/m);
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
