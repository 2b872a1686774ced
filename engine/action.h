/* Changing the board: one cell at a time with what an undo has to know, and by action sets, version 0's way. */
#ifndef ENGINE_ACTION_H
#define ENGINE_ACTION_H

#include "engine/state.h"

/* Writes a cell and remembers, once, what was there before the move. Whoever stands there has moved (or is gone). */
void action_change(struct position *position, struct undo *undo, cell_index cell,
                   struct cell_record record);

/* Carries out what a legal candidate or instance matches. Both find it before they change anything. `others`: the
 * participants that do not act by action sets, as bits; they stay where they are. */
void action_run_simple(struct position *position, struct undo *undo,
                       const struct candidate *candidate, cell_index from);
void action_run_complex(struct position *position, struct undo *undo,
                        const struct complex_instance *instance, unsigned others);

#endif
