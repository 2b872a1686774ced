// Looking back: every position of a game can be gone to while it is played and when it is over, the game goes on
// meanwhile, and from any of them a new room can be opened.
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';
import {Player} from '../support/player.mjs';
import {assertConverged, assertFits, PHONE, SIZES, stage, traffic} from './browser.mjs';

const {server, browser} = stage('history');

const PROMOTION = 'e2-e4 d7-d5 e4-d5 c7-c6 d5-c6 a7-a6 c6-b7 a6-a5 b7-a8=Queen';
const DOUBLE_CAPTURE = '35-30 18-23 34-29 23-34 34-25'; // the last two are one turn of black
const LONG = 400;
const TOLD = 200; // moves of a snapshot

// Two kings on a small board that never meet, and no end.
const STROLL = {
    format: 2,
    name: 'stroll',
    title: 'A long stroll',
    players: ['white', 'black'],
    cell: {coordinates_names: ['x', 'y'], name: "'abcd'[x] + (y + 1)", position: {x: 'x', y: '4 - y'},
        geometry: [[0, 0], [1, 0], [1, 1], [0, 1]], colors: {fill: "(x + y) % 2 ? 'wheat' : 'peru'"}},
    board: {cells: {box: {x: 4, y: 5}}},
    figures: {king: {movement: [{x: 1, symmetric: 'all', for: 'move'}]}},
    initial_position: {white: {king: ['a1']}, black: {king: ['d5']}},
    turns: ['white', 'black'],
    results: [{if: {no_moves: true}, result: 'draw', reason: 'nowhere to go'}],
};

const label = async (visitor, cell) => await visitor.cell(cell).getAttribute('aria-label');
const press = (visitor, key) => visitor.page.keyboard.press(key);
const place = visitor => visitor.page.locator('.stepper .place').innerText();
const step = (visitor, which) => visitor.page.locator(`[data-step="${which}"]`);

// Until the board shows the position after so many plies.
async function shows(visitor, ply) {
    await visitor.page.waitForFunction(
        wanted => {
            const room = document.querySelector('.room'); // not there yet on a page that has just been opened
            return room?.dataset.ply === `${wanted}` && !document.querySelector('.board-frame[aria-busy="true"]');
        },
        ply,
    );
}

// All buttons that step are to be seen: what is too wide is cut off there.
async function assertStepperFits(visitor) {
    const {width, wanted} = await visitor.page.locator('.moves header').evaluate(head => ({width: head.clientWidth, wanted: head.scrollWidth}));
    assert.ok(wanted <= width, `the head of the moves is ${wanted} wide in ${width}`);
}

// The positions that the board shows from now on until it shows that one.
const pliesUntil = (visitor, last) =>
    visitor.page.evaluate(
        wanted =>
            new Promise(done => {
                const room = document.querySelector('.room');
                const seen = [];
                let shown = Number(room.dataset.ply);
                const look = () => {
                    const ply = Number(room.dataset.ply);
                    if (ply === shown) return; // it was drawn again
                    shown = ply;
                    seen.push(ply);
                    if (ply === wanted) done(seen);
                };
                new MutationObserver(look).observe(room, {attributes: true, attributeFilter: ['data-ply']});
            }),
        last,
    );

// Both sides on one screen, by words such as "e2-e4 b7-a8=Queen".
async function play(visitor, words) {
    for (const word of words.split(' ')) {
        const {version} = await visitor.holds();
        const [way, choice] = word.split('=');
        await visitor.play(...way.split('-'));
        if (choice) await visitor.press(visitor.page.locator('.dialog').getByRole('button', {name: choice}));
        await visitor.reaches(version + 1);
    }
}

// The questions of a file's visitors so far.
function questions() {
    const lines = readFileSync(join(traffic, 'browser-history.ndjson'), 'utf8').trim().split('\n');
    return lines.map(line => JSON.parse(line)).filter(({dir, frame}) => dir === 'in' && frame.type === 'history');
}

for (const [name, size] of SIZES)
    test(`a game plays by itself: from where one is, from the start when one is at its end, until a hand steps (${name})`, async () => {
        const visitor = await browser.visitor(`player-${name}`, size);
        await visitor.enterRoom(server, 'chess', 'screen');
        const words = () => step(visitor, 'play').getAttribute('aria-label');
        assert.equal(await step(visitor, 'play').getAttribute('aria-disabled'), 'true');
        await play(visitor, 'e2-e4 d7-d5 e4-d5');
        const walked = pliesUntil(visitor, 3);
        await visitor.press(step(visitor, 'play'));
        assert.deepEqual(await walked, [0, 1, 2, 3]);
        await visitor.page.locator('[data-step="play"][aria-label^="Play"]').waitFor();
        await visitor.press(step(visitor, 'first'));
        await shows(visitor, 0);
        await visitor.press(step(visitor, 'play'));
        await visitor.press(step(visitor, 'previous'));
        assert.match(await words(), /^Play/);
        const stopped = await place(visitor);
        await visitor.page.evaluate(() => new Promise(done => setTimeout(done, 1500))); // longer than it shows a move
        assert.equal(await place(visitor), stopped);
        await visitor.screenshot('plays');
        await assertFits(visitor);
        await assertStepperFits(visitor);
    });

