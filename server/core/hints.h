/* What is good in a position, for whoever may ask: after a game anybody, during one its players, if people play it who hide nothing from
 * each other: one person, against the server's bots or alone.
 *
 * Somebody outside thinks about it, on threads of its own. What waits for that is bounded, and of one address one question is under way
 * at a time, so that who asks for much waits behind himself. A connection asks one thing: with the next question the one before is
 * withdrawn, and with its end all of it is forgotten. */
#ifndef SERVER_CORE_HINTS_H
#define SERVER_CORE_HINTS_H

#include "server/core/parts.h"

enum {
    HINTS_MAX = 256,
    HINTS_OF_ACCOUNT = 16, /* that wait or are under way */
};

void hints_init(struct core *core);
void hints_release(struct core *core);
void hints_left(struct core *core, const struct session *session);
/* See core_hinted. */
void hints_answered(struct core *core, uint64_t number, struct position *position,
                    const struct core_hint *hints, int count);

#endif
