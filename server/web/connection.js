/* The page's half of the conversation: one socket at a time, authenticated, kept open, and every command answered.
 *
 * `request` gives a promise that outlives sockets: what was not acknowledged is sent again, under the same id, on the
 * next one, and the server takes a command it knows already for the same command. Commands that only make sense on
 * the socket they were made for (`resume`, subscriptions) are `once`: when the socket goes they fail with
 * "disconnected" and the owner makes new ones in `onWelcome`. If that gives a promise, all others wait for it: a move is
 * of no use to a server that does not know yet that we are in the room.
 *
 * Knows the protocol's envelope and its close codes; nothing of rooms and nothing of the DOM. */

const TOKEN_KEY = "senet.token";
const SUBPROTOCOL = "senet.v1";
const HEARTBEAT_MS = 15_000; /* until the server says its own */
const AWAY_MS = 3_000; /* the same of another server: it may hang, and ours take the room over */
const SUSPECTED_MS = 3_000; /* to answer, after the device has said that there is no network */
const DELAY_FIRST_MS = 500;
const DELAY_MAX_MS = 30_000;
const RETRIES_MAX = { rate_limited: 5, unavailable: 30, moved: 30 };
const HOPS_SLOW = 5; /* from one server to another, before they are taken for a dispute and given time */

export const CLOSE = {
    RESTART: 1012,
    OVERLOADED: 1013,
    BAD_TOKEN: 4001,
    ROOM_GONE: 4004,
    RATE_LIMITED: 4008,
    REPLACED: 4009,
};

export class ProtocolError extends Error {
    constructor(frame) {
        super(frame.message || frame.code);
        this.name = "ProtocolError";
        this.code = frame.code;
        this.frame = frame;
    }
}

/* Full jitter: anything between nothing and the bound, which doubles; the first within half a second. */
export function reconnectDelay(attempt, random = Math.random) {
    return Math.round(random() * Math.min(DELAY_MAX_MS, DELAY_FIRST_MS * 2 ** attempt));
}

/* Where a server's own address (`http(s)://…`) is spoken to; `home` where it gives none, or one that a page which came
 * over TLS may not speak to. */
export function socketUrl(address, home) {
    if (!address) return home;
    const url = new URL("/ws", address);
    url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
    return home.startsWith("wss:") && url.protocol === "ws:" ? home : url.href;
}

export class Connection {
    #home; /* the server that the page is from */
    #url; /* the one that has the room: another one, where several share a database */
    #hops = 0;
    #storage;
    #handlers;
    #socket = null;
    #attempt = 0;
    #timer = 0;
    #heartbeat = 0;
    #heardAt = 0;
    #pinged = false;
    #stage = "closed"; /* of the socket: "opened", "greeted", "welcomed", "ready" (everything may be sent) */
    #prefix = Math.random().toString(36).slice(2, 10);
    #count = 0;
    #pending = new Map();
    #troubled = false; /* a command was put off; until another one goes through */
    #unheard = []; /* what came before there was anybody to hear it: `welcome`, and what was asked ahead */
    #ahead = null; /* {command, id: once it is sent on this socket} */

    /* handlers: onWelcome(), onFrame(frame), onTrouble(code), onStatus(status); or none yet (see `attend`). `code`: why
     * commands wait, or null when they wait no longer. `status.is` is one of "connecting", "online", "offline",
     * "waiting" (with `until`, milliseconds since 1970), "replaced", "gone". */
    constructor(url, storage, handlers = null) {
        this.#home = url;
        this.#url = url;
        this.#storage = storage;
        this.#handlers = handlers;
        this.player = "";
        this.limits = {};
        this.status = { is: "connecting" };
    }

