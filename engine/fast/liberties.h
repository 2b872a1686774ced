/* Which placements are legal where a stone needs an empty cell beside its group, takes what has none any more, and may not make a
 * board again that has been there: found for all cells at once, without putting a stone anywhere. load/compile_fast_liberties.c
 * says which games are such. */
#ifndef ENGINE_FAST_LIBERTIES_H
#define ENGINE_FAST_LIBERTIES_H

#include "engine/rules/placing.h"

/* Takes away the cells on which the player to move may not put anything. */
void liberties_keep_legal(const struct position *position, struct placing *placing);

#endif
