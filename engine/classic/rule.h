/* Rules of action sets, which are all rules of formats 0 and 1, and in format 2 those of movements with `cell_actions`: does
 * a condition hold, which action sets match, is a candidate or a complex instance legal by them. */
#ifndef ENGINE_CLASSIC_RULE_H
#define ENGINE_CLASSIC_RULE_H

#include "engine/candidates.h"

/* `target` may be CELL_NONE: a hole. */
bool rule_condition_holds(const struct position *position, const struct condition *condition,
                          cell_index self, cell_index target);
/* Whether an `if` lets it be. */
bool rule_any_holds(const struct position *position, const struct condition_list *conditions,
                    cell_index self, cell_index target);

/* Whether action sets match on the way of a candidate, and none of them cancels. Its `if` is not asked. */
bool rule_simple_legal(const struct position *position, const struct candidate *candidate,
                       cell_index from);
/* Whether action sets match for each of those participants that do not go by default, and none cancels. All stand where they
 * must. */
bool rule_participants_act(const struct position *position,
                           const struct complex_instance *instance);

/* Writes the action sets that match for a legal move, in the order in which they are carried out; returns how many.
 * `matches` has room for the game's matches_max. */
int rule_match_simple(const struct position *position, const struct candidate *candidate,
                      cell_index from, struct match *matches);
int rule_match_complex(const struct position *position, const struct complex_instance *instance,
                       struct match *matches);

#endif
