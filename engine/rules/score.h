/* Sums of what is counted in a position: scores, and what counters are set to. */
#ifndef ENGINE_RULES_SCORE_H
#define ENGINE_RULES_SCORE_H

#include "engine/state.h"

/* All the parts together, each as often as it counts. */
int score_sum(const struct position *position, const struct score_term *terms, int count);

/* What the counter is set to after the last move, by its player; false: it is not set. */
bool score_setting(const struct position *position, const struct counter_rule *counter,
                   player_index mover, int *value);

#endif
