/* The moves of a format-2 game by its definition, candidate by candidate: the specification that the fast path
 * must agree with.
 *
 *   fits          all that a movement says besides what it does holds between two cells (fits.h)
 *   pseudo-legal  by the first movement that fits, with each choice it leaves (pseudo.h)
 *   legal         and nothing that is forbidden holds on the position after it (legal.h)
 *   first         and no priority puts another move before it (priority.c)
 *
 * Moves are tried out on the position itself, which is restored. Nothing here allocates. */
#ifndef ENGINE_RULES_INTERPRETER_H
#define ENGINE_RULES_INTERPRETER_H

#include "engine/rules/legal.h"

/* Legal moves ordered by (from, to, choice), a pass last; none once the game has ended. */
int interpreter_moves(struct position *position, struct move *moves);
int interpreter_from(struct position *position, cell_index from, struct move *moves);
bool interpreter_find(struct position *position, cell_index from, cell_index to, uint8_t choice,
                      struct move *move);

/* Whether there is any; also of a position whose game has been ended by a result already. */
bool interpreter_any(struct position *position);

/* The same of moves as a node of CONDITION_NO_MOVES picks them. */
bool interpreter_any_like(struct position *position, const struct condition_node *like);

/* Whether the player to move may pass now (or end a turn that may go on); `others`: there are other legal moves. */
bool interpreter_may_pass(struct position *position, bool others);

/* `priority`, which says which of the legal moves come first; and those that it leaves, how many. Turns are tried out. */
bool priority_is_asked(const struct game *game);
int priority_keep(struct position *position, struct move *moves, int count);
/* How many figures a pseudo-legal move takes. */
int priority_takes(const struct position *position, struct move move);

#endif
