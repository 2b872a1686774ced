#include "engine/fast/fast.h"

#include "engine/fast/variants.h"

#include <assert.h>

void fast_run(const struct fast_view *view, struct fast_result *result)
{
    FAST_CALL(fast_run, view, result);
}

bool fast_attacked(const struct fast_view *view, uint64_t figures, const uint64_t *cells)
{
    return FAST_CALL(fast_attacked, view, figures, cells);
}

bool fast_jumps_on(const struct fast_view *view, figure_index figure)
{
    return FAST_CALL(fast_jumps_on, view, figure);
}

bool fast_takes_by_mark(const struct fast_view *view, int mark)
{
    return FAST_CALL(fast_takes_by_mark, view, mark);
}

const char *game_slow_reason(const struct game *game, int mover)
{
    assert(mover >= 0 && mover < game->piece_count);
    if (game->format < 2)
        return "the file is of format 0 or 1, which the fast path does not play";
    if (game->fast == NULL)
        return "the tables would be too large";
    return game->fast->mover_reasons[mover];
}

const char *game_slow_legality(const struct game *game)
{
    return game->fast == NULL || game->fast->filters ? NULL : game->fast->reason;
}
