// Figures that are put on the board: with a mouse, by keyboard and with a finger; what is refused, said and chosen.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {Client} from '../support/client.mjs';
import {DESKTOP, eventually, PHONE, stage} from './browser.mjs';

const {server, browser} = stage('placing');
const isThere = (visitor, cell, words) => eventually(async () => assert.match(await visitor.cell(cell).getAttribute('aria-label'), words));
const targets = visitor => visitor.page.locator('[data-cell][aria-label*="legal target"]').count();
const said = visitor => visitor.page.locator('.moves-list .move').allInnerTexts();

test('both sides on one screen put marks by clicks, and three in a row win', async () => {
    const visitor = await browser.visitor('mouse');
    await visitor.enterRoom(server, 'tic-tac-toe', 'screen');
    await visitor.page.waitForSelector('[data-status="playing"]');
    await eventually(async () => assert.equal(await targets(visitor), 9));
    await visitor.screenshot('start');
    let {version} = await visitor.holds();
    for (const cell of ['b2', 'a1', 'c1', 'a3']) {
        await visitor.cell(cell).click();
        await visitor.reaches(++version);
    }
    await eventually(async () => assert.equal(await targets(visitor), 5));
    await isThere(visitor, 'a1', /nought mark/);
    await visitor.cell('a1').click(); // not empty: it is said why
    await visitor.page.getByText('a1 is not empty: the mark of nought stands there').waitFor();
    await visitor.screenshot('middle');
    await visitor.cell('a2').click();
    await visitor.reaches(++version);
    await visitor.cell('b3').click();
    await visitor.reaches(++version);
    await visitor.cell('c2').click();
    await visitor.page.waitForSelector('[data-status="finished"]');
    await eventually(async () => assert.deepEqual((await said(visitor)).map(text => text.trim()), ['b2', 'a1', 'c1', 'a3', 'a2', 'b3', 'c2']));
    await eventually(async () => assert.match(await visitor.verdict(), /Cross won\s+.*three in a row/i));
    await visitor.screenshot('end');
});

test('by keyboard, and typed, against the bot', async () => {
    const visitor = await browser.visitor('keys');
    await visitor.enterRoom(server, 'tic-tac-toe', 'bot');
    await visitor.page.waitForSelector('.verdict.mine');
    await visitor.cell('a1').focus();
    for (const key of ['ArrowRight', 'ArrowUp', 'Enter']) await visitor.page.keyboard.press(key);
    await eventually(async () => assert.ok((await said(visitor)).length >= 2, 'the bot has answered'));
    await isThere(visitor, 'b2', /cross mark/);
    await eventually(async () => assert.match(await visitor.page.locator('.announcer').innerText(), /^Nought: on [abc][123]\.$/));
    await visitor.page.waitForSelector('.verdict.mine');
    const free = await visitor.page.locator('[data-cell][aria-label*="legal target"]').first().getAttribute('data-cell');
    await visitor.page.getByRole('textbox', {name: 'Type a move'}).fill(free);
    await visitor.page.keyboard.press('Enter');
    await isThere(visitor, free, /cross mark/);
});

test('with a finger on a phone, and of several kinds one is chosen', async () => {
    const definition = JSON.stringify({
        format: 2, name: 'kinds', title: 'Kinds', players: ['white', 'black'],
        cell: {coordinates_names: ['x', 'y'], name: "'abc'[x] + (y + 1)", geometry: [[0, 0], [1, 0], [1, 1], [0, 1]], position: {x: 'x', y: '2 - y'}},
        board: {cells: {box: {x: 3, y: 3}}},
        figures: {pawn: {movement: [{y: 1, for: 'move'}]}, knight: {movement: []}},
        place: [{put: ['pawn', 'knight']}],
        turns: ['white', 'black'],
    });
    const host = await Client.open(server);
    const {room} = await host.done({type: 'create', definition});
    const visitor = await browser.visitor('finger', PHONE);
    await visitor.context.addInitScript(token => (localStorage['senet.token'] ??= token), host.token);
    await host.done({type: 'join', room, seat: 'all', name: 'host'});
    await host.end();
    await visitor.open(`${server.url}/room/${room}`);
    await visitor.page.waitForSelector('[data-status="playing"]');
    await eventually(async () => assert.equal(await targets(visitor), 9));
    await visitor.cell('b1').tap();
    await visitor.page.locator('dialog[open]').getByRole('button', {name: 'Pawn'}).waitFor();
    await visitor.screenshot('choice');
    await visitor.page.locator('dialog[open]').getByRole('button', {name: 'Pawn'}).tap();
    await isThere(visitor, 'b1', /white pawn/);
    await visitor.cell('c3').tap();
    await visitor.page.locator('dialog[open]').getByRole('button', {name: 'Knight'}).tap();
    await isThere(visitor, 'c3', /black knight/);
    await visitor.tap('b1', 'b2'); // what was put moves as any other
    await isThere(visitor, 'b2', /white pawn/);
    await eventually(async () => assert.deepEqual((await said(visitor)).map(text => text.trim()), ['pawn@b1', 'knight@c3', 'b1–b2']));
    await visitor.screenshot('moved');
});

