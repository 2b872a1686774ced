/* Whether this server is one of those that share a store, and may play.
 *
 * Each of them is a *node*: it asks the store for a lease and renews it long before it ends. A server that is cut off from
 * the store cannot acknowledge anything, nor learn what others do: when its lease is over, by its own clock, counted from
 * before the question was asked and with a margin, it lets go of all its rooms and sends everybody away, until the store has
 * given it a lease again. That one is another node's, with a name of its own.
 *
 * The store takes a node to be there for NODE_MS (lease.c) after each renewal. What one of all servers has to do, a *duty* (rooms
 * whose time is over are removed), is for the first of those that are there: when it dies, another one's that much later. Now and
 * then two believe that it is theirs, and for a moment nobody does: whatever is a duty may be done twice.
 *
 * The store's clock is everybody's: what time it is comes with each lease. A server's own clock, which may be wrong, is put right before
 * it lets anybody in, and then kept right by small steps.
 *
 * A server that has its store for itself (options.lease_ms is 0) needs no lease, and has none of this; whose turn it is in rooms
 * that leave its memory it tells the store as well. */
#ifndef SERVER_CORE_LEASE_H
#define SERVER_CORE_LEASE_H

#include "server/store/store.h"

#include <stdbool.h>
#include <stdint.h>

struct core;
struct room;
struct ticket;

struct lease {
    char node[STORE_NODE_BYTES + 1]; /* "": none is needed */
    bool held, asked, left;          /* asked: an answer is awaited; left: given up for good */
    bool failing;                    /* the last answer was a failure, and has been logged */
    uint64_t asked_ms;
    uint64_t until_ms; /* while held: then it is over */
    uint64_t ask_ms;   /* when to ask next */
    int other_nodes;
    uint64_t first_until_ms; /* until then the duties are this one's */
    bool has_clock;          /* the store has said what time it is */
};

void lease_init(struct core *core);
/* May rooms be played? */
bool lease_held(const struct core *core);
/* And nothing speaks against its being renewed in time. */
bool lease_is_sure(const struct core *core);
/* For requests that claim: NULL where nothing is to be claimed. */
const char *lease_node(const struct core *core);

/* Whether the duties are this server's now. To be asked before each step of one. */
bool lease_is_first(const struct core *core);

void lease_time(struct core *core); /* first of all that is due */
uint64_t lease_deadline_ms(const struct core *core);
void lease_answered(struct core *core, const struct ticket *ticket,
                    const struct store_answer *answer);

/* The room is not needed here any more: others may have it, and whose turn it is there is the store's to tell. `epoch` 0: it
 * never was ours. */
void lease_release(struct core *core, const struct store_turn *turn, int64_t epoch);
/* All rooms, for good. */
void lease_leave(struct core *core);

#endif
