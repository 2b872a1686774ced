/* How a game stands: going on, or ended, and then for whom and why. */
#ifndef ENGINE_OUTCOME_H
#define ENGINE_OUTCOME_H

#include "engine/types.h"

enum outcome_kind {
    OUTCOME_PLAYING,
    OUTCOME_WON, /* `winner` is a player */
    OUTCOME_DRAWN,
};

struct outcome {
    enum outcome_kind kind;
    player_index winner;             /* PLAYER_NONE unless won */
    const char *reason;              /* "" while playing; borrowed from the game, or a constant */
    int rank_count;                  /* of games that give places: how many players have one */
    player_index ranks[PLAYERS_MAX]; /* first place first; also while playing */
};

#endif
