/* Games that leave and games that come, as records: asked for over HTTP, and worked out on another thread, because a
 * record is played again from its first event. A few are under way at a time, some more wait, and beyond that they are
 * refused: compiling a game for somebody who plays never waits behind many of them. */
#ifndef SERVER_CORE_TRANSFER_H
#define SERVER_CORE_TRANSFER_H

#include "server/core/parts.h"

enum {
    TRANSFERS_AT_WORK_MAX = 2,
    TRANSFERS_MAX = 64, /* with those that wait, for the store or for a thread */
    /* An import costs a unit for each KiB. */
    IMPORTS_PER_S = 2048,
    IMPORTS_BURST = 16384,
    REPLAY_WORK_MS_MAX = 1000, /* of a thread's own time, for one import */
    /* Of it for its events: they are made again on the loop, whenever the room is read. */
    REPLAY_PLAY_MS_MAX = 200,
};

void transfer_init(struct core *core);
void transfer_release(struct core *core);
/* The store's answer to an export's question; taken. */
void transfer_loaded(struct core *core, const struct ticket *ticket, struct store_answer *loaded);
void transfer_worked(struct core *core, struct job *job);
/* The room of an import is durable; or it is not, and why. */
void transfer_created(struct core *core, uint64_t request, const char *room);
void transfer_refused(struct core *core, uint64_t request, enum refusal refusal);

#endif
