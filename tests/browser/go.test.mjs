// Go on a small board: a stone is taken, a ko is refused with its reason, a score beside the seats, and two passes that end it.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {eventually, PHONE, stage} from './browser.mjs';

const {server, browser} = stage('go');
const isThere = (visitor, cell, words) => eventually(async () => assert.match(await visitor.cell(cell).getAttribute('aria-label'), words));

async function play(visitor, cells, by = 'click') {
    let {version} = await visitor.holds();
    for (const cell of cells) {
        await visitor.cell(cell)[by]();
        await visitor.reaches(++version);
    }
}

async function koIsRefused(visitor, by) {
    await play(visitor, ['d5', 'e5', 'c4', 'f4', 'd3', 'e3', 'a1', 'd4', 'e4'], by);
    await isThere(visitor, 'd4', /empty/);
    await isThere(visitor, 'e4', /black stone/);
    await visitor.cell('d4')[by]();
    await visitor.page.getByText('repeats the board (ko)').first().waitFor();
    await visitor.screenshot('ko');
}

test('a stone without a liberty is taken, and the ko may not be taken back at once', async () => {
    const visitor = await browser.visitor('desktop');
    await visitor.enterRoom(server, 'go-9', 'screen');
    await visitor.page.waitForSelector('[data-status="playing"]');
    await koIsRefused(visitor, 'click');
    await play(visitor, ['a9', 'a8', 'd4']); // elsewhere first
    await isThere(visitor, 'e4', /empty/);
    await isThere(visitor, 'd4', /white stone/);
    for (let passes = 0; passes < 2; passes++) {
        const {version} = await visitor.holds();
        await visitor.page.getByRole('button', {name: 'Pass', exact: true}).click();
        await visitor.reaches(version + 1);
    }
    await visitor.page.waitForSelector('[data-status="finished"]');
    await eventually(async () => assert.match(await visitor.verdict(), /White won\s+.*larger area/i));
    await visitor.screenshot('end');
});

test('so it is on a phone', async () => {
    const visitor = await browser.visitor('phone', PHONE);
    await visitor.enterRoom(server, 'go-9', 'screen');
    await visitor.page.waitForSelector('[data-status="playing"]');
    await koIsRefused(visitor, 'tap');
});

test('the large board has all its crossings', async () => {
    const visitor = await browser.visitor('large');
    await visitor.enterRoom(server, 'go', 'screen');
    await visitor.page.waitForSelector('[data-status="playing"]');
    await play(visitor, ['d4', 'q16', 't19']);
    await isThere(visitor, 't19', /black stone/);
    await visitor.screenshot('large');
});

test('no page had anything to complain about', () => browser.assertNoErrors());
