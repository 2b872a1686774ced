#include "engine/bot/random.h"

#include <assert.h>

/* splitmix64 */
static uint64_t next_random(uint64_t *seed)
{
    uint64_t value = (*seed += UINT64_C(0x9e3779b97f4a7c15));
    value = (value ^ (value >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    value = (value ^ (value >> 27)) * UINT64_C(0x94d049bb133111eb);
    return value ^ (value >> 31);
}

/* A number below `bound`, exactly uniform: what would make the low ones likelier is drawn again. */
static uint64_t random_below(uint64_t *seed, uint64_t bound)
{
    uint64_t surplus = (UINT64_MAX % bound + 1) % bound;
    uint64_t value = next_random(seed);
    while (value > UINT64_MAX - surplus)
        value = next_random(seed);
    return value % bound;
}

bool bot_random_choose(const struct position *position, uint64_t *seed, struct move *move)
{
    uint64_t count = movegen_count(position);
    if (count == 0)
        return false;
    uint64_t chosen = random_below(seed, count);
    int cell_count = game_cell_count(position_game(position));
    struct move moves[CELLS_MAX];
    for (int cell = 0; cell < cell_count; cell++) {
        uint64_t here = (uint64_t)movegen_from(position, (cell_index)cell, moves);
        if (chosen < here) {
            *move = moves[chosen];
            return true;
        }
        chosen -= here;
    }
    assert(false);
    return false;
}
