/* Action sets: all that moves of formats 0 and 1 do, and in format 2 those of movements with `cell_actions`. Which of them
 * match, is a candidate or a combined instance legal by them, and what they do on the board. */
#ifndef ENGINE_CLASSIC_ACTIONS_H
#define ENGINE_CLASSIC_ACTIONS_H

#include "engine/candidates.h"

/* Whether action sets match on the way of a candidate, and none of them cancels. Its `if` is not asked. */
bool action_allowed(const struct position *position, const struct candidate *candidate,
                    cell_index from);
/* Whether action sets match for each of those participants that do not go by default, and none cancels. All stand where they
 * must. */
bool action_group_allowed(const struct position *position,
                          const struct combined_instance *instance);

/* Whether what matches for a legal candidate takes something; `on_target`: on its target. */
bool action_takes(const struct position *position, const struct candidate *candidate,
                  cell_index from, bool on_target);

/* Does what matches for a legal candidate or instance. All that matches is found before anything changes. `others`: the
 * participants that do not act by action sets, as bits; they are taken off their cells, and the caller puts them where
 * they go. */
void action_run(struct position *position, struct undo *undo, const struct candidate *candidate,
                cell_index from);
void action_run_group(struct position *position, struct undo *undo,
                      const struct combined_instance *instance, unsigned others);

#endif
