// The board by itself, told things that no game of this server says yet: choices, placements, passes, pictures that
// do not load. The modules are the page's own, loaded in the page.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {stage} from './browser.mjs';

let visitor;
const {server, browser} = stage('board', async () => {
    visitor = await browser.visitor('board');
});

const layout = {
    players: ['red', 'blue'],
    figures: ['pawn', 'queen', 'rook'],
    rotation: {red: 0, blue: 180},
    shapes: [
        [
            [0, 0],
            [1, 0],
            [1, 1],
            [0, 1],
        ],
    ],
    cells: ['a2', 'b2', 'a1', 'b1'].map((name, i) => ({
        name,
        shape: 0,
        x: i % 2,
        y: Math.floor(i / 2),
        fill: '#eeddbb',
        selector: 'skyblue',
        highlighter: 'lightgreen',
    })),
    images: {red: {pawn: 'data:image/png;base64,AAAA'}, blue: {queen: 'https://elsewhere.example/queen.svg'}},
};
const pawn = {figure: 'pawn', player: 'red', moves_made: 0, last_move: 0};

// Shows a position with these moves; what is then played is in window.played.
async function show(cells, moves) {
    await visitor.page?.close();
    await visitor.open(server.url);
    await visitor.page.locator('.game-card').first().waitFor(); // the lobby has come, and takes the place of nothing any more
    await visitor.page.evaluate(
        async ({layout, cells, moves}) => {
            const {Board} = await import('/board.js');
            const {pickMove} = await import('/pick_move.js');
            window.played = [];
            const onMove = async found => window.played.push(await pickMove(found, {layout, state: {to_move: 'red'}}));
            const board = new Board({onMove});
            board.element.style.width = '400px';
            document.querySelector('#page').replaceChildren(board.element);
            board.setLayout(layout, 0);
            board.show({cells, lastMove: null, moves, pending: null});
        },
        {layout, cells, moves},
    );
}

const played = async () => {
    await visitor.page.waitForFunction(() => window.played.length > 0);
    return await visitor.page.evaluate(() => window.played);
};

test('moves that differ in a choice are asked about', async () => {
    const moves = ['queen', 'rook'].map(choice => ({from: 'a1', to: 'a2', choice}));
    await show({a1: pawn}, moves);
    await visitor.click('a1', 'a2');
    await visitor.screenshot('choice');
    await visitor.page.locator('.dialog').getByRole('button', {name: 'Rook'}).click();
    assert.deepEqual(await played(), [{from: 'a1', to: 'a2', choice: 'rook'}]);
});

test('a choice can be put away, and nothing is played', async () => {
    await show(
        {a1: pawn},
        ['queen', 'rook'].map(choice => ({from: 'a1', to: 'a2', choice})),
    );
    await visitor.click('a1', 'a2');
    await visitor.page.keyboard.press('Escape');
    assert.deepEqual(await played(), [null]);
});

test('a placement is one click on its cell', async () => {
    await show({}, [{figure: 'pawn', to: 'b1'}]);
    await visitor.cell('a1').click();
    await visitor.cell('b1').click();
    assert.deepEqual(await played(), [{figure: 'pawn', to: 'b1'}]);
});

test('a click beside the targets lets go, and a drop beside them plays nothing', async () => {
    await show({a1: pawn}, [{from: 'a1', to: 'a2'}]);
    await visitor.click('a1', 'b2');
    await visitor.drag('a1', 'b1');
    assert.deepEqual(await visitor.page.evaluate(() => window.played), []);
    await visitor.drag('a1', 'a2');
    assert.deepEqual(await played(), [{from: 'a1', to: 'a2'}]);
});

test('the arrow keys walk over the board', async () => {
    await show({a1: pawn}, [{from: 'a1', to: 'b2'}]);
    await visitor.cell('a2').focus();
    for (const key of ['ArrowDown', 'Enter', 'ArrowUp', 'ArrowRight', 'Enter']) await visitor.page.keyboard.press(key);
    assert.deepEqual(await played(), [{from: 'a1', to: 'b2'}]);
});

