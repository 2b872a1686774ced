#include "engine/fast_small.h"

#include "engine/fast_variants.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* --- moves ---------------------------------------------------------------------------------------------------------- */

static bool is_player_small(const struct game *game, player_index player)
{
    const struct fast_player *fast = &game->fast->players[player];
    for (int i = 0; i < game->figure_count; i++) {
        const struct fast_mover *mover = &game->fast->movers[i * game->player_count + player];
        if (mover->slow || mover->overlaps || mover->complex_count > 0)
            return false;
    }
    return fast->royal_count == 0 && !fast->slow && fast->alarm_count == 0;
}

/* One move follows another, without phases. */
static bool are_states_small(const struct game *game)
{
    for (int i = 0; i < game->state_count; i++) {
        const struct machine_state *state = &game->states[i];
        const struct machine_state *next = &game->states[game->fast->rules->next[i]];
        if (state->kind == MACHINE_MOVE &&
            (state->phase != 0 || state->same_figure || next->kind != MACHINE_MOVE ||
             next->player != 1 - state->player))
            return false;
    }
    return true;
}

static bool is_game_small(const struct game *game)
{
    const struct fast_game *fast = game->fast;
    if (game->format != 2 || fast == NULL || fast->rules == NULL || game->words != 1 ||
        game->player_count != SMALL_PLAYERS || game->figure_count > SMALL_FIGURES_MAX ||
        game->mark_count > 0 || game->tracks_unmoved || fast->ranks || fast->unranked)
        return false;
    return is_player_small(game, 0) && is_player_small(game, 1) && are_states_small(game);
}

static bool is_group_small(const struct game *game, const struct fast_group *group)
{
    const struct fast_promotion *promotion = &game->fast->promotions[group->promotion];
    bool shaped = group->shape == FAST_SHIFT || group->shape == FAST_LEAP ||
                  (group->shape == FAST_LAME && !group->masked);
    if (!shaped || group->phase != 0 || group->unmoved || group->takes_marked >= 0 ||
        group->mark >= 0 || group->accept > ACCEPT_BOTH ||
        (group->jumps && group->over >= ACCEPT_LIMITED) ||
        (group->promotion != 0 && promotion->choice_count > 0))
        return false;
    if (group->takes_jumped)
        return group->purpose == FOR_TAKE && group->accept == ACCEPT_EMPTY && group->jumps &&
               group->over == ACCEPT_ENEMY && group->continues != GOES_ON_MAY;
    return group->continues == GOES_ON_NEVER &&
           (group->purpose == FOR_MOVE || group->purpose == FOR_TAKE || group->purpose == FOR_BOTH);
}

/* What a list's moves may find on their targets of what the group's may; SMALL_SETS: the list has none of them. */
static int list_accept(const struct game *game, const struct fast_group *group,
                       enum small_list list)
{
    bool takes = group->purpose != FOR_MOVE;
    int wanted = list == SMALL_FIRST ? ACCEPT_ENEMY : ACCEPT_EMPTY;
    if (list == SMALL_ON)
        return group->continues != GOES_ON_NEVER ? group->accept : SMALL_SETS;
    if (!game->take_first)
        return list == SMALL_FIRST ? group->accept : SMALL_SETS;
    if (list == SMALL_FIRST && (!takes || group->takes_jumped))
        return takes ? group->accept : SMALL_SETS;
    if (list == SMALL_SECOND && group->purpose == FOR_TAKE)
        return SMALL_SETS;
    return group->accept == wanted || group->accept == ACCEPT_BOTH ? wanted : SMALL_SETS;
}

/* Where ops are being put. */
struct builder {
    struct small_player *player;
    struct small_op pattern; /* all but cells and differences */
    bool between;            /* there is a cell between, with conditions */
    int first;               /* of the group's */
    bool full;
};

static void add_step(struct builder *builder, unsigned from, unsigned middle, unsigned to)
{
    struct small_player *player = builder->player;
    int offset = (int)to - (int)from, between = (int)middle - (int)from;
    struct small_op *op = &player->ops[builder->first];
    const struct small_op *end = &player->ops[player->op_count];
    while (op < end && (op->offset != offset || op->middle != between))
        op++;
    if (op == end) {
        builder->full |= player->op_count == SMALL_OPS_MAX;
        if (builder->full)
            return;
        player->op_count++;
        *op = builder->pattern;
        op->offset = (int8_t)offset;
        op->middle = (int8_t)between;
        op->turn = (uint8_t)((unsigned)between & (WORD_BITS - 1));
        op->turn_on = (uint8_t)((unsigned)(offset - between) & (WORD_BITS - 1));
    }
    op->from |= UINT64_C(1) << from;
}

