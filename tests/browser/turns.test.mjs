// What games of moving figures ask of the page: captures that go on, turns that may be ended, draws that may be claimed,
// more than two players, and being told why a move is none.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {assertConverged, assertFits, DESKTOP, PHONE, SIZES, stage} from './browser.mjs';

const {server, browser} = stage('turns');

// Black jumps over 29 to 34, and from there over 30 to 25.
const DOUBLE_CAPTURE = {before: '35-30 18-23 34-29', way: ['23', '34', '25'], left: 38};
// A marble hops behind another, and could hop once more.
const HOP = {before: 'd1-e5 n1-m6', first: 'b1-d1'};

async function playAll(visitor, words, hand = 'click') {
    for (const word of words.split(' ')) {
        const {version} = await visitor.holds();
        await visitor[hand](...word.split('-'));
        await visitor.reaches(version + 1);
    }
}

const label = async (visitor, cell) => await visitor.cell(cell).getAttribute('aria-label');

test('who tries a move that the rules forbid is told why, and nothing is played', async () => {
    const visitor = await browser.visitor('refused');
    await visitor.enterRoom(server, 'chess', 'screen');
    await playAll(visitor, 'e2-e4 e7-e5 d2-d3 f8-b4');
    const {version} = await visitor.holds();
    await visitor.drag('g1', 'f3'); // a figure that has no legal move at all
    const note = visitor.page.locator('.note', {hasText: 'That move is not allowed'}).first();
    await note.waitFor();
    assert.match(await note.innerText(), /would leave the .*king/);
    await visitor.screenshot('forbidden');
    await visitor.drag('a1', 'a3');
    await visitor.page.locator('.note', {hasText: 'a2 is in the way'}).waitFor();
    await visitor.click('b1', 'd2'); // and one that has: it stands in between
    await visitor.reaches(version + 1);
    assert.match(await label(visitor, 'd2'), /white knight/);
    await visitor.isLoaded(); // one answers from now on, in order
    await visitor.page.evaluate(collectNotes);
    await visitor.click('a7', 'a2'); // no pawn goes so far: a click only lets go
    await visitor.drag('a8', 'a6'); // and of this one it is said
    await visitor.page.locator('.note', {hasText: 'a7 is in the way'}).waitFor();
    const said = await visitor.page.evaluate(() => window.said);
    assert.ok(said.length === 1 && said[0].includes('a7 is in the way'), said.join('\n'));
    assert.equal((await visitor.holds()).version, version + 1);
});

// Runs in the page: what it says from now on; notes go away by themselves.
function collectNotes() {
    window.said = [];
    const collect = records => window.said.push(...records.flatMap(({addedNodes}) => [...addedNodes].map(note => note.textContent)));
    new MutationObserver(collect).observe(document.querySelector('.notes'), {childList: true});
}

test('a check is marked and said, and so is what each has taken and counted', async () => {
    const visitor = await browser.visitor('checks');
    await visitor.enterRoom(server, 'three-check', 'screen');
    await playAll(visitor, 'e2-e4 d7-d5 e4-d5 d8-d5 b1-c3');
    assert.equal(await visitor.page.locator('.board .alarm.shown').count(), 0);
    await playAll(visitor, 'd5-e5');
    assert.match(await label(visitor, 'e1'), /white king, in check/);
    assert.equal(await visitor.page.locator('.board .alarm.shown').count(), 1);
    const strip = seat => visitor.page.locator(`[data-seat="${seat}"]`);
    assert.match(await strip('black').innerText(), /checks: 1/);
    await strip('white').getByLabel('Has taken 1 pawn').waitFor();
    await visitor.screenshot('check');
    await visitor.page.keyboard.press('ArrowLeft'); // no check then
    await visitor.page.waitForFunction(() => !document.querySelector('.board .alarm.shown'));
    await visitor.page.keyboard.press('End');
    await playAll(visitor, 'f1-e2');
    assert.equal(await visitor.page.locator('.board .alarm.shown').count(), 0);
    await visitor.page.keyboard.press('ArrowLeft'); // it was one, and is shown when one looks back
    await visitor.page.waitForSelector('.board .alarm.shown');
    await visitor.page.reload(); // also where the server has to be asked how it was
    await visitor.page.waitForSelector('.room[data-ply="7"]');
    await visitor.page.keyboard.press('ArrowLeft');
    await visitor.page.waitForSelector('.board .alarm.shown');
    assert.match(await label(visitor, 'e1'), /white king, in check/);
});

