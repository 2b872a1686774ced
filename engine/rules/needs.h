/* Whether what a condition needs is so, before the condition is asked: most results and counters are far from holding. */
#ifndef ENGINE_RULES_NEEDS_H
#define ENGINE_RULES_NEEDS_H

#include "engine/rules/condition.h"

/* What they say of what stands where: how many figures some have; and what is there, and what is not. */
bool needs_few(const struct position *position, const struct condition_needs *needs);
bool needs_cells(const struct position *position, const struct condition_needs *needs);

static inline bool needs_counter(const struct position *position,
                                 const struct condition_needs *needs)
{
    player_index next = needs->slot_of_next ? position_state_player(position) : 0;
    int value = next != PLAYER_NONE ? position->turn.counters[needs->slot + next] : 0;
    return value >= needs->counter_min && value <= needs->counter_max;
}

/* So few steps that a call would cost as much. On a cell of the first word of what has to be empty something mostly stands. */
static inline __attribute__((always_inline)) bool needs_are_met(const struct position *position,
                                                                const struct condition_needs *needs)
{
    return (needs->clear < 0 || position->words[needs->clear] == 0) &&
           position->turn.history_count + 1 >= needs->occurrences &&
           (needs->slot < 0 || needs_counter(position, needs)) &&
           ((needs->few_players == 0 && !needs->few_next) || needs_few(position, needs)) &&
           ((needs->some_players == 0 && needs->absent == 0) || needs_cells(position, needs));
}

/* Whether the condition holds whose needs these are. */
static inline bool needs_hold(const struct position *position, const struct condition_needs *needs,
                              const struct condition_node *condition, player_index mover)
{
    return needs_are_met(position, needs) &&
           (needs->whole || condition_holds_after(position, condition, mover));
}

#endif
