// The page /make when things go wrong: games that would run for ever or are as large as may be, a reload in the middle of a word, no
// network, an engine that is not built yet, drafts brought back from a file. Nothing that was written is lost.
import assert from 'node:assert/strict';
import {existsSync, readFileSync} from 'node:fs';
import {test as always} from 'node:test';
import {asLargeAsMayBe, queens, tooLarge} from '../support/large_games.mjs';
import {assertFits, DESKTOP, eventually, PHONE, stage} from './browser.mjs';
import {becomes, begin, isGood, saved, savedAs, startAgain, template, write} from './make.mjs';

const WASM = new URL('../../build/browser/engine.wasm.gz', import.meta.url);
const test = (name, run) => always(name, {skip: !existsSync(WASM) && 'no engine for browsers is built'}, run);

let author;
const {server, browser} = stage('make-trouble', async () => {
    author = await browser.visitor('Maker');
});

const square = template('square');
const status = () => author.page.locator('.play-tab .status');

// A file somebody drops.
async function drop({page}, name, text) {
    await page.evaluate(([name, text]) => {
        const data = new DataTransfer();
        data.items.add(new File([text], name, {type: 'application/json'}));
        document.querySelector('.text-editor').dispatchEvent(new DragEvent('drop', {dataTransfer: data, bubbles: true, cancelable: true}));
    }, [name, text]);
}

// Played by clicks, from the start; whose turn it is then.
async function playsOn(from, to, then) {
    await author.page.getByRole('tab', {name: 'Play'}).click();
    await startAgain(author);
    await author.click(from, to);
    await status().filter({hasText: then}).waitFor();
}

// Sixty times some 25 million positions are counted: a minute.
const tests = Array.from({length: 60}, (_, i) => ({name: `long ${i}`, perft: [69, 4877, 350275, 1000000]}));
const forEver = JSON.stringify({...queens({figures: 1, players: 2, side: 24}), tests}, null, 2);

test('a game whose tests would run for ever: the Worker is ended, that is said, and the board is played on', async () => {
    await begin(author, server);
    await write(author, forEver);
    await isGood(author);
    await author.page.getByRole('tab', {name: 'Tests'}).click();
    await author.page.locator('.tests-tab', {hasText: 'takes too long, so it was stopped'}).waitFor();
    await isGood(author);
    await playsOn('0_0', '0_5', 'B to move');
    await author.page.getByRole('tab', {name: 'Tests'}).click();
    await author.screenshot('stopped');
    assert.equal(await author.page.getByRole('button', {name: 'Run the tests'}).isVisible(), true, 'not again by themselves');
    await savedAs(author, text => text === forEver);
});

test('a game that takes too much memory is refused with words, one that takes nearly as much is loaded, and the next one as well', async () => {
    await write(author, JSON.stringify(tooLarge('x'), null, 2));
    await author.page.locator('.make .findings', {hasText: /more than 8 MiB of memory|takes too long/}).waitFor();
    await author.page.locator('.stale').waitFor();
    await write(author, JSON.stringify(asLargeAsMayBe('x'), null, 2));
    await author.page.locator('.board-side [data-cell="31_31"]').waitFor();
    await write(author, square);
    await isGood(author);
    await playsOn('a2', 'a3', 'Black to move');
});

test('an engine that never answers is ended, and so is one without memory; what was written goes on', async () => {
    const hostile = await browser.visitor('Hostage');
    hostile.refusals = true; // the Worker's own script is ours here
    const real = readFileSync(new URL('../../server/web/engine/worker.js', import.meta.url), 'utf8');
    const trap = `self.addEventListener('message', event => {
        const {line = ''} = event.data;
        if (line.includes('for ever')) for (;;);
        if (line.includes('no memory')) { event.stopImmediatePropagation(); self.postMessage({failed: 'memory', message: ''}); }
    });\n`;
    await hostile.context.route('**/engine/worker.js', route => route.fulfill({contentType: 'text/javascript', body: trap + real}));
    await begin(hostile, server);
    for (const [title, words] of [['no memory', /more memory than there is/], ['for ever', /takes too long/]]) {
        await write(hostile, square.replace('My game on squares', title));
        await hostile.page.locator('.make .findings', {hasText: words}).waitFor();
        await hostile.page.locator('.stale').waitFor();
        await hostile.screenshot(title.replace(' ', '-'));
        await write(hostile, square);
        await isGood(hostile);
        await hostile.page.locator('[data-cell="a2"][aria-label*="can move"]').waitFor();
    }
    await hostile.context.close();
});

