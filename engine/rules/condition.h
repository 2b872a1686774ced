/* Conditions of format 2 asked of a position. `mover` is the player whose movement asks, or who has moved; `self` and
 * `target` are the cells of the figure and of where it goes (CELL_NONE: a hole, or a pass). */
#ifndef ENGINE_CONDITION_H
#define ENGINE_CONDITION_H

#include "engine/rules/matching.h"

/* A NULL condition always holds. */
bool condition_holds(const struct position *position, const struct condition_node *condition,
                     player_index mover, cell_index self, cell_index target);

/* The same of the last move, with the player who made it. */
static inline bool condition_holds_after(const struct position *position,
                                         const struct condition_node *condition, player_index mover)
{
    const struct last_move *last = &position->turn.last;
    return condition_holds(position, condition, mover, move_self(last->from, last->to), last->to);
}

/* Keeps those of the cells for which it holds, each as self and target. */
void condition_keep_cells(const struct position *position, const struct condition_node *condition,
                          player_index mover, uint64_t *cells);

/* What a counter stands at, though it may not have been counted yet. */
int condition_counter(const struct position *position, int slot);

/* All the parts of a sum together, each as often as it counts. */
int condition_sum(const struct position *position, const struct score_term *terms, int count);

/* Whether another player than `player` attacks the cell with one of some kinds of figure (bits); `attacker`, if not
 * NULL, becomes where it stands. */
bool condition_cell_attacked(const struct position *position, cell_index cell, player_index player,
                             uint64_t kinds, cell_index *attacker);

/* The first cell from `from` on that an ATTACKED condition is about, whose figure is attacked by somebody else than its owner;
 * CELL_NONE: there is none. `attacker`, if not NULL, becomes where who attacks it stands. */
cell_index condition_next_victim(const struct position *position,
                                 const struct condition_node *attacked, int from,
                                 cell_index *attacker);

#endif
