// What a clock shows: pure functions of what the server said and how long ago.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {beginningSeat, controlWords, runningSeat, timeLeft, timeWords} from '../../server/web/clocks.js';

const at = (left_ms, periods, budget, spent) => timeLeft({left_ms, periods}, budget, spent);

test('what is left goes down, and never below nothing', () => {
    assert.deepEqual(at(5000, 0, {}, 1500), {left: 3500, periods: 0});
    assert.deepEqual(at(5000, 0, {}, 9000), {left: 0, periods: 0});
});

test('a delay is free at first, Bronstein’s is not', () => {
    assert.equal(at(5000, 0, {delay_ms: 2000}, 1500).left, 5000);
    assert.equal(at(5000, 0, {delay_ms: 2000}, 3000).left, 4000);
    assert.equal(at(5000, 0, {delay_ms: 2000, bronstein: true}, 1500).left, 3500);
});

test('behind the main time come the periods, one after the other', () => {
    const budget = {period_ms: 1000};
    assert.deepEqual(at(5000, 2, budget, 4000), {left: 1000, periods: 2});
    assert.deepEqual(at(5000, 2, budget, 5300), {left: 0, periods: 2, period: 700});
    assert.deepEqual(at(5000, 2, budget, 6300), {left: 0, periods: 1, period: 700});
    assert.deepEqual(at(5000, 2, budget, 8000), {left: 0, periods: 0, period: 0});
});

test('time is said shortly, the last seconds with tenths', () => {
    assert.deepEqual([9990, 10_000, 61_000, 3_661_000, 183_600_000, 0].map(timeWords), ['9.9', '0:10', '1:01', '1:01:01', '2 d 3 h', '0.0']);
});

test('a time control is said in a few words', () => {
    assert.equal(controlWords({initial_ms: 180_000, increment_ms: 2000}), '3 min + 2 s a turn');
    assert.equal(controlWords({initial_ms: 600_000, periods: 3, period_ms: 30_000}), '10 min + 3 × 30 s');
    assert.equal(controlWords({initial_ms: 0, periods: 1, period_ms: 259_200_000}), '3 d a turn');
    assert.equal(controlWords({initial_ms: 90_000, delay_ms: 5000}), '90 s + 5 s of each turn free');
});

test('in a first turn somebody is to begin, but not where a turn may take days, nor once a clock runs', () => {
    const at = (clock, rest = {}) => {
        const {initial_ms: left_ms = 0, periods = 0} = clock ?? {};
        return beginningSeat({clock, state: {status: 'playing', to_move: 'white', seats: {white: {...(clock && {clock: {left_ms, periods}})}}}, toBegin: true, ...rest});
    };
    assert.equal(at({initial_ms: 60_000}), 'white');
    assert.equal(at({periods: 3, period_ms: 30_000}), 'white');
    assert.equal(at({initial_ms: 60_000}, {toBegin: false}), null);
    assert.equal(at({periods: 1, period_ms: 86_400_000}), null, 'by correspondence the first turn has the time of any other one');
    assert.equal(at({initial_ms: 60_000, seats: {white: {initial_ms: 6 * 3_600_000}}}), 'white', 'what is left is what counts');
    assert.equal(at({initial_ms: 6 * 3_600_000}), null);
    assert.equal(at(null), null);
    assert.equal(at({initial_ms: 60_000}, {state: {status: 'waiting', seats: {}}}), null);
});

test('a clock runs for whose turn it is, but not in a first turn, nor when the game is over', () => {
    const room = {clock: {}, state: {status: 'playing', to_move: 'white'}, toBegin: false};
    assert.equal(runningSeat(room), 'white');
    assert.equal(runningSeat({...room, toBegin: true}), null);
    assert.equal(runningSeat({...room, clock: null}), null);
    assert.equal(runningSeat({...room, state: {status: 'finished', to_move: null}}), null);
});
