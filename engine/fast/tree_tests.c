/* Results and counters as trees of moves ask for them: compiled by load/compile_fast_tree.c. */
#include "engine/fast/tree_node.h"

#include <assert.h>

static inline uint64_t united(const uint64_t *words, const uint16_t *sets, int count)
{
    uint64_t sum = 0;
    for (int i = 0; i < count; i++)
        sum |= words[sets[i]];
    return sum;
}

/* One word of the cells whose contents a COUNT is about. */
static inline uint64_t counted_word(const struct fast_tree *tree, struct tree_node *node,
                                    const struct fast_test *test, int word)
{
    const struct game *game = tree->game;
    const uint64_t *words = node->words + word;
    player_index next = node->player;
    uint64_t cells = 0;
    if (test->player_set_count > 0)
        cells = united(words, test->player_sets, test->player_set_count);
    else if (test->every_player)
        cells = UINT64_MAX;
    if (test->next_player && next != PLAYER_NONE)
        cells |= words[(size_t)next * (size_t)game->words];
    if (!test->every_figure)
        cells &= united(words, test->figure_sets, test->figure_set_count);
    if (test->empty) {
        uint64_t occupied = 0;
        for (int i = 0; i < game->player_count; i++)
            occupied |= words[(size_t)i * (size_t)game->words];
        cells |= game->cell_sets[word] & ~occupied;
    }
    return test->cells != NULL ? cells & test->cells[word] : cells;
}

static bool count_holds(const struct fast_tree *tree, struct tree_node *node,
                        const struct fast_test *test)
{
    int64_t count = 0;
    for (int i = 0; i < tree->game->words; i++) {
        uint64_t cells = counted_word(tree, node, test, i);
        if (cells == 0)
            continue;
        if (test->max == 0)
            return false;
        if (test->min == 1 && test->max == INT32_MAX)
            return true;
        count += word_count(cells);
    }
    return count >= test->min && count <= test->max;
}

static bool previous_holds(const struct fast_tree *tree, struct tree_node *node,
                           const struct fast_test *test)
{
    const struct game *game = tree->game;
    unsigned code = node->last.code, taken = node->last.taken;
    if (code == 0 || (test->figures >> game->code_figures[code] & 1) == 0 ||
        (test->players >> game->code_players[code] & 1) == 0)
        return false;
    if ((test->from != NULL && !bits_test(test->from, node->last.from)) ||
        (test->to != NULL && !bits_test(test->to, node->last.to)) ||
        (test->complex >= 0 && (test->complex != 0) != node->last.complex))
        return false;
    if (test->took < 0)
        return true;
    bool took = taken != 0 && (test->taken >> game->code_figures[taken] & 1) != 0;
    return test->took == 0 ? taken == 0 : took;
}

static bool attacked_holds(const struct fast_tree *tree, struct tree_node *node,
                           const struct fast_test *test)
{
    const struct game *game = tree->game;
    unsigned players = test->players;
    if (test->next_player && node->player != PLAYER_NONE)
        players |= 1U << node->player;
    for (int player = 0; player < game->player_count; player++) {
        struct fast_view view;
        tree_look(tree, node, &view);
        view.player = (player_index)player;
        if ((players >> player & 1) != 0 && fast_attacked(&view, test->figures, test->cells))
            return true;
    }
    return false;
}

static int occurrences(const struct fast_tree *tree, struct tree_node *node)
{
    if (!tree->repeats)
        return 1;
    uint64_t key = tree->keys[node->ply];
    int count = 1;
    for (uint32_t ply = node->ply; ply-- > node->history;)
        count += tree->keys[ply] == key;
    return count;
}

static bool leaf_holds(const struct fast_tree *tree, struct tree_node *node,
                       const struct fast_test *test)
{
    int64_t number = 0;
    switch ((enum fast_test_kind)test->kind) {
    case FAST_TEST_COUNT:
        return count_holds(tree, node, test);
    case FAST_TEST_PREVIOUS:
        return previous_holds(tree, node, test);
    case FAST_TEST_COUNTER:
        if (test->slot >= 0)
            number = node->counters[test->slot];
        else if (node->player != PLAYER_NONE)
            number = node->counters[test->first_slot + node->player];
        return number >= test->min && number <= test->max;
    case FAST_TEST_NEXT:
        return node->player != PLAYER_NONE && (test->players >> node->player & 1) != 0;
    case FAST_TEST_ATTACKED:
        return attacked_holds(tree, node, test);
    case FAST_TEST_REPETITION:
        return occurrences(tree, node) >= test->min;
    case FAST_TEST_NO_MOVES:
        return false; /* where there are no moves the tree ends anyway */
    default:
        assert(false);
        return false;
    }
}

