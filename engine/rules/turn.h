/* Making a move: it changes the board (change.h), the turn goes on or ends, and something follows.
 * Nothing is said here of how the game ends: result.c makes the moves of games that are played. */
#ifndef ENGINE_TURN_H
#define ENGINE_TURN_H

#include "engine/state.h"

enum turn_depth {
    TURN_TRIAL, /* to see whether something forbidden holds: a turn goes on by pseudo-legal moves */
    TURN_LOOK,  /* to look ahead within a turn */
    TURN_FULL,  /* the position before it is remembered */
};

void turn_make(struct position *position, struct move move, struct undo *undo,
               enum turn_depth depth);

/* What a counter of the mover's becomes after the last move: it is reset, set, or grows, the first of these that is so. */
void turn_count(const struct position *position, const struct counter_rule *counter,
                player_index mover, int16_t *value);

/* The part of the hash that is not on the board. */
uint64_t turn_hash(const struct position *position);

/* Whether what moved last decides about moves now. */
bool turn_needs_last(const struct position *position);

#endif
