/* An end to what is stored: the server walks along all rooms of its store, a part at a time, and has those removed whose time
 * is over and which nobody has in memory. Between two walks it looks how large the store is, for whoever wants to know and
 * to refuse new rooms when it is too large.
 *
 * When the rooms have gone, and the definitions nobody plays with them, the pictures follow that nobody names any more. Then
 * what is left is measured by kind.
 *
 * One step is under way at a time, and after each it rests nine times as long as that took: where the store is busy,
 * or its disk slow, moves have it for themselves. */
#ifndef SERVER_CORE_HOUSEKEEPING_H
#define SERVER_CORE_HOUSEKEEPING_H

#include "protocol/message.h"
#include "server/store/store.h"

#include <stdbool.h>
#include <stdint.h>

struct core;
struct ticket;

struct housekeeping {
    bool asked, walking, unclean, failing, full;
    int removing; /* removals the store has not answered yet */
    uint64_t asked_ms, due_ms, walk_ms /* when the next walk begins */;
    char after[STORE_ROOM_BYTES + 1];
    struct store_tally counted[STORE_STATUS_COUNT][2]; /* in this walk so far */
    uint64_t removed_in_walk;
    bool sweeping; /* the walk has come to the pictures */
    char picture[STORE_HASH_DIGITS + 1];
    struct store_sweep swept; /* in this walk so far */
    bool measuring;           /* after that */
    char place[STORE_PLACE_BYTES];
    int64_t measured[STORE_SIZES]; /* in this walk so far */
};

void housekeeping_init(struct core *core);
void housekeeping_time(struct core *core);
uint64_t housekeeping_deadline_ms(const struct core *core);
/* What the store says to one of its steps, or to a removal. */
void housekeeping_answered(struct core *core, const struct ticket *ticket,
                           const struct store_answer *answer);

/* Whether the store has room for new rooms. If not, `retry_ms` says when it is worth asking again. */
bool housekeeping_has_room(const struct core *core, uint64_t *retry_ms);

#endif
