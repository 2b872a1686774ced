/* The loops of loops/ in all widths, behind a function whose name ends in FAST_SUFFIX. Included by plain.c and, compiled
 * for processors that count bits by themselves, by counting.c. */
#include "engine/fast/variants.h"
#include "engine/work.h"

#include <assert.h>
#include <string.h>

/* What is seldom called keeps its registers to itself. */
#define FAST_APART __attribute__((noinline))

enum {
    FAST_LINES_MAX = 24,
    FAST_BATCHES = 128,
};

/* One pseudo-legal move, listed or counted if the trial says that it is legal. */
static void fast_try(struct fast_result *result, struct move move)
{
    if (!result->is_legal(result->trial, move))
        return;
    if (result->moves != NULL) {
        *result->moves++ = move;
        return;
    }
    result->count++;
}

#define WORDS      1
#define NAME(name) name##_64
#include "engine/fast/loops/loops.h"
#undef WORDS
#undef NAME

#define WORDS      2
#define NAME(name) name##_128
#include "engine/fast/loops/loops.h"
#undef WORDS
#undef NAME

#define WORDS      4
#define NAME(name) name##_256
#include "engine/fast/loops/loops.h"
#undef WORDS
#undef NAME

#define WORDS      16
#define NAME(name) name##_1024
#include "engine/fast/loops/loops.h"
#undef WORDS
#undef NAME

#define FAST_JOIN(name, suffix)  name##_##suffix
#define FAST_NAMED(name, suffix) FAST_JOIN(name, suffix)

const struct fast_loops *FAST_NAMED(fast_loops, FAST_SUFFIX)(int words)
{
    switch (words) {
    case 1:
        return &loops_64;
    case 2:
        return &loops_128;
    case 4:
        return &loops_256;
    default:
        return &loops_1024;
    }
}
