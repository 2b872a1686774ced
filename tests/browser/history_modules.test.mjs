// Looking back without a page: where one is (walk.js) and what is asked for (history.js).
import assert from 'node:assert/strict';
import {test} from 'node:test';

const web = new URL('../../server/web/', import.meta.url);
const {History} = await import(new URL('history.js', web));
const {hashState} = await import(new URL('senet.js', web));
const {stepOfKey, Walk} = await import(new URL('walk.js', web));

function walkOf(count) {
    const walk = new Walk();
    walk.count = count;
    return walk;
}

test('one steps through a game and stops at its ends', () => {
    const walk = walkOf(3);
    assert.deepEqual([walk.at, walk.looksBack, walk.go('next')], [3, false, false]);
    assert.ok(walk.go('previous'));
    assert.deepEqual([walk.ply, walk.direction], [2, -1]);
    assert.ok(walk.go('first'));
    assert.equal(walk.go('previous'), false);
    assert.ok(walk.go('next'));
    assert.deepEqual([walk.ply, walk.direction], [1, 1]);
    assert.ok(walk.go(99));
    assert.equal(walk.looksBack, false);
});

test('the last position is the game itself, and follows it', () => {
    const walk = walkOf(2);
    walk.go('previous');
    walk.go('next');
    walk.count = 5;
    assert.deepEqual([walk.ply, walk.at], [null, 5]);
});

test('whoever looks back stays where they are when the game goes on', () => {
    const walk = walkOf(4);
    walk.go(1);
    walk.count = 9;
    assert.deepEqual([walk.ply, walk.at, walk.count], [1, 1, 9]);
});

test('keys step, but not while one types, and not with another key held', () => {
    const target = matches => ({closest: () => (matches ? {} : null)});
    assert.equal(stepOfKey({key: 'ArrowLeft', target: target(false)}), 'previous');
    assert.equal(stepOfKey({key: 'End', target: target(false)}), 'last');
    assert.equal(stepOfKey({key: 'ArrowLeft', target: target(true)}), null);
    assert.equal(stepOfKey({key: 'ArrowLeft', altKey: true, target: target(false)}), null);
    assert.equal(stepOfKey({key: 'ArrowLeft', defaultPrevented: true, target: target(false)}), null);
    assert.equal(stepOfKey({key: 'a', target: target(false)}), null);
});

// A server of 400 plies that answers when it is told to.
class Past {
    asked = [];
    arrived = [];
    errors = [];
    texts = 0;
    #unanswered = [];

    constructor({words = true} = {}) {
        this.words = words;
        this.history = new History(question => this.#take(question), {
            onPosition: ply => this.arrived.push(ply),
            onTexts: () => this.texts++,
            onError: error => this.errors.push(error.message),
        });
    }

    #take(question) {
        this.asked.push(question);
        return new Promise((resolve, reject) => this.#unanswered.push({question, resolve, reject}));
    }

    async answer({spoil = false} = {}) {
        for (const {question, resolve} of this.#unanswered.splice(0)) resolve(this.#answerTo(question, spoil));
        await new Promise(resolve => setImmediate(resolve));
    }

    async refuse() {
        for (const {reject} of this.#unanswered.splice(0)) reject(new Error('unavailable'));
        await new Promise(resolve => setImmediate(resolve));
    }

    #answerTo({ply, from}, spoil) {
        if (ply !== undefined) {
            const state = {cells: {}, ply};
            return {ply, state, hash: spoil ? '00000000' : hashState(state)};
        }
        const count = Math.min(200, 400 - from);
        const moves = Array.from({length: count}, (_, i) => ({ply: from + i + 1, seat: 'white', move: {from: 'a', to: 'b'}}));
        return {moves: this.words ? moves.map(move => ({...move, text: `m${move.ply}`})) : moves};
    }
}

const pliesAsked = past => past.asked.map(question => question.ply);

