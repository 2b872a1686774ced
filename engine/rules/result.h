/* How a format-2 game ends: results, claims, places. Moves of games that are played are made here, since each may end it. */
#ifndef ENGINE_RULES_RESULT_H
#define ENGINE_RULES_RESULT_H

#include "engine/state.h"

/* Makes a move and, when that completes a turn, looks at the results. */
void result_make(struct position *position, struct move move, struct undo *undo);
/* What a position just set up needs: who moved before, its key, and results that hold already. */
void result_begin(struct position *position);

/* The position is changed and restored: whether somebody can move is found by trying. */
struct outcome result_outcome(struct position *position);
struct outcome result_claim(struct position *position);

#endif
