/* An event step by step. A room may begin with somebody else's past: a fork with the moves made before it, an imported
 * game with all that happened in it. Its first event carries that, and to whoever follows the room it is as if it had
 * happened one event after the other; whoever follows rooms does it through here. Every other event is one step: itself. */
#ifndef SERVER_CORE_UNFOLD_H
#define SERVER_CORE_UNFOLD_H

#include "protocol/event.h"
#include "server/core/identity.h"

struct unfolded {
    const struct event *event; /* a MOVED without a seat: made before anybody sat down */
    int64_t at_ms;
    int number; /* of the steps of this event, from 0 */
    /* Part of a log: what it says of who did it is not known here to be true. */
    bool told;
};
/* False: it cannot be followed. */
typedef bool unfold_step(void *context, const struct unfolded *step);

/* False when a step says so, or when the event carries a log that is none. */
bool unfold(const struct event *event, int64_t at_ms, unfold_step *step, void *context);

#endif
