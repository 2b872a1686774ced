/* The server without its outside: rooms, sessions, the lobby, permissions, journal.
 *
 * It takes values in (a peer said this, that append is durable, the time is now t) and gives values out through its
 * ports (send this frame to that peer, append this, do that on a thread). It opens nothing, asks nobody for the time, and
 * makes no randomness: the same inputs give the same outputs, so whole servers run in a simulation.
 *
 * Glossary. *Peer*: one connection, known by a number that is never used twice. *Session*: what the core keeps for a
 * peer. *Player*: who holds a token; the same on every connection. *Room*: one game being played. *Seat*: a
 * player's place in a room. *Attached*: a session that receives a room's events. *Event*: what happened in a
 * room; its *version* counts them. *Ticket*: joins an asynchronous answer to its question; never a pointer.
 *
 * The life of a command: core_peer_said → allowance → message_read → dispatch (a table: who may, what it costs, who
 * handles it) → the room decides and asks the store to append → core_store_answered → the event is applied,
 * published to the attached sessions, and acknowledged. While a room's append is under way further commands for
 * it wait in the room's queue (bounded), so a room is always what the store says it is. */
#ifndef SERVER_CORE_CORE_H
#define SERVER_CORE_CORE_H

#include "engine/load/diagnostic.h"
#include "engine/position.h"
#include "protocol/message.h"
#include "server/bus/bus.h"
#include "server/core/frame.h"
#include "server/store/store.h"

typedef uint64_t peer_id;

/* Who is at the other end, for what is counted by address: IPv6, or IPv4 mapped into it. All zero: this machine itself,
 * which nothing is counted for. */
struct core_address {
    uint8_t bytes[16];
};

struct core;

enum send_result {
    SEND_QUEUED,
    SEND_FULL, /* the peer's outbox is over its bound: the frame was not taken */
};

/* Work that takes longer than a turn of the loop may, done on another thread; a function of itself alone. */
struct job {
    void (*run)(struct job *job);
};

enum record_form { RECORD_AS_FILE, RECORD_AS_PGN };

/* What is said to a game that wants to leave or to come. */
struct transfer_answer {
    enum refusal refusal; /* NONE: what was asked for is here */
    const char *words;
    uint64_t retry_ms;
    const char *text; /* of an export; borrowed, like all texts here */
    size_t length;
    enum record_form form;
    const char *room; /* which one: of an import the new one */
};

/* What becomes of a wish about published games. */
enum published_outcome {
    PUBLISHED_OK,
    PUBLISHED_NEW,       /* a version that was not there */
    PUBLISHED_BAD,       /* a name, an ancestor or the definition is not as it must be */
    PUBLISHED_BAD_TOKEN, /* whoever it is has to say so */
    PUBLISHED_NOT_YOURS, /* the name is another's, or the server's */
    PUBLISHED_UNKNOWN,   /* there is no such game */
    PUBLISHED_RATE_LIMITED,
    PUBLISHED_UNAVAILABLE,
};
struct published_answer {
    enum published_outcome outcome;
    const char *words; /* unless OK or NEW; borrowed, like all texts here */
    uint64_t retry_ms;
    const char *json; /* the answer, or of BAD {"diagnostics":[…]}; NULL: words alone */
    size_t length;
    const struct game *game; /* what is to be drawn, borrowed; or NULL */
    const char *hash;        /* with it: of its definition */
};

/* A picture that was brought, or is asked for. */
enum { CORE_PICTURE_BYTES_MAX = 128 * 1024 }; /* whatever a server allows */
enum core_picture { CORE_PICTURE_SVG, CORE_PICTURE_PNG };
enum picture_answered {
    PICTURE_OK,  /* here it is; or what was brought was here already */
    PICTURE_NEW, /* it was not here before */
    PICTURE_BAD, /* it may not be here */
    PICTURE_UNKNOWN,
    PICTURE_RATE_LIMITED,
    PICTURE_UNAVAILABLE,
};
struct picture_answer {
    enum picture_answered outcome;
    const char *words; /* borrowed, like all texts here */
    uint64_t retry_ms;
    const char *hash; /* of OK and NEW */
    enum core_picture kind;
    const void *bytes; /* of one that is asked for */
    size_t length;
};

/* A move that is good in a position, and what may follow it. */
enum { CORE_HINT_MOVES_MAX = 8 };
struct core_hint {
    int share; /* of the points that who is to move may expect: thousandths; 0 and 1000 are certain */
    int ends_in; /* so many plies then; 0: not known */
    int move_count;
    struct move moves[CORE_HINT_MOVES_MAX];
};

enum fact_level { FACT_INFO, FACT_WARNING, FACT_ERROR };

