// "Take back": asked of the other player, granted by the bot, and not seen any more afterwards.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {assertConverged, assertFits, DESKTOP, eventually, PHONE, stage} from './browser.mjs';

const {server, browser} = stage('takeback');

const button = (visitor, name) => visitor.page.getByRole('button', {name, exact: true});
const asked = visitor => visitor.page.locator('.offer.asked', {hasText: 'would like to take back'});
// Whoever comes late has the moves at once, and their words a moment later.
const lists = (visitor, words) =>
    eventually(async () => assert.deepEqual((await visitor.page.locator('.moves-list [data-ply]').allInnerTexts()).map(text => text.trim()), words));
const stands = async (visitor, cell) => /pawn/.test(await visitor.cell(cell).getAttribute('aria-label'));

for (const [name, asking, answering] of [['desktop', DESKTOP, PHONE], ['phone', PHONE, DESKTOP]])
    test(`two play: one asks (${name}), the other declines and then agrees; who watches and who looks back see it, too`, async () => {
        const [host, guest, watcher] = [await browser.visitor(`host-${name}`, asking), await browser.visitor(`guest-${name}`, answering), await browser.visitor(`watcher-${name}`)];
        const url = await host.openRoom(server, 'chess', 'friend', {seat: 'White'});
        await guest.open(url);
        await guest.press(guest.page.locator('[data-take="black"]'));
        await Promise.all([host.reaches(3), guest.reaches(3)]);
        await watcher.open(url);
        await watcher.reaches(3);
        assert.equal(await button(host, 'Take back').isDisabled(), true, 'nothing to take back yet');
        assert.equal(await button(watcher, 'Take back').count(), 0, 'not for those who watch');
        await host.play('e2', 'e4');
        await guest.reaches(4);
        await guest.play('e7', 'e5');
        await host.reaches(5);
        await watcher.reaches(5);
        await watcher.page.keyboard.press('ArrowLeft');
        await host.press('Take back');
        await guest.reaches(6);
        await host.page.locator('.offer', {hasText: 'White has asked to take back a turn'}).waitFor();
        for (const visitor of [host, guest]) {
            await assertFits(visitor);
            await visitor.screenshot('asked');
        }
        await guest.press(asked(guest).getByRole('button', {name: 'Decline'}));
        await host.page.locator('.note', {hasText: 'Black keeps the move'}).waitFor();
        await host.press('Take back');
        await guest.press(asked(guest).getByRole('button', {name: 'Accept'}));
        await assertConverged([host, guest, watcher], 9);
        for (const visitor of [host, guest, watcher]) {
            await lists(visitor, []);
            assert.equal(await stands(visitor, 'e2'), true);
            await visitor.page.locator('.verdict', {hasText: 'White'}).waitFor();
        }
        await host.screenshot('taken_back');
        await host.play('d2', 'd4');
        await assertConverged([host, guest, watcher], 10);
        await lists(host, ['d4']);
        await guest.page.reload();
        await guest.reaches(10);
        await lists(guest, ['d4']);
    });

test('the bot gives a turn back, and one goes on from there', async () => {
    const visitor = await browser.visitor('alone');
    await visitor.openRoom(server, 'chess', 'bot', {seat: 'White'});
    const {version} = await visitor.holds();
    await visitor.click('e2', 'e4');
    await visitor.reaches(version + 2);
    await button(visitor, 'Take back').click();
    await visitor.reaches(version + 4);
    await lists(visitor, []);
    assert.equal(await stands(visitor, 'e2'), true);
    await visitor.click('d2', 'd4');
    await visitor.reaches(version + 6);
});

test('a turn of several moves that is not over is begun anew without asking; once it is over one asks', async () => {
    const [host, guest] = [await browser.visitor('mover'), await browser.visitor('waiting', PHONE)];
    const url = await host.enterRoom(server, 'amazons', 'friend', {seat: 'White'});
    await guest.open(url);
    await guest.page.click('[data-take="black"]');
    await Promise.all([host.reaches(3), guest.reaches(3)]);
    await host.click('d1', 'd3'); // and then it shoots
    await guest.reaches(4);
    await host.reaches(4);
    await button(host, 'Take back').click();
    await assertConverged([host, guest], 5);
    await lists(guest, []);
    await guest.page.locator('.note', {hasText: 'White took back the last turn'}).waitFor();
    await host.click('d1', 'd4');
    await host.reaches(6);
    await host.cell('d7').click();
    await assertConverged([host, guest], 7);
    await button(host, 'Take back').click();
    await guest.reaches(8);
    await asked(guest).waitFor();
});

test('alone on both sides nobody is asked', async () => {
    const visitor = await browser.visitor('both');
    await visitor.openRoom(server, 'chess', 'screen');
    const {version} = await visitor.holds();
    await visitor.click('e2', 'e4');
    await visitor.reaches(version + 1);
    await visitor.click('e7', 'e5');
    await visitor.reaches(version + 2);
    await button(visitor, 'Take back').click();
    await visitor.reaches(version + 3);
    await lists(visitor, ['e4']);
    assert.equal(await stands(visitor, 'e7'), true);
});

test('no page had anything to complain about', () => browser.assertNoErrors());
