/* What the server asks of its memory, as values: a request goes to the store's thread, an answer
 * comes back on the loop, joined by a ticket. Nothing here knows SQL; a driver (sqlite*.c,
 * postgres*.c) does.
 *
 * The truth is the event log: event(room, version, …), versions gap-free from 1. An append succeeds
 * only if the room is at `expected_version` (0: it does not exist yet); everything appended by one
 * request is durable together or not at all, and an answer STORE_OK is given only after it is on
 * disk. (room, client, command) is unique: the same command again is STORE_DUPLICATE with the room
 * and version it made the first time; for the first event of a room (client, command) alone.
 *
 * Several servers may share a store, and all of them write to all rooms: of two that append the same version one is
 * STORE_CONFLICT, reads what it has missed (STORE_TAIL) and decides anew. Each is a *node* for as long as its *lease* runs,
 * by the store's clock; a room's *owner*, a node that has it in memory, is a hint for lists and for housekeeping and gives
 * nobody a right. The *epoch* is an operator's fence, and of servers of before: an append succeeds only in the epoch it names.
 * A request without a node leaves the owner as it is: for tools, and for a server that has its store for itself. */
#ifndef SERVER_STORE_STORE_H
#define SERVER_STORE_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    STORE_ROOM_BYTES = 18,
    STORE_PLAYER_BYTES = 18,
    STORE_COMMAND_BYTES_MAX = 32,
    STORE_HASH_DIGITS = 64, /* SHA-256 in hexadecimal */
    STORE_SEATS_MAX = 8,
    STORE_SEAT_BYTES = 64,
    STORE_WRITES_MAX = 2, /* rooms one request may write */
    STORE_OPEN_ROOMS_MAX = 100,
    STORE_PLAYER_ROOMS_MAX = 50,
    STORE_PLAYER_ROOMS_LOOKED = 1000,
    STORE_HISTORY_MAX = 200,
    STORE_NODE_BYTES = 18,
    STORE_SURVEY_ROOMS_MAX = 128,
    STORE_NAME_BYTES = 40, /* of a published game */
    STORE_VERSIONS_MAX = 9999,
    STORE_PUBLICATIONS_MAX = 50, /* in one answer */
    STORE_REPORTS_MAX = 50,      /* likewise */
    STORE_REPORTS_OF_NAME = 100,
    STORE_SWEPT_MAX = 64,     /* pictures looked at for one answer */
    STORE_MEASURED_MAX = 128, /* rows looked at for one */
    STORE_PLACE_BYTES = 80,   /* where a measuring has come to, its zero included */
    STORE_TAIL_MAX = 256,     /* events in one answer to a STORE_TAIL */
    STORE_KNOWN_MAX = 1000,   /* rooms in one STORE_BEHIND, STORE_SET_DUE, STORE_RELEASE */
    STORE_DUE_MAX = 64,       /* rooms in one answer to a STORE_DUE */
    STORE_LADDER_BYTES = 95,
    STORE_SHOWN_NAME_BYTES = 64,
    STORE_SIDES_MAX = 2,   /* players of a rated game */
    STORE_RATED_MAX = 128, /* rated games, or ratings, in one answer */
    STORE_RATED_KEPT =
        250000, /* games that have counted; then the oldest goes with each new one, */
    STORE_RATING_KEPT_DAYS = 731, /*   and ratings of whoever has not played for so long */
};

enum store_room_status { STORE_WAITING, STORE_PLAYING, STORE_FINISHED, STORE_STATUS_COUNT };

struct store_event {
    int64_t version;
    int64_t at_ms;
    const char *kind;    /* the word */
    const char *client;  /* player id of the sender; "" for the server itself */
    const char *command; /* its id; "" for the server itself (then not unique) */
    const char *body;    /* JSON object */
};

struct store_seat {
    const char *seat;       /* the player's name in the game */
    const char *player;     /* id */
    const char *token_hash; /* SHA-256 in hexadecimal */
    const char *name;       /* as shown */
    bool bot, house;        /* house: the server's own bot */
};

