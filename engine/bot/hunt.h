/* How a game is won against hardly anything: the enemy's royal figure, the one that must not be left attacked, is driven to where it is far
 * from everywhere, and one's own comes near. Alone against few figures counting what stands there sees no difference between one place
 * and another, and the mate lies deeper than is searched. Private to engine/bot. */
#ifndef ENGINE_BOT_HUNT_H
#define ENGINE_BOT_HUNT_H

#include "engine/position.h"

struct hunt;

/* `worth`: of the figures, by code, for their owners. NULL: the game is not for two, or not each of them has one royal figure. */
struct hunt *hunt_new(const struct game *game, const double *worth);
void hunt_free(struct hunt *hunt); /* NULL is allowed */
/* In logits times `unit`: what the player has of the chase, less what the other has. NULL: 0. */
int hunt_value(const struct hunt *hunt, const struct position *position, player_index player,
               int unit);

#endif
