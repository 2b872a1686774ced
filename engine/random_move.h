/* One of the legal moves by chance. The chance comes from a seed that the caller keeps: the same seed and the same positions
 * give the same game, on every machine and whichever code has found the moves, since they are drawn from the sorted list.
 * Where there are only placements that list is a set of cells, and what is forbidden after one is asked of those drawn. */
#ifndef ENGINE_RANDOM_MOVE_H
#define ENGINE_RANDOM_MOVE_H

#include "engine/movegen.h"

/* Each legal move with the same chance; `moves` is room for moves_max of them. False, with `seed` as it was, when there
 * is none. */
bool random_move(struct position *position, uint64_t *seed, struct move *moves, struct move *move);

/* The same, but where there are only placements those that somebody does not want, and passes, are left for when there is nothing else. */
struct random_taste {
    bool (*wants)(const void *context, const struct position *position, cell_index to);
    const void *context;
};
bool random_move_wanted(struct position *position, uint64_t *seed, struct move *moves,
                        const struct random_taste *taste, struct move *move);

#endif
