// The page's half of the conversation (protocol/clients/javascript), with a socket and a clock of the test's own.
import assert from 'node:assert/strict';
import {afterEach, beforeEach, test} from 'node:test';

const {Client, Connection} = await import(new URL('../../protocol/clients/javascript/senet.js', import.meta.url));

class FakeSocket extends EventTarget {
    static OPEN = 1;
    static all = [];
    readyState = 1;
    sent = [];

    constructor(url, subprotocol) {
        super();
        Object.assign(this, {url, subprotocol});
        FakeSocket.all.push(this);
    }

    send(text) {
        this.sent.push(JSON.parse(text));
    }

    close() {
        this.readyState = 3;
    }

    says(frame) {
        this.dispatchEvent(Object.assign(new Event('message'), {data: JSON.stringify(frame)}));
    }

    closes(code) {
        this.readyState = 3;
        this.dispatchEvent(Object.assign(new Event('close'), {code}));
    }

    greets(minted) {
        this.says({type: 'hello', protocol: 'senet.v1', heartbeat_ms: 15_000, player_heartbeat_ms: 3_000, limits: {message_bytes: 16_384}});
        const auth = this.sent.at(-1);
        this.says({type: 'welcome', re: auth.id, session: 's', player: 'p_me', ...(minted && {token: minted})});
        return auth;
    }
}

// Time that passes when it is told to.
class FakeClock {
    now = 0;
    #count = 0;
    #timers = new Map();
    #real = {};

    install() {
        const {setTimeout, clearTimeout, setInterval, clearInterval} = globalThis;
        this.#real = {setTimeout, clearTimeout, setInterval, clearInterval, dateNow: Date.now};
        globalThis.setTimeout = (fire, delay) => this.#add(fire, delay, false);
        globalThis.setInterval = (fire, delay) => this.#add(fire, delay, true);
        globalThis.clearTimeout = globalThis.clearInterval = id => this.#timers.delete(id);
        Date.now = () => this.now;
    }

    remove() {
        const {dateNow, ...timers} = this.#real;
        Object.assign(globalThis, timers);
        Date.now = dateNow;
        this.#timers.clear();
    }

    tick(duration) {
        const end = this.now + duration;
        for (let next; (next = this.#nextUntil(end));) {
            const [id, timer] = next;
            this.now = timer.due;
            if (timer.repeats) timer.due += timer.delay;
            else this.#timers.delete(id);
            timer.fire();
        }
        this.now = end;
    }

    #add(fire, delay, repeats) {
        this.#timers.set(++this.#count, {fire, delay, repeats, due: this.now + delay});
        return this.#count;
    }

    #nextUntil(end) {
        return [...this.#timers].filter(([, timer]) => timer.due <= end).sort(([, a], [, b]) => a.due - b.due)[0];
    }
}

const clock = new FakeClock();
let stored, frames, statuses, troubles, welcomes, connection;
let drawn; // what chance says: 1 is the longest delay there may be
const newest = () => FakeSocket.all.at(-1);

beforeEach(() => {
    clock.install();
    globalThis.WebSocket = FakeSocket;
    FakeSocket.all = [];
    stored = new Map();
    drawn = 1;
    [frames, statuses, troubles, welcomes] = [[], [], [], 0];
    const storage = {
        getItem: key => stored.get(key) ?? null,
        setItem: (key, value) => stored.set(key, value),
        removeItem: key => stored.delete(key),
    };
    connection = new Connection('ws://test/ws', storage, {
        onWelcome: () => welcomes++,
        onFrame: frame => frames.push(frame),
        onStatus: status => statuses.push(status.is),
        onTrouble: code => troubles.push(code),
    }, {random: () => drawn});
    connection.open();
});

afterEach(() => clock.remove());

test('a minted token is kept, and shown the next time', () => {
    assert.equal(newest().subprotocol, 'senet.v1');
    assert.equal(newest().greets('secret').token, undefined);
    assert.equal(stored.get('senet.token'), 'secret');
    newest().closes(1006);
    clock.tick(500);
    assert.equal(newest().greets().token, 'secret');
    assert.equal(welcomes, 2);
    assert.deepEqual(statuses, ['connecting', 'online', 'waiting', 'connecting', 'online']);
});

test('what was not acknowledged is sent again in order, under the same ids, after the owner has resumed', async () => {
    newest().greets();
    const answers = ['a', 'b'].map(text => connection.request({type: 'chat', room: 'r', text}));
    const ids = newest()
        .sent.slice(1)
        .map(frame => frame.id);
    assert.equal(new Set(ids).size, 2);
    newest().closes(1006);
    clock.tick(500);
    newest().greets();
    assert.deepEqual(
        newest()
            .sent.slice(1)
            .map(frame => [frame.id, frame.text]),
        [
            [ids[0], 'a'],
            [ids[1], 'b'],
        ],
    );
    for (const id of ids) newest().says({type: 'ack', re: id, room: 'r', version: 7});
    assert.deepEqual(
        (await Promise.all(answers)).map(ack => ack.version),
        [7, 7],
    );
});

