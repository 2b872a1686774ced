/* What a figure may do from the cell it stands on, before asking what stands where: candidates by table, combined movements laid
 * out. Of every format. */
#ifndef ENGINE_CANDIDATES_H
#define ENGINE_CANDIDATES_H

#include "engine/state.h"

/* Where the candidates of the figure on `from` begin in the game's list; behind it stands where they end. They are sorted by
 * target, those for one target in the order of the movements. */
static inline const uint32_t *candidate_row(const struct position *position, cell_index from)
{
    const struct game *game = position->game;
    size_t row = (size_t)game->cell_count + 1;
    return game->candidate_starts + (size_t)(position->cells[from].code - 1) * row + from;
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

/* Where a participant stands and goes; the destination may be CELL_NONE, a hole, if it is not the beginner's. */
struct place {
    cell_index source, destination;
};

/* A combined movement begun from some cell. */
struct combined_instance {
    const struct combined_movement *movement;
    int number;      /* which movement and which beginner, for moves to remember */
    unsigned passed; /* how many of those that the figure may begin have been looked at */
    int clicked;
    cell_index from, to;
    struct place places[PARTICIPANTS_MAX];
};

/* Lays the combined movement of this number out from a cell. False where a participant has nowhere to stand or to go. */
bool combined_lay(const struct game *game, int number, cell_index from,
                  struct combined_instance *instance);
/* The next one that can be laid out from a cell for a figure of that code, the instance being empty at first; false: there are no
 * more. */
bool combined_next(const struct game *game, unsigned code, cell_index from,
                   struct combined_instance *instance);

#endif
