/* How a format-2 game ends: results, repetition, claims, places. */
#ifndef ENGINE_RESULT_H
#define ENGINE_RESULT_H

#include "engine/state.h"

/* After a completed turn: looks at the results that do not ask for legal moves; may give places, move the machine past
 * players who are out, and end the game. `material`: the turn has changed what is on the board, not only where. */
void result_look(struct position *position, bool material);

struct outcome result_outcome(const struct position *position);
struct outcome result_claim(const struct position *position);

/* How often the position has been there, this time included; nothing is counted beyond `enough`. */
int result_occurrences(const struct position *position, int enough);
uint64_t result_key(const struct position *position);

#endif
