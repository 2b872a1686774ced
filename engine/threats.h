/* Which figures stand in check: the words of `forbid` speak of them, and no player may leave one so. */
#ifndef ENGINE_THREATS_H
#define ENGINE_THREATS_H

#include "engine/position.h"
#include "engine/work.h"

enum {
    THREATS_MAX = 16,
    THREATS_WORK_MAX = WORK_POSITION_MAX / 2, /* units: then none is told */
};

/* The cells of figures that are attacked and, by the words of `forbid`, must not be: of every player, as if each had just
 * moved. What is beyond the bound is left out. */
struct threats {
    int count;
    cell_index cells[THREATS_MAX];
};
void threats_find(const struct position *position, struct threats *threats);

#endif
