/* The loops of loops/ in all widths, behind functions whose names end in FAST_SUFFIX. Included by
 * plain.c and, compiled for processors that count bits by themselves, by counting.c. */
#include "engine/fast/fast.h"
#include "engine/rules/legal.h"
#include "engine/work.h"

#include <assert.h>
#include <string.h>

enum {
    FAST_LINES_MAX = 24,
    FAST_BATCHES = 128,
};

/* One pseudo-legal move, made and taken back by the interpreter. */
static void fast_try(struct fast_result *result, struct move move)
{
    if (!legal_move(result->trial, move))
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
#define FAST_EXPORT(name)        FAST_NAMED(name, FAST_SUFFIX)

void FAST_EXPORT(fast_run)(const struct fast_view *view, struct fast_result *result)
{
    switch (view->game->words) {
    case 1:
        run_64(view, result);
        return;
    case 2:
        run_128(view, result);
        return;
    case 4:
        run_256(view, result);
        return;
    default:
        run_1024(view, result);
        return;
    }
}

bool FAST_EXPORT(fast_attacked)(const struct fast_view *view, uint64_t figures,
                                const uint64_t *cells)
{
    switch (view->game->words) {
    case 1:
        return any_attacked_64(view, figures, cells);
    case 2:
        return any_attacked_128(view, figures, cells);
    case 4:
        return any_attacked_256(view, figures, cells);
    default:
        return any_attacked_1024(view, figures, cells);
    }
}

bool FAST_EXPORT(fast_takes_by_mark)(const struct fast_view *view, int mark)
{
    switch (view->game->words) {
    case 1:
        return mark_taken_64(view, mark);
    case 2:
        return mark_taken_128(view, mark);
    case 4:
        return mark_taken_256(view, mark);
    default:
        return mark_taken_1024(view, mark);
    }
}

bool FAST_EXPORT(fast_jumps_on)(const struct fast_view *view, figure_index figure)
{
    switch (view->game->words) {
    case 1:
        return jumps_on_64(view, figure);
    case 2:
        return jumps_on_128(view, figure);
    case 4:
        return jumps_on_256(view, figure);
    default:
        return jumps_on_1024(view, figure);
    }
}
