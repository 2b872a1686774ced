// How /make uses a short window, and colours of the reader's own: a phone lying on its side, a page at 200 %, half a screen; forced colours
// and more contrast.
import assert from 'node:assert/strict';
import {existsSync} from 'node:fs';
import {test as always} from 'node:test';
import {assertFits, DESKTOP, eventually, stage} from './browser.mjs';
import {begin, template, write} from './make.mjs';

const WASM = new URL('../../build/browser/engine.wasm.gz', import.meta.url);
const test = (name, run) => always(name, {skip: !existsSync(WASM) && 'no engine for browsers is built'}, run);

let author;
const {server, browser} = stage('make-sizes', async () => {
    author = await browser.visitor('Maker', {...DESKTOP, reducedMotion: 'reduce'}); // colours are there at once
});
const SIZES = {landscape: [844, 390], 'two hundred per cent': [640, 400], 'half a screen': [1280, 420]};

// Once the page has the size, too.
async function resize({page}, width, height) {
    await page.setViewportSize({width, height});
    await page.waitForFunction(([width, height]) => innerWidth === width && innerHeight === height, [width, height]);
}

// All of it is in the window, and nothing else lies on its middle.
async function assertSeen({page}, locator, words) {
    await eventually(async () => {
        const {x, y, width, height} = await locator.boundingBox();
        const window = page.viewportSize();
        assert.ok(x >= 0 && y >= 0 && x + width <= window.width + 0.5 && y + height <= window.height + 0.5, `${words} lies at ${x}, ${y}, ${width} × ${height}`);
        const hidden = await locator.evaluate(element => {
            const {x, y, width, height} = element.getBoundingClientRect();
            const top = document.elementFromPoint(x + width / 2, y + height / 2);
            return !(element.contains(top) || top?.contains(element));
        });
        assert.ok(!hidden, `something lies on ${words}`);
    });
}

// Neither the page nor the board's side: what has to scroll are the panels.
async function assertStill({page}, words) {
    await eventually(async () => {
        const beyond = await page.evaluate(() => [document.documentElement, document.querySelector('.make'), document.querySelector('.board-side')].map(({scrollHeight, clientHeight}) => scrollHeight - clientHeight));
        assert.deepEqual(beyond.map(by => by > 1), [false, false, false], `${words}: it scrolls by ${beyond}`);
    });
}

const show = async ({page}, side) => {
    const button = page.locator(`.sides [data-side="${side}"]`);
    if (await button.isVisible()) await button.click();
};

test('a short window: nothing has to be scrolled for the bar, the text, the board, or a tab', async () => {
    await begin(author, server);
    const {page} = author;
    for (const [name, [width, height]] of Object.entries(SIZES)) {
        await resize(author, width, height);
        await assertFits(author);
        for (const button of await page.locator('.draft-bar > button, .draft-bar summary').all()) await assertSeen(author, button, `${name}: ${await button.textContent()}`);
        await show(author, 'text');
        await assertStill(author, name);
        await eventually(async () => {
            const text = await page.locator('.text-editor').boundingBox();
            assert.ok(text.height >= 200 && text.width >= 320, `${name}: the text is ${text.width} × ${text.height}`);
        });
        await assertSeen(author, page.locator('.findings p'), `${name}: the verdict`);
        await show(author, 'board');
        await assertSeen(author, page.locator('.board-side > .board-frame'), `${name}: the board`);
        await eventually(async () => assert.ok((await page.locator('.board-side > .board-frame .board').boundingBox()).height >= 200, `${name}: the board is large enough`));
        for (const tab of await page.getByRole('tab').all()) {
            await assertSeen(author, tab, `${name}: the tab ${await tab.textContent()}`);
            await tab.click();
            await assertStill(author, `${name}, ${await tab.textContent()}`);
            await assertSeen(author, page.locator('.board-side > .board-frame'), `${name}: the board`);
        }
        await page.getByRole('tab', {name: 'Play'}).click();
        await author.screenshot(`board-${width}`);
    }
});

test('a short window: of the question what to begin with only the list scrolls', async () => {
    const {page} = author;
    await page.getByRole('button', {name: 'New…'}).click();
    await page.locator('[data-copy]').first().waitFor();
    for (const [name, [width, height]] of Object.entries({...SIZES, pocket: [390, 844], desktop: [1280, 800]})) {
        await resize(author, width, height);
        await eventually(async () => {
            const beyond = await page.locator('dialog[open]').evaluate(({scrollHeight, clientHeight}) => scrollHeight - clientHeight);
            assert.ok(beyond <= 1, `${name}: the dialog scrolls by ${beyond}`);
        });
        await assertSeen(author, page.locator('dialog[open] h2'), `${name}: the title`);
        await assertSeen(author, page.locator('.pick-file'), `${name}: the way to a file`);
        await eventually(async () => assert.ok((await page.locator('.choices.start').boundingBox()).height >= 120, `${name}: the list`));
        await page.locator('[data-copy]').last().scrollIntoViewIfNeeded();
        await assertSeen(author, page.locator('[data-copy]').last(), `${name}: the last game`);
        await page.locator('[data-template]').first().scrollIntoViewIfNeeded();
        await author.screenshot(`start-${width}`);
    }
    await page.keyboard.press('Escape');
});

