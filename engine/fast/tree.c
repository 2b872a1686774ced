#include "engine/fast/tree.h"

#include "engine/fast/tree_node.h"
#include "engine/memory/memory.h"
#include "engine/rules/turn_ends.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { TREE_DEPTH_MAX = 32 };

static size_t set_count(const struct game *game)
{
    return (size_t)game->player_count + (size_t)game->figure_count + (game->continues ? 3 : 1);
}

struct fast_tree *fast_tree_new(const struct game *game)
{
    if (game->format != 2 || game->fast == NULL || game->fast->rules == NULL)
        return NULL;
    struct fast_tree *tree = memory_zeroed(1, sizeof *tree);
    tree->game = game_retain((struct game *)game);
    size_t words = set_count(game) * (size_t)game->words;
    tree->codes_offset = sizeof(struct tree_node) + words * sizeof(uint64_t);
    tree->node_bytes = (tree->codes_offset + (size_t)game->cell_count + 63) / 64 * 64;
    tree->nodes = memory_zeroed(LEVELS_MAX, tree->node_bytes);
    tree->move_room = (size_t)game->moves_max + 1;
    tree->moves = memory_zeroed(LEVELS_MAX * tree->move_room, sizeof *tree->moves);
    tree->keys = memory_zeroed(LEVELS_MAX, sizeof *tree->keys);
    return tree;
}

void fast_tree_free(struct fast_tree *tree)
{
    if (tree == NULL)
        return;
    game_release(tree->game);
    free(tree->nodes);
    free(tree->moves);
    free(tree->keys);
    free(tree);
}

bool fast_tree_begin(struct fast_tree *tree, const struct position *position)
{
    const struct game *game = tree->game;
    struct tree_node *node = tree_level(tree, 0);
    const struct turn *turn = &position->turn;
    assert(position->game == game);
    const struct machine_state *state = &game->states[position->state];
    if (turn->active != CELL_NONE ||
        (turn->history_count > 0 && game->fast->rules->repetitions_min > 0))
        return false;
    memset(node, 0, tree->node_bytes);
    memcpy(node->words, position->words, set_count(game) * (size_t)game->words * sizeof(uint64_t));
    for (int i = 0; i < game->cell_count; i++) {
        unsigned code = position->cells[i].code;
        tree_codes(tree, node)[i] = (uint8_t)code;
        if (code != 0)
            node->hash ^= game->keys[code * (size_t)game->cell_count + (size_t)i];
    }
    node->state = position->state;
    node->player = state->kind == MACHINE_MOVE ? state->player : PLAYER_NONE;
    node->mover = turn->mover;
    node->phase = state->phase;
    node->same_figure = state->same_figure;
    node->result = turn->result;
    node->last.from = turn->last.from;
    node->last.to = turn->last.to;
    node->last.stands = turn->last.stands;
    node->last.code = (uint8_t)turn->last.code;
    node->last.taken = (uint8_t)turn->last.taken;
    node->last.complex = turn->last.complex;
    memcpy(node->marks, turn->marks, sizeof node->marks);
    memcpy(node->counters, turn->counters, sizeof node->counters);
    node->rights = tree_hash_rights(game, node);
    tree->first_ply = position->ply;
    tree->repeats = game->fast->rules->repetitions_min > 0;
    tree->keys[0] = tree->repeats ? tree_key(tree, node) : 0;
    return !state->same_figure || node->last.stands != CELL_NONE;
}

static bool is_over(const struct fast_tree *tree, const struct tree_node *node)
{
    return node->player == PLAYER_NONE || node->result != 0 ||
           node->ply + tree->first_ply >= tree->game->max_plies;
}

/* --- counting ------------------------------------------------------------------------------------------------------- */

/* Captures first, where the game wants it so. */
static void ask(const struct fast_tree *tree, struct tree_node *node, struct fast_result *result)
{
    struct fast_view view;
    tree_look(tree, node, &view);
    if (tree->game->take_first) {
        struct move *first = result->moves;
        view.takes_only = true;
        fast_run(&view, result);
        if (result->count > 0 || result->moves != first)
            return;
        view.takes_only = false;
        view.quiet_only = true;
    }
    fast_run(&view, result);
}

