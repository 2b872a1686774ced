/* The loop of fast_small.h; included once for each kind of processor and of game, after these are defined:
 *
 *   SMALL_NAME(name)   the copy's name for a function
 *   SMALL_FIGURES      how many kinds of figures there are
 *   SMALL_TURNS        0: no figure jumps, or goes on
 *   SMALL_RAYS         0: all movements go by differences of bits, and no takes are left out
 *   SMALL_MEMORY       0: nothing counts, and no position is compared with another
 *
 * What is known here is not asked in the loop. */

#if SMALL_RAYS
#include "engine/fast_small_jumps.h"
#endif

static inline void SMALL_NAME(survey)(const struct fast_small *small,
                                      const struct small_stand *stand, uint64_t *sets)
{
    uint64_t own = stand->words[stand->player], enemy = stand->words[1 - stand->player];
    sets[ACCEPT_EMPTY] = small->layout.cells & ~(own | enemy);
    sets[ACCEPT_ENEMY] = enemy & ~stand->pending;
    sets[ACCEPT_BOTH] = small->layout.cells & ~own;
    sets[ACCEPT_OWN] = own;
    sets[ACCEPT_ANY] = own | enemy;
    sets[SMALL_SET_EVERY] = UINT64_MAX;
}

static inline unsigned SMALL_NAME(collect)(const struct fast_small *small,
                                           const struct small_stand *stand, const uint64_t *sets,
                                           enum small_list list, uint64_t movable,
                                           struct small_batches *batches)
{
    const struct small_player *player = &small->players[stand->player];
    const uint8_t *starts = player->starts[list];
    unsigned total = 0;
    int count = 0;
    for (int figure = 0; figure < SMALL_FIGURES; figure++) {
        uint64_t here = stand->words[SMALL_PLAYERS + figure] & movable;
        const struct small_op *end = &player->ops[starts[figure + 1]];
        if (here == 0)
            continue;
        for (const struct small_op *op = &player->ops[starts[figure]]; op < end; op++) {
            if (SMALL_RAYS && op->far != 0) {
                batches->sums[count] = total;
                count = small_collect_far(player, sets, op, here, batches, count);
                total = batches->sums[count];
                continue;
            }
            uint64_t between = small_turned(here & op->from, op->turn) & sets[op->over];
            uint64_t targets = small_turned(between, op->turn_on) & sets[op->accept];
            batches->targets[count] = targets;
            batches->ops[count] = op;
            batches->sums[count++] = total;
            total += word_count(targets);
        }
    }
    batches->count = count;
    batches->sums[count] = total;
#if SMALL_RAYS
    if (small->ranks && list != SMALL_SECOND && total > 1)
        total = SMALL_NAME(rank)(small, player, sets, batches);
#endif
    return total;
}

static inline void SMALL_NAME(hash)(const struct fast_small *small, struct small_stand *stand,
                                    unsigned code, unsigned cell)
{
    if (SMALL_MEMORY && small->repeats)
        stand->hash ^= small->keys[code][cell];
}

/* One more than what stands there of a set of one cell; 0: nothing. */
static inline unsigned SMALL_NAME(standing)(const struct fast_small *small,
                                            const struct small_stand *stand, uint64_t cell)
{
    (void)small; /* where how many figures there are is known */
    unsigned standing = 0;
    for (int figure = 0; figure < SMALL_FIGURES; figure++)
        standing |= (stand->words[SMALL_PLAYERS + figure] & cell) != 0 ? (unsigned)figure + 1 : 0;
    return standing;
}

static inline void SMALL_NAME(lift)(const struct fast_small *small, struct small_stand *stand,
                                    uint64_t cells, unsigned player)
{
    for (uint64_t rest = cells; SMALL_MEMORY && small->repeats && rest != 0; rest &= rest - 1) {
        unsigned figure = SMALL_NAME(standing)(small, stand, rest & -rest) - 1;
        SMALL_NAME(hash)(small, stand, small_code(figure, player), word_lowest(rest));
    }
    stand->words[player] &= ~cells;
    for (int figure = 0; figure < SMALL_FIGURES; figure++)
        stand->words[SMALL_PLAYERS + figure] &= ~cells;
}

static inline void SMALL_NAME(replace)(const struct fast_small *small, struct small_stand *stand,
                                       unsigned before, unsigned after, unsigned cell)
{
    stand->words[SMALL_PLAYERS + before] ^= UINT64_C(1) << cell;
    stand->words[SMALL_PLAYERS + after] ^= UINT64_C(1) << cell;
    SMALL_NAME(hash)(small, stand, small_code(before, stand->mover), cell);
    SMALL_NAME(hash)(small, stand, small_code(after, stand->mover), cell);
    stand->material = true;
}

