/* What waits to be written to one peer: frames in order, bounded in number and bytes.
 *
 * A frame with a replace_key takes the place of a waiting one with the same key (the newer says all
 * the older did), unless its first byte is out already. Knows frames, not sockets: its owner asks
 * for bytes when the socket takes some. */
#ifndef SERVER_NET_OUTBOX_H
#define SERVER_NET_OUTBOX_H

#include <stdbool.h>
#include <stddef.h>

#include "server/core/frame.h"

enum {
    OUTBOX_FEW = 2,
    OUTBOX_FRAMES_MAX = 256,
    OUTBOX_BYTES_MAX = FRAME_BYTES_MAX + 32 * 1024, /* any frame, and what follows it meanwhile */
};

struct outbox {
    struct frame **frames; /* a ring of `room` places, a power of two: `few`, or owned */
    /* An acknowledgement and its event: mostly no more wait, and they need no memory of their own. */
    struct frame *few[OUTBOX_FEW];
    uint32_t room, first, count;
    size_t bytes;  /* of all frames that wait, less what is written of the first */
    size_t offset; /* bytes of the first frame that are written */
    bool as_lines; /* of each frame its text and the end of a line go out, not the frame itself */
};

void outbox_init(struct outbox *outbox); /* which then stays where it is */
void outbox_init_for_lines(struct outbox *outbox);
void outbox_release(struct outbox *outbox);

/* Takes a reference of its own. False: over the bound, and nothing was changed. A single frame
 * larger than the bound is taken when nothing else waits. */
bool outbox_put(struct outbox *outbox, struct frame *frame);

/* Moves the next bytes out, whole frames as long as they fit and then a part of one; how many. */
size_t outbox_take(struct outbox *outbox, unsigned char *bytes, size_t size);

static inline bool outbox_empty(const struct outbox *outbox)
{
    return outbox->count == 0;
}

#endif
