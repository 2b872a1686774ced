/* What the core is made of. Only the core's own files include this; each part's struct belongs to
 * its own module, and a function outside of it takes what it uses. */
#ifndef SERVER_CORE_PARTS_H
#define SERVER_CORE_PARTS_H

#include "server/core/account.h"
#include "server/core/catalogue.h"
#include "server/core/core.h"
#include "server/core/housekeeping.h"
#include "server/core/lease.h"
#include "server/core/lobby.h"
#include "server/core/outage.h"
#include "server/core/pictures.h"
#include "server/core/rating.h"
#include "server/core/seek.h"
#include "server/core/session.h"
#include "server/core/tasks.h"
#include "server/core/timing.h"
#include "server/core/view.h"
#include "server/core/watch.h"

enum {
    RETRY_MS = 1000,             /* what `unavailable` asks a client to wait */
    PRESENCE_INTERVAL_MS = 100,  /* of one room */
    PRESENCE_REST_MS_MAX = 5000, /* of one with so many in it: a millisecond for each */
    RESYNC_INTERVAL_MS = 2000,   /* between two snapshots that catch the same slow reader up */
    INVITATION_WAIT_MS = 5000,
    INVITATIONS_MAX = 1024,
    KEYS_PER_MINUTE = 120, /* of an address */
    KEYS_BURST = 240,
    PUBLICATIONS_PER_MINUTE = 24, /* of an address; a player has a quarter */
    PUBLICATIONS_BURST = 120,
};

/* What was asked of the outside, to be found again by its number when the answer comes. */
enum ticket_kind {
    TICKET_APPEND,
    TICKET_LOAD,
    TICKET_TAIL,
    TICKET_BEHIND,
    TICKET_HISTORY,
    TICKET_LOBBY,
    TICKET_MINE,
    TICKET_SECRET,
    TICKET_LEASE,
    TICKET_RELEASE, /* nobody waits for the answer: of a STORE_RELEASE, or a STORE_SET_DUE */
    TICKET_PROMISE,
    TICKET_DUE,
    /* Over HTTP from, to: which game, at which speed; command: of whom. Else room: of which; from: when its game ended. */
    TICKET_RATING,
    TICKET_SEEKER,         /* request: the seek's number; command: whose rating */
    TICKET_SEEK_PUBLISHED, /* request: the reading's number */
    TICKET_PAIR_PUBLISHED, /* request: the pairing's number */
    TICKET_EXPORT,
    TICKET_SURVEY,
    TICKET_REMOVE,
    TICKET_PUBLISH,
    TICKET_LIST_GAME,
    TICKET_READ_PUBLISHED,
    TICKET_READ_PUBLICATIONS,
    TICKET_KEEP_PICTURE,
    TICKET_PICTURE, /* from: its kind */
    TICKET_SWEEP,
    TICKET_MEASURE,
    TICKET_CREATE_PUBLISHED, /* from: players; to: whether it is public */
    TICKET_SHOW,
    TICKET_REPORT,
    TICKET_IMPORT, /* task: what is brought in */
};
struct ticket {
    uint64_t number;
    enum ticket_kind kind;
    char room[ROOM_ID_BYTES + 1];
    peer_id peer;
    char command[COMMAND_ID_BYTES_MAX + 1];
    int64_t from, to;
    char node[STORE_NODE_BYTES + 1]; /* of LEASE: whose */
    uint64_t request;                /* over HTTP */
    char picture[STORE_HASH_DIGITS + 1];
    struct account *account; /* held: whoever asked, where that is counted; or NULL */
    enum record_form form;
    struct time_control *clock; /* owned: of CREATE_PUBLISHED; or NULL */
    struct task *task;          /* owned: what goes on with the answer, or NULL */
};

/* See bots.h. */
struct bots {
    struct map all;
    struct list waiting, playing;
    int playing_count;
    bool changed;    /* somebody's turn may have come */
    uint64_t due_ms; /* not looked at before */
};

/* See seeking.h. */
struct seeking {
    struct seeks seeks;
    struct list made, under_way;     /* of struct pairing */
    struct list elsewhere, promised; /* of struct sought; heard of longest ago first */
    struct list unknown;             /* of struct sought: their ratings are asked for */
    struct list readings;            /* of struct seek_reading */
    int made_count, reading_count;
    uint64_t tell_ms;  /* when all of ours are told again */
    uint64_t round_ms; /* when other servers are asked again */
};

/* See hints.h. */
struct hints {
    struct list waiting, under_way; /* asked first, first */
    int count;
};

