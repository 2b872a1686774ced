/* The last events of a room as they were sent, for those who missed some.
 *
 * What a room keeps is bounded in bytes, not in events: a snapshot of a room costs about as much to send as the events that
 * fit, so more of them would help nobody. All rooms together are bounded, too: beyond it a room that gets an
 * event gives up its own older ones. The newest event is always kept. */
#ifndef SERVER_CORE_RECENT_H
#define SERVER_CORE_RECENT_H

#include "server/core/frame.h"

/* Of all rooms of one core. */
struct recent_budget {
    size_t room_bytes_max, bytes_max, bytes;
};

struct recent {
    struct recent_budget *budget; /* borrowed */
    struct frame **frames;        /* a ring, by version modulo size; owned */
    uint32_t size, count;
    int64_t last; /* version of the newest; those before it follow without a gap */
    size_t bytes;
};

void recent_init(struct recent *recent, struct recent_budget *budget);
void recent_release(struct recent *recent);
/* The event of the next version (or the first one to be kept), with a reference of its own. */
void recent_keep(struct recent *recent, int64_t version, struct frame *frame);
/* It counts in another budget from now on. */
void recent_join(struct recent *recent, struct recent_budget *budget);
void recent_clear(struct recent *recent);
/* The frame of the event that made `version`, or NULL when it is not in memory any more; borrowed. */
struct frame *recent_find(const struct recent *recent, int64_t version);

#endif
