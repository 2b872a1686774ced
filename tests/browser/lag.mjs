// Everything that a page waits for comes later than it would, by a time of its own up to SENET_LAG milliseconds: answers over HTTP,
// frames of the connection in their order, what the engine in its Worker says. A test that looks before something has come, which
// it gets away with on a quiet machine, fails here.
import {setTimeout as pause} from 'node:timers/promises';

export const LAG_MS = Number(process.env.SENET_LAG ?? 0);

export async function lag(context) {
    if (LAG_MS === 0) return;
    await context.addInitScript(lagInThePage, LAG_MS);
    await context.route('**/*', async route => {
        await pause(Math.random() * LAG_MS);
        await route.fallback().catch(() => {}); // the page has gone meanwhile
    });
}

// Runs in the page, before any code of its own.
function lagInThePage(most) {
    function late(prototype, kinds) {
        const listen = prototype.addEventListener;
        const queues = new WeakMap(); // what has come and is not told yet, and when the last of it is
        prototype.addEventListener = function (kind, listener, ...options) {
            if (!kinds.includes(kind)) return listen.call(this, kind, listener, ...options);
            if (!queues.has(this)) queues.set(this, {told: [], at: 0});
            const queue = queues.get(this);
            return listen.call(this, kind, event => {
                queue.told.push(() => listener.call(this, event));
                queue.at = Math.max(queue.at, performance.now() + Math.random() * most);
                setTimeout(() => queue.told.shift()(), queue.at - performance.now());
            }, ...options);
        };
    }
    late(WebSocket.prototype, ['message', 'close']);
    late(Worker.prototype, ['message']);
}
