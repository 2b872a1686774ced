// A proxy of TCP that knows WebSocket frames, and does to every frame of the server's what a bad network might: sends it
// twice (the second time perhaps after later ones), holds it and all behind it back, or cuts it in two and the connection
// with it. What clients say passes unchanged, and so does plain HTTP. When it is `calm` everything does.
import {createConnection, createServer} from 'node:net';

const CLOSE = 8;
const HELD_MS_MAX = 25;

// The frames of a stream that comes in pieces; what is before the end of the HTTP head is the first of them.
class Frames {
    #bytes = Buffer.alloc(0);
    #headed = false;

    *take(piece) {
        this.#bytes = this.#bytes.length > 0 ? Buffer.concat([this.#bytes, piece]) : piece;
        for (let length; (length = this.#length()) > 0; ) {
            const frame = this.#bytes.subarray(0, length);
            this.#bytes = this.#bytes.subarray(length);
            yield frame;
        }
    }

    #length() {
        const bytes = this.#bytes;
        if (!this.#headed) {
            const end = bytes.indexOf('\r\n\r\n');
            this.#headed = end >= 0;
            return this.#headed ? end + 4 : 0;
        }
        if (bytes.length < 2) return 0;
        const first = bytes[1] & 127, head = first === 127 ? 10 : first === 126 ? 4 : 2;
        if (bytes.length < head) return 0;
        const length = head + (first === 127 ? Number(bytes.readBigUInt64BE(2)) : first === 126 ? bytes.readUInt16BE(2) : first);
        return bytes.length >= length ? length : 0;
    }
}

class Passage {
    #frames = new Frames();
    #queue = []; // what is held back, in order
    #late = []; // second copies that come after later frames
    #timer = null;
    #head = true;

    constructor(proxy, near, far) {
        Object.assign(this, {proxy, near, far});
        near.on('data', bytes => this.#say(bytes));
        far.on('data', bytes => this.#hear(bytes));
        for (const socket of [near, far]) {
            socket.setNoDelay(true);
            socket.on('error', () => this.end());
            socket.on('close', () => this.end());
        }
    }

    #say(bytes) {
        this.upgraded ??= /upgrade: websocket/i.test(bytes.toString('latin1'));
        this.far.write(bytes);
    }

    #hear(bytes) {
        if (!this.upgraded) return void this.near.write(bytes);
        for (const frame of this.#frames.take(bytes)) {
            if (this.ended) return;
            this.#pass(frame);
        }
    }

    #pass(frame) {
        const plain = this.#head || this.proxy.calm || (frame[0] & 15) === CLOSE;
        this.#head = false;
        const fate = plain ? 'plain' : this.proxy.fate();
        if (fate === 'cut' && this.#queue.length > 0) return this.#queue.push({frame, fate});
        if (fate === 'held' || this.#queue.length > 0) return this.#hold(frame, fate);
        return this.#do(frame, fate);
    }

    #do(frame, fate) {
        if (fate !== 'plain') this.proxy.counts[fate]++;
        if (fate === 'cut') {
            this.near.write(frame.subarray(0, this.proxy.random(frame.length)));
            return this.end();
        }
        this.near.write(frame);
        for (const late of this.#late.splice(0)) this.near.write(late);
        if (fate === 'doubled' && this.proxy.random(3) === 0) this.#late.push(Buffer.from(frame));
        else if (fate === 'doubled') this.near.write(frame);
    }

    #hold(frame, fate) {
        this.#queue.push({frame: Buffer.from(frame), fate});
        this.#timer ??= setTimeout(() => this.#release(), this.proxy.random(HELD_MS_MAX));
    }

    #release() {
        this.#timer = null;
        while (this.#queue.length > 0 && !this.ended) {
            const {frame, fate} = this.#queue.shift();
            this.#do(frame, fate);
        }
    }

    // What was written arrives, as far as a connection that ends lets it.
    end() {
        if (this.ended) return;
        this.ended = true;
        clearTimeout(this.#timer);
        this.proxy.passages.delete(this);
        this.near.destroySoon();
        this.far.destroy();
    }
}

export class Proxy {
    passages = new Set();
    counts = {doubled: 0, held: 0, cut: 0};
    connections = 0;
    calm = false;
    port = 0;

    // `cut`: of how many frames one is cut; of the others one half is sent twice and one half held back.
    constructor(server, {random, cut}) {
        Object.assign(this, {server, random, cut});
        this.listener = createServer(near => this.#accept(near));
    }

    #accept(near) {
        this.connections++;
        this.passages.add(new Passage(this, near, createConnection(this.server.port, '127.0.0.1')));
    }

    fate() {
        if (this.random(this.cut) === 0) return 'cut';
        return this.random(2) === 0 ? 'doubled' : 'held';
    }

    async start() {
        await new Promise(resolve => this.listener.listen(0, '127.0.0.1', resolve));
        this.port = this.listener.address().port;
    }

    stop() {
        this.listener.close();
        for (const passage of [...this.passages]) passage.end();
    }
}
