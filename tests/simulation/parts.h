/* What a world is made of. Each file of this folder that acts has its part; none keeps anything beside it. */
#ifndef TESTS_SIMULATION_PARTS_H
#define TESTS_SIMULATION_PARTS_H

#include "protocol/client.h"
#include "protocol/message.h"
#include "server/core/core.h"
#include "tests/server/core/memory_store.h"
#include "tests/simulation/world.h"

enum {
    HOSTS_MAX = WORLD_SERVERS_MAX,
    ACTORS_MAX = 16,
    LINKS_MAX = 48,
    ROOMS_MAX = 64,
    QUESTIONS_MAX = 40, /* of one server at the store */
    ROOMS_OF_LINK_MAX = 16,
    SAID_BUCKETS = 4096,
    KEYS_MAX = 8,
    LEASE_MS = 8000,
};

/* How this life is: some are storms of faults, some mostly play. */
struct weather {
    int steps;
    int faults;           /* of 1,000 steps */
    int said_twice;       /* of 1,000 commands */
    int store_faults;     /* of 1,000 requests */
    int rumours_lost;     /* of 1,000 that one server tells another; and as many come twice */
    int talk;             /* of 1,000 wishes: chat, questions, coming and going */
    int ends;             /* of 1,000 wishes while playing: resigning, aborting, draws, */
    int takebacks;        /*   and to take moves back */
    int restless;         /* of 1,000 wishes of who has nothing to play */
    int outbox_max;       /* frames of a connection; small, so that it fills up */
    int recent_bytes;     /* of events that a room keeps for who resumes, at most */
    int long_games;       /* of 1,000 rooms */
    int rooms_live_min;   /* that a server has in memory at once, at least */
    int rooms_opened_max; /* by `create`; rematches come on top */
    bool in_order;        /* the store performs and answers in the order asked */
};

struct parcel {
    struct parcel *next;
    size_t length;
    uint64_t pinged_ms; /* a ping, or its answer, of one that went out then; 0: a frame */
    char text[];
};
struct fifo {
    struct parcel *first, **end;
    int count;
};

/* A connection: two ends that learn of its end at different times. */
struct link {
    peer_id peer; /* 0: the slot is free */
    int actor, host;
    bool client_there, server_there; /* each end still has it */
    bool server_closing; /* the core has closed it: what is queued still goes, then it ends */
    bool filled;         /* the core was told that the outbox is full */
    int close_code;
    uint32_t lag_ms; /* the round trip that its server was told last */
    struct fifo up, down;
    struct {
        char room[ROOM_ID_BYTES + 1];
        int64_t version; /* the last event or snapshot seen; -1: whatever comes is the first */
        bool seated;     /* whoever is here plays */
    } seen[ROOMS_OF_LINK_MAX];
    int seen_count;
};

enum role { ROLE_PLAYER, ROLE_SPECTATOR, ROLE_HOUSE, ROLE_OBSERVER };

struct actor {
    struct world *world;
    struct client *client;
    enum role role;
    int host;     /* where it connects next */
    bool retired; /* does not come back */
    bool broken;  /* its client cannot go on with this connection */
    bool joining, creating, moving, must_move;
    uint64_t heard_ms, heard_pause; /* the newest position, see times.c; */
    peer_id heard_by;               /*   on that connection, */
    bool heard_well;                /*   while no clock stood at its server */
    struct said *came;              /* its last move that has come to a server */
    char room[ROOM_ID_BYTES + 1];   /* of the house's bot */
    char seat[80];
    /* Whom it looks for: the command, "" when it does not; what came of all of them. */
    char seek[COMMAND_ID_BYTES_MAX + 1], found[ROOM_ID_BYTES + 1];
    int seeks_found, seeks_cut; /* cut: perhaps it was told, and has not heard */
    /* The newest acknowledged move. */
    struct {
        char room[ROOM_ID_BYTES + 1];
        uint64_t order;
        int64_t version;
    } last_move;
};

