/* The loop of fast_small.h; included once for each kind of processor, after FAST_SUFFIX and its joints are defined. */
#include "engine/fast_small.h"

/* What has been found for one move: targets, none too, and how many there are before each. */
struct small_batches {
    int count;
    uint64_t targets[SMALL_OPS_MAX];
    uint32_t sums[SMALL_OPS_MAX + 1];
    uint8_t ops[SMALL_OPS_MAX];
};

static inline uint64_t small_turned(uint64_t word, unsigned by)
{
    return word << by | word >> (-by & (WORD_BITS - 1));
}

static inline void small_survey(const struct fast_small *small, const struct small_stand *stand,
                                uint64_t *sets)
{
    uint64_t own = stand->words[stand->player], enemy = stand->words[1 - stand->player];
    sets[ACCEPT_EMPTY] = small->cells & ~(own | enemy);
    sets[ACCEPT_ENEMY] = enemy & ~stand->pending;
    sets[ACCEPT_BOTH] = small->cells & ~own;
    sets[ACCEPT_OWN] = own;
    sets[ACCEPT_ANY] = own | enemy;
    sets[SMALL_SET_EVERY] = UINT64_MAX;
}

static inline unsigned small_collect(const struct fast_small *small,
                                     const struct small_stand *stand, const uint64_t *sets,
                                     enum small_list list, uint64_t movable,
                                     struct small_batches *batches)
{
    const struct small_player *player = &small->players[stand->player];
    const uint8_t *starts = player->starts[list];
    unsigned total = 0;
    int count = 0;
    batches->sums[0] = 0;
    for (int figure = 0; figure < small->figure_count; figure++) {
        uint64_t here = stand->words[SMALL_PLAYERS + figure] & movable;
        if (here == 0)
            continue;
        for (int i = starts[figure]; i < starts[figure + 1]; i++) {
            const struct small_op *op = &player->ops[i];
            uint64_t between = small_turned(here & op->from, op->turn) & sets[op->over];
            uint64_t targets = small_turned(between, op->turn_on) & sets[op->accept];
            total += word_count(targets);
            batches->targets[count] = targets;
            batches->ops[count] = (uint8_t)i;
            batches->sums[++count] = total;
        }
    }
    batches->count = count;
    return total;
}

static inline unsigned small_nth(uint64_t word, unsigned index)
{
#ifdef __BMI2__
    word = __builtin_ia32_pdep_di(UINT64_C(1) << index, word);
#else
    for (; index > 0; index--)
        word &= word - 1;
#endif
    return word_lowest(word);
}

static inline void small_hash(const struct fast_small *small, struct small_stand *stand,
                              unsigned code, unsigned cell)
{
    if (small->repeats)
        stand->hash ^= small->game->keys[code * (size_t)small->game->cell_count + cell];
}

static inline unsigned small_code(unsigned figure, unsigned player)
{
    return 1 + figure * SMALL_PLAYERS + player;
}

/* One more than what stands there of a set of one cell; 0: nothing. */
static inline unsigned small_standing(const struct fast_small *small,
                                      const struct small_stand *stand, uint64_t cell)
{
    unsigned standing = 0;
    for (int figure = 0; figure < small->figure_count; figure++)
        standing |= (stand->words[SMALL_PLAYERS + figure] & cell) != 0 ? (unsigned)figure + 1 : 0;
    return standing;
}

static inline void small_lift(const struct fast_small *small, struct small_stand *stand,
                              uint64_t cells, unsigned player)
{
    for (uint64_t rest = cells; small->repeats && rest != 0; rest &= rest - 1) {
        unsigned figure = small_standing(small, stand, rest & -rest) - 1;
        small_hash(small, stand, small_code(figure, player), word_lowest(rest));
    }
    stand->words[player] &= ~cells;
    for (int figure = 0; figure < small->figure_count; figure++)
        stand->words[SMALL_PLAYERS + figure] &= ~cells;
}

