// A database full of rooms: one is played, and copied as SQL as often as is asked for.
import {execFileSync} from 'node:child_process';
import {Client} from './client.mjs';
import {setTable} from './table.mjs';

export const roomOf = number => `R${String(number).padStart(7, '0')}`;

// The same moves every time: a small generator.
function* numbers(seed) {
    for (let state = seed; ; ) {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        yield state / 2 ** 32;
    }
}

// A game of so many plies that is not over: {room, tokens}.
async function playOne(server, plies) {
    for (let seed = 1; ; seed++) {
        const draws = numbers(seed);
        const table = await setTable(server);
        const {room, white, black} = table;
        let {legal_moves} = await white.done({type: 'sync', room});
        let ply = 0;
        for (; ply < plies && legal_moves?.length > 0; ply++) {
            const [mover, other] = ply % 2 ? [black, white] : [white, black];
            await mover.done({type: 'move', room, move: legal_moves[Math.floor(draws.next().value * legal_moves.length)]});
            const next = await other.next(({type, kind, version}) => type === 'event' && kind === 'moved' && version === ply + 4);
            legal_moves = next.legal_moves;
        }
        await table.end();
        if (ply === plies && legal_moves?.length > 0) return {room, tokens: [white.token, black.token]};
    }
}

// Both databases: R0000001 … are the same room again, with the same players.
function copySql(room, count, postgres) {
    const id = postgres ? "'R' || lpad(i::text, 7, '0')" : "printf('R%07d', i)";
    const series = postgres ? `generate_series(1, ${count}) AS n (i)` : 'n';
    const n = postgres ? '' : `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count}) `;
    const version = postgres ? ', version' : '';
    const events = postgres ? 'event' : 'folded_event';
    const columns = 'version, epoch, client, kind, at, body';
    return [
        `INSERT INTO room (id, game, title, definition, is_public, status, created_at, players${version})
            ${n}SELECT ${id}, game, title, definition, is_public, status, created_at + i, players${version}
            FROM ${series}, room WHERE room.id = '${room}'`,
        `INSERT INTO seat (room, number, seat, player, token_hash, name, bot, house, created_at)
            ${n}SELECT ${id}, number, seat, player, token_hash, name, bot, house, created_at + i
            FROM ${series}, seat WHERE seat.room = '${room}'`,
        `INSERT INTO ${events} (room, command, ${columns})
            ${n}SELECT ${id}, CASE command WHEN '' THEN '' ELSE command || '-' || i END, ${columns}
            FROM ${series} CROSS JOIN ${events} e WHERE e.room = '${room}'`,
    ];
}

function copyInPostgres(server, statements) {
    // Its indexes are made when the rows are there: sorting once is quicker than sorting in.
    const indexes = server.sql("SELECT string_agg(indexdef, ';') FROM pg_indexes WHERE tablename = 'event' AND indexname IN ('event_of_command', 'room_made_by')");
    const script = ['SET synchronous_commit = off', 'DROP INDEX event_of_command', 'DROP INDEX room_made_by', ...statements, indexes, 'ANALYZE'].join(';\n');
    execFileSync('psql', [server.store, '-qX', '-v', 'ON_ERROR_STOP=1'], {input: script});
}

function copyInSqlite(server, statements) {
    const script = ['PRAGMA synchronous = OFF', 'PRAGMA cache_size = -200000', 'BEGIN', ...statements, 'COMMIT;'].join(';\n');
    execFileSync('sqlite3', ['-bail', server.database], {input: script, stdio: ['pipe', 'ignore', 'inherit']});
    execFileSync('sync', [server.database]); // or the server's first sync would wait for all of it
}

// Of a server that runs; when this resolves it has ended in peace. Resolves with the tokens of white and black.
export async function fillWithRooms(server, {rooms, plies}) {
    const {room, tokens} = await playOne(server, plies);
    await server.stop();
    const statements = copySql(room, rooms, Boolean(server.postgres));
    if (server.postgres) copyInPostgres(server, statements);
    else copyInSqlite(server, statements);
    return tokens;
}

export async function openSeats(server, tokens) {
    return await Promise.all(tokens.map(token => Client.open(server, {token})));
}
