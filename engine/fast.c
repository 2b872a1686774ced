#include "engine/fast.h"

#include "engine/interpreter.h"

#include <assert.h>
#include <string.h>

enum { FAST_LINES_MAX = 24, FAST_BATCHES = 128 };

/* One pseudo-legal move, made and taken back by the interpreter. */
static void fast_try(struct fast_result *result, struct move move)
{
    if (!interpreter_legal(result->trial, move))
        return;
    if (result->moves != NULL) {
        *result->moves++ = move;
        return;
    }
    result->count++;
    if (result->picks && fast_below(&result->random, result->count) == 0)
        result->picked = move;
}

#define WORDS      1
#define NAME(name) name##_64
#include "engine/fast_template.h"
#undef WORDS
#undef NAME

#define WORDS      2
#define NAME(name) name##_128
#include "engine/fast_template.h"
#undef WORDS
#undef NAME

#define WORDS      4
#define NAME(name) name##_256
#include "engine/fast_template.h"
#undef WORDS
#undef NAME

#define WORDS      16
#define NAME(name) name##_1024
#include "engine/fast_template.h"
#undef WORDS
#undef NAME

void fast_run(const struct fast_view *view, struct fast_result *result)
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

bool fast_attacked(const struct fast_view *view, uint64_t figures, const uint64_t *cells)
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

bool fast_takes_by_mark(const struct fast_view *view, int mark)
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

const char *game_slow_reason(const struct game *game, int mover)
{
    assert(mover >= 0 && mover < game->mover_count);
    if (game->format < 2)
        return game->movers[mover].recognised ? NULL : "its actions have no kernel";
    if (game->fast == NULL)
        return "the tables would be too large";
    return game->fast->mover_reasons[mover];
}

const char *game_slow_legality(const struct game *game)
{
    return game->fast == NULL || game->fast->filters ? NULL : game->fast->reason;
}
