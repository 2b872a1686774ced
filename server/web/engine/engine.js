// The engine as a page has it: questions in, promises out. It runs in a Worker of its own, and what takes too long, asks for
// too much memory or fails costs that Worker only. The questions are those of `senet engine` (server/cli/README.md).
//
//     const engine = await startEngine();
//     if (engine.status === 'missing') …                       the page goes on without
//     const {state, findings, error} = await engine.ask({do: 'game', text});

import {fileUrl} from '../files.js';

// The page names it by its version, which browsers keep for good, where the server had it already.
const wasm = () => document.querySelector('meta[name="engine"]')?.content || '/engine/engine.wasm';
const START_MS = 20_000; // to compile half a megabyte on a slow phone
const LIMIT_MS = 5_000;

const SENTENCES = {
    missing: 'This server has no engine for browsers',
    time: 'This takes too long, so it was stopped',
    memory: 'This takes more memory than there is, so it was stopped',
    trap: 'The engine failed at this',
    ended: 'The engine has been ended',
};

// `reason` is a key of SENTENCES; the message can be shown.
export class EngineTrouble extends Error {
    constructor(reason, detail = '') {
        super(SENTENCES[reason]);
        this.name = 'EngineTrouble';
        this.reason = reason;
        this.detail = detail;
    }
}

let compiled = null; // once for the page: Workers that begin anew get the same module

async function compile() {
    const answer = await fetch(wasm());
    if (!answer.ok) return null;
    return await WebAssembly.compileStreaming(answer);
}

// null where there is none: then the next who asks looks again, since a server may still be building it.
async function findModule() {
    compiled ??= typeof WebAssembly === 'object' ? compile().catch(() => null) : Promise.resolve(null);
    const module = await compiled;
    if (!module) compiled = null;
    return module;
}

export async function startEngine({limit = LIMIT_MS} = {}) {
    const engine = new Engine(limit);
    await engine.restart().catch(() => {});
    return engine;
}

class Engine {
    #limit;
    #module = null;
    #worker = null;
    #queue = []; // {line, limit, resolve, reject}
    #current = null;
    #timer = 0;

    status = 'missing'; // 'ready', 'missing', 'ended'
    generation = 0; // grows with each Worker: a new one has no game

    constructor(limit) {
        this.#limit = limit;
    }

    // The answer to a request, in order. Rejects with EngineTrouble; a refusal ({error}) is an answer.
    ask(request, {limit = this.#limit} = {}) {
        if (this.status !== 'ready') return Promise.reject(new EngineTrouble(this.status));
        return new Promise((resolve, reject) => {
            this.#queue.push({line: JSON.stringify(request), limit, resolve, reject});
            this.#next();
        });
    }

    // A Worker anew; what was being asked is rejected.
    async restart() {
        this.#stop('ended');
        this.#module ??= await findModule();
        this.status = this.#module ? 'ready' : 'missing';
        if (!this.#module) throw new EngineTrouble('missing');
    }

    end() {
        this.#stop('ended');
        this.status = 'ended';
    }

    #next() {
        if (this.#current || this.#queue.length === 0) return;
        this.#current = this.#queue.shift();
        if (this.#worker) this.#send();
        else this.#startWorker();
    }

    #startWorker() {
        this.generation++;
        this.#worker = new Worker(fileUrl('/engine/worker.js'), {type: 'module'});
        this.#worker.addEventListener('message', ({data}) => this.#heard(data));
        this.#worker.addEventListener('error', event => this.#fail('trap', event.message));
        this.#timer = setTimeout(() => this.#fail('time'), START_MS);
        this.#worker.postMessage({module: this.#module});
    }

    #send() {
        this.#timer = setTimeout(() => this.#fail('time'), this.#current.limit);
        this.#worker.postMessage({line: this.#current.line});
    }

    #heard(data) {
        clearTimeout(this.#timer);
        if (data.failed) {
            this.#fail(data.failed, data.message);
        } else if (data.ready) {
            this.#send();
        } else {
            const {resolve} = this.#current;
            this.#current = null;
            resolve(JSON.parse(data.answer));
            this.#next();
        }
    }

    // The next question begins another Worker. What waits was meant for a game the new one does not have.
    #fail(reason, detail) {
        this.#stop('ended', new EngineTrouble(reason, detail));
    }

    #stop(reason, trouble = new EngineTrouble(reason)) {
        clearTimeout(this.#timer);
        this.#worker?.terminate();
        this.#worker = null;
        const [first, rest] = [this.#current, this.#queue];
        this.#current = null;
        this.#queue = [];
        first?.reject(trouble);
        for (const waiting of rest) waiting.reject(new EngineTrouble('ended'));
    }
}
