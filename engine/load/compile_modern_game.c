/* Format 2: what is said of the whole game (counters, what is forbidden, results, what follows a move), and what its parts
 * say together. */
#include "engine/load/compile.h"
#include "engine/state.h"

#include <assert.h>
#include <limits.h>

enum { KEYS_MAX = 64 * 1024 }; /* codes times cells for which hash keys lie in a table */

/* The parts, on the board; `terms` becomes a list of the game's own. */
static void settle_terms(struct compiler *compiler, player_index player,
                         const struct score_term **terms, int count)
{
    struct score_term *settled = GAME_COPY(compiler->game, *terms, count);
    for (int i = 0; i < count; i++) {
        compile_in_place(compiler, &settled[i].counted, player);
        compile_note(compiler, &settled[i].counted, player);
    }
    *terms = settled;
}

static void settle_settings(struct compiler *compiler, player_index mover,
                            struct counter_rule *counter)
{
    struct counter_setting *sets =
        GAME_COPY(compiler->game, counter->sets[mover], counter->set_count);
    for (int i = 0; i < counter->set_count; i++) {
        sets[i].condition = compile_condition(compiler, sets[i].condition, mover);
        settle_terms(compiler, mover, &sets[i].terms, sets[i].term_count);
    }
    counter->sets[mover] = sets;
}

/* What must be so for the condition not to hold. */
static struct condition_needs needs_of_denial(const struct game *game,
                                              const struct condition_node *node)
{
    while (node != NULL && node->kind == CONDITION_ALL && node->child_count == 1)
        node = node->children;
    if (node != NULL && node->kind == CONDITION_COUNTER && node->min == INT_MIN)
        return (struct condition_needs){
            .slot = node->slot, .counter_min = node->max + 1, .counter_max = INT_MAX, .clear = -1};
    bool denies = node != NULL && node->kind == CONDITION_NOT;
    return condition_find_needs(game, denies ? node->children : NULL);
}

/* It is not reset, and is set or grows. */
static struct condition_needs needs_to_leave(const struct game *game,
                                             const struct counter_rule *counter, player_index mover)
{
    struct condition_needs stays = needs_of_denial(game, counter->reset[mover]);
    if (counter->set_count > 0)
        return stays;
    return condition_needs_of_both(stays, condition_find_needs(game, counter->add[mover]));
}

static void settle_course(const struct game *game, struct counter_rule *counter, player_index mover)
{
    struct counter_course *course = &counter->courses[mover];
    const struct condition_node *add = counter->add[mover];
    bool only_grows = counter->reset[mover] == NULL && counter->set_count == 0;
    course->resets = condition_previous_kinds(game, counter->reset[mover]);
    course->steady = course->resets.known && counter->set_count == 0 && add != NULL &&
                     condition_says_nothing(add);
    course->leaves = needs_to_leave(game, counter, mover);
    course->changes = condition_find_needs(game, only_grows ? add : NULL);
}

static void settle_counters(struct compiler *compiler)
{
    struct game *game = compiler->game;
    assert(game->counter_slot_count <= COUNTER_SLOTS_MAX);
    game->counters = GAME_COPY(game, game->counters, game->counter_count);
    for (int i = 0; i < game->counter_count; i++) {
        struct counter_rule *counter = &game->counters[i];
        bool in_key = counter->set_count == 0;
        for (int player = 0; player < game->player_count; player++) {
            player_index mover = (player_index)player;
            in_key &= counter->reset[player] == NULL;
            counter->add[player] = compile_condition(compiler, counter->add[player], mover);
            counter->reset[player] = compile_condition(compiler, counter->reset[player], mover);
            settle_course(game, counter, mover);
            settle_settings(compiler, mover, counter);
        }
        uint32_t slots = counter->per_player ? game_everybody(game) : 1;
        game->key_slots |= in_key ? slots << counter->first_slot : 0;
    }
}

/* Whether it asks nothing of the last move, nor of what is counted: the same as long as the position stands. */
static bool asks_of_position(const struct condition_node *node)
{
    static const bool kinds[] = {
        [CONDITION_ALL] = true,   [CONDITION_ANY] = true,      [CONDITION_NOT] = true,
        [CONDITION_COUNT] = true, [CONDITION_ATTACKED] = true, [CONDITION_NEXT] = true};
    if (node == NULL)
        return true;
    if (node->kind >= sizeof kinds / sizeof *kinds || !kinds[node->kind])
        return false;
    for (int i = 0; i < node->child_count; i++)
        if (!asks_of_position(&node->children[i]))
            return false;
    return true;
}

