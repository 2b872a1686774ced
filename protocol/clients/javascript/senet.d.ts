/* Types of senet.js. What each member means: protocol/README.md. What is here is what the program has, and what the JSON Schemas
 * have of frames: tests/protocol/javascript_types.test.mjs says so. Newer servers may say more. */

/* --- what rooms are made of --------------------------------------------------------------------------------------- */

export type Move = { from?: string; to: string; choice?: string } | { pass: true } | { swap: true };

export type Claim = { reason: string } & ({ winner: string } | { loser: string } | { draw: true });
export type Result = { reason: string; ranks?: string[] } & ({ winner: string } | { loser: string } | { draw: true } | { aborted: true });
export type Speed = "bullet" | "blitz" | "rapid" | "classical" | "correspondence";
export type Voices = "everybody" | "players" | "nobody";

export interface Cell {
    figure: string;
    last_move: number;
    moves_made: number;
    player: string;
}

export interface Seat {
    as: "human" | "bot";
    clock?: { left_ms: number; periods: number };
    name: string;
    player: string;
}

export interface State {
    active?: string;
    cells: Record<string, Cell>;
    claim?: Claim;
    draw_offer?: string;
    last_move?: Move;
    move_number: number;
    next_room?: string;
    out?: string[];
    ply: number;
    ranks?: string[];
    rematch_offer?: string;
    result?: Result;
    seats: Record<string, Seat>;
    state: string;
    status: "waiting" | "playing" | "finished";
    takeback_offer?: string;
    taken?: string[];
    to_move?: string;
}

/** How much time a player has. */
export interface Time {
    initial_ms: number;
    increment_ms?: number;
    delay_ms?: number;
    bronstein?: boolean;
    periods?: number;
    period_ms?: number;
}

export interface TimeControl extends Time {
    /** Seats that have another time: all of it. */
    seats?: Record<string, Time>;
}

export interface Game {
    id: string;
    title: string;
    description: string;
    pgn?: true;
}

export interface LayoutCell {
    name: string;
    x: number;
    y: number;
    /** Which one of `shapes`. */
    shape: number;
    fill: string;
    selector: string;
    highlighter: string;
}

/** By player, by figure: paths on the server. */
export type Images = Record<string, Record<string, string>>;

export interface Layout {
    players: string[];
    figures: string[];
    rotation: Record<string, number>;
    shapes: [number, number][][];
    cells: LayoutCell[];
    lines?: [number, number][];
    phases?: Record<string, string>;
    translations?: Record<string, Record<string, string>>;
    start?: Record<string, Record<string, number>>;
    images: Images;
    sets?: { name: string; images: Images }[];
}

export interface MadeMove {
    seat: string;
    move: Move;
    version: number;
}

/** As `history` with `moves` tells it. */
export interface MadePly extends MadeMove {
    ply: number;
    text: string;
}

export interface ChatLine {
    at: number;
    name: string;
    player: string;
    seat?: string;
    text: string;
    version: number;
}

export interface Explanation {
    verdict: "legal" | "game_over" | "not_yours" | "no_movement" | "blocked" | "forbidden" | "priority" | "choice";
    words: string;
    pointers: string[];
}

export interface Diagnostic {
    severity: "error" | "warning";
    pointer: string;
    line: number;
    column: number;
    message: string;
    hint: string;
}

export interface GameSummary {
    id: string;
    title: string;
    description: string;
    players: string[];
    words?: Record<string, string>;
    player_counts?: Record<string, string[]>;
}

export interface LobbyRoom {
    room: string;
    game: string;
    title: string;
    status: "waiting" | "playing" | "finished";
    rated?: Speed;
    players: string[];
    seats: Record<string, string>;
    bots?: string[];
    created_at: number;
}

export interface OwnRoom extends LobbyRoom {
    yours: string[];
    to_move?: string;
}

export interface Seek {
    game: string;
    title: string;
    players: number;
    clock?: TimeControl;
    rated?: Speed;
    rating?: number;
    range?: { min?: number; max?: number; within?: number };
    seat?: string;
    player: string;
    name: string;
    as: "human" | "bot";
    bots?: false;
    since: number;
}

/* --- what is said ------------------------------------------------------------------------------------------------- */

/** What a client says: its `id` comes from the Connection. */
export interface Command<Type extends string = string> {
    type: Type;
    [member: string]: unknown;
}

