// Pictures for figures on the page /make: chosen, dropped, refused in words, taken away; and a picture that gets past the server's
// sanitiser, opened as a page, runs nothing.
import assert from 'node:assert/strict';
import {createHash} from 'node:crypto';
import {existsSync} from 'node:fs';
import {test as always} from 'node:test';
import {assertFits, eventually, PHONE, stage} from './browser.mjs';
import {begin, isGood, savedAs, template, write} from './make.mjs';

const WASM = new URL('../../build/browser/engine.wasm.gz', import.meta.url);
const withEngine = (name, run) => always(name, {skip: !existsSync(WASM) && 'no engine for browsers is built'}, run);

let author, phone;
const {server, browser} = stage('pictures', async () => {
    author = await browser.visitor('Painter');
    phone = await browser.visitor('pocket', PHONE);
});

const svg = (inside, more = '') => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"${more}>${inside}</svg>`;
const disc = colour => svg(`<circle cx="4" cy="4" r="3.4" fill="${colour}" stroke="#222" stroke-width=".4"/>`);
const addressOf = text => `/pictures/${createHash('sha256').update(text).digest('hex')}.svg`;
const file = (name, text, mimeType = 'image/svg+xml') => ({name, mimeType, buffer: Buffer.from(text)});

const slot = ({page}, name) => page.getByRole('button', {name: `${name}: choose a picture`});
const words = ({page}, text) => page.locator('.picture-words', {hasText: text}).waitFor();
const drawn = ({page}, path) => page.locator(`.board image[href="${path}"]`).first().waitFor();
const square = template('square');

// File dialogs are caught from here on, and not only once one is waited for: a key would be faster.
async function open(visitor) {
    await begin(visitor, server);
    visitor.page.on('filechooser', () => {});
    if (visitor === phone) await visitor.page.getByRole('button', {name: 'Board', exact: true}).tap();
    await visitor.page.getByRole('tab', {name: 'Pictures'}).click();
}

// The file dialog that this opens gets these files.
async function choose(visitor, ask, ...files) {
    const [chooser] = await Promise.all([visitor.page.waitForEvent('filechooser'), ask()]);
    await chooser.setFiles(files);
}

// Files let go of over an element.
async function drop(visitor, target, ...files) {
    const held = await visitor.page.evaluateHandle(files => {
        const data = new DataTransfer();
        for (const {name, type, text} of files) data.items.add(new File([text], name, {type}));
        return data;
    }, files);
    for (const kind of ['dragover', 'drop']) await target.dispatchEvent(kind, {dataTransfer: held});
}

withEngine('a picture is chosen for a figure: it is uploaded, the text names it, and the board shows it', async () => {
    await open(author);
    await choose(author, () => slot(author, 'white king').click(), file('any.svg', `<!-- by hand -->${disc('gold')}`));
    await words(author, 'The picture is uploaded.');
    await drawn(author, addressOf(disc('gold')));
    const text = await savedAs(author, text => text.includes('/pictures/'));
    const {resources} = JSON.parse(text);
    assert.deepEqual(resources, {images: {figures: {white: {king: addressOf(disc('gold'))}}}});
    const [before, after] = [square.trimEnd().split('\n'), text.trimEnd().split('\n')];
    const changed = after.filter(line => !before.includes(line));
    assert.ok(changed.length <= 2, `the lines of their author stay:\n${changed.join('\n')}`);
});

withEngine('by keyboard, too, and the figure keeps the focus', async () => {
    await slot(author, 'black king').focus();
    await choose(author, () => author.page.keyboard.press('Enter'), file('king.svg', disc('navy')));
    await drawn(author, addressOf(disc('navy')));
    await author.page.waitForFunction(() => document.activeElement?.dataset.slot === 'black king');
});

