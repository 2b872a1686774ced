#include "engine/random_move.h"

#include "engine/rules/interpreter.h"
#include "engine/rules/legal.h"
#include "engine/rules/placing.h"

/* A number below `count`. */
static int draw(void *context, int count)
{
    uint64_t *seed = context, chance = hash_mix(*seed);
    *seed += HASH_STEP; /* as mixing does first: this is splitmix64 */
    return (int)((chance >> 32) * (uint64_t)count >> 32);
}

static bool may_pass(struct position *position)
{
    return position_stage(position)->pass.rule != PASSES_WHEN_STUCK &&
           interpreter_may_pass(position, true);
}

/* Among all that may be put as far as its entry goes, and the pass where `passes`. What is forbidden, or not to somebody's taste, is drawn
 * again, which leaves each of the others the same chance; to try all of them first takes many times as long. */
static bool draw_wanted(struct position *position, uint64_t *seed, const struct random_taste *taste,
                        bool passes, struct move *move)
{
    struct placing placing;
    placing_find(position, &placing);
    for (int cells = bits_count(placing.any, position->game->words); cells + passes > 0; cells--) {
        int drawn = draw(seed, cells + passes);
        if (drawn == cells)
            return true;
        cell_index to = (cell_index)bits_behind(placing.any, drawn);
        struct move put = placing_move(position, to, word_lowest(placing_kinds_of(&placing, to)));
        if ((taste == NULL || taste->wants(taste->context, position, to)) &&
            legal_move(position, put)) {
            *move = put;
            return true;
        }
        placing.any[to / WORD_BITS] &= ~(UINT64_C(1) << to % WORD_BITS);
    }
    return false;
}

static bool draw_placement(struct position *position, uint64_t *seed, struct move *move)
{
    uint64_t first = *seed;
    *move = move_pass;
    if (draw_wanted(position, seed, NULL, may_pass(position), move))
        return true;
    *seed = first;
    return interpreter_may_pass(position, false);
}

bool random_move(struct position *position, uint64_t *seed, struct move *moves, struct move *move)
{
    return random_move_wanted(position, seed, moves, NULL, move);
}

bool random_move_wanted(struct position *position, uint64_t *seed, struct move *moves,
                        const struct random_taste *taste, struct move *move)
{
    enum movegen_chosen chosen = movegen_choose(position, moves, draw, seed, move);
    if (chosen != CHOSEN_PLACES)
        return chosen == CHOSEN_MOVE;
    *move = move_pass;
    return (taste != NULL &&
            (draw_wanted(position, seed, taste, false, move) || may_pass(position))) ||
           draw_placement(position, seed, move);
}
