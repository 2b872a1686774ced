#include "engine/load/compile.h"
#include "engine/state.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
    KEYS_MAX = 64 * 1024, /* codes times cells for which hash keys lie in a table */
    ORIGINS_BYTES_MAX = 4 * 1024 * 1024,
};

static const char *copy_or_null(struct game *game, const char *text)
{
    return text != NULL ? game_copy_text(game, text) : NULL;
}

static const char *copy_or_empty(struct game *game, const char *text)
{
    return game_copy_text(game, text != NULL ? text : "");
}

/* --- movements -------------------------------------------------------------------------------- */

static enum rule_purpose rule_purpose(enum purpose purpose)
{
    switch (purpose) {
    case PURPOSE_ACTIONS:
        return FOR_ACTIONS;
    case PURPOSE_MOVE:
        return FOR_MOVE;
    case PURPOSE_TAKE:
        return FOR_TAKE;
    case PURPOSE_BOTH:
        return FOR_BOTH;
    case PURPOSE_SWAP:
        return FOR_SWAP;
    case PURPOSE_PUT:
        return FOR_PUT;
    }
    assert(false);
    return FOR_ACTIONS;
}

static enum rule_continues rule_continues(enum continuation continues)
{
    switch (continues) {
    case CONTINUE_NO:
        return GOES_ON_NEVER;
    case CONTINUE_MUST:
        return GOES_ON_MUST;
    case CONTINUE_MAY:
        return GOES_ON_MAY;
    }
    assert(false);
    return GOES_ON_NEVER;
}

static void compile_promotion(struct compiler *compiler, const struct promotion *promotion,
                              player_index player, struct promotion_rule *rule)
{
    *rule = (struct promotion_rule){
        .in = compile_zone(compiler, promotion->in, player),
        .from = compile_zone(compiler, promotion->from, player),
        .condition = compile_test(compiler, promotion->test, player),
        .taken = promotion->taken,
        .optional = promotion->optional,
        .at_turn_end = promotion->at_turn_end,
        .stops = promotion->stops,
        .pointer = copy_or_empty(compiler->game, promotion->pointer),
    };
    compiler->game->tracks_previous |= condition_asks(rule->condition, CONDITION_PREVIOUS);
    for (int i = 0; i < promotion->to_count; i++)
        rule->to |= UINT64_C(1) << promotion->to[i];
}

