/* Eyes: empty cells around which there are only stones of one player, whose groups would be taken without a cell like that. A player who
 * fills their own eyes by chance loses groups that nobody could take, and a playout that does tells nothing. Only of games whose
 * words say that groups without an empty cell beside them are removed. Private to engine/bot. */
#ifndef ENGINE_BOT_EYES_H
#define ENGINE_BOT_EYES_H

#include "engine/state.h"

struct eyes;

struct eyes *eyes_new(const struct game *game); /* NULL: it is no such game */
void eyes_free(struct eyes *eyes);              /* NULL is allowed */
/* Whether the empty cell is an eye of the player's. */
bool eyes_has(const struct eyes *eyes, const struct position *position, cell_index cell,
              player_index player);

#endif
