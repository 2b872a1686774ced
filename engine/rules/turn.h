/* Making a move of a format-2 game: what it does on the board, whether the turn goes on, what follows it. */
#ifndef ENGINE_TURN_H
#define ENGINE_TURN_H

#include "engine/state.h"

enum turn_depth {
    TURN_TRIAL, /* to see whether something forbidden holds: a turn goes on by pseudo-legal moves, no results */
    TURN_LOOK, /* to look ahead within a turn: no results */
    TURN_FULL,
};

void turn_make(struct position *position, struct move move, struct undo *undo,
               enum turn_depth depth);
void turn_unmake(struct position *position, const struct undo *undo);

/* Of an empty position: no turn has begun. */
void turn_clear(struct position *position);
/* What a position just set up needs: who moved before, its key, and results that hold already. */
void turn_begin(struct position *position);

/* The part of the hash that is not on the board; and whether two positions are equal there. */
uint64_t turn_hash(const struct position *position);
bool turn_equal(const struct position *a, const struct position *b);

/* Whether what moved last decides about moves now. */
bool turn_needs_last(const struct position *position);

/* The figures a move may become, as bits; `optional`: it may also stay what it is. */
uint64_t turn_choices(const struct position *position, const struct modern_rule *rule,
                      struct move move, bool *optional);

/* The cells jumped (those between that are occupied), nearest first; returns how many. */
int turn_jumped(const struct position *position, const struct modern_rule *rule, struct move move,
                cell_index *jumped, int room);

static inline const struct modern_rule *turn_rule(const struct position *position, struct move move)
{
    const struct game *game = position->game;
    return &game->modern_rules[game->mover_rules[position->cells[move.from].code - 1] + move.rule];
}

enum { RULE_COMPLEX = 0x8000 };

static inline const struct complex_instance *turn_instance(const struct position *position,
                                                           struct move move)
{
    const struct game *game = position->game;
    size_t row = (size_t)(position->cells[move.from].code - 1) * (size_t)(game->cell_count + 1);
    return &game->instances[game->instance_starts[row + move.from] + (move.rule & 0x7fffU)];
}

#endif