/** What happened; which members there are depends on `kind`. */
export interface EventBody {
    version: number;
    kind: EventKind;
    at: number;
    as?: "human" | "bot" | "win" | "draw";
    by?: string;
    clock?: TimeControl | "none";
    compensated_ms?: number;
    fork?: { room: string; ply: number };
    game?: string;
    house?: true;
    import?: { room: string };
    lag_ms?: number;
    language?: number;
    move?: Move;
    name?: string;
    next_room?: string;
    player?: string;
    players?: number;
    ply?: number;
    previous_room?: string;
    rated?: true;
    seat?: string;
    seated?: { seat: string; player: string; name: string; as: "human" | "bot"; house?: true }[];
    seats?: string[];
    spent_ms?: number;
    text?: string;
    voices?: Voices;
}

export type EventKind =
    | "created" | "joined" | "left" | "seat_key" | "handed_over" | "moved" | "stopped" | "flagged" | "resigned" | "aborted"
    | "draw_offered" | "draw_declined" | "draw_accepted" | "drawn"
    | "takeback_offered" | "takeback_declined" | "takeback_accepted" | "taken_back"
    | "rematch_offered" | "rematch_declined" | "rematch_accepted" | "rematch"
    | "claimed" | "abandoned" | "chat" | "chat_allowed" | "muted" | "unmuted";

export interface EventFrame extends EventBody {
    type: "event";
    room: string;
    /** RFC 7396, against the state of the version before. */
    patch: Record<string, unknown>;
    hash: string;
    attacked?: string[];
    counters?: Record<string, Record<string, number>>;
    scores?: Record<string, number>;
    hands?: Record<string, Record<string, number>>;
    may_abort?: true;
    to_begin?: true;
    legal_moves?: Move[];
    legal_moves_count?: number;
}

export interface SnapshotFrame {
    type: "snapshot";
    re?: string;
    room: string;
    version: number;
    game: Game;
    seat: string;
    seats: string[];
    visibility: "public" | "private";
    state: State;
    hash: string;
    clock?: TimeControl;
    rematch_clock?: TimeControl | "none";
    rated?: Speed;
    turn_ms?: number;
    attacked?: string[];
    counters?: Record<string, Record<string, number>>;
    scores?: Record<string, number>;
    hands?: Record<string, Record<string, number>>;
    may_abort?: true;
    to_begin?: true;
    layout?: Layout;
    legal_moves?: Move[];
    legal_moves_count?: number;
    chat: ChatLine[];
    chat_count?: number;
    moves: MadeMove[];
    plies?: number;
    voices?: Voices;
    muted?: string[];
}

export interface PresenceFrame {
    type: "presence";
    room: string;
    spectators: number;
    connected: string[];
    absent?: Record<string, number>;
    turn_ms?: number;
}

export interface LobbyFrame {
    type: "lobby";
    re?: string;
    rooms: LobbyRoom[];
    seeks: Seek[];
    /** In the answer to `lobby.subscribe`. */
    mine?: OwnRoom[];
}

export interface AckFrame {
    type: "ack";
    re: string;
    room?: string;
    version?: number;
    mode?: "events" | "snapshot";
}

export interface ErrorFrame {
    type: "error";
    re?: string;
    room?: string;
    code: string;
    message: string;
    retry: boolean;
    retry_ms?: number;
    url?: string;
    version?: number;
    diagnostics?: Diagnostic[];
    explanation?: Explanation;
}

export interface PongFrame {
    type: "pong";
    re: string;
    at: number;
}

export interface SeatKeyFrame {
    type: "seat_key";
    re: string;
    room: string;
    version: number;
    key?: string;
}

export interface LegalMovesFrame {
    type: "legal_moves";
    re: string;
    room: string;
    version: number;
    moves: (Move & { explanation?: Explanation })[];
    explanation?: Explanation;
    skip?: number;
    count?: number;
}

export interface HintFrame {
    type: "hint";
    re: string;
    room: string;
    version: number;
    ply: number;
    lines: { value: number; ends_in?: number; moves: { move: Move; text: string }[] }[];
}

export type HistoryFrame = { type: "history"; re: string; room: string; version: number } & (
    | { from: number; to: number; events: EventBody[] }
    | {
          ply: number;
          state: State;
          hash: string;
          attacked?: string[];
          counters?: Record<string, Record<string, number>>;
          scores?: Record<string, number>;
          hands?: Record<string, Record<string, number>>;
      }
    | { from: number; plies: number; moves: MadePly[] }
);