test('of a list that is told anew what is the same stays: what has the focus, and what is about to be pressed', async () => {
    await show({}, []);
    const found = await visitor.page.evaluate(async () => {
        const {h, refreshChildren} = await import('/dom.js');
        const list = h('ul', {});
        document.querySelector('#page').append(list);
        const tell = (...words) => refreshChildren(list, words.map(word => h('li', {tabindex: 0}, word)));
        const told = () => [...list.children].map(({textContent}) => textContent).join(' ');
        tell('a', 'b', 'c');
        const [a, b] = list.children;
        b.focus();
        tell('new', 'a', 'b', 'd');
        const first = [told(), document.activeElement === b, list.children[1] === a];
        tell('b', 'b');
        return [...first, told(), document.activeElement === b, a.isConnected];
    });
    assert.deepEqual(found, ['new a b d', true, true, 'b b', true, false]);
});

test('a picture that does not load, or lies on another server, is replaced by a lettered disc', async () => {
    const asked = [];
    visitor.context.on('request', request => asked.push(request.url()));
    await show({a1: pawn, b2: {...pawn, player: 'blue', figure: 'queen'}}, []);
    await visitor.page.waitForFunction(() => document.querySelectorAll('.disc-letter').length === 2);
    assert.equal(await visitor.page.locator('.board image').count(), 0);
    assert.deepEqual(asked.filter(url => !url.startsWith(server.url) && !url.startsWith('data:')), []);
    await visitor.screenshot('discs');
});

// Shows these positions one after the other; of the last one: where the pieces went that lay on the first, and how many turned over.
const wentBy = positions => visitor.page.evaluate(async ({layout, positions}) => {
    const {Board} = await import('/board.js');
    const board = new Board({onMove: () => {}});
    document.querySelector('#page').replaceChildren(board.element);
    board.setLayout(layout, 0);
    const nameAt = ({style}) => layout.cells.find(({x, y}) => style.transform === `translate(${x + 0.5}px, ${y + 0.5}px)`)?.name;
    const pieces = () => [...board.element.querySelectorAll('.piece')];
    const show = ({cells, lastMove = null}) => board.show({cells, lastMove, moves: [], pending: null});
    let turned = 0;
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (...given) {
        if (this.classList.contains('turning')) turned++;
        return animate.apply(this, given);
    };
    positions.slice(0, -1).forEach(show);
    const before = new Map(pieces().map(piece => [piece, nameAt(piece)]));
    turned = 0;
    show(positions.at(-1));
    Element.prototype.animate = animate;
    return {turned, there: pieces().length, slid: [...before].filter(([piece, from]) => piece.matches('.piece') && piece.isConnected && nameAt(piece) !== from).map(([piece, from]) => `${from}-${nameAt(piece)}`)};
}, {layout, positions});

test('what becomes another player’s turns over where it lies, what moves slides; who wants no motion sees neither turn', async () => {
    await show({}, []);
    const red = pawn, blue = {...pawn, player: 'blue'};
    const jump = [{cells: {a1: red, b1: blue, b2: blue}}, {cells: {b1: red, b2: red, a2: red}, lastMove: {from: 'a1', to: 'a2'}}];
    assert.deepEqual(await wentBy(jump), {turned: 2, there: 3, slid: ['a1-a2']}, 'the figure that moved is the one that jumped');
    assert.deepEqual(await wentBy(jump.toReversed().map(({cells}) => ({cells}))), {turned: 2, there: 3, slid: ['a2-a1']}, 'and back');
    const capture = [{cells: {a1: red, a2: blue}}, {cells: {a2: red}, lastMove: {from: 'a1', to: 'a2'}}];
    assert.deepEqual(await wentBy(capture), {turned: 0, there: 1, slid: ['a1-a2']}, 'who is taken does not turn');
    assert.deepEqual(await wentBy(capture.toReversed().map(({cells}) => ({cells}))), {turned: 0, there: 2, slid: ['a2-a1']}, 'nor who comes back');
    await visitor.page.emulateMedia({reducedMotion: 'reduce'});
    assert.deepEqual(await wentBy(jump), {turned: 0, there: 3, slid: ['a1-a2']});
    await visitor.page.emulateMedia({reducedMotion: 'no-preference'});
});

test('no page had anything to complain about', () => browser.assertNoErrors());
