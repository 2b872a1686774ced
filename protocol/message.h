/* Every command a client may send, as a value that owns no memory.
 *
 * json.c makes one from untrusted text: after it nobody looks at JSON again. A `struct text` is
 * borrowed from the parsed document and lives until message_release. Shape is checked there once:
 * types, bounds, and which fields a command must have; what they mean (is there such a room, a
 * seat, a cell?) is not known here. */
#ifndef PROTOCOL_MESSAGE_H
#define PROTOCOL_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    MESSAGE_BYTES_MAX = 16 * 1024,
    MESSAGE_DEPTH_MAX = 32,
    COMMAND_ID_BYTES_MAX = 32,
    ROOM_ID_BYTES =
        18, /* of 62 letters: more than 96 bits, for a private room is open to whoever knows its id */
    ROOM_ID_BYTES_OLD = 8, /* of rooms made before that: they stay as they are */
    PLAYER_ID_BYTES = 18,
    TOKEN_BYTES = 43,
    DISPLAY_NAME_BYTES_MAX = 40,
    CHAT_BYTES_MAX = 500,
    SEAT_KEY_BYTES = 22,
    HISTORY_EVENTS_MAX = 200,
    HISTORY_MOVES_MAX = 200,
    WORD_BYTES_MAX = 64, /* names that games give: games, seats, cells, coordinates, choices */
    PLACE_DIMENSIONS_MAX = 8,
    COORDINATE_ABSOLUTE_MAX = 10000,
    PLAYER_COUNT_MAX = 8,
    RATING_MAX = 4000,
    SEEK_TITLE_BYTES_MAX = 200, /* as long as a game's title may be */
    MINE_FROM_MAX = 1000,       /* of a player's own rooms so many are told, the newest */
    BOT_LEVEL_MAX = 8,
    HINT_LINES_MAX = 5,
    LEGAL_MOVES_SKIP_MAX = 1000000000, /* more than any position has */
};

/* kind, word on the wire */
#define MESSAGE_KINDS(X)                                                                           \
    X(AUTH, "auth")                                                                                \
    X(PING, "ping")                                                                                \
    X(GAMES, "games")                                                                              \
    X(CREATE, "create")                                                                            \
    X(JOIN, "join")                                                                                \
    X(LEAVE, "leave")                                                                              \
    X(MOVE, "move")                                                                                \
    X(ACTION, "action")                                                                            \
    X(CHAT, "chat")                                                                                \
    X(LEGAL_MOVES, "legal_moves")                                                                  \
    X(HISTORY, "history")                                                                          \
    X(HINT, "hint")                                                                                \
    X(SYNC, "sync")                                                                                \
    X(RESUME, "resume")                                                                            \
    X(SEAT_KEY, "seat_key")                                                                        \
    X(LOBBY_SUBSCRIBE, "lobby.subscribe")                                                          \
    X(LOBBY_UNSUBSCRIBE, "lobby.unsubscribe")                                                      \
    X(SEEK, "seek")                                                                                \
    X(SEEK_CANCEL, "seek.cancel")

enum message_kind {
#define X(kind, word) MESSAGE_##kind,
    MESSAGE_KINDS(X)
#undef X
        MESSAGE_KIND_COUNT
};

#define ACTION_KINDS(X)                                                                            \
    X(RESIGN, "resign")                                                                            \
    X(ABORT, "abort")                                                                              \
    X(DRAW_OFFER, "draw.offer")                                                                    \
    X(DRAW_ACCEPT, "draw.accept")                                                                  \
    X(DRAW_DECLINE, "draw.decline")                                                                \
    X(REMATCH_OFFER, "rematch.offer")                                                              \
    X(REMATCH_ACCEPT, "rematch.accept")                                                            \
    X(REMATCH_DECLINE, "rematch.decline")                                                          \
    X(BOT_INVITE, "bot.invite")                                                                    \
    X(TAKEBACK_OFFER, "takeback.offer")                                                            \
    X(TAKEBACK_ACCEPT, "takeback.accept")                                                          \
    X(TAKEBACK_DECLINE, "takeback.decline")                                                        \
    X(CLAIM_RESULT, "claim.result")                                                                \
    X(CLAIM_TIMEOUT, "claim.timeout")                                                              \
    X(CHAT_EVERYBODY, "chat.everybody")                                                            \
    X(CHAT_PLAYERS, "chat.players")                                                                \
    X(CHAT_NOBODY, "chat.nobody")                                                                  \
    X(CHAT_MUTE, "chat.mute")                                                                      \
    X(CHAT_UNMUTE, "chat.unmute")

