/* senet.v1 for JavaScript, in browsers and Node, of nothing but this file (protocol/README.md is the text it follows):
 *     Connection   one socket at a time, authenticated, kept open, and every command answered
 *     Replica      a copy of one room: snapshots and events in, and what became of it out
 *     catchUp      brings the one to where the other says: resume, sync
 *     Client       these three put together, for bots: a player in one room at a time
 * The page (server/web) is made of the first three. No DOM, no rules of any game. Types: senet.d.ts. */

const TOKEN_KEY = "senet.token";
const SUBPROTOCOL = "senet.v1";
const HEARTBEAT_MS = 15_000; /* until the server says its own */
const PLAYER_HEARTBEAT_MS = 3_000; /* the same for who plays, and of another server than ours, which may hang */
const SUSPECTED_MS = 3_000; /* to answer, after the device has said that there is no network */
const DELAY_FIRST_MS = 500;
const DELAY_MAX_MS = 30_000;
const PENDING_MAX = 256; /* commands without an answer */
const FRAME_LENGTH_MAX = 4 * 1024 * 1024;
const FRAME_DEPTH_MAX = 64;
const OPEN = 1; /* WebSocket.OPEN, and what comes before it is smaller */
const RETRIES_MAX = { rate_limited: 5, unavailable: 30, moved: 30 };
const HOPS_SLOW = 5; /* from one server to another, before they are taken for a dispute and given time */

export const CLOSE = {
    LOST: 1006, /* of no frame: the network is gone, or what came was not the protocol */
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
    url.protocol = /^(https|wss):$/.test(url.protocol) ? "wss:" : "ws:";
    return home.startsWith("wss:") && url.protocol === "ws:" ? home : url.href;
}

/* `request` gives a promise that outlives sockets: what was not acknowledged is sent again, under the same id, on the next one, and
 * the server takes a command it knows already for the same command. Commands that only make sense on the socket they were made for
 * (`resume`, subscriptions) are `once`: when the socket goes they fail with "disconnected" and the owner makes new ones in `onWelcome`.
 * If that gives a promise, all others wait for it: a move is of no use to a server that does not know yet that we are in the room. */
export class Connection {
    #home; /* the server we began with */
    #url; /* the one that has the room: another one, where several share a database */
    #hops = 0;
    #storage;
    #handlers;
    #WebSocket;
    #random;
    #legalMoves;
    #socket = null;
    #attempt = 0;
    #timer = 0;
    #heartbeat = 0;
    #silentMs = { calm: HEARTBEAT_MS, player: PLAYER_HEARTBEAT_MS }; /* for so long a server may be */
    #plays = false;
    #heardAt = 0;
    #pingedAt = 0; /* 0: since we have heard something we have not asked */
    #stage = "closed"; /* of the socket: "opened", "greeted", "welcomed", "ready" (everything may be sent) */
    #prefix = Math.random().toString(36).slice(2, 10); /* ids are the player's, who may come again with the same token */
    #count = 0;
    #pending = new Map();
    #troubled = false; /* a command was put off; until another one goes through */
    #unheard = []; /* what came before there was anybody to hear it: `welcome`, and what was asked ahead */
    #ahead = null; /* {command, id: once it is sent on this socket} */

    /* handlers: onWelcome(), onFrame(frame), onTrouble(code), onStatus(status); or none yet (see `attend`). `code`: why commands wait, or null when
     * they wait no longer. `status.is`: "connecting", "online", "offline", "waiting" (with `until`, milliseconds since 1970), "replaced", "gone",
     * "refused" (a token that was given is not known). `storage` keeps the token, as localStorage does. `WebSocket`: where the platform has none
     * of its own. `legalMoves: false`: for who has rules, and is to be sent none. */
    constructor(url, storage, handlers = null, { WebSocket, random = Math.random, legalMoves = true } = {}) {
        this.#home = this.#url = url;
        this.#storage = storage;
        this.#handlers = handlers;
        this.#WebSocket = WebSocket;
        this.#random = random;
        this.#legalMoves = legalMoves;
        this.player = "";
        this.limits = {};
        this.status = { is: "connecting" };
    }

