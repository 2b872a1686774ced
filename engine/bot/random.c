#include "engine/bot/random.h"

/* splitmix64 */
static uint64_t next_random(uint64_t *seed)
{
    uint64_t value = (*seed += UINT64_C(0x9e3779b97f4a7c15));
    value = (value ^ (value >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    value = (value ^ (value >> 27)) * UINT64_C(0x94d049bb133111eb);
    return value ^ (value >> 31);
}

bool bot_random_choose(const struct position *position, uint64_t *seed, struct move *move)
{
    uint64_t state = *seed;
    uint64_t random = next_random(&state);
    if (!movegen_pick(position, random, move))
        return false;
    *seed = state;
    return true;
}
