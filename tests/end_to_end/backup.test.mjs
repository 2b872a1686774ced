// `senet backup` while a server is busy: each copy is one moment, whole, with everything acknowledged before.
import assert from 'node:assert/strict';
import {execFileSync, spawnSync} from 'node:child_process';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import test from 'node:test';
import {program, Server} from '../support/server.mjs';
import {seed, sitDown} from '../support/load.mjs';

const wait = ms => new Promise(resolve => setTimeout(resolve, ms));
const backup = (...words) => spawnSync(program, ['backup', ...words], {encoding: 'utf8'});
const log = file =>
    execFileSync('sqlite3', ['-separator', '\t', file, 'select room, version, kind, client, command, at, body from event order by room, version'], {maxBuffer: 1 << 28})
        .toString()
        .split('\n')
        .filter(line => line)
        .map(line => line.split('\t'));

test('a copy made under load is a prefix of the log, with all that was acknowledged before', {timeout: 300000}, async t => {
    t.diagnostic(`seed ${seed}`);
    const folder = mkdtempSync(join(tmpdir(), 'senet-backup-'));
    const server = new Server();
    let tables = [];
    try {
        await server.start();
        tables = await sitDown(server, 6, {patient: true});
        const copies = [];
        for (let i = 0; i < 8; i++) {
            await wait(150);
            const before = new Map(tables.flatMap(table => [...table.acknowledged].map(([room, moves]) => [room, Math.max(0, ...moves.map(move => move.version))])));
            const file = join(folder, `copy${i}.db`);
            const made = backup('--store', server.store, file);
            assert.equal(made.status, 0, made.stderr);
            copies.push({file, before});
        }
        for (const table of tables) table.close();
        await server.stop();
        const whole = new Map(log(server.database).map(event => [`${event[0]}/${event[1]}`, event.join('\t')]));
        for (const {file, before} of copies) {
            assert.equal(execFileSync('sqlite3', [file, 'pragma integrity_check']).toString().trim(), 'ok');
            const versions = new Map();
            for (const event of log(file)) {
                assert.equal(whole.get(`${event[0]}/${event[1]}`), event.join('\t'), 'the copy has what the log has');
                assert.equal(Number(event[1]), (versions.get(event[0]) ?? 0) + 1, 'without a gap');
                versions.set(event[0], Number(event[1]));
            }
            for (const [room, version] of before) assert.ok((versions.get(room) ?? 0) >= version, `room ${room}: version ${version} was acknowledged before`);
        }
        const last = copies.at(-1).file, again = backup('--store', server.store, last);
        assert.equal(again.status, 1);
        assert.match(again.stderr, /exists already/);

        // The copy is a store like any other: the rooms go on from where they were.
        const restored = new Server();
        restored.database = last;
        await restored.start();
        assert.equal((await restored.stop()).code, 0);
        await restored.remove();
    } finally {
        for (const table of tables) table.close();
        await server.remove();
        rmSync(folder, {recursive: true, force: true});
    }
});

test('a backup that cannot be made says why and leaves nothing', () => {
    const folder = mkdtempSync(join(tmpdir(), 'senet-backup-'));
    try {
        const missing = backup('--store', `sqlite://${folder}/none.db`, join(folder, 'copy.db'));
        assert.equal(missing.status, 1);
        assert.match(missing.stderr, /none\.db: No such file/);
        const postgres = backup('--store', 'postgresql://somewhere/else', join(folder, 'copy.db'));
        assert.match(postgres.stderr, /pg_dump/);
        assert.equal(backup().status, 2);
        assert.equal(execFileSync('ls', [folder]).toString(), '');
    } finally {
        rmSync(folder, {recursive: true, force: true});
    }
});