struct store_room {
    const char *id;
    const char *game;            /* id of a served game, or "" */
    const char *title;           /* of the game */
    const char *definition_hash; /* pinned for ever */
    bool is_public;
    enum store_room_status status;
    int64_t version, epoch, created_at_ms;
    int64_t due_at_ms;   /* of a new one: see STORE_DUE; 0: never */
    const char *ladder;  /* in which its result counts (STORE_RATABLE); NULL: in none */
    const char *players; /* all seats of the game as a JSON array of names, for lists */
    const char *to_move; /* of a stored one: as STORE_RELEASE said it of this version; or NULL */
    int seat_count;      /* the taken ones */
    struct store_seat seats[STORE_SEATS_MAX];
};

/* One room's part of an append. When expected_version is 0 all of `room` is written and
 * `definition` (its text) is stored once by its hash, and the room begins in epoch 1 as the node's; otherwise only
 * what follows from the event: version, status and, if seats_changed, seats, and only in `epoch`. Most events leave the
 * status as it is: with status_stays it is the one that the room has at expected_version, and need not be written. */
struct store_write {
    int64_t expected_version, epoch;
    bool seats_changed, status_stays;
    const char *definition;
    struct store_event event; /* its version is expected_version + 1 */
    struct store_room room;   /* last: of its seats mostly none are written, and none copied */
};

/* For how long rooms are kept after their last event; 0: for ever. */
struct store_retention {
    int64_t now_ms;
    int64_t unmoved_ms; /* nobody has ever moved there, and the game is not over */
    int64_t unfinished_ms, finished_ms;
    int64_t private_ms;  /* instead of the two before */
    int64_t pictures_ms; /* of a picture: since somebody brought or named it last */
};

enum store_expiry {
    STORE_KEPT,
    STORE_NEVER_MOVED,
    STORE_ABANDONED,
    STORE_FINISHED_LONG_AGO,
    STORE_PRIVATE_AND_OLD,
    STORE_EXPIRY_COUNT,
};

struct store_expired {
    const char *room;
    int64_t version;
    enum store_expiry why;
};

struct store_tally {
    uint64_t rooms, events;
};

/* What a STORE_SURVEY has seen. */
struct store_survey {
    struct store_tally tallies[STORE_STATUS_COUNT]
                              [2]; /* [status][is_public], of the rooms looked at */
    int expired_count;
    struct store_expired expired[STORE_SURVEY_ROOMS_MAX];
    const char *next;                     /* where the next one begins; "": this one was the last */
    bool unclean;                         /* events of removed rooms are left */
    int64_t database_bytes, unused_bytes; /* the second: of the first, free for what comes */
    int64_t disk_bytes;                   /* free where the database is; -1: unknown */
};

/* A version of a game that a player has published. Whose it is, whether it is listed and whether it is hidden belong to the
 * name: they are the same for all its versions. */
struct store_publication {
    const char *name;
    int64_t version, versions; /* the second: how many the name has */
    const char *definition_hash, *title;
    const char *players; /* all seats of the game as a JSON array of names */
    const char *ancestor;
    int64_t ancestor_version; /* 0: the ancestor is a game of the server's own, or "" */
    const char *publisher;    /* SHA-256 of the token, in hexadecimal */
    bool listed, hidden;      /* as the publisher, and as the operator wants it */
    int64_t at_ms;
};
/* What somebody has to say against a published game; the newest of each person for a name. */
struct store_report {
    const char *name, *reporter; /* the second: SHA-256 of the token, in hexadecimal */
    int64_t version;
    const char *words;
    int64_t at_ms;
};
/* A picture for the figures of a game. */
struct store_picture {
    const char *hash; /* SHA-256 of the bytes, in hexadecimal */
    int kind;         /* its owner's number */
    const void *bytes;
    size_t length;
    int64_t at_ms;
};

