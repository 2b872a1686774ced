// What a player comes by from the lobby to the analysis of a game that is over, in German and in Spanish, at both sizes: no English text of
// the catalogue is left there, nothing is cut off, and nothing is wider than the window.
import assert from 'node:assert/strict';
import {existsSync} from 'node:fs';
import {after, test} from 'node:test';
import {Player} from '../support/player.mjs';
import {assertFits, assertNothingClipped, eventually, SIZES, stage} from './browser.mjs';
import {catalogue, englishAmong} from './texts.mjs';

const BUILT = existsSync(new URL('../../build/browser/engine.wasm.gz', import.meta.url));
const {server, browser} = stage('translated');
const LOCALES = {de: 'de-DE', es: 'es-ES'};

test('what is left of English is found', () => {
    assert.deepEqual(englishAmong(['Offer draw', ' Remis anbieten ', 'Weiß', 'White has offered a draw.', '\u2068Weiß\u2069 bietet Remis an.'], 'de'), ['Offer draw', 'White has offered a draw.']);
});

// All that is read or heard on the page: elements' words, whole and in parts, what stylesheets add, names and hints.
const shownOn = ({page}) =>
    page.evaluate(() => {
        const shown = [document.title];
        for (const element of document.querySelectorAll('body, body *:not(script, style, noscript, option)')) {
            const own = [...element.childNodes].filter(({nodeType}) => nodeType === Node.TEXT_NODE).map(({data}) => data);
            if (own.some(text => text.trim())) shown.push(element.textContent, ...own);
            for (const name of ['aria-label', 'aria-description', 'title', 'placeholder', 'alt']) if (element.hasAttribute(name)) shown.push(element.getAttribute(name));
            for (const part of ['::before', '::after']) shown.push(getComputedStyle(element, part).content.replace(/^"|"$/g, ''));
        }
        return shown;
    });

// The other player, who is in the test's hand.
async function opponent(room) {
    const player = new Player(server);
    after(() => player.close());
    await player.connect();
    player.room = room;
    await player.call({type: 'join', room, seat: 'black', name: 'Grace'});
    return {
        move: (from, to) => player.call({type: 'move', room, move: {from, to}}),
        action: kind => player.call({type: 'action', room, kind}),
    };
}

for (const [language, locale] of Object.entries(LOCALES))
    for (const [size, shape] of SIZES)
        test(`a game from the lobby to its analysis (${language}, ${size})`, async () => {
            const visitor = await browser.visitor(`${language}-${size}`, {...shape, locale});
            const told = catalogue(language);
            const say = text => told[text] ?? assert.fail(`${language} has no text for: ${text}`);
            const press = text => visitor.press(say(text));
            const {page} = await visitor.open(server.url).then(() => visitor);
            const look = async where => {
                await eventually(async () => assert.deepEqual(englishAmong(await shownOn(visitor), language), [], where));
                await assertFits(visitor);
                await assertNothingClipped(visitor);
                await visitor.screenshot(where);
            };
            const dialog = async (where, open) => {
                await open();
                await page.locator('dialog[open]').waitFor();
                await look(where);
                await page.keyboard.press('Escape');
                await page.locator('dialog[open]').waitFor({state: 'detached'});
            };

            await page.locator('[data-game="chess"]').waitFor();
            await look('lobby');
            await dialog('how-to-play', () => page.locator('[data-game="chess"] .how-link').click());
            await visitor.press(page.locator('[data-game="chess"] [data-way="friend"]'));
            await page.locator('.dialog .time label').last().click();
            await page.locator('.dialog .clock-form').waitFor();
            await look('own-clock');
            await page.locator('.dialog .time label', {hasText: '10 + 5'}).click();
            await page.locator('.dialog .seat label').first().click();
            await look('new-room');
            await visitor.press(page.locator('.dialog .primary'));
            await page.waitForURL('**/room/*');
            await visitor.reaches(2);
            await look('invitation');

            const other = await opponent(page.url().split('/').at(-1));
            await visitor.reaches(3);
            await look('begins');
            await dialog('settings', () => visitor.press(say('Settings')));
            await visitor.play('f2', 'f3');
            await visitor.reaches(4);
            await other.move('e7', 'e5');
            await visitor.reaches(5);
            await other.action('draw.offer');
            await visitor.reaches(6);
            await other.action('takeback.offer');
            await page.locator('.offer.asked').nth(1).waitFor();
            await look('offers');
            for (const version of [8, 9]) {
                await visitor.press(page.locator('.offer.asked').first().getByRole('button', {name: say('Decline')}));
                await visitor.reaches(version);
            }
            await dialog('resign', () => press('Resign'));
            await dialog('other-device', () => press('Other device'));
            await press('Offer draw');
            await press('Take back');
            await visitor.reaches(11);
            await press('Bell');
            await look('waits');
            await visitor.play('g2', 'g4');
            await other.move('d8', 'h4');
            await page.waitForSelector('.room[data-status="finished"]');
            await look('over');

            await dialog('save', () => press('Save'));
            await dialog('rematch', () => press('Other clock…'));
            await dialog('fork', () => press('Play on from here'));
            await visitor.press(page.locator('[data-step="previous"]'));
            await page.waitForSelector('.room[data-ply="3"]:not(:has(.board-frame[aria-busy="true"]))');
            await look('looks-back');
            if (!BUILT) return;
            await press('Analyse');
            await page.waitForSelector('.room.analysing');
            await press('Hint');
            await page.locator('.hint-lines li').first().waitFor();
            await visitor.play('d8', 'g5');
            await page.waitForSelector('.room[data-ply="4"]');
            await look('analysis');
        });

test('no page had anything to complain about', () => browser.assertNoErrors());