/* Where the position does not stand until results have been looked at no counter can wait. */
static void find_late_counters(struct game *game)
{
    for (int i = 0; i < game->counter_count; i++) {
        struct counter_rule *counter = &game->counters[i];
        counter->late = !counter->asked && !counter->per_player &&
                        (game->key_slots >> counter->first_slot & 1) == 0 &&
                        counter->set_count == 0 && !game->turns_count && !game->gives_places &&
                        !(game->turns_ask && game->after_move_count > 0);
        for (int player = 0; player < game->player_count; player++)
            counter->late &=
                asks_of_position(counter->add[player]) && asks_of_position(counter->reset[player]);
        game->counts_late |= counter->late;
    }
}

static void note_repetition(struct game *game, const struct condition_node *condition, bool late)
{
    int least = condition_least_occurrences(condition);
    game->repeats |= least != INT_MAX;
    if (least < game->occurrences_min && !late)
        game->occurrences_min = least;
}

static void settle_forbid(struct compiler *compiler, player_index player)
{
    struct game *game = compiler->game;
    struct forbid_rule *rules = GAME_COPY(game, game->forbid[player], game->forbid_count);
    for (int i = 0; i < game->forbid_count; i++) {
        rules[i].condition = compile_condition(compiler, rules[i].condition, player);
        rules[i].asks_moves = condition_asks(rules[i].condition, CONDITION_NO_MOVES);
        game->forbids_stuck |= rules[i].asks_moves;
        game->forbids_repetition |= condition_asks(rules[i].condition, CONDITION_REPETITION);
        note_repetition(game, rules[i].condition, false);
    }
    game->forbid[player] = rules;
}

/* Somebody leaves the game by it, which may go on. */
static bool rule_leaves(const struct result_rule *rule)
{
    return rule->gives == GIVES_FINISH || rule->gives == GIVES_ELIMINATED;
}

/* A file that tells one way of being stuck from another does not mean that the other is lost, too. */
static void settle_stuck(struct game *game, enum no_moves said, player_index player)
{
    const struct known stuck = {.self = CELL_NONE, .stuck = true};
    bool told_apart = false;
    for (int i = 0; i < game->result_count; i++) {
        const struct result_rule *rule = &game->results[player][i];
        told_apart |= !rule->flag && rule->asks_moves;
        if (result_comes(rule) && !rule_leaves(rule) &&
            condition_judge(&stuck, rule->condition) == TRI_YES)
            return; /* whoever is stuck, it speaks of them */
    }
    bool loses = said < NO_MOVES_DRAW && game->pass != PASSES_WHEN_STUCK;
    told_apart &= said == NO_MOVES_UNSAID;
    game->revised |= told_apart || (loses && game->player_count > 2);
    if (told_apart && !game->unrevised)
        game->no_moves = NO_MOVES_DRAW;
}

static void settle_results(struct compiler *compiler, player_index player)
{
    struct game *game = compiler->game;
    const struct known there_are_moves = {.self = CELL_NONE, .moves = true};
    struct result_rule *rules = GAME_COPY(game, game->results[player], game->result_count);
    for (int i = 0; i < game->result_count; i++) {
        struct result_rule *rule = &rules[i];
        rule->condition = compile_condition(compiler, rule->condition, player);
        settle_terms(compiler, player, &rule->terms, rule->term_count);
        /* A text of its own, though it be empty: by it an outcome's result is known (words_of_outcome). */
        rule->reason = game_copy_text(game, rule->reason);
        rule->asks_moves = condition_asks(rule->condition, CONDITION_NO_MOVES);
        rule->lazy =
            rule->asks_moves && condition_judge(&there_are_moves, rule->condition) == TRI_NO;
        rule->needs_moves = condition_denies(rule->condition, CONDITION_NO_MOVES);
        rule->needs = condition_find_needs(game, rule->condition);
        game->revised |= rule->gives == GIVES_LOSER && game->player_count > 2;
        game->gives_places |= rule_leaves(rule);
        game->may_end_moving |= rule->asks_moves && !rule->lazy && result_comes(rule);
        note_repetition(game, rule->condition, !result_comes(rule));
        if (rule->asks_moves || !result_comes(rule))
            game->tracks_previous |= condition_asks(rule->condition, CONDITION_PREVIOUS);
    }
    game->results[player] = rules;
    settle_stuck(game, compiler->definition->no_moves, player);
}

