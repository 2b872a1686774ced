// A move marked while the other player is to move: played once, the moment it is legal, or dropped with a word.
import assert from 'node:assert/strict';
import {existsSync} from 'node:fs';
import {after, test} from 'node:test';
import {Player} from '../support/player.mjs';
import {assertFits, DESKTOP, eventually, PHONE, SIZES, stage} from './browser.mjs';

const BUILT = existsSync(new URL('../../build/browser/engine.wasm.gz', import.meta.url));
const {server, browser} = stage('premove');

// A game of chess: the page has black, and the other side is in the test's hand. White has made its first move.
let visitorBefore;
async function begin(name, size, game = 'chess', {seat = 'Black', other = 'white'} = {}) {
    await visitorBefore?.context.close(); // whom nobody tells that the server goes away
    const visitor = (visitorBefore = await browser.visitor(name, size));
    const url = await visitor.enterRoom(server, game, 'friend', {seat});
    const white = new Player(server);
    after(() => white.close());
    await white.connect();
    white.room = url.split('/').at(-1);
    await white.call({type: 'join', room: white.room, seat: other, name: 'White'});
    await visitor.reaches(3);
    const move = async text => {
        const [from, to] = text.split('-');
        return await white.call({type: 'move', room: white.room, move: {from, to}});
    };
    const put = async to => await white.call({type: 'move', room: white.room, move: {to}});
    const history = async () => (await white.call({type: 'history', room: white.room, from: 0, moves: true})).moves.map(({text}) => text);
    return {visitor, white, move, put, history};
}

// A game that goes on behind these placements: the page has white, and the other one is to put a figure.
const PUT_WITHOUT_A_MILL = 'a7 d7 g7 g4 d1 a1 b6 d6 f6 f4 f2 d2 b2 c3 d5 c5 e3';
async function beginForked(name, size, game, words) {
    await visitorBefore?.context.close();
    const visitor = (visitorBefore = await browser.visitor(name, size));
    const other = new Player(server);
    after(() => other.close());
    await other.connect();
    const {room: before} = await other.call({type: 'create', game});
    await other.call({type: 'join', room: before, seat: 'all', name: 'Both'});
    const cells = words.split(' ');
    for (const to of cells) await other.call({type: 'move', room: before, move: {to}});
    const {room} = await other.call({type: 'create', fork: {room: before, ply: cells.length}});
    await other.call({type: 'join', room, seat: 'black', name: 'Black'});
    await visitor.open(`${server.url}/room/${room}`);
    await visitor.press(visitor.page.locator('[data-take="white"]'));
    await visitor.reaches(3);
    const put = to => other.call({type: 'move', room, move: {to}});
    const history = async () => (await other.call({type: 'history', room, from: 0, moves: true})).moves.map(({text}) => text);
    return {visitor, put, history};
}

// The engine comes with the first hand on the board, and says a moment later what may be done.
const pressUntil = (visitor, cell, words) =>
    eventually(async () => {
        await visitor.cell(cell)[visitor.hand]();
        assert.match(await label(visitor, cell), words);
    });

const label = async (visitor, cell) => await visitor.cell(cell).getAttribute('aria-label');
const offer = visitor => visitor.page.locator('.offer.ahead');
const marked = visitor => visitor.page.locator('.board .shade.ahead').count();

test('marked by clicks, by dragging, by keys and by typing, it is played when its turn comes', async () => {
    const {visitor, move, history} = await begin('marking');
    await visitor.click('e7', 'e5');
    await offer(visitor).waitFor();
    assert.match(await offer(visitor).innerText(), /Your next move: e7–e5/);
    assert.equal(await marked(visitor), 2);
    assert.match(await label(visitor, 'e5'), /marked for your next move/);
    await visitor.screenshot('marked');
    assert.equal((await visitor.holds()).version, 3, 'nothing has been sent');
    await move('e2-e4');
    await visitor.reaches(5);
    assert.equal(await offer(visitor).count(), 0);
    assert.equal(await marked(visitor), 0);

    await visitor.drag('b8', 'c6');
    await offer(visitor).waitFor();
    await move('g1-f3');
    await visitor.reaches(7);

    await visitor.withKeyboard('g8', 'f6');
    await offer(visitor).waitFor();
    await move('b1-c3');
    await visitor.reaches(9);

    await visitor.page.fill('[name="move"]', 'f8 b4');
    await visitor.page.keyboard.press('Enter');
    await offer(visitor).waitFor();
    assert.match(await offer(visitor).innerText(), /f8 b4/);
    await move('a2-a3');
    await visitor.reaches(11);
    assert.deepEqual(await history(), ['e4', 'e5', 'Nf3', 'Nc6', 'Nc3', 'Nf6', 'a3', 'Bb4']);
});