/* Moves the figure and takes; returns what it took, as small_standing. */
static inline unsigned SMALL_NAME(move)(const struct fast_small *small, struct small_stand *stand,
                                        const struct small_op *op, unsigned from, unsigned to,
                                        uint64_t jumped)
{
    unsigned player = stand->player, enemy = 1 - player;
    uint64_t target = UINT64_C(1) << to, both = target | UINT64_C(1) << from;
    bool jumps = SMALL_TURNS && op->takes_jumped;
    uint64_t victim = jumps ? jumped : target & stand->words[enemy];
    unsigned taken = SMALL_NAME(standing)(small, stand, victim);
    if (jumps && small->remove_at_turn_end)
        stand->pending |= victim;
    else
        SMALL_NAME(lift)(small, stand, victim, enemy);
    stand->words[player] ^= both;
    stand->words[SMALL_PLAYERS + op->figure] ^= both;
    SMALL_NAME(hash)(small, stand, small_code(op->figure, player), from);
    SMALL_NAME(hash)(small, stand, small_code(op->figure, player), to);
    stand->mover = (player_index)player;
    stand->material = taken != 0;
    stand->from = (cell_index)from;
    stand->to = (cell_index)to;
    stand->code = (uint8_t)small_code(op->figure, player);
    stand->taken = (uint8_t)(taken != 0 ? small_code(taken - 1, enemy) : 0);
    stand->ply++;
    if (!SMALL_MEMORY)
        return taken;
    stand->what = (uint8_t)(op->figure * (SMALL_FIGURES_MAX + 1) + taken);
    if (op->advances || (taken != 0 && small->takes_are_final))
        stand->history = stand->ply;
    return taken;
}

static inline int SMALL_NAME(occurrences)(const struct fast_small *small,
                                          const struct small_stand *stand)
{
    uint64_t key = stand->keys[stand->ply];
    int count = 1;
    for (int64_t ply = (int64_t)stand->ply - small->period; ply >= stand->history && small->repeats;
         ply -= small->stride)
        count += stand->keys[ply] == key;
    return count;
}

static inline int32_t SMALL_NAME(number)(const struct fast_small *small,
                                         const struct small_stand *stand,
                                         const struct small_check *check)
{
    (void)small;
    const uint64_t *cells = check->cells[stand->player];
    uint64_t found = (stand->words[0] & cells[0]) | (stand->words[1] & cells[1]);
    uint64_t kinds = check->figures == 0 ? UINT64_MAX : 0;
    for (int i = 0; check->figures != 0 && i < SMALL_FIGURES; i++)
        kinds |= (check->figures >> i & 1) != 0 ? stand->words[SMALL_PLAYERS + i] : 0;
    return (int32_t)word_count(found & kinds);
}

static inline bool SMALL_NAME(holds)(const struct fast_small *small,
                                     const struct small_stand *stand,
                                     const struct small_check *check)
{
    int32_t number = 0;
    if (!SMALL_MEMORY || check->kind == FAST_TEST_COUNT)
        number = SMALL_NAME(number)(small, stand, check);
    else if (check->kind == FAST_TEST_COUNTER)
        number = stand->counters[check->slots[stand->player]];
    else if (check->kind == FAST_TEST_REPETITION)
        number = SMALL_NAME(occurrences)(small, stand);
    else
        return (check->moves >> stand->what & check->from >> stand->from & check->to >> stand->to &
                1) != 0;
    return (number >= check->min) & (number <= check->max);
}

/* Whether a whole test holds, from its first question on. */
static inline bool SMALL_NAME(passes)(const struct fast_small *small,
                                      const struct small_stand *stand,
                                      const struct small_player *player, unsigned check)
{
    while (check < SMALL_HOLDS) {
        const struct small_check *here = &player->checks[check];
        check = SMALL_NAME(holds)(small, stand, here) ? here->then : here->otherwise;
    }
    return check == SMALL_HOLDS;
}

static inline void SMALL_NAME(count)(const struct fast_small *small, struct small_stand *stand)
{
    const struct small_player *player = &small->players[stand->mover];
    for (int i = 0; SMALL_MEMORY && i < small->counter_count; i++) {
        const struct small_counter *counter = &player->counters[i];
        int16_t *slot = &stand->counters[counter->slot];
        if ((counter->reset >> stand->what & 1) != 0 ||
            ((counter->may_reset >> stand->what & 1) != 0 &&
             SMALL_NAME(passes)(small, stand, player, counter->first_reset)))
            *slot = counter->start;
        else if (*slot < COUNTER_VALUE_MAX &&
                 ((counter->add >> stand->what & 1) != 0 ||
                  ((counter->may_add >> stand->what & 1) != 0 &&
                   SMALL_NAME(passes)(small, stand, player, counter->first_add))))
            ++*slot;
    }
}

