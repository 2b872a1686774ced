/* A room in memory: what the store says of it, who is attached, and the one decision that may be
 * under way.
 *
 * What a command would change is worked out as a `struct decision` and shown to nobody until the
 * store has it; then room_settle takes the step. While a decision is under way, or the room is
 * still being read from the store, further commands wait in `waiting`. */
#ifndef SERVER_CORE_ROOM_H
#define SERVER_CORE_ROOM_H

#include "engine/work.h"
#include "server/bus/bus.h"
#include "server/core/allowance.h"
#include "server/core/catalogue.h"
#include "server/core/due.h"
#include "server/core/frame.h"
#include "server/core/list.h"
#include "server/core/past.h"
#include "server/core/recent.h"
#include "server/core/standing.h"
#include "server/store/store.h"

enum {
    ROOM_WAITING_MAX = 64,          /* commands that wait for their turn in one room */
    ROOM_WAITING_WATCHERS_MAX = 32, /* over this only players' commands wait */
    ROOM_CHAT_KEPT = 50,
    ROOM_EVENTS_MAX = 50000, /* of a room, chat aside; then it is only played to its end */
};

struct session;

/* A session that receives a room's events. Lies in the session's list and in the room's array. */
struct attachment {
    struct session *session;
    struct room *room;
    struct attachment *next; /* of the session */
    int index;               /* in room->attached */
    bool seated;             /* came to play: holds all seats of its player */
    uint32_t seats;
    bool counted;           /* in who is there (presence.c), */
    uint32_t counted_seats; /* as one with these seats */
    uint64_t seated_ms;     /* since when it holds seats */
    bool lagging;   /* its outbox is over its bound: nothing is sent until it has drained, then one
                     snapshot */
    bool held_back; /* lagging because the room itself was far behind */
    bool presence_missed;
    uint64_t resynced_ms,
        resync_due_ms;       /* the last such snapshot, 0: none yet; the next, while in */
    struct link resync_link; /*   core->resyncs */
};

/* A command that waits for its turn, or for what it led to to be durable: if the race is lost it is judged again. */
struct command {
    struct command *next;
    uint64_t peer;
    uint64_t came_ms; /* by playing time: what it waits for is not its player's time */
    int races_lost;
    bool
        is_sure; /* the room has been read since the command came: what is refused now is refused for good */
    struct message message; /* owned */
};
void command_free(struct command *command);

/* A room that other servers write to as well, see follow.h. */
struct following {
    enum {
        FOLLOW_LEVEL,
        FOLLOW_CATCHING_UP, /* the room is behind, or may be: its tail is being read */
        FOLLOW_LOST,        /* and the first of the commands that wait is judged again afterwards */
    } state;
    uint64_t ticket; /* of the tail being read; 0: none is */
    bool in_doubt;   /* the last time it could not be read: there may be more in the store */
    bool is_stale;   /* that tail was asked for too early */
    int64_t heard;   /* the latest version it is known to have, */
    int64_t told;    /*   and of which other servers have been told, by us or by another one */
    struct due due;  /* LOST: not before that */
    struct held_event *held; /* owned: events that came too early, by version */
    int held_count;
};

/* Who said it, to be answered when it is durable. */
struct author {
    uint64_t peer;
    uint64_t request; /* of an import, which nobody's session has asked for; else 0 */
    uint64_t pairing; /* of a room for those who found each other (seeking.h); else 0 */
    struct identity identity;
    char command[COMMAND_ID_BYTES_MAX + 1];
    uint64_t came_ms; /* when it was heard, by playing time */
};

/* Who is in a room at another server, as that one has said. */
struct elsewhere {
    struct elsewhere *next;
    char node[BUS_NAME_BYTES + 1];
    int spectators;
    uint32_t seats;
    uint64_t until_ms; /* then it is forgotten */
    /* Seats whose players may have been there, until it has said so or was heard after that time (outage.h). */
    uint32_t presumed;
    uint64_t presumed_until_ms;
};

/* Of the turn under way: so long, by playing time, its player's server was perhaps gone (outage.h). */
struct outage_pause {
    uint64_t from_ms, until_ms; /* until 0: there was none */
    uint64_t said;    /* by that server until he was seen again: if it says more, it was there */
    bool is_presumed; /* that he was at that server */
    bool is_new;      /* who is here has not been told yet how long the turn is under way */
    char node[BUS_NAME_BYTES + 1];
};

