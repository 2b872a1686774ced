#include "engine/fast/tree_node.h"

#include <assert.h>

enum { TAG_MARK = 8, TAG_RIGHTS };

/* --- rights and keys ------------------------------------------------------------------------------------------------ */

/* What not having moved still gives. */
uint64_t tree_hash_rights(const struct game *game, struct tree_node *node)
{
    const uint64_t *unmoved = tree_unmoved(game, node);
    uint64_t held = 0;
    for (int i = 0; game->unmoved_is_key && i < game->words; i++)
        held = hash_mix(held ^ unmoved[i]);
    for (int i = 0; !game->unmoved_is_key && i < game->right_count; i++) {
        const uint64_t *right = game->rights + (size_t)i * (size_t)game->words;
        bool whole = true;
        for (int w = 0; w < game->words; w++)
            whole &= (right[w] & ~unmoved[w]) == 0;
        held |= (uint64_t)whole << i;
    }
    return hash_mix(held ^ (uint64_t)TAG_RIGHTS << 56);
}

/* Whether some figure of the player to move may take by the mark. */
static bool mark_counts(const struct fast_tree *tree, struct tree_node *node, int mark)
{
    if (node->player == PLAYER_NONE)
        return false;
    struct fast_view view;
    tree_look(tree, node, &view);
    return fast_takes_by_mark(&view, mark);
}

uint64_t tree_key(const struct fast_tree *tree, struct tree_node *node)
{
    const struct game *game = tree->game;
    uint64_t key = node->hash ^ node->rights ^ fast_state_key(node->state);
    for (int i = 0; i < game->mark_count; i++)
        if (node->marks[i].cell != CELL_NONE && mark_counts(tree, node, i))
            key ^= hash_mix((uint64_t)TAG_MARK << 56 | (uint64_t)i << 16 | node->marks[i].cell);
    for (int i = 0; i < game->counter_count; i++) {
        const struct counter_rule *counter = &game->counters[i];
        for (int k = 0; counter->in_key && k < (counter->per_player ? game->player_count : 1); k++)
            key = hash_mix(key ^ (uint16_t)node->counters[counter->first_slot + k]);
    }
    return key;
}

/* --- moving --------------------------------------------------------------------------------------------------------- */

static inline void lift(const struct fast_tree *tree, struct tree_node *node, cell_index cell)
{
    const struct game *game = tree->game;
    uint8_t *codes = tree_codes(tree, node);
    unsigned code = codes[cell];
    if (code == 0)
        return;
    size_t words = (size_t)game->words;
    bits_reset(node->words + game->code_players[code] * words, cell);
    bits_reset(node->words + (size_t)(game->player_count + game->code_figures[code]) * words, cell);
    codes[cell] = 0;
    uint64_t *unmoved = tree_unmoved(game, node);
    bool first = bits_test(unmoved, cell);
    bits_reset(unmoved, cell);
    if (!tree->keyed)
        return;
    node->hash ^= game->keys[code * (size_t)game->cell_count + cell];
    if (first)
        node->rights = tree_hash_rights(game, node);
}

/* On an empty cell. */
static inline void place(const struct fast_tree *tree, struct tree_node *node, cell_index cell,
                         unsigned code)
{
    const struct game *game = tree->game;
    size_t words = (size_t)game->words;
    bits_set(node->words + game->code_players[code] * words, cell);
    bits_set(node->words + (size_t)(game->player_count + game->code_figures[code]) * words, cell);
    if (tree->keyed)
        node->hash ^= game->keys[code * (size_t)game->cell_count + cell];
    tree_codes(tree, node)[cell] = (uint8_t)code;
}

static void make_complex(const struct fast_tree *tree, struct tree_node *node, struct move move,
                         unsigned code)
{
    const struct fast_mover *mover = &tree->game->fast->movers[code - 1];
    const struct fast_complex *complex = mover->complex + mover->complex_starts[move.from];
    while (complex->rule != move.rule)
        complex++;
    for (int i = 0; i < complex->participant_count; i++)
        lift(tree, node, complex->participants[i].source);
    for (int i = 0; i < complex->participant_count; i++)
        place(tree, node, complex->participants[i].destination, complex->participants[i].code);
    node->last.complex = true;
}

