/* Format 2: movements as modern rules, and complex movements. */
#include "engine/load/compile.h"
#include "engine/work.h"

#include <string.h>

/* --- movements -------------------------------------------------------------------------------- */

static void compile_promotions(struct compiler *compiler, const struct movement *movement,
                               player_index player, struct modern_rule *rule)
{
    struct game *game = compiler->game;
    struct promotion_rule *rules =
        game_allocate(game, (size_t)movement->promotion_count, sizeof *rules);
    uint64_t cells[WORDS_MAX] = {0};
    for (int i = 0; i < movement->promotion_count; i++) {
        rules[i] = movement->promotions[i];
        rules[i].in = compile_zone(compiler, rules[i].in_zone, player);
        rules[i].from = compile_zone(compiler, rules[i].from_zone, player);
        rules[i].condition = compile_test(compiler, rules[i].condition, player);
        game->tracks_previous |= condition_asks(rules[i].condition, CONDITION_PREVIOUS);
        const uint64_t *in = compiler_cell_set(compiler, rules[i].in);
        for (int w = 0; w < game->words; w++)
            cells[w] |= in[w];
    }
    rule->promotion_count = movement->promotion_count;
    rule->promotions = rules;
    rule->promotion_cells = compile_cell_set(compiler, cells);
}

static const struct cell_test *compile_over(struct compiler *compiler,
                                            const struct movement *movement, player_index player)
{
    if (!movement->jumps)
        return NULL;
    struct cell_test *test = game_allocate(compiler->game, 1, sizeof *test);
    compile_match(compiler, &movement->over, player, test);
    return test;
}

static void set_steps(const struct game *game, const struct movement *movement,
                      struct modern_rule *rule)
{
    int min = movement->min_steps, max = movement->max_steps;
    rule->min_steps = (uint16_t)(min > 0 ? min : 1);
    rule->max_steps = (uint16_t)(max > 0 ? max : movement->repeat ? game->cell_count : 1);
}

static bool is_plain(const struct modern_rule *rule)
{
    bool to_target =
        rule->purpose == FOR_MOVE || rule->purpose == FOR_TAKE || rule->purpose == FOR_BOTH;
    return to_target && !rule->takes_jumped && rule->takes_marked < 0 && rule->mark < 0 &&
           rule->continues == GOES_ON_NEVER;
}

static void compile_movement(struct compiler *compiler, const struct movement *movement,
                             player_index player)
{
    struct game *game = compiler->game;
    struct modern_rule rule = {
#define KEPT(read, played, name, whose) .name = (played)movement->name,
        MOVEMENT_WORDS(KEPT)
#undef KEPT
            .over = compile_over(compiler, movement, player),
        .condition = compile_test(compiler, movement->test, player),
        .via_count = movement->via_count,
        .via = compile_row_list(compiler, movement->via, movement->via_count),
        .within = compile_zone(compiler, movement->within, player),
        .pointer = text_or_empty(movement->pointer),
        .if_pointer = movement->if_pointer,
    };
    set_steps(game, movement, &rule);
    if (rule.purpose == FOR_PUT)
        rule.put_code = game_code(game, movement->put, player);
    compile_promotions(compiler, movement, player, &rule);
    rule.plain = is_plain(&rule);
    game->takes_jumped |= rule.takes_jumped;
    game->continues |= rule.continues != GOES_ON_NEVER;
    game->tracks_previous |= condition_asks(rule.condition, CONDITION_PREVIOUS);
    int *delta = game_allocate(game, DIMENSIONS_MAX, sizeof *delta);
    memcpy(delta, movement->delta, sizeof movement->delta);
    rule.delta = delta;
    if (compiler_stopped(compiler))
        return;
    memcpy(table_add(&compiler->modern_rules, 1), &rule, sizeof rule);
}

/* A mark is one cell: where a movement would leave more of them it is refused. */
static void refuse_long_marks(struct compiler *compiler, const struct movement *movement)
{
    if (movement->mark < 0 || movement->max_steps <= 2 || compiler->refusal != NULL)
        return;
    compiler->refusal = movement->pointer;
    compiler->refusal_words = "`mark` needs a movement of at most 2 steps: one cell between";
    compiler->too_large = true;
}

void compile_modern_rules(struct compiler *compiler)
{
    struct game *game = compiler->game;
    for (int piece = 0; piece < game->piece_count && !compiler_stopped(compiler); piece++) {
        player_index player = game->code_players[piece + 1];
        const struct movement_list *list = compiler_movements(compiler, piece);
        assert(game->piece_rules[piece] == compiler->modern_rules.count);
        compile_memory_for_figure(game, game->code_figures[piece + 1]);
        for (int i = 0; i < list->count && !compiler_stopped(compiler); i++) {
            refuse_long_marks(compiler, &list->movements[i]);
            compile_movement(compiler, &list->movements[i], player);
        }
    }
}

const struct modern_rule *compile_modern_rule_at(const struct compiler *compiler, uint32_t rule)
{
    return &COMPILER_ITEMS(compiler, modern_rules, struct modern_rule)[rule];
}