static void compile_promotions(struct compiler *compiler, const struct movement *movement,
                               player_index player, struct modern_rule *rule)
{
    const struct game *game = compiler->game;
    struct promotion_rule *rules =
        game_allocate(compiler->game, (size_t)movement->promotion_count, sizeof *rules);
    uint64_t cells[WORDS_MAX] = {0};
    for (int i = 0; i < movement->promotion_count; i++) {
        compile_promotion(compiler, &movement->promotions[i], player, &rules[i]);
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
           rule->promotion_count == 0 && rule->continues == GOES_ON_NEVER;
}

static void compile_movement(struct compiler *compiler, const struct movement *movement,
                             player_index player)
{
    struct game *game = compiler->game;
    struct modern_rule rule = {
        .purpose = (uint8_t)rule_purpose(movement->purpose),
        .continues = (uint8_t)rule_continues(movement->continues),
        .phase = (uint8_t)movement->phase,
        .jumps = movement->jumps,
        .takes_jumped = movement->takes_jumped,
        .takes_marked = (int8_t)movement->takes_marked,
        .mark = (int8_t)movement->mark,
        .over_min = (uint16_t)movement->over_min,
        .over_max = (uint16_t)movement->over_max,
        .over = compile_over(compiler, movement, player),
        .condition = compile_test(compiler, movement->test, player),
        .via_count = movement->via_count,
        .via = compile_row_list(compiler, movement->via, movement->via_count),
        .within = compile_zone(compiler, movement->within, player),
        .pointer = copy_or_empty(game, movement->pointer),
        .if_pointer = copy_or_null(game, movement->if_pointer),
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
    const struct definition *definition = compiler->definition;
    game->mover_rules =
        game_allocate(game, (size_t)game->mover_count + 1, sizeof *game->mover_rules);
    for (int mover = 0; mover < game->mover_count && !compiler_stopped(compiler); mover++) {
        player_index player = game->code_players[mover + 1];
        const struct movement_list *list =
            &definition->figures[game->code_figures[mover + 1]].movement[player];
        game->mover_rules[mover] = (uint32_t)compiler->modern_rules.count;
        assert(game->mover_rules[mover] == compiler->mover_rules[mover]);
        for (int i = 0; i < list->count && !compiler_stopped(compiler); i++) {
            refuse_long_marks(compiler, &list->movements[i]);
            compile_movement(compiler, &list->movements[i], player);
        }
    }
    game->mover_rules[game->mover_count] = (uint32_t)compiler->modern_rules.count;
}

static const struct modern_rule *rule_at(const struct compiler *compiler, uint32_t rule)
{
    return &COMPILER_ITEMS(compiler, modern_rules, struct modern_rule)[rule];
}

static bool path_possible(const struct compiler *compiler, const struct modern_rule *rule,
                          const struct candidate *candidate)
{
    const cell_index *path = COMPILER_ITEMS(compiler, paths, cell_index) + candidate->path;
    const uint64_t *within = compiler_cell_set(compiler, rule->within);
    bool holes_end = rule->purpose != FOR_ACTIONS || rule->jumps;
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
    const struct modern_rule *rule = rule_at(compiler, candidate->rule);
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
    return path_possible(compiler, rule, candidate) &&
           condition_judge(compiler, rule->condition, from, candidate->to) != TRI_NO;
}

size_t compile_modern_choices(const struct compiler *compiler, uint32_t rule_index)
{
    const struct modern_rule *rule = rule_at(compiler, rule_index);
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

static void compile_modern_complex(struct compiler *compiler)
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
        complex->notation = copy_or_null(game, movement->notation);
        complex->pointer = copy_or_empty(game, movement->pointer);
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

static void compile_instance_cells(struct compiler *compiler)
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

/* --- who has not moved ------------------------------------------------------------------------ */

static uint16_t initial_code(const struct game *game, cell_index cell)
{
    for (int i = 0; i < game->placement_count; i++)
        if (game->placements[i].cell == cell)
            return game->placements[i].code;
    return 0;
}

/* The cells whose figures must not have moved for an instance; false where the game does not begin so, or none must. */
static bool instance_right(const struct compiler *compiler, const struct complex_instance *instance,
                           uint64_t *cells)
{
    const struct game *game = compiler->game;
    const struct modern_complex *complex = &game->modern_complex[instance->movement];
    const struct complex_movement *movement = &compiler->definition->complex[instance->movement];
    const struct place *places =
        COMPILER_ITEMS(compiler, places, struct place) + instance->first_place;
    memset(cells, 0, (size_t)game->words * sizeof *cells);
    for (int i = 0; i < movement->participant_count; i++) {
        if ((complex->unmoved >> i & 1) == 0)
            continue;
        unsigned code = initial_code(game, places[i].source);
        if (code == 0 || game->code_figures[code] != movement->participants[i].figure)
            return false;
        bits_set(cells, places[i].source);
    }
    return complex->unmoved != 0;
}

static bool has_right(const struct game *game, const uint64_t *rights, const uint64_t *cells)
{
    size_t bytes = (size_t)game->words * sizeof *cells;
    for (int i = 0; i < game->right_count; i++)
        if (memcmp(rights + (size_t)i * (size_t)game->words, cells, bytes) == 0)
            return true;
    return false;
}

static void compile_rights(struct compiler *compiler)
{
    struct game *game = compiler->game;
    size_t words = (size_t)game->words;
    uint64_t *rights = game_allocate(game, RIGHTS_MAX * words, sizeof *rights);
    uint64_t codes[CONTENTS_WORDS_MAX] = {0};
    const struct complex_instance *instances =
        COMPILER_ITEMS(compiler, instances, struct complex_instance);
    for (size_t i = 0; i < compiler->instances.count; i++) {
        uint64_t cells[WORDS_MAX];
        if (!instance_right(compiler, &instances[i], cells) || has_right(game, rights, cells))
            continue;
        for (int k = 0; k < game->cell_count; k++)
            if (bits_test(cells, (unsigned)k))
                bits_set(codes, initial_code(game, (cell_index)k));
        if (game->right_count == RIGHTS_MAX) {
            game->unmoved_is_key = true;
            continue;
        }
        memcpy(rights + (size_t)game->right_count * words, cells, words * sizeof *cells);
        game->right_count++;
    }
    game->rights = rights;
    game->unmoved_codes =
        game->unmoved_is_key ? compiler->contents_all : compile_contents_set(compiler, codes);
}

/* --- what attacks what ------------------------------------------------------------------------ */

static bool takes_by_actions(const struct compiler *compiler, uint32_t rule_index)
{
    const struct rule *rule = &COMPILER_ITEMS(compiler, rules, struct rule)[rule_index];
    const struct rule_set *sets = COMPILER_ITEMS(compiler, sets, struct rule_set);
    const struct rule_action *actions = COMPILER_ITEMS(compiler, actions, struct rule_action);
    for (uint32_t i = 0; i < rule->destination_count; i++) {
        const struct rule_set *set = &sets[rule->first_destination + i];
        for (uint32_t k = 0; k < set->action_count; k++)
            if (actions[set->first_action + k].kind == RULE_TAKE)
                return true;
    }
    return false;
}

static bool attacks_target(const struct compiler *compiler, uint32_t rule_index)
{
    const struct modern_rule *rule = rule_at(compiler, rule_index);
    if (rule->purpose == FOR_ACTIONS)
        return takes_by_actions(compiler, rule_index);
    return (rule->purpose == FOR_TAKE || rule->purpose == FOR_BOTH) && !rule->takes_jumped;
}

static void add_origins(const struct compiler *compiler, uint64_t *origins, int mover,
                        cell_index from)
{
    const struct game *game = compiler->game;
    size_t slot = (size_t)mover * (size_t)(game->cell_count + 1) + from;
    const uint32_t *starts = COMPILER_ITEMS(compiler, candidate_starts, uint32_t) + slot;
    const struct candidate *list = COMPILER_ITEMS(compiler, candidates, struct candidate);
    const cell_index *paths = COMPILER_ITEMS(compiler, paths, cell_index);
    uint64_t *first = origins + (size_t)mover * (size_t)game->cell_count * (size_t)game->words;
    for (uint32_t i = starts[0]; i < starts[1]; i++) {
        if (attacks_target(compiler, list[i].rule))
            bits_set(first + (size_t)list[i].to * (size_t)game->words, from);
        if (!rule_at(compiler, list[i].rule)->takes_jumped)
            continue;
        for (int k = 0; k + 1 < list[i].steps; k++)
            bits_set(first + (size_t)paths[list[i].path + (uint32_t)k] * (size_t)game->words, from);
    }
}

static void compile_origins(struct compiler *compiler)
{
    struct game *game = compiler->game;
    size_t count = (size_t)game->mover_count * (size_t)game->cell_count * (size_t)game->words;
    if (count * sizeof(uint64_t) > ORIGINS_BYTES_MAX)
        return;
    uint64_t *origins = game_allocate(game, count, sizeof *origins);
    for (int mover = 0; mover < game->mover_count; mover++)
        for (int from = 0; from < game->cell_count; from++)
            add_origins(compiler, origins, mover, (cell_index)from);
    game->attack_origins = origins;
}

/* --- the whole game --------------------------------------------------------------------------- */

static void compile_counters(struct compiler *compiler)
{
    struct game *game = compiler->game;
    const struct definition *definition = compiler->definition;
    game->counter_count = definition->counter_count;
    game->counter_slot_count = definition->counter_slot_count;
    assert(game->counter_slot_count <= COUNTER_SLOTS_MAX);
    game->counters = game_allocate(game, (size_t)definition->counter_count, sizeof *game->counters);
    for (int i = 0; i < definition->counter_count; i++) {
        const struct counter_definition *from = &definition->counters[i];
        struct counter_rule *counter = &game->counters[i];
        counter->name = copy_or_empty(game, from->name);
        counter->start = from->start;
        counter->per_player = from->per_player;
        counter->first_slot = (uint8_t)from->first_slot;
        counter->pointer = copy_or_empty(game, from->pointer);
        counter->in_key = true;
        for (int player = 0; player < game->player_count; player++) {
            counter->add[player] = compile_test(compiler, from->add[player], (player_index)player);
            counter->reset[player] =
                compile_test(compiler, from->reset[player], (player_index)player);
            if (from->reset[player] != NULL)
                counter->in_key = false;
        }
    }
}

static void compile_forbid(struct compiler *compiler, player_index player)
{
    struct game *game = compiler->game;
    const struct definition *definition = compiler->definition;
    struct forbid_rule *rules =
        game_allocate(game, (size_t)definition->forbid_count, sizeof *rules);
    for (int i = 0; i < definition->forbid_count; i++) {
        const struct forbidden *from = &definition->forbid[player][i];
        rules[i].condition = compile_test(compiler, from->test, player);
        rules[i].words = copy_or_null(game, from->words);
        rules[i].pointer = copy_or_empty(game, from->pointer);
        game->forbids_repetition |= condition_asks(rules[i].condition, CONDITION_REPETITION);
    }
    game->forbid[player] = rules;
    game->forbid_count = definition->forbid_count;
}

static enum result_gives result_gives(enum result_kind kind)
{
    switch (kind) {
    case RESULT_DRAW:
        return GIVES_DRAW;
    case RESULT_WINNER:
        return GIVES_WINNER;
    case RESULT_LOSER:
        return GIVES_LOSER;
    case RESULT_FINISH:
        return GIVES_FINISH;
    }
    assert(false);
    return GIVES_DRAW;
}

static void compile_results(struct compiler *compiler, player_index player, bool *repetition)
{
    struct game *game = compiler->game;
    const struct definition *definition = compiler->definition;
    struct result_rule *rules =
        game_allocate(game, (size_t)definition->result_count, sizeof *rules);
    for (int i = 0; i < definition->result_count; i++) {
        const struct result_definition *from = &definition->results[player][i];
        struct result_rule *rule = &rules[i];
        rule->condition = compile_test(compiler, from->test, player);
        rule->gives = (uint8_t)result_gives(from->kind);
        rule->player = from->next ? PLAYER_NONE : from->player;
        rule->claim = from->claim;
        rule->reason = copy_or_empty(game, from->reason);
        rule->pointer = copy_or_empty(game, from->pointer);
        bool asks_moves = condition_asks(rule->condition, CONDITION_NO_MOVES);
        bool waits = asks_moves && condition_judge_with_moves(rule->condition) == TRI_NO;
        rule->lazy = waits;
        rule->mixed = asks_moves && !waits;
        rule->needs_moves = condition_denies(rule->condition, CONDITION_NO_MOVES);
        rule->material = rule->condition != NULL && condition_asks_only_material(rule->condition);
        game->no_moves_in_results |= asks_moves;
        *repetition |= condition_asks(rule->condition, CONDITION_REPETITION);
        if (asks_moves || rule->claim)
            game->tracks_previous |= condition_asks(rule->condition, CONDITION_PREVIOUS);
    }
    game->results[player] = rules;
    game->result_count = definition->result_count;
}

static enum effect_place effect_place(enum effect_kind kind)
{
    switch (kind) {
    case EFFECT_REMOVE_TARGET:
        return EFFECT_ON_TARGET;
    case EFFECT_REMOVE_NEIGHBOURS:
        return EFFECT_ON_NEIGHBOURS;
    case EFFECT_REMOVE_ZONE:
        return EFFECT_ON_CELLS;
    }
    assert(false);
    return EFFECT_ON_TARGET;
}

static void compile_effects(struct compiler *compiler, const struct after_move *after,
                            player_index player, struct after_rule *rule)
{
    struct game *game = compiler->game;
    struct effect_rule *effects = game_allocate(game, (size_t)after->effect_count, sizeof *effects);
    for (int i = 0; i < after->effect_count; i++) {
        const struct effect *from = &after->effects[i];
        effects[i].place = (uint8_t)effect_place(from->kind);
        effects[i].cells = from->kind == EFFECT_REMOVE_ZONE
                               ? compile_zone(compiler, from->zone, player)
                               : CELL_SET_NONE;
        effects[i].row_count = from->delta_count;
        effects[i].rows = compile_row_list(compiler, from->deltas, from->delta_count);
        compile_match(compiler, &from->match, player, &effects[i].match);
    }
    rule->effect_count = after->effect_count;
    rule->effects = effects;
}

static void compile_after_move(struct compiler *compiler, player_index player)
{
    struct game *game = compiler->game;
    const struct definition *definition = compiler->definition;
    struct after_rule *rules =
        game_allocate(game, (size_t)definition->after_move_count, sizeof *rules);
    for (int i = 0; i < definition->after_move_count; i++) {
        const struct after_move *from = &definition->after_move[player][i];
        rules[i].condition = compile_test(compiler, from->test, player);
        rules[i].pointer = copy_or_empty(game, from->pointer);
        compile_effects(compiler, from, player, &rules[i]);
    }
    game->after_move[player] = rules;
    game->after_move_count = definition->after_move_count;
}

static enum pass_rule pass_rule(enum pass_kind kind)
{
    switch (kind) {
    case PASS_NEVER:
        return PASSES_NEVER;
    case PASS_IF:
        return PASSES_IF;
    case PASS_WHEN_STUCK:
        return PASSES_WHEN_STUCK;
    }
    assert(false);
    return PASSES_NEVER;
}

static void compile_priorities(struct game *game, const struct definition *definition)
{
    game->pass = pass_rule(definition->pass);
    game->remove_at_turn_end = definition->remove_at_turn_end;
    game->take_first = definition->take_first;
    game->most_taken = definition->most_taken;
    game->can_go_on = definition->can_go_on;
    game->phase_count = definition->phase_count;
    game->mark_count = definition->mark_count;
    for (int i = 0; i < definition->phase_count; i++)
        game->phases[i] = copy_or_null(game, definition->phases[i]);
    for (int i = 0; i < definition->mark_count; i++)
        game->marks[i] = copy_or_null(game, definition->marks[i]);
}

static void compile_zones(struct compiler *compiler)
{
    struct game *game = compiler->game;
    const struct definition *definition = compiler->definition;
    size_t count = (size_t)definition->zone_count;
    game->zone_count = definition->zone_count;
    game->zone_names = game_allocate(game, count, sizeof *game->zone_names);
    game->zones = game_allocate(game, count * (size_t)game->player_count, sizeof *game->zones);
    for (int i = 0; i < definition->zone_count; i++) {
        game->zone_names[i] = copy_or_null(game, definition->zones[i].name);
        for (int player = 0; player < game->player_count; player++)
            game->zones[i * game->player_count + player] =
                compile_zone(compiler, i, (player_index)player);
    }
}

/* --- what the parts together say -------------------------------------------------------------- */

static bool asks_history(const struct compiler *compiler)
{
    const struct history_atom *atoms = COMPILER_ITEMS(compiler, atoms, struct history_atom);
    for (size_t i = 0; i < compiler->atoms.count; i++)
        if (atoms[i].kind != HISTORY_CURRENT_MOVE)
            return true;
    return false;
}

/* Whether every step of the mover goes forth along one axis, so that it is never again where it was. */
static bool advances_along(const struct compiler *compiler, int mover, int axis, int sign)
{
    const struct game *game = compiler->game;
    for (uint32_t i = game->mover_rules[mover]; i < game->mover_rules[mover + 1]; i++) {
        const struct modern_rule *rule = rule_at(compiler, i);
        if (rule->purpose == FOR_ACTIONS || rule->purpose == FOR_SWAP || rule->purpose == FOR_PUT ||
            rule->delta[axis] * sign <= 0)
            return false;
    }
    return true;
}

static bool mover_advances(const struct compiler *compiler, int mover)
{
    for (int axis = 0; axis < compiler->game->dimension_count; axis++)
        if (advances_along(compiler, mover, axis, 1) || advances_along(compiler, mover, axis, -1))
            return true;
    return false;
}

/* Kinds that can come to be, or to be elsewhere, by anything but their own steps. */
static uint64_t disturbed_figures(const struct compiler *compiler)
{
    const struct definition *definition = compiler->definition;
    uint64_t figures = 0;
    for (size_t i = 0; i < compiler->modern_rules.count; i++) {
        const struct modern_rule *rule = rule_at(compiler, (uint32_t)i);
        if (rule->purpose == FOR_ACTIONS || rule->purpose == FOR_SWAP)
            return UINT64_MAX;
        if (rule->purpose == FOR_PUT)
            figures |= UINT64_C(1) << compiler->game->code_figures[rule->put_code];
        for (int k = 0; k < rule->promotion_count; k++)
            figures |= rule->promotions[k].taken ? UINT64_MAX : rule->promotions[k].to;
    }
    for (int i = 0; i < definition->complex_count; i++)
        for (int k = 0; k < definition->complex[i].participant_count; k++)
            figures |= UINT64_C(1) << definition->complex[i].participants[k].figure;
    return figures;
}

static void find_irreversible(struct compiler *compiler)
{
    struct game *game = compiler->game;
    uint64_t disturbed = disturbed_figures(compiler), codes[CONTENTS_WORDS_MAX] = {0};
    bool acts_by_complex = false, puts = false;
    for (int i = 0; i < compiler->definition->complex_count; i++)
        for (int k = 0; k < compiler->definition->complex[i].participant_count; k++)
            acts_by_complex |= !compiler->definition->complex[i].participants[k].by_default;
    for (size_t i = 0; i < compiler->modern_rules.count; i++)
        puts |= rule_at(compiler, (uint32_t)i)->purpose == FOR_PUT ||
                rule_at(compiler, (uint32_t)i)->purpose == FOR_ACTIONS;
    game->takes_are_final = !puts && !acts_by_complex;
    for (int mover = 0; mover < game->mover_count; mover++)
        if ((disturbed >> game->code_figures[mover + 1] & 1) == 0 &&
            mover_advances(compiler, mover))
            bits_set(codes, (unsigned)mover + 1);
    game->advancing_codes = compile_contents_set(compiler, codes);
}

static void compile_keys(struct game *game)
{
    size_t cells = (size_t)game->cell_count, count = (size_t)game->code_count * cells;
    if (game->tracks_history || count > KEYS_MAX)
        return;
    uint64_t *keys = game_allocate(game, count, sizeof *keys);
    for (size_t i = cells; i < count; i++) {
        struct cell_record record = {.code = (uint16_t)(i / cells)};
        keys[i] = hash_cell((cell_index)(i % cells), record);
    }
    game->keys = keys;
}

/* Whoever may have moved before a state that waits; players of three and more come round, so the last one found is as
 * good as any: only positions set up by hand ask. */
static void find_players_before(struct game *game)
{
    for (int i = 0; i < game->state_count; i++)
        game->states[i].before = game->states[i].player;
    for (int i = game->state_count - 1; i >= 0; i--) {
        state_index at = (state_index)i;
        if (game->states[i].kind != MACHINE_MOVE)
            continue;
        for (int steps = 0; steps <= game->state_count; steps++) {
            at = game->states[at].next[0];
            if (game->states[at].kind == MACHINE_MOVE || game->states[at].kind == MACHINE_END)
                break;
        }
        game->states[at].before = game->states[i].player;
    }
}

static void compile_states_of_turns(struct compiler *compiler)
{
    struct game *game = compiler->game;
    for (int i = 0; i < game->state_count; i++) {
        const struct state_definition *state = &compiler->definition->states[i];
        game->states[i].phase = (uint8_t)state->phase;
        game->states[i].same_figure = state->same_figure;
        game->checks_wins |= game->states[i].kind == MACHINE_CHECK_WIN;
    }
    find_players_before(game);
}

static void find_rays(struct compiler *compiler)
{
    const struct ray_vector *vectors = COMPILER_ITEMS(compiler, vectors, struct ray_vector);
    struct modern_rule *rules = COMPILER_ITEMS(compiler, modern_rules, struct modern_rule);
    for (size_t i = 0; i < compiler->modern_rules.count; i++) {
        uint32_t vector = compiler->movement_vectors[2 * i];
        rules[i].ray = vector != UINT32_MAX ? vectors[vector].first_start : 0;
    }
}

void compile_modern_game(struct compiler *compiler)
{
    struct game *game = compiler->game;
    bool repetition = false;
    game->all_figures =
        game->figure_count == FIGURES_MAX ? UINT64_MAX : (UINT64_C(1) << game->figure_count) - 1;
    find_rays(compiler);
    compile_modern_complex(compiler);
    compile_instance_cells(compiler);
    compile_states_of_turns(compiler);
    compile_counters(compiler);
    for (int player = 0; player < game->player_count && !compiler_stopped(compiler); player++) {
        player_index mover = (player_index)player;
        compile_forbid(compiler, mover);
        compile_results(compiler, mover, &repetition);
        compile_after_move(compiler, mover);
        game->pass_condition[player] =
            compile_test(compiler, compiler->definition->pass_test[player], mover);
        game->tracks_previous |= condition_asks(game->pass_condition[player], CONDITION_PREVIOUS);
    }
    compile_priorities(game, compiler->definition);
    compile_zones(compiler);
    if (compiler_stopped(compiler))
        return;
    compile_rights(compiler);
    compile_origins(compiler);
    find_irreversible(compiler);
    game->tracks_history |= asks_history(compiler);
    if (repetition || game->forbids_repetition) {
        game->history_max = HISTORY_MAX;
        if (game->max_plies < HISTORY_MAX)
            game->history_max = (int)game->max_plies + 1;
    }
    compile_keys(game);
}