test('a game is stepped through with keys, buttons, and a click on a move', async () => {
    const visitor = await browser.visitor('reader');
    await visitor.enterRoom(server, 'chess', 'screen');
    await assertStepperFits(visitor);
    await play(visitor, PROMOTION);
    assert.equal(await place(visitor), '5 / 5', 'counted as the list counts');
    assert.match(await label(visitor, 'a8'), /white queen/);
    const words = await visitor.page.locator('.moves-list .move').allTextContents();
    assert.deepEqual(words, ['e4', 'd5', 'exd5', 'c6', 'dxc6', 'a6', 'cxb7', 'a5', 'bxa8=Q']);
    assert.deepEqual(questions().filter(({frame}) => frame.moves), [], 'moves bring their words along');

    await press(visitor, 'ArrowLeft');
    await shows(visitor, 8);
    assert.match(await label(visitor, 'a8'), /black rook/);
    assert.match(await label(visitor, 'b7'), /white pawn/);
    assert.match(await visitor.verdict(), /Move 4 of 5\s+Black: a5/);
    assert.equal(await place(visitor), '4… / 5');
    await visitor.screenshot('before-promotion');

    await press(visitor, 'ArrowRight');
    await shows(visitor, 9);
    assert.match(await label(visitor, 'a8'), /white queen/);
    assert.doesNotMatch(await visitor.verdict(), /of 5/);

    await press(visitor, 'Home');
    await shows(visitor, 0);
    assert.match(await visitor.verdict(), /The start/);
    assert.equal(await visitor.page.locator('.board .shade.last').count(), 0);
    assert.match(await label(visitor, 'e2'), /white pawn/);
    assert.equal(await step(visitor, 'first').getAttribute('aria-disabled'), 'true');

    await visitor.page.locator('.moves-list [data-ply="3"]').click(); // takes on d5
    await shows(visitor, 3);
    assert.match(await label(visitor, 'd5'), /white pawn/);
    assert.equal(await visitor.page.locator('.board .piece').count(), 31);
    assert.equal(await visitor.page.locator('.board .shade.last').count(), 2);
    assert.equal(await visitor.page.locator('.moves-list [aria-current="step"]').getAttribute('data-ply'), '3');

    await step(visitor, 'next').click();
    await shows(visitor, 4);
    await step(visitor, 'previous').click();
    await shows(visitor, 3);
    await step(visitor, 'first').click();
    await shows(visitor, 0);
    await step(visitor, 'last').click();
    await shows(visitor, 9);
    await press(visitor, 'ArrowLeft');
    await shows(visitor, 8);
    await press(visitor, 'Escape');
    await shows(visitor, 9);
});

test('nothing moves under one’s eyes: the panels stay where they are while one steps', async () => {
    const visitor = await browser.visitor('still');
    await visitor.enterRoom(server, 'chess', 'screen');
    await play(visitor, 'e2-e4 e7-e5 g1-f3');
    const places = () =>
        visitor.page.evaluate(() =>
            ['.board', '.verdict', '.controls', '.moves', '.stepper', '.extras', '.chat', '.strips.bottom'].map(name => {
                const {x, y, width, height} = document.querySelector(name).getBoundingClientRect();
                return [name, ...[x, y, width, height].map(Math.round)].join(' ');
            }),
        );
    const before = await places();
    for (const [key, ply] of [['ArrowLeft', 2], ['ArrowLeft', 1], ['Home', 0], ['End', 3]]) {
        await press(visitor, key);
        await shows(visitor, ply);
        assert.deepEqual(await places(), before, key);
    }
});

test('keys that are typed into the chat do not step', async () => {
    const visitor = await browser.visitor('writer');
    await visitor.enterRoom(server, 'chess', 'screen');
    await play(visitor, 'e2-e4 e7-e5');
    await visitor.page.fill('.chat input', 'hello');
    await press(visitor, 'ArrowLeft');
    await press(visitor, 'Home');
    assert.equal(await place(visitor), '1… / 1');
    await visitor.page.locator('.title, h1').first().click();
    await press(visitor, 'ArrowLeft');
    await shows(visitor, 1);
});