test('a reload in the middle of a word loses no letter of it', async () => {
    await write(author, square);
    await isGood(author);
    for (const word of ['first', 'second', 'third']) {
        await author.page.locator('.cm-content').click();
        await author.page.keyboard.press('Control+End');
        await author.page.keyboard.type(word);
        await author.page.reload(); // at once: a save takes longer
        await author.page.locator('.make .findings .bad').waitFor();
        await savedAs(author, text => text.trim().endsWith(word));
    }
    const [draft] = await author.page.evaluate(async () => {
        const {Drafts} = await import('/make/drafts.js');
        return (await (await Drafts.open()).all()).filter(({text}) => text.includes('third'));
    });
    assert.equal(draft.text.trim(), `${square.trim()}\nfirstsecondthird`, 'and no draft is doubled');
});

test('a page that is left while half a word is being saved: the whole word comes back as the same draft', async () => {
    const found = await author.page.evaluate(async () => {
        const {Drafts} = await import('/make/drafts.js');
        const drafts = await Drafts.open();
        const begun = await drafts.add('left', 'a');
        await drafts.save({...begun, text: 'a wo'}); // on its way when the page goes
        const back = await drafts.save({...begun, text: 'a word', onItsWay: 'a wo'}); // what the page has put down
        const other = await drafts.save({...begun, text: 'a world', onItsWay: 'a wo'}); // of another window
        const ids = [back.id === begun.id, other.id === begun.id];
        for (const {id} of [back, other]) await drafts.remove(id);
        return ids;
    });
    assert.deepEqual(found, [true, false]);
});

// The template with 60 zones in long words, 60 tests of 60 moves each, and blank lines for what is left.
function asLongAsMayBe() {
    const zones = Object.fromEntries(Array.from({length: 60}, (_, i) => [`zone${i}`, {each: `${'y == 5 || '.repeat(80)}x == ${i % 6}`}]));
    const illegal = [...'bde'].flatMap(from => [...'abcdef'].flatMap(to => [1, 3, 4].map(rank => `${from}3-${to}${rank}`)));
    const tests = Array.from({length: 60}, (_, i) => ({name: `test ${i}`, illegal: [...illegal, 'a2-a4', 'b2-b4', 'c2-c4', 'd2-d4', 'e2-e4', 'f2-f4']}));
    const plain = JSON.parse(square);
    const text = JSON.stringify({...plain, zones: {...plain.zones, ...zones}, tests}, null, 10);
    return text + `\n${' '.repeat(79)}`.repeat(4000).slice(0, 256 * 1024 - text.length);
}

test('a game of 256 KiB is written, played here, and opened as a room', async () => {
    const text = asLongAsMayBe();
    assert.equal(Buffer.byteLength(text), 256 * 1024);
    await drop(author, 'long.json', text);
    await becomes(author, text);
    await playsOn('a2', 'a3', 'Black to move');
    await author.page.locator('.cm-content').click();
    await author.page.keyboard.press('Control+Home');
    await author.page.keyboard.press('Delete');
    await author.page.locator('.make[data-state="bad"]').waitFor();
    await author.page.keyboard.type('{');
    await author.page.keyboard.press('Delete'); // the bracket that came with it
    await becomes(author, text);
    await author.page.getByRole('button', {name: 'Play it'}).click();
    await author.page.locator('.dialog .opponent label', {hasText: 'The bot'}).click();
    await author.page.click('.dialog .primary');
    await author.page.waitForURL('**/room/*');
    await author.page.locator('.verdict', {hasText: 'Your turn'}).waitFor();
    const {definition} = await (await fetch(`${server.url}/api/v1${new URL(author.page.url()).pathname.replace('room', 'rooms')}/export`)).json();
    assert.equal(definition, text, 'byte for byte');
    await author.click('a2', 'a3');
    await author.reaches(5); // the bot's answer
});

test('without a network a game is written and played on; with it again it is opened as a room', async () => {
    await author.open(`${server.url}/make`);
    await isGood(author);
    await saved(author); // what looks at the drafts is there before the network goes
    author.serverIsAway = true;
    await author.context.setOffline(true);
    await author.page.locator('.draft-bar .play:disabled').waitFor();
    await author.page.locator('#site-place .away', {hasText: 'Not connected'}).waitFor();
    const text = square.replace('My game on squares', 'Written offline');
    await write(author, text);
    await isGood(author);
    await playsOn('a2', 'a3', 'Black to move');
    await savedAs(author, kept => kept === text);
    await author.screenshot('offline');
    await author.page.setViewportSize(PHONE.viewport);
    await assertFits(author);
    await eventually(async () => assert.ok((await author.page.locator('header.site').boundingBox()).height < 60, 'on a phone the head stays one line'));
    await author.screenshot('offline-phone');
    await author.page.setViewportSize(DESKTOP.viewport);
    await author.context.setOffline(false);
    await author.page.locator('.draft-bar .play:enabled').waitFor();
    await author.page.locator('#site-place .away:empty').waitFor({state: 'attached'});
    await author.page.getByRole('button', {name: 'Play it'}).click();
    await author.page.locator('.dialog .opponent label', {hasText: 'One screen'}).click();
    await author.page.click('.dialog .primary');
    await author.page.waitForURL('**/room/*');
    await author.page.locator('h1', {hasText: 'Written offline'}).waitFor();
    author.serverIsAway = false;
});

