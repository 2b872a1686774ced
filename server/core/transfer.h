/* Games that leave and games that come, as records: asked for over HTTP, and worked out on threads (tasks.h), because a
 * record is played again from its first event. */
#ifndef SERVER_CORE_TRANSFER_H
#define SERVER_CORE_TRANSFER_H

#include "server/core/parts.h"

enum {
    EXPORTS_ASKED_MAX = 64, /* of the store, at a time */
};

/* The store's answer to an export's question; taken. */
void transfer_loaded(struct core *core, const struct ticket *ticket, struct store_answer *loaded);
/* What the store says of the published game that a record names: the room is called after it when its text is the same. Takes the
 * ticket's task. */
void transfer_told_game(struct core *core, struct ticket *ticket,
                        const struct store_answer *answer);
/* The room of an import is durable; or it is not, and why. */
void transfer_created(struct core *core, uint64_t request, const char *room);
void transfer_refused(struct core *core, uint64_t request, enum refusal refusal, uint64_t retry_ms);

#endif