/* False: a leg is longer than one cell. */
static bool add_lame(struct builder *builder, const struct fast_group *group, unsigned from)
{
    for (uint32_t i = group->starts[from]; i < group->starts[from + 1]; i++) {
        uint64_t leg = group->table[(size_t)i * 2];
        if (word_count(leg) != 1)
            return false;
        for (uint64_t to = group->table[(size_t)i * 2 + 1]; to != 0; to &= to - 1)
            add_step(builder, from, word_lowest(leg), word_lowest(to));
    }
    return true;
}

static bool add_group(const struct game *game, struct builder *builder,
                      const struct fast_group *group)
{
    bool fits = true;
    builder->first = builder->player->op_count;
    for (int cell = 0; cell < game->cell_count; cell++) {
        unsigned from = (unsigned)cell;
        if (group->shape == FAST_LAME) {
            fits = fits && add_lame(builder, group, from);
        } else if (group->shape == FAST_LEAP) {
            for (uint64_t to = group->table[from]; to != 0; to &= to - 1)
                add_step(builder, from, from, word_lowest(to));
        } else if (bits_test(group->from, from)) {
            int middle = builder->between ? group->middle : 0;
            add_step(builder, from, (unsigned)(cell + middle), (unsigned)(cell + group->offset));
        }
    }
    return fits && !builder->full;
}

static struct small_op make_pattern(const struct game *game, const struct fast_group *group,
                                    int figure, player_index player)
{
    const struct fast_promotion *promotion = &game->fast->promotions[group->promotion];
    bool promotes = group->promotion != 0 && promotion->becomes != FIGURE_NONE;
    struct small_op op = {.figure = (uint8_t)figure,
                          .promoted = promotes ? promotion->cells[0] : 0,
                          .becomes = promotes ? promotion->becomes : (uint8_t)figure,
                          .stops = promotes && promotion->stops,
                          .turn_ends = promotes && promotion->turn_ends,
                          .takes_jumped = group->takes_jumped,
                          .continues = group->continues != GOES_ON_NEVER,
                          .rule = group->rule};
    op.advances = game_contents_set_has(game, game->advancing_codes,
                                        game_code(game, (figure_index)figure, player));
    return op;
}

static bool fill_ops(const struct game *game, struct small_player *small, player_index player,
                     enum small_list list)
{
    for (int figure = 0; figure < game->figure_count; figure++) {
        const struct fast_mover *mover = &game->fast->movers[figure * game->player_count + player];
        small->starts[list][figure] = (uint8_t)small->op_count;
        for (int i = 0; i < mover->group_count; i++) {
            const struct fast_group *group = &mover->groups[i];
            int accept = list_accept(game, group, list);
            if (!is_group_small(game, group))
                return false;
            if (accept == SMALL_SETS)
                continue;
            struct builder builder = {.player = small,
                                      .pattern = make_pattern(game, group, figure, player)};
            builder.between =
                group->shape == FAST_LAME || (group->shape == FAST_SHIFT && group->steps == 2);
            builder.pattern.accept = (uint8_t)accept;
            builder.pattern.over = SMALL_SET_EVERY;
            if (builder.between)
                builder.pattern.over = group->jumps ? group->over : ACCEPT_EMPTY;
            if (!add_group(game, &builder, group))
                return false;
        }
    }
    small->starts[list][game->figure_count] = (uint8_t)small->op_count;
    return true;
}

/* --- results and counters ------------------------------------------------------------------------------------------- */

static bool fill_count(const struct game *game, const struct fast_test *test,
                       struct small_check *check)
{
    uint64_t cells = test->cells != NULL ? test->cells[0] : UINT64_MAX;
    for (int next = 0; next < SMALL_PLAYERS; next++)
        for (int owner = 0; owner < SMALL_PLAYERS; owner++)
            if ((test->players >> owner & 1) != 0 || (test->next_player && next == owner))
                check->cells[next][owner] = cells;
    if (!test->every_figure)
        check->figures = test->figures;
    return !test->empty && game->figure_count > 0 && (test->every_figure || test->figures != 0);
}

static bool fill_check(const struct game *game, const struct fast_test *test,
                       struct small_check *check)
{
    *check = (struct small_check){.kind = test->kind, .min = test->min, .max = test->max};
    switch ((enum fast_test_kind)test->kind) {
    case FAST_TEST_COUNT:
        return fill_count(game, test, check);
    case FAST_TEST_COUNTER:
        for (int next = 0; next < SMALL_PLAYERS; next++)
            check->slots[next] = (int16_t)(test->slot >= 0 ? test->slot : test->first_slot + next);
        return true;
    case FAST_TEST_REPETITION:
        check->max = INT32_MAX;
        return true;
    default:
        return false;
    }
}

// NOLINTNEXTLINE(misc-no-recursion): conditions nest, to a bound
static bool fill_checks(const struct game *game, const struct fast_test *test,
                        struct small_result *result)
{
    if (test->kind != FAST_TEST_ALL)
        return result->check_count < SMALL_CHECKS_MAX &&
               fill_check(game, test, &result->checks[result->check_count++]);
    for (int i = 0; i < test->child_count; i++)
        if (!fill_checks(game, &test->children[i], result))
            return false;
    return true;
}