/* The outside, as the core sees it. None of these may call back into the core. */
struct core_ports {
    void *context;
    /* Takes a reference of its own if it keeps the frame. A frame with a replace_key may take the place of an unsent
     * one with the same key. */
    enum send_result (*send)(void *context, peer_id peer, struct frame *frame);
    /* Everything queued is written first, then the close frame. core_peer_gone follows, later. */
    void (*close)(void *context, peer_id peer, int code, const char *reason);
    /* The round trip to the peer is to be measured, beside what is sent to it next; core_peer_answered follows, unless the
     * peer does not answer. NULL: it cannot be, and is taken for none. */
    void (*measure)(void *context, peer_id peer);
    /* False: the store's queue is full. Otherwise core_store_answered follows, once. */
    bool (*store)(void *context, const struct store_request *request);
    /* For the other servers of the store to hear; it may be lost. NULL: there are none. */
    void (*publish)(void *context, const struct bus_message *message);
    /* The server's own bot is to sit in `room` on `seat` (both borrowed): connect as a local peer with `token`, and play at
     * this level (0: as the house has it). */
    void (*house_bot)(void *context, const char *room, const char *seat, int level,
                      const char *token);
    /* What is good in `position` (taken), so many moves of it: core_hinted follows, unless it is forgotten before. NULL, both: nobody
     * here can say. */
    void (*hint)(void *context, uint64_t number, struct position *position, int lines);
    void (*forget_hint)(void *context, uint64_t number);
    /* Do job->run(job) on another thread; core_worked follows, once. */
    void (*work)(void *context, struct job *job);
    /* The one answer to a core_export or core_import of this request; perhaps before that returns. */
    void (*transferred)(void *context, uint64_t request, const struct transfer_answer *answer);
    /* The one answer to what is asked about published games, likewise. */
    void (*published)(void *context, uint64_t request, const struct published_answer *answer);
    /* Whether the picture of this definition was drawn before, and has been given to this request: then the game is not
     * needed. NULL: none is kept. */
    bool (*drawn)(void *context, uint64_t request, const char *definition_hash);
    /* The one answer to a core_bring_picture or core_read_picture, likewise. */
    void (*pictured)(void *context, uint64_t request, const struct picture_answer *answer);
    /* There is too little memory to take up anything that grows; NULL: there never is. */
    bool (*memory_is_short)(void *context);
    void (*random)(void *context, void *bytes, size_t size); /* unpredictable */
    /* One line of log: a fact and its members, JSON written already (`"room":"…","version":3`). */
    void (*log)(void *context, enum fact_level level, const char *fact, const char *members);
};

struct core_options {
    uint32_t commands_per_s; /* a connection's allowance, in cost units */
    uint32_t commands_burst;
    uint32_t address_per_s, address_burst;                  /* and an address's, see account.h */
    uint32_t address_rooms_per_minute, address_rooms_burst; /* rooms an address may make */
    uint32_t all_per_s, all_burst; /* units of cost, all together; per_s 0: no limit */
    uint32_t rooms_made_per_s, rooms_made_burst;        /* and all together, see making.h */
    uint32_t bots_max, bots_of_address, bots_of_player; /* at play, see bots.h */
    uint32_t bot_level;                                 /* of those that are invited without one */
    uint32_t picture_bytes;                             /* of one picture */
    uint32_t address_day_bytes; /* that an address may write in a day; 0: as many as it likes */
    uint32_t accounts_kept_max; /* of addresses without a connection */
    uint32_t heartbeat_ms, player_heartbeat_ms; /* told in `hello` */
    uint32_t auth_within_ms; /* a peer that has not said `auth` by then is closed (1008) */
    uint32_t
        room_idle_ms; /* a room nobody is attached to leaves memory after this; the store keeps it */
    uint32_t absence_ms;     /* the longest that who has gone is waited for, see absence.h */
    uint32_t lease_ms;       /* 0: this server has its store for itself */
    const char *url, *place; /* of the lease, see store.h; borrowed as long as the core lives */
    uint32_t rooms_live_max;
    /* Of memory for strangers' definitions and the positions of their rooms; of those one address brought. */
    uint32_t definitions_mib, address_definitions_mib;
    uint64_t transfer_units; /* of engine/work.h: how much an import or an export may take */
    uint32_t rooms_per_session_max;
    /* Bytes of events kept in memory for `resume`, of one room and of all; who missed more gets a snapshot. */
    uint32_t recent_room_bytes, recent_bytes;
    struct store_retention retention; /* `now_ms` is the core's own */
    uint64_t prune_every_ms;          /* 0: whoever asks the store does it */
    /* Over the first of the store, or under the second free on its disk, there are no new rooms; 0: never. */
    uint64_t store_bytes_max, disk_bytes_min;
};
void core_options_default(struct core_options *options);

