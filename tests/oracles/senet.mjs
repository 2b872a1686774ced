// Our own program, `senet engine GAME`, asked as the other engines are.
import {spawn} from 'node:child_process';
import {createInterface} from 'node:readline';
import {fileURLToPath} from 'node:url';

export const program = process.env.SENET_PROGRAM ?? 'build/release/senet';
export const gameFile = game => fileURLToPath(new URL(`../../games/${game}.json`, import.meta.url));

export class Senet {
    #child;
    #waiting = [];
    #gone = null;

    constructor(game, ...options) {
        this.#child = spawn(program, ['engine', gameFile(game), ...options], {stdio: ['pipe', 'pipe', 'inherit']});
        this.#child.stdin.on('error', () => {});
        createInterface({input: this.#child.stdout}).on('line', line => this.#waiting.shift().resolve(JSON.parse(line)));
        this.#child.on('error', error => this.#fail(error));
        this.#child.on('exit', (code, signal) => this.#fail(new Error(`senet engine ${game} is gone: ${signal ?? code}`)));
    }

    get pid() {
        return this.#child.pid;
    }

    // The answer as it is, also where it is a refusal.
    request(words) {
        if (this.#gone) return Promise.reject(this.#gone);
        const answer = new Promise((resolve, reject) => this.#waiting.push({resolve, reject}));
        this.#child.stdin.write(`${JSON.stringify(words)}\n`);
        return answer;
    }

    async ask(words) {
        const answer = await this.request(words);
        if (answer.error) throw new Error(`${JSON.stringify(words)}: ${answer.error.code}: ${answer.error.message}`);
        return answer;
    }

    async new() {
        return (await this.ask({do: 'new', short: true})).state;
    }

    async load(position) {
        return (await this.ask({do: 'load', position, short: true})).state;
    }

    async moves(words = {}) {
        return (await this.ask({do: 'moves', ...words})).moves;
    }

    async play(move) {
        return (await this.ask({do: 'move', move, short: true})).state;
    }

    async undo() {
        return (await this.ask({do: 'undo', short: true})).state;
    }

    // What stands where, in words: cell -> 'player figure'.
    async cells() {
        const {state} = await this.ask({do: 'state'});
        return Object.fromEntries(Object.entries(state.cells).map(([cell, {player, figure}]) => [cell, `${player} ${figure}`]));
    }

    async quit() {
        if (this.#gone) return;
        const exit = new Promise(resolve => this.#child.on('exit', resolve));
        this.#child.stdin.end();
        await exit;
    }

    #fail(error) {
        this.#gone ??= error;
        for (const {reject} of this.#waiting.splice(0)) reject(this.#gone);
    }
}