test('the game goes on while one looks back, and one is not pulled away', async () => {
    const ada = await browser.visitor('Ada');
    const grace = await browser.visitor('Grace', PHONE);
    const room = await ada.enterRoom(server, 'chess', 'friend', {seat: 'White'});
    await grace.open(room);
    await grace.reaches(2);
    await grace.page.tap('[data-take="black"]');
    await assertConverged([ada, grace], 3);
    await ada.click('e2', 'e4');
    await assertConverged([ada, grace], 4);
    await ada.page.keyboard.press('Home');
    await shows(ada, 0);
    await grace.tap('e7', 'e5');
    await assertConverged([ada, grace], 5);
    assert.match(await ada.verdict(), /The start/);
    assert.equal(await place(ada), '0 / 1');
    assert.match(await label(ada, 'e7'), /black pawn/);
    assert.match(await ada.page.title(), /Your turn/);
    await ada.screenshot('looking-back');

    await ada.cell('d2').click(); // it is Ada's turn, but not here
    assert.doesNotMatch(await label(ada, 'd2'), /selected|can move/);
    assert.equal(await ada.page.locator('[data-cell][aria-label*="legal target"]').count(), 0);

    await ada.page.getByRole('button', {name: 'Back: your turn'}).click();
    await shows(ada, 2);
    assert.match(await label(ada, 'e5'), /black pawn/);
    await ada.click('g1', 'f3');
    await assertConverged([ada, grace], 6);

    await step(grace, 'previous').tap();
    await shows(grace, 2);
    assert.match(await grace.verdict(), /Move 1 of 2/);
    await grace.screenshot('looking-back');
    const {width, wanted} = await grace.page.evaluate(() => ({
        width: document.documentElement.clientWidth,
        wanted: document.documentElement.scrollWidth,
    }));
    assert.ok(wanted <= width);
    await grace.page.getByRole('button', {name: 'Back: your turn'}).tap();
    await shows(grace, 3);
});

test('a turn of several moves is stepped through move by move', async () => {
    const visitor = await browser.visitor('draughts');
    await visitor.enterRoom(server, 'international-draughts', 'screen');
    await play(visitor, DOUBLE_CAPTURE);
    await press(visitor, 'ArrowLeft');
    await shows(visitor, 4);
    assert.match(await label(visitor, '34'), /black/);
    assert.equal(await visitor.page.locator('.board .piece.taken').count(), 1);
    assert.equal(await visitor.page.locator('[data-cell][aria-label*="can move"]').count(), 0);
    await visitor.screenshot('half-a-turn');
    await press(visitor, 'ArrowLeft');
    await shows(visitor, 3);
    assert.match(await label(visitor, '23'), /black/);
    assert.equal(await visitor.page.locator('.board .piece').count(), 40);
    await press(visitor, 'End');
    await shows(visitor, 5);
    assert.match(await label(visitor, '25'), /black/);
});

for (const [name, size] of SIZES)
    test(`from any position a new room can be opened, which has the moves before it (${name})`, async () => {
        const visitor = await browser.visitor(`forker-${name}`, size);
        const room = await visitor.enterRoom(server, 'chess', 'screen');
        await play(visitor, 'e2-e4 e7-e5 g1-f3 b8-c6');
        for (const ply of [3, 2]) {
            await visitor.press(step(visitor, 'previous'));
            await shows(visitor, ply);
        }
        await visitor.press('Play on from here');
        await visitor.page.locator('.dialog', {hasText: 'Play on from move 1'}).waitFor();
        await assertFits(visitor);
        await visitor.screenshot('fork');
        await visitor.press(visitor.page.locator('.dialog .opponent label', {hasText: 'One screen'}));
        await visitor.press(visitor.page.locator('.dialog .primary'));
        await visitor.page.waitForURL(url => url.href !== room && url.pathname.startsWith('/room/'));
        await shows(visitor, 2);
        assert.match(await label(visitor, 'g1'), /white knight/);
        await play(visitor, 'f1-c4');
        await press(visitor, 'Home');
        await shows(visitor, 0);
        assert.match(await label(visitor, 'e2'), /white pawn/);
        await press(visitor, 'ArrowRight');
        await shows(visitor, 1);
        assert.match(await label(visitor, 'e4'), /white pawn/);
        await visitor.screenshot('forked');
        await visitor.page.goto(room); // which knows nothing of it
        await shows(visitor, 4);
        assert.match(await label(visitor, 'f3'), /white knight/);
    });