/* What a STORE_SWEEP_PICTURES has seen. */
struct store_sweep {
    const char *next; /* where the next one begins; "": this one was the last */
    uint64_t kept, kept_bytes, removed, removed_bytes;
};
/* What the store's bytes are of. */
enum store_size {
    STORE_SIZE_ROOMS, /* and who sits there */
    STORE_SIZE_EVENTS,
    STORE_SIZE_DEFINITIONS,
    STORE_SIZE_PUBLISHED, /* and what people say against them; their definitions are among those */
    STORE_SIZE_PICTURES,
    STORE_SIZES,
};
/* What a STORE_MEASURE has seen: the sizes are the sums over all parts; a part may take from one. */
struct store_measure {
    const char *next; /* where the next one begins; "": this one was the last */
    int64_t bytes[STORE_SIZES];
};
/* How strong a player is held to be in a *ladder* (a game at a speed). The store only keeps it; in hundredths, and volatility in millionths. */
struct store_strength {
    int64_t rating, deviation, volatility;
};
struct store_rating {
    char ladder[STORE_LADDER_BYTES + 1];
    char player[STORE_PLAYER_BYTES + 1];
    char name[STORE_SHOWN_NAME_BYTES + 1]; /* as last shown */
    bool bot;
    struct store_strength strength;
    int64_t games, won, drawn;
    int64_t rated_at_ms;   /* when the last of them ended */
    int64_t sure_until_ms; /* among the STORE_LEADERS until then */
};
/* What a game did to one of its players. */
struct store_rated_side {
    struct store_rating after;
    char taken_from[STORE_PLAYER_BYTES + 1]; /* whose rating it was until now; "" */
    int score;                               /* 2 won, 1 drawn, 0 lost */
    struct store_strength before;
    int64_t games_before; /* 0: there was no rating */
    int64_t idle_ms;      /* since the game before */
};
struct store_rated_game {
    char room[STORE_ROOM_BYTES + 1];
    char ladder[STORE_LADDER_BYTES + 1];
    int64_t ended_at_ms, number; /* by the store's clock; 0: it has not counted yet */
    int side_count;              /* 0: it does not count after all */
    struct store_rated_side sides[STORE_SIDES_MAX];
};
/* At which version a room is believed to be; or when it is due. */
struct store_known {
    char room[STORE_ROOM_BYTES + 1];
    int64_t version;
};
/* A room that leaves a server's memory, and which seat is to move there at that version; "" and 0: none, or it is not said. */
struct store_turn {
    char room[STORE_ROOM_BYTES + 1], to_move[STORE_SEAT_BYTES + 1];
    int64_t version;
};
enum store_wish { STORE_AS_IT_IS, STORE_NO, STORE_YES };

