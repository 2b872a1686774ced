// How long the page takes on a slow phone: the lobby, a room's link and /make, cold and again, with Chromium's emulation of slow
// 4G and a processor four times slower. Figures of `measure` are counts, bytes and milliseconds; only the command prints times.
import {chromium} from '../browser/node_modules/playwright-core/index.mjs';
import {args, executablePath} from '../browser/chromium.mjs';
import {execFileSync} from 'node:child_process';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath, pathToFileURL} from 'node:url';
import {Server} from '../support/server.mjs';

// 150 ms a round trip and 1.6 Mbit/s, as Lighthouse has it.
export const SLOW_4G = {offline: false, latency: 150, downloadThroughput: (1.6 * 1024 * 1024) / 8, uploadThroughput: (750 * 1024) / 8};

const PATIENCE_MS = 120_000; // a busy machine; nothing is measured by it

const READY = {lobby: '.game-card', room: '.room:not(.loading) .board [data-cell]', make: '[data-template="square"]'};

async function open(context, url, ready, network) {
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    const session = await context.newCDPSession(page);
    const requests = new Map();
    await session.send('Network.enable');
    if (network) {
        await session.send('Network.emulateNetworkConditions', network);
        await session.send('Emulation.setCPUThrottlingRate', {rate: 4});
    }
    session.on('Network.responseReceived', ({requestId, response, type}) =>
        requests.set(requestId, {type, path: new URL(response.url).pathname, cached: response.fromDiskCache, bytes: 0}));
    session.on('Network.loadingFinished', ({requestId, encodedDataLength}) => {
        if (requests.has(requestId)) requests.get(requestId).bytes = encodedDataLength;
    });
    const started = performance.now();
    await page.goto(url, {waitUntil: 'commit'});
    await page.waitForSelector(ready);
    const readyMs = performance.now() - started;
    await page.waitForLoadState('load');
    // What comes after it can be used, when nothing else is to do: the room's scripts in the lobby, the engine of /make.
    if (ready === READY.lobby) await page.waitForFunction(() => performance.getEntriesByType('resource').some(({name}) => /\/room-[^/]*\.js$/.test(name)));
    await page.waitForLoadState('networkidle');
    await page.waitForTimeout(network ? 3_000 : 500); // pictures
    const list = [...requests.values()].filter(({cached}) => !cached);
    const bytesOf = wanted => list.filter(wanted).reduce((sum, {bytes}) => sum + bytes, 0);
    await page.close();
    return {readyMs, requests: list.length, bytes: bytesOf(() => true), scriptBytes: bytesOf(({type}) => type === 'Script'), list};
}

// The visits, each cold one in a profile of its own; and /make once more, from the lobby.
export async function measure(server, {network = null, browser}) {
    const host = await browser.newContext({viewport: {width: 1280, height: 800}});
    const page = await host.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    await page.goto(server.url);
    await page.click('[data-game="chess"] [data-way="friend"]');
    await page.click('.dialog .primary');
    await page.waitForURL('**/room/*');
    const room = page.url();
    const figures = {};
    const phone = () => browser.newContext({viewport: {width: 390, height: 844}, deviceScaleFactor: 2, isMobile: true, hasTouch: true});
    for (const [name, url] of [['lobby', server.url], ['room', room], ['make', `${server.url}/make`]]) {
        const visitor = await phone();
        figures[`${name}, cold`] = await open(visitor, url, READY[name], network);
        figures[`${name}, again`] = await open(visitor, url, READY[name], network);
        await visitor.close();
    }
    const visitor = await phone();
    await open(visitor, server.url, READY.lobby, network);
    figures['make from lobby'] = await open(visitor, `${server.url}/make`, READY.make, network);
    await visitor.close();
    await host.close();
    return figures;
}

async function main() {
    const joined = mkdtempSync(join(tmpdir(), 'senet-page-'));
    execFileSync(fileURLToPath(new URL('../../deploy/page', import.meta.url)), [join(joined, 'web')], {stdio: 'inherit'});
    const server = new Server(process.argv.includes('--as-built') ? [] : ['--web', join(joined, 'web')]);
    await server.start();
    const browser = await chromium.launch({executablePath, args});
    try {
        const figures = await measure(server, {network: SLOW_4G, browser});
        console.log('visit           ready ms  requests   KiB  scripts KiB');
        for (const [name, {readyMs, requests, bytes, scriptBytes, list}] of Object.entries(figures)) {
            console.log(`${name.padEnd(15)} ${readyMs.toFixed(0).padStart(8)} ${`${requests}`.padStart(9)} ${(bytes / 1024).toFixed(1).padStart(5)} ${(scriptBytes / 1024).toFixed(1).padStart(12)}`);
            if (process.argv.includes('--list')) for (const {path, bytes: size} of list) console.log(`    ${`${size}`.padStart(7)} ${path}`);
        }
    } finally {
        await browser.close();
        await server.remove();
        rmSync(joined, {recursive: true});
    }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) await main();
