// A game is written, published under a name, played by its link, copied, and published again; somebody else may not.
import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import {test} from 'node:test';
import {program} from '../support/server.mjs';
import {begin, isGood, savedAs, template, write} from './make.mjs';
import {PHONE, stage} from './browser.mjs';

const {server, browser} = stage('publish');

const publish = async ({page}, name, {listed = false} = {}) => {
    await page.click('text=Publish…');
    const dialog = page.locator('dialog[open]');
    if (name) await dialog.locator('[name="name"]').fill(name);
    if (listed) await dialog.locator('[name="listed"]').check();
    await dialog.locator('button[type="submit"]').click();
    return dialog;
};

test('from a draft to a link that others play by', async () => {
    const ada = await browser.visitor('ada');
    await begin(ada, server);
    const dialog = await publish(ada, '', {listed: true});
    await dialog.locator('.published-now').waitFor();
    assert.equal(await dialog.locator('.published-now input').inputValue(), `${server.url}/game/my-game-on-squares@1`);
    await ada.screenshot('published');
    await dialog.locator('text=Open its page').click();
    await ada.page.waitForURL('**/game/my-game-on-squares@1');

    const bob = await browser.visitor('bob', PHONE);
    await bob.open(`${server.url}/`);
    await bob.page.waitForSelector('.game-card');
    await bob.page.locator('.published-games').scrollIntoViewIfNeeded();
    await bob.page.waitForFunction(() => document.querySelector('.published .thumbnail img')?.naturalWidth > 0);
    await bob.screenshot('listed');
    await bob.page.click('.published a');
    await bob.page.waitForSelector('.published-game h1');
    assert.equal(await bob.page.textContent('.published-game h1'), 'My game on squares');
    await bob.screenshot('game-page');
    await bob.page.click('[data-way="bot"]');
    await bob.page.click('text=Open the room');
    await bob.page.waitForURL('**/room/*');
    await bob.page.waitForSelector('svg.board .pieces > *');
    browser.assertNoErrors();
});

test('the page of a game shows its board and its rules, how to play it, who plays it, and its file', async () => {
    const cat = await browser.visitor('cat');
    await cat.open(`${server.url}/game/my-game-on-squares@1`);
    await cat.page.waitForFunction(() => document.querySelector('.board-picture img')?.naturalWidth > 0);
    await cat.page.locator('.rules-of-it dt', {hasText: 'Rook'}).waitFor();
    assert.match(await cat.page.locator('.rules-of-it').innerText(), /Slides any distance[\s\S]*Checkmate/);
    await cat.page.locator('.source-of-it summary').click();
    await cat.page.waitForFunction(text => document.querySelector('.source-of-it pre').textContent === text, template('square'));
    await cat.page.locator('.source-of-it summary').click();
    await cat.screenshot('page');
    await cat.page.getByRole('button', {name: 'How to play'}).click();
    await cat.page.locator('.figure-card[data-figure="rook"] .board-view').waitFor();
    await cat.screenshot('how-to-play');
    await cat.page.keyboard.press('Escape');
    await cat.page.locator('.rooms-of-it .room-row', {hasText: 'bob'}).filter({hasText: 'Watch'}).waitFor(); // who plays the bot
    await cat.page.getByRole('button', {name: 'Report it'}).click();
    await cat.page.locator('.dialog input').fill('It is mine, ♟ really');
    await cat.page.keyboard.press('Enter');
    await cat.page.locator('.note', {hasText: 'looked at'}).waitFor();
    const {stdout} = spawnSync(program, ['games', 'reports', '--store', server.store], {encoding: 'utf8'});
    assert.match(stdout, /^my-game-on-squares@1\t\S+Z\t[0-9a-f]{8}\tIt is mine, ♟ really\n$/);
    // Somebody opens one more for everybody, and it is seen at once.
    const dan = await browser.visitor('dan');
    await dan.open(`${server.url}/game/my-game-on-squares@1`);
    await dan.page.click('[data-way="friend"]');
    await dan.page.uncheck('.dialog [name="private"]');
    await dan.page.click('text=Open the room');
    await dan.page.waitForURL('**/room/*');
    await cat.page.locator('.rooms-of-it .room-row', {hasText: 'dan'}).click();
    await cat.page.waitForURL(dan.page.url());
    browser.assertNoErrors();
});