static inline void small_replace(const struct fast_small *small, struct small_stand *stand,
                                 unsigned before, unsigned after, unsigned cell)
{
    stand->words[SMALL_PLAYERS + before] ^= UINT64_C(1) << cell;
    stand->words[SMALL_PLAYERS + after] ^= UINT64_C(1) << cell;
    small_hash(small, stand, small_code(before, stand->mover), cell);
    small_hash(small, stand, small_code(after, stand->mover), cell);
    stand->material = true;
}

/* Moves the figure and takes; returns what it took, as small_standing. */
static inline unsigned small_move(const struct fast_small *small, struct small_stand *stand,
                                  const struct small_op *op, unsigned to)
{
    unsigned from = to - (unsigned)op->offset, player = stand->player, enemy = 1 - player;
    uint64_t target = UINT64_C(1) << to, both = target | UINT64_C(1) << from;
    uint64_t victim = op->takes_jumped ? UINT64_C(1) << (from + (unsigned)op->middle)
                                       : target & stand->words[enemy];
    unsigned taken = small_standing(small, stand, victim);
    if (op->takes_jumped && small->remove_at_turn_end)
        stand->pending |= victim;
    else
        small_lift(small, stand, victim, enemy);
    stand->words[player] ^= both;
    stand->words[SMALL_PLAYERS + op->figure] ^= both;
    small_hash(small, stand, small_code(op->figure, player), from);
    small_hash(small, stand, small_code(op->figure, player), to);
    stand->mover = (player_index)player;
    stand->material = taken != 0;
    stand->from = (cell_index)from;
    stand->to = (cell_index)to;
    stand->code = (uint8_t)small_code(op->figure, player);
    stand->taken = (uint8_t)(taken != 0 ? small_code(taken - 1, enemy) : 0);
    stand->ply++;
    if (op->advances || (taken != 0 && small->takes_are_final))
        stand->history = stand->ply;
    return taken;
}

/* Counters by what moved and what it took. */
static inline void small_count(const struct fast_small *small, struct small_stand *stand,
                               unsigned figure, unsigned taken)
{
    unsigned what = figure * (SMALL_FIGURES_MAX + 1) + taken;
    for (int i = 0; i < small->counter_count; i++) {
        const struct small_counter *counter = &small->players[stand->mover].counters[i];
        int16_t *slot = &stand->counters[counter->slot];
        if ((counter->reset >> what & 1) != 0)
            *slot = counter->start;
        else if ((counter->add >> what & 1) != 0 && *slot < COUNTER_VALUE_MAX)
            ++*slot;
    }
}

/* Two moves are the least between one time and the next. */
static inline int small_occurrences(const struct small_stand *stand, int asked)
{
    if (stand->ply - stand->history < 2 * ((uint32_t)asked - 1))
        return 1;
    uint64_t key = stand->keys[stand->ply];
    int count = 1;
    for (uint32_t ply = stand->history; ply < stand->ply; ply++)
        count += stand->keys[ply] == key;
    return count;
}

static inline bool small_holds(const struct fast_small *small, const struct small_stand *stand,
                               const struct small_check *check)
{
    int32_t number = 0;
    if (check->kind == FAST_TEST_COUNTER) {
        number = stand->counters[check->slots[stand->player]];
    } else if (check->kind == FAST_TEST_REPETITION) {
        number = small_occurrences(stand, check->min);
    } else {
        const uint64_t *cells = check->cells[stand->player];
        uint64_t found = (stand->words[0] & cells[0]) | (stand->words[1] & cells[1]);
        uint64_t kinds = check->figures == 0 ? UINT64_MAX : 0;
        for (int i = 0; check->figures != 0 && i < small->figure_count; i++)
            kinds |= (check->figures >> i & 1) != 0 ? stand->words[SMALL_PLAYERS + i] : 0;
        number = (int32_t)word_count(found & kinds);
    }
    return (number >= check->min) & (number <= check->max);
}

