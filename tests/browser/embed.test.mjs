// A room within somebody else's page: the board goes along with the game, nothing there plays, and who reads that page is not taken
// for gone to another device.
import assert from 'node:assert/strict';
import {createServer} from 'node:http';
import {after, before, test} from 'node:test';
import {playMoves, setTable} from '../support/table.mjs';
import {DESKTOP, eventually, PHONE, stage} from './browser.mjs';

const {server, browser} = stage('embed');

// Of another site than the server, which is spoken to as 127.0.0.1.
let around;
const page = createServer((request, answer) => {
    const room = new URL(request.url, 'http://localhost').searchParams.get('room');
    answer.setHeader('content-type', 'text/html; charset=utf-8');
    answer.end(`<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>A blog</title>
        <body><h1>Yesterday's game</h1><iframe src="${server.url}/embed/${room}" width="360" height="480" title="A game on Senet"></iframe></body></html>`);
});
before(() => new Promise(resolve => page.listen(0, 'localhost', () => {
    around = `http://localhost:${page.address().port}`;
    resolve();
})));
after(() => page.close());

test('a game within a page of another site goes on there, to its end', async () => {
    const table = await setTable(server, {create: {game: 'chess'}}), readers = [];
    for (const [name, size] of [['reader', DESKTOP], ['phone', PHONE]]) {
        const reader = await browser.visitor(name, size);
        readers.push(reader);
        await reader.open(`${around}/?room=${table.room}`);
        const frame = reader.page.frameLocator('iframe');
        await frame.locator('.embed[data-status="playing"]').waitFor();
        const link = frame.getByRole('link', {name: 'Watch on Senet'});
        assert.equal(await link.getAttribute('href'), `/room/${table.room}`);
        assert.equal(await link.getAttribute('target'), '_blank');
        assert.equal(await frame.locator('button:visible').count(), 0, 'nothing to press');
        const board = reader.page.frames().find(one => one.url().includes('/embed/'));
        assert.deepEqual(await board.evaluate(() => [document.documentElement.scrollWidth <= innerWidth, document.documentElement.scrollHeight <= innerHeight]), [true, true], 'it fits');
        if (name === 'reader') await playMoves(table, 'f2f3 e7e5');
        await eventually(async () => assert.match(await frame.locator('.embed-words').innerText(), /^White to move after e7.*e5/));
        await reader.screenshot('framed');
    }
    await playMoves(table, 'g2g4 d8h4');
    for (const reader of readers)
        await eventually(async () => assert.match(await reader.page.frameLocator('iframe').locator('.embed-words').innerText(), /^Black won/));
    await table.end();
});

test('a player who reads that page plays on in the other one, and there is a way to get the HTML', async () => {
    const host = await browser.visitor('host');
    await host.enterRoom(server, 'chess', 'friend', {seat: 'White'});
    const room = new URL(host.page.url()).pathname.split('/').at(-1);
    await host.page.getByRole('button', {name: 'Save'}).click();
    const html = await host.page.getByLabel('HTML for a page of your own').inputValue();
    assert.ok(html.includes(`src="${server.url}/embed/${room}"`), html);
    await host.screenshot('html');
    await host.page.keyboard.press('Escape');
    const other = await host.newPage();
    await other.goto(`${around}/?room=${room}`);
    await other.frameLocator('iframe').locator('.embed[data-status="waiting"]').waitFor();
    await other.frameLocator('iframe').getByRole('link', {name: 'Play on Senet'}).waitFor();
    await eventually(async () => assert.match(await host.page.locator('.subtitle').innerText(), /1 watching/));
    assert.equal(await host.page.locator('.banner').isVisible(), false, 'it has not been replaced');
});

test('a game that is not there is said to be none', async () => {
    const reader = await browser.visitor('late');
    await reader.open(`${around}/?room=nowhereatall`);
    await reader.page.frameLocator('iframe').getByText('There is no such game any more.').waitFor();
});

test('no page had anything to complain about', () => browser.assertNoErrors());