test('a capture that goes on is clicked through: the figure stays in the hand, what it took is pale', async () => {
    const visitor = await browser.visitor('draughts');
    await visitor.enterRoom(server, 'international-draughts', 'screen');
    await playAll(visitor, DOUBLE_CAPTURE.before);
    const [from, over, to] = DOUBLE_CAPTURE.way;
    await playAll(visitor, `${from}-${over}`);
    assert.match(await label(visitor, over), /selected/);
    assert.match(await label(visitor, to), /legal target/);
    assert.equal(await visitor.page.locator('.board .piece.taken').count(), 1);
    assert.equal(await visitor.page.locator('.hit[aria-label*="can move"]').count(), 1);
    await visitor.screenshot('half-a-capture');
    await visitor.page.keyboard.press('Escape');
    assert.match(await label(visitor, over), /selected/, 'it cannot be put away');
    const {version} = await visitor.holds();
    await visitor.cell(to).click();
    await visitor.reaches(version + 1);
    assert.equal(await visitor.page.locator('.board .piece.taken').count(), 0);
    assert.equal(await visitor.page.locator('.board .piece').count(), DOUBLE_CAPTURE.left);
    assert.match(await visitor.page.locator('.moves-list .turn').last().innerText(), new RegExp(`${from}.${over}\\s*.${to}`));
    await visitor.screenshot('whole-capture');
});

test('a half-made capture is there after a reload', async () => {
    const visitor = await browser.visitor('reload', PHONE);
    await visitor.enterRoom(server, 'international-draughts', 'screen');
    await playAll(visitor, DOUBLE_CAPTURE.before, 'tap');
    const [from, over, to] = DOUBLE_CAPTURE.way;
    await playAll(visitor, `${from}-${over}`, 'tap');
    await visitor.page.reload();
    await visitor.page.waitForSelector('.board .piece.taken');
    assert.match(await label(visitor, over), /selected/);
    await visitor.screenshot('half-a-capture');
    const {version} = await visitor.holds();
    await visitor.cell(to).tap();
    await visitor.reaches(version + 1);
    await assertFits(visitor);
});

for (const [name, size] of SIZES)
    test(`a draw that may be claimed is offered to who is to move (${name})`, async () => {
        const visitor = await browser.visitor(`claim-${name}`, size);
        await visitor.enterRoom(server, 'chess', 'screen');
        await playAll(visitor, 'g1-f3 g8-f6 f3-g1 f6-g8 g1-f3 g8-f6 f3-g1', visitor.hand);
        assert.equal(await visitor.page.locator('.claim').count(), 0);
        await playAll(visitor, 'f6-g8', visitor.hand);
        assert.match(await visitor.page.locator('.claim').innerText(), /a draw: threefold repetition/);
        await assertFits(visitor);
        await visitor.screenshot('claim');
        await visitor.press('Claim the draw');
        await visitor.page.locator('.verdict.draw', {hasText: 'Threefold repetition'}).waitFor();
        await visitor.screenshot('claimed');
    });

