// What a player decides besides moving, at both sizes: a draw, giving up, which way the board lies.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {assertConverged, assertFits, SIZES, stage} from './browser.mjs';

const {server, browser} = stage('decisions');

// Both have moved, so that the game is no longer one that is aborted.
async function table(name, size) {
    const [host, guest] = [await browser.visitor(`host-${name}`, size), await browser.visitor(`guest-${name}`, size)];
    await guest.open(await host.enterRoom(server, 'chess', 'friend', {seat: 'Black'}));
    await guest.press(guest.page.locator('[data-take="white"]'));
    await assertConverged([host, guest], 3);
    await guest.play('e2', 'e4');
    await assertConverged([host, guest], 4);
    await host.play('e7', 'e5');
    await assertConverged([host, guest], 5);
    return [host, guest];
}

for (const [name, size] of SIZES) {
    test(`a draw is offered, declined, offered again and agreed (${name})`, async () => {
        const [host, guest] = await table(`draw-${name}`, size);
        await guest.press('Offer draw');
        await host.press('Decline');
        await guest.page.locator('.note', {hasText: 'Black declined the draw'}).waitFor();
        const offer = host.page.locator('.offer', {hasText: 'White offers a draw'});
        await offer.waitFor({state: 'hidden'});
        await guest.press('Offer draw');
        await offer.waitFor();
        await guest.page.locator('.offer', {hasText: 'White has offered a draw'}).waitFor();
        for (const visitor of [host, guest]) {
            await assertFits(visitor);
            await visitor.screenshot('offered');
        }
        await host.page.evaluate(() => (window.offer = document.querySelector('.offer.asked')));
        await guest.page.fill('.chat input', 'Well?');
        await guest.page.press('.chat input', 'Enter');
        await host.page.locator('.chat-list li', {hasText: 'Well?'}).waitFor();
        assert.ok(await host.page.evaluate(() => window.offer.isConnected), 'what a hand is about to press stays');
        await host.press('Accept');
        for (const visitor of [host, guest]) await visitor.page.locator('.verdict.draw', {hasText: 'Draw'}).waitFor();
        await guest.screenshot('agreed');
    });

    test(`who resigns is asked once more, and has lost (${name})`, async () => {
        const [host, guest] = await table(`resigns-${name}`, size);
        await guest.press('Resign');
        const question = guest.page.locator('.dialog', {hasText: 'Resign'});
        await question.waitFor();
        await assertFits(guest);
        await guest.screenshot('question');
        await guest.press(question.getByRole('button', {name: 'Cancel'}));
        await question.waitFor({state: 'detached'});
        assert.equal((await guest.holds()).status, 'playing');
        await guest.press('Resign');
        await guest.press(question.locator('.danger'));
        await assertConverged([host, guest], 6);
        assert.match(await guest.verdict(), /You lost\s+.*resign/i);
        assert.match(await host.verdict(), /You won\s+.*resign/i);
        for (const visitor of [host, guest]) await visitor.screenshot('resigned');
    });

    test(`the board is turned round, played on and turned back (${name})`, async () => {
        const visitor = await browser.visitor(`flips-${name}`, size);
        await visitor.enterRoom(server, 'chess', 'screen');
        const isBelow = async (one, other) => (await visitor.cell(one).boundingBox()).y > (await visitor.cell(other).boundingBox()).y;
        assert.equal(await isBelow('a1', 'a8'), true);
        await visitor.press('Flip board');
        assert.equal(await isBelow('a8', 'a1'), true);
        await visitor.play('g1', 'f3');
        await visitor.reaches(3);
        await assertFits(visitor);
        await visitor.screenshot('flipped');
        await visitor.press('Flip board');
        assert.equal(await isBelow('a1', 'a8'), true);
    });
}

test('no page had anything to complain about', () => browser.assertNoErrors());
