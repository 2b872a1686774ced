// The page in other languages: every text of the code stands in every catalogue, with the same parameters, and nothing else does; a German
// lobby and a whole game at both sizes; what is read from right to left.
import assert from 'node:assert/strict';
import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';
import {complaints, lookAt} from './axe.mjs';
import {assertFits, assertNothingClipped, DESKTOP, eventually, PHONE, stage} from './browser.mjs';
import {catalogue, parametersOf, textsOf, textsOfHtml, untranslated, web} from './texts.mjs';

const COMPLETE = ['de', 'es'];
const STYLESHEETS = ['style.css', 'lobby.css', 'room.css', 'board.css', 'how_to_play.css', 'make/make.css'];
const {texts, loose} = textsOf();

test('every text of the pages stands literally in the call that says it', () => {
    assert.ok(texts.size > 500, `${texts.size} texts were found`);
    assert.deepEqual(loose, []);
});

test('nothing that people see stands outside of a catalogue', () => {
    assert.deepEqual(untranslated(), []);
    for (const sheet of STYLESHEETS) assert.deepEqual(readFileSync(join(web, sheet), 'utf8').match(/content: *"[^"]*[a-z]{2}[^"]*"/gi) ?? [], [], sheet);
    for (const file of ['index.html', 'make/index.html']) for (const text of textsOfHtml(file)) assert.ok(texts.has(text), `${file}: ${text}`);
});

test('what the search for such texts finds', () => {
    const found = code => untranslated([{file: 'x.js', code}]).length;
    assert.equal(found('setText(this.x, "Two words");'), 1);
    assert.equal(found('h("p", { class: "a" }, "Two words")'), 1);
    assert.equal(found('h("p", {}, `${count} words`)'), 1);
    assert.equal(found('element.title = "Word";'), 1);
    assert.equal(found('h("input", { "aria-label": "Word" })'), 1);
    assert.equal(found('h("p", {}, `${say("Two words")} · ${count}`)'), 0);
    assert.deepEqual(textsOf([{file: 'x.js', code: 'say(text); say("One", { a }); sayCount("{count} one", "{count} more", 3);'}]).loose.length, 1);
});

test('the catalogues that are complete have every text, no other, with the same parameters and as many forms as their language', () => {
    for (const language of COMPLETE) {
        const told = catalogue(language);
        assert.deepEqual([...texts.keys()].filter(text => !(text in told)), [], `${language}: missing`);
        fits(language, told);
    }
});

// Whoever loads one later: what it has is held to the same.
test('every other catalogue has no text that is not there', () => {
    for (const name of readdirSync(join(web, 'languages'))) fits(name.replace('.json', ''), catalogue(name.replace('.json', '')));
});

function fits(language, told) {
    const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories.filter(form => !(language === 'es' && form === 'many')); // of millions
    for (const [text, translated] of Object.entries(told)) {
        assert.ok(texts.has(text), `${language}: left over: ${text}`);
        const {many} = texts.get(text);
        const all = typeof translated === 'string' ? [translated] : Object.values(translated);
        assert.equal(typeof translated === 'string', many === null, `${language}: ${text}`);
        if (many !== null) assert.deepEqual(Object.keys(translated).sort(), [...forms].sort(), `${language}: ${text}`);
        for (const one of all) {
            assert.ok(one.length > 0, `${language}: ${text}`);
            const [wanted, has] = [parametersOf(text), parametersOf(one)];
            assert.deepEqual(has.filter(name => !wanted.includes(name)), [], `${language}: ${one}`);
            // A form for one or two may do without its number.
            assert.deepEqual(wanted.filter(name => !has.includes(name) && !(many !== null && name === '{count}')), [], `${language}: ${one}`);
        }
    }
}

const {server, browser} = stage('languages');
const GERMAN = {locale: 'de-DE'};
const speaks = async ({page}, language) => assert.equal(await page.getAttribute('html', 'lang'), language);

