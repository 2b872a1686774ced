/* Rules of action sets, which are all rules of formats 0 and 1, and in format 2 those of movements with `cell_actions`: does
 * a condition hold, which action sets match, is a candidate or a complex instance legal by them. */
#ifndef ENGINE_CLASSIC_RULE_H
#define ENGINE_CLASSIC_RULE_H

#include "engine/state.h"

/* `target` may be CELL_NONE: a hole. */
bool rule_condition_holds(const struct position *position, const struct rule_condition *condition,
                          cell_index self, cell_index target);

/* Whether one of the conditions of a rule's `if` holds. */
bool rule_guard_holds(const struct position *position, const struct rule *rule, cell_index from,
                      cell_index to);

/* Whether action sets match on the way of a candidate, and none of them cancels. Its `if` is not asked. */
bool rule_simple_legal(const struct position *position, const struct candidate *candidate,
                       cell_index from);

/* What action sets say of the cells along one ray of a rule, as far as it has been looked at: so that each cell is judged
 * once for all targets behind it. Holds as long as the position does not change. */
struct rule_ray {
    uint32_t rule, path;
    uint16_t seen;             /* cells judged, from the nearest on */
    uint16_t matches, cancels; /* the first such cell; RULE_NOWHERE: none seen */
};
enum { RULE_NOWHERE = UINT16_MAX };
struct rule_ray rule_ray_of(const struct candidate *candidate);
/* As rule_simple_legal; `ray` is of the candidate's rule and path. */
bool rule_legal_along(const struct position *position, const struct candidate *candidate,
                      cell_index from, struct rule_ray *ray);
/* Whether the participants stand where they must, and action sets match for each of them and none cancels. */
bool rule_complex_legal(const struct position *position, const struct complex_instance *instance);
/* The same of the action sets of some participants, as bits; they stand where they must. */
bool rule_participants_legal(const struct position *position,
                             const struct complex_instance *instance, unsigned participants);

/* Writes the action sets that match for a legal move, in the order in which they are carried out; returns how many.
 * `matches` has room for the game's matches_max. */
int rule_match_simple(const struct position *position, const struct candidate *candidate,
                      cell_index from, struct match *matches);
int rule_match_complex(const struct position *position, const struct complex_instance *instance,
                       struct match *matches);

#endif