withEngine('several at once find their figures by their names; what is refused is said, and the rest is there', async () => {
    author.refusals = true;
    const files = [['white-pawn.svg', disc('white')], ['Black Pawn (2).svg', disc('black')], ['white-rook.svg', svg('<script>document.title = "ran"</script>')], ['holiday.svg', disc('red')]];
    await drop(author, author.page.locator('.pictures-tab .hint'), ...files.map(([name, text]) => ({name, type: 'image/svg+xml', text})));
    await words(author, '2 pictures are uploaded. white-rook.svg: line 1: <script> is not allowed: a picture runs nothing. holiday.svg: its name is that of no');
    await drawn(author, addressOf(disc('white')));
    await drawn(author, addressOf(disc('black')));
    await author.screenshot('tab');
    await drop(author, slot(author, 'white pawn'), {name: 'notes.txt', type: 'text/plain', text: 'x'});
    await words(author, 'notes.txt: a picture is an SVG or a PNG.');
    await drop(author, slot(author, 'white pawn'), {name: 'any.svg', type: 'image/svg+xml', text: disc('pink')});
    await drawn(author, addressOf(disc('pink')));
    author.refusals = false;
});

withEngine('a picture is taken away again, and undone that is there again', async () => {
    await author.page.getByRole('button', {name: 'white pawn: take the picture away'}).click();
    await words(author, 'white pawn: the picture is taken away.');
    await author.page.locator(`.board image[href="${addressOf(disc('pink'))}"]`).first().waitFor({state: 'detached'});
    await savedAs(author, text => !text.includes(addressOf(disc('pink'))));
    await author.page.getByRole('button', {name: 'Undo'}).click();
    await drawn(author, addressOf(disc('pink')));
});

withEngine('another set of pieces is begun: its pictures go there, the board is drawn with it, and the first ones are as they were', async () => {
    const own = addressOf(disc('pink')), other = addressOf(disc('teal'));
    const icons = () => slot(author, 'white pawn').locator('image').evaluateAll(images => images.map(image => image.getAttribute('href')));
    const hasIcon = path => eventually(async () => assert.deepEqual(await icons(), [path]));
    await author.page.getByRole('textbox', {name: "Another set's name"}).fill('Plain');
    await author.page.getByRole('button', {name: 'Add a set'}).click();
    const chosen = author.page.getByRole('combobox', {name: 'Set of pieces'});
    assert.equal(await chosen.inputValue(), 'Plain');
    assert.equal(await author.page.getByRole('button', {name: 'white pawn: take the picture away'}).count(), 0, 'a new set has none');
    await hasIcon(own); // what a set leaves out looks as the game has it
    await choose(author, () => slot(author, 'white pawn').click(), file('any.svg', disc('teal')));
    await drawn(author, other);
    const {resources} = JSON.parse(await savedAs(author, text => text.includes(other)));
    assert.deepEqual(resources.sets, {Plain: {figures: {white: {pawn: other}}}});
    assert.equal(resources.images.figures.white.pawn, own);
    await hasIcon(other);
    await author.screenshot('sets');
    await chosen.selectOption({label: 'As the game has it'});
    await drawn(author, own);
    await hasIcon(own);
    await chosen.selectOption('Plain');
    await drawn(author, other);
    await author.page.getByRole('button', {name: 'white pawn: take the picture away'}).click();
    await drawn(author, own);
    await savedAs(author, text => !text.includes(other));
    await chosen.selectOption({label: 'As the game has it'});
});

withEngine('of a game that extends another one its sets are there, too, and the one that is shown gets the picture', async () => {
    await write(author, JSON.stringify({extends: 'minixiangqi', name: 'mine'}));
    await isGood(author);
    const chosen = author.page.getByRole('combobox', {name: 'Set of pieces'});
    assert.deepEqual(await chosen.locator('option').allInnerTexts(), ['As the game has it', 'International']);
    await chosen.selectOption('International');
    await author.page.locator('.board image[href$="/games/xiangqi/international/red-horse.svg"]').first().waitFor();
    await choose(author, () => slot(author, 'red horse').click(), file('any.svg', disc('plum')));
    const {resources} = JSON.parse(await savedAs(author, text => text.includes('/pictures/')));
    assert.deepEqual(resources, {sets: {International: {figures: {red: {horse: addressOf(disc('plum'))}}}}});
    assert.equal(await chosen.inputValue(), 'International');
    await chosen.selectOption({label: 'As the game has it'});
});