test('a long game that is over is opened at its end, and any of its positions is near', async () => {
    let last = {}, heard = () => {}; // the last message with legal moves
    const player = new Player(server, {on: message => {
        if (message.legal_moves) last = message;
        heard();
    }});
    await player.connect();
    const {room} = await player.call({type: 'create', definition: STROLL});
    player.room = room;
    await player.call({type: 'join', room, seat: 'all', name: 'Stroller'});
    for (let ply = 0; ply < LONG; ply++) {
        while ((last.state?.ply ?? last.patch?.ply) !== ply) await new Promise(resolve => (heard = resolve));
        const moves = last.legal_moves;
        await player.call({type: 'move', room, move: moves[(ply * 7) % moves.length]});
    }
    await player.call({type: 'action', room, kind: 'resign'});
    player.close();

    const visitor = await browser.visitor('late');
    const before = questions().length;
    await visitor.open(`${server.url}/room/${room}`);
    await shows(visitor, LONG);
    assert.match(await visitor.verdict(), /won/);
    const shown = visitor.page.locator('.moves-list .move');
    // The number of its row; what stands there may come a moment later.
    const rowOf = async ply => /^\d+/.exec(await visitor.page.locator('.moves-list li', {has: visitor.page.locator(`[data-ply="${ply}"]`)}).innerText())?.[0];
    assert.equal(await shown.count(), TOLD);
    assert.equal(await visitor.page.locator('.moves-list .earlier').innerText(), `${LONG - TOLD} earlier moves`);
    await visitor.screenshot('long-end');
    assert.ok(questions().length - before <= 2, 'opening it asks for next to nothing');
    const row = await rowOf(LONG - 1);
    assert.equal(row, `${LONG / 2}`);
    await press(visitor, 'Home');
    await shows(visitor, 0);
    await visitor.page.waitForFunction(count => document.querySelectorAll('.moves-list .move').length === count, LONG);
    assert.equal(await visitor.page.locator('.moves-list .earlier').count(), 0);
    assert.equal(await rowOf(LONG - 1), row, 'rows are numbered from the start');
    assert.match(await visitor.page.locator('.moves-list li').first().innerText(), /^1\b/);
    await visitor.screenshot('long-start');
    for (const ply of [1, 200, 399, 50, 351]) {
        await visitor.page.locator(`.moves-list [data-ply="${ply}"]`).click();
        await shows(visitor, ply);
        assert.match(await visitor.verdict(), new RegExp(`Move ${Math.ceil(ply / 2)} of ${LONG / 2}`));
    }
    await visitor.screenshot('long-middle');
    await visitor.page.waitForFunction(() => {
        const list = document.querySelector('.moves-list').getBoundingClientRect();
        const current = document.querySelector('.moves-list [aria-current]').getBoundingClientRect();
        return current.top >= list.top && current.bottom <= list.bottom;
    });
    await press(visitor, 'End');
    for (let i = 0; i < 40; i++) await press(visitor, 'ArrowLeft');
    await shows(visitor, LONG - 40);
    assert.ok(questions().length - before < 90, 'no position is asked for twice');
});

test('a link to a move opens the game there, copied where one looks; a browser that keeps it to itself is shown it', async () => {
    const visitor = await browser.visitor('sharer');
    const room = await visitor.enterRoom(server, 'chess', 'screen');
    await play(visitor, 'e2-e4 d7-d5 e4-d5');
    await press(visitor, 'ArrowLeft');
    await shows(visitor, 2);
    await visitor.page.click('.stepper .place');
    await visitor.page.locator('.note', {hasText: 'The link to move 1 is copied.'}).waitFor();
    const link = await visitor.page.evaluate(() => navigator.clipboard.readText());
    assert.equal(link, `${room}#2`);
    const friend = await browser.visitor('friend', PHONE);
    await friend.open(link);
    await shows(friend, 2);
    assert.match(await friend.verdict(), /Move 1 of 2\s.*d5/s);
    assert.match(await label(friend, 'd5'), /black pawn/);
    await friend.screenshot('by-link');
    await friend.page.evaluate(() => { location.hash = '#1'; });
    await shows(friend, 1);
    await press(friend, 'End');
    await shows(friend, 3);
    await friend.page.evaluate(() => { navigator.clipboard.writeText = () => Promise.reject(new Error('closed')); });
    await friend.page.click('.stepper .place');
    assert.equal(await friend.page.getByLabel('Link to this move', {exact: true}).last().inputValue(), `${room}#3`);
    await friend.page.getByRole('button', {name: 'Close'}).click();
    await friend.open(`${room}#99`); // a move that is not made yet
    await shows(friend, 3);
});

test('no page had anything to complain about', () => browser.assertNoErrors());
