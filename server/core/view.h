/* The only way out of a position: what may be seen of a room, as values for the wire. Every
 * recipient's state, patch and list of moves is made here; whatever a game may one day hide is left
 * out here. */
#ifndef SERVER_CORE_VIEW_H
#define SERVER_CORE_VIEW_H

#include "protocol/state.h"
#include "server/core/catalogue.h"
#include "server/core/standing.h"

/* Fills `state`; `cells` has room for all cells of the game and is borrowed by it, as are the
 * standing's texts. */
void view_fill(struct state *state, struct state_cell *cells, const struct edition *edition,
               const struct standing *standing, const struct position *position);

/* An array of {"from","to"}; `moves` is room for game_moves_max of them. From CELL_NONE: from
 * everywhere. */
void view_write_legal_moves(struct writer *writer, const struct position *position, cell_index from,
                            struct move *moves);
void view_write_move(struct writer *writer, const struct game *game, struct move move);

/* What to draw. Only a served game's images may be files of ours; others are left out unless they
 * are https. */
void view_write_layout(struct writer *writer, const struct game *game, bool served);

#endif