export type GamesFrame = { type: "games"; re: string } & (
    | { games: GameSummary[] }
    | {
          game: {
              id: string;
              title: string;
              description: string;
              players: string[];
              player_counts?: Record<string, string[]>;
              hash: string;
              definition: Record<string, unknown>;
          };
      }
    | { valid: boolean; diagnostics: Diagnostic[] }
    | {
          guide: {
              layout: Layout;
              figures?: { figure: string; player: string; cell: string; moves: string[]; takes: string[] }[];
              definition?: string;
          };
      }
);

/** What is no answer. */
export type ToldFrame = EventFrame | SnapshotFrame | PresenceFrame | LobbyFrame;

/** What a command may be answered by. */
export type AnswerFrame =
    | AckFrame
    | ErrorFrame
    | GamesFrame
    | HintFrame
    | HistoryFrame
    | LegalMovesFrame
    | LobbyFrame
    | PongFrame
    | SeatKeyFrame
    | SnapshotFrame;

/** Whatever a Connection hands on. */
export type Frame = ToldFrame | AnswerFrame;

/** What commands are answered by, when they are not refused; all others by an `ack`. */
export interface Answers {
    games: GamesFrame;
    hint: HintFrame;
    history: HistoryFrame;
    legal_moves: LegalMovesFrame;
    "lobby.subscribe": LobbyFrame;
    ping: PongFrame;
    seat_key: SeatKeyFrame;
    sync: SnapshotFrame;
}

export type AnswerTo<Type extends string> = string extends Type
    ? Exclude<AnswerFrame, ErrorFrame>
    : Type extends keyof Answers
      ? Answers[Type]
      : AckFrame;

/* --- a connection ------------------------------------------------------------------------------------------------- */

/** Close codes. */
export declare const CLOSE: {
    readonly LOST: 1006;
    readonly RESTART: 1012;
    readonly OVERLOADED: 1013;
    readonly BAD_TOKEN: 4001;
    readonly ROOM_GONE: 4004;
    readonly RATE_LIMITED: 4008;
    readonly REPLACED: 4009;
};

export declare class ProtocolError extends Error {
    constructor(frame: Refusal);
    code: string;
    frame: Refusal;
}

/** An error of the server's, or of the client's own: "disconnected", "too_many". */
export type Refusal = Partial<ErrorFrame> & { code: string };

export type Status =
    | { is: "connecting" | "online" | "offline" | "replaced" | "gone" | "refused" | "closed" }
    | { is: "waiting"; until: number };

/** As much of a localStorage as a Connection asks for. */
export interface TokenStorage {
    getItem(key: string): string | null;
    setItem(key: string, value: string): unknown;
    removeItem(key: string): unknown;
    /** The token was given by somebody: it is not replaced by another one when the server does not know it. */
    isGiven?: boolean;
}

export interface Handlers {
    /** All that is not `once` waits for the promise, where there is one. */
    onWelcome(): any;
    /** All but `ack`, `hello` and `welcome`. */
    onFrame(frame: Frame): void;
    onStatus(status: Status): void;
    /** Why commands wait, or null when they wait no longer. */
    onTrouble?(code: string | null): void;
}

/** As much of a WebSocket as a Connection asks for. */
export interface Socket {
    readonly readyState: number;
    addEventListener(type: "message" | "close" | "error", listener: (event: any) => void): void;
    send(text: string): void;
    close(): void;
}

export type WebSocketConstructor = new (url: string, subprotocol: string) => Socket;

export interface ConnectionOptions {
    /** Where the platform has none of its own. */
    WebSocket?: WebSocketConstructor;
    random?: () => number;
    /** False: for a program with rules of its own; the server sends no legal moves. */
    legalMoves?: boolean;
}

export interface RequestOptions {
    /** Not to be sent again on another socket: it fails with "disconnected" instead. */
    once?: boolean;
    /** Of a command that may have been sent already. */
    id?: string;
    /** Is told the answer, a refusal too, before what follows it is heard. */
    heard?(answer: AnswerFrame): void;
}

export interface Limits {
    message_bytes: number;
    definition_bytes: number;
    name_bytes: number;
    chat_bytes: number;
    rooms: number;
}

