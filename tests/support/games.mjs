// The text of a game of games/ as the server offers it: with what it extends merged into it.
import {spawnSync} from 'node:child_process';
import {fileURLToPath} from 'node:url';
import {program} from './server.mjs';

const read = new Map();

export function wholeGame(name) {
    if (!read.has(name)) read.set(name, merged(name));
    return read.get(name);
}

function merged(name) {
    const path = fileURLToPath(new URL(`../../games/${name}.json`, import.meta.url));
    const {stdout, stderr, status} = spawnSync(program, ['check', '--merged', path], {encoding: 'utf8'});
    if (status !== 0) throw new Error(`${name}: ${stderr}`);
    return stdout;
}
