/* Results and counters for playing fast; or why a game cannot be. */
#include "engine/load/compile_fast.h"

#include "engine/fast/tree.h"

#include <assert.h>
#include <limits.h>
#include <string.h>

static const uint64_t *zone_cells(struct fast_compiler *compiler, int zone, player_index mover)
{
    const struct game *game = compiler->game;
    if (zone < 0)
        return NULL;
    uint64_t *cells = compile_fast_allocate(compiler, (size_t)game->words, sizeof *cells);
    for (int i = 0; i < game->cell_count; i++)
        if (compiler->definition->zones[zone].cells[mover][i])
            bits_set(cells, (unsigned)i);
    return cells;
}

static bool match_is_set(const struct cell_test *match)
{
    return !match->hole && !match->negated && match->also_count == 0 && match->mark < 0 &&
           match->unmoved < 0 && match->moves_made == NUMBER_ANY && match->last_move == NUMBER_ANY;
}

/* An attack is known where its player's lines are, and no other attackers are asked for. */
static bool attack_is_known(const struct fast_compiler *compiler, const struct condition_node *test)
{
    uint64_t all = compile_fast_all_figures(compiler);
    bool known = (test->attackers & all) == all && compiler->fast->filters;
    for (int i = 0; i < compiler->game->player_count; i++)
        known = known && compiler->fast->players[i].royal_count > 0 &&
                compiler->fast->players[i].alarm_count == 0;
    return known;
}

static void fill_match(struct fast_compiler *compiler, const struct cell_test *match,
                       player_index mover, struct fast_test *result)
{
    uint64_t all = compile_fast_all_figures(compiler);
    result->figures = match->figures & all;
    result->every_figure = result->figures == all;
    result->players = match->players & compile_fast_all_players(compiler);
    result->every_player = result->players == compile_fast_all_players(compiler);
    result->next_player = match->next_player;
    result->empty = match->empty;
    result->cells = zone_cells(compiler, match->zone, mover);
}

/* The sets that a COUNT unites, as offsets into the words. */
static void fill_sets(struct fast_compiler *compiler, struct fast_test *test)
{
    const struct game *game = compiler->game;
    uint16_t *figures =
        compile_fast_allocate(compiler, (size_t)game->figure_count, sizeof *figures);
    uint16_t *players =
        compile_fast_allocate(compiler, (size_t)game->player_count, sizeof *players);
    for (int i = 0; i < game->figure_count && !test->every_figure; i++)
        if ((test->figures >> i & 1) != 0)
            figures[test->figure_set_count++] = (uint16_t)((game->player_count + i) * game->words);
    bool needed = !test->every_player || test->every_figure;
    for (int i = 0; i < game->player_count && needed; i++)
        if ((test->players >> i & 1) != 0)
            players[test->player_set_count++] = (uint16_t)(i * game->words);
    test->figure_sets = figures;
    test->player_sets = players;
}

static bool fill_leaf(struct fast_compiler *compiler, const struct condition_node *test,
                      player_index mover, struct fast_test *result)
{
    result->min = test->min;
    result->max = test->max;
    switch (test->kind) {
    case CONDITION_COUNT:
        result->kind = FAST_TEST_COUNT;
        fill_match(compiler, &test->match, mover, result);
        fill_sets(compiler, result);
        return match_is_set(&test->match);
    case CONDITION_PREVIOUS:
        result->kind = FAST_TEST_PREVIOUS;
        fill_match(compiler, &test->match, mover, result);
        result->took = (int8_t)test->took;
        result->complex = (int8_t)test->complex;
        result->taken = test->taken_figures;
        result->from = zone_cells(compiler, test->from_zone, mover);
        result->to = zone_cells(compiler, test->to_zone, mover);
        return match_is_set(&test->match) && test->match.zone < 0 && !test->match.next_player &&
               test->passed == TRI_ANY;
    case CONDITION_COUNTER:
        result->kind = FAST_TEST_COUNTER;
        result->slot = (int16_t)test->slot;
        result->first_slot = (int16_t)test->first_slot;
        return test->slot >= 0 || test->match.players == 0;
    case CONDITION_NEXT:
        result->kind = FAST_TEST_NEXT;
        result->players = test->players;
        return true;
    case CONDITION_ATTACKED:
        result->kind = FAST_TEST_ATTACKED;
        fill_match(compiler, &test->match, mover, result);
        return match_is_set(&test->match) && attack_is_known(compiler, test);
    case CONDITION_REPETITION:
        result->kind = FAST_TEST_REPETITION;
        return true;
    case CONDITION_NO_MOVES:
        result->kind = FAST_TEST_NO_MOVES;
        return true;
    default:
        return false;
    }
}

// NOLINTNEXTLINE(misc-no-recursion): conditions nest, to a bound
static bool fill_test(struct fast_compiler *compiler, const struct condition_node *test,
                      player_index mover, struct fast_test *result)
{
    if (test->kind != CONDITION_ALL && test->kind != CONDITION_ANY && test->kind != CONDITION_NOT)
        return fill_leaf(compiler, test, mover, result);
    if (test->child_count > UINT8_MAX)
        return false;
    struct fast_test *children =
        compile_fast_allocate(compiler, (size_t)test->child_count, sizeof *children);
    result->kind = test->kind == CONDITION_ALL   ? FAST_TEST_ALL
                   : test->kind == CONDITION_ANY ? FAST_TEST_ANY
                                                 : FAST_TEST_NOT;
    result->children = children;
    result->child_count = (uint8_t)test->child_count;
    for (int i = 0; i < test->child_count; i++)
        if (!fill_test(compiler, &test->children[i], mover, &children[i]))
            return false;
    return true;
}

