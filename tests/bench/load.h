/* The load generator in two parts: what clients say and hear (load_talk.c), and their sockets and processes and what is measured
 * (load.c). */
#ifndef TESTS_BENCH_LOAD_H
#define TESTS_BENCH_LOAD_H

#include "tests/bench/histogram.h"
#include "tests/bench/sightings.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    FRAME_BYTES_MAX = 1024,
    SERVERS_MAX = 8,
    SENT_MAX = 64, /* moves of a room that its spectators are behind by */
};

enum role { ROLE_WHITE, ROLE_BLACK, ROLE_SPECTATOR, ROLE_IDLE };
enum stage { STAGE_HANDSHAKE, STAGE_AUTH, STAGE_LOBBY, STAGE_ROOM };

/* In memory that spectators' processes share. */
struct room {
    char id[24];
    int white, black; /* indices of their connections */
    uint64_t sent_at_us, due_at_us;
    char move[80];              /* chosen, waiting to be due; "" when none */
    int mover;                  /* who will send it */
    int64_t version;            /* in which it was chosen */
    uint64_t sent_us[SENT_MAX]; /* by the version a move became */
    uint64_t passed;            /* versions of the rooms that were here before */
    _Atomic bool seated;        /* both have joined */
};

struct connection {
    int fd;
    enum role role;
    enum stage stage;
    int room;
    unsigned command;
    char watched[24];    /* a spectator's room; "": none yet, or none any more */
    int64_t version;     /* as it was shown it last; 0: not yet */
    uint64_t passed;     /* when it came */
    uint64_t sent_at_us; /* its last move */
    bool
        own_pending; /* its own move's event has not come yet; the other's answer may overtake it here */
    char *received;
    size_t received_length, received_room;
};

/* What the processes with the spectators and the one with the players tell each other. */
struct watching {
    _Atomic int ready;
    _Atomic bool over;
    uint64_t measured_from_us, measured_to_us;
    struct watched {
        struct histogram latency;
        uint64_t deliveries, errors;
    } of[SERVERS_MAX];
};

struct load {
    const char *host;
    int ports[SERVERS_MAX], port_count, rooms_wanted, spectators, idle, server_pid;
    double rate, seconds, warmup;
    bool bare;
    bool own_moves, declines; /* clients know what to play; and have no legal moves sent to them */
    int epoll;
    struct connection *connections;
    int connection_count, ready_count;
    struct room *rooms;
    struct watching *watching;
    struct sightings *sightings; /* of the first room */
    struct histogram acknowledged, opponent, watched;
    int between_rooms; /* spectators whose room is over */
    uint64_t moves, deliveries, games, errors;
    uint64_t random;
};

uint64_t load_now_us(void);
/* Unmasked but in name. A socket that cannot take it is an error. */
void load_send(struct load *load, struct connection *connection, const void *bytes, size_t length);
/* All moves that are due. */
void load_send_due(struct load *load);
/* A connection is open: it comes to its room. */
void load_on_welcome(struct load *load, int index);
void load_on_text(struct load *load, int index, const char *text);
/* Spectators whose game is over come to the next one. */
void load_watch_next(struct load *load);

#endif
