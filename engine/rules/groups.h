/* What hangs together: cells of a set between which steps lead, in either direction.
 *
 * Which cells lie beside each cell is one table (`struct beside`), made when the game is compiled. A set spreads by the sets of
 * its cells' neighbours where the board has few words of them, else by lists. Nothing is kept between positions: who asks pays for the cells that
 * are found. Sets here are game->words words. */
#ifndef ENGINE_RULES_GROUPS_H
#define ENGINE_RULES_GROUPS_H

#include "engine/rules/matching.h"

/* `group`, some cells of `among`, takes in all of them that hang together with it. */
void groups_spread(const struct game *game, const struct beside *beside, const uint64_t *among,
                   uint64_t *group);

/* `region` becomes the cells of `among` that hang together with `first`, which is one of them. Whether only cells of `ends` lie beside
 * it, at least one, and no step leads off the board unless the selection's `end` is like a hole. */
bool groups_closed_in(const struct position *position, const struct selection *selection,
                      const uint64_t *among, const uint64_t *ends, cell_index first,
                      uint64_t *region);

/* The cell's group is what hangs together with it of the cells that match and are the same player's, or empty as it is. Whether there is
 * one, which is so large and has so many empty cells beside it that are not its own. `group` becomes its cells; where it does
 * not fit perhaps only as many of them as it took to know that. */
bool groups_find(const struct position *position, const struct selection *selection,
                 cell_index cell, uint64_t *group);

#endif