struct decision {
    uint64_t ticket;
    struct author author;
    struct command *command; /* owned: what led to it; NULL: nobody's command */
    enum event_kind kind;
    uint64_t at_ms;
    uint32_t hash; /* of the state after */
    struct frame *common,
        *acting;     /* the event as most see it, and as the seat that must act does; owned */
    char *chat;      /* of a chat: its line as JSON, owned */
    char *body;      /* as it is stored, for other servers; NULL: they read it there; owned */
    bool by_watcher; /* a chat: nobody's who plays */
    char name[DISPLAY_NAME_BYTES_MAX + 1];
    char new_room[ROOM_ID_BYTES + 1]; /* of a rematch */
    uint32_t seats_before;            /* the author's, of one who leaves */
    struct identity former;           /* of a handover: who held the seats */
    char key[SEAT_KEY_BYTES + 1];     /* of a seat key: for its author, and nowhere else */
    int ply;                          /* of moves taken back: those after it */
    struct standing after;
};

struct made_move {
    struct move move;
    uint32_t version;
    uint8_t seat;
};

/* And, in a game with clocks, what its maker's said afterwards, and had gained by it. */
struct made_time {
    struct clock clock;
    uint32_t gained_ms;
};

/* It was taken back, and has been the move number `ply`. */
struct unmade_move {
    struct made_move made;
    int ply;
};

/* Who held a seat up to and including a ply. */
struct former_seat {
    int ply, number;
    struct seat seat;
};

/* A command that made an event, found again when it is sent a second time. */
struct known_command {
    uint64_t key; /* of player and id; 0: the slot is free */
    uint32_t version;
    enum event_kind kind;
};

struct room {
    /* What every move touches, together. */
    char id[ROOM_ID_BYTES + 1];
    bool loading;
    int pins;                          /* not 0: somebody up the stack works on it, so it stays */
    uint64_t serial;                   /* never used twice in this process */
    struct edition *edition;           /* a reference; NULL while loading */
    int64_t version, position_version; /* the second: of the last event that changed the board */
    struct position *position;
    uint32_t hash;
    int waiting_count;
    struct decision *decision; /* owned; NULL: nothing is under way */
    struct command *waiting_first, **waiting_end;
    struct attachment **attached;                    /* the array owned */
    int attached_count, attached_size, people_count; /* people: not the server's own bots */
    int move_count, move_size;
    struct made_move *moves; /* all, owned */
    struct made_time *times; /* of them; NULL where the game has no clocks; owned */
    uint64_t
        turn_began_ms; /* the last move was made or play began, by the core's playing time (timing.h) */
    uint64_t due_stored_ms;     /* as the store has it, see watch.h; 0: not known here */
    struct due due;             /* while a clock runs, or somebody is to begin */
    struct unmade_move *unmade; /* and those taken back, in the order of that; owned */
    int unmade_count, unmade_size;
    struct frame *last_acting; /* the newest event as the seat that must act saw it, or NULL */
    struct recent recent;
    struct past past;
    size_t bytes; /* of the position and the past, as its edition counts them */
    struct hash_key hash_key;
    struct known_command *known; /* open addressing, a power of two; owned */
    uint32_t known_count, known_size;
    /* Play began in this room after so many plies (of a fork: those it came with), by the event of this version; 0: it
     * has not begun. */
    int begun_ply;
    int64_t begun_version;
    int64_t epoch;       /* in which it is written to; 0: not known yet */
    int64_t turn_stored; /* at this version the store has known whose turn it is; 0: it has not */
    int64_t turn_walked; /* at this version was it when the watch came by (watch.h) */
    struct following following;
    int lines_of_players, lines_of_watchers; /* events of this room's log */
    struct standing standing;

