// A way out of a game that has hardly begun: "Abort" where "Resign" will be, once both have moved.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {assertConverged, assertFits, DESKTOP, PHONE, stage} from './browser.mjs';

const {server, browser} = stage('abort');

const button = (visitor, name) => visitor.page.getByRole('button', {name, exact: true});
const end = visitor => visitor.page.locator('.moves-list .end');

async function abort(visitor) {
    await button(visitor, 'Abort').click();
    await visitor.page.locator('.dialog', {hasText: 'does not count'}).waitFor();
    await visitor.page.locator('.dialog .danger').click();
}

async function table(host, guest) {
    const url = await host.enterRoom(server, 'chess', 'friend', {seat: 'White'});
    await guest.open(url);
    await guest.page.click('[data-take="black"]');
    for (const visitor of [host, guest]) await visitor.reaches(3);
    return url;
}

test('two play, one of them aborts: both and who watches see it, and a rematch is offered', async () => {
    const [host, guest, watcher] = [await browser.visitor('host'), await browser.visitor('guest', PHONE), await browser.visitor('watcher')];
    const url = await table(host, guest);
    await watcher.open(url);
    await watcher.reaches(3);
    assert.equal(await button(watcher, 'Abort').count(), 0, 'not for those who watch');
    await host.click('e2', 'e4');
    await guest.reaches(4);
    assert.equal(await button(guest, 'Resign').count(), 0);
    await assertFits(guest);
    await button(guest, 'Abort').click();
    await guest.screenshot('question');
    await guest.page.locator('.dialog').getByRole('button', {name: 'Cancel'}).click();
    assert.equal((await guest.holds()).status, 'playing');
    await abort(guest);
    await assertConverged([host, guest, watcher], 5);
    for (const visitor of [host, guest, watcher]) {
        assert.match(await visitor.verdict(), /No result\s+Aborted by black/);
        assert.equal(await end(visitor).innerText(), 'Aborted by black');
        await visitor.screenshot('aborted');
    }
    await assertFits(guest);
    await button(host, 'Rematch').click();
    await guest.page.locator('.offer.asked', {hasText: 'would like a rematch'}).getByRole('button', {name: 'Accept'}).click();
    for (const visitor of [host, guest]) await visitor.page.waitForURL(address => address.href !== url);
    for (const visitor of [host, guest]) await button(visitor, 'Abort').waitFor();
});

test('when both have moved it is too late: the button is another one, and a question that stood open is answered so', async () => {
    const [host, guest] = [await browser.visitor('slow'), await browser.visitor('quick', DESKTOP)];
    await table(host, guest);
    await host.click('d2', 'd4');
    await guest.reaches(4);
    await button(host, 'Abort').click();
    await guest.click('d7', 'd5');
    await host.reaches(5);
    await host.page.locator('.dialog .danger').click();
    await host.page.locator('.note', {hasText: 'too far to be aborted'}).waitFor();
    for (const visitor of [host, guest]) await button(visitor, 'Resign').waitFor();
    assert.equal(await button(host, 'Abort').count(), 0);
    assert.equal(await end(host).count(), 0);
});

test('against the bot, before a move and by keys', async () => {
    const visitor = await browser.visitor('keys');
    await visitor.enterRoom(server, 'chess', 'bot', {seat: 'White'});
    await visitor.page.waitForSelector('.verdict.mine');
    await button(visitor, 'Abort').focus();
    await visitor.page.keyboard.press('Enter');
    await visitor.page.keyboard.press('Tab');
    await visitor.page.keyboard.press('Enter');
    await end(visitor).waitFor();
    assert.equal(await visitor.page.locator('.moves-list .none').isVisible(), false);
    await button(visitor, 'Rematch').click();
    await visitor.page.waitForSelector('.verdict.mine');
});

test('no page had anything to complain about', () => browser.assertNoErrors());