enum store_ask {
    STORE_APPEND,
    STORE_LOAD, /* room: row, seats, definition, all events; with a node that is its owner from now on unless another one is */
    STORE_TAIL, /* room, from: row, seats, and the events from that version on, STORE_TAIL_MAX of them at most */
    STORE_BEHIND, /* known: those of them that are at a later version, or gone (version 0) */
    /* from, to: rooms that are being played and due at the moment `from` at the latest, in that order, `to` of them at most (known,
     * its versions the moments). A room is due when somebody has to have it in memory, for a clock may run out. */
    STORE_DUE,
    STORE_SET_DUE, /* known: they are due then; of a room that somebody is writing to just now perhaps not */
    STORE_HISTORY, /* room, from, to: events */
    /* public, waiting or playing; waiting first, newest first; with a node those that other nodes own */
    STORE_OPEN_ROOMS,
    /* player, from: the next ones after so many; first those where the player is known to be to move, then the others that are
     * not over, then the rest; each newest first; of a player's newest STORE_PLAYER_ROOMS_LOOKED */
    STORE_PLAYER_ROOMS,
    STORE_SECRET, /* 32 bytes in hexadecimal, made on first use and the same ever after */
    STORE_LEASE, /* node, place, url: its lease is lease_ms from now; who was at that place before has none */
    /* node (NULL: there is none), turns: those of these rooms that are the node's are nobody's, and of those that are still at
     * the version that is named it is known whose turn it is, until they are at another. Of a room that somebody is writing to
     * just now perhaps neither. */
    STORE_RELEASE,
    STORE_LEAVE, /* node: its lease is over, and whatever it owns is nobody's */
    /* retention, room, from, to: looks at up to `from` rooms after `room` in the order of their ids, says which may go, and
     * deletes up to `to` events of removed rooms. A part of the work only, so that no move waits long for it. */
    STORE_SURVEY,
    /* room, from, node: it and its log are gone, and its definition if no other room has it. CONFLICT if it is not at
     * version `from`, or another's, or not now. The asker sees to it that the room is not in its own memory. */
    STORE_REMOVE,
    /* publication (but version, versions, listed and hidden), definition, listing: the next version of the name, which the
     * answer gives. DUPLICATE: the newest version is that text already. CONFLICT: the name is another's, or has
     * STORE_VERSIONS_MAX, or is gone (no publication in the answer then). NOT_FOUND: there is no such ancestor. NO_PICTURE: the definition names one that is not here. */
    STORE_PUBLISH,
    STORE_PUBLISHED, /* publication's name and version (0: the newest): it, with its definition */
    /* The newest versions of those listed and not hidden, newest first, after publication's at_ms and name; with `from` 1
     * of all, by name, after publication's name. */
    STORE_PUBLICATIONS,
    /* publication's name and publisher (NULL: whoever looks after the store), listing, hiding. CONFLICT: it is another's. */
    STORE_LIST,
    /* report: kept, or dropped where the name has STORE_REPORTS_OF_NAME of others. NOT_FOUND: there is no such version. Whoever
     * shows a name (STORE_LIST with hiding NO) has read what was said against it: it is forgotten. */
    STORE_REPORT,
    STORE_REPORTS, /* by name and reporter, after those of report */
    /* publication's name: its versions, what was said against it, and definitions that nothing else has are gone for good; the
     * name is nobody's from then on. NOT_FOUND: there is no such name, or it is gone already. */
    STORE_UNPUBLISH,
    /* picture: kept once by its hash. DUPLICATE: it was there, and is as young as one that comes now. */
    STORE_KEEP_PICTURE,
    STORE_PICTURE, /* picture's hash: its kind and bytes */
    /* picture's hash and at_ms, from, to: looks at up to `from` pictures after that one in the order of their hashes; those that
     * no definition names and nobody has brought since at_ms may go, and go if `to` is not 0. */
    STORE_SWEEP_PICTURES,
    /* room, from: measures up to `from` rows after that place, which the answer before has named ("": the first), how large on
     * disk what is, about. A part of the work only. */
    STORE_MEASURE,
    /* from, room: finished rooms with a ladder that have not counted yet, in the order of their ends and ids, `to` of them at most,
     * after that moment and room: the room, its ladder and its end. */
    STORE_RATABLE,
    STORE_RATINGS, /* rated: in its ladder, of its sides' players and those they have taken from, where there are any */
    STORE_LEADERS, /* rated: the best of its ladder, `to` at most, of those that are sure at the moment `from` */
    /* rated: it counts, under the next number, and its sides' ratings are those after it, or it is forgotten if it has no sides. CONFLICT: a
     * player has not the games before any more, or it has counted. */
    STORE_RATE,
    STORE_RATED,     /* from, to: games that have counted, after number `from`, in that order */
    STORE_STANDINGS, /* rated: all ratings, after its ladder and room (here a player) */
};

/* All strings are the request's own copies once store_ask has been called; the caller keeps its
 * originals. */
struct store_request {
    uint64_t ticket;
    enum store_ask ask;
    const char *room, *player;
    int64_t from, to;
    const char *node; /* NULL: nobody's */
    const char *place, *url;
    int64_t lease_ms;
    struct store_retention retention;
    struct store_publication publication;
    struct store_report report;
    const char *definition; /* of PUBLISH */
    struct store_picture picture;
    enum store_wish listing, hiding;
    int known_count;
    const struct store_known *known;
    int turn_count;
    const struct store_turn *turns;       /* of RELEASE */
    const struct store_rated_game *rated; /* NULL: the question is not about ratings */
    int write_count;
    struct store_write writes[STORE_WRITES_MAX];
};

