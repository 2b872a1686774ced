// Pages in a real browser for tests: opened at a size, watched for errors, their frames recorded, and the words that
// tests of the page have in common (play a move, wait for a version).
import assert from 'node:assert/strict';
import {appendFileSync, mkdirSync, rmSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {after, before} from 'node:test';
import {setTimeout as pause} from 'node:timers/promises';
import {fileURLToPath} from 'node:url';
import {chromium} from 'playwright-core';
import {Player} from '../support/player.mjs';
import {Server} from '../support/server.mjs';
import {args, executablePath} from './chromium.mjs';
import {lag} from './lag.mjs';

const repository = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const screenshots = process.env.SENET_SCREENSHOTS ?? join(repository, 'build', 'screenshots');
export const traffic = process.env.SENET_TRAFFIC ?? join(repository, 'build', 'traffic');
mkdirSync(screenshots, {recursive: true});
mkdirSync(traffic, {recursive: true});

// SENET_SLOW=6: pages have a processor six times slower, which finds tests that wait for times instead of states.
const SLOW = Number(process.env.SENET_SLOW ?? 1);
const PATIENCE_MS = 120_000 * Math.max(1, SLOW / 2); // nothing waits for a time: a busy machine takes long to load a page

const flags = [
    ...args,
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
];

// What the visitors of a file have sent and heard.
const trafficOf = subject => join(traffic, `browser-${subject}.ndjson`);

export const DESKTOP = {viewport: {width: 1280, height: 800}};
export const PHONE = {viewport: {width: 390, height: 844}, deviceScaleFactor: 2, isMobile: true, hasTouch: true};
// What a player does is tested at both.
export const SIZES = [['desktop', DESKTOP], ['phone', PHONE]];
const FINGER = 40; // pixels that a button has at least, each way, where it is pressed by one

// Each test file has a browser of its own; each visitor a profile of their own, so a token of their own.
export class Browser {
    #browser = null;
    #visitors = [];

    constructor(subject) {
        this.subject = subject; // names the screenshots and the recorded traffic
    }

    async start() {
        rmSync(trafficOf(this.subject), {force: true}); // of an earlier run
        this.#browser = await chromium.launch({executablePath, args: flags});
    }

    // name: what the visitor is called; also by the page, when `named`.
    async visitor(name, size = DESKTOP, {named = true} = {}) {
        const context = await this.#browser.newContext({locale: 'en-US', ...size, permissions: ['clipboard-read', 'clipboard-write']});
        await lag(context);
        if (named) await context.addInitScript(text => localStorage.setItem('senet.name', text), name);
        const visitor = new Visitor(this.subject, name, context, {named, hand: size.hasTouch ? 'tap' : 'click'});
        this.#visitors.push(visitor);
        return visitor;
    }

    async stop() {
        await this.#browser?.close();
    }

    assertNoErrors() {
        for (const visitor of this.#visitors) assert.deepEqual(visitor.errors, [], `${visitor.name}'s page`);
    }
}

class Visitor {
    errors = [];
    serverIsAway = false; // only then is a failed connection no error
    refusals = false; // only then may a request over HTTP be refused
    brokenRequests = false; // only then may one fail
    #underWay = new Set(); // requests of the page that is open

    // hand: what presses buttons and cells, "click" or "tap".
    constructor(subject, name, context, {named, hand}) {
        Object.assign(this, {subject, name, context, named, hand});
    }

    // until: what is waited for ('load': all pictures that the page begins with have come, or failed).
    async open(url, {until = 'load'} = {}) {
        this.page = await this.newPage();
        this.#underWay = this.#requestsOf(this.page);
        await this.page.goto(url, {waitUntil: until});
        return this.page;
    }

    async newPage() {
        const page = await this.context.newPage();
        page.setDefaultTimeout(PATIENCE_MS);
        if (SLOW > 1) await (await this.context.newCDPSession(page)).send('Emulation.setCPUThrottlingRate', {rate: SLOW});
        page.on('pageerror', error => this.errors.push(error.stack));
        page.on('console', message => this.#heard(message));
        page.on('websocket', socket => this.#record(socket));
        return page;
    }

    #heard(message) {
        if (message.type() !== 'error') return;
        if (this.serverIsAway && /WebSocket connection to|ERR_INTERNET_DISCONNECTED/.test(message.text())) return;
        if (this.brokenRequests && /net::ERR_FAILED/.test(message.text())) return;
        if (this.refusals && /status of 4\d\d/.test(message.text())) return;
        this.errors.push(`${message.text()} (${message.location().url})`);
    }

    #requestsOf(page) {
        const underWay = new Set();
        page.on('request', request => underWay.add(request));
        for (const end of ['requestfinished', 'requestfailed']) page.on(end, request => underWay.delete(request));
        return underWay;
    }

    // Until a server that goes away cuts nothing off: all pictures have come, and the engine, once a hand has called for it.
    // but: the end of an address that the test holds back.
    async isLoaded({but} = {}) {
        await this.page.waitForSelector('.room:not(.loading):not([data-engine="coming"])');
        await eventually(() => assert.deepEqual([...this.#underWay].map(request => request.url()).filter(url => !but || !url.endsWith(but)), []));
    }

    #record(socket) {
        const file = trafficOf(this.subject);
        const write = (dir, payload) => appendFileSync(file, `${JSON.stringify({dir, frame: JSON.parse(payload)})}\n`);
        socket.on('framesent', ({payload}) => write('in', payload));
        socket.on('framereceived', ({payload}) => write('out', payload));
    }

    // Pieces have arrived where they were going.
    async screenshot(moment, options = {}) {
        await this.page.screenshot({path: join(screenshots, `${this.subject}-${moment}-${this.name}.png`), animations: 'disabled', ...options});
    }

    cell(name) {
        return this.page.locator(`[data-cell="${name}"]`);
    }

    async click(from, to) {
        await this.cell(from).click();
        await this.cell(to).click();
    }

    async tap(from, to) {
        await this.cell(from).tap();
        await this.cell(to).tap();
    }

    // With whichever of the two this visitor has.
    async play(from, to) {
        await this[this.hand](from, to);
    }

    // A button, by its name or as a locator: it is there, nothing lies on it, and a finger hits it.
    async press(button) {
        const wanted = typeof button === 'string' ? this.page.getByRole('button', {name: button, exact: true}) : button;
        await wanted[this.hand]({trial: true}); // in sight, and nothing moves any more
        const {width, height} = await wanted.boundingBox();
        if (this.hand === 'tap') assert.ok(Math.min(width, height) >= FINGER, `${await wanted.innerText()}: ${width} × ${height} is too small for a finger`);
        await wanted[this.hand]();
    }

    async drag(from, to) {
        const start = await this.#middle(from);
        const end = await this.#middle(to);
        await this.page.mouse.move(start.x, start.y);
        await this.page.mouse.down();
        await this.page.mouse.move((start.x + end.x) / 2, (start.y + end.y) / 2, {steps: 3});
        await this.page.mouse.move(end.x, end.y, {steps: 3});
        await this.page.mouse.up();
    }

    // With a finger, as the browser's own input does it, so that scrolling would happen where nothing prevents it.
    async dragWithFinger(from, to) {
        const start = await this.#middle(from);
        const end = await this.#middle(to);
        const input = await this.context.newCDPSession(this.page);
        const touch = (type, points) => input.send('Input.dispatchTouchEvent', {type, touchPoints: points});
        await touch('touchStart', [start]);
        for (const part of [0.25, 0.5, 0.75, 1]) {
            await touch('touchMove', [{x: start.x + (end.x - start.x) * part, y: start.y + (end.y - start.y) * part}]);
        }
        await touch('touchEnd', []);
        await input.detach();
    }

    async withKeyboard(from, to) {
        await this.cell(from).focus();
        await this.page.keyboard.press('Enter');
        await this.cell(to).focus();
        await this.page.keyboard.press('Enter');
    }

    async #middle(name) {
        const box = await this.cell(name).boundingBox();
        return {x: box.x + box.width / 2, y: box.y + box.height / 2};
    }

    // Until the page holds at least this version of its room.
    async reaches(version) {
        await this.page.waitForFunction(
            wanted => Number(document.querySelector('.room')?.dataset.version) >= wanted,
            version,
        );
    }

    async holds() {
        return await this.page.evaluate(() => {
            const {version, hash, status} = document.querySelector('.room').dataset;
            return {version: Number(version), hash, status};
        });
    }

    // Plays any legal move with the given hand ("click" or "tap"); returns false when there is none to play.
    async playAny(hand, random) {
        const origins = await this.#cells('can move');
        const origin = origins[Math.floor(random() * origins.length)];
        if (origin !== undefined) await this.cell(origin)[hand]();
        const targets = await this.#cells('legal target'); // without an origin: where something may be put
        if (origin === undefined && targets.length === 0) return false;
        assert.ok(targets.length > 0, `${origin} can move, so it has a target`);
        await this.cell(targets[Math.floor(random() * targets.length)])[hand]();
        const choice = this.page.locator('dialog[open] .choices.tiles button').first(); // of moves that differ in more than cells
        if ((await choice.count()) > 0) await choice[hand]();
        return true;
    }

    async #cells(words) {
        return await this.page
            .locator(`[data-cell][aria-label*="${words}"]`)
            .evaluateAll(cells => cells.map(cell => cell.dataset.cell));
    }

    // Opens a room of its own over the protocol, as the lobby would, and comes into it: a page less than by clicks, for tests
    // that are about something else. way: "friend", "bot", "screen".
    async enterRoom(server, game, way, {seat, players, clock, hidden = false, until} = {}) {
        const host = new Player({port: new URL(server.url).port});
        host.token = await this.#token();
        await host.connect();
        const {games} = await host.call({type: 'games', op: 'list'});
        const {players: all, player_counts: counts} = games.find(({id}) => id === game);
        const seats = counts?.[players] ?? all;
        const mine = seat?.toLowerCase() ?? seats[0];
        const {room} = await host.call({type: 'create', game, visibility: hidden ? 'private' : 'public', ...(seats !== all && {players}), ...(clock && {clock})});
        await host.call({type: 'join', room, seat: way === 'screen' ? 'all' : mine, ...(this.named && {name: this.name})});
        for (const other of way === 'bot' ? seats.filter(one => one !== mine) : []) await host.call({type: 'action', room, kind: 'bot.invite', seat: other});
        host.close();
        await this.context.addInitScript(token => (localStorage['senet.token'] ??= token), host.token);
        await this.open(`${server.url}/room/${room}`, {until});
        await this.reaches(2);
        return this.page.url();
    }

    // Who the visitor is; null before the first page, or while a page is not ours.
    async #token() {
        if (!this.page || this.page.isClosed()) return null;
        return await this.page.evaluate(() => localStorage.getItem('senet.token'));
    }

    // Opens a room from the lobby.
    async openRoom(server, game, way, {seat, players, hidden = false} = {}) {
        await this.open(server.url);
        await this.page.click(`[data-game="${game}"] [data-way="${way}"]`);
        if (players) await this.page.locator('.dialog .players label', {hasText: `${players}`}).click();
        if (seat) await this.page.locator('.dialog .seat label', {hasText: seat}).click();
        await this.page.setChecked('.dialog [name="private"]', hidden);
        await this.page.click('.dialog .primary');
        await this.page.waitForURL('**/room/*');
        await this.reaches(2);
        return this.page.url();
    }

    async verdict() {
        return await this.page.locator('.verdict').innerText();
    }
}

// A server and a browser for a file's tests: there before the first, gone after the last. `subject` as the browser's;
// `set` is what the file does with them before its tests (in here: hooks of one file do not wait for each other).
export function stage(subject, set = async () => {}) {
    const server = new Server(['--bot-think-ms', '0']);
    const browser = new Browser(subject);
    before(async () => {
        await server.start();
        await browser.start();
        await set();
    });
    after(async () => {
        await browser.stop();
        await server.remove();
    });
    return {server, browser};
}

// Until what is asserted is so: for what is shown a moment after it was asked for. What must not be so is not asserted like this.
export async function eventually(assertion) {
    for (const end = Date.now() + PATIENCE_MS; ; await pause(20)) {
        try {
            return await assertion();
        } catch (error) {
            if (!(error instanceof assert.AssertionError) || Date.now() > end) throw error;
        }
    }
}

// The same numbers every time.
export function seeded(seed) {
    let state = seed >>> 0;
    return () => {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        return state / 2 ** 32;
    };
}

// All pages hold the same version of the same state.
export async function assertConverged(visitors, version) {
    for (const visitor of visitors) await visitor.reaches(version);
    const held = await Promise.all(visitors.map(visitor => visitor.holds()));
    for (const other of held) assert.deepEqual(other, held[0]);
    return held[0];
}

// Nothing of the page is wider than the screen, once it is laid out.
export async function assertFits(visitor) {
    await eventually(async () => {
        const {width, wanted} = await visitor.page.evaluate(() => ({
            width: document.documentElement.clientWidth,
            wanted: document.documentElement.scrollWidth,
        }));
        assert.ok(wanted <= width, `the page is ${wanted} wide on a screen of ${width}`);
    });
}

// Nothing is cut off: no button, heading or link is narrower than its words.
export async function assertNothingClipped(visitor) {
    const clipped = await visitor.page.evaluate(() => {
        const seen = [...document.querySelectorAll('button, a, h1, h2, h3, label, legend, .verdict, .tag, th')].filter(element => element.checkVisibility() && element.textContent.trim());
        return seen.filter(element => element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 1).map(element => `${element.className}: ${element.textContent.slice(0, 60)}`);
    });
    assert.deepEqual(clipped, []);
}
