/* What everybody asks of a position as soon as it has come about, as one answer: how the game stands, what may be claimed, which
 * moves are legal. A game goes on only as long as that can be had for the work an answer may take.
 *
 * Whether a game can be played on a server that has other games to play: its start position, and those of some games of
 * random moves, always the same ones, are asked all that, each within WORK_POSITION_MAX. Where one takes more, the words of the
 * file it took it for are found out. */
#ifndef ENGINE_TRIAL_H
#define ENGINE_TRIAL_H

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

enum {
    TRIAL_MOVES_MAX = 4096,           /* legal moves of a position */
    TRIAL_GAMES = 8,                  /* that are played */
    TRIAL_PLIES_MAX = 64,             /* of each, at most */
    TRIAL_WORK_MAX = 3 * 1000 * 1000, /* units for all of them: then it is enough */
};

enum trial_verdict { TRIAL_FINE, TRIAL_TOO_MUCH_WORK, TRIAL_TOO_MANY_MOVES };

struct trial {
    enum trial_verdict verdict;
    int ply;             /* after how many moves it was too much */
    uint64_t most_moves; /* of the position that had the most */
    uint64_t most_work;  /* of the position that took the most, as far as it was looked at */
    /* Of TOO_MUCH_WORK the costliest words, borrowed from the game, NULL: no words of their own; and their part of the work. */
    const char *pointer;
    int percent;
};

struct trial game_try(const struct game *game);

#endif
