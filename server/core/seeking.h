/* Players who look for somebody: `seek`, its one answer, and the lobby's list of those who wait.
 *
 * seek.h says who comes together. Those have a room at once, with all its seats taken; it is durable before anybody is told, and what
 * else they looked for is withdrawn. A seek belongs to a connection: without it nobody is given to it, and after
 * SEEKING_GRACE_MS it is gone. Whoever comes back until then and says the same again has his old place, or, when he was paired
 * and has not come into that room yet, the same answer. Nothing of it is stored: a server that ends forgets it. */
#ifndef SERVER_CORE_SEEKING_H
#define SERVER_CORE_SEEKING_H

#include "server/core/parts.h"

enum {
    SEEKING_GRACE_MS = 10000,
    SEEKING_OF_ADDRESS = 64,
    SEEKING_SHOWN_MAX = 100,
    SEEKING_MADE_MAX = 1024, /* rooms that are remembered for those who come back */
};

request_handler seeking_begin, seeking_cancel;
/* The session is over. */
void seeking_left(struct core *core, const struct session *session);

/* The room of the pairing of this number is durable; or it does not come to be. */
void seeking_made(struct core *core, uint64_t number, const struct room *room);
void seeking_refused(struct core *core, uint64_t number, enum refusal refusal);

/* Those who wait, longest first, as a JSON array. */
void seeking_write(const struct core *core, struct writer *writer);

void seeking_time(struct core *core);
uint64_t seeking_deadline_ms(const struct core *core);
void seeking_init(struct core *core);
void seeking_release(struct core *core);

#endif