/* In thousandths of a unit, see cost.h. */
struct cost {
    uint64_t all, work; /* work: what of it the engine did */
};

/* See follow.h. */
struct follow {
    struct dues dues; /* rooms that pause before they judge again */
    uint64_t sweep_ms;
    size_t hand; /* where the sweep goes on; 0: at the beginning */
    bool is_asked;
    bool has_bus;   /* hints come, */
    int neighbours; /*   of so many servers; the store knows of lease.other_nodes */
    bool is_whole;  /* the sweep is for all rooms, at once */
    bool
        in_doubt; /* something may be in the store that could not be read: sweep, though nobody else writes there */
    size_t held_bytes; /* of all rooms */
};

struct core {
    struct core_options options;
    struct core_ports ports;
    uint64_t now_ms; /* what is told, and that: by the store's clock, where several share it */
    int64_t offset_ms;
    bool stopping, has_secret;
    uint64_t
        start_again_ms; /* when what core_start asks for has to be asked for again; UINT64_MAX: not */
    unsigned char secret[DIGEST_BYTES];
    struct hash_key hash_key;
    uint64_t last_number; /* of tickets and rooms */
    uint32_t waiting_for_store;

    struct recent_budget recent_budget;
    struct map tickets, sessions, rooms, compilations;
    size_t rooms_hand;        /* where giving_way.c looks next */
    struct allowance making;  /* of rooms, by all together */
    struct allowance working; /* units of cost, by all together who have a limit of their own */
    struct bots bots;
    struct seeking seeking;
    struct hints hints;
    struct accounts accounts;
    struct catalogue catalogue;
    struct lobby lobby;
    struct lease lease;
    struct housekeeping housekeeping;
    struct timing timing;
    struct watch watch;
    struct rating rating;
    struct follow follow;
    struct outage outage;
    struct list strangers;   /* sessions without `auth`, oldest first */
    struct list closed;      /* sessions closed in this turn, to be taken out of their rooms */
    struct list idle;        /* rooms without people, longest first */
    struct list presence;    /* rooms whose presence has changed */
    struct list resyncs;     /* attachments that lag and wait for a snapshot, longest first */
    struct list invitations; /* bots that are expected, oldest first */
    int invitation_count;
    uint64_t presence_due_ms;
    uint64_t
        presence_round_ms; /* when other servers are told again who is here, of a part of the rooms, */
    size_t presence_hand; /*   from here on */

    struct frame *hello;
    struct writer writer;        /* for what is sent */
    struct writer body;          /* for what is stored */
    struct view_cells *cells[2]; /* of the states before and after an event */
    struct tasks tasks;
    struct pictures pictures;
    int exports_asked, publications_asked; /* of the store */
    uint64_t noted;                        /* of what was done, by cost_note */
    struct cost charged; /* what was done so far, as far as somebody was asked to pay */
    struct core_statistics statistics;
};

/* One command being handled. */
struct request {
    struct core *core;
    struct session *session;
    const struct message *message;
    uint64_t came_ms;              /* when, by playing time */
    struct room *room;             /* NULL for commands without a room */
    struct attachment *attachment; /* NULL when not in the room */
    /* Why it was refused, where the refusal's own words do not suffice. */
    char words[EXPLANATION_WORDS_MAX + 40];
    bool explained;
    struct explanation explanation; /* of an illegal move, if `explained` */
    int64_t version;                /* -1: does not matter */
    uint64_t retry_ms;
    bool changes_nothing; /* what it asks for is so: acknowledged when it is sure that it is */
};
typedef enum refusal request_handler(struct request *request);

/* --- ticket.c --------------------------------------------------------------------------------- */

struct ticket *ticket_new(struct core *core, enum ticket_kind kind, const char *room);
void ticket_drop(struct core *core, struct ticket *ticket); /* instead of asking under it */
/* Asks the store under the ticket; frees the ticket and gives false when its queue is full. */
bool ticket_ask(struct core *core, struct ticket *ticket, struct store_request *request);
/* What it was for is told, and its ticket ends. */
void ticket_answered(struct core *core, struct store_answer *answer);

/* Nobody has been let in yet, and nothing is under way but the question of what time it is. */
void core_set_clock(struct core *core, int64_t now_ms);
struct room *core_find_room(const struct core *core, const char *id);
/* A log line with the room's id and one more text. */
/* Somebody asked for a room that is not there: who tries ids out is soon to wait. Counted, and charged. */
void core_count_guess(struct core *core, struct account *account);
void core_log(struct core *core, enum fact_level level, const char *fact, const char *room,
              const char *words);

#endif
