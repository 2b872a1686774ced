/* The cells of a selection (struct selection) in a position. `self` and `target` are the cells of the move, as of conditions
 * (condition.h): CELL_NONE where there is none, and then what counts from it has no cells. */
#ifndef ENGINE_SELECTION_H
#define ENGINE_SELECTION_H

#include "engine/rules/matching.h"

/* How many there are; those on the board are added to `cells`, an empty set of game->words words, or NULL. Among neighbours a
 * hole counts where the match is like a hole. */
int selection_find(const struct position *position, const struct selection *selection,
                   cell_index self, cell_index target, uint64_t *cells);

/* Keeps those of the cells of which, as the origin, an ENCLOSED selection has some: of all at once. */
void selection_keep_enclosing(const struct position *position, const struct selection *selection,
                              uint64_t *cells);

#endif