export declare class Connection {
    constructor(url: string, storage: TokenStorage, handlers?: Handlers | null, options?: ConnectionOptions);
    /** "" before the first `welcome`. */
    player: string;
    /** Nothing before the first `hello`. */
    limits: Partial<Limits>;
    status: Status;
    /** Null before the first `welcome`. */
    readonly token: string | null;
    open(): void;
    attend(handlers: Handlers): void;
    suspect(): void;
    hurry(): void;
    playsIn(replica: Replica | null): void;
    askAhead(command: Command): void;
    request<Type extends string>(command: Command<Type>, options?: RequestOptions): Promise<AnswerTo<Type>>;
    close(): void;
}

/* --- a copy of a room --------------------------------------------------------------------------------------------- */

export declare class Replica {
    constructor(room: string);
    room: string;
    /** 0: nothing has arrived yet. */
    version: number;
    state: State | null;
    hash: string;
    layout: Layout | null;
    game: Game | null;
    visibility: "public" | "private";
    /** As many as have been said, */
    legalMoves: Move[];
    /** of so many. */
    legalMovesCount: number;
    mayAbort: boolean;
    /** No clock runs: whoever is to move has not begun. */
    toBegin: boolean;
    attacked: string[];
    /** By name, by player. */
    counters: Record<string, Record<string, number>>;
    scores: Record<string, number>;
    /** By player, by figure; null: the game has no hands. */
    hands: Record<string, Record<string, number>> | null;
    /** The last ones, */
    moves: MadeMove[];
    /** behind so many plies. */
    movesFrom: number;
    /** So many plies are as they were before the last event or snapshot. */
    stand: number;
    chat: ChatLine[];
    voices: Voices;
    muted: string[];
    /** `absent`: milliseconds from `at` on (performance.now()) till there is a claim. */
    presence: { spectators: number; connected: string[]; absent: Record<string, number>; at: number };
    /** Which one the rematch that is offered would have; null: the same. */
    rematchClock: TimeControl | "none" | null;
    /** At which speed, of a rated game. */
    rated: Speed | null;
    /** How much time players have, where the game has clocks. */
    clock: TimeControl | null;
    /** When the turn under way began, or its last move was made (performance.now()). */
    turnBegan: number;
    lost: boolean;
    readonly plies: number;
    readonly players: string[];
    readonly freeSeats: string[];
    seatsOf(player: string): string[];
    apply(frame: Frame): "snapshot" | "event" | "presence" | "lost" | "ignored";
    takeEarlier(moves: MadePly[]): void;
    takeLegalMoves(answer: { version: number; skip?: number; moves: Move[] }): void;
    /** Whether the server was set back. */
    resumed(answer: { mode?: "events" | "snapshot"; version?: number }, asked: number): boolean;
}

export interface CatchUpOptions {
    type?: "resume" | "sync";
    onSetBack?(): void;
}

export declare function catchUp(connection: Connection, replica: Replica, options?: CatchUpOptions): Promise<void>;

/* --- a player ----------------------------------------------------------------------------------------------------- */

export interface ClientOptions extends ConnectionOptions {
    /** Without it one is minted. */
    token?: string | null;
    name?: string;
    as?: "human" | "bot";
    /** After each event and snapshot. */
    onState?(frame: EventFrame | SnapshotFrame, client: Client): void;
    /** After all others but `ack`. */
    onFrame?(frame: Frame): void;
    onStatus?(status: Status): void;
    onTrouble?(code: string | null): void;
    onRefused?(error: ProtocolError): void;
}

export interface JoinOptions {
    seat?: string;
    name?: string;
    as?: "human" | "bot";
}

export declare class Client {
    constructor(address: string, options?: ClientOptions);
    readonly connection: Connection;
    readonly replica: Replica | null;
    readonly state: State | null;
    readonly legalMoves: Move[];
    readonly mustMove: boolean;
    request<Type extends string>(command: Command<Type>, options?: RequestOptions): Promise<AnswerTo<Type>>;
    join(room: string, options?: JoinOptions): Promise<AckFrame>;
    leave(): Promise<AckFrame>;
    move(move: Move): Promise<AckFrame>;
    action(kind: string, members?: Record<string, unknown>): Promise<AckFrame>;
    chat(text: string): Promise<AckFrame>;
    close(): void;
}

/* --- the rest ----------------------------------------------------------------------------------------------------- */

export declare function reconnectDelay(attempt: number, random?: () => number): number;
export declare function socketUrl(address: string | null | undefined, home: string): string;
export declare function applyPatch(target: unknown, patch: unknown): unknown;
export declare function hashState(state: object): string;
export declare function canonicalText(value: unknown): string;
export declare function fnv1a(text: string): number;
