/* The interpreter of rules, which is the format's definition put into code: does a condition hold,
 * which action sets does a move match, is it legal. Kernels must agree with it; making a move uses
 * it too. */
#ifndef ENGINE_RULE_H
#define ENGINE_RULE_H

#include "engine/state.h"

#include <assert.h>

/* `target` may be CELL_NONE: a hole. */
bool rule_condition_holds(const struct position *position, const struct rule_condition *condition,
                          cell_index self, cell_index target);

/* Whether a history atom holds for the figure on `self` (and what stands on `target`). */
static inline bool rule_atom_holds(const struct position *position, struct history_atom atom,
                                   cell_index self, cell_index target)
{
    const struct cell_record *cells = position->cells;
    switch (atom.kind) {
    case HISTORY_SELF_MOVES_MADE:
        return cells[self].moves_made == atom.value;
    case HISTORY_SELF_LAST_MOVE:
        return cells[self].last_move == atom.value;
    case HISTORY_SELF_MOVES_AFTER_LAST_MOVE:
        return (int64_t)position->move_number - cells[self].last_move == atom.value;
    case HISTORY_CURRENT_MOVE:
        return (int64_t)position->move_number == atom.value;
    case HISTORY_TARGET_MOVES_MADE:
        return cells[target].moves_made == atom.value;
    case HISTORY_TARGET_LAST_MOVE:
        return cells[target].last_move == atom.value;
    }
    assert(false);
    return false;
}

/* Whether one of the conditions of a rule's `if` holds. */
bool rule_guard_holds(const struct position *position, const struct rule *rule, cell_index from,
                      cell_index to);

/* The first of the candidates from a cell that lead to `to`; the end when there is none. */
uint32_t rule_first_candidate(const struct game *game, uint32_t low, uint32_t end, cell_index to);
/* The simple candidate that decides about from → to for the figure on `from`; NULL when there is
 * none. */
const struct candidate *rule_find_simple(const struct position *position, cell_index from,
                                         cell_index to);
bool rule_simple_legal(const struct position *position, const struct candidate *candidate,
                       cell_index from);
bool rule_complex_legal(const struct position *position, const struct complex_instance *instance);
/* The same of some of its participants, as bits. */
bool rule_participants_legal(const struct position *position,
                             const struct complex_instance *instance, unsigned participants);

/* The matched action sets of a legal move, in the order in which they are carried out; returns how
 * many. */
int rule_match_simple(const struct position *position, const struct candidate *candidate,
                      cell_index from, struct match *matches);
int rule_match_complex(const struct position *position, const struct complex_instance *instance,
                       struct match *matches);

#endif
