#include "engine/load/compile.h"

#include <assert.h>
#include <string.h>

uint32_t compile_cell_set(struct compiler *compiler, const uint64_t *words)
{
    size_t bytes = (size_t)compiler->game->words * sizeof *words;
    return (uint32_t)(pool_add(&compiler->cell_sets, words, bytes) / bytes);
}

uint32_t compile_contents_set(struct compiler *compiler, const uint64_t *words)
{
    size_t bytes = (size_t)compiler->game->contents_words * sizeof *words;
    return (uint32_t)(pool_add(&compiler->contents_sets, words, bytes) / bytes);
}

/* --- conditions ------------------------------------------------------------------------------- */

/* A condition on its way: what is still possible. */
struct draft {
    uint64_t self_cells[WORDS_MAX], target_cells[WORDS_MAX];
    uint64_t contents[CONTENTS_WORDS_MAX];
    bool on_hole;
};

static void set_first_bits(uint64_t *words, int count)
{
    for (int i = 0; i < count; i++)
        bits_set(words, (unsigned)i);
}

/* Keeps the cells whose coordinate is `value`. */
static void keep_coordinate(const struct game *game, uint64_t *cells, int dimension, int32_t value)
{
    for (int i = 0; i < game->cell_count; i++)
        if (game_cell_coordinates(game, (cell_index)i)[dimension] != value)
            bits_reset(cells, (unsigned)i);
}

/* Whether an atom leaves a code possible; one that does not ask for contents leaves all. */
static bool code_matches(const struct game *game, const struct atom *atom, struct rule_self self,
                         unsigned code)
{
    bool empty = code == 0;
    switch (atom->kind) {
    case ATOM_TARGET_FIGURE:
        return empty ? atom->value == ATOM_ABSENT : game->code_figures[code] == atom->value;
    case ATOM_TARGET_PLAYER:
        return empty ? atom->value == ATOM_ABSENT : game->code_players[code] == atom->value;
    case ATOM_TARGET_MOVES_MADE:
    case ATOM_TARGET_LAST_MOVE:
        return empty == (atom->value == ATOM_ABSENT);
    case ATOM_IS_FIGURE:
        return !empty == (atom->value != 0);
    case ATOM_IS_ENEMY:
        return (!empty && game->code_players[code] != self.player) == (atom->value != 0);
    case ATOM_SELF_FIGURE:
    case ATOM_SELF_PLAYER:
    case ATOM_SELF_MOVES_MADE:
    case ATOM_SELF_LAST_MOVE:
    case ATOM_SELF_COORDINATE:
    case ATOM_TARGET_COORDINATE:
    case ATOM_IS_CELL:
    case ATOM_MOVES_AFTER_LAST_MOVE:
    case ATOM_CURRENT_MOVE:
        break;
    }
    return true;
}

static void keep_contents(const struct game *game, struct draft *draft, const struct atom *atom,
                          struct rule_self self)
{
    for (int code = 0; code < game->code_count; code++)
        if (!code_matches(game, atom, self, (unsigned)code))
            bits_reset(draft->contents, (unsigned)code);
}

/* Leaves a question about history for play time; false when it can never hold. */
static bool ask_history(struct compiler *compiler, enum history_kind kind, int32_t value)
{
    if (value == ATOM_ABSENT)
        return false;
    struct history_atom *atom = table_add(&compiler->atoms, 1);
    *atom = (struct history_atom){.kind = kind, .value = value};
    return true;
}

/* The target's history; an empty cell has none, and then the file asks for ATOM_ABSENT. */
static bool ask_target_history(struct compiler *compiler, enum history_kind kind, int32_t value)
{
    return value == ATOM_ABSENT || ask_history(compiler, kind, value);
}

static void keep_cells_or_holes(struct draft *draft, bool cells)
{
    if (cells)
        draft->on_hole = false;
    else
        memset(draft->target_cells, 0, sizeof draft->target_cells);
}