struct core *core_new(const struct core_options *options, const struct core_ports *ports,
                      uint64_t now_ms);
/* Without a word to anybody: as a crash would. No thread works for it any more; what it gave them goes with it. */
void core_free(struct core *core);

/* A game of the server's own list, before the first peer. `id` is what `create` names; takes its own reference and
 * copies the text. False when the id is taken already. */
bool core_add_game(struct core *core, const char *id, struct game *game, const char *text,
                   size_t length);
/* The same file, compiled for one of the numbers of players it may be played with. */
bool core_add_game_for(struct core *core, const char *id, int players, struct game *game);
/* Asks the store what the lobby and the bots need; core_ready once it has answered. */
void core_start(struct core *core);
bool core_ready(const struct core *core);
/* And the store, where others share it, has not left a question waiting: what is done now will be acknowledged soon. */
bool core_serves(const struct core *core);

/* Time in milliseconds since 1970; never goes back. Call before other inputs of the same turn of the loop. */
void core_time(struct core *core, uint64_t now_ms);
uint64_t core_deadline_ms(
    const struct core *core); /* call core_time then at the latest; UINT64_MAX: no need */

/* The token of a player who is known by a name only to this server, for a local peer to say: the same for ever, and made
 * of the server's secret, so that nobody else can make it. `purpose`: whose names these are. Ready cores only; `token` has
 * room for 43 characters and a zero. */
void core_token_for(const struct core *core, const char *purpose, const char *name, char *token);

void core_peer_opened(struct core *core, peer_id peer, bool local,
                      const struct core_address *address);
/* The same of one who says one command, or asks one question, and goes: it takes no place in a room for that, so no other connection
 * of its player loses one, and nobody sees it come. What it may do is what its seats may. It costs no connection. */
void core_peer_passes(struct core *core, peer_id peer, const struct core_address *address);
void core_peer_said(struct core *core, peer_id peer, const char *text, size_t length);
/* Whether it has a seat in a game that is being played. */
bool core_peer_plays(const struct core *core, peer_id peer);
/* And whether it is heard before others for that: what it asks for is little beside the moves it makes (cost.h). */
bool core_peer_precedes(const struct core *core, peer_id peer);
void core_peer_drained(struct core *core,
                       peer_id peer); /* after SEND_FULL: its outbox is empty again */
/* The round trip to it took so long, measured without its word; of a local peer nobody says so. */
void core_peer_answered(struct core *core, peer_id peer, uint32_t round_trip_ms);
void core_peer_gone(struct core *core, peer_id peer);
void core_store_answered(struct core *core, struct store_answer *answer); /* releases it */
void core_worked(struct core *core, struct job *job);
/* `position`: as it was asked about; the best first. All borrowed. */
void core_hinted(struct core *core, uint64_t number, struct position *position,
                 const struct core_hint *hints, int count);
/* Another server of the store says so; something of that was lost; there is something that carries it, or none. */
void core_heard(struct core *core, const struct bus_message *message);
void core_missed(struct core *core);
void core_bus_changed(struct core *core, bool is_up);
void core_neighbours(struct core *core,
                     int count); /* other servers that are heard of on it, again and again */

/* Over HTTP: a game as a file, and a room from one. `request` names whoever asked, from `address`; texts are copied. */
void core_export(struct core *core, uint64_t request, const struct core_address *address,
                 const char *room, enum record_form form);
void core_import(struct core *core, uint64_t request, const struct core_address *address,
                 const char *text, size_t length, bool is_public);

/* Games that players publish, over HTTP: see publishing.h. `request` and texts as above; `token` NULL: none was said. */
enum { PUBLISH_BYTES_MAX = 256 * 1024 };
struct publication {
    const char *name, *token;
    const char *ancestor;    /* "NAME@N", the id of a served game, or "" */
    enum store_wish listing; /* AS_IT_IS: of a new name unlisted */
    const char *text;        /* the definition */
    size_t length;
};
void core_publish(struct core *core, uint64_t request, const struct core_address *address,
                  const struct publication *publication);
void core_list_game(struct core *core, uint64_t request, const struct core_address *address,
                    const char *name, const char *token, bool listed);
/* Something against the version `game` ("NAME@N"), for whoever looks after the server: a line of at most so many bytes. */
enum { REPORT_BYTES_MAX = 500 };
void core_report(struct core *core, uint64_t request, const struct core_address *address,
                 const char *game, const char *token, const char *words);
/* `game`: "NAME@N", or "NAME" for the newest version. */
void core_read_published(struct core *core, uint64_t request, const struct core_address *address,
                         const char *game);
