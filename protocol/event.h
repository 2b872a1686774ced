/* Everything that can happen in a room, as a value: what the store keeps, what replay reads, what
 * `history` shows.
 *
 * An event's body is a JSON object with the members README.md lists for its kind; version, time and
 * who sent it stand beside it in the store. event_write and event_read are each other's inverse. */
#ifndef PROTOCOL_EVENT_H
#define PROTOCOL_EVENT_H

#include "protocol/message.h"
#include "protocol/time_control.h"
#include "protocol/writer.h"

/* kind, word */
#define EVENT_KINDS(X)                                                                             \
    X(CREATED, "created")                                                                          \
    X(JOINED, "joined")                                                                            \
    X(LEFT, "left")                                                                                \
    X(MOVED, "moved")                                                                              \
    X(STOPPED, "stopped") /* a move not made, for it leads to too much work: the end */            \
    X(FLAGGED, "flagged") /* whose time is over, or who did not begin */                           \
    X(RESIGNED, "resigned")                                                                        \
    X(ABORTED, "aborted")                                                                          \
    X(DRAW_OFFERED, "draw_offered")                                                                \
    X(DRAW_DECLINED, "draw_declined")                                                              \
    X(DRAW_ACCEPTED, "draw_accepted") /* one of several players' yes */                            \
    X(TAKEBACK_OFFERED, "takeback_offered")                                                        \
    X(TAKEBACK_DECLINED, "takeback_declined")                                                      \
    X(TAKEBACK_ACCEPTED, "takeback_accepted") /* one of several players' yes */                    \
    X(TAKEN_BACK, "taken_back") /* the last moves are no moves of the game any more */             \
    X(CLAIMED, "claimed")       /* what the state's claim offered */                               \
    X(ABANDONED, "abandoned")   /* who was to move had gone for long, and another one said so */   \
    X(DRAWN, "drawn")                                                                              \
    X(REMATCH_OFFERED, "rematch_offered")                                                          \
    X(REMATCH_DECLINED, "rematch_declined")                                                        \
    X(REMATCH_ACCEPTED, "rematch_accepted") /* one of several players' yes */                      \
    X(REMATCH, "rematch")                                                                          \
    X(CHATTED, "chat")                                                                             \
    X(SEAT_KEY, "seat_key")         /* a player may be followed by whoever brings the key */       \
    X(HANDED_OVER, "handed_over")   /* and was */                                                  \
    X(CHAT_ALLOWED, "chat_allowed") /* whose words are wanted from now on */                       \
    X(MUTED, "muted")               /* one who watches, until */                                   \
    X(UNMUTED, "unmuted")

enum event_kind {
#define X(kind, word) EVENT_##kind,
    EVENT_KINDS(X)
#undef X
        EVENT_KIND_COUNT
};

enum {
    EVENT_SEATS_MAX = 8,
    EVENT_MOVES_MAX = 20000, /* no game is longer */
    EVENT_LOG_MAX = 50000,
};

/* A move as events name it. */
struct event_move {
    bool pass, swap;              /* a pass, a swap of sides: then there is no from, to, choice */
    struct text from, to, choice; /* `from` empty: a figure is put on the board */
};

/* Who sits where from the start. */
struct event_holder {
    struct text seat, player, name;
    enum player_kind as;
    bool house;
};

struct event {
    enum event_kind kind;
    int seat_count; /* of JOINED, LEFT, SEAT_KEY, HANDED_OVER: all seats; of the others 0 or 1
                       (written as "seat") */
    struct text seats[EVENT_SEATS_MAX];
    struct text player, name;     /* who: id and display name (JOINED, CHATTED, HANDED_OVER); the id
                                     alone (MUTED, UNMUTED) */
    enum player_kind as;          /* JOINED, HANDED_OVER */
    bool house;                   /* JOINED: it is the server's own bot */
    bool pass, swap;              /* MOVED: as of an event_move */
    struct text from, to, choice; /* MOVED; choice may be absent */
    struct text text;             /* CHATTED */
    enum chat_voices voices;      /* CHAT_ALLOWED */
    const struct time_control *clock; /* CREATED: the game has clocks; REMATCH_OFFERED: the next one
                                         would have another (not set: none); else NULL */
    bool rated;                       /* CREATED: its result counts for its players' ratings */
    uint32_t spent_ms;                /* MOVED in such a game: of the player's time, */
    uint32_t compensated_ms;   /*   and what is not counted as such for the way from and to him, */
    uint32_t lag_ms;           /*   whose round trip takes so long */
    int64_t ply;               /* TAKEN_BACK: the game is where it was after so many moves */
    struct text by;            /* ABANDONED: whose claim it is, to have won or, */
    bool as_draw;              /*   to a draw */
    struct text next_room;     /* REMATCH */
    struct text previous_room; /* CREATED by a rematch; else absent */
    struct text game;          /* CREATED: the game's id, "" for a definition of one's own */
    int players;               /* CREATED: for how many; 0: for as many as the game has */
    int language; /* CREATED: by which revision the definition is read; 0: the first, or it makes no difference */
    struct text key_hash;    /* SEAT_KEY: hexadecimal; stored, and shown to nobody */
    struct text fork_room;   /* CREATED by a fork: of this room, after */
    int64_t fork_ply;        /*   so many plies; else absent */
    struct text import_room; /* CREATED by an import: the room's name where it was exported */
    int move_count;          /* CREATED by fork or import: moves made before anybody sits */
    const struct event_move *moves;
    int holder_count; /* CREATED with its seats taken: by a rematch, or for those who found each other */
    struct event_holder holders[EVENT_SEATS_MAX];
    int log_count;  /* CREATED by the import of a finished game: all that happened in it */
    void *log;      /* see event_log_read */
    void *document; /* private, after event_read */
};

const char *event_kind_word(enum event_kind kind);
/* The body as it is stored, members in a fixed order, without kind and time. */
void event_write(const struct event *event, struct writer *writer);
/* The members that may be shown, into an object that is already open (for frames, `history`): all but a room's moves and
 * log from before, which have questions of their own. */
void event_write_members(const struct event *event, struct writer *writer);
/* False when the text is not such a body; then nothing is to be released. Texts are borrowed until
 * event_release. */
bool event_read(const char *kind, const char *body, size_t length, struct event *event);
/* For how many players a CREATED event makes its room; 0: it does not say. However long the body is, its moves and its log are
 * not looked at. */
int event_read_players(const char *body, int *language);
void event_release(struct event *event);
/* The same from a JSON value inside a document that has been read; the event holds a reference of its own. */
bool event_read_value(const char *kind, const void *body, struct event *event);

/* One of the events in the log of an imported game, from 0; its texts are borrowed from `created`. False when it is none. */
bool event_log_read(const struct event *created, int index, struct event *event, int64_t *at_ms);
/* A log to be given to a CREATED event. Adding copies the event, without the digest of a key. */
void *event_log_new(void);
void event_log_add(void *log, const struct event *event, int64_t at_ms);
void event_log_free(void *log);

#endif
