/* Which words of a game file the work was done for: while shares are kept, those parts of the engine that follow words add
 * what each took, all that lies within it included. For authors whose game is refused; keeping them costs time. */
#ifndef ENGINE_WORK_SHARES_H
#define ENGINE_WORK_SHARES_H

#include "engine/work.h"

#include <stddef.h>

enum { WORK_SHARES_MAX = 512 };

struct work_share {
    const char *pointer; /* into the game file; borrowed from the game */
    uint64_t units;
};

struct work_shares {
    int count; /* what finds no room is left out */
    struct work_share list[WORK_SHARES_MAX];
};

/* Whether one JSON pointer stands within the other, or is it. */
bool pointer_lies_within(const char *inner, const char *outer);

void work_shares_add(const char *pointer, uint64_t units);

/* The words that took the most: of those within each other the innermost that took nearly all of it. NULL: none did. */
const struct work_share *work_shares_costliest(const struct work_shares *shares);

/* What has been spent since `before` was for these words. */
static inline void work_was_for(const char *pointer, uint64_t before)
{
    if (work_here.shares != NULL)
        work_shares_add(pointer, work_here.spent - before);
}

#endif