enum action_request {
#define X(kind, word) ACTION_REQUEST_##kind,
    ACTION_KINDS(X)
#undef X
        ACTION_REQUEST_COUNT
};

/* The codes of `error`: code, the words that go with it, may it be tried again unchanged? */
#define REFUSALS(X)                                                                                \
    X(NONE, "ok", "", false)                                                                       \
    X(BAD_JSON, "bad_json", "this is not one JSON object", false)                                  \
    X(BAD_MESSAGE, "bad_message", "a field is missing or wrong", false)                            \
    X(UNKNOWN_TYPE, "unknown_type", "there is no such command", false)                             \
    X(UNAUTHENTICATED, "unauthenticated", "auth must come first", false)                           \
    X(BAD_TOKEN, "bad_token", "this is not a token of ours", false)                                \
    X(UNKNOWN_ROOM, "unknown_room", "there is no such room", false)                                \
    X(UNKNOWN_GAME, "unknown_game", "there is no such game", false)                                \
    X(BAD_DEFINITION, "bad_definition", "the game definition has errors", false)                   \
    X(SEAT_TAKEN, "seat_taken", "this seat is taken", false)                                       \
    X(NO_SUCH_SEAT, "no_such_seat", "the game has no such seat", false)                            \
    X(NOT_IN_ROOM, "not_in_room", "join the room first", false)                                    \
    X(NOT_SEATED, "not_seated", "only a seated player may do this", false)                         \
    X(NOT_STARTED, "not_started", "the game has not started yet", false)                           \
    X(GAME_OVER, "game_over", "the game is over", false)                                           \
    X(NOT_OVER, "not_over", "the game is not over yet", false)                                     \
    X(TOO_LATE, "too_late", "the game has gone too far to be aborted", false)                      \
    X(NOT_YOUR_TURN, "not_your_turn", "it is not your turn", false)                                \
    X(ILLEGAL_MOVE, "illegal_move", "this move is not legal", false)                               \
    X(STALE, "stale", "the position has changed since", false)                                     \
    X(BAD_KEY, "bad_key", "this key was used or replaced, or was never given", false)              \
    X(NO_OFFER, "no_offer", "there is no such offer", false)                                       \
    X(ID_REUSED, "id_reused", "this id was used for another command", false)                       \
    X(WITHDRAWN, "withdrawn", "nobody is sought any more", false)                                  \
    X(MUTED, "muted", "the players do not want to hear this", false)                               \
    X(TOO_MANY, "too_many", "a limit was reached", false)                                          \
    X(RATE_LIMITED, "rate_limited", "too many commands", true)                                     \
    X(UNAVAILABLE, "unavailable", "the store cannot answer now", true)                             \
    X(MOVED, "moved", "the room is on another server", true)                                       \
    X(UNSUPPORTED, "unsupported", "this server does not do that", false)

enum refusal {
#define X(kind, code, words, retry) REFUSAL_##kind,
    REFUSALS(X)
#undef X
        REFUSAL_COUNT
};

/* Whether a text of so many bytes may be a room's id. */
bool room_id_fits(size_t length);
/* Whether the text is one JSON object, of a message's size and depth at most. */
bool message_is_object(const char *text, size_t length);
const char *message_kind_word(enum message_kind kind);
const char *action_request_word(enum action_request action);
const char *refusal_code(enum refusal refusal);
const char *refusal_words(enum refusal refusal);
bool refusal_may_retry(enum refusal refusal);

struct text { /* not ended by zero; data is NULL when the field was absent */
    const char *data;
    size_t length;
};

/* A cell as the client named it: by name (or joined coordinates), or by an object of coordinates.
 */
struct place {
    struct text name; /* data NULL: by coordinates */
    int coordinate_count;
    struct {
        struct text name;
        int value;
    } coordinates[PLACE_DIMENSIONS_MAX];
};

struct move_request {
    bool pass, swap; /* of these there is one at most, and then nothing else */
    bool placement;  /* there is no `from`: a figure is put on the board */
    struct place from, to;
    struct text choice;
};

