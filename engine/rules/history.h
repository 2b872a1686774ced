/* The positions that have been, as keys in a ring: what repetition is counted by. */
#ifndef ENGINE_RULES_HISTORY_H
#define ENGINE_RULES_HISTORY_H

#include "engine/state.h"

/* The position before a move joins those that have been; what the ring loses by it is kept in `undo`. */
void history_remember(struct position *position, struct undo *undo);
/* Takes that back, when the turn is again as it was before the move. */
void history_take_back(struct position *position, const struct undo *undo);
/* No position that has been can come again. */
void history_forget(struct position *position);

/* Whether it holds the key. */
bool history_has(const struct position *position, uint64_t key);

/* Whether the position is there for at least so many times (two or more), this one included and of those before it no more than `back`
 * looked at. */
bool history_repeats(const struct position *position, int times, int back);

/* repetition.c: the key of a position that has come about, found where repetition is asked for, unless it is known. Two positions are the
 * same where contents, state, rights, the marks that count and the counters that are never reset nor set are (engine/design.md); in a game
 * that remembers boards, where contents are. The position is changed and restored: whether a mark counts depends on which moves
 * are legal. */
void repetition_note_key(struct position *position);

#endif