test('it is cancelled by a button, by a click beside, and by Escape; another one replaces it', async () => {
    const {visitor, move} = await begin('cancelling');
    await visitor.click('e7', 'e5');
    await offer(visitor).getByRole('button', {name: 'Cancel'}).click();
    await offer(visitor).waitFor({state: 'detached'});
    await visitor.click('e7', 'e5');
    await offer(visitor).waitFor();
    await visitor.cell('h5').click();
    await offer(visitor).waitFor({state: 'detached'});
    await visitor.click('e7', 'e5');
    await offer(visitor).waitFor();
    await visitor.page.keyboard.press('Escape');
    await offer(visitor).waitFor({state: 'detached'});
    await visitor.click('e7', 'e5');
    await visitor.click('d7', 'd5');
    await visitor.page.locator('.offer.ahead', {hasText: 'd7–d5'}).waitFor();
    await move('e2-e4');
    await visitor.reaches(5);
    assert.match(await label(visitor, 'd5'), /black pawn/);
});

test('what is not legal then is dropped, and said', async () => {
    const {visitor, move} = await begin('dropping', PHONE);
    await visitor.tap('e7', 'e4');
    await offer(visitor).waitFor();
    await visitor.screenshot('marked');
    await assertFits(visitor);
    await move('e2-e4');
    await visitor.reaches(4);
    await visitor.page.locator('.note', {hasText: 'e7–e4 is not possible now'}).waitFor();
    assert.equal(await offer(visitor).count(), 0);
    await visitor.page.waitForSelector('.verdict.mine');
    await visitor.tap('e7', 'e5');
    await visitor.reaches(5);
});

test('while the page was away its turn has come: played once, when it is back', async () => {
    const {visitor, move, history} = await begin('away');
    visitor.serverIsAway = true;
    await visitor.click('e7', 'e5');
    await offer(visitor).waitFor();
    await visitor.isLoaded();
    await server.stop();
    await visitor.page.waitForSelector('.banner:not([hidden])');
    await server.start();
    await visitor.page.waitForSelector('.banner', {state: 'hidden'});
    await move('e2-e4');
    await visitor.reaches(5);
    await move('d2-d4');
    await visitor.reaches(6);
    assert.deepEqual(await history(), ['e4', 'e5', 'd4']);
});

// The cells that are marked for the figure in the hand: those it could go to at once, and those where something must change before.
async function hints(visitor) {
    await visitor.page.locator('.board .mark.ahead').first().waitFor();
    const labelled = words => visitor.page.locator(`[data-cell][aria-label$="${words}"]`).evaluateAll(cells => cells.map(cell => cell.dataset.cell).sort().join(' '));
    return [await labelled('may be your next move'), await labelled('may be your next move if the board changes')];
}

for (const [name, size, colorScheme] of [['hints', DESKTOP, 'light'], ['hints-dark', {...PHONE}, 'dark']])
    test(`a figure in the hand before its turn shows where it may go (${colorScheme})`, {skip: BUILT ? false : 'the engine for browsers is not built'}, async () => {
        const {visitor, move} = await begin(name, {...size, colorScheme});
        await visitor.cell('g8').click();
        assert.deepEqual(await hints(visitor), ['f6 h6', 'e7']);
        await visitor.screenshot('knight');
        await visitor.cell('d8').click();
        await visitor.page.locator('.board .mark.ahead.perhaps').nth(20).waitFor();
        assert.equal((await hints(visitor))[0], '');
        await visitor.screenshot('queen');
        await visitor.cell('d7').focus();
        await visitor.page.keyboard.press('Enter');
        await visitor.page.locator('[data-cell="d5"][aria-label$="may be your next move"]').waitFor();
        assert.deepEqual(await hints(visitor), ['d5 d6', 'c6 e6']);
        await move('e2-e4'); // its turn has come, and what is in the hand stays there
        await visitor.page.locator('[data-cell="d5"][aria-label*="legal target"]').waitFor();
        assert.equal(await visitor.page.locator('.board .mark.ahead').count(), 0);
        await visitor.cell('d5').focus();
        await visitor.page.keyboard.press('Enter');
        await visitor.reaches(5);
    });

