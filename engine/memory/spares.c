#include "engine/memory/spares.h"

#include "engine/memory/memory.h"

#include <stdlib.h>

/* Sizes are rounded up, so that a frame finds the place of one that was a little shorter. */
enum { STEP_BYTES = 64, SIZES = SPARE_BYTES_MAX / STEP_BYTES + 1 };

struct spare {
    struct spare *next;
};

static _Thread_local struct {
    struct spare *first[SIZES]; /* owned */
    size_t bytes;
} kept;

/* A sanitizer is to see every piece that is used after it was given back. */
#if defined(__SANITIZE_ADDRESS__)
enum { IS_KEPT = 0 };
#elif defined(__has_feature)
enum { IS_KEPT = !__has_feature(address_sanitizer) };
#else
enum { IS_KEPT = 1 };
#endif

static size_t steps(size_t bytes)
{
    return (bytes + STEP_BYTES - 1) / STEP_BYTES;
}

void *spare_take(size_t bytes)
{
    size_t size = steps(bytes);
    if (size >= SIZES)
        return memory_bytes(bytes);
    struct spare *spare = kept.first[size];
    if (spare == NULL)
        return memory_bytes(size * STEP_BYTES);
    kept.first[size] = spare->next;
    kept.bytes -= size * STEP_BYTES;
    return spare;
}

void spare_give(void *piece, size_t bytes)
{
    size_t size = steps(bytes);
    if (piece == NULL || !IS_KEPT || size >= SIZES ||
        kept.bytes + size * STEP_BYTES > SPARES_KEPT_BYTES) {
        free(piece);
        return;
    }
    struct spare *spare = piece;
    spare->next = kept.first[size];
    kept.first[size] = spare;
    kept.bytes += size * STEP_BYTES;
}
