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

bool pointer_lies_within(const char *inner, const char *outer)
{
    size_t length = strlen(outer);
    return strncmp(inner, outer, length) == 0 && (inner[length] == '/' || inner[length] == '\0');
}

const struct work_share *work_shares_costliest(const struct work_shares *shares)
{
    const struct work_share *most = NULL;
    for (int i = 0; i < shares->count; i++)
        if (most == NULL || shares->list[i].units > most->units)
            most = &shares->list[i];
    for (int i = 0; i < shares->count; i++)
        if (&shares->list[i] != most &&
            pointer_lies_within(shares->list[i].pointer, most->pointer) &&
            shares->list[i].units / 4 >= most->units / 5) {
            most = &shares->list[i];
            i = -1;
        }
    return most;
}
