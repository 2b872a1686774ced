/* `priority`: which of the legal moves come first. */
#ifndef ENGINE_RULES_PRIORITY_H
#define ENGINE_RULES_PRIORITY_H

#include "engine/state.h"

bool priority_is_asked(const struct game *game);
/* Keeps of legal moves those that `priority` leaves; returns how many. Turns are tried out on the position, which is
 * restored. */
int priority_keep(struct position *position, struct move *moves, int count);

/* How many figures a pseudo-legal move takes. */
int priority_takes(const struct position *position, struct move move);

#endif