test('the lobby speaks what the browser asks for, from its first text on, and what is chosen instead is kept', async () => {
    const visitor = await browser.visitor('Ilse', {...DESKTOP, ...GERMAN});
    await visitor.context.addInitScript(() => {
        window.firstWords = null; // what the page has shown first of all
        new MutationObserver(() => (window.firstWords ??= document.querySelector('#site-place')?.textContent.replace(/\s*(English.*)?$/, '') || null)).observe(document, {childList: true, subtree: true});
    });
    await visitor.open(server.url);
    await visitor.page.getByRole('heading', {name: 'Setz dich und spiel.'}).waitFor();
    assert.equal(await visitor.page.evaluate(() => window.firstWords), 'Spiel erstellen');
    await speaks(visitor, 'de');
    assert.equal(await visitor.page.title(), 'Senet: Brettspiele für Freunde');
    await visitor.page.locator('[data-game="chess"] [data-way="bot"]', {hasText: 'Gegen Bot'}).waitFor();
    const card = visitor.page.locator('[data-game="chess"]');
    assert.match(await card.innerText(), /^Schach\s+Weiß · Schwarz/); // as its file says
    assert.match(await visitor.page.locator('[data-game="connect-four"] .description').innerText(), /^Wirf einen Stein in eine Spalte/);
    await visitor.page.fill('[type="search"]', 'vier gewinnt');
    await visitor.page.locator('.game-card:not([hidden])', {hasText: 'Vier gewinnt'}).waitFor();
    await visitor.page.fill('[type="search"]', 'wirf einen stein in eine spalte'); // what its file says of it, which no other one does
    await visitor.page.locator('.game-card:not([hidden])', {hasText: 'Vier gewinnt'}).waitFor();
    await eventually(async () => assert.equal(await visitor.page.locator('.game-card:not([hidden])').count(), 1));
    await visitor.page.fill('[type="search"]', '');
    await assertNothingClipped(visitor);
    await visitor.screenshot('lobby');
    await visitor.page.selectOption('.language select', 'es');
    await visitor.page.getByRole('heading', {name: 'Siéntate y juega.'}).waitFor();
    await speaks(visitor, 'es');
    await visitor.page.reload();
    await visitor.page.getByRole('heading', {name: 'Siéntate y juega.'}).waitFor();
    await visitor.page.selectOption('.language select', 'en');
    await visitor.page.getByRole('heading', {name: 'Sit down and play.'}).waitFor();
    await speaks(visitor, 'en');
});