/* What the figure is after the move. */
static unsigned become(const struct fast_tree *tree, struct tree_node *node,
                       const struct fast_group *group, struct move move, unsigned code)
{
    const struct game *game = tree->game;
    if (group->promotion == 0)
        return code;
    const struct fast_promotion *promotion = &game->fast->promotions[group->promotion];
    figure_index figure = move.choice;
    if (figure == CHOICE_NONE)
        figure = promotion->becomes;
    if (figure == FIGURE_NONE || promotion->turn_ends || !bits_test(promotion->cells, move.to))
        return code;
    node->material = true;
    return game_code(game, figure, game->code_players[code]);
}

/* The cell between, of a movement of two steps. */
static cell_index passed_cell(const struct game *game, const struct fast_group *group,
                              struct move move)
{
    if (group->shape == FAST_SHIFT)
        return (cell_index)(move.from + group->middle);
    size_t words = (size_t)game->words;
    for (uint32_t i = group->starts[move.from]; i < group->starts[move.from + 1]; i++) {
        const uint64_t *entry = group->table + (size_t)i * 2 * words;
        if (!bits_test(entry + words, move.to))
            continue;
        for (size_t w = 0; w < words; w++)
            if (entry[w] != 0)
                return (cell_index)(w * WORD_BITS + word_lowest(entry[w]));
    }
    assert(false);
    return CELL_NONE;
}

/* The first is right for all but shifts, which have a group for each difference of numbers. */
static const struct fast_group *move_group(const struct fast_mover *mover, struct move move)
{
    const struct fast_group *group = &mover->groups[mover->rule_groups[move.rule]];
    while (group->shape == FAST_SHIFT &&
           (move.from + group->offset != move.to || !bits_test(group->from, move.from)))
        group++;
    return group;
}

/* The nearest of some cells in the sense of a ray. */
static cell_index nearest(const uint64_t *ray, const uint64_t *cells, size_t words, bool falling)
{
    for (size_t i = 0; i < words; i++) {
        size_t word = falling ? words - 1 - i : i;
        uint64_t here = ray[word] & cells[word];
        if (here != 0)
            return (cell_index)(word * WORD_BITS +
                                (falling ? word_highest(here) : word_lowest(here)));
    }
    return CELL_NONE;
}

/* Whom a jump takes. */
static cell_index jumped_cell(const struct game *game, const struct tree_node *node,
                              const struct fast_group *group, struct move move)
{
    if (group->shape != FAST_JUMP)
        return passed_cell(game, group, move);
    size_t words = (size_t)game->words, all = (size_t)(group->rising + group->falling);
    uint64_t occupied[WORDS_MAX] = {0};
    for (int player = 0; player < game->player_count; player++)
        for (size_t i = 0; i < words; i++)
            occupied[i] |= node->words[(size_t)player * words + i];
    for (size_t i = 0; i < all; i++) {
        const uint64_t *ray = group->table + ((size_t)move.from * all + i) * words;
        if (bits_test(ray, move.to))
            return nearest(ray, occupied, words, i >= group->rising);
    }
    assert(false);
    return CELL_NONE;
}

static uint64_t *pending_words(const struct game *game, struct tree_node *node)
{
    return tree_unmoved(game, node) + game->words;
}

static void make_jump(const struct fast_tree *tree, struct tree_node *node, struct move move,
                      const struct fast_group *group, unsigned code)
{
    const struct game *game = tree->game;
    cell_index jumped = jumped_cell(game, node, group, move);
    unsigned after = become(tree, node, group, move, code);
    node->last.taken = tree_codes(tree, node)[jumped];
    node->material = true;
    node->history = game->takes_are_final ? node->ply : node->history;
    if (game->remove_at_turn_end)
        bits_set(pending_words(game, node), jumped);
    else
        lift(tree, node, jumped);
    lift(tree, node, move.from);
    place(tree, node, move.to, after);
}

/* Whether the figure that has just jumped jumps on. */
static bool goes_on(const struct fast_tree *tree, struct tree_node *node,
                    const struct fast_group *group)
{
    const struct game *game = tree->game;
    if (group->continues == GOES_ON_NEVER)
        return false;
    unsigned code = tree_codes(tree, node)[node->last.to];
    const struct fast_promotion *promotion = &game->fast->promotions[group->promotion];
    if (group->promotion != 0 && promotion->stops && !promotion->turn_ends &&
        code != node->last.code)
        return false;
    struct fast_view view;
    tree_look(tree, node, &view);
    view.only = node->last.to;
    view.going_on = true;
    return fast_jumps_on(&view, game->code_figures[code]);
}

