/* What only tests ask of a position. */
#ifndef TESTS_ENGINE_POSITIONS_H
#define TESTS_ENGINE_POSITIONS_H

#include "engine/position.h"

/* Of one game: all that decides how play can go on is the same. */
bool position_equal(const struct position *a, const struct position *b);
/* What position_hash must be, from what stands there. */
uint64_t position_hash_from_scratch(const struct position *position);

/* Whether putting figures, marks, counters and the turn says all of the position: not within a turn of several moves, not
 * once places are given or a result has ended it, nor where the last move decides about the next. */
bool position_stands_alone(const struct position *position);

#endif
