/* Carrying out action sets: what a move of formats 0 and 1 does on the board, and in format 2 what a movement with
 * `cell_actions` does. */
#ifndef ENGINE_CLASSIC_ACTION_H
#define ENGINE_CLASSIC_ACTION_H

#include "engine/candidates.h"

/* Does what matches for a legal candidate or instance. All that matches is found before anything changes. `others`: the
 * participants that do not act by action sets, as bits; they are taken off their cells, and the caller puts them where
 * they go. */
void action_run_simple(struct position *position, struct undo *undo,
                       const struct candidate *candidate, cell_index from);
void action_run_complex(struct position *position, struct undo *undo,
                        const struct complex_instance *instance, unsigned others);

#endif
