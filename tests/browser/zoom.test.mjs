// A board drawn larger: by two fingers, buttons, keys and the wheel; moved about, and played on meanwhile.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {assertFits, DESKTOP, PHONE, stage} from './browser.mjs';

const {server, browser} = stage('zoom');
const LYING = {...PHONE, viewport: {width: 844, height: 390}};

const width = async visitor => Number((await visitor.page.locator('.board').getAttribute('viewBox')).split(' ')[2]);
const corner = async visitor => (await visitor.page.locator('.board').getAttribute('viewBox')).split(' ').slice(0, 2).map(Number);
const button = (visitor, name) => visitor.page.getByRole('button', {name});

// Two fingers around the middle of a cell, from so far apart to so far.
async function pinch(visitor, cell, from, to) {
    const box = await visitor.cell(cell).boundingBox();
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const input = await visitor.context.newCDPSession(visitor.page);
    const touch = (type, apart) =>
        input.send('Input.dispatchTouchEvent', {type, touchPoints: apart === null ? [] : [{x: x - apart / 2, y, id: 1}, {x: x + apart / 2, y, id: 2}]});
    await touch('touchStart', from);
    for (const part of [0.25, 0.5, 0.75, 1]) await touch('touchMove', from + (to - from) * part);
    await touch('touchEnd', null);
    await input.detach();
}

// Whether the middle of a cell is what a finger there would touch.
async function reachable(visitor, cell) {
    return await visitor.cell(cell).evaluate(hit => {
        const box = hit.getBoundingClientRect();
        return document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2) === hit;
    });
}

for (const [way, size] of [['upright', PHONE], ['lying', LYING]]) {
    test(`on a phone, ${way}: pinched, moved about, tapped, and all of it again`, async () => {
        const visitor = await browser.visitor(way, size);
        await visitor.enterRoom(server, 'xiangqi', 'screen');
        await visitor.page.locator('.board').scrollIntoViewIfNeeded();
        const all = await width(visitor);
        await pinch(visitor, 'e5', 60, 150);
        assert.ok((await width(visitor)) < all / 1.8, 'nearer');
        const pageScale = await visitor.page.evaluate(() => visualViewport.scale);
        assert.equal(pageScale, 1, 'the board, not the page');
        await assertFits(visitor);
        await visitor.screenshot('near');
        const before = await corner(visitor);
        await visitor.dragWithFinger('e5', 'f6');
        assert.notDeepEqual(await corner(visitor), before, 'another part is seen');
        await visitor.screenshot('moved');
        await pinch(visitor, 'e5', 90, 26);
        assert.equal(await width(visitor), all, 'all of it');
        assert.equal((await visitor.holds()).version, 2, 'nothing has been played by that');

        await pinch(visitor, 'e4', 60, 110);
        assert.ok(await reachable(visitor, 'e4'));
        const {version} = await visitor.holds();
        await visitor.tap('e4', 'e5'); // a soldier
        await visitor.reaches(version + 1);
        assert.ok((await width(visitor)) < all, 'a move leaves it as near as it is');
        for (let taps = 0; taps < 8 && (await width(visitor)) < all; taps++) await button(visitor, 'Zoom out').tap();
        assert.equal(await button(visitor, 'Zoom out').isDisabled(), true);
        await button(visitor, 'Zoom in').tap();
        assert.ok((await width(visitor)) < all);
        const {version: now} = await visitor.holds();
        assert.equal(now, version + 1);
    });
}

test('with keys and the wheel; a cell that the keys lead to is seen', async () => {
    const visitor = await browser.visitor('keys', DESKTOP);
    await visitor.enterRoom(server, 'chess', 'screen');
    const all = await width(visitor);
    await visitor.cell('e2').focus();
    for (let i = 0; i < 3; i++) await visitor.page.keyboard.press('+');
    assert.ok((await width(visitor)) < all / 3);
    for (let i = 0; i < 6; i++) await visitor.page.keyboard.press('KeyW');
    assert.equal(await visitor.page.evaluate(() => document.activeElement.dataset.cell), 'e8');
    assert.ok(await reachable(visitor, 'e8'));
    await visitor.screenshot('near');
    await visitor.page.keyboard.press('0');
    assert.equal(await width(visitor), all);
    const box = await visitor.cell('d4').boundingBox();
    await visitor.page.mouse.move(box.x + 5, box.y + 5);
    await visitor.page.keyboard.down('Control');
    await visitor.page.mouse.wheel(0, -200);
    await visitor.page.keyboard.up('Control');
    await visitor.page.waitForSelector('.board.zoomed');
    assert.ok(await reachable(visitor, 'd4'));
});

test('no page had anything to complain about', () => browser.assertNoErrors());
