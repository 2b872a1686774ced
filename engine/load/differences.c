#include "engine/load/reader.h"

#include <string.h>

/* Format 2: all the ways from one cell of the board to another, for movements that lead anywhere. */

enum { SLOTS = 4 * MOVEMENTS_MAX, MOST = MOVEMENTS_MAX + 1 };

/* Where the difference is, or is to be, in a table of one more than its place in the list. */
static unsigned slot_of(const struct differences *all, const uint16_t *slots, const int *delta)
{
    uint64_t mixed = 0;
    for (int i = 0; i < DIMENSIONS_MAX; i++)
        mixed = (mixed ^ (uint32_t)delta[i]) * UINT64_C(0x9e3779b97f4a7c15);
    unsigned slot = (unsigned)(mixed >> 32) % SLOTS;
    while (slots[slot] != 0 && memcmp(all->list[slots[slot] - 1], delta, sizeof *all->list) != 0)
        slot = (slot + 1) % SLOTS;
    return slot;
}

static void add_difference(struct differences *all, uint16_t *slots, const struct board_cell *from,
                           const struct board_cell *to)
{
    int delta[DIMENSIONS_MAX];
    for (int i = 0; i < DIMENSIONS_MAX; i++)
        delta[i] = to->coordinates[i] - from->coordinates[i];
    unsigned slot = slot_of(all, slots, delta);
    if (slots[slot] != 0)
        return;
    memcpy(all->list[all->count++], delta, sizeof delta);
    slots[slot] = (uint16_t)all->count;
}

const struct differences *differences_of_board(struct reader *reader)
{
    const struct definition *definition = reader->definition;
    if (reader->differences != NULL)
        return reader->differences;
    struct differences *all = reader_allocate(reader, 1, sizeof *all);
    uint16_t *slots = reader_allocate(reader, SLOTS, sizeof *slots);
    all->list = reader_allocate(reader, MOST, sizeof *all->list);
    for (int from = 0; from < definition->cell_count; from++)
        for (int to = 0; to < definition->cell_count && all->count < MOST; to++)
            if (from != to)
                add_difference(all, slots, &definition->cells[from], &definition->cells[to]);
    return reader->differences = all;
}
