/* What may be asked for when a game is loaded. */
#ifndef ENGINE_LOAD_OPTIONS_H
#define ENGINE_LOAD_OPTIONS_H

#include <stdbool.h>

struct load_options {
    bool
        ignore_movement_if; /* as the original program did: a movement's own "if" is not looked at */
    int player_count;       /* one of the file's "player_counts"; 0: all players */
    bool
        try_out; /* plays some games first, and refuses what takes too much work: for definitions that come from strangers
                            to be played anew. Not for those of games that have begun: these are bounded move by move */
};

#endif
