/* How a figure moves, shown by itself: for people who learn the game, and for no rule. */
#ifndef ENGINE_GUIDE_H
#define ENGINE_GUIDE_H

#include "engine/position.h"

struct guide {
    cell_index cell; /* where it stands, alone on the board */
    /* Where it may go; where it would take an enemy's figure. */
    uint64_t moves[WORDS_MAX], takes[WORDS_MAX];
};

/* The cell is one of those from which it has the most to show, near the middle of the board. It stops looking when `work_max`
 * is spent. False: it goes nowhere. `scratch` is a position of the game, and another one afterwards. */
bool guide_of(struct position *scratch, player_index player, figure_index figure, uint64_t work_max,
              struct guide *guide);

#endif