test('a catalogue is asked for by whom it is for, once; English costs no request', async () => {
    for (const [locale, count] of [['de-DE', 1], ['en-GB', 0], ['fr-FR', 0]]) {
        const visitor = await browser.visitor(`asks ${locale}`, {...DESKTOP, locale});
        const asked = [];
        visitor.context.on('request', request => /\/languages\//.test(request.url()) && asked.push(request.url()));
        await visitor.open(server.url);
        await visitor.page.locator('[data-game="chess"]').waitFor();
        assert.equal(new Set(asked).size, count, `${locale}: ${asked}`);
    }
});

test('a whole game in German, on a desk and on a phone: seats, moves, checkmate, and what the server refuses', async () => {
    const [host, guest] = [await browser.visitor('Käthe', {...DESKTOP, ...GERMAN}), await browser.visitor('Emil', {...PHONE, ...GERMAN})];
    const room = await host.openRoom(server, 'chess', 'friend');
    await host.page.getByText('Schick diesen Link dem, mit dem du spielen möchtest:').waitFor();
    await assertNothingClipped(host);
    await host.screenshot('invitation');
    await guest.open(room);
    await guest.reaches(2);
    await assertNothingClipped(guest);
    await assertFits(guest);
    await guest.screenshot('invited');
    await guest.page.tap('[data-take="black"]');
    await Promise.all([host.reaches(3), guest.reaches(3)]);
    assert.match(await host.verdict(), /^Du bist am Zug\s+Du spielst Weiß/);
    assert.match(await guest.verdict(), /^Weiß am Zug/);
    assert.match(await host.cell('e1').getAttribute('aria-label'), /König \(Weiß\)/);
    for (const [i, [mover, from, to]] of [[host, 'f2', 'f3'], [guest, 'e7', 'e5'], [host, 'g2', 'g4']].entries()) {
        await mover[mover === guest ? 'tap' : 'click'](from, to);
        await Promise.all([host.reaches(4 + i), guest.reaches(4 + i)]);
    }
    for (const visitor of [host, guest]) {
        await assertNothingClipped(visitor);
        await assertFits(visitor);
        await visitor.screenshot('playing');
    }
    await guest.tap('d8', 'h4');
    await Promise.all([host.reaches(7), guest.reaches(7)]);
    assert.match(await guest.verdict(), /^Du hast gewonnen\s+Matt/);
    assert.match(await host.verdict(), /^Du hast verloren/);
    await host.page.getByRole('button', {name: 'Revanche'}).waitFor();
    for (const visitor of [host, guest]) {
        await assertNothingClipped(visitor);
        await visitor.screenshot('over');
    }
});

test('How to play, what is not there, and axe-core, in German', async () => {
    const visitor = await lookAt(browser, 'Rosa', {...PHONE, ...GERMAN}, 'light');
    await visitor.open(server.url);
    await visitor.page.locator('[data-game="chess"] .how-link').tap();
    await visitor.page.getByRole('heading', {name: /^Spielanleitung: /}).waitFor();
    const words = await visitor.page.locator('.how-body').innerText();
    assert.match(words, /Weiß beginnt\./);
    assert.match(words, /Dame/);
    assert.match(words, /Zieht beliebig weit geradeaus/);
    assert.doesNotMatch(words, /\b(Goes|Slides|Becomes|begins|Who)\b/);
    await assertNothingClipped(visitor);
    await visitor.screenshot('how-to-play');
    assert.deepEqual(await complaints(visitor, {part: 'dialog[open]'}), []);
    await visitor.page.keyboard.press('Escape');
    assert.deepEqual(await complaints(visitor), []);
    visitor.refusals = true;
    await visitor.open(`${server.url}/nothing`);
    await visitor.page.getByRole('heading', {name: 'Hier ist nichts'}).waitFor();
});

test('the page of a game, what is asked before a room of it, and who sits there without a name, in German', async () => {
    const visitor = await browser.visitor('Inge', {...PHONE, ...GERMAN}, {named: false});
    await visitor.open(`${server.url}/game/shogi`);
    await visitor.page.locator('.about-game', {hasText: /^Setze den gegnerischen König matt\./}).waitFor();
    await visitor.page.tap('[data-way="screen"]');
    await visitor.page.locator('.dialog .about', {hasText: /^Setze den gegnerischen König matt\./}).waitFor();
    await assertNothingClipped(visitor);
    await visitor.page.tap('.dialog .primary');
    await visitor.page.waitForURL('**/room/*');
    await visitor.page.locator('.strip .name', {hasText: 'Gast'}).first().waitFor();
});

test('/make in German, on a desk and on a phone', async () => {
    for (const [name, size] of [['Marie', DESKTOP], ['Paul', PHONE]]) {
        const author = await browser.visitor(name, {...size, ...GERMAN});
        await author.open(`${server.url}/make`);
        await author.page.getByRole('heading', {name: 'Ein Spiel beginnen'}).waitFor();
        await author.page.locator('[data-copy="international-draughts"]', {hasText: 'Internationale Dame'}).waitFor();
        await author.page.click('[data-template="square"]');
        await author.page.getByText('Das ist ein Spiel. Nichts zu beanstanden.').waitFor();
        await author.page.getByRole('link', {name: 'Alle Spiele'}).waitFor();
        assert.equal(await author.page.title(), 'Spiel erstellen · Senet');
        await assertFits(author);
        await assertNothingClipped(author);
        await author.screenshot('make');
    }
});

// Physical sides are the board's: the page's own are those of reading.
test('stylesheets know no left and right', () => {
    for (const name of STYLESHEETS) {
        const sheet = readFileSync(join(web, name), 'utf8');
        assert.deepEqual(sheet.match(/\b(?:margin|padding|border)-(?:left|right)\b|text-align: (?:left|right)|[{; ](?:left|right): /g) ?? [], [], name);
    }
});

test('Arabic runs from right to left, and boards, moves and clocks do not', async () => {
    const ARABIC = {locale: 'ar-EG'};
    for (const [name, size] of [['Layla', DESKTOP], ['Omar', PHONE]]) {
        const visitor = await browser.visitor(name, {...size, ...ARABIC});
        await visitor.openRoom(server, 'chess', 'screen');
        assert.equal(await visitor.page.getAttribute('html', 'dir'), 'rtl');
        await visitor.click('e2', 'e4');
        await visitor.reaches(3);
        const [a1, h1, a8] = await Promise.all(['a1', 'h1', 'a8'].map(cell => visitor.cell(cell).boundingBox()));
        assert.ok(a1.x < h1.x && a8.y < a1.y, 'the board is not mirrored');
        const [brand, place] = await Promise.all(['.brand', '#site-place'].map(part => visitor.page.locator(part).boundingBox()));
        assert.ok(brand.x > place.x, 'the head of the page is');
        if (size === DESKTOP) assert.ok((await visitor.page.locator('.side').boundingBox()).x < a1.x, 'what stands beside the board is at its left');
        for (const part of ['.moves-list', '.stepper']) assert.equal(await visitor.page.locator(part).evaluate(element => getComputedStyle(element).direction), 'ltr', part);
        assert.match(await visitor.verdict(), /الدور على/);
        assert.match(await visitor.page.locator('[name="move"]').getAttribute('placeholder'), /\u2068e2–e4\u2069/); // kept together
        await assertFits(visitor);
        await visitor.screenshot('arabic-room');
        await visitor.open(server.url);
        await visitor.page.getByRole('heading', {name: 'اجلس والعب.'}).waitFor();
        await assertFits(visitor);
        await visitor.screenshot('arabic-lobby');
    }
});

test('no page had anything to complain about', () => browser.assertNoErrors());
