// The orders of a faulty disk (faulty_disk.h), given from outside while a server runs on it.
import {execFileSync} from 'node:child_process';
import {closeSync, existsSync, mkdtempSync, openSync, readSync, realpathSync, rmSync, writeSync} from 'node:fs';
import {constants, tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {program} from '../server.mjs';

const built = join(dirname(program), 'tests/support/faulty_disk');
const library = join(built, 'libfaulty_disk.so');
// Where each stands at the head of the log: struct disk_log.
const FAIL_AT = 0, FAIL_COUNT = 8, ERROR = 16, PARTIAL = 20, CALLS = 32, FAILED = 40;

export class FaultyDisk {
    #base = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'senet-faulty-'));
    #log = join(this.#base, 'log');
    #file = null;
    folder = realpathSync(mkdtempSync(join(this.#base, 'disk-')));

    static missing = existsSync(library) ? false : `${library} is not built`;

    // For the server that is to live on it.
    environment = {LD_PRELOAD: realpathSync(library), FAULTY_DISK_FOLDER: this.folder, FAULTY_DISK_LOG: this.#log};

    #number(at) {
        this.#file ??= openSync(this.#log, 'r+');
        const bytes = Buffer.alloc(8);
        readSync(this.#file, bytes, 0, 8, at);
        return Number(bytes.readBigUInt64LE());
    }

    #set(at, bytes) {
        this.#file ??= openSync(this.#log, 'r+');
        writeSync(this.#file, bytes, 0, bytes.length, at);
    }

    get calls() {
        return this.#number(CALLS);
    }

    get failed() {
        return this.#number(FAILED);
    }

    // The n-th call from now on fails, and `count` in all; `failed` counts them.
    fail({in: n, count, error = 'EIO', partial = false}) {
        const how = Buffer.alloc(16), when = Buffer.alloc(8);
        how.writeBigUInt64LE(BigInt(count), 0);
        how.writeUInt32LE(constants.errno[error], ERROR - FAIL_COUNT);
        how.writeUInt32LE(Number(partial), PARTIAL - FAIL_COUNT);
        when.writeBigUInt64LE(BigInt(this.calls + n));
        this.#set(FAILED, Buffer.alloc(8));
        this.#set(FAIL_COUNT, how);
        this.#set(FAIL_AT, when);
    }

    heal() {
        this.#set(FAIL_AT, Buffer.alloc(8));
    }

    // Under a server that is dead: what was not synced is there or not.
    cutPower(seed) {
        execFileSync(join(built, 'cut_power'), [this.#log, this.folder, `${seed}`]);
    }

    remove() {
        if (this.#file !== null) closeSync(this.#file);
        rmSync(this.#base, {recursive: true, force: true});
    }
}
