#include "engine/fast_small_layout.h"

#include <assert.h>

enum { WEIGHT_MAX = 2 * WORD_BITS };

/* How far a cell lies from the first where a step of the first coordinate counts so much and one of the second 1. */
static int distance(const struct game *game, int cell, int weight)
{
    const int *first = game->coordinates, *here = first + (size_t)cell * 2;
    return (here[0] - first[0]) * weight + here[1] - first[1];
}

static int common_divisor(int a, int b)
{
    while (b != 0) {
        int rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* The largest step that all distances are made of; 0: the order of the cells would not stay. */
static int common_step(const struct game *game, int weight)
{
    int step = 0;
    for (int cell = 1; cell < game->cell_count; cell++) {
        int between = distance(game, cell, weight) - distance(game, cell - 1, weight);
        if (between <= 0)
            return 0;
        step = common_divisor(between, step);
    }
    return step;
}

static bool lay(struct small_layout *layout, const struct game *game, int weight)
{
    int step = common_step(game, weight);
    if (step == 0 || distance(game, game->cell_count - 1, weight) / step >= WORD_BITS)
        return false;
    for (int cell = 0; cell < game->cell_count; cell++)
        layout->bits[cell] = (uint8_t)(distance(game, cell, weight) / step);
    return true;
}

void small_layout_init(struct small_layout *layout, const struct game *game)
{
    bool laid = false;
    *layout = (struct small_layout){.cells = 0};
    assert(game->cell_count <= WORD_BITS);
    for (int weight = 1; weight <= WEIGHT_MAX && game->dimension_count == 2 && !laid; weight++)
        laid = lay(layout, game, weight);
    for (int cell = 0; cell < game->cell_count; cell++) {
        if (!laid)
            layout->bits[cell] = (uint8_t)cell;
        layout->numbers[layout->bits[cell]] = (uint8_t)cell;
        layout->cells |= UINT64_C(1) << layout->bits[cell];
    }
}