const ENGINE_IS = {missing: route => route.fulfill({status: 404, body: 'not here'}), coming: () => {}};
for (const [state, answer] of Object.entries(ENGINE_IS))
    test(`while the engine is ${state}, a figure shows where it could go in its last turn, and may be sent anywhere else`, async () => {
        const {visitor, move} = await begin(state, state === 'coming' ? PHONE : DESKTOP);
        visitor.refusals = true;
        await visitor.context.route('**/engine.wasm', answer);
        await visitor.cell('g8').click(); // of no turn of one's own is anything known yet
        await visitor.page.waitForSelector(`.room[data-engine="${state}"]`);
        assert.equal(await visitor.page.locator('.board .mark.ahead').count(), 0);
        await move('e2-e4');
        await visitor.page.waitForSelector('.verdict.mine');
        await visitor.click('b8', 'c6');
        await visitor.reaches(5);
        await visitor.cell('c7').click();
        assert.deepEqual(await hints(visitor), ['c5', 'c6']);
        await visitor.screenshot('last-turn');
        for (const cell of ['c6', 'd8']) { // it has moved; it could not move
            await visitor.cell(cell).click();
            await visitor.page.locator(`[data-cell="${cell}"][aria-label*="selected"]`).waitFor();
            assert.equal(await visitor.page.locator('.board .mark.ahead').count(), 0, cell);
        }
        await visitor.cell('h4').click();
        await visitor.page.locator('.offer.ahead', {hasText: 'd8–h4'}).waitFor();
        await visitor.cell('e7').click();
        assert.deepEqual(await hints(visitor), ['e5 e6', '']);
        await visitor.cell('e5').click();
        await visitor.page.locator('.offer.ahead', {hasText: 'e7–e5'}).waitFor();
        await move('d2-d3');
        await visitor.reaches(7);
        assert.match(await label(visitor, 'e5'), /black pawn/);
    });

// The kind in the hand of the page's seat, and what it says of the cells it could be put on.
const kind = (visitor, seat, figure) => visitor.page.locator(`.hand[data-seat="${seat}"] .kind[data-figure="${figure}"]`);
const isPressed = async (visitor, figure, is) => await visitor.page.locator(`.hand[data-seat="black"] .kind[data-figure="${figure}"][aria-pressed="${is}"]`).waitFor();