test('six play Chinese checkers in one room, on screens of both sizes', async () => {
    const colours = ['Red', 'Orange', 'Yellow', 'Green', 'Blue', 'Purple'];
    const seats = colours.map(colour => colour.toLowerCase());
    const players = [];
    for (const [i, name] of ['Ada', 'Bhaskara', 'Cantor', 'Dijkstra', 'Emmy', 'Fermat'].entries())
        players.push(await browser.visitor(name, i % 2 ? PHONE : DESKTOP));
    const room = await players[0].openRoom(server, 'chinese-checkers', 'friend', {seat: 'Red', players: 6});
    await players[0].page.locator('.verdict', {hasText: 'Waiting for 5 more players'}).waitFor();
    for (const [i, player] of players.entries()) {
        if (i === 0) continue;
        await player.open(room);
        await player.reaches(1 + i);
        await player.page.locator(`[data-take="${seats[i]}"]`).click();
        await player.page.locator('.strips.bottom .you').waitFor();
    }
    let version = 7;
    await assertConverged(players, version);
    for (const player of players) await assertFits(player);
    await players[0].screenshot('six-start');
    await players[1].screenshot('six-start');

    for (const [i, player] of players.entries()) {
        await player.page.waitForSelector('.verdict.mine');
        // Everybody sees their own point of the star nearest to them.
        const middle = await player.page.evaluate(seat => {
            const own = [...document.querySelectorAll(`[data-cell][aria-label*="${seat} marble"]`)];
            const box = document.querySelector('.board').getBoundingClientRect();
            const centres = own.map(cell => cell.getBoundingClientRect()).map(({y, height}) => y + height / 2);
            return (centres.reduce((sum, y) => sum + y, 0) / centres.length - box.y) / box.height;
        }, seats[i]);
        assert.ok(middle > 0.8, `${seats[i]} sits below: ${middle}`);
        const hand = i % 2 ? 'tap' : 'click';
        await player.playAny(hand, () => 0.4);
        await player.reaches(++version);
        const done = player.page.getByRole('button', {name: 'Done'});
        if ((await done.count()) > 0) {
            await player.screenshot('may-go-on');
            await done[hand]();
            await player.reaches(++version);
        }
        await assertConverged(players, version);
    }
    await players[0].page.locator('.verdict.mine').waitFor();
    await players[0].screenshot('six-round');
    await players[3].screenshot('six-round');
    await players[5].screenshot('six-whole', {fullPage: true});
});

test('a hop may be gone on with, or ended', async () => {
    const visitor = await browser.visitor('hop', PHONE);
    await visitor.enterRoom(server, 'chinese-checkers', 'screen', {players: 2});
    await playAll(visitor, HOP.before, 'tap');
    await playAll(visitor, HOP.first, 'tap');
    const cell = HOP.first.split('-')[1];
    assert.match(await label(visitor, cell), /selected/);
    await visitor.screenshot('done');
    const {version} = await visitor.holds();
    await visitor.page.getByRole('button', {name: 'Done'}).tap();
    await visitor.reaches(version + 1);
    await visitor.page.locator('.verdict', {hasText: 'Green to move'}).waitFor();
    assert.equal(await visitor.page.getByRole('button', {name: 'Done'}).count(), 0);
    await assertFits(visitor);
});

test('three are asked for, and three play; bots take the other seats', async () => {
    const visitor = await browser.visitor('three');
    await visitor.open(server.url);
    await visitor.page.click('[data-game="chinese-checkers"] [data-way="bot"]');
    await visitor.page.locator('.dialog .players label', {hasText: '3'}).click();
    assert.deepEqual(await visitor.page.locator('.dialog .seat label').allInnerTexts(), ['Red', 'Yellow', 'Blue', 'Any']);
    await visitor.screenshot('new-game');
    await visitor.page.locator('.dialog .seat label', {hasText: 'Yellow'}).click();
    await visitor.page.click('.dialog .primary');
    await visitor.page.waitForURL('**/room/*');
    await visitor.page.waitForSelector('.verdict.mine');
    assert.equal(await visitor.page.locator('.strip').count(), 3);
    assert.equal(await visitor.page.locator('.strip .tag', {hasText: 'bot'}).count(), 2);
    assert.match(await visitor.page.locator('.strips.bottom .seat-name').innerText(), /Yellow/);
    await visitor.screenshot('three');
});

test('no page had anything to complain about', () => browser.assertNoErrors());
