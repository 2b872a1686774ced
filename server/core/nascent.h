/* A room being made on a thread, where nobody else sees it. It has what a turn of the loop shares among all rooms for itself:
 * a scratch board, a desk to write at, a budget. The game is shared, and nobody changes it. */
#ifndef SERVER_CORE_NASCENT_H
#define SERVER_CORE_NASCENT_H

#include "server/core/parts.h"
#include "server/core/publish.h"

struct nascent {
    struct room *room;       /* owned */
    struct edition *edition; /* held */
    struct edition borrowed; /* the same, but for what is the thread's own */
    struct recent_budget budget;
    struct publish_desk desk;
    struct writer writer; /* the desk's */
};

/* Takes the edition. `id` is the room's: ROOM_ID_BYTES of it. */
void nascent_begin(struct nascent *nascent, struct core *core, const char *id,
                   struct edition *edition);
/* What `begin` leaves to the thread, because it is large. */
void nascent_prepare(struct nascent *nascent);
/* The room, for the loop: the caller's. */
struct room *nascent_finish(struct nascent *nascent, struct core *core);
void nascent_release(struct nascent *nascent, struct core *core);

#endif
