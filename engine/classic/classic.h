/* Games of formats 0 and 1: their legal moves, making them and taking them back, and the end of a game. This is all that
 * the rest of the engine calls for them; engine/formats.c does.
 *
 * Legality: the first simple candidate for a target whose `if` holds decides it. Only where that gives no move the complex
 * instances for the target are tried, in their order. */
#ifndef ENGINE_CLASSIC_CLASSIC_H
#define ENGINE_CLASSIC_CLASSIC_H

#include "engine/state.h"

/* What movegen.h says of the functions without "classic". */
int classic_all(const struct position *position, struct move *moves);
int classic_from(const struct position *position, cell_index from, struct move *moves);
uint64_t classic_count(const struct position *position);
bool classic_any(const struct position *position);
bool classic_find(const struct position *position, cell_index from, cell_index to, uint8_t choice,
                  struct move *move);

void classic_make(struct position *position, struct move move, struct undo *undo);
void classic_unmake(struct position *position, const struct undo *undo);
struct outcome classic_outcome(const struct position *position);

/* The simple candidate that decides about from → to, legal or not; NULL when there is none. */
const struct candidate *classic_candidate(const struct position *position, cell_index from,
                                          cell_index to);
/* Where the movement of a legal move stands in the file. */
const char *classic_pointer(const struct position *position, struct move move);

#endif
