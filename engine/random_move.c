#include "engine/random_move.h"

#include "engine/state.h"

bool random_move(struct position *position, uint64_t *seed, struct move *moves, struct move *move)
{
    int count = movegen_all(position, moves);
    if (count == 0)
        return false;
    uint64_t chance = hash_mix(*seed);
    *seed += HASH_STEP; /* as mixing does first: this is splitmix64 */
    *move = moves[(chance >> 32) * (uint64_t)count >> 32];
    return true;
}