test('a position is asked for once, with those a next step leads to', async () => {
    const past = new Past();
    past.history.want(399, -1, 400);
    assert.deepEqual(pliesAsked(past), [399, 398, 397]);
    assert.equal(past.history.position(399), null);
    await past.answer();
    assert.equal(past.history.position(399).ply, 399);
    past.history.want(398, -1, 400);
    assert.deepEqual(pliesAsked(past), [399, 398, 397, 396]);
    await past.answer();
    assert.deepEqual(past.arrived, [399, 398, 397, 396]);
});

test('nothing before the start or after the last move is asked for', () => {
    const past = new Past();
    past.history.want(0, -1, 400);
    past.history.want(399, 1, 400);
    assert.deepEqual(pliesAsked(past), [0, 399, 400]);
});

test('whoever holds a key down asks for where it ends, not for all between', async () => {
    const past = new Past();
    for (let ply = 399; ply >= 300; ply--) past.history.want(ply, -1, 400);
    assert.ok(past.asked.length <= 4);
    await past.answer();
    assert.ok(pliesAsked(past).includes(300));
    await past.answer();
    assert.equal(past.history.position(300).ply, 300);
    assert.ok(past.asked.length < 20);
});

test('what has been seen is kept, and not more of it than a little', () => {
    const past = new Past();
    for (let ply = 0; ply <= 400; ply++) past.history.keep(ply, {cells: {}, ply});
    past.history.want(400, 1, 400);
    assert.deepEqual(past.asked, []);
    const held = Array.from({length: 401}, (_, ply) => past.history.position(ply)).filter(Boolean);
    assert.ok(held.length >= 20 && held.length <= 100);
});

test('what was taken back is forgotten, and what came before it is not', () => {
    const past = new Past();
    for (let ply = 1; ply <= 4; ply++) past.history.keep(ply, {cells: {}, ply}), past.history.keepText(ply, `e${ply}`);
    past.history.cut(2);
    assert.deepEqual([1, 2, 3, 4].map(ply => past.history.text(ply)), ['e1', 'e2', '', '']);
    assert.deepEqual([1, 2, 3, 4].map(ply => Boolean(past.history.position(ply))), [true, true, false, false]);
});

test('what does not hold any more is asked for again', async () => {
    const past = new Past();
    past.history.keep(7, {cells: {}, ply: 8});
    past.history.keepText(7, 'e4');
    past.history.forget();
    assert.equal(past.history.text(7), '');
    past.history.want(7, -1, 7);
    await past.answer();
    assert.equal(past.history.position(7).ply, 7);
});

test('a position that arrives damaged or not at all is said once, and can be asked for again', async () => {
    const past = new Past();
    past.history.want(7, -1, 400);
    await past.answer({spoil: true});
    assert.deepEqual(past.errors, ['A position arrived damaged.']);
    past.history.want(7, -1, 400);
    await past.refuse();
    assert.deepEqual(past.errors.slice(1), ['unavailable']);
    past.history.want(7, -1, 400);
    await past.answer();
    assert.equal(past.history.position(7).ply, 7);
});

test('opening a long game asks for the words that can be seen, not for all of them', async () => {
    const past = new Past();
    past.history.wantTexts(380, 400);
    past.history.wantTexts(380, 400);
    assert.deepEqual(past.asked, [{type: 'history', moves: true, from: 200}]);
    await past.answer();
    assert.deepEqual([past.history.text(400), past.history.text(201), past.history.text(200)], ['m400', 'm201', '']);
    past.history.wantTexts(380, 400);
    assert.equal(past.asked.length, 1);
    past.history.wantTexts(190, 215);
    assert.equal(past.asked[1].from, 0);
    await past.answer();
    assert.equal(past.history.text(1), 'm1');
    assert.equal(past.texts, 2);
});

test('after a live move one word is asked for', async () => {
    const past = new Past();
    past.history.keepText(1, 'e4');
    past.history.keepText(2, 'e5');
    past.history.wantTexts(1, 3);
    assert.equal(past.asked[0].from, 2);
});

test('of a game without words they are asked for once', async () => {
    const past = new Past({words: false});
    past.history.wantTexts(1, 10);
    await past.answer();
    past.history.wantTexts(390, 400);
    assert.equal(past.asked.length, 1);
    assert.equal(past.history.text(5), '');
});