enum store_status {
    STORE_OK,
    STORE_DUPLICATE, /* of an append: see duplicate_*; or of a publication */
    /* Of an append: the room is not at expected_version, or in another epoch, or somebody is writing to it just now; nothing
     * was written. */
    STORE_CONFLICT,
    STORE_NOT_FOUND,
    STORE_FAILED, /* the outside failed; nothing was written; `words` for the log */
    /* Of an append: the connection died inside COMMIT and no other could be had to ask. It may have been written: the
     * room has to be loaded again before it goes on. */
    STORE_UNKNOWN,
    STORE_NO_PICTURE,
};

struct store_answer {
    uint64_t ticket;
    enum store_ask ask;
    enum store_status status;
    char duplicate_room[STORE_ROOM_BYTES + 1];
    int64_t duplicate_version;
    char duplicate_kind[32];
    int64_t
        conflict_version; /* CONFLICT of an append: the room is there at least; 0: nothing is known */
    /* Owned by the answer, in its arena; gone with store_answer_release. */
    int room_count;
    struct store_room *rooms; /* LOAD, TAIL: one; OPEN_ROOMS, PLAYER_ROOMS: the list */
    const char *definition;   /* LOAD, PUBLISHED */
    size_t definition_length;
    int event_count;
    struct store_event *events; /* LOAD: all; HISTORY, TAIL: those asked for */
    int known_count;
    struct store_known *known; /* BEHIND, DUE */
    const char *secret;
    int other_nodes; /* LEASE: how many servers there are beside this one */
    bool
        is_first; /* LEASE: of them all it is the first by its id: what one of them has to do falls to it */
    int64_t now_ms; /* LEASE: the store's clock */
    const struct store_survey *survey;
    int removed_definitions; /* REMOVE */
    int report_count;
    struct store_report *reports; /* REPORTS */
    int publication_count;
    struct store_publication
        *publications; /* PUBLICATIONS: the list; PUBLISHED, PUBLISH that is done or was: one */
    const struct store_picture *picture; /* PICTURE */
    const struct store_sweep *sweep;     /* SWEEP_PICTURES */
    const struct store_measure *measure; /* MEASURE */
    int rated_count;
    struct store_rated_game *rated; /* RATABLE, RATED */
    int rating_count;
    struct store_rating *ratings; /* RATINGS, LEADERS, STANDINGS */
    char words[160];
    void *arena;
};

void store_answer_release(struct store_answer *answer);

/* --- drivers: synchronous, used on the store's thread only ------------------------------------ */

struct store_driver;
struct store_driver_table {
    const char *scheme; /* "sqlite" */
    bool shared;        /* by several servers */
    /* NULL on failure, with words. Migrates an older schema; refuses a newer one. */
    struct store_driver *(*open)(const char *url, char *words, size_t words_size);
    /* Beside a server that may be using the store: for a question or two, with this program's schema only. */
    struct store_driver *(*open_beside)(const char *url, char *words, size_t words_size);
    /* Answers `count` requests in one commit (reads see the writes before them). answers[i] is
     * initialised here. */
    void (*perform)(struct store_driver *driver, const struct store_request *requests, int count,
                    struct store_answer *answers);
    /* What has been put off until nobody waits: the worker calls it when a batch's answers are on their way. */
    void (*keep_house)(struct store_driver *driver);
    void (*close)(struct store_driver *driver);
    /* It is about to be closed: a database that does not answer is waited for no longer. From another thread than the one that
     * performs; NULL: it waits for nobody. */
    void (*hurry)(struct store_driver *driver);
    /* That the database's library holds in this process, its cache above all. Any thread; NULL: it has none to speak of. */
    uint64_t (*memory_bytes)(void);
};
extern const struct store_driver_table store_sqlite, store_postgres;
const struct store_driver_table *store_find_driver(const char *url); /* NULL: there is none */

