// The Worker: one engine, fed line by line by engine.js. It is ended from outside when it takes too long.
import {openEngine} from './lines.js';

let engine = null;

self.addEventListener('message', ({data}) => {
    try {
        if (data.module) {
            engine = openEngine(data.module);
            self.postMessage({ready: true});
        } else {
            self.postMessage({answer: engine.answer(data.line)});
        }
    } catch (error) {
        self.postMessage({failed: error.reason ?? 'trap', message: error.message});
    }
});
