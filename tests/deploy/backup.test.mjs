// deploy/postgres: a backup under load is one moment of the whole database, with everything acknowledged before it began; restored, it goes on from there,
// also with people who have seen more.
import assert from 'node:assert/strict';
import {execFileSync, spawnSync} from 'node:child_process';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import test from 'node:test';
import {Client} from '../support/client.mjs';
import {sitDown} from '../support/load.mjs';
import {Server} from '../support/server.mjs';

const postgres = process.env.SENET_TEST_POSTGRES;
const run = (...words) => spawnSync('deploy/postgres', words, {encoding: 'utf8'});
const logOf = server => new Map(server.sql("select room || '/' || version || ' ' || md5(kind || client || command || at || body::text) from event").split('\n').map(line => line.split(' ')));

test('backup under load, and restore', {skip: !postgres && 'SENET_TEST_POSTGRES names no PostgreSQL'}, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'senet-backup-')), file = join(folder, 'senet.dump');
    const server = new Server(['--bot-think-ms', '0'], {postgres}), restored = new Server([], {postgres});
    let tables = [];
    try {
        await server.start();
        const ada = await Client.open(server);
        const {room} = await ada.done({type: 'create', game: 'chess'});
        await ada.done({type: 'join', room, seat: 'all'});
        await ada.done({type: 'move', room, move: {from: 'e2', to: 'e4'}});
        tables = await sitDown(server, 6, {patient: true});
        const before = new Map(tables.flatMap(table => [...table.acknowledged].map(([id, moves]) => [id, Math.max(0, ...moves.map(move => move.version))])));
        const made = run('backup', server.store, file);
        assert.equal(made.status, 0, made.stderr);
        assert.equal(run('backup', server.store, file).status, 1, 'nothing is written over');
        const {version: later} = await ada.done({type: 'move', room, move: {from: 'e7', to: 'e5'}}); // not in it
        for (const table of tables) table.close();
        const {code} = await server.stop();
        assert.equal(code, 0);

        const back = run('restore', file, restored.store);
        assert.equal(back.status, 0, back.stderr);
        assert.equal(run('restore', file, restored.store).status, 1, 'only what is empty is restored into');
        const whole = logOf(server), kept = logOf(restored);
        assert.ok(kept.size > 0 && kept.size < whole.size);
        for (const [event, digest] of kept) assert.equal(digest, whole.get(event), 'it has what the log has');
        assert.equal(restored.sql('select count(*) from (select room from event group by room having count(*) <> max(version)) g'), '0', 'without a gap');
        for (const [id, version] of before) assert.ok(version === 0 || kept.has(`${id}/${version}`), `room ${id}: version ${version} was acknowledged before`);

        // Who comes back is who he was, and sees the room as it is now, though he has seen more of it.
        await restored.start();
        const again = await Client.open(restored, {token: ada.token});
        assert.equal(again.player, ada.player);
        const {mode} = await again.done({type: 'resume', room, version: later});
        assert.equal(mode, 'snapshot');
        assert.equal((await again.next({type: 'snapshot', room})).version, later - 1);
        assert.equal((await again.done({type: 'move', room, move: {from: 'd7', to: 'd5'}})).version, later);
        await Promise.all([ada.end(), again.end()]);
    } finally {
        for (const table of tables) table.close();
        await server.remove();
        await restored.remove();
        rmSync(folder, {recursive: true});
    }
});

test('a URL of nowhere and a file that is none are said, and leave nothing behind', {skip: !postgres && 'SENET_TEST_POSTGRES names no PostgreSQL'}, () => {
    const folder = mkdtempSync(join(tmpdir(), 'senet-backup-')), file = join(folder, 'senet.dump');
    try {
        assert.notEqual(run('backup', 'postgresql://nobody@127.0.0.1:1/x', file).status, 0);
        assert.deepEqual(execFileSync('ls', [folder]).toString(), '');
        assert.notEqual(run('restore', file, postgres).status, 0);
        assert.equal(run().status, 2);
    } finally {
        rmSync(folder, {recursive: true});
    }
});
