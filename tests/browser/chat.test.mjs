// Players decide whose words they hear: one spectator's, all spectators', anybody's.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {assertFits, DESKTOP, PHONE, stage} from './browser.mjs';

const {server, browser} = stage('chat');

let player, watcher;
const say = async (visitor, text) => {
    await visitor.page.fill('.chat input', text);
    await visitor.page.press('.chat input', 'Enter');
};
const lines = visitor => visitor.page.locator('.chat-list li').allInnerTexts();
const hears = (visitor, text) => visitor.page.locator('.chat-list li', {hasText: text}).waitFor();
const placeholder = (visitor, words) => visitor.page.locator(`.chat input[placeholder="${words}"]`).waitFor();
const rules = visitor => visitor.page.locator('.chat select');

for (const [size, dimensions] of [['desktop', DESKTOP], ['phone', PHONE]]) {
    test(`${size}: who watches talks, and has nothing to decide`, async () => {
        player = await browser.visitor(`player-${size}`, dimensions);
        watcher = await browser.visitor(`watcher-${size}`, dimensions);
        const room = await player.enterRoom(server, 'chess', 'screen');
        await watcher.open(room);
        await watcher.reaches(2);
        await say(watcher, 'Nonsense!');
        await hears(player, 'Nonsense!');
        await say(player, 'Hello');
        await hears(watcher, 'Hello');
        assert.equal(await rules(watcher).isVisible(), false);
        assert.equal(await watcher.page.locator('.chat .mute').count(), 0);
        assert.equal(await player.page.locator('.chat .mute').count(), 1, 'nobody mutes themselves');
        assert.equal(await watcher.page.locator('.chat-presets').isVisible(), false);
        await player.page.focus('.chat input');
        await player.page.getByRole('button', {name: 'Good luck!'}).click();
        await hears(watcher, 'Good luck!');
        await player.screenshot('talk');
    });

    test(`${size}: a spectator who is muted is told so, and what they said is hidden`, async () => {
        await player.page.locator('.chat .mute').click();
        await placeholder(watcher, 'The players do not want to hear you');
        await hears(player, 'is muted');
        assert.equal((await lines(player)).some(line => line.includes('Nonsense!')), false);
        assert.equal(await watcher.page.locator('.chat input').isDisabled(), true);
        await player.screenshot('muted');
        await watcher.page.reload();
        await placeholder(watcher, 'The players do not want to hear you');
        await player.page.getByRole('button', {name: 'Unmute 1'}).click();
        await placeholder(watcher, 'Say something');
        await hears(player, 'Nonsense!');
    });

    test(`${size}: players keep the chat to themselves, or turn it off`, async () => {
        await rules(player).selectOption('Players only');
        await placeholder(watcher, 'Only the players talk here');
        await placeholder(player, 'Say something');
        await say(player, 'Alone at last');
        await hears(watcher, 'Alone at last');
        await rules(player).selectOption('Nobody');
        await placeholder(player, 'The chat is turned off');
        await placeholder(watcher, 'The chat is turned off');
        await player.screenshot('off');
        await assertFits(player);
        await player.page.reload();
        await placeholder(player, 'The chat is turned off');
        assert.equal(await rules(player).inputValue(), 'nobody');
        await rules(player).selectOption('Everybody');
        await placeholder(watcher, 'Say something');
        await say(watcher, 'Thank you');
        await hears(player, 'Thank you');
    });
}

test('no page had anything to complain about', () => browser.assertNoErrors());
