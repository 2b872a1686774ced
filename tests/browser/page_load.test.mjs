// What the page asks for before it can be used: counts and bytes, of the page as it is served (deploy/page). Times are
// what tests/bench/page.mjs prints.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {after, before, test} from 'node:test';
import {fileURLToPath} from 'node:url';
import {chromium} from 'playwright-core';
import {Server} from '../support/server.mjs';
import {measure} from '../bench/page.mjs';

const folder = mkdtempSync(join(tmpdir(), 'senet-page-'));
const server = new Server(['--web', join(folder, 'web')]);
let browser, figures;

before(async () => {
    execFileSync(fileURLToPath(new URL('../../deploy/page', import.meta.url)), [join(folder, 'web')], {stdio: 'inherit'});
    await server.start();
    browser = await chromium.launch({executablePath: process.env.SENET_CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu']});
    figures = await measure(server, {browser});
});
after(async () => {
    await browser?.close();
    await server.remove();
    rmSync(folder, {recursive: true});
});

const paths = ({list}) => list.map(({path, bytes}) => `${path} ${bytes}`).join('\n');

test('a first visit takes 25 requests at most, to the lobby and to a room', () => {
    for (const visit of ['lobby, cold', 'room, cold']) assert.ok(figures[visit].requests <= 25, `${visit}: ${figures[visit].requests}\n${paths(figures[visit])}`);
});

test('all scripts together are 60 KB at most, compressed, and all of a visit is 120 KB', () => {
    for (const visit of ['lobby, cold', 'room, cold']) {
        assert.ok(figures[visit].scriptBytes > 0 && figures[visit].scriptBytes <= 60_000, `${visit}: ${figures[visit].scriptBytes}`);
        assert.ok(figures[visit].bytes <= 120_000, `${visit}: ${figures[visit].bytes}\n${paths(figures[visit])}`);
    }
});

test('whoever comes again asks for the page itself and for nothing else', () => {
    for (const visit of ['lobby, again', 'room, again']) {
        const others = figures[visit].list.filter(({type}) => !['Document', 'WebSocket'].includes(type));
        assert.deepEqual(others.map(({path}) => path), [], visit);
    }
});
