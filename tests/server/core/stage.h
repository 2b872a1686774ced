/* A core on a stage: peers by name, a store in memory, time and randomness of the test's, and scripts in words.
 *
 *     ada: auth                 -> welcome
 *     ada: create two           -> ack 1
 *     ada: join red             -> ack 2; snapshot 2 red
 *     bob: auth                 -> welcome
 *     bob: join any             -> ack 3; snapshot 3 green
 *     ada hears: joined 3 moves
 *
 * A line is who, what, and after -> everything this peer hears in answer. "hears" takes what came since. A connection's name is
 * a player's with digits after it: ada and ada2 hold the same token. Commands get ids of their own; `#id` before a command
 * gives it one. `move FROM TO[=CHOICE] [VERSION]`, `create GAME [PLAYERS]`, `explain FROM TO`, `ply K`,
 * `plies FROM`, `hint [PLY]`, `fork PLY` (of the last room), `chat.mute WHO`, `claim.timeout win`, `rematch.offer CLOCK`. Where nothing follows what is said is not looked at.
 *
 * `seat_key` asks for a key, `take [NAME]` joins with the last one that anybody was given, `take.old [NAME]` with the one before.
 *
 * What is heard, in short: `ack V [mode]`, the code of an error, `KIND V [moves]` for an event, `snapshot V SEAT [moves]
 * [bare]` (without layout), `legal_moves N`, `history FROM TO N`, `ply K V`, `plies FROM N ALL`, `lobby ROOMS MINE [seeks N]`, `seat_key V [key]`, `games …`, `welcome`, `pong`, `closed CODE`.
 * Presence and hello are left out, but `WHO sees: …` compares the last presence:
 * `0 red; green away 15000`. */
#ifndef TESTS_SERVER_CORE_STAGE_H
#define TESTS_SERVER_CORE_STAGE_H

#include "server/core/core.h"
#include "tests/server/core/memory_store.h"

#include <jansson.h>
#include <stdio.h>

enum { STAGE_PEERS_MAX = 3200 };

struct heard {
    char *text; /* the frame */
    struct heard *next;
};

struct stage_peer {
    char name[16];
    peer_id peer;
    bool open, full; /* full: its outbox takes nothing more */
    struct heard *first, **end;
    char presence[128];
    int close_code; /* 0: not closed */
};

struct stage_request {
    struct store_request *request; /* owned */
    struct stage_request *next;
};
struct stage_job {
    struct job *job;
    struct stage_job *next;
};
/* What came of the last export or import that was answered. */
struct stage_transfer {
    uint64_t request; /* 0: none yet */
    enum refusal refusal;
    char words[512], room[24];
    char *text; /* owned; of an export */
    uint64_t retry_ms;
    int count;
};

/* And of the last wish about published games. */
struct stage_published {
    uint64_t request;
    enum published_outcome outcome;
    char words[256];
    char *json; /* owned */
    uint64_t retry_ms;
    int count;
};

/* What other servers were told last. */
struct stage_told {
    int count; /* of events */
    int64_t version, took_ms;
    int here_count; /* of who is in a room */
    int64_t spectators, seats, at_ms;
    char newcomer[32];
    char kind[32], client[32], command[40], body[256];
    int seek_count; /* of seeks */
    char seek_kind[16], seek_for[128], seek_body[512], seek_player[64], seek_node[64];
    int64_t seek_number;
    int lobby_count; /* of rooms of the lobby */
    char row[512];   /* of the last one; "": it is listed no more */
};

/* And of the last picture that was brought or asked for. */
struct stage_pictured {
    uint64_t request;
    enum picture_answered outcome;
    char words[256], hash[STORE_HASH_DIGITS + 1];
    char *bytes; /* owned */
    uint64_t retry_ms;
    int count;
};

/* A hint that is thought about: whoever answers it takes it from the list and frees the position. */
enum { STAGE_HINTS_MAX = 8 };
struct stage_hint {
    uint64_t number;
    struct position *position;
    int lines;
};

struct stage {
    struct core *core;
    struct core_options options;
    struct memory_store store;
    uint64_t now_ms, random;
    struct core_address address; /* of whoever comes next; all zero: this machine */
    peer_id last_peer;
    struct stage_peer peers[STAGE_PEERS_MAX];
    int peer_count;
    struct stage_request *asked, **asked_end;
    struct stage_job *jobs, **jobs_end;
    bool jobs_hold; /* nobody works */
    struct stage_transfer transfer;
    struct stage_published published;
    struct stage_told told;
    struct stage_pictured pictured;
    bool store_holds;              /* answers wait */
    peer_id measured;              /* whose round trip was asked for last, */
    int measured_count;            /*   and how often in all */
    int conflicts;                 /* so many of the next appends lose a race that nobody has won */
    bool fail_all;                 /* next_status is that of everything asked */
    bool in_the_dark;              /* appends are done, and nobody is told */
    bool store_full;               /* the queue takes nothing */
    enum store_status next_status; /* not OK: instead of performing the next append */
    char key[32], old_key[32];
    char room[24], house_room[24], house_seat[16], house_token[64];
    int house_count, house_level, log_count, id_count;
    struct stage_hint hints[STAGE_HINTS_MAX];
    int hint_count;
    FILE *traffic; /* SENET_TRAFFIC names a file: all that is heard is added to it, a line each */
    /* Where set, whether a peer's outbox takes the frame. */
    bool (*takes)(void *context, const struct stage_peer *peer, struct frame *frame);
    void *takes_context;
    bool only_small_games; /* no chess: quicker, and nothing is read from a file */
    char last_log[64];
};

void stage_init(struct stage *stage);
void stage_init_small(struct stage *stage); /* without chess */
void stage_release(struct stage *stage);
/* Around a test, as cmocka wants them: its state is a small stage. */
int stage_set_small(void **state);
int stage_clear(void **state);
void stage_start(struct stage *stage); /* a core on what the store has */
void stage_crash(struct stage *stage); /* the core and all connections are gone; then stage_start */
void stage_work(struct stage *stage);  /* works and answers until there is nothing to do */
void stage_work_once(struct stage *stage);       /* one job is done */
struct job *stage_take_job(struct stage *stage); /* the first one, which there must be */
struct stage_peer *stage_peer(struct stage *stage, const char *name);
void stage_open(struct stage *stage, const char *name, bool local);
void stage_say(struct stage *stage, const char *name, const char *json);
void stage_forget(struct stage *stage, const char *name); /* what it has heard */

/* Runs the lines; fails the test with the line's words and what was heard instead. */
void stage_play(struct stage *stage, const char *script);

/* The last frame of that type a peer has heard and not yet compared, parsed; NULL: none. The caller's. */
json_t *stage_last(struct stage *stage, const char *name, const char *type);
/* Commands are of the next room from now on, of which this player has just heard. */
void stage_go_on(struct stage *stage, const char *name);

#endif
