/* Whether what a condition needs is so, before the condition is asked: most results and counters are far from holding. */
#ifndef ENGINE_RULES_NEEDS_H
#define ENGINE_RULES_NEEDS_H

#include "engine/rules/pseudo.h"

/* Whether one of some players has a figure on one of these cells. */
static inline bool needs_some(const struct position *position, unsigned players, uint32_t cells)
{
    const uint64_t *set = game_cell_set(position->game, cells);
    uint64_t some = 0;
    for (; players != 0; players &= players - 1) {
        const uint64_t *own = position_player_words(position, (int)word_lowest(players));
        for (int i = 0; i < position->game->words; i++)
            some |= own[i] & set[i];
    }
    return some != 0;
}

/* So few steps that a call would cost as much. */
static inline __attribute__((always_inline)) bool needs_are_met(const struct position *position,
                                                                const struct condition_needs *needs)
{
    const struct turn *turn = &position->turn;
    if (turn->history_count + 1 < needs->occurrences ||
        (needs->slot >= 0 && turn->counters[needs->slot] < needs->counter_min) ||
        (needs->some_players != 0 && !needs_some(position, needs->some_players, needs->some_cells)))
        return false;
    for (uint64_t left = needs->absent; left != 0; left &= left - 1)
        if (!bits_empty(position_figure_words(position, (int)word_lowest(left)),
                        position->game->words))
            return false;
    unsigned without = needs->without;
    if (needs->without_next && position_state_player(position) != PLAYER_NONE)
        without |= 1U << position_state_player(position);
    return without == 0 || !needs_some(position, without, CELL_SET_ALL);
}

#endif