for (const [name, size, press] of [['desktop', DESKTOP, 'click'], ['phone', PHONE, 'tap']]) {
    test(`what is put on the board is marked on an empty cell, and played or dropped (${name})`, async () => {
        const {visitor, put, history} = await begin(`put-${name}`, size, 'hex', {seat: 'Blue', other: 'red'});
        await visitor.cell('c4')[press](); // before anybody has moved
        await offer(visitor).getByText('Your next move: c4.').waitFor();
        assert.equal(await marked(visitor), 1);
        assert.match(await label(visitor, 'c4'), /empty, marked for your next move/);
        await visitor.screenshot('marked');
        await assertFits(visitor);
        await visitor.cell('c4')[press](); // once more: it is not wanted
        await offer(visitor).waitFor({state: 'detached'});
        await visitor.cell('d5')[press]();
        await visitor.cell('e6')[press](); // another one replaces it
        await offer(visitor).getByText('Your next move: e6.').waitFor();
        assert.equal((await visitor.holds()).version, 3, 'nothing has been sent');
        await put('f6');
        await visitor.reaches(5);
        assert.match(await label(visitor, 'e6'), /blue stone/);
        assert.equal(await offer(visitor).count(), 0);

        await visitor.cell('e6')[press](); // a stone is no start of a move
        await visitor.cell('g7')[press]();
        await offer(visitor).getByText('Your next move: g7.').waitFor();
        assert.equal(await marked(visitor), 1);
        await put('g7'); // where the other one has been quicker it is dropped
        await visitor.reaches(6);
        await visitor.page.locator('.note', {hasText: 'g7 is not possible now'}).waitFor();
        assert.equal(await marked(visitor), 0);
        await visitor.page.waitForSelector('.verdict.mine');
        assert.deepEqual(await history(), ['f6', 'e6', 'g7']);
        await visitor.screenshot('dropped');
    });

    test(`where the board does not begin empty the engine says that figures are put, before anybody has moved (${name})`, {skip: BUILT ? false : 'the engine for browsers is not built'}, async () => {
        const {visitor, put, history} = await begin(`first-${name}`, size, 'reversi', {seat: 'White', other: 'black'});
        await pressUntil(visitor, 'c3', /marked for your next move/);
        await visitor.screenshot('marked');
        await put('d3');
        await visitor.reaches(5);
        assert.deepEqual(await history(), ['d3', 'c3']);
    });

    test(`where figures are put first and moved then, a move is marked as soon as there may be one (${name})`, {skip: BUILT ? false : 'the engine for browsers is not built'}, async () => {
        const {visitor, put, history} = await beginForked(`mill-${name}`, size, 'nine-mens-morris', PUT_WITHOUT_A_MILL);
        await pressUntil(visitor, 'a7', /selected/);
        await visitor.cell('a4')[press]();
        await offer(visitor).getByText('Your next move: a7–a4.').waitFor();
        await visitor.screenshot('marked');
        await put('g1');
        await visitor.page.waitForFunction(() => document.querySelectorAll('.moves-list [data-ply]').length === 19);
        assert.deepEqual((await history()).slice(-2), ['g1', 'a7-a4']);
    });

    test(`what is in hand is marked for a cell, and played or dropped (${name})`, async () => {
        const {visitor, move, history} = await begin(`drop-${name}`, size, 'crazyhouse');
        const take = async figure => await kind(visitor, 'black', figure)[press]();
        await move('e2-e4');
        await visitor[press]('d7', 'd5');
        await visitor.reaches(5);
        await move('e4-d5');
        await visitor.page.waitForSelector('.verdict.mine');
        await visitor[press]('d8', 'd5');
        await visitor.reaches(7);
        await take('pawn');
        await isPressed(visitor, 'pawn', true);
        assert.equal(await kind(visitor, 'white', 'pawn').getAttribute('aria-disabled'), 'true', "the other one's hand is theirs");
        await visitor.cell('e4')[press]();
        await offer(visitor).getByText('Your next move: pawn@e4.').waitFor();
        await isPressed(visitor, 'pawn', false);
        assert.equal(await marked(visitor), 1);
        await visitor.screenshot('marked');
        await assertFits(visitor);
        await visitor.page.keyboard.press('Escape');
        await offer(visitor).waitFor({state: 'detached'});
        await take('pawn');
        await visitor.cell('b8')[press](); // one's own figure is taken up instead, and moved
        await visitor.cell('c6')[press]();
        await offer(visitor).getByText('Your next move: b8–c6.').waitFor();
        await take('pawn');
        await visitor.cell('e4')[press]();
        await offer(visitor).getByText('Your next move: pawn@e4.').waitFor();
        await move('b1-c3');
        await visitor.reaches(9);
        assert.match(await label(visitor, 'e4'), /black pawn/);
        assert.deepEqual((await history()).slice(3), ['Qxd5', 'Nc3', 'P@e4']);
    });

    test(`a drop that is not legal any more is not played, and the hand shows where its kind could be put (${name})`, async () => {
        const {visitor, move} = await begin(`hand-${name}`, size, 'crazyhouse');
        await move('e2-e4');
        await visitor[press]('d7', 'd5');
        await visitor.reaches(5);
        await move('e4-d5');
        await visitor.page.waitForSelector('.verdict.mine');
        await visitor[press]('d8', 'd5');
        await visitor.reaches(7);
        await move('b1-c3');
        await visitor.page.waitForSelector('.verdict.mine');
        await visitor[press]('d5', 'd6'); // with a pawn in hand meanwhile: where it could be put is known now
        await visitor.reaches(9);
        await kind(visitor, 'black', 'pawn')[press]();
        assert.match((await hints(visitor))[0], /^a3 a4 a5 /);
        await visitor.screenshot('reach');
        await visitor.cell('g4')[press]();
        await offer(visitor).getByText('Your next move: pawn@g4.').waitFor();
        await move('d1-g4');
        await visitor.page.locator('.note', {hasText: 'pawn@g4 is not possible now'}).waitFor();
        await visitor.page.waitForSelector('.verdict.mine');
        assert.equal(await offer(visitor).count(), 0);
        assert.match(await label(visitor, 'g4'), /white queen/);
    });
}

const proposed = visitor => visitor.page.locator('.offer.proposed');

