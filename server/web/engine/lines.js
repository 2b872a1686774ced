// One engine: WebAssembly that answers lines as `senet engine` does. Knows neither Workers nor pages; runs in Node, too.

export class EngineEnded extends Error {
    constructor(reason, message) {
        super(message);
        this.reason = reason; // 'memory' or 'trap'
    }
}

const OUT_OF_MEMORY = 71; // engine/memory/memory.h
const NO_SUCH_FILE = 8;

// What wasi-libc asks of a system. There is none: what is said on standard error is forgotten.
function system(memory) {
    const view = () => new DataView(memory().buffer);
    return {
        clock_time_get(clock, precision, time) {
            view().setBigUint64(time, 0n, true);
            return 0;
        },
        fd_close: () => NO_SUCH_FILE,
        fd_seek: () => NO_SUCH_FILE,
        fd_write(file, pieces, count, written) {
            let bytes = 0;
            for (let i = 0; i < count; i++) bytes += view().getUint32(pieces + 8 * i + 4, true);
            view().setUint32(written, bytes, true);
            return 0;
        },
        proc_exit(status) {
            if (status === OUT_OF_MEMORY) throw new EngineEnded('memory', 'the game asks for more memory than there is');
            throw new EngineEnded('trap', `the engine ended with status ${status}`);
        },
    };
}

const LINE_BYTES_MAX = 1024 * 1024;

// module: a WebAssembly.Module. Once `answer` has thrown, the engine cannot be used again.
export function openEngine(module) {
    let memory;
    const instance = new WebAssembly.Instance(module, {wasi_snapshot_preview1: system(() => memory)});
    const {_initialize, browser_open, browser_room, browser_answer, browser_free} = instance.exports;
    memory = instance.exports.memory;
    _initialize();
    const engine = browser_open();
    const encoder = new TextEncoder();
    const decoder = new TextDecoder();

    // Of a line that is too long only the length is looked at.
    function hand(bytes) {
        const whole = bytes.length <= LINE_BYTES_MAX;
        const at = browser_room(whole ? bytes.length : 1);
        if (whole) new Uint8Array(memory.buffer, at, bytes.length).set(bytes);
        return at;
    }

    function take(at) {
        if (at === 0) return null;
        const bytes = new Uint8Array(memory.buffer);
        const text = decoder.decode(bytes.subarray(at, bytes.indexOf(0, at)));
        browser_free(at);
        return text;
    }

    // The answer to a line, or null: an empty one has none.
    function answer(line) {
        const bytes = typeof line === 'string' ? encoder.encode(line) : line;
        try {
            return take(browser_answer(engine, hand(bytes), bytes.length));
        } catch (error) {
            if (error instanceof EngineEnded) throw error;
            throw new EngineEnded('trap', `the engine failed: ${error.message}`);
        }
    }

    return {answer, bytes: () => memory.buffer.byteLength};
}