    open() {
        clearTimeout(this.#timer);
        this.#abandon();
        this.#setStatus({ is: "connecting" });
        const socket = new WebSocket(this.#url, SUBPROTOCOL);
        this.#socket = socket;
        this.#stage = "opened";
        this.#watch(this.#url === this.#home ? HEARTBEAT_MS : AWAY_MS);
        socket.addEventListener("message", (event) => this.#socket === socket && this.#receive(event.data));
        socket.addEventListener("close", (event) => this.#socket === socket && this.#closed(event.code));
    }

    /* For a connection that was opened before those who listen were there: they learn what they missed. */
    attend(handlers) {
        this.#handlers = handlers;
        handlers.onStatus(this.status);
        for (const frame of this.#unheard.splice(0)) this.#hear(frame);
    }

    /* The device says it has no network. That may not be all of the truth (a server on the same machine), so the server is
     * asked at once; where it is silent this is an end like any other. */
    suspect() {
        if (this.status.is !== "online") return;
        this.#setStatus({ is: "offline" });
        this.#send({ type: "ping", id: `${this.#prefix}.p${++this.#count}` });
        const socket = this.#socket;
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => this.#socket === socket && this.#closed(1006), SUSPECTED_MS);
    }

    /* Now rather than when the delay is over: the network is back, or somebody is looking. */
    hurry() {
        if (this.status.is === "waiting") this.open();
        else if (this.status.is === "offline") {
            this.#closed(1006); /* what was there before is of no use any more */
            this.open();
        }
    }

    /* Who we are, for what is asked over HTTP; null before the first `welcome`. */
    get token() {
        return this.#storage.getItem(TOKEN_KEY);
    }

    /* A question that whoever listens will surely ask first, `once`: it is sent as soon as the server knows us, and its answer
     * waits for who asks. */
    askAhead(command) {
        this.#ahead = { command, id: null };
    }

    /* `once`: not to be sent again on another socket. `id`: of a command that an earlier page may have sent already. */
    request(command, { once = false, id = this.#nextId() } = {}) {
        return new Promise((resolve, reject) => {
            const asked = once && this.#takeAhead(command);
            const key = asked || id;
            this.#pending.set(key, { frame: { ...command, id: key }, once, retries: 0, resolve, reject, sentOn: asked ? this.#socket : null });
            if (!asked) this.#transmit(key);
        });
    }

    #nextId() {
        return `${this.#prefix}.${++this.#count}`;
    }

    #sendAhead() {
        if (!this.#ahead || this.#ahead.id) return;
        this.#ahead.id = this.#nextId();
        this.#send({ ...this.#ahead.command, id: this.#ahead.id });
    }

    /* The id under which it was sent already, on this socket; or nothing. */
    #takeAhead(command) {
        const id = this.#ahead?.id && JSON.stringify(this.#ahead.command) === JSON.stringify(command) && this.#ahead.id;
        if (id) this.#ahead = null;
        return id;
    }

    /* For good. */
    close() {
        clearTimeout(this.#timer);
        this.#abandon();
        this.#failOnce();
        this.status = { is: "closed" };
    }

    #receive(text) {
        this.#heardAt = Date.now();
        this.#pinged = false;
        if (this.status.is === "offline") this.#trustAgain();
        const frame = JSON.parse(text);
        if (frame.type === "hello") this.#authenticate(frame);
        else if (this.#handlers) this.#hear(frame);
        else this.#keep(frame);
    }

    #keep(frame) {
        this.#unheard.push(frame);
        if (frame.type === "welcome") this.#sendAhead();
    }

    #hear(frame) {
        if (frame.type === "welcome") this.#welcome(frame);
        else if (frame.re === undefined) this.#handlers.onFrame(frame);
        else if (this.#pending.has(frame.re)) this.#answer(frame);
        /* Else it was answered on an earlier socket. */
    }

    #trustAgain() {
        clearTimeout(this.#timer);
        this.#setStatus({ is: "online" });
    }

    #authenticate(hello) {
        if (this.#stage !== "opened") return;
        this.#stage = "greeted";
        this.limits = hello.limits ?? {};
        this.#watch(hello.heartbeat_ms ?? 15_000);
        const token = this.#storage.getItem(TOKEN_KEY);
        this.#send({ type: "auth", id: `${this.#prefix}.auth`, ...(token ? { token } : {}) });
    }

    #welcome(frame) {
        if (this.#stage !== "greeted") return;
        this.#stage = "welcomed";
        if (frame.token) this.#storage.setItem(TOKEN_KEY, frame.token);
        this.player = frame.player;
        this.#attempt = 0;
        this.#setStatus({ is: "online" });
        const socket = this.#socket;
        const entered = this.#handlers.onWelcome();
        if (entered instanceof Promise) entered.finally(() => this.#socket === socket && this.#sendAll());
        else this.#sendAll();
    }

    /* What was asked on earlier sockets, or meanwhile. */
    #sendAll() {
        this.#stage = "ready";
        for (const [id, request] of this.#pending) if (request.sentOn !== this.#socket) this.#transmit(id);
    }

    /* An answer that is also a frame of its own (a snapshot that answers `sync`) goes both ways. */
    #answer(frame) {
        const request = this.#pending.get(frame.re);
        if (frame.type === "error" && frame.retry && request.retries < (RETRIES_MAX[frame.code] ?? 5))
            return frame.code === "moved" ? this.#follow(frame, request) : this.#retryLater(frame, request);
        this.#pending.delete(frame.re);
        if (frame.type === "ack") this.#hops = 0;
        if (this.#troubled && !frame.retry && (frame.type === "ack" || request.retries > 0)) this.#setTrouble(null);
        if (frame.type === "error") return request.reject(new ProtocolError(frame));
        if (frame.type !== "ack") this.#handlers.onFrame(frame);
        return request.resolve(frame);
    }

    #retryLater(frame, request) {
        request.retries++;
        this.#setTrouble(frame.code);
        setTimeout(() => this.#transmit(frame.re), (frame.retry_ms ?? 500) * (1 + Math.random()));
    }

    /* To the server that has the room, or to whichever answers behind the same address; what waits is sent there. */
    #follow(frame, request) {
        request.retries++;
        this.#url = socketUrl(frame.url, this.#home);
        this.#closed(CLOSE.RESTART, ++this.#hops > HOPS_SLOW ? (frame.retry_ms ?? 1_000) : 0);
    }

    #transmit(id) {
        const request = this.#pending.get(id);
        const may = this.#stage === "ready" || (request?.once && this.#stage === "welcomed");
        if (!request || !may) return;
        request.sentOn = this.#socket;
        this.#send(request.frame);
    }

    #send(frame) {
        if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(frame));
    }

    /* A dead network does not say so: silence is asked after once, and then taken for an end. */
    #watch(heartbeatMs) {
        clearInterval(this.#heartbeat);
        this.#heardAt = Date.now();
        this.#pinged = false;
        this.#heartbeat = setInterval(() => {
            if (Date.now() - this.#heardAt < heartbeatMs) return;
            if (this.#pinged) return void this.#closed(1006);
            this.#pinged = true;
            this.#send({ type: "ping", id: `${this.#prefix}.p${++this.#count}` });
        }, heartbeatMs);
    }

    #closed(code, extraDelay = 0) {
        if (this.#stage === "opened") this.#url = this.#home; /* nobody is there */
        this.#abandon();
        this.#failOnce();
        if (code === CLOSE.REPLACED) return this.#setStatus({ is: "replaced" });
        if (code === CLOSE.ROOM_GONE) return this.#setStatus({ is: "gone" });
        if (code === CLOSE.BAD_TOKEN) this.#storage.removeItem(TOKEN_KEY);
        const delay = this.#delayAfter(code) + extraDelay;
        this.#timer = setTimeout(() => this.open(), delay);
        return this.#setStatus({ is: "waiting", until: Date.now() + delay });
    }

    #delayAfter(code) {
        const delay = reconnectDelay(this.#attempt++);
        if (code === CLOSE.OVERLOADED || code === CLOSE.RATE_LIMITED) return delay + 5_000;
        return code === CLOSE.RESTART ? delay + 300 : delay;
    }

    #failOnce() {
        for (const [id, request] of this.#pending) {
            if (!request.once) continue;
            this.#pending.delete(id);
            request.reject(new ProtocolError({ code: "disconnected" }));
        }
    }

    #abandon() {
        clearInterval(this.#heartbeat);
        const socket = this.#socket;
        this.#socket = null;
        this.#unheard = [];
        if (this.#ahead) this.#ahead.id = null;
        this.#stage = "closed";
        if (socket && socket.readyState <= WebSocket.OPEN) socket.close();
    }

    #setTrouble(code) {
        this.#troubled = code !== null;
        this.#handlers.onTrouble?.(code);
    }

    #setStatus(status) {
        this.status = status;
        this.#handlers?.onStatus(status);
    }
}