/* --- the worker: a queue, a thread, group commit ---------------------------------------------- */

enum {
    STORE_QUEUE_MAX = 65536,
    /* What a commit costs besides its appends is little from here on, and while one is under way the loop works out the
     * next: in larger ones it waits. */
    STORE_BATCH_MAX = 128,
};

struct store;
/* The receiver releases it; the struct itself is the store's and borrowed for the call (copy it to
 * keep it). */
typedef void store_on_answer(void *context, struct store_answer *answer);
struct uv_loop_s;

/* Opens by URL ("sqlite:///absolute/path.db", "sqlite:relative.db", "sqlite::memory:" for tests,
 * "postgresql://user@host/database" with all that libpq knows)
 * and starts the thread; answers arrive on `loop`, many in one wake-up, in the order asked. NULL
 * with words on failure. */
struct store *store_open(const char *url, struct uv_loop_s *loop, store_on_answer *on_answer,
                         void *context, char *words, size_t words_size);
/* On the loop's thread. False when STORE_QUEUE_MAX requests wait already, or after store_close:
 * answer `unavailable`. Copies the request. The thread gets all that was asked in one turn of the
 * loop when that turn ends. */
bool store_ask(struct store *store, const struct store_request *request);
/* How long answers are given in one turn of the loop, one at least; those that are left come in the next turns, in their order. */
enum { STORE_TURN_US = 2000 };
void store_limit_turn(struct store *store, uint32_t turn_us); /* for tests */
/* Whether several servers may use the store of this URL at the same time. */
bool store_is_shared(const char *url);
size_t store_waiting(const struct store *store);
/* Finishes what was asked, delivers the answers, ends the thread; `on_closed` is called on the
 * loop. */
void store_close(struct store *store, void (*on_closed)(void *context), void *context);

/* Copies the SQLite store of a URL, which a server may be using, into a new file at `path`: every append acknowledged
 * before the call is in it. For a command of its own, not for the loop. False, with words, and no file then. */
bool store_backup(const char *url, const char *path, char *words, size_t words_size);

struct store_prune_report {
    uint64_t removed[STORE_EXPIRY_COUNT]; /* rooms, by why */
    uint64_t events, definitions;         /* that went with them */
    uint64_t in_use;                      /* rooms that would have gone, but some server has them */
    struct store_tally kept;
    struct store_sweep pictures;
    int64_t database_bytes, unused_bytes; /* afterwards */
};
/* Removes all that may go, or only counts it. For a command of its own, not for the loop: on SQLite no server may use
 * the store, on PostgreSQL any may. False, with words; what was removed until then is gone. */
bool store_prune(const char *url, const struct store_retention *retention, bool dry_run,
                 struct store_prune_report *report, char *words, size_t words_size);

/* Questions beside a server that may be using the store. For a command of its own, not for the loop. False, with words, if the
 * store cannot be used; else an answer is the caller's. */
struct store_beside {
    const struct store_driver_table *table;
    struct store_driver *driver;
};
bool store_beside_open(struct store_beside *beside, const char *url, char *words,
                       size_t words_size);
bool store_beside_ask(struct store_beside *beside, const struct store_request *request,
                      struct store_answer *answer, char *words, size_t words_size);
void store_beside_close(struct store_beside *beside);
/* One question alone. */
bool store_ask_beside(const char *url, const struct store_request *request,
                      struct store_answer *answer, char *words, size_t words_size);

/* Commits by how long they took: less than a quarter of a millisecond, than twice that, and so on; the last bucket: longer. */
enum { STORE_COMMIT_BUCKETS = 12, STORE_COMMIT_US_FIRST = 250 };

struct store_statistics {
    uint64_t commits, appends, reads, failures;
    uint64_t batch_largest;
    uint64_t commit_us_total, commits_by_time[STORE_COMMIT_BUCKETS];
    uint64_t memory_bytes; /* in this process */
};
void store_read_statistics(const struct store *store, struct store_statistics *statistics);

#endif