/* The same game, to be drawn. */
void core_picture(struct core *core, uint64_t request, const struct core_address *address,
                  const char *game);
/* Those that are listed, newest first. `before`: what an answer called `next`, or "". */
void core_read_publications(struct core *core, uint64_t request, const struct core_address *address,
                            const char *before);

/* How strong players are, over HTTP: of `player`, or, "", the best. The answer comes as those about published games do. */
void core_read_ratings(struct core *core, uint64_t request, const struct core_address *address,
                       const char *game, const char *speed, const char *player);

/* Pictures for figures, over HTTP: see pictures.h. `hash` is what stands before ".svg" in its address. */
void core_bring_picture(struct core *core, uint64_t request, const struct core_address *address,
                        enum core_picture kind, const void *bytes, size_t length);
void core_read_picture(struct core *core, uint64_t request, const struct core_address *address,
                       const char *hash, enum core_picture kind);

/* What is asked over HTTP by `address` costs so many thousandths of a unit: 0, or, charging nothing, the milliseconds until it
 * may be asked. And what it has come to besides, afterwards. */
uint64_t core_take(struct core *core, const struct core_address *address, uint64_t thousandths);
void core_charge(struct core *core, const struct core_address *address, uint64_t thousandths);

/* Refuses every further command with `unavailable`; core_quiet: nothing waits for the store any more. */
void core_stop(struct core *core);
bool core_quiet(const struct core *core);
/* The store has not been heard from for longer than the lease: whatever is under way, nobody will be told what became of it. */
bool core_cut_off(const struct core *core);

/* JSON for the HTTP API (struct writer of protocol/writer.h). core_write_game: false when there is none. */
struct writer;
/* `language`: a tag, in which they are told as far as their files say it; "": as they are. */
void core_write_games(const struct core *core, const char *language, struct writer *writer);
bool core_write_game(const struct core *core, const char *id, struct writer *writer);
void core_write_lobby(const struct core *core, struct writer *writer);
/* The i-th served game, borrowed; NULL: there are not so many. */
const struct game *core_game(const struct core *core, int i, const char **id);
/* What is played in a room in memory; NULL: it is not known without reading it. */
const struct game *core_game_of_room(const struct core *core, const char *id);
/* A new copy of how a room in memory stands, if its game is going on and it is at this version; else NULL. */
struct position *core_copy_position(const struct core *core, const char *id, int64_t version);

/* What the store was given to keep, by kind. */
enum core_written {
    CORE_WRITTEN_ROOMS, /* their rows, and how they began */
    CORE_WRITTEN_MOVES,
    CORE_WRITTEN_CHAT,
    CORE_WRITTEN_EVENTS, /* all others */
    CORE_WRITTEN_DEFINITIONS,
    CORE_WRITTEN_PUBLISHED, /* and what people say against them */
    CORE_WRITTEN_PICTURES,
    CORE_WRITTEN_KINDS,
};

struct core_statistics {
    uint64_t peers, sessions, rooms_live, rooms_waiting_for_store, spectators;
    uint64_t commands, refusals, events, moves, duplicates, resumes_by_events, resumes_by_snapshot,
        resyncs;
    uint64_t editions, definition_bytes; /* in memory; of strangers' */
    uint64_t rooms_unknown;              /* asked for, and not there */
    uint64_t refusals_by[REFUSAL_COUNT];
    uint64_t makings_refused; /* rooms, imports, seat keys and publications that were too many */
    uint64_t bots_waiting, bots_refused, bots_gave_way, rooms_gave_way;
    uint64_t seeks_waiting, seeks_paired; /* who looks for somebody here; rooms that came of it */
    uint64_t games_rated;                 /* that have counted, or were found not to */
    uint64_t written[CORE_WRITTEN_KINDS]; /* bytes, about */
    uint64_t cost;                        /* charged, in thousandths of a unit */
    uint64_t tasks_waiting, tasks_at_work, tasks_refused; /* of the threads, see tasks.h */
    uint64_t followed,
        gaps; /* events of other servers that were taken in; times that some were missing */
    uint64_t store_failures, conflicts, leases_lost, rooms_moved;
    /* Of the store: as it was when it was looked at, and as the last whole walk along it has counted. */
    uint64_t store_bytes, store_unused_bytes, disk_bytes, store_full, walks;
    struct store_tally stored[STORE_STATUS_COUNT][2]; /* [status][is_public] */
    uint64_t stored_bytes[STORE_SIZES];               /* about */
    uint64_t stored_pictures, stored_picture_bytes, removed_pictures;
    uint64_t removed_rooms[STORE_EXPIRY_COUNT], removed_events, removed_definitions;
};
void core_read_statistics(const struct core *core, struct core_statistics *statistics);

#endif