test('a template that cannot be fetched is said in words, and what was written stays', async () => {
    const cut = await browser.visitor('Cut');
    await begin(cut, server);
    const text = square.replace('My game on squares', 'Kept');
    await write(cut, text);
    await becomes(cut, text);
    cut.brokenRequests = true;
    await cut.context.route('**/make/templates/*', route => route.abort()); // whatever the browser keeps of templates
    await cut.page.getByRole('button', {name: 'New…'}).click();
    await cut.page.click('[data-template="hexagon"]');
    await cut.page.locator('.note.bad', {hasText: 'The server cannot be reached'}).waitFor();
    await becomes(cut, text);
    await cut.page.reload();
    await becomes(cut, text);
    await cut.context.close();
});

test('where the engine for browsers is not built yet the server checks the text, and the board comes when it is', async () => {
    const early = await browser.visitor('Early');
    early.refusals = true;
    await early.context.route('**/engine/engine.wasm', route => route.fulfill({status: 404, body: 'not yet'}));
    await early.open(`${server.url}/make`);
    await early.page.click('[data-template="square"]');
    await isGood(early);
    await early.page.locator('.no-board', {hasText: 'as soon as'}).waitFor();
    await write(early, square.replace('"king": ["c1"]', '"king": ["c9"]'));
    await early.page.locator('.findings li', {hasText: 'c9'}).first().waitFor();
    await early.screenshot('no-engine');
    await write(early, square);
    await early.context.unroute('**/engine/engine.wasm');
    await early.page.locator('[data-cell="a2"][aria-label*="can move"]').waitFor();
    assert.equal(await early.page.locator('.no-board').isVisible(), false);
    await early.context.close();
});

test('drafts go into a file and come back, in this browser and in another one; none is overwritten', async () => {
    const all = page => page.evaluate(async () => {
        const {Drafts} = await import('/make/drafts.js');
        return (await (await Drafts.open()).all()).map(({name, text, from, named}) => JSON.stringify([name, text, from, Boolean(named)])).sort();
    });
    await author.open(`${server.url}/make`);
    await isGood(author);
    const download = author.page.waitForEvent('download');
    await author.page.locator('.more summary').click();
    await author.page.getByRole('button', {name: 'Download all drafts'}).click();
    const file = readFileSync(await (await download).path(), 'utf8');
    const before = await all(author.page);
    assert.ok(before.length >= 2);
    await drop(author, 'senet-drafts.json', file);
    await author.page.locator('.note', {hasText: 'were here already'}).waitFor();
    assert.deepEqual(await all(author.page), before, 'nothing is doubled');

    const other = await browser.visitor('Elsewhere');
    await begin(other, server);
    const chooser = other.page.waitForEvent('filechooser');
    await other.page.locator('.more summary').click();
    await other.page.getByRole('button', {name: 'Open a file…'}).click();
    await (await chooser).setFiles({name: 'senet-drafts.json', mimeType: 'application/json', buffer: Buffer.from(file)});
    await other.page.locator('.note', {hasText: 'here again'}).waitFor();
    const own = JSON.stringify(['My game on squares', square, '', false]);
    assert.deepEqual(await all(other.page), [...before, ...(before.includes(own) ? [] : [own])].sort());
    // One of the same name and another text stands beside it, and is not written over.
    const namesakes = async () => (await all(other.page)).filter(draft => draft.startsWith('["My game on squares"'));
    const stood = await namesakes();
    const changed = JSON.stringify({senet_drafts: 1, drafts: [{name: 'My game on squares', text: 'another'}]});
    await drop(other, 'changed.json', changed);
    await other.page.locator('.note', {hasText: 'One draft is here again'}).waitFor();
    const come = (await namesakes()).filter(draft => !stood.includes(draft));
    assert.deepEqual(come.map(draft => JSON.parse(draft)[1]), ['another']);
    assert.equal((await namesakes()).length, stood.length + 1);

    const kept = await all(other.page);
    const many = Array.from({length: 50}, (_, i) => ({name: `${i}`, text: `${i}`}));
    for (const [drafts, words] of [
        [many, 'room for 50 drafts'],
        [[...many, ...many], '50 are the most'],
        [[{name: 'a', text: 'a'}, {name: 'b'}], 'Draft 2 of this file has no name or no text'],
        [[{name: 'big', text: 'x'.repeat(256 * 1024 + 1)}], 'more than 256 KiB'],
        ['none', 'another version'],
    ]) {
        await drop(other, 'bad.json', JSON.stringify({senet_drafts: 1, drafts}));
        await other.page.locator('.note', {hasText: words}).first().waitFor();
    }
    assert.deepEqual(await all(other.page), kept, 'all or nothing');
    await other.context.close();
});

always('no page had anything to complain about', () => browser.assertNoErrors());
