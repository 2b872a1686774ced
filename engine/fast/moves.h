/* The legal moves of a format-2 game: by the fast path where the game has one, by the interpreter where it has not. The
 * answers are those of movegen.h. */
#ifndef ENGINE_FAST_MOVES_H
#define ENGINE_FAST_MOVES_H

#include "engine/fast/fast.h"

int fast_moves_all(struct position *position, struct move *moves);
int fast_moves_unordered(struct position *position, struct move *moves);
int fast_moves_from(struct position *position, cell_index from, struct move *moves);
uint64_t fast_moves_count(struct position *position);
bool fast_moves_any(struct position *position);
bool fast_moves_find(struct position *position, cell_index from, cell_index to, uint8_t choice,
                     struct move *move);

#endif