    char game[WORD_BYTES_MAX + 1];
    bool is_public;
    uint64_t created_at_ms;
    uint64_t load_ticket;        /* while it is being read */
    struct store_answer *loaded; /* owned: what was read, while its definition is being compiled */
    struct link idle_link;       /* in core->idle while there are no people */
    uint64_t idle_since_ms;
    struct link presence_link; /* in core->presence while it has changed */
    uint64_t presence_sent_ms, presence_due_ms;
    /* Who is there: without a seat; by seat; with one, but for the server's own bots. */
    int spectators, connections[STATE_SEATS_MAX], players;
    struct elsewhere *elsewhere; /* and at other servers; owned */
    struct outage_pause pause;
    int spectators_shown;
    uint32_t connected_shown, absent_shown;
    uint64_t
        absent_since_ms[STATE_SEATS_MAX]; /* by playing time; 0: not, or not known (absence.h) */
    int spectators_told;                  /* other servers, of this one */
    uint32_t connected_told;
    struct former_seat *former; /* owned: seats that were handed over, in the order of that */
    int former_count;
    /* It began with the log of a finished game: those who sit there are names, and nobody here holds their seats. */
    bool imported;
    char fork_room[ROOM_ID_BYTES + 1]; /* of a fork: of which room, */
    int fork_ply;                      /*   after how many plies; "" and 0 else */
    char *chat[ROOM_CHAT_KEPT];        /* the last lines as JSON, a ring; owned */
    int chat_count;                    /* ever */
    struct allowance watchers_talk;
};

struct room *room_new(const char *id, uint64_t serial, struct recent_budget *budget,
                      struct hash_key hash_key);
/* `catalogue` for the edition. Nobody may be attached any more. */
void room_free(struct room *room, struct catalogue *catalogue);

/* Gives a new or read room its game; takes the reference. */
void room_open(struct room *room, struct edition *edition);
bool room_busy(const struct room *room);
/* An append of our own is under way: if it comes to be it is first, and what others have written comes after it. */
bool room_holds(const struct room *room);
/* The commands that wait: the next one, which there must be, the caller's from now on; one that goes before all others (taken). */
struct command *room_take_first(struct room *room);
void room_put_first(struct room *room, struct command *command);

/* PLAYER_NONE: nobody's turn, or the room is not read yet. */
player_index room_to_move(const struct room *room);
/* What the store is to be told of a room that leaves memory. False: nothing but its name, for nobody is to move, or it knows who is. */
bool room_turn(const struct room *room, struct store_turn *turn);

/* The events. `room_replay` is for those read from the store: false when the event cannot follow.
 */
bool room_replay(struct room *room, const struct event *event, const struct identity *holder,
                 uint64_t at_ms);
/* What a new room's first event brings along: the room is nobody's yet, so it is taken in before it is durable. False when
 * it cannot follow. */
bool room_begin(struct room *room, const struct event *created, uint64_t at_ms);
/* Takes the step of room->decision, which is durable, and returns it: the caller's from now on. */
struct decision *room_settle(struct room *room);
struct decision *room_abandon(struct room *room);
void decision_free(struct decision *decision);

/* Whether it has had too many events for one more of this kind. */
bool room_is_full_for(const struct room *room, enum event_kind kind);

const struct known_command *room_find_command(const struct room *room, const char *player,
                                              struct text command);
void room_know_command(struct room *room, const char *player, struct text command,
                       enum event_kind kind, int64_t version);

/* An event's frames, for those who come back: the one for all, and as the seat that must act sees it (or NULL). They are
 * borrowed. */
void room_keep_frames(struct room *room, struct frame *common, struct frame *acting);

/* What it may take to find out how the room stood once, of which games that people play need little (past.h). */
enum { ROOM_RECALL_WORK_MAX = WORK_ANSWER_MAX / 2, ROOM_TOO_FAR = -1 };

/* The room as it stood right after `ply` moves, at most move_count: the board on `position`, the rest in `standing`; the
 * version of the event that led there, or ROOM_TOO_FAR: finding out would take too much work. After none, or those a fork came with:
 * as it stood when play began, or now. */
int64_t room_recall(const struct room *room, int ply, struct position *position,
                    struct standing *standing);

/* How many moves there were before the last turn of one of these seats, in this room; -1: none of them has moved here. */
int room_last_turn(const struct room *room, uint32_t seats);
/* What the event takes back is taken back on another board, which is given, and in `after`. False when it cannot follow, or
 * takes more work. */
bool room_try_taking_back(const struct room *room, const struct event *event, uint64_t work_max,
                          struct position *position, struct standing *after);

/* Which of the moves the event of this version made; -1: none. */
int room_find_move(const struct room *room, int64_t version);

/* The move that the event of this version made and that was taken back later, with the board before it on `position`; NULL: there
 * is none, or finding out would take too much work. */
const struct move *room_recall_unmade(const struct room *room, int64_t version,
                                      struct position *position);

/* A line of chat as snapshots show it; takes the text. */
void room_keep_chat(struct room *room, char *json);

#endif