static inline void SMALL_NAME(end)(const struct fast_small *small, struct small_stand *stand)
{
    const struct small_player *player = &small->players[stand->mover];
    for (int i = 0; i < player->result_count; i++) {
        const struct small_result *result = &player->results[i];
        if ((result->material && !stand->material) ||
            (SMALL_MEMORY && (stand->ply - stand->history < result->quiet_min ||
                              stand->counters[result->slot] < result->counter_min)) ||
            !SMALL_NAME(passes)(small, stand, player, result->first))
            continue;
        stand->result = (uint8_t)(result->index + 1);
        return;
    }
}

/* Makes a move; if the figure goes on, the batches are its next moves, and it is returned how many there are. */
static inline unsigned SMALL_NAME(make)(const struct fast_small *small, struct small_stand *stand,
                                        const struct small_op *op, unsigned from, unsigned to,
                                        uint64_t jumped, struct small_batches *batches)
{
    unsigned figure = op->figure, more = 0;
    bool promoted = (op->promoted >> to & 1) != 0;
    SMALL_NAME(move)(small, stand, op, from, to, jumped);
    if (promoted && !op->turn_ends)
        SMALL_NAME(replace)(small, stand, figure, op->becomes, to);
    if (SMALL_TURNS && op->continues && !(promoted && op->stops && !op->turn_ends)) {
        uint64_t sets[SMALL_SETS];
        SMALL_NAME(survey)(small, stand, sets);
        more = SMALL_NAME(collect)(small, stand, sets, SMALL_ON, UINT64_C(1) << to, batches);
    }
    stand->going_on = more > 0;
    if (more > 0) {
        if (small->repeats)
            stand->keys[stand->ply] = 0;
        SMALL_NAME(count)(small, stand);
        return more;
    }
    if (SMALL_TURNS && stand->pending != 0)
        SMALL_NAME(lift)(small, stand, stand->pending, 1U - stand->mover);
    stand->pending = 0;
    if (promoted && op->turn_ends)
        SMALL_NAME(replace)(small, stand, figure, op->becomes, to);
    stand->state = small->next[stand->state];
    stand->player = 1 - stand->mover;
    SMALL_NAME(count)(small, stand);
    if (SMALL_MEMORY && small->repeats)
        stand->keys[stand->ply] = stand->hash ^ stand->rights ^ small->state_keys[stand->state];
    SMALL_NAME(end)(small, stand);
    return 0;
}

static inline unsigned SMALL_NAME(look)(const struct fast_small *small,
                                        const struct small_stand *stand,
                                        struct small_batches *batches)
{
    uint64_t sets[SMALL_SETS];
    SMALL_NAME(survey)(small, stand, sets);
    uint64_t own = sets[ACCEPT_OWN];
    unsigned found = SMALL_NAME(collect)(small, stand, sets, SMALL_FIRST, own, batches);
    return found > 0 ? found : SMALL_NAME(collect)(small, stand, sets, SMALL_SECOND, own, batches);
}

static uint32_t SMALL_NAME(run)(const struct fast_small *small, struct small_stand *begun,
                                uint64_t *random, uint32_t plies_max, struct move *moves)
{
    struct small_batches batches;
    /* Nobody else sees the copies, so that they may stay in registers. */
    struct small_stand copy = *begun, *stand = &copy;
    const uint8_t *cells = small->layout.numbers;
    uint64_t state = *random;
    uint32_t plies = 0;
    unsigned more = 0;
    while (stand->result == 0 && plies < plies_max) {
        unsigned found = more > 0 ? more : SMALL_NAME(look)(small, stand, &batches);
        stand->stuck = found == 0;
        if (stand->stuck)
            break;
        uint32_t index = (uint32_t)fast_below(&state, found);
        int batch = 0;
        for (int i = 1; i < batches.count; i++)
            batch += index >= batches.sums[i];
        unsigned to = word_nth(batches.targets[batch], index - batches.sums[batch]);
        const struct small_op *op = batches.ops[batch];
        bool far = SMALL_RAYS && op->far != 0;
        unsigned from = far ? batches.from[batch] : to - (unsigned)op->offset;
        uint64_t jumped = far ? batches.jumped[batch]
                              : UINT64_C(1) << ((from + (unsigned)op->middle) % WORD_BITS);
        more = SMALL_NAME(make)(small, stand, op, from, to, jumped, &batches);
        if (moves != NULL)
            moves[plies] = (struct move){
                .from = cells[from], .to = cells[to], .rule = op->rule, .choice = CHOICE_NONE};
        plies++;
    }
    *begun = copy;
    *random = state;
    return plies;
}

#undef SMALL_NAME
#undef SMALL_FIGURES
#undef SMALL_TURNS
#undef SMALL_RAYS
#undef SMALL_MEMORY