/* A command as its client's own log has it. */
struct said {
    struct said *next; /* of its bucket */
    int actor;
    uint64_t order; /* of all that was said for the first time */
    char id[COMMAND_ID_BYTES_MAX + 1];
    char what[24];   /* type, or the action's kind */
    char seat[16];   /* of a join */
    int64_t version; /* of a resume: from where */
    enum {
        SOUGHT_NOTHING,
        SOUGHT_TWO,
        SOUGHT_TWO_RED,
        SOUGHT_THREE,
        SOUGHT_RATED
    } sought;           /* of a seek */
    bool late;          /* its event was written when nobody waited for it any more */
    uint64_t stored_at; /* its event was, in that step */
    /* Of a move: when it was made and came to a server, what its player's client has measured, and whether nothing disturbed
     * that; how long the way was thought to be. */
    uint64_t made_ms, came_ms, measured_ms, pause;
    peer_id heard_by;
    bool sound, measured_once;
    uint32_t lag_ms;
    /* On the connection where it was said last: how often it was, and how often answered. */
    peer_id peer;
    int times, answers;
    /* What the client has heard. */
    bool acknowledged;
    char room[ROOM_ID_BYTES + 1];
    int64_t acknowledged_version;
};

struct question {
    struct question *next;
    struct store_request *request; /* owned; NULL once performed */
    struct store_answer answer;
    uint64_t asked_ms, asked_own_ms, /* by the world's clock, and by its server's own */
        unsure_ms; /* then, when so well at worst its server had known what time it is */
    bool performed;
    uint64_t performed_at; /* the step */
};
struct working {
    struct working *next;
    struct job *job;
};

/* How far the time of a server may be from the store's, see times.c. */
struct clock_known {
    bool void_answer;   /* what was asked by the name of before is not listened to (lease.c) */
    bool at_all;        /* the store has said what time it is, */
    uint64_t heard_ms;  /*   the last time then; */
    uint64_t unsure_ms; /*   to so much that was known then, */
    uint64_t stands_ms; /*   but for a clock that was ahead and stands, so long at most; */
    uint64_t worst_ms;  /*   and never less well than that */
};

/* A server: a core with what is under way for it. */
struct host {
    struct world *world;
    int index;
    char name[24];
    char bus_name[48]; /* another one in each life */
    int64_t wrong_ms;  /* its clock is so far ahead when it begins, */
    int64_t fast_ppm;  /*   and runs so much too fast */
    uint64_t began_ms;
    struct clock_known known;
    uint64_t
        pause; /* the last one of the world's that was here: clocks stood, or turns began anew */
    bool store_stands; /* it could not write the last time */
    struct core *core;
    uint64_t still_until_ms;    /* it stands still, as a stopped process does */
    uint64_t told_ms;           /* the time, last */
    uint64_t own_ms;            /* what its own clock said then */
    struct question *questions; /* in the order asked */
    int question_count;
    struct working *working;
    struct rumour *rumours; /* on their way to it */
    int rumour_count;
    bool missed;      /* there were too many */
    bool cut_off;     /* from the bus */
    uint64_t says_ms; /* the next time that it says it is there */
    uint32_t rooms_live_max;
};

/* What was shown of a room, by version: the event without its patch, as the first one saw it. */
struct shown_room {
    char id[ROOM_ID_BYTES + 1];
    char **facts;
    int64_t count, size;
};

struct seat_key {
    char room[ROOM_ID_BYTES + 1], key[24];
};

struct world {
    uint64_t seed, random, now_ms;
    enum canary canary;
    bool trace, calm;   /* calm: no more faults, no more wishes, */
    uint64_t rested_ms; /*   and since then all has been heard of what was said before */
    struct weather weather;
    struct host hosts[HOSTS_MAX];
    int host_count;
    bool has_bus, bus_up;
    uint64_t pauses;
    bool leases; /* the servers know that they may not be alone */
    struct memory_store store;
    int store_still, store_away; /* for so many steps it does nothing; fails whatever it is asked */
    struct question *late_writes; /* of which was said that nobody knows */
    uint64_t
        told_of; /* while a server hears what the store has answered: the step in which it did; 0: none does */
    struct actor actors[ACTORS_MAX];
    int actor_count;
    struct link links[LINKS_MAX];
    int link_count; /* the highest slot in use, and one */
    peer_id last_peer;
    char rooms[ROOMS_MAX][ROOM_ID_BYTES + 1];
    int room_count;
    struct seat_key keys[KEYS_MAX];
    int key_count;
    struct said *said[SAID_BUCKETS];
    uint64_t said_count;
    struct shown_room shown[ROOMS_MAX];
    int shown_count;
    bool written_elsewhere; /* a room was written to behind the back of who has it in memory */
    struct world_report *report;
};

/* --- world.c: chance, and what went wrong */

uint64_t below(struct world *world, uint64_t bound);
bool chance(struct world *world, int in_thousand);
void violate(struct world *world, const char *format, ...);
void trace(const struct world *world, const char *format, ...);

/* --- network.c: frames on their way */

struct link *network_find(struct world *world, peer_id peer);
struct link *network_link_of(struct world *world, int actor);
void network_connect(struct world *world, int actor);
void network_flush(struct world *world,
                   struct link *link); /* what the client has to say goes on its way */