test('a short window: the questions before a game is played or published are answered without scrolling', async () => {
    const {page} = author;
    for (const [name, [width, height]] of Object.entries(SIZES)) {
        await resize(author, width, height);
        for (const [question, words] of [['Play it', 'Open the room'], ['Publish…', 'Publish']]) {
            await page.locator('.draft-bar').getByRole('button', {name: question}).click();
            for (const label of [words, /Cancel|Not now/]) await assertSeen(author, page.locator('dialog[open] .choices button', {hasText: label}).last(), `${name}: ${label}`);
            await author.screenshot(`${question.slice(0, 4).toLowerCase()}-${width}`);
            await page.keyboard.press('Escape');
            await page.locator('dialog[open]').waitFor({state: 'detached'});
        }
    }
});

const styleOf = (locator, name) => locator.evaluate((element, name) => getComputedStyle(element)[name], name);

test('colours of the reader’s own: what is chosen and what is spoken of is told from the rest', async () => {
    const {page} = author;
    await resize(author, 1280, 800);
    const tab = name => page.getByRole('tab', {name});
    const differ = async (one, other, words) => assert.notEqual(await styleOf(one, 'backgroundColor'), await styleOf(other, 'backgroundColor'), words);
    for (const colorScheme of ['light', 'dark']) {
        await page.emulateMedia({forcedColors: 'active', colorScheme});
        await tab('Play').click();
        await author.cell('a2').click();
        await page.locator('.text-editor .spoken').first().waitFor();
        assert.equal(await styleOf(page.locator('.spoken').first(), 'outlineStyle'), 'solid');
        await author.cell('b3').click(); // nothing to take
        await page.locator('.text-editor .spoken.forbids').first().waitFor();
        assert.equal(await styleOf(page.locator('.spoken.forbids').first(), 'outlineStyle'), 'dashed');
        assert.equal(await styleOf(page.locator('.spoken.forbids').first(), 'color'), await styleOf(page.locator('.findings p'), 'color'), 'marked words are the reader’s colour as well');
        await author.screenshot(`forced-${colorScheme}`);
        await tab('Draw').click();
        await differ(tab('Draw'), tab('Play'), 'the tab that is open');
        await differ(page.locator('.painters [aria-pressed="true"]'), page.locator('.painters [aria-pressed="false"]').first(), 'the painter that is chosen');
        await differ(page.locator('.board-side > .board-frame'), page.locator('.text-editor .cm-gutters'), 'coordinates keep the ground they are written on');
    }
    await page.emulateMedia({forcedColors: 'none', colorScheme: 'light'});
});

// Of two colours as the browser computes them.
function contrast(one, other) {
    const [light, dark] = [one, other]
        .map(colour => colour.match(/[\d.]+/g).slice(0, 3).map(part => part / 255).map(part => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)))
        .map(([red, green, blue]) => 0.2126 * red + 0.7152 * green + 0.0722 * blue)
        .sort((a, b) => b - a);
    return (light + 0.05) / (dark + 0.05);
}

// Of what lies behind it.
const groundOf = locator => locator.evaluate(element => {
    const colourOf = one => getComputedStyle(one).backgroundColor;
    let one = element;
    while (one && colourOf(one) === 'rgba(0, 0, 0, 0)') one = one.parentElement ?? one.getRootNode().host;
    return colourOf(one ?? document.documentElement);
});

test('more contrast: seven to one for words, three to one for lines', async () => {
    const {page} = author;
    await write(author, template('square').replace('"to": ["rook"]', '"to": ["rok"]'));
    await page.locator('.stale:visible').waitFor();
    const words = {'what is wrong': '.findings p', 'what is wrong there': '.findings .message', 'line numbers': '.cm-gutters', 'an old board': '.stale', 'what a painter says of itself': '.painter:not([hidden]) .hint', 'a tab': '[role="tab"]'};
    for (const colorScheme of ['light', 'dark']) {
        await page.emulateMedia({contrast: 'more', colorScheme});
        for (const [name, selector] of Object.entries(words)) {
            const element = page.locator(selector).first();
            const found = contrast(await styleOf(element, 'color'), await groundOf(element));
            assert.ok(found >= 7, `${name}, ${colorScheme}: ${found.toFixed(1)} to one`);
        }
        const button = page.getByRole('button', {name: 'Format'});
        const line = contrast(await styleOf(button, 'borderTopColor'), await styleOf(button, 'backgroundColor'));
        assert.ok(line >= 3, `a button's line, ${colorScheme}: ${line.toFixed(1)} to one`);
        await author.screenshot(`contrast-${colorScheme}`);
    }
});

always('no page had anything to complain about', () => browser.assertNoErrors());
