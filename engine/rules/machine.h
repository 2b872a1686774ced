/* The state machine: what happens between a move and the next player's turn.
 *
 *   MOVE ──a move──► passive states, each with its effect, one after the other ──► MOVE or END
 *
 *   CHECK_WIN   goes on by its `true` branch if its player has won by the file's win conditions
 *   NEXT_MOVE   the move number grows by one
 *
 * Loading has made sure that passive states make no circle, so it always stops. In format 2 a file has the states it
 * writes, or those made from `turns`; the machine is the same. */
#ifndef ENGINE_RULES_MACHINE_H
#define ENGINE_RULES_MACHINE_H

#include "engine/state.h"

/* Goes to a state, and on from it to the next that waits for a move or ends the game. */
void machine_enter(struct position *position, state_index index);
/* After a move has been carried out: on to the next state that waits for a move of somebody who has no place yet and whose turn's
 * condition holds, or ends the game. If no condition of the whole round holds, the first turn of it comes all the same. */
void machine_advance(struct position *position);

/* Won or drawn by the state, or drawn by the bound on plies; else it goes on. */
struct outcome machine_outcome(const struct position *position);
/* By this player; PLAYER_NONE: drawn. */
struct outcome machine_won_by(player_index winner, const char *reason);
/* When a player loses: of two the other has won, of more only who alone is left. */
struct outcome machine_lost_by(const struct position *position, player_index loser,
                               const char *reason);
/* Where who is to move has no legal move: by the file's `no_moves`. */
struct outcome machine_stuck(const struct position *position);

#endif
