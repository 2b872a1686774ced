// An engine that speaks UCI (Stockfish, Fairy-Stockfish), asked one question after the other. Questions may be asked before the last
// one is answered: they wait in the pipe, which is what makes thousands of them quick.
import {spawn} from 'node:child_process';
import {existsSync} from 'node:fs';

// Debian puts games where PATH may not lead.
export function findEngine(name) {
    const folders = ['/usr/games', ...(process.env.PATH ?? '').split(':')];
    return folders.map(folder => `${folder}/${name}`).find(file => existsSync(file));
}

export class Uci {
    #child;
    #waiting = [];
    #lines = [];
    #rest = '';
    #gone = null;

    constructor(program) {
        this.#child = spawn(program, [], {stdio: ['pipe', 'pipe', 'ignore']});
        this.#child.stdout.setEncoding('utf8').on('data', text => this.#read(text));
        this.#child.stdin.on('error', () => {});
        this.#child.on('error', error => this.#fail(error));
        this.#child.on('exit', (code, signal) => this.#fail(new Error(`the engine is gone: ${signal ?? code}`)));
    }

    static async start(name, options = {}) {
        const engine = new Uci(findEngine(name));
        await engine.ask('uci', line => line === 'uciok');
        for (const [option, value] of Object.entries(options)) engine.say(`setoption name ${option} value ${value}`);
        await engine.ask('isready', line => line === 'readyok');
        return engine;
    }

    get pid() {
        return this.#child.pid;
    }

    say(text) {
        this.#child.stdin.write(`${text}\n`);
    }

    // All lines up to the one that is the last.
    ask(text, isLast) {
        if (this.#gone) return Promise.reject(this.#gone);
        const answer = new Promise((resolve, reject) => this.#waiting.push({isLast, resolve, reject}));
        this.say(text);
        return answer;
    }

    // The legal moves of a position: `position` is what UCI says after that word.
    async moves(position) {
        const lines = await this.ask(`position ${position}\ngo perft 1`, line => line.startsWith('Nodes searched'));
        return lines.map(line => /^(\S+): 1$/.exec(line)?.[1]).filter(move => move !== undefined);
    }

    async bestMove(position, nodes) {
        const lines = await this.ask(`position ${position}\ngo nodes ${nodes}`, line => line.startsWith('bestmove'));
        return lines.at(-1).split(' ')[1];
    }

    // Of a position in which the game has ended: 'loss' for who would be to move, 'draw', 'win'; null where it goes on.
    async verdict(position) {
        const lines = await this.ask(`position ${position}\ngo depth 1`, line => line.startsWith('bestmove'));
        const score = lines.map(line => /^info depth 0 score (\w+) (-?\d+)/.exec(line)).find(found => found !== null);
        if (!score) return null;
        if (score[1] === 'cp') return 'draw';
        return score[2].startsWith('-') || score[2] === '0' ? 'loss' : 'win';
    }

    async quit() {
        if (this.#gone) return;
        const exit = new Promise(resolve => this.#child.on('exit', resolve));
        this.say('quit');
        await exit;
    }

    #read(text) {
        const lines = (this.#rest + text).split('\n');
        this.#rest = lines.pop();
        for (const line of lines) {
            if (this.#waiting.length === 0) continue;
            this.#lines.push(line);
            if (!this.#waiting[0].isLast(line)) continue;
            this.#waiting.shift().resolve(this.#lines);
            this.#lines = [];
        }
    }

    #fail(error) {
        this.#gone ??= error;
        for (const {reject} of this.#waiting.splice(0)) reject(this.#gone);
    }
}