struct counting {
    struct fast_tree *tree;
    bool made;
    struct turn_ends ends[TREE_DEPTH_MAX]; /* by depth that is left */
};

static uint64_t count_leaves(struct counting *counting, int number, int depth);

/* All moves from here, each gone on from: within a turn that goes on, or after it, once for all that end alike. */
// NOLINTNEXTLINE(misc-no-recursion): a turn has a bound
static uint64_t count_turns(struct counting *counting, int number, int depth, uint64_t begun)
{
    struct fast_tree *tree = counting->tree;
    struct tree_node *node = tree_level(tree, number);
    struct move *moves = tree->moves + (size_t)number * tree->move_room;
    struct fast_result result = {.moves = moves};
    uint64_t leaves = 0;
    ask(tree, node, &result);
    for (struct move *move = moves; move < result.moves; move++) {
        struct tree_node *next = tree_level(tree, number + 1);
        memcpy(next, node, tree->node_bytes);
        uint64_t from = node->going_on ? begun : hash_mix(move->from);
        tree_make(tree, next, *move);
        if (next->going_on && number + 2 < LEVELS_MAX)
            leaves += count_turns(counting, number + 1, depth, from);
        else if (turn_ends_add(&counting->ends[depth], next->hash ^ from))
            leaves += count_leaves(counting, number + 1, depth - 1);
    }
    return leaves;
}

/* Whether what is to move now leads on within the turn: a move with its shot is one. */
static bool leads_on(const struct fast_tree *tree, const struct tree_node *node)
{
    const struct game *game = tree->game;
    const struct machine_state *state = &game->states[game->fast->rules->next[node->state]];
    return state->kind == MACHINE_MOVE && state->same_figure;
}

// NOLINTNEXTLINE(misc-no-recursion): as deep as was asked for
static uint64_t count_leaves(struct counting *counting, int number, int depth)
{
    struct fast_tree *tree = counting->tree;
    struct tree_node *node = tree_level(tree, number);
    if (depth == 0 || number + 1 == LEVELS_MAX)
        return 1;
    if (is_over(tree, node))
        return 0;
    bool on = leads_on(tree, node);
    struct fast_result result = {.count = 0};
    struct fast_view view;
    tree_look(tree, node, &view);
    view.takes_only = tree->game->fast->turns;
    if (view.takes_only)
        fast_run(&view, &result);
    if (result.count > 0 || node->going_on) {
        turn_ends_clear(&counting->ends[depth]);
        return count_turns(counting, number, depth, 0);
    }
    if (depth == 1 && !on && !counting->made) {
        view.quiet_only = view.takes_only;
        view.takes_only = false;
        if (view.quiet_only)
            fast_run(&view, &result);
        else
            ask(tree, node, &result);
        return result.count;
    }
    struct move *moves = tree->moves + (size_t)number * tree->move_room;
    result.moves = moves;
    ask(tree, node, &result);
    uint64_t leaves = 0;
    for (struct move *move = moves; move < result.moves; move++) {
        struct tree_node *next = tree_level(tree, number + 1);
        memcpy(next, node, tree->node_bytes);
        tree_make(tree, next, *move);
        leaves += count_leaves(counting, number + 1, on && next->result == 0 ? depth : depth - 1);
    }
    return leaves;
}

uint64_t fast_tree_count(struct fast_tree *tree, int depth, bool made)
{
    const struct game *game = tree->game;
    int repetitions = game->fast->rules->repetitions_min;
    struct counting *counting = memory_zeroed(1, sizeof *counting);
    assert(depth < TREE_DEPTH_MAX);
    counting->tree = tree;
    counting->made = made;
    /* To come for the n-th time takes four moves each time, at least. */
    tree->repeats = repetitions > 0 && depth >= 2 * (repetitions - 1);
    int moves_of_turn = 1;
    for (int i = 0; i < game->state_count; i++)
        moves_of_turn += game->states[i].same_figure;
    if (game->fast->turns)
        moves_of_turn = game->cell_count;
    tree->keyed = tree->repeats || game->fast->turns;
    tree_choose_results(tree, depth * moves_of_turn);
    uint64_t leaves = count_leaves(counting, 0, depth);
    for (int i = 0; i < TREE_DEPTH_MAX; i++)
        turn_ends_release(&counting->ends[i]);
    free(counting);
    return leaves;
}
