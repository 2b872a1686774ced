/* What hangs together: cells of a set between which steps lead, in either direction.
 *
 * Which cells lie beside each cell is one table of cell sets (`beside`, game->words words for each cell), made when the game is
 * compiled; so a set spreads by the bit sets of its cells. Nothing is kept between positions: who asks pays for the cells that
 * are found. Sets here are game->words words. */
#ifndef ENGINE_RULES_GROUPS_H
#define ENGINE_RULES_GROUPS_H

#include "engine/tables.h"

/* `group`, some cells of `among`, takes in all of them that hang together with it. */
void groups_spread(const struct game *game, const uint64_t *beside, const uint64_t *among,
                   uint64_t *group);
/* How many cells of `free`, none of which is the group's, lie beside the group. */
int groups_count_beside(const struct game *game, const uint64_t *beside, const uint64_t *group,
                        const uint64_t *free);

#endif
