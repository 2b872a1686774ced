// What the page does when the connection is not as it should be.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {assertConverged, eventually, stage} from './browser.mjs';

const {server, browser} = stage('connection');

test('the banner counts down while the server is away, and goes when it is back', async () => {
    const visitor = await browser.visitor('patient');
    await visitor.enterRoom(server, 'chess', 'friend');
    await visitor.isLoaded();
    const held = await visitor.holds();
    visitor.serverIsAway = true;
    await server.stop();
    const banner = visitor.page.locator('.banner');
    await banner.filter({hasText: /reconnecting/}).waitFor();
    await visitor.screenshot('lost');
    await server.start();
    await banner.waitFor({state: 'hidden'});
    visitor.serverIsAway = false;
    assert.deepEqual(await visitor.holds(), held);
    await visitor.page.fill('.chat input', 'still here');
    await visitor.page.press('.chat input', 'Enter');
    await visitor.reaches(held.version + 1);
});

test('a device without network says so at once, and when it is back the page goes on', async () => {
    const visitor = await browser.visitor('tunnel');
    await visitor.enterRoom(server, 'chess', 'friend');
    await visitor.isLoaded();
    const held = await visitor.holds();
    visitor.serverIsAway = true;
    await visitor.page.evaluate(() => {
        window.banners = [];
        new MutationObserver(() => window.banners.push(document.querySelector('.banner').textContent)).observe(document.querySelector('.banner'), {
            childList: true,
            subtree: true,
            attributes: true,
        });
    });
    await visitor.context.setOffline(true);
    await visitor.page.waitForFunction(() => window.banners.some(words => words.includes('You are offline')));
    await visitor.context.setOffline(false);
    await visitor.page.locator('.banner').waitFor({state: 'hidden'});
    visitor.serverIsAway = false;
    await visitor.page.fill('.chat input', 'through the tunnel');
    await visitor.page.press('.chat input', 'Enter');
    await visitor.reaches(held.version + 1);
});

test('a device that loses its network while the page connects says so, too', async () => {
    const visitor = await browser.visitor('platform');
    visitor.serverIsAway = true;
    let isSilent = true;
    await visitor.context.routeWebSocket('**/ws', socket => isSilent || socket.connectToServer());
    await visitor.open(server.url);
    await visitor.page.locator('[data-game="chess"]').waitFor(); // it comes by HTTP
    const banner = visitor.page.locator('.banner');
    await Promise.all([banner.filter({hasText: 'You are offline'}).waitFor(), visitor.context.setOffline(true)]);
    await banner.filter({hasText: 'reconnecting'}).waitFor(); // nobody has answered
    isSilent = false;
    await visitor.context.setOffline(false);
    await banner.waitFor({state: 'hidden'});
    visitor.serverIsAway = false;
});

test('a picture that its server has not sent because it ended comes from the next one', async () => {
    const visitor = await browser.visitor('between two servers');
    visitor.brokenRequests = true;
    let requests = 0;
    await visitor.context.route('**/white-queen.svg', route => (++requests > 2 ? route.continue() : route.abort('failed')));
    await visitor.enterRoom(server, 'chess', 'friend');
    await eventually(() => assert.ok(requests > 2));
    await visitor.page.locator('.board .piece', {has: visitor.page.locator('image[href$="white-queen.svg"]')}).waitFor({state: 'attached'});
    visitor.brokenRequests = false;
});

test('a picture that the lost network kept away comes when it is back', async () => {
    const visitor = await browser.visitor('platform');
    visitor.serverIsAway = true;
    let lose;
    const lost = new Promise(resolve => (lose = resolve));
    let requests = 0;
    await visitor.context.route('**/white-king.svg', async route => {
        await lost;
        if (++requests > 2) return route.continue();
        await route.abort('internetdisconnected'); // the second time it is back, but does not carry yet
    });
    await visitor.enterRoom(server, 'chess', 'friend', {until: 'domcontentloaded'}); // a page is not loaded without its pictures
    const king = visitor.page.locator('.board .piece', {has: visitor.page.locator('image[href$="white-king.svg"]')});
    await king.waitFor({state: 'attached'});
    await visitor.isLoaded({but: '/white-king.svg'});
    await visitor.context.setOffline(true);
    await visitor.page.waitForFunction(() => !navigator.onLine); // else the page takes the picture for missing
    lose();
    await king.waitFor({state: 'detached'});
    await visitor.context.setOffline(false);
    await eventually(() => assert.ok(requests > 2));
    await king.waitFor({state: 'attached'});
    await visitor.page.locator('.banner').waitFor({state: 'hidden'});
    visitor.serverIsAway = false;
});