static bool path_possible(const struct compiler *compiler, const struct modern_rule *rule,
                          const struct candidate *candidate)
{
    const cell_index *path = COMPILER_ITEMS(compiler, paths, cell_index) + candidate->path;
    const uint64_t *within = compiler_cell_set(compiler, rule->within);
    bool holes_end = rule->purpose != FOR_ACTIONS || rule->jumps;
    work_spend(candidate->steps);
    for (int i = 0; i + 1 < candidate->steps; i++) {
        if (path[i] == CELL_NONE && (holes_end || rule->within != CELL_SET_ALL))
            return false;
        if (path[i] != CELL_NONE && !bits_test(within, path[i]))
            return false;
    }
    return true;
}

bool compile_modern_possible(const struct compiler *compiler, const struct candidate *candidate,
                             cell_index from)
{
    const struct modern_rule *rule = compile_modern_rule_at(compiler, candidate->rule);
    const uint64_t *within = compiler_cell_set(compiler, rule->within);
    if (candidate->steps < rule->min_steps || candidate->steps > rule->max_steps)
        return false;
    if (rule->jumps && candidate->steps - 1 < rule->over_min)
        return false;
    if (!bits_test(within, from) || !bits_test(within, candidate->to))
        return false;
    for (int i = 0; i < rule->via_count; i++)
        if (rule->via[i][from] == CELL_NONE)
            return false;
    const struct known known = {.game = compiler->game,
                                .cell_sets = compiler_cell_set(compiler, 0),
                                .self = from,
                                .target = candidate->to};
    return path_possible(compiler, rule, candidate) &&
           condition_judge(&known, rule->condition) != TRI_NO;
}

size_t compile_modern_choices(const struct compiler *compiler, uint32_t rule_index)
{
    const struct modern_rule *rule = compile_modern_rule_at(compiler, rule_index);
    uint64_t to = 0;
    size_t more = 1; /* to stay what it is */
    for (int i = 0; i < rule->promotion_count; i++) {
        if (rule->promotions[i].at_turn_end)
            continue;
        to |= rule->promotions[i].to;
        more += rule->promotions[i].taken;
    }
    return word_count(to) + more;
}

/* --- complex movements ------------------------------------------------------------------------ */

void compile_modern_complex(struct compiler *compiler)
{
    struct game *game = compiler->game;
    const struct definition *definition = compiler->definition;
    game->modern_complex =
        game_allocate(game, (size_t)definition->complex_count, sizeof *game->modern_complex);
    for (int i = 0; i < definition->complex_count && !compiler_stopped(compiler); i++) {
        const struct complex_movement *movement = &definition->complex[i];
        struct modern_complex *complex = &game->modern_complex[i];
        complex->player = movement->player;
        complex->condition = compile_test(compiler, movement->test, movement->player);
        complex->notation = movement->notation;
        complex->pointer = text_or_empty(movement->pointer);
        game->tracks_previous |= condition_asks(complex->condition, CONDITION_PREVIOUS);
        for (int k = 0; k < movement->participant_count; k++) {
            const struct participant *participant = &movement->participants[k];
            complex->players[k] = participant->players;
            complex->by_default |= (uint8_t)((unsigned)participant->by_default << k);
            complex->unmoved |= (uint8_t)((unsigned)participant->unmoved << k);
        }
        game->tracks_unmoved |= complex->unmoved != 0;
    }
}

/* The cell the relative positions of an instance count from may itself be off the board. */
static cell_index cell_from_origin(const struct game *game, const struct complex_movement *movement,
                                   cell_index first, const int *delta)
{
    int at[DIMENSIONS_MAX];
    for (int i = 0; i < game->dimension_count; i++)
        at[i] = game_cell_coordinates(game, first)[i] -
                movement->participants[0].relative_position[i] + delta[i];
    return game_cell_at(game, at);
}

static uint16_t add_condition_cells(struct compiler *compiler,
                                    const struct complex_movement *movement, cell_index first,
                                    const int (*deltas)[DIMENSIONS_MAX], int count)
{
    for (int i = 0; i < count; i++) {
        cell_index cell = cell_from_origin(compiler->game, movement, first, deltas[i]);
        *(cell_index *)table_add(&compiler->condition_cells, 1) = cell;
    }
    return (uint16_t)count;
}

void compile_instance_cells(struct compiler *compiler)
{
    struct game *game = compiler->game;
    game->instance_cells =
        game_allocate(game, compiler->instances.count, sizeof *game->instance_cells);
    const struct complex_instance *instances =
        COMPILER_ITEMS(compiler, instances, struct complex_instance);
    const struct place *places = COMPILER_ITEMS(compiler, places, struct place);
    for (size_t i = 0; i < compiler->instances.count && !compiler_stopped(compiler); i++) {
        const struct complex_movement *movement =
            &compiler->definition->complex[instances[i].movement];
        cell_index first = places[instances[i].first_place].source;
        struct instance_cells *cells = &game->instance_cells[i];
        cells->first_empty = (uint32_t)compiler->condition_cells.count;
        cells->empty_count =
            add_condition_cells(compiler, movement, first, movement->empty, movement->empty_count);
        cells->first_safe = (uint32_t)compiler->condition_cells.count;
        cells->safe_count =
            add_condition_cells(compiler, movement, first, movement->safe, movement->safe_count);
    }
}
