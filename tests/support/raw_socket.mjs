// A TCP socket, for what no library of WebSockets would send.
import {createConnection} from 'node:net';
import {randomBytes} from 'node:crypto';

const WITHIN_MS = 60000; // against hanging; nothing is measured by it

export class RawSocket {
    #bytes = Buffer.alloc(0);
    #changed = () => {};
    ended = false;

    // `socket`: one that is connected already, and may speak TLS.
    constructor(port, socket = createConnection(port, '127.0.0.1')) {
        this.socket = socket;
        this.socket.setNoDelay(true);
        this.socket.on('data', data => ((this.#bytes = Buffer.concat([this.#bytes, data])), this.#changed()));
        for (const end of ['end', 'close', 'error']) this.socket.on(end, () => ((this.ended = true), this.#changed()));
    }

    write(bytes) {
        this.socket.write(bytes);
    }

    async #until(fits, words) {
        const deadline = Date.now() + WITHIN_MS;
        while (!fits()) {
            if (this.ended) throw new Error(`the connection ended while waiting for ${words}; came: ${this.#bytes.toString('latin1').slice(0, 300)}`);
            const left = deadline - Date.now();
            if (left <= 0) throw new Error(`${words} did not come in time; came: ${this.#bytes.toString('latin1').slice(0, 300)}`);
            await new Promise(resolve => {
                const timer = setTimeout(resolve, left);
                this.#changed = () => (clearTimeout(timer), resolve());
            });
        }
    }

    #take(length) {
        const taken = this.#bytes.subarray(0, length);
        this.#bytes = this.#bytes.subarray(length);
        return taken;
    }

    // {status, headers, body} of the next HTTP answer.
    async answer({head = false} = {}) {
        await this.#until(() => this.#bytes.includes('\r\n\r\n'), 'the head of an answer');
        const [first, ...lines] = this.#take(this.#bytes.indexOf('\r\n\r\n') + 4).toString('latin1').trimEnd().split('\r\n');
        const headers = Object.fromEntries(lines.map(line => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]));
        const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(first)?.[1]);
        const length = head || status === 101 ? 0 : Number(headers['content-length'] ?? 0);
        await this.#until(() => this.#bytes.length >= length, 'the body of an answer');
        return {status, headers, body: this.#take(length).toString()};
    }

    // {opcode, payload} of the next frame of the server's, which are never masked.
    async frame() {
        await this.#until(() => this.#bytes.length >= 2, 'a frame');
        const first = this.#bytes[1];
        const extra = first === 126 ? 2 : first === 127 ? 8 : 0;
        await this.#until(() => this.#bytes.length >= 2 + extra, 'a frame');
        const length = extra === 2 ? this.#bytes.readUInt16BE(2) : extra === 8 ? Number(this.#bytes.readBigUInt64BE(2)) : first;
        await this.#until(() => this.#bytes.length >= 2 + extra + length, 'a frame');
        const head = this.#take(2 + extra);
        return {opcode: head[0] & 15, payload: this.#take(length)};
    }

    // The close code, or 'dropped' when the connection ends without one, or null when the server still answers.
    async fate(ping = 'still there') {
        try {
            for (;;) {
                const {opcode, payload} = await this.frame();
                if (opcode === 8) return payload.length >= 2 ? payload.readUInt16BE(0) : 1005;
                if (opcode === 1 && JSON.parse(payload).re === ping) return null;
            }
        } catch (error) {
            if (this.ended) return 'dropped';
            throw error;
        }
    }

    async untilEnded() {
        const deadline = Date.now() + WITHIN_MS;
        while (!this.ended && Date.now() < deadline) await new Promise(resolve => setTimeout(resolve, 10));
        return this.ended;
    }

    destroy() {
        this.socket.destroy();
    }
}

export function upgradeRequest({path = '/ws', method = 'GET', version = 'HTTP/1.1', headers = {}} = {}) {
    const all = {
        Host: 'localhost', Upgrade: 'websocket', Connection: 'Upgrade', 'Sec-WebSocket-Version': '13',
        'Sec-WebSocket-Key': randomBytes(16).toString('base64'), 'Sec-WebSocket-Protocol': 'senet.v1', ...headers,
    };
    const lines = Object.entries(all).filter(([, value]) => value !== null).map(([name, value]) => `${name}: ${value}\r\n`);
    return `${method} ${path} ${version}\r\n${lines.join('')}\r\n`;
}

// `length`: what is declared, where that is not the payload's.
export function frameOf(payload, {opcode = 1, fin = true, reserved = 0, masked = true, length} = {}) {
    const bytes = Buffer.from(payload);
    const declared = length ?? bytes.length;
    const extra = declared > 65535 ? Buffer.alloc(8) : declared > 125 ? Buffer.alloc(2) : Buffer.alloc(0);
    if (extra.length === 8) extra.writeBigUInt64BE(BigInt(declared));
    if (extra.length === 2) extra.writeUInt16BE(declared);
    const short = extra.length === 8 ? 127 : extra.length === 2 ? 126 : declared;
    const head = Buffer.from([(fin ? 0x80 : 0) | (reserved << 4) | opcode, (masked ? 0x80 : 0) | short]);
    if (!masked) return Buffer.concat([head, extra, bytes]);
    const mask = randomBytes(4);
    return Buffer.concat([head, extra, mask, bytes.map((byte, index) => byte ^ mask[index % 4])]);
}

// An open WebSocket on which `hello` has come.
export async function openRaw(port) {
    const raw = new RawSocket(port);
    raw.write(upgradeRequest());
    const {status} = await raw.answer();
    if (status !== 101) throw new Error(`the handshake was answered by ${status}`);
    await raw.frame();
    return raw;
}
