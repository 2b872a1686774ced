/* Positions that a game went through, put away so that any of them is at most a few moves, and half of WORK_POSITION_MAX, from
 * one that is kept. What is kept is bounded: when it grows too large every second one is given up, and the distance doubles; where
 * moves are dear it may be more than an answer may take then. */
#ifndef SERVER_CORE_PAST_H
#define SERVER_CORE_PAST_H

#include "engine/position.h"

enum {
    PAST_INTERVAL = 50,               /* plies */
    PAST_BYTES_MAX = 4 * 1024 * 1024, /* of one game: large boards of thousands of plies */
};

struct past_position {
    int ply;
    void *bytes; /* owned */
    size_t size;
};

struct past {
    struct past_position *kept; /* owned, in order of plies */
    int count, room, interval;
    uint64_t work; /* of the moves since the last one kept, in units of engine/work.h */
    size_t bytes;
};

void past_init(struct past *past);
void past_release(struct past *past);
/* The game has come to this position after so many plies, by a move that took so much work. To be told of every ply from 1
 * on, in order. */
void past_note(struct past *past, const struct position *position, int ply, uint64_t work);
/* What came after so many plies has not been. */
void past_cut(struct past *past, int ply);
/* Sets `position` to the last one kept of those after at most `ply` plies, and returns after how many that was; 0: the
 * start. */
int past_restore(const struct past *past, struct position *position, int ply);

#endif