test('a second tab takes over, and gives back', async () => {
    const visitor = await browser.visitor('twice');
    const room = await visitor.enterRoom(server, 'chess', 'friend');
    const first = visitor.page;
    const second = await visitor.newPage();
    await second.goto(room);
    await first.locator('.banner', {hasText: 'another window'}).waitFor();
    await second.waitForSelector('.room:not(.loading)');
    await first.bringToFront(); // what is behind is not painted
    await visitor.screenshot('replaced');
    await first.getByRole('button', {name: 'Take the seat back'}).click();
    await second.locator('.banner', {hasText: 'another window'}).waitFor();
    await first.locator('.banner').waitFor({state: 'hidden'});
    assert.match(await first.locator('.strips.bottom').innerText(), /you/);
});

test('a token that the server does not take is replaced by a new one', async () => {
    const visitor = await browser.visitor('stranger');
    await visitor.context.addInitScript(() => {
        if (!sessionStorage.getItem('done')) localStorage.setItem('senet.token', 'not-a-token');
        sessionStorage.setItem('done', 'yes');
    });
    await visitor.open(server.url);
    await visitor.page.waitForSelector('.game-card');
    await visitor.page.waitForFunction(() => /^[A-Za-z0-9_-]{43}$/.test(localStorage.getItem('senet.token')));
});

test('a server that cannot store says so, and a move made meanwhile is made when it can again', async () => {
    const visitor = await browser.visitor('waiting');
    await visitor.context.addInitScript(refuseMoves);
    await visitor.enterRoom(server, 'chess', 'screen');
    await visitor.click('e2', 'e4');
    await visitor.page.locator('.banner', {hasText: 'cannot store anything just now'}).waitFor();
    await visitor.screenshot('unavailable');
    await visitor.page.evaluate(() => (window.full = false));
    await visitor.reaches(3);
    await visitor.page.locator('.note', {hasText: 'The server is well again'}).waitFor();
    await visitor.page.locator('.banner').waitFor({state: 'hidden'});
    assert.match(await visitor.cell('e4').getAttribute('aria-label'), /white pawn/);
});

// Runs in the page: while `full`, moves get the answer of a server whose store refuses.
function refuseMoves() {
    window.full = true;
    const send = WebSocket.prototype.send;
    WebSocket.prototype.send = function (text) {
        const {type, id, room} = JSON.parse(text);
        if (type !== 'move' || !window.full) return send.call(this, text);
        const answer = {type: 'error', re: id, room, code: 'unavailable', message: '…', retry: true, retry_ms: 500};
        const event = Object.assign(new Event('message'), {data: JSON.stringify(answer)});
        return setTimeout(() => this.dispatchEvent(event), 20);
    };
}

test('a page whose copy differs from the server’s asks for it and repaints in place', async () => {
    const ada = await browser.visitor('Ada');
    const grace = await browser.visitor('Grace');
    await grace.context.addInitScript(spoilFirstMove);
    const room = await ada.enterRoom(server, 'chess', 'friend');
    await grace.open(room);
    await grace.reaches(2);
    await grace.page.locator('[data-take="black"]').click();
    await assertConverged([ada, grace], 3);
    await ada.click('e2', 'e4');
    await assertConverged([ada, grace], 4);
    assert.equal(await grace.page.evaluate(() => window.spoiled), 1);
    assert.match(await grace.cell('e4').getAttribute('aria-label'), /white pawn/);
    await grace.click('e7', 'e5');
    await assertConverged([ada, grace], 5);
});

// Runs in the page: changes the patch of the first move on its way to the page's own code.
function spoilFirstMove() {
    window.spoiled = 0;
    const listen = WebSocket.prototype.addEventListener;
    WebSocket.prototype.addEventListener = function (type, listener) {
        if (type !== 'message') return listen.call(this, type, listener);
        return listen.call(this, type, event => {
            const frame = JSON.parse(event.data);
            if (frame.kind !== 'moved' || window.spoiled > 0) return listener(event);
            window.spoiled++;
            frame.patch.cells.a1 = null;
            return listener({data: JSON.stringify(frame)});
        });
    };
}

test('no page had anything to complain about', () => browser.assertNoErrors());
