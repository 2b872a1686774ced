#include "engine/random_move.h"

/* splitmix64 */
static uint64_t next_random(uint64_t *seed)
{
    uint64_t value = (*seed += UINT64_C(0x9e3779b97f4a7c15));
    value = (value ^ (value >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    value = (value ^ (value >> 27)) * UINT64_C(0x94d049bb133111eb);
    return value ^ (value >> 31);
}

bool random_move(struct position *position, uint64_t *seed, struct move *moves, struct move *move)
{
    int count = movegen_all(position, moves);
    if (count == 0)
        return false;
    *move = moves[(next_random(seed) >> 32) * (uint64_t)count >> 32];
    return true;
}