    open() {
        clearTimeout(this.#timer);
        this.#abandon();
        this.#setStatus({ is: "connecting" });
        const socket = new (this.#WebSocket ?? globalThis.WebSocket)(this.#url, SUBPROTOCOL);
        this.#socket = socket;
        this.#stage = "opened";
        this.#watch(this.#url === this.#home ? undefined : PLAYER_HEARTBEAT_MS);
        socket.addEventListener("message", (event) => this.#socket === socket && this.#receive(event.data));
        socket.addEventListener("close", (event) => this.#socket === socket && this.#closed(event.code));
        socket.addEventListener("error", () => {}); /* `close` follows */
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
        if (!["online", "connecting"].includes(this.status.is)) return;
        if (this.status.is === "online") this.#send({ type: "ping", id: `${this.#prefix}.p${++this.#count}` }); /* else it owes us an answer */
        this.#setStatus({ is: "offline" });
        const socket = this.#socket;
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => this.#socket === socket && this.#closed(CLOSE.LOST), SUSPECTED_MS);
    }

    /* Now rather than when the delay is over: the network is back, or somebody is looking. */
    hurry() {
        if (this.status.is === "offline") this.#closed(CLOSE.LOST); /* what was there before is of no use any more */
        if (this.status.is === "waiting") this.open();
    }

    /* After each frame of a room: who holds a seat in it while it is played leaves a server that stands still sooner. `replica`: or null. */
    playsIn(replica) {
        const plays = replica?.state?.status === "playing" && replica.seatsOf(this.player).length > 0;
        if (plays === this.#plays) return;
        this.#plays = plays;
        this.#watch();
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

    /* `once`: not to be sent again on another socket. `id`: of a command that an earlier page may have sent already. `heard` is
     * told the answer before what follows it is heard; the promise's owner is told after. */
    request(command, { once = false, id = this.#nextId(), heard = () => {} } = {}) {
        return new Promise((resolve, reject) => {
            if (this.#pending.size >= PENDING_MAX) throw new ProtocolError({ code: "too_many", message: "too many commands wait for their answers" });
            const asked = once && this.#takeAhead(command);
            const key = asked || id;
            this.#pending.set(key, { frame: { ...command, id: key }, once, heard, retries: 0, resolve, reject, sentOn: asked ? this.#socket : null });
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
        this.#pingedAt = 0;
        if (this.status.is === "offline") this.#trustAgain();
        const frame = readFrame(text);
        if (!frame) this.#closed(CLOSE.LOST);
        else if (frame.type === "hello") this.#authenticate(frame);
        else if (this.#handlers) this.#hear(frame);
        else if (this.#unheard.push(frame) && frame.type === "welcome") this.#sendAhead();
    }

    #hear(frame) {
        if (frame.type === "welcome") this.#welcome(frame);
        else if (frame.re === undefined) this.#handlers.onFrame(frame);
        else if (this.#pending.has(frame.re)) this.#answer(frame);
        /* Else it was answered on an earlier socket. */
    }

    #trustAgain() {
        clearTimeout(this.#timer);
        this.#setStatus({ is: ["opened", "greeted"].includes(this.#stage) ? "connecting" : "online" });
    }

    #authenticate(hello) {
        if (this.#stage !== "opened") return;
        if (hello.protocol !== SUBPROTOCOL) return void this.#closed(CLOSE.LOST);
        this.#stage = "greeted";
        this.limits = hello.limits ?? {};
        const { heartbeat_ms: calm = HEARTBEAT_MS, player_heartbeat_ms: player = calm } = hello;
        this.#silentMs = { calm, player };
        this.#watch();
        const token = this.#storage.getItem(TOKEN_KEY);
        this.#send({ type: "auth", id: `${this.#prefix}.auth`, ...(token ? { token } : {}), ...(this.#legalMoves ? {} : { legal_moves: false }) });
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
        request.heard(frame);
        if (this.#troubled && !frame.retry && (frame.type === "ack" || request.retries > 0)) this.#setTrouble(null);
        if (frame.type === "error") return request.reject(new ProtocolError(frame));
        if (frame.type !== "ack") this.#handlers.onFrame(frame);
        return request.resolve(frame);
    }

    #retryLater(frame, request) {
        request.retries++;
        this.#setTrouble(frame.code);
        setTimeout(() => this.#transmit(frame.re), (frame.retry_ms ?? 500) * (1 + this.#random()));
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
        if (this.#socket?.readyState === OPEN) this.#socket.send(JSON.stringify(frame));
    }

    /* A dead network does not say so: silence is asked after once, and then taken for an end. */
    #watch(silentMs = this.#plays ? this.#silentMs.player : this.#silentMs.calm) {
        clearInterval(this.#heartbeat);
        this.#heardAt = Date.now();
        this.#pingedAt = 0;
        this.#heartbeat = setInterval(() => {
            if (Date.now() - (this.#pingedAt || this.#heardAt) < silentMs) return;
            if (this.#pingedAt) return void this.#closed(CLOSE.LOST);
            this.#pingedAt = Date.now();
            this.#send({ type: "ping", id: `${this.#prefix}.p${++this.#count}` });
        }, silentMs / 3);
    }

    #closed(code, extraDelay = 0) {
        if (this.#stage === "opened") this.#url = this.#home; /* nobody is there */
        this.#abandon();
        this.#failOnce();
        if (code === CLOSE.REPLACED) return this.#setStatus({ is: "replaced" });
        if (code === CLOSE.ROOM_GONE) return this.#setStatus({ is: "gone" });
        if (code === CLOSE.BAD_TOKEN && this.#storage.isGiven) return this.#setStatus({ is: "refused" });
        if (code === CLOSE.BAD_TOKEN) this.#storage.removeItem(TOKEN_KEY);
        const delay = this.#delayAfter(code) + extraDelay;
        this.#timer = setTimeout(() => this.open(), delay);
        return this.#setStatus({ is: "waiting", until: Date.now() + delay });
    }

    #delayAfter(code) {
        const delay = reconnectDelay(this.#attempt++, this.#random);
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
        if (socket && socket.readyState <= OPEN) socket.close();
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

/* --- a copy of a room ------------------------------------------------------------------------------------------------ */

const MOVE_MEMBERS = ["seat", "move", "version"];

/* Frames of the server go in; the answer says what became of the copy. It is never guessed at: an event that does not
 * follow the version held, or whose hash differs from our own, makes the copy `lost`, and nothing but a snapshot
 * mends it. */
export class Replica {
    constructor(room) {
        this.room = room;
        this.version = 0; /* 0: nothing has arrived yet */
        this.state = null;
        this.hash = "";
        this.layout = null;
        this.game = null;
        this.visibility = "public";
        this.legalMoves = []; /* as many as have been said, */
        this.legalMovesCount = 0; /* of so many */
        this.mayAbort = false; /* the game may be ended as if it had not been played */
        this.toBegin = false; /* no clock runs: whoever is to move has not begun */
        this.attacked = []; /* cells of figures in check */
        this.counters = {}; /* by name, by player */
        this.scores = {}; /* by player */
        this.hands = null; /* by player, by figure how many; null: the game has no hands */
        this.moves = []; /* the last ones, */
        this.stand = 0; /* so many plies are as they were before the last event or snapshot */
        this.movesFrom = 0; /* behind so many plies: the room's others are asked for when they are looked at */
        this.chat = [];
        this.voices = "everybody"; /* whose words the players want, */
        this.muted = []; /* but for these players' (ids) */
        this.presence = { spectators: 0, connected: [], absent: {}, at: 0 }; /* absent: ms from then on (performance.now()) till there is a claim */
        this.rematchClock = null; /* which one the rematch that is offered would have, or "none"; null: the same */
        this.rated = null; /* at which speed, of a rated game */
        this.clock = null; /* how much time players have, where the game has clocks; */
        this.turnBegan = 0; /*   the turn under way began then, or its last move was made, by this page's clock */
        this.lost = false;
    }

    /* How many moves have been made. */
    get plies() {
        return this.movesFrom + this.moves.length;
    }

    get players() {
        return this.layout ? this.layout.players : [];
    }

    /* The seats that `player` (an id) holds, in the game's order. */
    seatsOf(player) {
        return this.players.filter((seat) => this.state.seats?.[seat]?.player === player);
    }

    get freeSeats() {
        return this.players.filter((seat) => !this.state.seats?.[seat]);
    }

    /* Returns "snapshot", "event", "presence", "lost" (ask for `sync`) or "ignored". */
    apply(frame) {
        if (frame.room !== this.room) return "ignored";
        if (frame.type === "snapshot") return this.#takeSnapshot(frame);
        if (frame.type === "event") return this.#takeEvent(frame);
        if (frame.type !== "presence") return "ignored";
        this.presence = { spectators: frame.spectators, connected: frame.connected, absent: frame.absent ?? {}, at: performance.now() };
        if (frame.turn_ms !== undefined) this.turnBegan = performance.now() - frame.turn_ms;
        return "presence";
    }

    /* The moves right before those held, as `history` tells them. */
    takeEarlier(moves) {
        if (moves.length === 0 || moves.at(-1).ply !== this.movesFrom) return;
        this.moves = [...moves.map((move) => pick(move, MOVE_MEMBERS)), ...this.moves];
        this.movesFrom -= moves.length;
    }

    /* More legal moves of the position after `version`, those behind the first `skip`. */
    takeLegalMoves({ version, skip, moves }) {
        if (version !== this.version || skip !== this.legalMoves.length) return;
        this.legalMoves = [...this.legalMoves, ...moves];
    }

    /* The answer to `resume` from version `asked` on. A server that knows less than that was set back: what it says is
     * what is. Returns whether it was. */
    resumed({ mode, version }, asked) {
        const setBack = mode === "snapshot" && version < asked;
        if (setBack) this.lost = true;
        return setBack;
    }

    #takeSnapshot(frame) {
        if (!this.lost && frame.version < this.version) return "ignored";
        this.version = frame.version;
        this.state = frame.state;
        this.hash = hashState(frame.state);
        this.layout = frame.layout ?? this.layout;
        this.game = frame.game ?? this.game;
        this.visibility = frame.visibility ?? this.visibility;
        this.clock = frame.clock ?? this.clock;
        this.rematchClock = frame.rematch_clock ?? null;
        this.rated = frame.rated ?? this.rated;
        this.turnBegan = performance.now() - (frame.turn_ms ?? 0);
        this.#takeOffered(frame);
        this.#takeRemarks(frame);
        this.#takeMoves(frame);
        this.chat = frame.chat ?? this.chat;
        this.voices = frame.voices ?? "everybody";
        this.muted = frame.muted ?? [];
        this.lost = false;
        return "snapshot";
    }

    #takeOffered(frame) {
        this.mayAbort = frame.may_abort === true;
        this.toBegin = frame.to_begin === true;
        this.legalMoves = frame.legal_moves ?? [];
        this.legalMovesCount = frame.legal_moves_count ?? this.legalMoves.length;
    }

    /* Of the position after the last move. */
    #takeRemarks({ attacked, counters, scores, hands }) {
        this.attacked = attacked ?? [];
        this.counters = counters ?? {};
        this.scores = scores ?? {};
        this.hands = hands ?? null;
    }

    /* A snapshot has the last moves; what was there before them is held already, or not. */
    #takeMoves({ moves, plies }) {
        if (!moves) return;
        const from = (plies ?? moves.length) - moves.length;
        this.stand = this.#standing(moves, from);
        const known = !this.lost && this.movesFrom < from && from <= this.plies;
        const before = known ? this.moves.slice(0, from - this.movesFrom) : [];
        this.moves = [...before, ...moves];
        this.movesFrom = from - before.length;
    }

    /* Each move was made by an event of its own: one that was played anew has another version. */
    #standing(moves, from) {
        const end = Math.min(this.plies, from + moves.length);
        for (let ply = Math.max(from, this.movesFrom); ply < end; ply++)
            if (moves[ply - from].version !== this.moves[ply - this.movesFrom].version) return ply;
        return end;
    }

    #takeEvent(frame) {
        if (this.lost || frame.version <= this.version) return "ignored";
        if (!this.state || frame.version !== this.version + 1) return this.#lose();
        const state = applyPatch(this.state, frame.patch ?? {});
        const hash = hashState(state);
        if (hash !== frame.hash) return this.#lose();
        this.version = frame.version;
        this.state = state;
        this.hash = hash;
        this.#takeOffered(frame);
        if (frame.kind === "moved" || frame.kind === "taken_back") this.#takeRemarks(frame);
        if (frame.kind === "moved") this.moves = [...this.moves, pick(frame, MOVE_MEMBERS)];
        if (frame.kind === "taken_back") this.#cutMoves(frame.ply);
        if (frame.patch?.status || ["moved", "taken_back"].includes(frame.kind)) this.turnBegan = performance.now();
        if (frame.kind === "chat") this.chat = [...this.chat, pick(frame, ["at", "name", "player", "text", "seat", "version"])];
        if (frame.kind === "rematch_offered") this.rematchClock = frame.clock ?? null;
        this.#takeRules(frame);
        return "event";
    }

    /* After so many plies comes nothing any more. */
    #cutMoves(ply) {
        this.stand = ply;
        this.moves = this.moves.slice(0, Math.max(0, ply - this.movesFrom));
        this.movesFrom = Math.min(this.movesFrom, ply);
    }

    #takeRules({ kind, voices, player }) {
        if (kind === "chat_allowed") this.voices = voices;
        if (kind === "muted" || kind === "unmuted") this.muted = this.muted.filter((other) => other !== player);
        if (kind === "muted") this.muted = [...this.muted, player];
    }

    #lose() {
        this.lost = true;
        return "lost";
    }
}

function pick(object, names) {
    return Object.fromEntries(names.filter((name) => name in object).map((name) => [name, object[name]]));
}

/* The copy is brought to where the server is: `resume` on a new socket, `sync` when it is lost. Both belong to their socket. */
export async function catchUp(connection, replica, { type = "resume", onSetBack = () => {} } = {}) {
    const { room, version, lost, layout } = replica;
    const asked = lost ? 0 : version;
    const answer = await connection.request({ type, room, ...(type === "resume" && { version: asked }) }, { once: true });
    const setBack = replica.resumed(answer, asked);
    if (setBack) onSetBack();
    if (setBack || (answer.mode === "events" && !layout)) await catchUp(connection, replica, { type: "sync" });
}

/* --- a player -------------------------------------------------------------------------------------------------- */

/* For bots: who plays in one room at a time. `address`: of the server, `http(s)://…`. Options: `token` (else one is minted),
 * `name`, `as`, `WebSocket`, `legalMoves` (false: the server sends none); `onState(frame, client)` after each event and snapshot, `onFrame(frame)` for what is about no room,
 * `onStatus(status)` as of a Connection, `onRefused(error)`. */
export class Client {
    #options;

    constructor(address, options = {}) {
        const { token, WebSocket, random, legalMoves, onStatus = () => {}, onTrouble } = options;
        this.#options = { name: undefined, as: "bot", onState: () => {}, onFrame: () => {}, onRefused: () => {}, ...options };
        this.replica = null;
        const url = socketUrl(address, "ws:");
        const handlers = { onWelcome: () => this.replica && this.#catchUp(), onFrame: (frame) => this.#hear(frame), onStatus, onTrouble };
        this.connection = new Connection(url, tokenInMemory(token), handlers, { WebSocket, random, legalMoves });
        this.connection.open();
    }

    get state() {
        return this.replica?.state ?? null;
    }

    get legalMoves() {
        return this.replica && !this.replica.lost ? this.replica.legalMoves : [];
    }

    get mustMove() {
        return this.state?.status === "playing" && this.state.seats[this.state.to_move]?.player === this.connection.player;
    }

    /* Any command; resolves with its answer, rejects with a ProtocolError. */
    request(command, options) {
        const answer = this.connection.request(command, options);
        answer.catch((error) => this.#options.onRefused(error));
        return answer;
    }

    join(room, { seat = "any", name = this.#options.name, as = this.#options.as } = {}) {
        const heard = ({ type, room: joined }) => type === "ack" && this.replica?.room !== joined && (this.replica = new Replica(joined));
        return this.request({ type: "join", room, seat, as, ...(name !== undefined && { name }) }, { heard });
    }

    leave() {
        const { room } = this.replica;
        return this.#say({ type: "leave" }, { heard: ({ type }) => type === "ack" && this.replica?.room === room && (this.replica = null) });
    }

    move(move) {
        return this.#say({ type: "move", move, version: this.replica.version });
    }

    action(kind, members = {}) {
        return this.#say({ type: "action", kind, ...members });
    }

    chat(text) {
        return this.#say({ type: "chat", text });
    }

    close() {
        this.connection.close();
    }

    #say(command, options) {
        return this.request({ ...command, room: this.replica.room }, options);
    }

    async #catchUp(type = "resume") {
        const { replica } = this;
        try {
            await catchUp(this.connection, replica, { type });
        } catch (error) {
            if (error.code === "disconnected") return;
            if (this.replica === replica) this.replica = null; /* it is gone, or not ours to see */
            this.#options.onRefused(error);
        }
    }

    #hear(frame) {
        const outcome = this.replica?.apply(frame) ?? "ignored";
        this.connection.playsIn(this.replica);
        if (outcome === "lost") return void this.#catchUp("sync");
        return void (["event", "snapshot"].includes(outcome) ? this.#options.onState(frame, this) : this.#options.onFrame(frame));
    }
}

/* As much of a localStorage as a Connection asks for. A token that was given is not replaced by another one. */
const tokenInMemory = (token = null) => ({
    isGiven: token !== null,
    getItem: () => token,
    setItem: (_key, minted) => (token = minted),
    removeItem: () => (token = null),
});

/* --- the state ------------------------------------------------------------------------------------------------------- */

/* RFC 7396. Returns the patched value; `target` is left as it was, and shares with the result what did not change. */
export function applyPatch(target, patch) {
    if (!isObject(patch)) return patch;
    const result = isObject(target) ? { ...target } : {};
    for (const [name, value] of Object.entries(patch)) {
        if (value === null) delete result[name];
        else define(result, name, applyPatch(Object.hasOwn(result, name) ? result[name] : undefined, value));
    }
    return result;
}

/* Eight hexadecimal digits: the sum modulo 2^32 of the FNV-1a of one line per part of the state. */
export function hashState(state) {
    let sum = 0;
    for (const line of stateLines(state)) sum = (sum + fnv1a(line)) >>> 0;
    return sum.toString(16).padStart(8, "0");
}

/* JSON without spaces and with sorted keys: the same text on both sides for the same value. */
export function canonicalText(value) {
    if (Array.isArray(value)) return `[${value.map(canonicalText).join(",")}]`;
    if (!isObject(value)) return JSON.stringify(value);
    const members = Object.keys(value).sort().map((name) => `${JSON.stringify(name)}:${canonicalText(value[name])}`);
    return `{${members.join(",")}}`;
}

export function fnv1a(text) {
    let hash = 0x811c9dc5;
    for (const byte of encoder.encode(text)) hash = Math.imul(hash ^ byte, 0x01000193);
    return hash >>> 0;
}

const encoder = /* @__PURE__ */ new TextEncoder();

function* stateLines(state) {
    for (const [member, value] of Object.entries(state)) {
        if (member !== "cells" && member !== "seats") yield `${member}=${canonicalText(value)}`;
        else for (const [name, part] of Object.entries(value)) yield `${member}.${name}=${canonicalText(part)}`;
    }
}

/* A frame as it came; null when it is none that a server says. */
function readFrame(text) {
    if (typeof text !== "string" || text.length > FRAME_LENGTH_MAX) return null;
    try {
        const frame = JSON.parse(text);
        return isObject(frame) && typeof frame.type === "string" && within(frame, FRAME_DEPTH_MAX) ? frame : null;
    } catch {
        return null;
    }
}

function within(value, depth) {
    if (typeof value !== "object" || value === null) return true;
    return depth > 0 && Object.values(value).every((inner) => within(inner, depth - 1));
}

function isObject(value) {
    return typeof value === "object" && value !== null && !Array.isArray(value);
}

/* A member named `__proto__` is a member like any other. */
function define(object, name, value) {
    Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
}