/* NULL with `known` false: the test has no fast form; NULL else: there is none. */
static const struct fast_test *make_test(struct fast_compiler *compiler,
                                         const struct condition_node *test, player_index mover,
                                         bool *known)
{
    if (test == NULL)
        return NULL;
    struct fast_test *result = compile_fast_allocate(compiler, 1, sizeof *result);
    *known = *known && fill_test(compiler, test, mover, result);
    return result;
}

static const char *fill_counters(struct fast_compiler *compiler, struct fast_rules *rules)
{
    const struct definition *definition = compiler->definition;
    struct fast_counter *counters =
        compile_fast_allocate(compiler, (size_t)definition->counter_count, sizeof *counters);
    bool known = true;
    for (int i = 0; i < definition->counter_count; i++)
        for (int p = 0; p < definition->player_count; p++) {
            const struct counter_rule *from = &definition->counters[i];
            counters[i].add[p] = make_test(compiler, from->add[p], (player_index)p, &known);
            counters[i].reset[p] = make_test(compiler, from->reset[p], (player_index)p, &known);
        }
    rules->counters = counters;
    return known ? NULL : "a counter asks for more than figures in sets of cells";
}

static const char *fill_results(struct fast_compiler *compiler, struct fast_rules *rules)
{
    const struct definition *definition = compiler->definition;
    size_t count = (size_t)definition->result_count;
    bool known = true;
    for (int p = 0; p < definition->player_count; p++) {
        struct fast_test *results = compile_fast_allocate(compiler, count, sizeof *results);
        for (int i = 0; i < definition->result_count; i++) {
            const struct result_rule *from = &definition->results[p][i];
            if (from->gives == GIVES_FINISH)
                return "players finish one after the other";
            if (!from->claim)
                known = known && fill_test(compiler, from->condition, (player_index)p, &results[i]);
        }
        rules->results[p] = results;
    }
    return known ? NULL : "a result asks for more than figures in sets of cells";
}

static const char *fill_states(struct fast_compiler *compiler, struct fast_rules *rules)
{
    const struct game *game = compiler->game;
    state_index *next = compile_fast_allocate(compiler, (size_t)game->state_count, sizeof *next);
    for (int i = 0; i < game->state_count; i++) {
        int state = i;
        next[i] = (state_index)i;
        if (game->states[i].kind == MACHINE_END)
            continue;
        do {
            if (game->states[state].kind == MACHINE_CHECK_WIN)
                return "its states ask who has won";
            state = game->states[state].next[0];
        } while (game->states[state].kind != MACHINE_MOVE &&
                 game->states[state].kind != MACHINE_END);
        next[i] = (state_index)state;
    }
    rules->next = next;
    return NULL;
}

// NOLINTNEXTLINE(misc-no-recursion): conditions nest, to a bound
static int least_repetition(const struct condition_node *test)
{
    int least = test->kind == CONDITION_REPETITION ? test->min : INT_MAX;
    for (int i = 0; i < test->child_count; i++) {
        int child = least_repetition(&test->children[i]);
        least = child < least ? child : least;
    }
    return least;
}

/* Whether turns of several moves are jumps over one figure each, and nothing else goes on. */
static bool turns_are_jumps(const struct fast_compiler *compiler)
{
    const struct game *game = compiler->game;
    const struct fast_game *fast = compiler->fast;
    for (int i = 0; i < game->piece_count; i++)
        for (int k = 0; k < fast->movers[i].group_count; k++) {
            const struct fast_group *group = &fast->movers[i].groups[k];
            bool chosen =
                group->promotion != 0 && fast->promotions[group->promotion].choice_count > 0;
            if (group->continues != GOES_ON_NEVER &&
                (!group->takes_jumped || chosen || group->continues == GOES_ON_MAY))
                return false;
        }
    return compiler->definition->forbid_count == 0 && game->cell_count <= 128;
}

static const char *find_obstacle(const struct fast_compiler *compiler)
{
    const struct definition *definition = compiler->definition;
    const struct fast_game *fast = compiler->fast;
    const struct game *game = compiler->game;
    for (int i = 0; i < game->player_count; i++)
        if (fast->players[i].slow || fast->players[i].alarm_count > 0)
            return "some figure's moves have to be interpreted";
    if (!fast->filters)
        return fast->reason;
    if (definition->after_move_count > 0)
        return "something is removed after a move";
    if (definition->pass != PASSES_NEVER)
        return "players may pass";
    if (game->keys == NULL || game->code_count > FAST_CODES_MAX)
        return "figures are told apart by more than what they are";
    if (fast->unranked)
        return "captures have to be ranked that are no jumps";
    if (fast->turns && !turns_are_jumps(compiler))
        return "turns go on by more than jumps that take";
    return NULL;
}

void compile_fast_tree(struct fast_compiler *compiler)
{
    struct fast_rules *rules = compile_fast_allocate(compiler, 1, sizeof *rules);
    const char *reason = find_obstacle(compiler);
    if (reason == NULL)
        reason = fill_counters(compiler, rules);
    if (reason == NULL)
        reason = fill_results(compiler, rules);
    if (reason == NULL)
        reason = fill_states(compiler, rules);
    rules->repetitions_min = INT_MAX;
    for (int i = 0; i < compiler->definition->result_count && reason == NULL; i++) {
        const struct result_rule *result = &compiler->definition->results[0][i];
        int least = result->claim ? INT_MAX : least_repetition(result->condition);
        if (least < rules->repetitions_min)
            rules->repetitions_min = least;
    }
    if (rules->repetitions_min == INT_MAX)
        rules->repetitions_min = 0;
    compiler->fast->play_reason = reason;
    if (reason == NULL)
        compiler->fast->rules = rules;
}