/* Takes one atom into account; false when it can never hold. */
static bool apply_atom(struct compiler *compiler, struct draft *draft, const struct atom *atom,
                       struct rule_self self)
{
    const struct game *game = compiler->game;
    switch (atom->kind) {
    case ATOM_SELF_FIGURE:
        return self.figure == atom->value;
    case ATOM_SELF_PLAYER:
        return self.player == atom->value;
    case ATOM_SELF_COORDINATE:
        keep_coordinate(game, draft->self_cells, atom->dimension, atom->value);
        return true;
    case ATOM_SELF_MOVES_MADE:
        return ask_history(compiler, HISTORY_SELF_MOVES_MADE, atom->value);
    case ATOM_SELF_LAST_MOVE:
        return ask_history(compiler, HISTORY_SELF_LAST_MOVE, atom->value);
    case ATOM_MOVES_AFTER_LAST_MOVE:
        return ask_history(compiler, HISTORY_SELF_MOVES_AFTER_LAST_MOVE, atom->value);
    case ATOM_CURRENT_MOVE:
        return ask_history(compiler, HISTORY_CURRENT_MOVE, atom->value);
    case ATOM_IS_CELL:
        keep_cells_or_holes(draft, atom->value != 0);
        return true;
    case ATOM_IS_FIGURE:
    case ATOM_IS_ENEMY:
        draft->on_hole = draft->on_hole && atom->value == 0;
        keep_contents(game, draft, atom, self);
        return true;
    case ATOM_TARGET_COORDINATE:
        draft->on_hole = false;
        keep_coordinate(game, draft->target_cells, atom->dimension, atom->value);
        return true;
    case ATOM_TARGET_FIGURE:
    case ATOM_TARGET_PLAYER:
        draft->on_hole = false;
        keep_contents(game, draft, atom, self);
        return true;
    case ATOM_TARGET_MOVES_MADE:
        draft->on_hole = false;
        keep_contents(game, draft, atom, self);
        return ask_target_history(compiler, HISTORY_TARGET_MOVES_MADE, atom->value);
    case ATOM_TARGET_LAST_MOVE:
        draft->on_hole = false;
        keep_contents(game, draft, atom, self);
        return ask_target_history(compiler, HISTORY_TARGET_LAST_MOVE, atom->value);
    }
    assert(false);
    return false;
}

bool compile_condition(struct compiler *compiler, const struct condition *condition,
                       struct rule_self self, struct rule_condition *result)
{
    const struct game *game = compiler->game;
    struct draft draft = {.on_hole = true};
    set_first_bits(draft.self_cells, game->cell_count);
    set_first_bits(draft.target_cells, game->cell_count);
    set_first_bits(draft.contents, game->code_count);
    size_t first_atom = compiler->atoms.count;
    bool possible = true;
    for (int i = 0; i < condition->atom_count && possible; i++)
        possible = apply_atom(compiler, &draft, &condition->atoms[i], self);
    bool target_possible = !bits_empty(draft.target_cells, game->words) &&
                           !bits_empty(draft.contents, game->contents_words);
    if (!target_possible)
        memset(draft.target_cells, 0, sizeof draft.target_cells);
    if (!possible || bits_empty(draft.self_cells, game->words) ||
        (!target_possible && !draft.on_hole)) {
        if (!compiler->atoms.full)
            compiler->atoms.count = first_atom;
        return false;
    }
    *result = (struct rule_condition){
        .self_cells = compile_cell_set(compiler, draft.self_cells),
        .target_cells = compile_cell_set(compiler, draft.target_cells),
        .contents = compile_contents_set(compiler, draft.contents),
        .first_atom = (uint32_t)first_atom,
        .atom_count = (uint32_t)(compiler->atoms.count - first_atom),
        .on_hole = draft.on_hole,
    };
    return true;
}

/* Stores the conditions of an `if` that can hold at all; an absent `if` becomes one condition that
 * always does. */
static uint32_t compile_conditions(struct compiler *compiler, const struct condition_list *list,
                                   struct rule_self self, uint32_t *first)
{
    static const struct condition always = {0};
    const struct condition *conditions = list->present ? list->conditions : &always;
    int count = list->present ? list->count : 1;
    *first = (uint32_t)compiler->conditions.count;
    uint32_t kept = 0;
    for (int i = 0; i < count && !compiler->conditions.full; i++) {
        struct rule_condition condition;
        if (!compile_condition(compiler, &conditions[i], self, &condition))
            continue;
        memcpy(table_add(&compiler->conditions, 1), &condition, sizeof condition);
        kept++;
    }
    return kept;
}

/* --- action sets ------------------------------------------------------------------------------ */

