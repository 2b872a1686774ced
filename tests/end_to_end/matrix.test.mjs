// Whatever dies: three servers, their NATS and their PostgreSQL are each killed, stopped and asked to end, and servers are cut off
// from each they speak with, one after the other, while people of one table play at different servers. The long form, with its
// numbers, is tests/bench/faults.
import assert from 'node:assert/strict';
import test from 'node:test';
import {random, seed} from '../support/load.mjs';
import {House, quantile, STRIKES, wordsOf} from '../support/faults.mjs';

const needs = {skip: !process.env.SENET_TEST_POSTGRES && 'SENET_TEST_POSTGRES names no PostgreSQL', timeout: 900000};
const STILL_MS = {STOP: 2500, CUT: 5000}; // past what others wait for

test(`servers, NATS and PostgreSQL are killed, stopped, ended and cut off, each in turn (seed ${seed})`, needs, async t => {
    const house = new House();
    try {
        await house.open(9, 50);
        for (const strike of STRIKES) {
            const {pauses, alikeMs} = await house.round(strike, (STILL_MS[strike.how] ?? 100) + random(500));
            t.diagnostic(`${wordsOf(strike)}: pause median ${quantile(pauses, 0.5)} ms, at most ${Math.max(...pauses)} ms; all alike after ${alikeMs} ms`);
        }
        await house.finish();
        assert.ok(house.moves > 0);
        t.diagnostic(`${house.moves} moves, none lost, doubled or out of order`);
    } finally {
        await house.close();
    }
});
