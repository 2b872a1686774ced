#include "engine/work_shares.h"

#include <stddef.h>
#include <string.h>

_Thread_local struct work work_here WORK_NEAR = {.limit = UINT64_MAX};

/* What is compiled once for each player has a pointer of its own each time, with the same text. */
void work_shares_add(const char *pointer, uint64_t units)
{
    struct work_shares *shares = work_here.shares;
    if (pointer == NULL || pointer[0] == '\0')
        return;
    int i = 0;
    while (i < shares->count && strcmp(shares->list[i].pointer, pointer) != 0)
        i++;
    if (i == WORK_SHARES_MAX)
        return;
    shares->list[i].pointer = pointer;
    shares->list[i].units += units;
    shares->count += i == shares->count;
}

static bool lies_within(const struct work_share *share, const struct work_share *outer)
{
    size_t length = strlen(outer->pointer);
    return strncmp(share->pointer, outer->pointer, length) == 0 && share->pointer[length] == '/';
}

const struct work_share *work_shares_costliest(const struct work_shares *shares)
{
    const struct work_share *most = NULL;
    for (int i = 0; i < shares->count; i++)
        if (most == NULL || shares->list[i].units > most->units)
            most = &shares->list[i];
    for (int i = 0; i < shares->count; i++)
        if (lies_within(&shares->list[i], most) && shares->list[i].units / 4 >= most->units / 5) {
            most = &shares->list[i];
            i = -1;
        }
    return most;
}
