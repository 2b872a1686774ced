/* What hangs together: cells of a set between which steps lead, in either direction.
 *
 * Which cells lie beside each cell is one table of cell sets (`beside`, game->words words for each cell), made when the game is
 * compiled; so a set spreads by the bit sets of its cells. Nothing is kept between positions: who asks pays for the cells that
 * are found. Sets here are game->words words. */
#ifndef ENGINE_RULES_GROUPS_H
#define ENGINE_RULES_GROUPS_H

#include "engine/rules/matching.h"

/* `group`, some cells of `among`, takes in all of them that hang together with it. */
void groups_spread(const struct game *game, const uint64_t *beside, const uint64_t *among,
                   uint64_t *group);

/* The cell's group: what hangs together with it of the cells that match and are the same player's, or empty as it is. False: the
 * cell itself does not match, or there is none. */
bool groups_find(const struct position *position, const struct selection *selection,
                 cell_index cell, uint64_t *group);
/* Whether it is so large, and has so many empty cells beside it that are not its own. */
bool groups_fits(const struct position *position, const struct selection *selection,
                 const uint64_t *group);

#endif