static void compile_actions(struct compiler *compiler, const struct action_set *set,
                            struct rule_set *result)
{
    result->first_action = (uint32_t)compiler->actions.count;
    result->action_count = (uint32_t)set->action_count;
    for (int i = 0; i < set->action_count; i++) {
        struct rule_action *action = table_add(&compiler->actions, 1);
        *action = set->actions[i];
        if (action->kind == RULE_CANCEL)
            result->cancels = true;
    }
}

/* Stores the sets that can match at all; returns how many. */
static uint32_t compile_sets(struct compiler *compiler, const struct action_set *sets, int count,
                             struct rule_self self, uint32_t *first)
{
    *first = (uint32_t)compiler->sets.count;
    uint32_t kept = 0;
    for (int i = 0; i < count && !compiler->sets.full; i++) {
        struct rule_set set = {0};
        set.condition_count =
            compile_conditions(compiler, &sets[i].condition, self, &set.first_condition);
        if (set.condition_count == 0)
            continue;
        compile_actions(compiler, &sets[i], &set);
        memcpy(table_add(&compiler->sets, 1), &set, sizeof set);
        kept++;
    }
    return kept;
}

/* --- rules ------------------------------------------------------------------------------------ */

/* An `if` that always holds is none. */
static bool always_holds(const struct compiler *compiler, uint32_t first, uint32_t count)
{
    const struct rule_condition *conditions =
        COMPILER_ITEMS(compiler, conditions, struct rule_condition);
    for (uint32_t i = first; i < first + count; i++)
        if (conditions[i].self_cells == CELL_SET_ALL &&
            conditions[i].target_cells == CELL_SET_ALL &&
            conditions[i].contents == compiler->contents_all && conditions[i].atom_count == 0)
            return true;
    return false;
}

static void compile_rule(struct compiler *compiler, const struct condition_list *guard,
                         const struct cell_actions *actions, struct rule_self self)
{
    struct rule rule = {0};
    if (guard != NULL && guard->present) {
        rule.guard_count = compile_conditions(compiler, guard, self, &rule.first_guard);
        rule.guarded = !compiler->conditions.full &&
                       !always_holds(compiler, rule.first_guard, rule.guard_count);
    }
    rule.destination_count = compile_sets(
        compiler, actions->destination, actions->destination_count, self, &rule.first_destination);
    rule.transition_count = compile_sets(compiler, actions->transition, actions->transition_count,
                                         self, &rule.first_transition);
    memcpy(table_add(&compiler->rules, 1), &rule, sizeof rule);
}

static void compile_simple_rules(struct compiler *compiler)
{
    struct game *game = compiler->game;
    for (int piece = 0; piece < game->piece_count && !compiler_stopped(compiler); piece++) {
        struct rule_self self = {.figure = game->code_figures[piece + 1],
                                 .player = game->code_players[piece + 1]};
        const struct movement_list *list = compiler_movements(compiler, piece);
        game->piece_rules[piece] = (uint32_t)compiler->rules.count;
        compile_memory_for_figure(compiler->game, self.figure);
        for (int i = 0; i < list->count && !compiler_stopped(compiler); i++)
            compile_rule(compiler, &list->movements[i].condition, &list->movements[i].actions,
                         self);
    }
    game->piece_rules[game->piece_count] = (uint32_t)compiler->rules.count;
}

/* A participant may be anybody's, so it has a rule for every player. */
static void compile_complex_rules(struct compiler *compiler)
{
    const struct definition *definition = compiler->definition;
    for (int i = 0; i < definition->complex_count && !compiler_stopped(compiler); i++) {
        const struct complex_movement *movement = &definition->complex[i];
        struct complex_rule complex = {
            .first_rule = (uint32_t)compiler->rules.count,
            .participant_count = (uint8_t)movement->participant_count,
        };
        for (int k = 0; k < movement->participant_count; k++) {
            const struct participant *participant = &movement->participants[k];
            struct cell_actions actions = participant->actions;
            actions.transition_count = 0; /* one step has nothing between */
            complex.figures[k] = participant->figure;
            for (int player = 0; player < definition->player_count; player++) {
                struct rule_self self = {.figure = participant->figure,
                                         .player = (player_index)player};
                compile_rule(compiler, NULL, &actions, self);
            }
        }
        memcpy(table_add(&compiler->complex, 1), &complex, sizeof complex);
    }
}

void compile_rules(struct compiler *compiler)
{
    compile_simple_rules(compiler);
    compile_memory_for(compiler->game, "/complex_movement");
    compile_complex_rules(compiler);
}
