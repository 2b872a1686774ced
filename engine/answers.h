/* What everybody asks of a position as soon as it has come about, as one answer: how the game stands, what may be claimed,
 * which moves are legal. A game goes on only as long as that can be had for the work an answer may take. */
#ifndef ENGINE_ANSWERS_H
#define ENGINE_ANSWERS_H

#include "engine/position.h"
#include "engine/work.h"

/* The reason for the end of a game that cannot go on because that would take too much work; nobody wins. */
#define ANSWERS_TOO_MUCH "the next position would take the server too much work"

struct answers {
    struct outcome outcome, claim;
    uint64_t moves;
};

/* Of the position, after `move` has been made if it is not NULL. False: it would take more than `units`; the position is then
 * one that may have come of the move, and the answers are an end by ANSWERS_TOO_MUCH. */
bool position_answer(struct position *position, const struct move *move, uint64_t units,
                     struct answers *answers);

#endif