// NOLINTNEXTLINE(misc-no-recursion): conditions nest, to a bound
static bool holds(const struct fast_tree *tree, struct tree_node *node,
                  const struct fast_test *test)
{
    if (test->kind > FAST_TEST_NOT)
        return leaf_holds(tree, node, test);
    if (test->kind == FAST_TEST_NOT)
        return !holds(tree, node, test->children);
    bool every = test->kind == FAST_TEST_ALL;
    for (int i = 0; i < test->child_count; i++)
        if (holds(tree, node, &test->children[i]) != every)
            return !every;
    return every;
}

void tree_count(const struct fast_tree *tree, struct tree_node *node)
{
    const struct game *game = tree->game;
    for (int i = 0; i < game->counter_count; i++) {
        const struct counter_rule *counter = &game->counters[i];
        const struct fast_test *add = game->fast->rules->counters[i].add[node->mover];
        const struct fast_test *reset = game->fast->rules->counters[i].reset[node->mover];
        int16_t *slot =
            &node->counters[counter->first_slot + (counter->per_player ? node->mover : 0)];
        if (reset != NULL && holds(tree, node, reset))
            *slot = (int16_t)counter->start;
        else if (add != NULL && *slot < COUNTER_VALUE_MAX && holds(tree, node, add))
            ++*slot;
    }
}

void tree_find_result(const struct fast_tree *tree, struct tree_node *node)
{
    const struct game *game = tree->game;
    const struct result_rule *results = game->results[node->mover];
    const struct fast_test *tests = game->fast->rules->results[node->mover];
    for (int k = 0; k < tree->looked_count[node->mover]; k++) {
        int i = tree->looked[node->mover][k];
        if ((results[i].material && !node->material) || !holds(tree, node, &tests[i]))
            continue;
        node->result = (uint8_t)(i + 1);
        return;
    }
}

/* Whether a count may be as low as asked within so many moves: one takes a figure and makes another of its own, at most. */
static bool may_fall_to(const struct fast_tree *tree, const struct fast_test *test, int moves)
{
    int64_t count = 0;
    if (test->cells != NULL || test->empty || test->next_player)
        return true;
    for (int i = 0; i < tree->game->words; i++)
        count += word_count(counted_word(tree, tree_level(tree, 0), test, i));
    return count - 2 * (int64_t)moves <= test->max;
}

/* Whether a test may come to hold within so many moves from where the tree began. */
// NOLINTNEXTLINE(misc-no-recursion): conditions nest, to a bound
static bool may_hold(const struct fast_tree *tree, const struct fast_test *test, int moves)
{
    const struct tree_node *node = tree_level(tree, 0);
    bool some = test->kind != FAST_TEST_ANY;
    int most = 0;
    switch ((enum fast_test_kind)test->kind) {
    case FAST_TEST_ALL:
        for (int i = 0; i < test->child_count; i++)
            some = some && may_hold(tree, &test->children[i], moves);
        return some;
    case FAST_TEST_ANY:
        for (int i = 0; i < test->child_count; i++)
            some = some || may_hold(tree, &test->children[i], moves);
        return some;
    case FAST_TEST_REPETITION:
        return tree->repeats;
    case FAST_TEST_COUNTER:
        most = test->slot >= 0 ? node->counters[test->slot] : 0;
        for (int i = 0; test->slot < 0 && i < tree->game->player_count; i++)
            if (node->counters[test->first_slot + i] > most)
                most = node->counters[test->first_slot + i];
        return most + moves >= test->min;
    case FAST_TEST_COUNT:
        return may_fall_to(tree, test, moves);
    default:
        return true;
    }
}

// NOLINTNEXTLINE(misc-no-recursion): conditions nest, to a bound
static bool asks_counters(const struct fast_test *test)
{
    bool asks = test->kind == FAST_TEST_COUNTER;
    for (int i = 0; i < test->child_count; i++)
        asks |= asks_counters(&test->children[i]);
    return asks;
}

/* Notes which results can come within so many moves, and whether counters matter for them. */
void tree_choose_results(struct fast_tree *tree, int moves)
{
    const struct game *game = tree->game;
    tree->counts = false;
    for (int player = 0; player < game->player_count; player++) {
        tree->looked_count[player] = 0;
        for (int i = 0; i < game->result_count; i++) {
            const struct result_rule *result = &game->results[player][i];
            const struct fast_test *test = &game->fast->rules->results[player][i];
            if (result->claim || result->lazy || !may_hold(tree, test, moves))
                continue;
            tree->counts |= asks_counters(test);
            tree->looked[player][tree->looked_count[player]++] = (uint8_t)i;
        }
    }
    for (int i = 0; i < game->counter_count; i++)
        tree->counts |= tree->repeats && game->counters[i].in_key;
}
