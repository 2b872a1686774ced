/* Which positions are the same: their keys. Two of them are equal where contents, state, rights, the marks that count and the
 * counters that are never reset nor set are (engine/design.md); of a game that remembers boards, where contents are. */
#ifndef ENGINE_RULES_REPETITION_H
#define ENGINE_RULES_REPETITION_H

#include "engine/state.h"

/* Finds the key of a position that has come about, where repetition is asked for, unless it is known. The position is changed and
 * restored: whether a mark counts depends on which moves are legal. */
void repetition_note_key(struct position *position);

#endif
