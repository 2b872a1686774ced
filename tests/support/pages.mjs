// Two people who play on pages in a real browser while servers come and go: each comes by a balancer to whichever server is ready,
// as the page does by itself, and what they began with is never loaded anew.
import assert from 'node:assert/strict';
import {setTimeout as pause} from 'node:timers/promises';
import {Browser, eventually} from '../browser/browser.mjs';
import {Wire} from './wire.mjs';

const THINK_MS = 500;

export class Pages {
    moves = 0;
    pauses = []; // from each click until both had seen the stone
    #loads = 0;

    // `wayOf(i)`: {port}, where a connection of the `i`th is sent, asked at each.
    async open(wayOf) {
        this.wires = [];
        for (const i of [0, 1]) {
            const way = wayOf(i);
            this.wires.push(await new Wire(() => way.port).open());
        }
        const [hers, his] = this.wires.map(({port}) => `http://127.0.0.1:${port}`);
        this.browser = new Browser('roll');
        await this.browser.start();
        const [black, white] = (this.visitors = [await this.browser.visitor('Ada'), await this.browser.visitor('Grace')]);
        const room = await black.enterRoom({url: hers}, 'go', 'friend', {seat: 'Black'});
        await white.open(room.replace(hers, his));
        await white.page.locator('[data-take="white"]').click();
        for (const {page} of this.visitors) await page.waitForSelector('[data-status="playing"]');
        for (const visitor of this.visitors) {
            await visitor.isLoaded();
            visitor.serverIsAway = true; // connections that fail are what this is about
            await visitor.page.evaluate(() => (window.stillTheSamePage = true));
            visitor.page.on('load', () => this.#loads++);
        }
        this.playing = this.#play();
        this.playing.catch(error => (this.failure = error));
    }

    // Stones on every other line: none is ever taken.
    async #cells() {
        const names = await this.visitors[0].page.locator('[data-cell]').evaluateAll(cells => cells.map(cell => cell.dataset.cell));
        return names.filter(name => Number(name.slice(1)) % 2 === 1);
    }

    async #play() {
        let {version} = await this.visitors[0].holds();
        await this.visitors[1].reaches(version);
        for (const [i, cell] of (await this.#cells()).entries()) {
            if (this.isOver) return;
            const began = Date.now();
            await this.visitors[i % 2].cell(cell).click();
            version++;
            for (const visitor of this.visitors) await visitor.reaches(version);
            this.pauses.push(Date.now() - began);
            this.moves++;
            await pause(THINK_MS);
        }
        throw new Error('the board is full');
    }

    // Resolves when there has been so much play since.
    async playOn(moves) {
        const wanted = this.moves + moves;
        while (this.moves < wanted) {
            if (this.failure) throw this.failure;
            await pause(20);
        }
    }

    // No more moves; both pages are those that were opened, show the same, and have nothing to complain about.
    async finish() {
        this.isOver = true;
        await this.playing;
        await eventually(async () => {
            const [one, other] = await Promise.all(this.visitors.map(visitor => visitor.holds()));
            assert.deepEqual(one, other);
        });
        for (const visitor of this.visitors) assert.equal(await visitor.page.evaluate(() => window.stillTheSamePage), true);
        assert.equal(this.#loads, 0, 'no page was loaded anew');
        // What a server cut off when it ended, it or another one has sent since; the engine may not have been built.
        for (const {errors} of this.visitors) assert.deepEqual(errors.filter(words => !/net::ERR_|engine\.wasm/.test(words)), []);
    }

    async close() {
        this.isOver = true;
        await this.browser?.stop();
        for (const wire of this.wires ?? []) wire.close();
    }
}
