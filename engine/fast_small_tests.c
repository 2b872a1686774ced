/* Results and counters for random games on one word a set: each test becomes a chain of questions. */
#include "engine/fast_small.h"

#include <assert.h>

/* --- questions ------------------------------------------------------------------------------------------------------ */

struct chain {
    const struct fast_small *small;
    struct small_player *player;
    player_index mover;
    bool fits;
};

static bool previous_fits(const struct fast_test *test, player_index mover, int figure, int taken)
{
    bool took = taken > 0 && (test->taken >> (taken - 1) & 1) != 0;
    return (test->figures >> figure & 1) != 0 && (test->players >> mover & 1) != 0 &&
           test->complex <= 0 && (test->took < 0 || (test->took == 0 ? taken == 0 : took));
}

static uint64_t previous_moves(const struct fast_test *test, player_index mover)
{
    uint64_t table = 0;
    for (int figure = 0; figure < SMALL_FIGURES_MAX; figure++)
        for (int taken = 0; taken <= SMALL_FIGURES_MAX; taken++)
            table |= (uint64_t)previous_fits(test, mover, figure, taken)
                     << (figure * (SMALL_FIGURES_MAX + 1) + taken);
    return table;
}

static uint64_t cells_of(const struct fast_small *small, const uint64_t *cells)
{
    return cells != NULL ? small_layout_spread(&small->layout, cells[0]) : UINT64_MAX;
}

static bool fill_count(const struct fast_small *small, const struct fast_test *test,
                       struct small_check *check)
{
    uint64_t cells = cells_of(small, test->cells);
    for (int next = 0; next < SMALL_PLAYERS; next++)
        for (int owner = 0; owner < SMALL_PLAYERS; owner++)
            if ((test->players >> owner & 1) != 0 || (test->next_player && next == owner))
                check->cells[next][owner] = cells;
    if (!test->every_figure)
        check->figures = test->figures;
    return !test->empty && small->figure_count > 0 && (test->every_figure || test->figures != 0);
}

static bool fill_check(const struct chain *chain, const struct fast_test *test,
                       struct small_check *check)
{
    *check = (struct small_check){.kind = test->kind, .min = test->min, .max = test->max};
    switch ((enum fast_test_kind)test->kind) {
    case FAST_TEST_COUNT:
        return fill_count(chain->small, test, check);
    case FAST_TEST_COUNTER:
        for (int next = 0; next < SMALL_PLAYERS; next++)
            check->slots[next] = (int16_t)(test->slot >= 0 ? test->slot : test->first_slot + next);
        return true;
    case FAST_TEST_REPETITION:
        check->max = INT32_MAX;
        return true;
    case FAST_TEST_PREVIOUS:
        check->moves = previous_moves(test, chain->mover);
        check->from = cells_of(chain->small, test->from);
        check->to = cells_of(chain->small, test->to);
        return true;
    default:
        return false;
    }
}

/* The first question of a test that goes on to `then` if it holds; built from its end. */
// NOLINTNEXTLINE(misc-no-recursion): conditions nest, to a bound
static uint8_t add_test(struct chain *chain, const struct fast_test *test, uint8_t then,
                        uint8_t otherwise)
{
    struct small_player *player = chain->player;
    bool every = test->kind == FAST_TEST_ALL;
    if (test->kind == FAST_TEST_NOT)
        return add_test(chain, test->children, otherwise, then);
    if (test->kind > FAST_TEST_NOT) {
        struct small_check check;
        chain->fits = chain->fits && player->check_count < SMALL_CHECKS_MAX &&
                      fill_check(chain, test, &check);
        if (!chain->fits)
            return SMALL_FAILS;
        check.then = then;
        check.otherwise = otherwise;
        player->checks[player->check_count] = check;
        return (uint8_t)player->check_count++;
    }
    uint8_t first = every ? then : otherwise;
    for (int i = test->child_count - 1; i >= 0; i--)
        first =
            add_test(chain, &test->children[i], every ? first : then, every ? otherwise : first);
    return first;
}

/* --- results -------------------------------------------------------------------------------------------------------- */

/* What a result needs of all that it asks. */
// NOLINTNEXTLINE(misc-no-recursion): conditions nest, to a bound
static void fill_needs(const struct fast_small *small, const struct fast_test *test,
                       struct small_result *result)
{
    if (test->kind == FAST_TEST_REPETITION)
        result->quiet_min = small->period * (uint32_t)(test->min - 1);
    if (test->kind == FAST_TEST_COUNTER && test->slot >= 0 && test->min > INT16_MIN &&
        test->min <= COUNTER_VALUE_MAX) {
        result->slot = (uint8_t)test->slot;
        result->counter_min = (int16_t)test->min;
    }
    for (int i = 0; test->kind == FAST_TEST_ALL && i < test->child_count; i++)
        fill_needs(small, &test->children[i], result);
}

