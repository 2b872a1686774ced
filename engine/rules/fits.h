/* What a movement says besides what it does: whether it fits between two cells, which cells are attacked by it, and whether
 * a combined movement can be made as it is laid out. Nothing is made here, and a position is only looked at; but where a combined
 * movement asks for safe cells its first figure is tried on them, and put back. */
#ifndef ENGINE_RULES_FITS_H
#define ENGINE_RULES_FITS_H

#include "engine/candidates.h"

/* Why a movement cannot be made: the first reason in the order in which they are looked at, and the sentence by which
 * explain.c says it ("": it says more than one sentence could). The first are of simple movements, the condition of both
 * kinds, those behind it of combined ones. */
#define MISFITS(MISFIT)                                                                            \
    MISFIT(PHASE, "this movement of the {mover} belongs to another part of the turn")              \
    MISFIT(TO_GO_ON, "the {mover} goes on with its turn, and this movement does not")              \
    MISFIT(TARGET, "")                                                                             \
    MISFIT(VISITED, "the {mover} has been on {to} in this turn already")                           \
    MISFIT(VIA, "its way leads by {cell}, where the {figure} of {owner} stands")                   \
    MISFIT(STEPS, "the {mover} goes as many steps as are counted on its line, and these are not")  \
    MISFIT(PATH, "")                                                                               \
    MISFIT(CONDITION, "")                                                                          \
    MISFIT(MISSING, "it takes a {kind} on {cell}, which is not there")                             \
    MISFIT(MOVED, "the {kind} on {cell} has moved before") /* or is not the right player's */      \
    MISFIT(NO_ROOM, "{cell} is not empty: the {figure} of {owner} stands there")                   \
    MISFIT(NOT_EMPTY, "{cell} must be empty, but the {figure} of {owner} stands there")            \
    MISFIT(UNSAFE, "{cell} is attacked by the {attacker} on {there}")                              \
    MISFIT(IDLE, "not all its figures can do their part") /* or a cell of `empty` does not exist */

#define MISFIT(name, sentence) UNFIT_##name,
enum fit { FITS, MISFITS(MISFIT) };
#undef MISFIT
/* And where: the cell and the figure it is about, and who attacks the cell, as far as the reason has them. */
struct misfit {
    enum fit why;
    figure_index figure;
    cell_index cell, attacker;
};
struct misfit fits_judge(const struct position *position, const struct candidate *candidate,
                         cell_index from);
struct misfit fits_combined(struct position *position, const struct combined_instance *instance);

/* Where the enemy's figure stands that the move takes by the mark on its target; CELL_NONE: none. */
cell_index fits_marked(const struct position *position, const struct movement *rule,
                       struct move move);

/* The candidate a simple move was found by. */
const struct candidate *fits_candidate(const struct position *position, struct move move);
/* Whether some movement leads from one cell to the other on an empty board, or on any other: if not, no move does. */
bool fits_leads(const struct position *position, cell_index from, cell_index to);

/* Whether one of the player's figures, of some kinds (bits), attacks the cell, whatever stands there; `attacker`, if not
 * NULL, becomes where the first stands. */
bool fits_attacks(const struct position *position, cell_index cell, player_index by, uint64_t kinds,
                  cell_index *attacker);
/* One word of the cells with a player's figures of a kind that geometry lets attack a cell. */
uint64_t fits_origins_word(const struct position *position, int figure, player_index by,
                           cell_index cell, int word);

#endif
