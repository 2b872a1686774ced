/* A core under a lease, with another server on the same store, which the test plays: it takes its own lease, loads rooms and
 * appends to them. */
#ifndef TESTS_SERVER_CORE_OTHER_SERVER_H
#define TESTS_SERVER_CORE_OTHER_SERVER_H

#include "tests/server/core/stage.h"

/* clang-format off */
#define TWO_SIT                                                       \
    "ada: connects\n" "ada: auth -> welcome\n"                        \
    "ada: create two -> ack 1\n"                                      \
    "ada: join red Ada -> ack 2; snapshot 2 red\n"                    \
    "bob: connects\n" "bob: auth -> welcome\n"                        \
    "bob: join any Bob -> ack 3; snapshot 3 green\n"                  \
    "ada hears: joined 3 moves\n"
#define ADA_COMES_BACK "ada: goes\n" "ada: connects\n" "ada: auth -> welcome\n"
/* clang-format on */

enum { LEASE_MS = 10000, LATE_MS = 9000 /* when it is over by our own clock */ };

/* One server of several, which does not run yet: its options may still be set. */
struct stage *stage_of_leases(void);
void with_lease(void (*body)(struct stage *stage));
void pass(struct stage *stage, int ms);

enum store_status tell_store(struct stage *stage, const struct store_request *request);
void other_begins(struct stage *stage);
void other_loads(struct stage *stage);
/* The other server appends to the room; and words of a player of its own. */
void other_writes(struct stage *stage, const char *kind, const char *client, const char *command,
                  const char *body);
void other_says(struct stage *stage, const char *text);

/* The room as the store has it. */
const struct kept_room *kept(struct stage *stage);

#endif
