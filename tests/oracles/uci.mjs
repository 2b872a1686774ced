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
        const known = await engine.ask('uci', line => line === 'uciok');
        const variants = known.find(line => line.startsWith('option name UCI_Variant'))?.split(' ') ?? [];
        if (options.UCI_Variant && !variants.includes(options.UCI_Variant)) {
            await engine.quit();
            throw new Error(`${name} does not know ${options.UCI_Variant}`); // it would go on with chess and say nothing
        }
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
        const question = {isLast};
        question.answer = new Promise((resolve, reject) => Object.assign(question, {resolve, reject}));
        this.#waiting.push(question);
        this.say(text);
        return question.answer;
    }

    // What the engine answers at once, also while it is still busy with a question before.
    async #askAlone(text, isLast) {
        while (this.#waiting.length > 0) await this.#waiting.at(-1).answer.catch(() => {});
        return this.ask(text, isLast);
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

    // How a move stands that ends the game, for who would be to move then: 'loss', 'win' or 'draw'. (Of the ended position itself the
    // engine says "mate 0", whoever has won.)
    async verdict(position, move) {
        const lines = await this.ask(`position ${position}\ngo depth 2 searchmoves ${move}`, line => line.startsWith('bestmove'));
        const score = lines.map(line => / score (\w+) (-?\d+)/.exec(line)).filter(found => found !== null).at(-1);
        if (score[1] === 'cp') return 'draw';
        return Number(score[2]) > 0 ? 'loss' : 'win';
    }

    // `name`: 'Fen', or 'Sfen' of shogi and its kin.
    async fen(position, name = 'Fen') {
        const lines = await this.#show(position);
        return lines.find(line => line.startsWith(`${name}: `)).slice(name.length + 2);
    }

    #show(position) {
        return this.#askAlone(`position ${position}\nd`, line => line.startsWith('Checkers:'));
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