static inline void small_end(const struct fast_small *small, struct small_stand *stand)
{
    const struct small_player *player = &small->players[stand->mover];
    for (int i = 0; i < player->result_count; i++) {
        const struct small_result *result = &player->results[i];
        bool all =
            (stand->material | !result->material) & small_holds(small, stand, &result->checks[0]);
        for (int k = 1; all && k < result->check_count; k++)
            all = small_holds(small, stand, &result->checks[k]);
        if (!all)
            continue;
        stand->result = (uint8_t)(result->index + 1);
        return;
    }
}

/* Makes a move; if the figure goes on, the batches are its next moves, and it is returned how many there are. */
static inline unsigned small_make(const struct fast_small *small, struct small_stand *stand,
                                  const struct small_op *op, unsigned to,
                                  struct small_batches *batches)
{
    unsigned taken = small_move(small, stand, op, to), figure = op->figure, more = 0;
    bool promoted = (op->promoted >> to & 1) != 0;
    if (promoted && !op->turn_ends)
        small_replace(small, stand, figure, op->becomes, to);
    if (op->continues && !(promoted && op->stops && !op->turn_ends)) {
        uint64_t sets[SMALL_SETS];
        small_survey(small, stand, sets);
        more = small_collect(small, stand, sets, SMALL_ON, UINT64_C(1) << to, batches);
    }
    stand->going_on = more > 0;
    if (more > 0) {
        stand->keys[stand->ply] = 0;
        small_count(small, stand, figure, taken);
        return more;
    }
    if (stand->pending != 0)
        small_lift(small, stand, stand->pending, 1U - stand->mover);
    stand->pending = 0;
    if (promoted && op->turn_ends)
        small_replace(small, stand, figure, op->becomes, to);
    stand->state = small->game->fast->rules->next[stand->state];
    stand->player = small->game->states[stand->state].player;
    small_count(small, stand, figure, taken);
    if (small->repeats)
        stand->keys[stand->ply] = stand->hash ^ stand->rights ^ small->state_keys[stand->state];
    small_end(small, stand);
    return 0;
}

static inline unsigned small_look(const struct fast_small *small, const struct small_stand *stand,
                                  struct small_batches *batches)
{
    uint64_t sets[SMALL_SETS];
    small_survey(small, stand, sets);
    uint64_t own = sets[ACCEPT_OWN];
    unsigned found = small_collect(small, stand, sets, SMALL_FIRST, own, batches);
    return found > 0 ? found : small_collect(small, stand, sets, SMALL_SECOND, own, batches);
}

uint32_t FAST_EXPORT(fast_small_run)(const struct fast_small *small, struct small_stand *begun,
                                     uint64_t *random, uint32_t plies_max, struct move *moves)
{
    struct small_batches batches;
    /* Nobody else sees the copies, so that they may stay in registers. */
    struct small_stand copy = *begun, *stand = &copy;
    uint64_t state = *random;
    uint32_t plies = 0;
    unsigned more = 0;
    while (stand->result == 0 && plies < plies_max) {
        unsigned found = more > 0 ? more : small_look(small, stand, &batches);
        stand->stuck = found == 0;
        if (stand->stuck)
            break;
        uint32_t index = (uint32_t)fast_below(&state, found);
        int batch = 0;
        for (int i = 1; i < batches.count; i++)
            batch += index >= batches.sums[i];
        index -= batches.sums[batch];
        unsigned to = small_nth(batches.targets[batch], index);
        const struct small_op *op = &small->players[stand->player].ops[batches.ops[batch]];
        more = small_make(small, stand, op, to, &batches);
        if (moves != NULL)
            moves[plies] = (struct move){
                .from = stand->from, .to = stand->to, .rule = op->rule, .choice = CHOICE_NONE};
        plies++;
    }
    *begun = copy;
    *random = state;
    return plies;
}