/* Claims are looked at when somebody claims, and what a flag means when one falls; what holds without legal moves only, when somebody asks for the outcome, but
 * where places are given. */
static void chain_results_of_turns(struct game *game, player_index player)
{
    const struct result_rule **link = &game->first_of_turn[player];
    struct result_rule *rules = (struct result_rule *)game->results[player];
    for (int i = 0; i < game->result_count; i++) {
        bool lazy = rules[i].lazy && !game->gives_places;
        if (!result_comes(&rules[i]) || lazy)
            continue;
        *link = &rules[i];
        link = &rules[i].next_of_turn;
    }
    *link = NULL;
}

static void settle_effects(struct compiler *compiler, player_index player, struct after_rule *rule)
{
    struct effect_rule *effects = GAME_COPY(compiler->game, rule->effects, rule->effect_count);
    for (int i = 0; i < rule->effect_count; i++) {
        struct effect_rule *effect = &effects[i];
        compile_selection(compiler, player, &effect->selection);
        compiler->game->flips |= effect->kind == EFFECT_FLIP;
    }
    rule->effects = effects;
}

static void settle_after_move(struct compiler *compiler, player_index player)
{
    struct game *game = compiler->game;
    struct after_rule *rules = GAME_COPY(game, game->after_move[player], game->after_move_count);
    for (int i = 0; i < game->after_move_count; i++) {
        rules[i].condition = compile_condition(compiler, rules[i].condition, player);
        settle_effects(compiler, player, &rules[i]);
    }
    game->after_move[player] = rules;
}

static void settle_placing(struct compiler *compiler, player_index player)
{
    struct game *game = compiler->game;
    struct placing_list *list = &game->placing[player];
    struct placing_rule *rules = GAME_COPY(game, list->rules, list->count);
    for (int i = 0; i < list->count; i++) {
        list->phases |= UINT32_C(1) << rules[i].phase;
        rules[i].cells = compile_zone(compiler, rules[i].zone, player);
        rules[i].condition = compile_condition(compiler, rules[i].condition, player);
        rules[i].needs = condition_find_needs(game, rules[i].condition);
        if (rules[i].removes)
            compile_match(compiler, player, &rules[i].removed);
        game->tracks_previous |= condition_asks(rules[i].condition, CONDITION_PREVIOUS);
        if (rules[i].drops)
            rules[i].step = compile_step(compiler, rules[i].drop);
        bool puts = rules[i].needs.whole && !rules[i].removes;
        rules[i].plain = puts && !rules[i].drops;
        rules[i].sure = puts && (!rules[i].drops || rules[i].cells == CELL_SET_ALL);
    }
    uint64_t kinds = placing_list_kinds(list);
    list->rules = rules;
    list->chooses = (kinds & (kinds - 1)) != 0;
    game->places_figures |= list->count > 0;
}

/* --- what can be undone ------------------------------------------------------------------------ */

/* Whether every step of the piece goes forth along one axis, so that it is never again where it was. */
static bool advances_along(const struct game *game, int piece, int axis, int sign)
{
    for (uint32_t i = game->piece_rules[piece]; i < game->piece_rules[piece + 1]; i++) {
        const struct movement *rule = &game->movements[i];
        if (rule->purpose == FOR_ACTIONS || rule->purpose == FOR_SWAP || rule->purpose == FOR_PUT ||
            rule->delta.of[axis] * sign <= 0)
            return false;
    }
    return true;
}

static bool piece_advances(const struct game *game, int piece)
{
    for (int axis = 0; axis < game->dimension_count; axis++)
        if (advances_along(game, piece, axis, 1) || advances_along(game, piece, axis, -1))
            return true;
    return false;
}

/* Kinds that can come to be, or to be elsewhere, by anything but their own steps: what changes its owner goes back. */
static uint64_t disturbed_figures(const struct game *game)
{
    uint64_t figures = game->flips ? UINT64_MAX : 0;
    for (uint32_t i = 0; i < game->piece_rules[game->piece_count]; i++) {
        const struct movement *rule = &game->movements[i];
        if (rule->purpose == FOR_ACTIONS || rule->purpose == FOR_SWAP)
            return UINT64_MAX;
        if (rule->purpose == FOR_PUT)
            figures |= UINT64_C(1) << rule->put;
        for (int k = 0; k < rule->promotion_count; k++)
            figures |= rule->promotions[k].taken ? UINT64_MAX : rule->promotions[k].to;
    }
    for (int i = 0; i < game->combined_count; i++)
        for (int k = 0; k < game->combined[i].participant_count; k++)
            figures |= UINT64_C(1) << game->combined[i].participants[k].figure;
    for (int player = 0; player < game->player_count; player++)
        figures |= placing_list_kinds(&game->placing[player]);
    return figures;
}

