/* The game's state machine: what happens between a move and the next player's turn.
 *
 *   MOVE ──a move──► next ─► passive states, each with its effect, one after the other ─► MOVE or
 * END CHECK_WIN   takes its `true` branch if its player has won      NEXT_MOVE   the move number
 * grows by one
 *
 * Loading has made sure that no cycle of passive states exists, so it always stops. */
#ifndef ENGINE_MACHINE_H
#define ENGINE_MACHINE_H

#include "engine/state.h"

/* After a move has been carried out: on to the next state that waits or ends. */
void machine_advance(struct position *position);

/* Whether `player` has won, by the file's win conditions. */
bool machine_player_wins(const struct position *position, player_index player);

#endif
