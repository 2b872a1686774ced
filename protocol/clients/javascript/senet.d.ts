/* Types of senet.js. What frames hold in full: protocol/README.md, and protocol/schema as JSON Schema. */

export interface Frame {
    type: string;
    [member: string]: unknown;
}

export type Move = { from?: string; to: string; choice?: string } | { pass: true };

export interface State {
    cells: Record<string, { figure: string; player: string; moves_made: number; last_move: number }>;
    seats: Record<string, { as: "human" | "bot"; name: string; player: string; clock?: { left_ms: number; periods: number } }>;
    state: string;
    status: "waiting" | "playing" | "finished";
    to_move?: string;
    ply: number;
    move_number: number;
    last_move?: Move;
    result?: { winner?: string; loser?: string; draw?: true; aborted?: true; reason: string; ranks?: string[] };
    [member: string]: unknown;
}

export type Status =
    | { is: "connecting" | "online" | "offline" | "replaced" | "gone" | "refused" | "closed" }
    | { is: "waiting"; until: number };

export interface TokenStorage {
    getItem(key: string): string | null;
    setItem(key: string, value: string): unknown;
    removeItem?(key: string): unknown;
    isGiven?: boolean;
}

export interface Handlers {
    onWelcome(): void | Promise<unknown>;
    onFrame(frame: Frame): void;
    onStatus(status: Status): void;
    onTrouble?(code: string | null): void;
}

export type WebSocketConstructor = new (url: string, subprotocol: string) => WebSocket;

export declare const CLOSE: Readonly<Record<"LOST" | "RESTART" | "OVERLOADED" | "BAD_TOKEN" | "ROOM_GONE" | "RATE_LIMITED" | "REPLACED", number>>;

export declare class ProtocolError extends Error {
    constructor(frame: { code: string; message?: string });
    code: string;
    frame: Frame;
}

export declare class Connection {
    constructor(url: string, storage: TokenStorage, handlers?: Handlers | null, options?: { WebSocket?: WebSocketConstructor; random?: () => number; legalMoves?: boolean });
    player: string;
    limits: Record<string, number>;
    status: Status;
    readonly token: string | null;
    open(): void;
    attend(handlers: Handlers): void;
    suspect(): void;
    playsIn(replica: Replica | null): void;
    hurry(): void;
    askAhead(command: Frame): void;
    request(command: Frame, options?: { once?: boolean; id?: string; heard?: (answer: Frame) => void }): Promise<Frame>;
    close(): void;
}

export declare class Replica {
    constructor(room: string);
    room: string;
    version: number;
    state: State | null;
    hash: string;
    layout: Frame | null;
    game: { id: string; title: string; description: string } | null;
    visibility: "public" | "private";
    legalMoves: Move[];
    legalMovesCount: number;
    mayAbort: boolean;
    rematchClock: Frame | "none" | null;
    rated: "bullet" | "blitz" | "rapid" | "classical" | "correspondence" | null;
    moves: { seat: string; move: Move; version: number }[];
    chat: { at: number; player: string; name: string; text: string; seat?: string; version: number }[];
    presence: { spectators: number; connected: string[]; absent: Record<string, number>; at: number };
    lost: boolean;
    readonly plies: number;
    readonly players: string[];
    readonly freeSeats: string[];
    seatsOf(player: string): string[];
    apply(frame: Frame): "snapshot" | "event" | "presence" | "lost" | "ignored";
    resumed(answer: Frame, asked: number): boolean;
}

export declare function catchUp(
    connection: Connection,
    replica: Replica,
    options?: { type?: "resume" | "sync"; onSetBack?: () => void },
): Promise<void>;

export interface ClientOptions {
    token?: string;
    name?: string;
    as?: "human" | "bot";
    WebSocket?: WebSocketConstructor;
    random?: () => number;
    /** False: for a program with rules of its own; the server sends no legal moves. */
    legalMoves?: boolean;
    onState?(frame: Frame, client: Client): void;
    onFrame?(frame: Frame): void;
    onStatus?(status: Status): void;
    onTrouble?(code: string | null): void;
    onRefused?(error: ProtocolError): void;
}

export declare class Client {
    constructor(address: string, options?: ClientOptions);
    readonly connection: Connection;
    readonly replica: Replica | null;
    readonly state: State | null;
    readonly legalMoves: Move[];
    readonly mustMove: boolean;
    request(command: Frame, options?: { once?: boolean; id?: string; heard?: (answer: Frame) => void }): Promise<Frame>;
    join(room: string, options?: { seat?: string; name?: string; as?: "human" | "bot" }): Promise<Frame>;
    leave(): Promise<Frame>;
    move(move: Move): Promise<Frame>;
    action(kind: string, members?: Record<string, unknown>): Promise<Frame>;
    chat(text: string): Promise<Frame>;
    close(): void;
}

export declare function reconnectDelay(attempt: number, random?: () => number): number;
export declare function socketUrl(address: string | undefined, home: string): string;
export declare function applyPatch(target: unknown, patch: unknown): unknown;
export declare function hashState(state: object): string;
export declare function canonicalText(value: unknown): string;
export declare function fnv1a(text: string): number;