test('a copy says what it was made from, and a name is its first publisher\'s', async () => {
    const eve = await browser.visitor('eve');
    eve.refusals = true;
    await eve.open(`${server.url}/game/my-game-on-squares`);
    await eve.page.click('[data-make]');
    await isGood(eve);
    await savedAs(eve, text => text === template('square'));
    const dialog = await publish(eve, 'my-game-on-squares');
    await dialog.locator('.trouble:not(:empty)').waitFor();
    assert.match(await dialog.locator('.trouble').textContent(), /somebody else's/);
    await dialog.locator('[name="name"]').fill('eves-own');
    await dialog.locator('button[type="submit"]').click();
    await dialog.locator('text=Open its page').click();
    await eve.page.waitForSelector('.more-of-it a[href="/game/my-game-on-squares@1"]');
    // Not listed: only who has the link finds it.
    const {games} = await (await fetch(`${server.url}/api/v1/published`)).json();
    assert.deepEqual(games.map(({id}) => id), ['my-game-on-squares@1']);
    browser.assertNoErrors();
});

test('the next version has a link of its own, and the first one leads to it', async () => {
    const gil = await browser.visitor('gil');
    await begin(gil, server);
    const first = await publish(gil, 'gils-game');
    await first.locator('text=Write on').click();
    await write(gil, template('square').replace('My game on squares', 'Second thoughts'));
    await isGood(gil);
    const second = await publish(gil, 'gils-game');
    await second.locator('.published-now').waitFor();
    assert.match(await second.locator('.published-now p').textContent(), /gils-game@2/);
    await gil.page.goto(`${server.url}/game/gils-game@1`);
    await gil.page.click('text=The newest version, 2');
    await gil.page.waitForSelector('text=Second thoughts');
    browser.assertNoErrors();
});

test('its publisher takes it off the list and puts it there again; nobody else is asked', async () => {
    const kim = await browser.visitor('kim'), lee = await browser.visitor('lee');
    const listed = async () => (await (await fetch(`${server.url}/api/v1/published`)).json()).games.some(({name}) => name === 'kims-game');
    await begin(kim, server);
    const dialog = await publish(kim, 'kims-game', {listed: true});
    await dialog.locator('text=Open its page').click();
    for (const [words, is] of [['Take it off the list', false], ['List it in the lobby', true]]) {
        assert.equal(await listed(), !is);
        await kim.page.getByRole('button', {name: words}).click();
        await kim.page.getByText(is ? 'Listed in the lobby.' : 'Only people with the link find it.').waitFor();
        assert.equal(await listed(), is);
    }
    await lee.open(`${server.url}/game/kims-game`);
    await lee.page.getByRole('button', {name: 'Report it'}).waitFor();
    assert.equal(await lee.page.locator('[data-listing]').count(), 0);
    browser.assertNoErrors();
});

test('a game of the server\'s own has such a page as well, and the lobby leads there', async () => {
    const host = await browser.visitor('host'), mia = await browser.visitor('mia', PHONE);
    await host.enterRoom(server, 'havannah', 'friend');
    await mia.open(`${server.url}/`);
    await mia.page.click('.game-card[data-game="havannah"] h3 a');
    await mia.page.waitForURL('**/game/havannah');
    await mia.page.waitForFunction(() => document.querySelector('.board-picture img')?.naturalWidth > 0);
    assert.equal(await mia.page.locator('.players > span').innerText(), 'White · Black'); // no version, no day
    assert.equal(await mia.page.getByRole('button', {name: 'Report it'}).count(), 0);
    assert.equal(await mia.page.locator('.rooms-of-it a').count(), 1);
    await mia.screenshot('of-the-server');
    await mia.page.click('[data-make]');
    await isGood(mia);
    await (await publish(mia, 'mias-havannah')).locator('text=Open its page').click();
    await mia.page.click('.more-of-it a[href="/game/havannah"]');
    await mia.page.getByRole('heading', {name: 'Havannah'}).waitFor();
    browser.assertNoErrors();
});

test('a game that is not there, or was taken down, says so', async () => {
    const ivy = await browser.visitor('ivy');
    ivy.refusals = true;
    await ivy.open(`${server.url}/game/nobodys@3`);
    await ivy.page.getByRole('heading', {name: 'There is no such game'}).waitFor();
    browser.assertNoErrors();
});
