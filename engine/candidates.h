/* Looking up candidates and complex instances by the cell a move begins on. Tables of every format. */
#ifndef ENGINE_CANDIDATES_H
#define ENGINE_CANDIDATES_H

#include "engine/state.h"

/* Where the row of the figure on `from` begins in `starts` (candidate_starts or instance_starts); behind it stands where
 * the row ends. */
static inline const uint32_t *candidate_row(const struct position *position, const uint32_t *starts,
                                            cell_index from)
{
    size_t row = (size_t)position->game->cell_count + 1;
    return starts + (size_t)(position->cells[from].code - 1) * row + from;
}

/* The first candidate between `low` and `end` that leads to `to`; `end` when there is none. */
static inline uint32_t candidate_first(const struct game *game, uint32_t low, uint32_t end,
                                       cell_index to)
{
    uint32_t high = end;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (game->candidates[middle].to < to)
            low = middle + 1;
        else
            high = middle;
    }
    return low < end && game->candidates[low].to == to ? low : end;
}

#endif