static bool fill_results(const struct game *game, struct small_player *small, player_index player)
{
    for (int i = 0; i < game->result_count; i++) {
        const struct result_rule *rule = &game->results[player][i];
        if (rule->claim || rule->lazy)
            continue;
        if (rule->mixed || small->result_count == SMALL_RESULTS_MAX)
            return false;
        struct small_result *result = &small->results[small->result_count++];
        *result = (struct small_result){.index = (uint8_t)i, .material = rule->material};
        if (!fill_checks(game, &game->fast->rules->results[player][i], result) ||
            result->check_count == 0)
            return false;
    }
    return true;
}

/* Whether it holds is decided by what moved and what it took. */
// NOLINTNEXTLINE(misc-no-recursion): conditions nest, to a bound
static bool asks_move_only(const struct fast_test *test)
{
    bool only = test->kind <= FAST_TEST_NOT ||
                (test->kind == FAST_TEST_PREVIOUS && test->from == NULL && test->to == NULL);
    for (int i = 0; i < test->child_count && only; i++)
        only = asks_move_only(&test->children[i]);
    return only;
}

// NOLINTNEXTLINE(misc-no-recursion): conditions nest, to a bound
static bool move_fits(const struct fast_test *test, player_index mover, int figure, int taken)
{
    if (test->kind == FAST_TEST_PREVIOUS) {
        bool took = taken > 0 && (test->taken >> (taken - 1) & 1) != 0;
        return (test->figures >> figure & 1) != 0 && (test->players >> mover & 1) != 0 &&
               test->complex <= 0 && (test->took < 0 || (test->took == 0 ? taken == 0 : took));
    }
    if (test->kind == FAST_TEST_NOT)
        return !move_fits(test->children, mover, figure, taken);
    bool every = test->kind == FAST_TEST_ALL;
    for (int i = 0; i < test->child_count; i++)
        if (move_fits(&test->children[i], mover, figure, taken) != every)
            return !every;
    return every;
}

static uint64_t tabulate(const struct fast_test *test, player_index mover)
{
    uint64_t table = 0;
    for (int figure = 0; test != NULL && figure < SMALL_FIGURES_MAX; figure++)
        for (int taken = 0; taken <= SMALL_FIGURES_MAX; taken++)
            table |= (uint64_t)move_fits(test, mover, figure, taken)
                     << (figure * (SMALL_FIGURES_MAX + 1) + taken);
    return table;
}

static bool fill_counters(const struct game *game, struct small_player *small, player_index player)
{
    for (int i = 0; i < game->counter_count; i++) {
        const struct counter_rule *rule = &game->counters[i];
        const struct fast_test *add = game->fast->rules->counters[i].add[player];
        const struct fast_test *reset = game->fast->rules->counters[i].reset[player];
        if (rule->in_key || (add != NULL && !asks_move_only(add)) ||
            (reset != NULL && !asks_move_only(reset)))
            return false;
        small->counters[i] = (struct small_counter){
            .add = tabulate(add, player),
            .reset = tabulate(reset, player),
            .slot = (uint8_t)(rule->first_slot + (rule->per_player ? player : 0)),
            .start = (int16_t)rule->start};
    }
    return true;
}

/* --- the whole ------------------------------------------------------------------------------------------------------ */

static bool fill_player(const struct game *game, struct small_player *small, player_index player)
{
    return fill_ops(game, small, player, SMALL_FIRST) &&
           fill_ops(game, small, player, SMALL_SECOND) && fill_ops(game, small, player, SMALL_ON) &&
           fill_results(game, small, player) && fill_counters(game, small, player);
}

struct fast_small *fast_small_new(const struct game *game)
{
    if (!is_game_small(game))
        return NULL;
    struct fast_small *small = calloc(1, sizeof *small);
    assert(small != NULL);
    small->game = game;
    small->cells = game->cell_sets[0];
    small->figure_count = game->figure_count;
    small->counter_count = game->counter_count;
    small->repeats = game->fast->rules->repetitions_min > 0;
    small->remove_at_turn_end = game->remove_at_turn_end;
    small->takes_are_final = game->takes_are_final;
    for (int i = 0; i < game->state_count; i++)
        small->state_keys[i] = fast_state_key((state_index)i);
    if (fill_player(game, &small->players[0], 0) && fill_player(game, &small->players[1], 1))
        return small;
    free(small);
    return NULL;
}

void fast_small_free(struct fast_small *small)
{
    free(small);
}

uint32_t fast_small_run(const struct fast_small *small, struct small_stand *stand, uint64_t *random,
                        uint32_t plies_max, struct move *moves)
{
    return FAST_CALL(fast_small_run, small, stand, random, plies_max, moves);
}
