/* What a board is made of. One struct of each from the file to whoever draws it: load/cells.c and load/layout.c read them, a game
 * keeps them as they are. */
#ifndef ENGINE_BOARD_H
#define ENGINE_BOARD_H

#include "engine/game.h"

struct board_cell {
    int coordinates[DIMENSIONS_MAX];
    const char *name; /* from cell.name, or the coordinates joined by `_` */
    struct cell_layout layout;
};

/* An outline; cells with equal ones share it. */
struct board_shape {
    int point_count;
    const struct point *points;
};

#endif
