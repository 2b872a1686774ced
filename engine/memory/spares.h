/* Pieces that come and go with every move, hundreds of a size at once: they are kept for the next of their size, because
 * an allocator looks long for room for them between others. A thread keeps what is given back on it, SPARES_KEPT_BYTES at
 * most. */
#ifndef MEMORY_SPARES_H
#define MEMORY_SPARES_H

#include <stddef.h>

enum {
    SPARES_KEPT_BYTES = 1024 * 1024, /* by a thread, all sizes together */
    SPARE_BYTES_MAX = 4096,          /* a larger piece is an allocator's */
};

void *spare_take(size_t bytes);             /* never NULL (memory.h); not zeroed */
void spare_give(void *piece, size_t bytes); /* as many as were taken; NULL: nothing */

#endif
