/* The positions that turns of several moves end in, so that those that end alike count once: a set of hashes. Begins
 * zeroed. */
#ifndef ENGINE_TURN_ENDS_H
#define ENGINE_TURN_ENDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct turn_ends {
    uint64_t *slots; /* 0: free */
    size_t count, room;
};

bool turn_ends_add(struct turn_ends *ends, uint64_t hash); /* true if it is new */
void turn_ends_clear(struct turn_ends *ends);
void turn_ends_release(struct turn_ends *ends);

#endif