/* What was taken leaves, and what waits for the end of the turn to be promoted is. */
static void end_turn(const struct fast_tree *tree, struct tree_node *node,
                     const struct fast_group *group)
{
    const struct game *game = tree->game;
    uint64_t *pending = pending_words(game, node);
    for (int i = 0; game->continues && i < game->words; i++)
        for (; pending[i] != 0; pending[i] &= pending[i] - 1)
            lift(tree, node, (cell_index)((unsigned)i * WORD_BITS + word_lowest(pending[i])));
    const struct fast_promotion *promotion = &game->fast->promotions[group->promotion];
    unsigned code = tree_codes(tree, node)[node->last.to];
    if (group->promotion == 0 || !promotion->turn_ends ||
        !bits_test(promotion->cells, node->last.to) || promotion->becomes == FIGURE_NONE)
        return;
    node->material = true;
    lift(tree, node, node->last.to);
    place(tree, node, node->last.to, game_code(game, promotion->becomes, game->code_players[code]));
}

static void make_simple(const struct fast_tree *tree, struct tree_node *node, struct move move,
                        const struct fast_group *group, unsigned code)
{
    const struct game *game = tree->game;
    uint8_t *codes = tree_codes(tree, node);
    if (group->purpose == FOR_PUT) {
        node->last.stands = move.from;
        node->material = true;
        place(tree, node, move.to, group->put_code);
        return;
    }
    unsigned other = codes[move.to];
    cell_index victim = other != 0 ? move.to : CELL_NONE;
    if (group->takes_marked >= 0 && other == 0 && node->marks[group->takes_marked].cell == move.to)
        victim = node->marks[group->takes_marked].maker;
    unsigned after = become(tree, node, group, move, code);
    lift(tree, node, move.from);
    if (group->purpose == FOR_SWAP) {
        lift(tree, node, move.to);
        place(tree, node, move.from, other);
    } else if (victim != CELL_NONE) {
        node->last.taken = codes[victim];
        node->material = true;
        node->history = game->takes_are_final ? node->ply : node->history;
        lift(tree, node, victim);
    }
    place(tree, node, move.to, after);
}

static void clear_marks(const struct game *game, struct tree_node *node)
{
    for (int i = 0; i < game->mark_count; i++)
        node->marks[i] = (struct mark){.cell = CELL_NONE, .maker = CELL_NONE};
}

/* What a simple movement does, its mark included; true: the turn goes on. */
static bool make_by_group(const struct fast_tree *tree, struct tree_node *node, struct move move,
                          unsigned code)
{
    const struct game *game = tree->game;
    const struct fast_group *group = move_group(&game->fast->movers[code - 1], move);
    if (group->takes_jumped)
        make_jump(tree, node, move, group, code);
    else
        make_simple(tree, node, move, group, code);
    clear_marks(game, node);
    if (group->mark >= 0)
        node->marks[group->mark] =
            (struct mark){.cell = passed_cell(game, group, move), .maker = move.to};
    if (!game->fast->turns && group->promotion == 0)
        return false;
    node->going_on = goes_on(tree, node, group);
    if (!node->going_on && (game->continues || group->promotion != 0))
        end_turn(tree, node, group);
    return node->going_on;
}

void tree_make(const struct fast_tree *tree, struct tree_node *node, struct move move)
{
    const struct game *game = tree->game;
    unsigned code = tree_codes(tree, node)[move.from];
    node->mover = node->player;
    node->material = false;
    node->ply++;
    node->last.from = move.from;
    node->last.to = node->last.stands = move.to;
    node->last.code = (uint8_t)code;
    node->last.taken = 0;
    node->last.complex = false;
    if (game_contents_set_has(game, game->advancing_codes, code))
        node->history = node->ply;
    if ((move.rule & FAST_RULE_COMPLEX) != 0) {
        make_complex(tree, node, move, code);
        clear_marks(game, node);
    } else if (make_by_group(tree, node, move, code)) {
        tree->keys[node->ply] = 0;
        if (tree->counts)
            tree_count(tree, node);
        return;
    }
    node->state = game->fast->rules->next[node->state];
    const struct machine_state *state = &game->states[node->state];
    node->player = state->kind == MACHINE_MOVE ? state->player : PLAYER_NONE;
    node->phase = state->phase;
    node->same_figure = state->same_figure;
    if (tree->counts)
        tree_count(tree, node);
    if (tree->repeats)
        tree->keys[node->ply] = tree_key(tree, node);
    tree_find_result(tree, node);
}
