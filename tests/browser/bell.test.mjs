// A bell for who waits: a sound when it is one's turn, and a notice while the page is hidden.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {assertFits, eventually, PHONE, stage} from './browser.mjs';

const {server, browser} = stage('bell');

const bell = visitor => visitor.page.getByRole('button', {name: 'Bell'});

// In place of the browser's own: a headless one shows and plays nothing.
async function listen(visitor) {
    await visitor.context.addInitScript(() => {
        window.heard = {tones: 0, notices: [], asked: 0};
        window.Notification = class extends EventTarget {
            static permission = 'default';
            static async requestPermission() {
                heard.asked++;
                return (Notification.permission = 'granted');
            }
            constructor(title, {body, tag}) {
                super();
                heard.notices.push(`${title}: ${body}`);
                heard.tag = tag;
            }
        };
        const start = OscillatorNode.prototype.start;
        OscillatorNode.prototype.start = function (at) {
            heard.tones++;
            return start.call(this, at);
        };
        window.hide = hidden => Object.defineProperty(document, 'visibilityState', {configurable: true, get: () => (hidden ? 'hidden' : 'visible')});
    });
}

const heard = visitor => visitor.page.evaluate(() => window.heard);

test('off until it is turned on; then it calls when the other has come, has moved and has resigned', async () => {
    const [host, guest] = [await browser.visitor('host', PHONE), await browser.visitor('guest')];
    await listen(host);
    await listen(guest);
    const url = await host.enterRoom(server, 'chess', 'friend', {seat: 'White'});
    await guest.open(url);
    await guest.page.locator('.room:not(.loading)').waitFor();
    assert.equal(await bell(guest).count(), 0, 'not for who watches');
    assert.equal(await bell(host).getAttribute('aria-pressed'), 'false');
    await bell(host).click();
    assert.equal(await bell(host).getAttribute('aria-pressed'), 'true');
    await eventually(async () => assert.deepEqual(await heard(host), {tones: 2, notices: [], asked: 1}));
    await host.screenshot('on');
    await assertFits(host);
    await host.page.evaluate(() => hide(true));
    await guest.page.click('[data-take="black"]');
    await Promise.all([host.reaches(3), guest.reaches(3)]);
    await eventually(async () => assert.deepEqual((await heard(host)).notices, ['Chess: guest plays Black']));
    await host.page.evaluate(() => hide(false));
    await host.click('e2', 'e4');
    await guest.reaches(4);
    await guest.click('e7', 'e5');
    await host.reaches(5);
    await eventually(async () => assert.equal((await heard(host)).tones, 6));
    assert.equal((await heard(host)).notices.length, 1, 'who sees the page needs no notice');
    await host.page.reload();
    await eventually(async () => assert.equal(await bell(host).getAttribute('aria-pressed'), 'true'));
    await host.page.evaluate(() => hide(true));
    await host.click('g1', 'f3');
    await guest.reaches(6);
    await guest.click('b8', 'c6');
    await host.reaches(7);
    await eventually(async () => assert.deepEqual((await heard(host)).notices, [])); // not granted any more
    await host.page.evaluate(() => { Notification.permission = 'granted'; });
    await host.click('f1', 'c4');
    await guest.reaches(8);
    await guest.page.getByRole('button', {name: 'Resign', exact: true}).click();
    await guest.page.locator('.dialog .danger').click();
    await eventually(async () => assert.deepEqual((await heard(host)).notices, ['Chess: You won']));
    assert.equal((await heard(host)).tag, new URL(url).pathname.split('/').at(-1));
    assert.deepEqual(await heard(guest), {tones: 0, notices: [], asked: 0});
});

test('no page had anything to complain about', () => browser.assertNoErrors());