enum games_op { GAMES_LIST, GAMES_GET, GAMES_VALIDATE, GAMES_PUBLISH, GAMES_GUIDE };
/* What `history` asks for: events, the state after a ply, or the plies. */
enum history_ask { HISTORY_EVENTS, HISTORY_STATE, HISTORY_MOVES };
/* Usual: public, or for a fork as the room it comes from. */
enum visibility { VISIBILITY_USUAL, VISIBILITY_PUBLIC, VISIBILITY_PRIVATE };
enum player_kind { PLAYER_HUMAN, PLAYER_BOT };
/* Whose words are wanted in a room. */
enum chat_voices { CHAT_OF_EVERYBODY, CHAT_OF_PLAYERS, CHAT_OF_NOBODY, CHAT_VOICES_COUNT };
const char *chat_voices_word(enum chat_voices voices);

struct message {
    enum message_kind kind;
    struct text id;   /* always there and well formed */
    struct text room; /* of 1 to WORD_BYTES_MAX bytes where the command has one */
    union {
        struct {
            struct text token;
            bool no_moves; /* its own rules tell it what is legal */
        } auth;            /* as sent: its length is checked by whoever hashes it */
        struct {
            enum games_op op;
            struct text language; /* of a list; absent: as the files are */
            struct text game,
                definition; /* definition: JSON text (an object was written out compactly) */
        } games;
        struct {
            struct text game, definition; /* one of them, or a fork of message.room */
            bool is_fork;
            int64_t fork_ply; /* after how many plies it begins */
            enum visibility visibility;
            int players;       /* how many are to play; 0: as many as the game has */
            const void *clock; /* a JSON value for time_control_read, which takes it; NULL: none */
            bool rated;
        } create;
        struct {
            struct text game, seat, name; /* seat absent: any; name absent: "" */
            int players;                  /* as in `create`, and the clock too */
            const void *clock;
            bool rated;                 /* likewise; then the other one's rating is */
            int rating_min, rating_max; /*   from 0 to RATING_MAX, both included, */
            int rating_within;          /*   and so near to the player's own; 0: anywhere */
            /* As servers tell each other; nobody takes it from a client: */
            int rating; /* the player's; 0: nobody said; */
            int seat_number; /* where the seat stands in the game, which is not known everywhere; -1: any; */
            struct text title; /* the game's; absent: it is known there */
            enum player_kind as;
            bool no_bots; /* with people alone */
        } seek;
        struct {
            struct text seek; /* the command's id; absent: all of this player's */
        } seek_cancel;
        struct {
            struct text seat, key, name; /* exactly one of the first two; name absent: "" */
            enum player_kind as;
        } join;
        struct {
            struct move_request move;
            int64_t version; /* -1 when absent */
        } move;
        struct {
            int from; /* 0 when absent */
        } lobby_subscribe;
        struct {
            enum action_request kind;
            struct text seat;   /* of bot.invite; may be absent */
            int level;          /* likewise: 1 to BOT_LEVEL_MAX; 0: as the server has it */
            struct text player; /* of chat.mute, chat.unmute: whose words */
            bool as_draw;       /* of claim.timeout: not as a win */
            const void *clock;  /* of rematch.offer and rematch.accept, for
                                   time_control_read_offer; NULL: none is named */
        } action;
        struct {
            struct text text;
        } chat;
        struct {
            bool has_cell, has_to,
                explain; /* no `to` without a cell, none of both without explain */
            struct place cell, to;
            struct text choice;
            int64_t skip; /* so many of them are known */
        } legal_moves;
        struct {
            enum history_ask ask;
            int64_t from, to; /* EVENTS: versions; MOVES: after which ply, no `to` */
            int64_t ply;      /* STATE */
        } history;
        struct {
            int64_t ply; /* after how many; -1: as the room stands */
            int lines;   /* how many moves, from 1 to HINT_LINES_MAX */
        } hint;
        struct {
            int64_t version;
        } resume;
    };
    void *document; /* private: what the texts are borrowed from, */
    char *text;     /*   if it is not this; both owned */
};

/* REFUSAL_NONE and a message to be released, or BAD_JSON, BAD_MESSAGE, UNKNOWN_TYPE and nothing to
 * release. Then the id is in `reply_id` if one could be read, and `fault` says which field and why,
 * in words for the sender. */
struct message_fault {
    char reply_id[COMMAND_ID_BYTES_MAX + 1]; /* "" when there was none to read */
    char words[160];
};
enum refusal message_read(const char *text, size_t length, struct message *message,
                          struct message_fault *fault);
void message_release(struct message *message);

#endif