static bool fill_results(struct chain *chain)
{
    const struct game *game = chain->small->game;
    struct small_player *player = chain->player;
    for (int i = 0; i < game->result_count && chain->fits; i++) {
        const struct result_rule *rule = &game->results[chain->mover][i];
        if (rule->claim || rule->lazy)
            continue;
        if (rule->mixed || player->result_count == SMALL_RESULTS_MAX)
            return false;
        const struct fast_test *test = &game->fast->rules->results[chain->mover][i];
        struct small_result *result = &player->results[player->result_count++];
        *result = (struct small_result){.index = (uint8_t)i,
                                        .material = rule->material,
                                        .first = add_test(chain, test, SMALL_HOLDS, SMALL_FAILS),
                                        .counter_min = INT16_MIN};
        fill_needs(chain->small, test, result);
    }
    return chain->fits;
}

/* --- counters ------------------------------------------------------------------------------------------------------- */

/* Whether a test holds, as far as what moved and what it took decide that. */
enum answer { ANSWER_NO, ANSWER_PERHAPS, ANSWER_YES };

// NOLINTNEXTLINE(misc-no-recursion): conditions nest, to a bound
static enum answer answer_to(const struct fast_test *test, player_index mover, int figure,
                             int taken)
{
    if (test->kind == FAST_TEST_PREVIOUS) {
        if (!previous_fits(test, mover, figure, taken))
            return ANSWER_NO;
        return test->from == NULL && test->to == NULL ? ANSWER_YES : ANSWER_PERHAPS;
    }
    if (test->kind > FAST_TEST_NOT)
        return ANSWER_PERHAPS;
    if (test->kind == FAST_TEST_NOT)
        return ANSWER_YES - answer_to(test->children, mover, figure, taken);
    bool every = test->kind == FAST_TEST_ALL;
    enum answer answer = every ? ANSWER_YES : ANSWER_NO;
    for (int i = 0; i < test->child_count; i++) {
        enum answer child = answer_to(&test->children[i], mover, figure, taken);
        if (every ? child < answer : child > answer)
            answer = child;
    }
    return answer;
}

/* Of which moves it is known that the test holds, or not known; returns its first question. */
static uint8_t tabulate(struct chain *chain, const struct fast_test *test, uint64_t *sure,
                        uint64_t *perhaps)
{
    *sure = *perhaps = 0;
    if (test == NULL)
        return SMALL_FAILS;
    for (int figure = 0; figure < SMALL_FIGURES_MAX; figure++)
        for (int taken = 0; taken <= SMALL_FIGURES_MAX; taken++) {
            enum answer answer = answer_to(test, chain->mover, figure, taken);
            uint64_t bit = UINT64_C(1) << (figure * (SMALL_FIGURES_MAX + 1) + taken);
            *sure |= answer == ANSWER_YES ? bit : 0;
            *perhaps |= answer == ANSWER_PERHAPS ? bit : 0;
        }
    return *perhaps != 0 ? add_test(chain, test, SMALL_HOLDS, SMALL_FAILS) : SMALL_FAILS;
}

static bool fill_counters(struct chain *chain)
{
    const struct game *game = chain->small->game;
    for (int i = 0; i < game->counter_count && chain->fits; i++) {
        const struct counter_rule *rule = &game->counters[i];
        const struct fast_counter *tests = &game->fast->rules->counters[i];
        struct small_counter *counter = &chain->player->counters[i];
        if (rule->in_key)
            return false;
        counter->first_add =
            tabulate(chain, tests->add[chain->mover], &counter->add, &counter->may_add);
        counter->first_reset =
            tabulate(chain, tests->reset[chain->mover], &counter->reset, &counter->may_reset);
        counter->slot = (uint8_t)(rule->first_slot + (rule->per_player ? chain->mover : 0));
        counter->start = (int16_t)rule->start;
    }
    return chain->fits;
}

bool fast_small_fill_tests(struct fast_small *small, player_index player)
{
    struct chain chain = {
        .small = small, .player = &small->players[player], .mover = player, .fits = true};
    return fill_results(&chain) && fill_counters(&chain);
}
