/* The only way out of a position: what may be seen of a room, as values for the wire. Every
 * recipient's state, patch and list of moves is made here; whatever a game may one day hide is left
 * out here. */
#ifndef SERVER_CORE_VIEW_H
#define SERVER_CORE_VIEW_H

#include "engine/explain.h"
#include "protocol/state.h"
#include "server/core/catalogue.h"
#include "server/core/standing.h"

/* Storage for the cells of a state, for any game. */
struct view_cells {
    struct state_cell cells[CELLS_MAX];
    const char *names[CELLS_MAX], *taken[CELLS_MAX];
};

/* Everything. `cells` is borrowed by the state, as are the standing's texts. */
void view_fill(struct state *state, struct view_cells *cells, const struct edition *edition,
               const struct standing *standing, const struct position *position);

/* Two states of one room for what looks only at their difference (a patch, a change of hash): of the cells only those
 * that differ. */
struct view {
    const struct standing *standing;
    const struct position *position;
    struct state *state;
    struct view_cells *cells;
};
void view_fill_difference(struct view *before, struct view *after, const struct edition *edition);

/* The legal moves from a cell (CELL_NONE: from everywhere) behind the first `skip`, as an array of the protocol, as many as
 * fit into a frame's share. `moves` is room for moves_max of them. In the same position they come in the same order. */
struct view_moves_written {
    int count, given; /* all there are from there, and those in the array */
};
struct view_moves_written view_write_legal_moves(struct writer *writer,
                                                 const struct edition *edition,
                                                 struct position *position, cell_index from,
                                                 int skip, struct move *moves);
/* The legal moves from one cell, each with the words of the game's file that allow it. `scratch` is a position of the
 * same game. At most EXPLAINED_MOVES_MAX of them. */
enum { EXPLAINED_MOVES_MAX = 32 };
void view_write_explained_moves(struct writer *writer, const struct edition *edition,
                                struct position *scratch, cell_index from, struct move *moves);
/* {"verdict","words","pointers"} */
void view_write_explanation(struct writer *writer, const struct explanation *explanation);
void view_write_move(struct writer *writer, const struct edition *edition, struct move move);
/* A move as the game's file writes it, as a string: algebraic where it declares that, else the text every game has. The boards
 * before and after it; the second may be NULL and is made then. */
void view_write_move_text(struct writer *writer, struct edition *edition, struct position *before,
                          struct position *after, struct move move);

/* Members of an open object: `attacked`, `counters`, `scores` and `hands`, where there are any. */
void view_write_remarks(struct writer *writer, const struct edition *edition,
                        const struct position *position);

/* How much of a snapshot the game's board may take: its layout, its state with a figure on every cell, and full hands. */
size_t view_board_bytes(const struct game *game);

#endif
