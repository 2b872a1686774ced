// A wall clock that is wrong, for one program: libfaketime, preloaded. What counts the time that passes counts it as ever.
import {existsSync, readdirSync, rmSync} from 'node:fs';

const folders = existsSync('/usr/lib') ? readdirSync('/usr/lib') : []; // one of them is that of this kind of machine
const library = folders.map(folder => `/usr/lib/${folder}/faketime/libfaketimeMT.so.1`).find(existsSync);

export const missing = library ? false : 'no libfaketime is installed';

// The environment of a program whose clock is ahead by so much; as it is where there is no such library.
export function wrongBy(ms) {
    if (!library || ms === 0) return {};
    return {LD_PRELOAD: library, FAKETIME: `${ms < 0 ? '' : '+'}${ms / 1000}s`, DONT_FAKE_MONOTONIC: '1'};
}

// What the library leaves of a program that was killed.
export function tidyUpAfter(pid) {
    for (const name of ['faketime_shm', 'sem.faketime_sem']) rmSync(`/dev/shm/${name}_${pid}`, {force: true});
}
