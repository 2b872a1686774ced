/* A store in memory that keeps what store.h promises: gap-free versions, an append all at once or not at all, conflicts,
 * duplicates by (room, client, command), leases and epochs. It survives the core that uses it, and can be asked what it holds. */
#ifndef TESTS_SERVER_CORE_MEMORY_STORE_H
#define TESTS_SERVER_CORE_MEMORY_STORE_H

#include "server/store/store.h"
#include "tests/server/core/memory_ratings.h"

struct kept_event {
    int64_t version, epoch, at_ms;
    char *kind, *client, *command, *body;
    int next; /* of the same bucket of commands; -1: the last */
    uint64_t decided_ms, unsure_ms, stored_ms,
        read_ms; /* the store leaves them alone: notes of tests/simulation/times.c */
};
struct kept_seat {
    char *seat, *player, *token_hash, *name;
    bool bot, house;
};
struct kept_room {
    char *id, *game, *title, *definition_hash, *definition, *players;
    char *ladder;                       /* NULL: none */
    char to_move[STORE_SEAT_BYTES + 1]; /* at turn_version */
    int64_t turn_version;
    bool is_public;
    enum store_room_status status;
    int64_t version, epoch, created_at_ms, due_at_ms;
    char owner[STORE_NODE_BYTES + 1]; /* "": nobody */
    int seat_count;
    struct kept_seat seats[STORE_SEATS_MAX];
    struct kept_event *events;
    int event_count, event_size;
    int *
        commands; /* buckets by client and command, a power of two of them, as many as event_size */
};
struct kept_node {
    char id[STORE_NODE_BYTES + 1], place[64], url[64];
    int64_t lease_until_ms;
};
struct kept_publication { /* a version; what belongs to the name stands in its newest */
    char *name, *publisher, *hash, *definition, *title, *players, *ancestor;
    int64_t version, ancestor_version, at_ms;
    bool listed, hidden;
};
struct kept_picture {
    char hash[STORE_HASH_DIGITS + 1];
    char *bytes;
    size_t length;
    int kind;
    int64_t at_ms;
};
enum { MEMORY_STORE_NODES_MAX = 4 };
struct memory_store {
    struct kept_room *rooms;
    int room_count, room_size;
    struct kept_publication *publications;
    int publication_count;
    struct kept_picture *pictures;
    int picture_count;
    struct memory_ratings ratings;
    struct kept_node nodes[MEMORY_STORE_NODES_MAX];
    int node_count;
    int64_t bytes;    /* that a survey says it has */
    int64_t now_ms;   /* its clock, for leases; whoever uses them moves it */
    bool forgetful;   /* does not know a command again: for tests of tests */
    bool unfenced;    /* does not look at epochs: the same */
    bool stale_turns; /* whose turn it was once it takes for whose it is: the same */
};

void memory_store_init(struct memory_store *store);
void memory_store_release(struct memory_store *store);
void memory_store_perform(struct memory_store *store, const struct store_request *request,
                          struct store_answer *answer);

const struct kept_room *memory_store_room(const struct memory_store *store, const char *id);
/* Whose turn it is, as far as it knows; or NULL. */
const char *memory_store_to_move(const struct memory_store *store, const struct kept_room *room);
/* The first event that a command of that player made there, or NULL. */
const struct kept_event *memory_store_find(const struct kept_room *room, const char *client,
                                           const char *command);
/* How often a command of that player stands in that room's log. */
int memory_store_count(const struct memory_store *store, const char *room, const char *client,
                       const char *command);

/* A request as the store's thread would have it: all texts its own. */
struct store_request *store_request_copy(const struct store_request *request);
void store_request_free(struct store_request *request);

#endif
