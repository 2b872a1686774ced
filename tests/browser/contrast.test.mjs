// Who asks for more contrast, or has only the system's colours: words and lines stand out, and what a colour said is still said.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {eventually, DESKTOP, PHONE, stage} from './browser.mjs';

const {server, browser} = stage('contrast');

// What is written in which colour on which: of the page's own variables.
const shades = page => page.evaluate(async () => {
    const {contrast} = await import(new URL('colours.js', document.querySelector('script[src$="main.js"]').src));
    const colour = name => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
    const on = (ink, ground) => contrast(colour(ink), colour(ground));
    const inks = ['ink', 'soft', 'accent', 'gold', 'good', 'danger'];
    return {
        words: Math.min(...inks.flatMap(ink => ['ground', 'surface'].map(ground => on(ink, ground)))),
        buttons: on('accent-ink', 'accent'),
        lines: Math.min(on('line', 'ground'), on('line', 'surface')),
    };
});

test('more contrast is given to who asks for it, in both lights', async () => {
    for (const colorScheme of ['light', 'dark']) {
        const visitor = await browser.visitor(colorScheme, {...DESKTOP, colorScheme});
        await visitor.enterRoom(server, 'chess', 'screen');
        const before = await shades(visitor.page);
        assert.ok(before.words >= 4.5 && before.buttons >= 4.5, JSON.stringify(before));
        await visitor.page.emulateMedia({contrast: 'more'});
        const after = await shades(visitor.page);
        assert.ok(after.words >= 7 && after.buttons >= 7 && after.lines >= 3 && after.lines > before.lines, JSON.stringify(after));
        await visitor.screenshot('more');
        await visitor.open(server.url);
        await visitor.page.emulateMedia({contrast: 'more'});
        await visitor.page.locator('.game-card').first().waitFor();
        await visitor.screenshot('more-lobby');
    }
});

const look = (locator, property) => locator.evaluate((element, name) => getComputedStyle(element)[name], property);

for (const [name, size, colorScheme] of [['desktop', DESKTOP, 'light'], ['phone', PHONE, 'dark']]) {
    test(`with the system's colours only, ${name}: players, boards, turns and choices can be told apart`, async () => {
        const visitor = await browser.visitor(name, {...size, colorScheme, forcedColors: 'active'});
        await visitor.enterRoom(server, 'chess', 'screen');
        const {page} = visitor;
        await page.locator('.strip.turn[data-seat="white"]').waitFor();
        const dots = page.locator('.strips .player-dot');
        assert.notEqual(await look(dots.nth(0), 'backgroundColor'), await look(dots.nth(1), 'backgroundColor'), 'the players have their colours');
        const borders = await Promise.all(['white', 'black'].map(seat => look(page.locator(`.strip[data-seat="${seat}"]`), 'borderTopColor')));
        assert.notEqual(...borders, 'whose turn it is');
        assert.equal(await look(page.locator('.board-frame'), 'forcedColorAdjust'), 'none', 'the board has its colours');
        await visitor.click('e2', 'e4');
        await page.locator('.strip.turn[data-seat="black"]').waitFor();
        await visitor.screenshot('forced');
        await visitor.open(server.url);
        const chips = visitor.page.locator('.filters .chip span');
        await chips.nth(1).waitFor();
        assert.notEqual(await look(chips.nth(0), 'backgroundColor'), await look(chips.nth(1), 'backgroundColor'), 'what is chosen');
        await visitor.page.locator('[data-game="chess"] [data-way="friend"]').click();
        await visitor.page.locator('.dialog[open]').waitFor();
        await eventually(async () => assert.equal(new Set(await visitor.page.locator('.dialog .segments span').evaluateAll(spans => spans.map(span => getComputedStyle(span).backgroundColor))).size, 2));
        await visitor.screenshot('forced-dialog');
    });
}

test('no page had anything to complain about', () => browser.assertNoErrors());
