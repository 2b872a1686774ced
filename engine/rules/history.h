/* The positions that have been, as keys in a ring: what repetition is counted by. Which positions are the same is said by
 * their keys (repetition.h); here keys are numbers. */
#ifndef ENGINE_RULES_HISTORY_H
#define ENGINE_RULES_HISTORY_H

#include "engine/state.h"

/* The position before a move joins those that have been; what the ring loses by it is kept in `undo`. */
void history_remember(struct position *position, struct undo *undo);
/* Takes that back, when the turn is again as it was before the move. */
void history_take_back(struct position *position, const struct undo *undo);
/* No position that has been can come again. */
void history_forget(struct position *position);

/* Which keys the ring may hold: far quicker to ask than the ring. */
struct history_filter {
    uint64_t bits[128];
};
void history_fill_filter(const struct position *position, struct history_filter *filter);
/* Whether it holds the key. */
bool history_has(const struct position *position, const struct history_filter *filter,
                 uint64_t key);

/* How often the position has been there, this time included; nothing is counted beyond `enough`, nor more than `back`
 * positions before this one. */
int history_occurrences(const struct position *position, int enough, int back);

#endif