test('whoever comes when the conversation has begun learns what was said', () => {
    connection.close();
    connection = new Connection('ws://test/ws', {getItem: () => 'token', setItem() {}});
    connection.open();
    newest().greets();
    newest().closes(1006); // nobody was there to ask anything: the next socket begins anew
    clock.tick(500);
    newest().greets();
    const heard = [];
    connection.attend({onWelcome: () => heard.push('welcome'), onFrame: frame => heard.push(frame.type), onStatus: ({is}) => heard.push(is)});
    assert.deepEqual(heard, ['connecting', 'online', 'welcome']);
    newest().says({type: 'lobby', rooms: []});
    assert.deepEqual(heard.slice(3), ['lobby']);
    connection.close();
});

test('what is asked ahead is sent before anybody listens, and its answer waits for who asks the same', async () => {
    connection.close();
    connection = new Connection('ws://test/ws', {getItem: () => 'token', setItem() {}});
    const resume = {type: 'resume', room: 'r', version: 0};
    connection.askAhead(resume);
    connection.open();
    newest().greets();
    newest().closes(1006);
    clock.tick(500);
    newest().greets();
    newest().greets(); // a proxy that doubles frames
    const asked = () => newest().sent.filter(({type}) => type === 'resume');
    assert.deepEqual(asked().map(({id, ...command}) => command), [resume]);
    newest().says({type: 'snapshot', room: 'r', version: 5});
    newest().says({type: 'ack', re: asked()[0].id, mode: 'snapshot'});
    const heard = [], answers = [];
    connection.attend({
        onWelcome: () => void answers.push(connection.request({...resume}, {once: true})),
        onFrame: frame => heard.push(frame.type),
        onStatus() {},
    });
    assert.deepEqual(heard, ['snapshot']);
    assert.equal((await answers[0]).mode, 'snapshot');
    assert.equal(asked().length, 1);
    newest().closes(1006);
    clock.tick(1_000);
    newest().greets(); // somebody listens now, and asks for himself
    assert.equal(asked().length, 1);
    newest().says({type: 'ack', re: asked()[0].id, mode: 'events'});
    assert.equal((await answers[1]).mode, 'events');
    connection.close();
});

test('what is asked ahead and never wanted is nothing to who asks something else', async () => {
    connection.close();
    connection = new Connection('ws://test/ws', {getItem: () => 'token', setItem() {}});
    connection.askAhead({type: 'resume', room: 'r', version: 0});
    connection.open();
    newest().greets();
    const [{id}] = newest().sent.filter(({type}) => type === 'resume');
    const answers = [];
    connection.attend({onWelcome: () => void answers.push(connection.request({type: 'resume', room: 'r', version: 3}, {once: true})), onFrame() {}, onStatus() {}});
    const asked = newest().sent.filter(({type}) => type === 'resume');
    assert.deepEqual(asked.map(({version}) => version), [0, 3]);
    newest().says({type: 'ack', re: id, mode: 'snapshot'});
    newest().says({type: 'ack', re: asked[1].id, mode: 'events'});
    assert.equal((await answers[0]).mode, 'events');
    connection.close();
});

test('where the owner has something to wait for, commands wait for it, and its own questions do not', async () => {
    let enter;
    connection.close();
    const entered = new Promise(resolve => (enter = resolve));
    connection = new Connection('ws://test/ws', {getItem: () => 'token', setItem() {}}, {
        onWelcome: () => entered,
        onFrame() {},
        onStatus() {},
    });
    connection.open();
    connection.request({type: 'chat', room: 'r', text: 'early'});
    newest().greets();
    connection.request({type: 'resume', room: 'r', version: 1}, {once: true}).catch(() => {});
    connection.request({type: 'chat', room: 'r', text: 'late'});
    const types = () => newest().sent.slice(1).map(frame => frame.text ?? frame.type);
    assert.deepEqual(types(), ['resume']);
    enter();
    await new Promise(resolve => setImmediate(resolve));
    assert.deepEqual(types(), ['resume', 'early', 'late']);
    connection.request({type: 'chat', room: 'r', text: 'now'});
    assert.equal(types().at(-1), 'now');
    newest().closes(1006);
    enter();
    assert.equal(connection.status.is, 'waiting');
});