withEngine('a picture on another server is not asked for: its author is told to upload it', async () => {
    const asked = [];
    author.page.on('request', request => asked.push(request.url()));
    const {resources, ...rest} = JSON.parse(square);
    await write(author, JSON.stringify({...rest, resources: {images: {figures: {white: {king: 'https://elsewhere.invalid/king.svg'}}}}}));
    await isGood(author);
    await author.page.locator('.findings', {hasText: 'upload the picture'}).waitFor();
    await slot(author, 'white king').getByText('not shown, upload it').waitFor();
    await choose(author, () => slot(author, 'white king').click(), file('king.svg', disc('gold')));
    await drawn(author, addressOf(disc('gold')));
    await author.page.locator('.findings', {hasText: 'upload the picture'}).waitFor({state: 'detached'});
    assert.deepEqual(asked.filter(url => url.includes('elsewhere')), []);
});

withEngine('on a phone the table fits, and is used with a finger', async () => {
    await open(phone);
    await choose(phone, () => slot(phone, 'white king').tap(), file('king.svg', disc('gold')));
    await drawn(phone, addressOf(disc('gold')));
    await assertFits(phone);
    await slot(phone, 'white king').hover(); // brings it into sight, also where it is drawn anew just now
    await phone.screenshot('tab');
});

always('a hostile picture runs nothing, even past the sanitiser and opened as a page', async () => {
    const harmless = disc('crimson');
    const answer = await fetch(`${server.url}/api/v1/pictures`, {method: 'POST', headers: {'Content-Type': 'image/svg+xml'}, body: harmless});
    const {picture} = await answer.json();
    const hostile = svg(
        `<script>document.documentElement.setAttribute("data-ran", "script")</script>` +
            `<image href="${server.url}/api/v1/games?seen" width="8" height="8" onerror="document.documentElement.setAttribute('data-ran', 'onerror')"/>` +
            `<style>@import "${server.url}/style.css?seen"; circle { fill: rgb(1, 2, 3) }</style><circle id="c" r="3"/>` +
            `<foreignObject width="8" height="8"><iframe xmlns="http://www.w3.org/1999/xhtml" src="${server.url}/?seen"/></foreignObject>`,
        ` onload="document.documentElement.setAttribute('data-ran', 'onload')"`,
    );
    server.sql(`UPDATE picture SET bytes = CAST('${hostile.replaceAll("'", "''")}' AS BLOB) WHERE hash = '${/[0-9a-f]{64}/.exec(picture)[0]}'`);
    const page = await author.context.newPage(); // its complaints are what is wanted
    const answered = [], refused = []; // what the policy forbids is begun, and never asked
    page.on('response', response => answered.push(new URL(response.url()).pathname));
    page.on('console', message => refused.push(message.text()));
    const response = await page.goto(server.url + picture);
    assert.equal(await response.text(), hostile, 'the test\'s own picture');
    await page.waitForLoadState('networkidle');
    const seen = await page.evaluate(() => ({
        ran: document.documentElement.getAttribute('data-ran'),
        fill: getComputedStyle(document.getElementById('c')).fill,
        origin: self.origin,
    }));
    assert.deepEqual(seen, {ran: null, fill: 'rgb(1, 2, 3)', origin: 'null'});
    assert.deepEqual(answered, [picture]);
    await eventually(() => assert.ok(refused.some(text => /script/i.test(text) && /Content Security Policy|sandboxed/.test(text)), refused.join('\n')));
    await page.close();
});

always('nobody\'s page has complained', () => browser.assertNoErrors());
