// What players have in hand: seen beside the board, picked up and put, by mouse, by keys and by finger; refused with words; in the past.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {DESKTOP, eventually, PHONE, stage} from './browser.mjs';

const {server, browser} = stage('hands');
const kind = (visitor, seat, figure) => visitor.page.locator(`.hand[data-seat="${seat}"] .kind[data-figure="${figure}"]`);
const hand = (visitor, seat) => visitor.page.locator(`.hand[data-seat="${seat}"]`).getAttribute('aria-label');
const has = (visitor, seat, words) => eventually(async () => assert.equal(await hand(visitor, seat), `${seat[0].toUpperCase()}${seat.slice(1)} has in hand: ${words}`));
const stands = (visitor, cell, words) => eventually(async () => assert.match(await visitor.cell(cell).getAttribute('aria-label'), words));
const targets = visitor => visitor.page.locator('[data-cell][aria-label*="legal target"]').count();

async function enter(name, game, size) {
    const visitor = await browser.visitor(name, size);
    await visitor.enterRoom(server, game, 'screen');
    await visitor.page.waitForSelector('[data-status="playing"]');
    let {version} = await visitor.holds();
    const press = cell => (size === PHONE ? visitor.cell(cell).tap() : visitor.cell(cell).click());
    const play = async (from, to, choice) => {
        await press(from);
        await press(to);
        if (choice) await visitor.page.locator('dialog[open]').getByRole('button', {name: choice, exact: true}).click();
        await visitor.reaches(++version);
    };
    const made = () => visitor.reaches(++version);
    return {visitor, play, press, made};
}

for (const [name, size] of [['desktop', DESKTOP], ['phone', PHONE]])
    test(`shogi on a ${name}: a promotion, and what was taken is put`, async () => {
        const {visitor, play, press, made} = await enter(`shogi-${name}`, 'shogi', size);
        await has(visitor, 'black', 'nothing');
        await play('7g', '7f');
        await play('3c', '3d');
        await play('8h', '2b', 'Horse');
        await stands(visitor, '2b', /black horse/);
        await has(visitor, 'black', '1 bishop');
        await visitor.screenshot(`promoted-${name}`);
        await play('3a', '2b');
        await has(visitor, 'white', '1 bishop');
        assert.equal(await kind(visitor, 'white', 'bishop').getAttribute('aria-disabled'), 'true');
        await kind(visitor, 'black', 'bishop').click();
        await eventually(async () => assert.equal(await kind(visitor, 'black', 'bishop').getAttribute('aria-pressed'), 'true'));
        assert.ok((await targets(visitor)) > 40);
        await press('7f'); // one's own stands there: that is picked up instead
        await eventually(async () => assert.equal(await kind(visitor, 'black', 'bishop').getAttribute('aria-pressed'), 'false'));
        await kind(visitor, 'black', 'bishop').click();
        await press('2b');
        await visitor.page.getByText('2b is not empty: the silver of white stands there').waitFor();
        await kind(visitor, 'black', 'bishop').click();
        await visitor.screenshot(`picked-${name}`);
        await press('5e');
        await made();
        await stands(visitor, '5e', /black bishop/);
        await has(visitor, 'black', 'nothing');
        await has(visitor, 'white', '1 bishop');
        await visitor.screenshot(`put-${name}`);
        await eventually(async () => assert.equal(await visitor.page.locator('.moves-list .move').last().innerText(), 'B*5e'));
        await visitor.page.keyboard.press('ArrowLeft'); // the past has its own hands
        await has(visitor, 'black', '1 bishop');
        await visitor.page.keyboard.press('ArrowRight');
        await has(visitor, 'black', 'nothing');
    });

test('by keys: what is in hand, then the cell', async () => {
    const {visitor, play, made} = await enter('keys', 'shogi', DESKTOP);
    await play('7g', '7f');
    await play('3c', '3d');
    await play('8h', '2b', 'Horse');
    await play('3a', '2b');
    const bishop = kind(visitor, 'black', 'bishop');
    const pressed = is => eventually(async () => assert.equal(await bishop.getAttribute('aria-pressed'), `${is}`));
    await eventually(async () => assert.equal(await bishop.getAttribute('aria-disabled'), null));
    await bishop.focus();
    await visitor.page.keyboard.press('Enter');
    await pressed(true);
    await visitor.page.keyboard.press('Escape');
    await pressed(false);
    await visitor.page.keyboard.press('Enter');
    await pressed(true);
    await visitor.cell('5e').focus();
    await visitor.page.keyboard.press('Enter');
    await made();
    await stands(visitor, '5e', /black bishop/);
});
