/* When something is due, of many: a heap of moments. Each is a member of what it is of, and knows its own place. */
#ifndef SERVER_CORE_DUE_H
#define SERVER_CORE_DUE_H

#include <stddef.h>
#include <stdint.h>

struct due {
    uint64_t at_ms;
    size_t place; /* in the heap, from 1; 0: nothing is due */
    void *of;
};

struct dues {
    struct due **heap; /* owned, the moments are not */
    size_t count, room;
};

/* From now on at that moment. */
void due_set(struct dues *dues, struct due *due, uint64_t at_ms, void *of);
void due_clear(struct dues *dues, struct due *due);
const struct due *due_first(const struct dues *dues); /* NULL: nothing is due */
void dues_release(struct dues *dues);

#endif
