// A text on /make that extends a game of the server's: the Worker is given that game, the board is of the whole, mistakes stand where the
// author wrote, painters say what they do not find, and what is played is whole.
import assert from 'node:assert/strict';
import {existsSync} from 'node:fs';
import {test as always} from 'node:test';
import {stage} from './browser.mjs';
import {begin, isGood, savedAs, startAgain, write} from './make.mjs';

const WASM = new URL('../../build/browser/engine.wasm.gz', import.meta.url);
const test = (name, run) => always(name, {skip: !existsSync(WASM) && 'no engine for browsers is built'}, run);

let author;
const {server, browser} = stage('make-extends', async () => {
    author = await browser.visitor('Maker');
});

const text = `{
    "extends": "chess",
    "name": "leaper", "title": "Leaper",
    "figures": {
        "rook": {"movement": [{"x": 1, "y": 2, "symmetric": "all"}]}
    },
    "tests": null
}
`;
const tab = name => author.page.getByRole('tab', {name, exact: true}).click();
const status = () => author.page.locator('.play-tab .status');

test('the board is that of the whole, and is played on', async () => {
    await begin(author, server);
    await write(author, text);
    await savedAs(author, kept => kept === text);
    await isGood(author);
    await tab('Play');
    await startAgain(author);
    await author.click('a1', 'b3');
    await status().filter({hasText: /black to move/i}).waitFor();
    await author.screenshot('board');
});

// Until all figures of the board are drawn as pictures, and these have come.
const isPictured = (figures, part = '.board-side > .board-frame') => author.page.waitForFunction(async ([figures, part]) => {
    const pieces = [...document.querySelectorAll(`${part} .piece`)];
    const addresses = new Set(pieces.map(piece => piece.querySelector('image')?.getAttribute('href')));
    if (pieces.length !== figures || addresses.has(undefined)) return false;
    return (await Promise.all([...addresses].map(address => fetch(address)))).every(({ok}) => ok);
}, [figures, part]);

test('its figures are the pictures of the game that it extends, and those of a copy are, too', async () => {
    await isPictured(32);
    await author.page.getByRole('button', {name: 'New…'}).click();
    await author.page.click('[data-copy="knightmate"]');
    await author.page.locator('.draft-bar select', {hasText: 'Knightmate (my copy)'}).waitFor();
    await isGood(author);
    await isPictured(32);
    await author.screenshot('copy');
    await author.page.locator('.draft-bar select').selectOption({label: 'Leaper'});
    await author.page.locator('.cm-content', {hasText: '"Leaper"'}).waitFor();
    await isGood(author);
});

test('painters say what the text does not say itself, and break nothing', async () => {
    const painter = name => author.page.locator('.painters').getByRole('button', {name}).click();
    const isDrawn = () => author.page.locator('.paint-tab[aria-busy="false"]').waitFor();
    await tab('Draw it');
    for (const name of ['Figures', 'Moves', 'Players', 'Turns', 'Cells']) {
        await painter(name);
        await isDrawn();
        await author.screenshot(`draw-${name}`);
    }
    await author.cell('e4').click();
    await author.page.locator('.painter:not([hidden]) .paint-words', {hasText: 'This stands in “chess”, which the text extends'}).waitFor();
    await savedAs(author, kept => kept === text);
});

test('a mistake stands where it was written; one in what is inherited is told with its game and its place there', async () => {
    await write(author, text.replace('"symmetric"', '"symetric"'));
    const finding = place => author.page.locator('.findings li', {has: author.page.getByRole('button', {name: place, exact: true})});
    await finding('5:48').filter({hasText: 'did you mean `symmetric`'}).waitFor();
    await write(author, text.replace('"figures": {', '"figures": {"knight": null,'));
    await finding('2:16').filter({hasText: /In `chess`, line \d+, column \d+: no figure `knight`/}).first().waitFor();
    await author.screenshot('findings');
    await write(author, text.replace('"chess"', '"ches"'));
    await finding('2:16').filter({hasText: 'There is no game `ches` here'}).waitFor();
});

test('what is played is a room of the whole', async () => {
    await write(author, text);
    await savedAs(author, kept => kept === text);
    await isGood(author);
    await author.page.getByRole('button', {name: 'Play it'}).click();
    await author.page.locator('.dialog .opponent label', {hasText: 'One screen'}).click();
    await author.page.click('.dialog .primary');
    await author.page.waitForURL('**/room/*');
    await author.cell('a1').waitFor();
    await isPictured(32, '.board');
    const room = new URL(author.page.url()).pathname.split('/').at(-1);
    const {definition} = await (await fetch(`${server.url}/api/v1/rooms/${room}/export`)).json();
    const {extends: base, figures, turns} = JSON.parse(definition);
    assert.deepEqual([base, Object.keys(figures).length, turns], [undefined, 6, ['white', 'black']]);
});
