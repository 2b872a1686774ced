/* The player without opinions: any legal move, each as likely as every other.
 *
 * Its chance is arithmetic on a seed the caller keeps, so the same seed and the same positions give the same game. */
#ifndef ENGINE_BOT_RANDOM_H
#define ENGINE_BOT_RANDOM_H

#include "engine/movegen.h"

/* False, with `seed` as it was, when there is no legal move. Allocates nothing. */
bool bot_random_choose(const struct position *position, uint64_t *seed, struct move *move);

#endif
