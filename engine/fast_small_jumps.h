/* Which of several takes the game leaves: those that take the most, or after which the figure goes on. Part of
 * fast_small_loop.h. Jumps are followed to their ends over sets, without making them. */

/* A turn of jumps on its way: what is in the way, and what may still be jumped. */
struct SMALL_NAME(chase) {
    const struct fast_small *small;
    const struct small_player *player;
    uint64_t occupied, over;
    unsigned figure;
};

/* The chase after a hop; false: it ends with it. */
static inline bool SMALL_NAME(hop)(struct SMALL_NAME(chase) * chase, const struct small_op *op,
                                   uint64_t jumped, uint64_t landing)
{
    bool promoted = (op->promoted & landing) != 0 && !op->turn_ends;
    chase->over &= ~jumped;
    if (!chase->small->remove_at_turn_end)
        chase->occupied &= ~jumped;
    if (promoted)
        chase->figure = op->becomes;
    return op->continues && !(promoted && op->stops);
}

static unsigned SMALL_NAME(longest)(const struct SMALL_NAME(chase) * chase, uint64_t from);

/* How many are taken by a hop and what follows it. */
// NOLINTNEXTLINE(misc-no-recursion): each hop takes another figure
static unsigned SMALL_NAME(takes)(const struct SMALL_NAME(chase) * chase, const struct small_op *op,
                                  uint64_t jumped, uint64_t landing)
{
    struct SMALL_NAME(chase) after = *chase;
    return SMALL_NAME(hop)(&after, op, jumped, landing) ? 1 + SMALL_NAME(longest)(&after, landing)
                                                        : 1;
}

/* The same by the rays of one figure. */
// NOLINTNEXTLINE(misc-no-recursion): each hop takes another figure
static unsigned SMALL_NAME(longest_far)(const struct SMALL_NAME(chase) * chase,
                                        const struct small_op *op, uint64_t from)
{
    const struct small_far *far = &chase->player->fars[op->far - 1];
    unsigned cell = word_lowest(from), most = 0;
    for (int i = 0; i < far->all; i++) {
        uint64_t landings = 0;
        uint64_t jumped = small_far_jump(far, cell, i, chase->occupied, chase->over, &landings);
        for (; landings != 0; landings &= landings - 1) {
            unsigned here = SMALL_NAME(takes)(chase, op, jumped, landings & -landings);
            most = here > most ? here : most;
        }
    }
    return most;
}

/* How many can be taken from here on. */
// NOLINTNEXTLINE(misc-no-recursion): each hop takes another figure
static unsigned SMALL_NAME(longest)(const struct SMALL_NAME(chase) * chase, uint64_t from)
{
    const uint8_t *starts = chase->player->starts[SMALL_ON];
    unsigned most = 0;
    for (int i = starts[chase->figure]; i < starts[chase->figure + 1]; i++) {
        const struct small_op *op = &chase->player->ops[i];
        unsigned here = 0;
        if (op->far != 0) {
            here = SMALL_NAME(longest_far)(chase, op, from);
        } else {
            uint64_t jumped = small_turned(from & op->from, op->turn) & chase->over;
            uint64_t landing = small_turned(jumped, op->turn_on) & ~chase->occupied;
            if (landing != 0)
                here = SMALL_NAME(takes)(chase, op, jumped, landing);
        }
        most = here > most ? here : most;
    }
    return most;
}

/* Of the landings behind one figure those from which the figure goes on, if there are any. */
static inline uint64_t SMALL_NAME(going_on)(const struct SMALL_NAME(chase) * chase,
                                            const struct small_op *op, uint64_t jumped,
                                            uint64_t landings)
{
    uint64_t kept = 0;
    for (uint64_t rest = landings; rest != 0; rest &= rest - 1) {
        struct SMALL_NAME(chase) after = *chase;
        uint64_t landing = rest & -rest;
        if (SMALL_NAME(hop)(&after, op, jumped, landing) &&
            SMALL_NAME(longest)(&after, landing) > 0)
            kept |= landing;
    }
    return kept != 0 ? kept : landings;
}

/* Where the moves of a batch to this target begin, and whom they take. */
static inline uint64_t SMALL_NAME(origin)(const struct small_batches *batches, int batch,
                                          const struct small_op *op, uint64_t target)
{
    return op->far != 0 ? UINT64_C(1) << batches->from[batch]
                        : small_turned(target, -(unsigned)op->offset);
}

static inline uint64_t SMALL_NAME(victim)(const struct small_batches *batches, int batch,
                                          const struct small_op *op, uint64_t target)
{
    return op->far != 0 ? batches->jumped[batch] : small_turned(target, -(unsigned)op->turn_on);
}

/* The targets of a batch that take the most; `most` is what those before take, and grows. */
static uint64_t SMALL_NAME(best)(const struct fast_small *small, const struct small_player *player,
                                 const uint64_t *sets, const struct small_batches *batches,
                                 int batch, unsigned *most)
{
    const struct small_op *op = batches->ops[batch];
    struct SMALL_NAME(chase) chase = {
        .small = small, .player = player, .over = sets[ACCEPT_ENEMY], .figure = op->figure};
    uint64_t targets = batches->targets[batch], best = 0;
    if (small->can_go_on && op->far != 0 && targets != 0) {
        chase.occupied = sets[ACCEPT_ANY] & ~SMALL_NAME(origin)(batches, batch, op, 0);
        targets = SMALL_NAME(going_on)(&chase, op, batches->jumped[batch], targets);
    }
    if (!small->most_taken)
        return targets;
    for (; targets != 0; targets &= targets - 1) {
        uint64_t target = targets & -targets;
        uint64_t victim = SMALL_NAME(victim)(batches, batch, op, target);
        chase.occupied = sets[ACCEPT_ANY] & ~SMALL_NAME(origin)(batches, batch, op, target);
        unsigned takes = SMALL_NAME(takes)(&chase, op, victim, target);
        if (takes > *most) {
            *most = takes;
            best = 0;
        }
        best |= takes == *most ? target : 0;
    }
    return best;
}

/* Leaves those of the batches that the game leaves; returns how many moves they are. */
static unsigned SMALL_NAME(rank)(const struct fast_small *small, const struct small_player *player,
                                 const uint64_t *sets, struct small_batches *batches)
{
    unsigned most = 0, total = 0;
    int count = 0;
    for (int i = 0; i < batches->count; i++) {
        unsigned before = most;
        uint64_t kept = SMALL_NAME(best)(small, player, sets, batches, i, &most);
        if (most > before)
            count = 0;
        if (kept == 0)
            continue;
        total = (count > 0 ? batches->sums[count] : 0) + word_count(kept);
        small_batches_move(batches, i, count, kept);
        batches->sums[++count] = total;
    }
    batches->count = count;
    return total;
}
