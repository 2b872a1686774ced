/* What all copies of the loop of fast_small.h share. */
#include "engine/fast_small.h"

/* What has been found for one move: targets, none too, and how many there are before each. */
struct small_batches {
    int count;
    uint64_t targets[SMALL_BATCHES_MAX];
    uint32_t sums[SMALL_BATCHES_MAX + 1];
    const struct small_op *ops[SMALL_BATCHES_MAX];
    /* By rays: the figure's cell, and whom it jumps. */
    uint8_t from[SMALL_BATCHES_MAX];
    uint64_t jumped[SMALL_BATCHES_MAX];
};

static inline uint64_t small_turned(uint64_t word, unsigned by)
{
    return word << (by & (WORD_BITS - 1)) | word >> (-by & (WORD_BITS - 1));
}

static inline unsigned small_code(unsigned figure, unsigned player)
{
    return 1 + figure * SMALL_PLAYERS + player;
}

/* A batch, or what is left of it, in the place of an earlier one. */
static inline void small_batches_move(struct small_batches *batches, int from, int to,
                                      uint64_t targets)
{
    batches->targets[to] = targets;
    batches->ops[to] = batches->ops[from];
    batches->from[to] = batches->from[from];
    batches->jumped[to] = batches->jumped[from];
}

/* One more batch, of one figure; the sum before it is there. */
static inline int small_batches_add(struct small_batches *batches, int count,
                                    const struct small_op *op, uint64_t targets, unsigned from,
                                    uint64_t jumped)
{
    batches->targets[count] = targets;
    batches->ops[count] = op;
    batches->from[count] = (uint8_t)from;
    batches->jumped[count] = jumped;
    batches->sums[count + 1] = batches->sums[count] + word_count(targets);
    return count + 1;
}

/* A ray up to and including its first occupied cell. */
static inline uint64_t small_far_until(bool falling, uint64_t ray, uint64_t occupied)
{
    uint64_t block = ray & occupied;
    return ray & (falling ? UINT64_MAX << word_highest(block | 1) : block ^ (block - 1));
}

static inline uint64_t small_far_slide(const struct small_far *far, unsigned from,
                                       uint64_t occupied)
{
    uint64_t targets = 0;
    for (int i = 0; i < far->all; i++)
        targets |=
            small_far_until(i >= far->rising, far->rays[from][i], occupied) & far->masks[from][i];
    return targets;
}

/* Whom a jump along one ray takes, and where it may land; 0: nobody. */
static inline uint64_t small_far_jump(const struct small_far *far, unsigned from, int ray,
                                      uint64_t occupied, uint64_t over, uint64_t *landings)
{
    bool falling = ray >= far->rising;
    uint64_t all = far->rays[from][ray];
    uint64_t near = small_far_until(falling, all, occupied), jumped = near & over & occupied;
    if (jumped == 0)
        return 0;
    *landings = small_far_until(falling, all & ~near, occupied) & far->masks[from][ray] & ~occupied;
    return *landings != 0 ? jumped : 0;
}

/* The moves by rays of all figures `here`; returns how many batches there are then. */
static int small_collect_far(const struct small_player *player, const uint64_t *sets,
                             const struct small_op *op, uint64_t here,
                             struct small_batches *batches, int count)
{
    const struct small_far *far = &player->fars[op->far - 1];
    uint64_t occupied = sets[ACCEPT_ANY];
    for (; here != 0; here &= here - 1) {
        unsigned from = word_lowest(here);
        if (!op->takes_jumped) {
            uint64_t targets = small_far_slide(far, from, occupied) & sets[op->accept];
            count = small_batches_add(batches, count, op, targets, from, 0);
            continue;
        }
        for (int i = 0; i < far->all; i++) {
            uint64_t targets = 0;
            uint64_t jumped = small_far_jump(far, from, i, occupied, sets[op->over], &targets);
            if (jumped != 0)
                count = small_batches_add(batches, count, op, targets, from, jumped);
        }
    }
    return count;
}