for (const [name, size] of SIZES)
    test(`moves of the board are confirmed where one wants it so: nothing is sent before, what was marked ahead or typed goes through (${name})`, async () => {
        const {visitor, move, history} = await begin(`confirming-${name}`, size);
        await visitor.press('Settings');
        await visitor.page.getByLabel('Confirm the moves I make on the board').check();
        await visitor.press(visitor.page.locator('.dialog .theme label', {hasText: 'Blue'})); // and boards in another colour
        await visitor.screenshot('settings');
        await assertFits(visitor);
        await visitor.press('Close');
        assert.match(await visitor.page.locator('.board .faces').evaluate(faces => getComputedStyle(faces).filter), /hue-rotate/);
        await visitor.play('e7', 'e5'); // before one's turn
        await offer(visitor).waitFor();
        await move('e2-e4');
        await visitor.reaches(5);
        await move('g1-f3');
        await visitor.page.waitForSelector('.verdict.mine');
        await visitor.play('b8', 'c6');
        await proposed(visitor).getByText('Your move: b8–c6').waitFor();
        assert.equal(await visitor.page.locator('.board .piece.pending').count(), 1);
        await visitor.screenshot('proposed');
        await assertFits(visitor);
        const button = await proposed(visitor).getByRole('button', {name: 'Confirm'}).boundingBox();
        assert.ok(button.y + button.height <= size.viewport.height, `it is at ${button.y}`);
        await visitor.press(proposed(visitor).getByRole('button', {name: 'Cancel'}));
        await proposed(visitor).waitFor({state: 'detached'});
        assert.match(await label(visitor, 'c6'), /empty/);
        assert.equal((await visitor.holds()).version, 6, 'nothing has been sent');
        await visitor.page.reload(); // the browser keeps what was chosen
        await visitor.page.waitForSelector('.verdict.mine');
        assert.equal(await visitor.page.locator('html').getAttribute('data-board'), 'blue');
        await visitor.play('b8', 'c6');
        await visitor.press(proposed(visitor).getByRole('button', {name: 'Confirm'}));
        await visitor.reaches(7);
        await move('b1-c3');
        await visitor.page.waitForSelector('.verdict.mine');
        await visitor.withKeyboard('g8', 'f6');
        await proposed(visitor).waitFor();
        await visitor.page.keyboard.press('Escape');
        await proposed(visitor).waitFor({state: 'detached'});
        await visitor.withKeyboard('g8', 'f6');
        await proposed(visitor).waitFor();
        await visitor.page.keyboard.press('Enter'); // the button has the focus
        await visitor.reaches(9);
        assert.ok(await visitor.page.evaluate(() => document.activeElement.matches('.board [data-cell]')), 'the board has it again');
        await move('a2-a3');
        await visitor.page.waitForSelector('.verdict.mine');
        await visitor.page.fill('[name="move"]', 'f8 b4');
        await visitor.page.keyboard.press('Enter');
        await visitor.reaches(11);
        assert.deepEqual(await history(), ['e4', 'e5', 'Nf3', 'Nc6', 'Nc3', 'Nf6', 'a3', 'Bb4']);
    });

test('of a turn of several moves each is confirmed', async () => {
    const {visitor, white, move} = await begin('steps', DESKTOP, 'international-draughts');
    await visitor.page.evaluate(() => localStorage.setItem('senet.confirm-moves', 'on'));
    const confirm = async (from, to) => {
        const {version} = await visitor.holds();
        await visitor.cell(from).click();
        await visitor.cell(to).click();
        await proposed(visitor).waitFor();
        assert.equal((await visitor.holds()).version, version);
        await proposed(visitor).getByRole('button', {name: 'Confirm'}).click();
        await visitor.reaches(version + 1);
    };
    await move('35-30');
    await visitor.page.waitForSelector('.verdict.mine');
    await confirm('18', '23');
    await move('34-29');
    await visitor.page.waitForSelector('.verdict.mine');
    await confirm('23', '34');
    await visitor.page.locator('.verdict', {hasText: 'Go on'}).waitFor();
    await visitor.cell('25').click(); // it is in the hand still
    await proposed(visitor).getByText('34–25').waitFor();
    await visitor.screenshot('second-step');
    await white.call({type: 'action', room: white.room, kind: 'resign'}); // and is none any more
    await proposed(visitor).waitFor({state: 'detached'});
    assert.match(await visitor.verdict(), /You won/);
});

test('no page had anything to complain about', () => browser.assertNoErrors());
