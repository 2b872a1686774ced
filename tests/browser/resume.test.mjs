// The page on a connection that does not hold: a proxy sends every frame of the server's twice, holds it back or cuts it.
import assert from 'node:assert/strict';
import {after, before, test} from 'node:test';
import {Proxy} from '../support/proxy.mjs';
import {Server} from '../support/server.mjs';
import {assertConverged, Browser, seeded} from './browser.mjs';

const browser = new Browser('resume');
const next = seeded(Number(process.env.SENET_SEED ?? 4));
const moves = ['e2 e4', 'e7 e5', 'g1 f3', 'b8 c6', 'f1 b5', 'a7 a6', 'b5 a4', 'g8 f6'];
const idle = ['f3 g1', 'f6 g8', 'g1 f3', 'g8 f6']; // for as long as fate has cut too few
const IDLE_MAX = 12;
const CUTS_MIN = 6;
let server, proxy;

before(async () => {
    server = new Server();
    await server.start();
    proxy = new Proxy(server, {random: bound => Math.floor(next() * bound), cut: 8});
    await proxy.start();
    await browser.start();
});

after(async () => {
    await browser.stop();
    proxy.stop();
    await server.remove();
});

test('two play and one watches while connections break again and again, and no page is loaded anew', {timeout: 300_000}, async t => {
    const visitors = [];
    proxy.calm = true;
    for (const name of ['Ada', 'Grace', 'Zoe']) visitors.push(await browser.visitor(name));
    const [ada, grace, zoe] = visitors;
    const room = await ada.enterRoom({url: `http://127.0.0.1:${proxy.port}`}, 'chess', 'friend', {seat: 'White'});
    for (const visitor of [grace, zoe]) await visitor.open(room);
    await grace.page.locator('[data-take="black"]').click();
    await assertConverged(visitors, 3);
    for (const visitor of visitors) {
        visitor.serverIsAway = true; // connections that fail are what this is about
        await visitor.page.evaluate(() => (window.stillTheSamePage = true));
    }
    proxy.calm = false;
    let version = 3;
    const more = Array.from({length: IDLE_MAX}, (_, i) => idle[i % idle.length]);
    for (const [index, move] of [...moves, ...more].entries()) {
        if (index >= moves.length && proxy.counts.cut >= CUTS_MIN) break;
        const mover = index % 2 ? grace : ada;
        await mover.reaches(version);
        await mover.click(...move.split(' '));
        version++;
        for (const visitor of visitors) await visitor.reaches(version);
    }
    assert.ok(proxy.counts.cut >= CUTS_MIN, `connections were cut: ${proxy.counts.cut}`);
    t.diagnostic(`${proxy.connections} connections, ${JSON.stringify(proxy.counts)}`);
    proxy.calm = true;
    await assertConverged(visitors, version);
    for (const visitor of visitors) assert.equal(await visitor.page.evaluate(() => window.stillTheSamePage), true);
});

test('no page had anything to complain about', () => browser.assertNoErrors());
