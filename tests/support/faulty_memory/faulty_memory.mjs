// The orders of memory that fails (faulty_memory.c), given from outside while a server runs.
import {closeSync, existsSync, mkdtempSync, openSync, readSync, realpathSync, rmSync, writeSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {program} from '../server.mjs';

const library = join(dirname(program), 'tests/support/faulty_memory/libfaulty_memory.so');
// Where each stands: struct orders.
const FAIL_AT = 0, FAIL_COUNT = 8, CALLS = 16, FAILED = 24;

export class FaultyMemory {
    #base = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'senet-faulty-'));
    #path = join(this.#base, 'orders');
    #file = openSync(this.#path, 'w+');

    static missing = existsSync(library) ? false : `${library} is not built`;

    environment = {LD_PRELOAD: realpathSync(library), FAULTY_MEMORY: this.#path};

    #number(at) {
        const bytes = Buffer.alloc(8);
        readSync(this.#file, bytes, 0, 8, at);
        return Number(bytes.readBigUInt64LE());
    }

    #set(at, number) {
        const bytes = Buffer.alloc(8);
        bytes.writeBigUInt64LE(BigInt(number));
        writeSync(this.#file, bytes, 0, 8, at);
    }

    get calls() {
        return this.#number(CALLS);
    }

    get failed() {
        return this.#number(FAILED);
    }

    // The n-th call from now on fails, and `count` in all; `failed` counts them.
    fail({in: n, count}) {
        this.#set(FAILED, 0);
        this.#set(FAIL_COUNT, count);
        this.#set(FAIL_AT, this.calls + n);
    }

    heal() {
        this.#set(FAIL_AT, 0);
    }

    remove() {
        closeSync(this.#file);
        rmSync(this.#base, {recursive: true, force: true});
    }
}
