/* A move as a small value. What it does is looked up again in the game's tables when it is made; here it only says
 * which figure goes where, which rule of the game it was found under, and what was chosen where rules leave a choice. */
#ifndef ENGINE_MOVE_H
#define ENGINE_MOVE_H

#include "engine/types.h"

struct move {
    cell_index from, to;
    uint16_t rule; /* the engine's own: under which rule it was found */
    uint8_t
        choice; /* the kind of figure it becomes, where rules leave a choice; else CHOICE_NONE */
};

static inline bool move_is_pass(struct move move)
{
    return move.from == CELL_NONE;
}

static inline bool move_equal(struct move a, struct move b)
{
    return a.from == b.from && a.to == b.to && a.choice == b.choice;
}

#endif
