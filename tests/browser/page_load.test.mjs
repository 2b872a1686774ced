// What the page asks for before it can be used: counts and bytes, of the page as it is served (deploy/page). Times are
// what tests/bench/page.mjs prints.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {existsSync, mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {after, before, test} from 'node:test';
import {fileURLToPath} from 'node:url';
import {chromium} from 'playwright-core';
import {Server} from '../support/server.mjs';
import {measure} from '../bench/page.mjs';
import {args, executablePath} from './chromium.mjs';

const folder = mkdtempSync(join(tmpdir(), 'senet-page-'));
const server = new Server(['--web', join(folder, 'web')]);
let browser, figures;

before(async () => {
    execFileSync(fileURLToPath(new URL('../../deploy/page', import.meta.url)), [join(folder, 'web')], {stdio: 'inherit'});
    await server.start();
    browser = await chromium.launch({executablePath, args});
    figures = await measure(server, {browser});
});
after(async () => {
    await browser?.close();
    await server.remove();
    rmSync(folder, {recursive: true});
});

const isBuilt = existsSync(new URL('../../build/browser/engine.wasm.gz', import.meta.url)); // the engine for browsers
const scripts = ({list}) => list.filter(({type}) => type === 'Script').map(({path}) => path);
const scriptBytesOf = ({list}, names) => list.filter(({path}) => names.some(name => path.endsWith(name))).reduce((sum, {bytes}) => sum + bytes, 0);
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

test('/make takes 20 requests at most, each for something else; besides editor and engine its scripts are 75 KB at most', () => {
    const visit = figures['make, cold'];
    const own = visit.list.filter(({type, path}) => type === 'Script' && !path.endsWith('/make/editor.js'));
    assert.ok(visit.requests <= 20, `${visit.requests}\n${paths(visit)}`);
    assert.equal(new Set(visit.list.map(({path}) => path)).size, visit.list.length, paths(visit));
    assert.ok(own.reduce((sum, {bytes}) => sum + bytes, 0) <= 75_000, paths(visit));
});

test('a page asks at once for every script it begins with, and /make for none that the lobby has brought', () => {
    const askedBy = html => [...readFileSync(join(folder, 'web', html), 'utf8').matchAll(/(?:src|rel="modulepreload" href)="\{\{files\}\}(\/[^"]+\.js)"/g)].map(([, name]) => name);
    const nextFromLobby = askedBy('room.html').filter(name => !askedBy('index.html').includes(name)); // comes when nothing else does
    assert.ok(nextFromLobby.length > 0, 'the lobby is there without what a room is made of');
    for (const [visit, html, later] of [['lobby, cold', 'index.html', nextFromLobby], ['room, cold', 'room.html', []], ['make, cold', 'make/index.html', []]]) {
        const asked = askedBy(html);
        const came = scripts(figures[visit]).map(path => path.replace(/^\/v\/[0-9a-f]+/, ''));
        assert.deepEqual(came.sort(), [...asked, ...later].sort(), visit);
        for (const name of asked) assert.ok(existsSync(join(folder, 'web', name)), name);
    }
    assert.ok(scriptBytesOf(figures['lobby, cold'], askedBy('index.html')) < 30_000, paths(figures['lobby, cold']));
    const brought = scripts(figures['lobby, cold']);
    const shared = scripts(figures['make, cold']).filter(path => brought.includes(path));
    assert.ok(shared.length > 1, 'the pages share something');
    assert.deepEqual(scripts(figures['make from lobby']).sort(), scripts(figures['make, cold']).filter(path => !brought.includes(path)).sort());
});

test('whoever comes again asks for the page itself and for nothing else', () => {
    for (const visit of ['lobby, again', 'room, again', 'make, again']) {
        const asked = ['/api/v1/games', !isBuilt && '/engine/engine.wasm']; // which may have become others
        const others = figures[visit].list.filter(({type, path}) => !['Document', 'WebSocket'].includes(type) && !asked.includes(path));
        assert.deepEqual(others.map(({path}) => path), [], visit);
    }
});