void network_deliver(struct link *link, const char *text, size_t length); /* to the client, later */
void network_ping(struct world *world, struct link *link);
void network_end_client(struct world *world, struct link *link);
void network_end_server(struct world *world, struct link *link);
void network_end_host(struct world *world, int host); /* all its connections, when it is gone */
bool network_step_up(struct world *world);
bool network_step_down(struct world *world);
bool network_step_close(struct world *world);
bool network_step_notice(struct world *world);
void network_cut(struct world *world);
void network_say_garbage(struct world *world);

/* --- hosts.c: servers */

/* What its own clock says; the core is told. */
uint64_t host_look_at_clock(struct host *host);
bool host_still(const struct host *host);
void host_start(struct host *host);
void host_crash(struct host *host);
bool host_step_work(struct world *world);

/* --- bus.c: what servers tell each other */

void bus_say(struct host *from, const struct bus_message *said);
bool bus_step(struct world *world);
void bus_crash(struct host *host);
void bus_say_who_is_there(struct world *world);
/* It breaks, or is whole again; or a server is cut off from it, or no longer. */
void bus_flip(struct world *world);
void bus_rest(struct world *world); /* nobody is cut off */
void bus_tell_of_neighbours(struct host *host);

/* --- disk.c: the store's pace */

bool disk_ask(struct host *host, const struct store_request *request);
bool disk_step_perform(struct world *world);
bool disk_step_answer(struct world *world);
bool disk_step_late(struct world *world); /* a write nobody waits for any more */
void disk_crash(
    struct host *host); /* what it has asked may be done, though nobody will hear of it */
void disk_fence(struct world *world);    /* a room begins a new epoch */
void disk_stranger(struct world *world); /* another program writes to a room */

/* --- actors.c: what people want */

int actor_add(struct world *world, enum role role, const char *token);
int actor_add_house(struct world *world, int host, const char *room, const char *seat,
                    const char *token);
void actor_act(struct world *world);
void actor_add_twin(struct world *world); /* the same player on another device */

/* --- oracle.c: what must hold */

struct said *oracle_find_said(struct world *world, int actor, const char *id);
/* The command that this frame is, of its client's log: perhaps it is new there. NULL: it has no id. */
struct said *oracle_command(struct world *world, int actor, const char *frame);
void oracle_said(struct world *world, struct link *link, const char *text);
void oracle_sent(struct world *world, struct link *link, const char *text);
void oracle_asked(const struct host *host, const struct store_request *request);
void oracle_answered(struct world *world, const struct store_answer *answer);
void oracle_heard_ack(struct world *world, int actor, const struct client_event *event);
void oracle_heard_history(struct world *world, const char *json);
void oracle_written_late(struct world *world, const char *id);
void oracle_stored(struct world *world, const char *id);
void oracle_look_at_store(struct world *world); /* after an append */
void oracle_look_at_all(struct world *world);   /* at rest */
void oracle_look_at_room(struct world *world, const struct kept_room *room);
/* Whose turn it is, as a client that has the room at that version knows it, there or not; NULL: there is none. */
const char *oracle_to_move(const struct world *world, const char *room, int64_t version);
void oracle_release(struct world *world);

/* --- seeks.c: who was found */

void seeks_look_at_all(struct world *world); /* at rest */

/* --- ratings.c: what rated games came to */

void ratings_look_at_all(struct world *world); /* at rest */

/* --- times.c: what time moves took */

void times_begin(struct host *host);
void times_lease_lost(struct host *host);
void times_hear(struct world *world, const struct link *link, const char *frame);
void times_make(struct world *world, int actor, const char *frame);
void times_come(struct world *world, const struct link *link, struct said *said);
void times_answer(struct world *world, struct link *link, uint64_t pinged_ms);
void times_asked(struct host *host, struct question *question);
void times_stored(struct world *world, const struct question *question);
void times_read(struct world *world, const struct store_request *request);
void times_store_said(struct host *host, const struct question *question);
void times_look_at(struct world *world, const struct kept_room *room); /* at rest */
/* The clocks of a state that somebody has who knows all of the room: they are what its log leads to. */
void times_look_at_state(struct world *world, const struct kept_room *room, const char *state);

/* --- flags.c: who has no time left */

/* At rest: by when the next flag of all must have fallen; 0: no clock runs. */
uint64_t flags_next_ms(struct world *world);
/* Whether anybody's clock may still run. */
bool flags_awaited(const struct world *world);

#endif
