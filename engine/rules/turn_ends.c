#include "engine/rules/turn_ends.h"

#include "engine/memory/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Where a hash is, or where it would be put. */
static uint64_t *find_slot(const struct turn_ends *ends, uint64_t hash)
{
    size_t at = (size_t)hash & (ends->room - 1);
    while (ends->slots[at] != 0 && ends->slots[at] != hash)
        at = (at + 1) & (ends->room - 1);
    return &ends->slots[at];
}

static void grow(struct turn_ends *ends)
{
    const struct turn_ends before = *ends;
    ends->room = before.room * 2 + (before.room == 0 ? 64 : 0);
    ends->slots = memory_zeroed(ends->room, sizeof *ends->slots);
    for (size_t i = 0; i < before.room; i++)
        if (before.slots[i] != 0)
            *find_slot(ends, before.slots[i]) = before.slots[i];
    free(before.slots);
}

bool turn_ends_add(struct turn_ends *ends, uint64_t hash)
{
    hash += hash == 0;
    if (2 * ends->count >= ends->room)
        grow(ends);
    uint64_t *slot = find_slot(ends, hash);
    if (*slot == hash)
        return false;
    *slot = hash;
    ends->count++;
    return true;
}

void turn_ends_clear(struct turn_ends *ends)
{
    if (ends->count > 0)
        memset(ends->slots, 0, ends->room * sizeof *ends->slots);
    ends->count = 0;
}

void turn_ends_release(struct turn_ends *ends)
{
    free(ends->slots);
    *ends = (struct turn_ends){0};
}
