/* The loops of loops/ in all widths, behind a function whose name ends in FAST_SUFFIX. Included by plain.c and, compiled
 * for processors that count bits by themselves, by counting.c. */
#include "engine/fast/fast.h"
#include "engine/work.h"

#include <assert.h>
#include <limits.h>
#include <string.h>

/* What is seldom called keeps its registers to itself. */
#define FAST_APART __attribute__((noinline))
/* What is called most shares them with who calls it. */
#define FAST_WITHIN static inline __attribute__((always_inline))

enum {
    FAST_LINES_MAX = 24,
    FAST_BATCHES = 128,
};

/* One move, listed or counted if it is the one that is asked for, and the trial says that it is legal. */
static inline void fast_deliver(struct fast_result *result, struct move move)
{
    if (result->any && result->count > 0)
        return;
    if (result->finds && (move.to != result->to || move.choice != result->choice))
        return;
    if (result->trial != NULL && (!work_spend(1) || !result->is_legal(result->trial, move)))
        return;
    if (result->moves != NULL)
        *result->moves++ = move;
    else
        result->count++;
}

static void fast_deliver_choices(struct fast_result *result, struct move move,
                                 const struct promotion_rule *promotion)
{
    for (uint64_t left = promotion->to; left != 0; left &= left - 1) {
        move.choice = (uint8_t)word_lowest(left);
        fast_deliver(result, move);
    }
    move.choice = CHOICE_NONE;
    if (promotion->optional)
        fast_deliver(result, move);
}

#define WORDS      1
#define NAME(name) name##_64
#include "engine/fast/loops/loops.h"

#define WORDS      2
#define NAME(name) name##_128
#include "engine/fast/loops/loops.h"

#define WORDS      4
#define NAME(name) name##_256
#include "engine/fast/loops/loops.h"

#define WORDS      16
#define NAME(name) name##_1024
#include "engine/fast/loops/loops.h"

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