for (const [name, size] of [['desktop', DESKTOP], ['phone', PHONE]])
    test(`reversi on a ${name}: what is enclosed turns over, back again when one looks back, and nothing else is put`, async () => {
        const visitor = await browser.visitor(name, size);
        await visitor.enterRoom(server, 'reversi', 'screen');
        await visitor.page.waitForSelector('[data-status="playing"]');
        await eventually(async () => assert.equal(await targets(visitor), 4));
        const press = cell => (size === PHONE ? visitor.cell(cell).tap() : visitor.cell(cell).click());
        let {version} = await visitor.holds();
        await visitor.screenshot('reversi-start');
        await press('a1');
        await visitor.page.getByText('would enclose nothing').first().waitFor();
        await press('d3');
        await visitor.reaches(++version);
        for (const cell of ['d3', 'd4', 'd5']) await isThere(visitor, cell, /black disc/);
        await isThere(visitor, 'e5', /white disc/);
        assert.equal(await visitor.page.locator('.strip .captured .kind').count(), 0, 'nothing was taken');
        await visitor.screenshot('reversi-turned');
        await press('c3'); // a corner away: it encloses along the diagonal
        await visitor.reaches(++version);
        await isThere(visitor, 'd4', /white disc/);
        await isThere(visitor, 'd3', /black disc/);
        const back = visitor.page.getByRole('button', {name: 'One move back'});
        await back.click();
        await isThere(visitor, 'd4', /black disc/);
        await back.click();
        await isThere(visitor, 'd4', /white disc/);
        await isThere(visitor, 'd3', /empty/);
    });

for (const [name, size, press] of [['desktop', undefined, 'click'], ['phone', PHONE, 'tap']])
    test(`nine men's morris on a ${name}: a mill, and the same player removes a stone that stands in none`, async () => {
        const visitor = await browser.visitor(`mill-${name}`, size);
        await visitor.enterRoom(server, 'nine-mens-morris', 'screen');
        assert.ok(await visitor.page.locator('.board .faces').evaluate(faces => {
            const [wood, ...cells] = [...faces.children].map(face => face.getBBox());
            return cells.every(cell => cell.x >= wood.x && cell.y >= wood.y && cell.x + cell.width <= wood.x + wood.width + 1e-3 && cell.y + cell.height <= wood.y + wood.height + 1e-3);
        }), 'the board is of wood between its points, too');
        await visitor.page.waitForSelector('[data-status="playing"]');
        let {version} = await visitor.holds();
        for (const cell of ['a1', 'a4', 'd1', 'b2', 'g1']) {
            await visitor.cell(cell)[press]();
            await visitor.reaches(++version);
        }
        await eventually(async () => assert.equal(await targets(visitor), 2));
        await isThere(visitor, 'b2', /black stone, legal target/);
        await visitor.page.locator('.verdict strong').getByText('White to move: mill', {exact: true}).waitFor();
        await visitor.screenshot(`mill-${name}`);
        await visitor.cell('d6')[press](); // nothing is put now
        await visitor.page.getByText('d6 is empty: there is nothing to remove').waitFor();
        await visitor.cell('b2')[press]();
        await visitor.reaches(++version);
        await isThere(visitor, 'b2', /empty/);
        await visitor.page.locator('.verdict strong').getByText('Black to move', {exact: true}).waitFor();
        await isThere(visitor, 'a4', /black stone/);
        await visitor.cell('b2')[press](); // Black's turn, who puts it there again
        await visitor.reaches(++version);
        await isThere(visitor, 'b2', /black stone/);
        await visitor.screenshot(`removed-${name}`);
    });

for (const [name, size, press] of [['desktop', undefined, 'click'], ['phone', PHONE, 'tap']])
    test(`hex on a ${name}: the second player swaps sides, once`, async () => {
        const visitor = await browser.visitor(`pie-${name}`, size);
        await visitor.enterRoom(server, 'hex', 'screen');
        await visitor.page.waitForSelector('[data-status="playing"]');
        const swap = visitor.page.getByRole('button', {name: 'Swap sides', exact: true});
        let {version} = await visitor.holds();
        await eventually(async () => assert.equal(await targets(visitor), 121));
        assert.equal(await swap.count(), 0); // who begins has nothing to swap for
        await visitor.cell('c1')[press]();
        await visitor.reaches(++version);
        await swap.waitFor();
        await visitor.screenshot(`pie-${name}`);
        await swap[press]();
        await visitor.reaches(++version);
        await isThere(visitor, 'c1', /empty/);
        await isThere(visitor, 'a3', /blue stone/);
        await eventually(async () => assert.equal(await swap.count(), 0));
        await eventually(async () => assert.deepEqual((await said(visitor)).map(text => text.trim()), ['c1', 'swap']));
        await visitor.screenshot(`swapped-${name}`);
        await visitor.cell('c1')[press]();
        await visitor.reaches(++version);
        await isThere(visitor, 'c1', /red stone/);
        await visitor.page.keyboard.press('ArrowLeft'); // the past: before that move, and before the swap
        await isThere(visitor, 'c1', /empty/);
        await visitor.page.keyboard.press('ArrowLeft');
        await isThere(visitor, 'c1', /red stone/);
        await isThere(visitor, 'a3', /empty/);
    });

test('no page had anything to complain about', () => browser.assertNoErrors());