test('what comes twice is heard once: the greetings and answers', async () => {
    newest().greets();
    const welcome = {type: 'welcome', re: newest().sent[0].id, session: 's', player: 'p_me'};
    newest().says({type: 'hello', protocol: 'senet.v1', heartbeat_ms: 15_000});
    newest().says(welcome);
    assert.equal(newest().sent.length, 1);
    assert.equal(welcomes, 1);
    const answer = connection.request({type: 'chat', room: 'r', text: 'x'});
    const {id} = newest().sent.at(-1);
    newest().says({type: 'ack', re: id, room: 'r', version: 7});
    newest().says({type: 'ack', re: id, room: 'r', version: 7});
    newest().says({type: 'error', re: id, code: 'stale', message: 'x', retry: false});
    assert.equal((await answer).version, 7);
    assert.deepEqual(frames, []);
});

test('a connection on which nothing is ever said is given up', () => {
    clock.tick(30_000);
    assert.equal(connection.status.is, 'waiting');
    clock.tick(500);
    assert.equal(FakeSocket.all.length, 2);
});

test('what is asked before there is a connection is asked once there is one', async () => {
    for (const once of [false, true]) {
        const answer = connection.request({type: 'games', op: 'list'}, {once});
        assert.equal(newest().sent.length, 0);
        newest().greets();
        const [, asked, ...more] = newest().sent;
        assert.deepEqual(more, []);
        newest().says({type: 'games', re: asked.id, games: []});
        assert.deepEqual((await answer).games, []);
        newest().closes(1006);
        clock.tick(500);
    }
});

test('a command of one socket fails with it, and is not sent again', async () => {
    newest().greets();
    const answer = connection.request({type: 'resume', room: 'r', version: 1}, {once: true});
    newest().closes(1006);
    await assert.rejects(answer, {code: 'disconnected'});
    clock.tick(500);
    newest().greets();
    assert.equal(newest().sent.length, 1);
});

test('a refusal rejects; one that says "retry" is tried again under its id', async () => {
    newest().greets();
    const answer = connection.request({type: 'chat', room: 'r', text: 'x'});
    const {id} = newest().sent.at(-1);
    newest().says({type: 'error', re: id, code: 'rate_limited', message: 'too fast', retry: true, retry_ms: 100});
    clock.tick(250);
    assert.equal(newest().sent.at(-1).id, id);
    assert.equal(newest().sent.length, 3);
    newest().says({type: 'error', re: id, code: 'not_in_room', message: 'join first', retry: false});
    await assert.rejects(answer, {code: 'not_in_room'});
});

test('a server that cannot store is asked again for a while, and what becomes of it is said', async () => {
    newest().greets();
    const answer = connection.request({type: 'move', room: 'r', move: {from: 'a', to: 'b'}});
    const {id} = newest().sent.at(-1);
    for (let attempt = 0; attempt < 20; attempt++) {
        newest().says({type: 'error', re: id, code: 'unavailable', message: 'full', retry: true, retry_ms: 100});
        clock.tick(250);
    }
    assert.equal(newest().sent.filter(frame => frame.id === id).length, 21);
    assert.deepEqual([...new Set(troubles)], ['unavailable']);
    newest().says({type: 'ack', re: id, room: 'r', version: 3});
    assert.equal((await answer).version, 3);
    assert.equal(troubles.at(-1), null);
});

test('what another server has is followed there, and back where nobody is', async () => {
    newest().greets();
    const answer = connection.request({type: 'move', room: 'r', move: {from: 'a', to: 'b'}});
    const {id} = newest().sent.at(-1);
    newest().says({type: 'error', re: id, code: 'moved', message: '…', retry: true, url: 'http://other:81'});
    clock.tick(900);
    assert.equal(newest().url, 'ws://other:81/ws');
    newest().closes(1006); // before it said anything
    clock.tick(1_500);
    assert.equal(newest().url, 'ws://test/ws');
    newest().greets();
    assert.equal(newest().sent.at(-1).id, id);
    newest().says({type: 'error', re: id, code: 'moved', message: '…', retry: true, retry_ms: 100});
    clock.tick(1_500);
    newest().greets();
    assert.equal(newest().sent.at(-1).id, id);
    newest().says({type: 'ack', re: id, room: 'r', version: 2});
    assert.equal((await answer).version, 2);
});

test('two servers that each name the other one are not asked for ever, nor in a hurry', () => {
    newest().greets();
    connection.request({type: 'chat', room: 'r', text: 'x'}).catch(() => {});
    for (let hop = 0; hop < 6; hop++) {
        const {id} = newest().sent.at(-1);
        newest().says({type: 'error', re: id, code: 'moved', message: '…', retry: true, url: 'http://other:81', retry_ms: 5_000});
        if (hop < 5) clock.tick(900);
        if (hop < 5) newest().greets();
    }
    const count = FakeSocket.all.length;
    clock.tick(4_900);
    assert.equal(FakeSocket.all.length, count);
    clock.tick(1_000);
    assert.equal(FakeSocket.all.length, count + 1);
});