static void find_irreversible(struct compiler *compiler)
{
    struct game *game = compiler->game;
    uint64_t disturbed = disturbed_figures(game), codes[CONTENTS_WORDS_MAX] = {0};
    bool acts_by_combined = false, puts = game->places_figures;
    for (int i = 0; i < game->combined_count; i++)
        acts_by_combined |= game->combined[i].acts;
    for (uint32_t i = 0; i < game->piece_rules[game->piece_count]; i++)
        puts |= game->movements[i].purpose == FOR_PUT || game->movements[i].purpose == FOR_ACTIONS;
    game->takes_are_final = !puts && !acts_by_combined;
    for (int piece = 0; piece < game->piece_count; piece++)
        if ((disturbed >> game->code_figures[piece + 1] & 1) == 0 && piece_advances(game, piece))
            bits_set(codes, (unsigned)piece + 1);
    game->advancing_codes = pool_add(&compiler->contents_sets, codes);
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

/* Players of three and more come round, so who moved before a state is the last one found: as good as any. */
static void find_ways(struct game *game)
{
    for (int i = 0; i < game->state_count; i++)
        game->states[i].before = game->states[i].player;
    for (int i = game->state_count - 1; i >= 0; i--) {
        struct machine_state *state = &game->states[i], *at = state;
        state->straight = state->kind == MACHINE_MOVE;
        for (int steps = 0; steps <= game->state_count && state->kind == MACHINE_MOVE; steps++) {
            state->then = at->next[0];
            at = &game->states[state->then];
            if (at->kind == MACHINE_MOVE || at->kind == MACHINE_END) {
                at->before = state->player;
                state->straight &= at->condition == NULL;
                break;
            }
            state->straight &= at->kind != MACHINE_CHECK_WIN;
            state->numbers = (uint8_t)(state->numbers + (at->kind == MACHINE_NEXT_MOVE));
        }
    }
}

/* What turns ask; and each may be passed as it says itself, or as the file says of all. */
static void settle_turns(struct compiler *compiler)
{
    struct game *game = compiler->game;
    for (int i = 0; i < game->state_count; i++) {
        struct machine_state *state = &game->states[i];
        if (state->kind != MACHINE_MOVE)
            continue;
        state->condition = compile_condition(compiler, state->condition, state->player);
        game->turns_ask |= state->condition != NULL;
        game->turns_count |= condition_asks(state->condition, CONDITION_COUNTER) ||
                             condition_asks(state->condition, CONDITION_ATTACKED) ||
                             condition_asks(state->condition, CONDITION_ATTACKED_CELL);
        if (state->pass.pointer == NULL) {
            state->pass.rule = game->pass;
            state->pass.condition = game->pass_condition[state->player];
            continue;
        }
        state->pass.condition = compile_condition(compiler, state->pass.condition, state->player);
        game->tracks_previous |= condition_asks(state->pass.condition, CONDITION_PREVIOUS);
    }
}

void compile_modern_game(struct compiler *compiler)
{
    struct game *game = compiler->game;
    game->occurrences_min = INT_MAX;
    find_ways(game);
    settle_counters(compiler);
    for (int player = 0; player < game->player_count; player++) {
        player_index mover = (player_index)player;
        settle_forbid(compiler, mover);
        settle_results(compiler, mover);
        settle_after_move(compiler, mover);
        settle_placing(compiler, mover);
        game->pass_condition[player] =
            compile_condition(compiler, game->pass_condition[player], mover);
        game->tracks_previous |= condition_asks(game->pass_condition[player], CONDITION_PREVIOUS);
    }
    settle_turns(compiler);
    find_late_counters(game);
    if (game->mirror != NULL)
        game->mirror = GAME_COPY(game, game->mirror, game->cell_count);
    game->remove_at_turn_end = game->remove_at_turn_end && game->continues;
    for (int i = 0; i < game->player_count; i++)
        chain_results_of_turns(game, (player_index)i);
    compile_rights(compiler);
    compile_origins(game);
    find_irreversible(compiler);
    if (game->repeats) {
        game->history_max = HISTORY_MAX;
        if (game->max_plies < HISTORY_MAX)
            game->history_max = (int)game->max_plies + 1;
    }
    compile_keys(game);
}
