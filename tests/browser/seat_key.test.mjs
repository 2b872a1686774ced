// The same seat on another device: a link that is shown once, taken once, and what both devices say about it.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {assertConverged, eventually, PHONE, stage} from './browser.mjs';
import {readQr} from './qr.mjs';

let ada, grace, phone, room, link;
const {server, browser} = stage('seat-key', async () => {
    ada = await browser.visitor('Ada');
    grace = await browser.visitor('Grace');
    phone = await browser.visitor('phone', PHONE, {named: false});
});

async function askLink(visitor) {
    await visitor.page.getByRole('button', {name: 'Other device'}).click();
    const field = visitor.page.locator('.dialog .share-address');
    await field.waitFor();
    return await field.inputValue();
}

test('a player is shown a link and its picture', async () => {
    room = await ada.enterRoom(server, 'chess', 'friend', {seat: 'White'});
    await grace.open(room);
    await grace.page.locator('[data-take="black"]').click();
    await assertConverged([ada, grace], 3);
    await ada.click('e2', 'e4');
    await assertConverged([ada, grace], 4);
    link = await askLink(ada);
    assert.match(link, new RegExp(`^${room}#key=[A-Za-z0-9_-]{22}$`));
    const picture = ada.page.locator('.dialog .qr img');
    await picture.waitFor();
    await ada.page.waitForFunction(() => document.querySelector('.qr img').naturalWidth > 0);
    assert.equal(await readQr(ada, '.dialog'), link);
    await ada.screenshot('shown');
    await ada.page.getByRole('button', {name: 'Copy link'}).click();
    await eventually(async () => assert.equal(await ada.page.evaluate(() => navigator.clipboard.readText()), link));
});

test('the link taken on a phone: the seat is there, the address is clean, and the first device says where it went', async () => {
    await phone.open(link);
    await phone.page.locator('.note', {hasText: 'You play White on this device now, as Ada.'}).waitFor();
    await phone.page.waitForURL(room);
    await phone.page.locator('.strips.bottom', {hasText: /Ada\s*you/}).waitFor();
    await phone.screenshot('arrived');
    await ada.page.locator('.banner', {hasText: 'on another device now'}).waitFor();
    assert.equal(await ada.page.locator('.dialog').count(), 0);
    await ada.screenshot('gone');
    await grace.click('e7', 'e5');
    await phone.page.waitForSelector('.verdict.mine');
    await phone.tap('g1', 'f3');
    await grace.page.waitForSelector('.verdict.mine');
});

test('the first device can watch, and nothing comes back by itself', async () => {
    assert.equal(await ada.page.locator('.room').getAttribute('inert'), '');
    await ada.page.getByRole('button', {name: 'Watch it here'}).click();
    await ada.page.locator('.banner').waitFor({state: 'hidden'});
    await ada.page.waitForFunction(() => document.querySelector('.room').dataset.ply === '3');
    assert.equal(await ada.page.locator('.tag.you').count(), 0);
    assert.equal(await ada.page.getByRole('button', {name: 'Other device'}).count(), 0);
    assert.equal(await phone.page.locator('.banner:not([hidden])').count(), 0);
});

test('a link that has been used says so, and its owner stays where they are', async () => {
    const late = await browser.visitor('late');
    await late.open(link);
    await late.page.locator('.dialog', {hasText: 'does not work any more'}).waitFor();
    await late.page.waitForURL(room);
    await late.screenshot('too-late');
    await late.page.getByRole('button', {name: 'Watch'}).click();
    await late.page.waitForSelector('.room[data-ply="3"]');
    assert.equal(await late.page.locator('.tag.you').count(), 0);
    await late.context.close();
});

test('a newer link replaces an older one', async () => {
    const old = await askLink(phone);
    await phone.page.keyboard.press('Escape');
    const newer = await askLink(phone);
    assert.notEqual(old, newer);
    await ada.page.goto(old);
    await ada.page.locator('.dialog', {hasText: 'a newer one was made'}).waitFor();
    await ada.page.getByRole('button', {name: 'Watch'}).click();
    // pasted into the address of the page that is open: no page load, a new fragment
    await ada.page.evaluate(address => location.assign(address), newer);
    await ada.page.locator('.note', {hasText: 'You play White on this device now'}).waitFor();
    await ada.page.waitForURL(room);
    await phone.page.locator('.banner', {hasText: 'on another device now'}).waitFor();
    await phone.screenshot('gone');
});

test('after a restart of the server everybody is still who they were', async () => {
    for (const visitor of [ada, grace, phone]) {
        await visitor.isLoaded();
        visitor.serverIsAway = true;
    }
    await server.stop('SIGKILL');
    for (const visitor of [ada, grace]) await visitor.page.locator('.banner', {hasText: 'reconnecting'}).waitFor();
    await server.start();
    for (const visitor of [ada, grace]) await visitor.page.locator('.banner').waitFor({state: 'hidden'});
    assert.match(await phone.page.locator('.banner').innerText(), /on another device now/);
    await grace.click('b8', 'c6');
    await ada.page.waitForSelector('.verdict.mine');
    await ada.click('f1', 'c4');
    await grace.page.waitForSelector('.verdict.mine');
});

test('no page had anything to complain about', () => browser.assertNoErrors());