test('a page that came over TLS does not go where there is none', async () => {
    const {socketUrl} = await import(new URL('../../protocol/clients/javascript/senet.js', import.meta.url));
    assert.equal(socketUrl('https://b.example', 'wss://a.example/ws'), 'wss://b.example/ws');
    assert.equal(socketUrl('http://b.example', 'wss://a.example/ws'), 'wss://a.example/ws');
    assert.equal(socketUrl(undefined, 'ws://a.example/ws'), 'ws://a.example/ws');
});

test('events go to the owner, and so does an answer that is more than an answer', async () => {
    newest().greets();
    newest().says({type: 'event', room: 'r', version: 2});
    const answer = connection.request({type: 'sync', room: 'r'}, {once: true});
    newest().says({type: 'snapshot', re: newest().sent.at(-1).id, room: 'r', version: 2});
    await answer;
    assert.deepEqual(
        frames.map(frame => frame.type),
        ['event', 'snapshot'],
    );
});

test('replaced by another tab, it waits to be asked', () => {
    newest().greets();
    newest().closes(4009);
    clock.tick(120_000);
    assert.equal(FakeSocket.all.length, 1);
    assert.equal(connection.status.is, 'replaced');
    connection.open();
    newest().greets();
    assert.equal(connection.status.is, 'online');
});

test('a token that is refused is dropped', () => {
    stored.set('senet.token', 'stale');
    newest().says({type: 'hello', protocol: 'senet.v1'});
    newest().closes(4001);
    assert.equal(stored.size, 0);
    clock.tick(500);
    assert.equal(newest().greets('fresh').token, undefined);
    assert.equal(stored.get('senet.token'), 'fresh');
});

test('so is one that a bot was minted; one that it was given is kept, and it stays away', () => {
    for (const [given, then] of [[undefined, 'waiting'], ['given', 'refused']]) {
        const statuses = [];
        const client = new Client('http://test', {token: given, random: () => 1, onStatus: ({is}) => statuses.push(is)});
        assert.equal(newest().greets(given ? undefined : 'minted').token, given);
        newest().closes(4001);
        assert.equal(statuses.at(-1), then);
        clock.tick(500);
        if (!given) assert.equal(newest().greets('another').token, undefined);
        assert.equal(client.connection.token, given ?? 'another');
        client.close();
    }
});

test('a server that restarts is given a moment, and one that is overloaded several seconds', () => {
    for (const [code, least, chance] of [
        [1012, 300, 0],
        [1012, 300, 1],
        [1013, 5_000, 0],
        [1013, 5_000, 1],
        [4008, 5_000, 0],
        [4008, 5_000, 1],
    ]) {
        drawn = chance;
        newest().greets();
        const count = FakeSocket.all.length;
        newest().closes(code);
        clock.tick(least - 1);
        assert.equal(FakeSocket.all.length, count, `${code} ${chance}`);
        clock.tick(501);
        assert.equal(FakeSocket.all.length, count + 1, `${code} ${chance}`);
    }
});

test('delays grow, and `hurry` ends them', () => {
    for (let attempt = 0; attempt < 8; attempt++) {
        newest().closes(1006);
        assert.equal(connection.status.until - Date.now(), Math.min(30_000, 500 * 2 ** attempt));
        const count = FakeSocket.all.length;
        connection.hurry();
        assert.equal(FakeSocket.all.length, count + 1);
    }
});

test('silence is asked after once, and then taken for an end', () => {
    newest().greets();
    clock.tick(15_000);
    assert.equal(newest().sent.at(-1).type, 'ping');
    newest().says({type: 'pong', re: newest().sent.at(-1).id, at: 1});
    clock.tick(15_000);
    assert.equal(connection.status.is, 'online');
    clock.tick(15_000);
    clock.tick(15_000);
    assert.notEqual(connection.status.is, 'online');
});

test('who plays is sooner through with a silent server, and with one that does not greet', () => {
    newest().greets();
    clock.tick(14_000);
    const replica = {state: {status: 'playing'}, seatsOf: player => (player === 'p_me' ? ['white'] : [])};
    connection.playsIn(replica);
    clock.tick(2_999);
    assert.equal(newest().sent.length, 1);
    clock.tick(1);
    assert.equal(newest().sent.at(-1).type, 'ping');
    newest().says({type: 'pong', re: newest().sent.at(-1).id, at: 1});
    clock.tick(5_999);
    assert.equal(connection.status.is, 'online');
    clock.tick(1);
    assert.equal(connection.status.is, 'waiting');
    clock.tick(500);
    assert.equal(connection.status.is, 'connecting');
    clock.tick(6_000);
    assert.equal(connection.status.is, 'waiting');
    clock.tick(1_000);
    newest().greets();
    connection.playsIn({...replica, state: {status: 'finished'}});
    clock.tick(14_000);
    assert.equal(newest().sent.length, 1);
});
