/* What must be so for a condition to hold, of what is quick to ask: looked at before the condition is. */
#include "engine/load/compile.h"

#include <limits.h>

/* Whether a match says no more than whose figures it means, of what kinds and where. */
static bool is_of_figures(const struct cell_test *match)
{
    return !match->empty && !match->hole && !match->negated && !cell_test_asks_history(match) &&
           match->also_count == 0;
}

/* The node counts figures on the whole board, and they may be so many at most. */
static void need_few(const struct game *game, const struct condition_node *node,
                     struct condition_needs *needs)
{
    bool negated = node->kind == CONDITION_NOT;
    const struct condition_node *count = negated ? node->children : node;
    const uint8_t everybody = game_everybody(game);
    const struct cell_test *match = &count->match;
    bool bounded = (count->max == INT32_MAX) == negated;
    if (count->kind != CONDITION_COUNT || !bounded || !is_of_figures(match) ||
        match->cells != CELL_SET_ALL)
        return;
    uint64_t kinds = match->figures & game->all_figures;
    int most = negated ? count->min - 1 : count->max;
    if ((match->players & everybody) == everybody && most == 0 && kinds != 0) {
        needs->absent = kinds;
        needs->clear = (game->player_count + (int)word_lowest(kinds)) * game->words;
    } else if (kinds == game->all_figures) {
        needs->few_players = match->players & everybody;
        needs->few_next = match->next_player;
        needs->few_most = most;
        if (most == 0 && needs->few_players != 0)
            needs->clear = (int)word_lowest(needs->few_players) * game->words;
    } else {
        return;
    }
    needs->whole = negated || count->min <= 0;
}

static struct condition_needs needs_of_leaf(const struct game *game,
                                            const struct condition_node *node)
{
    const struct cell_test *match = &node->match;
    struct condition_needs needs = {.slot = -1, .clear = -1, .whole = condition_says_nothing(node)};
    need_few(game, node, &needs);
    bool counts = node->kind == CONDITION_COUNT && node->min > 0;
    bool connects =
        node->kind == CONDITION_CONNECTED && node->zone_count > 0 && node->min == node->zone_count;
    if ((counts || connects) && is_of_figures(match) && !match->next_player) {
        needs.some_players = match->players & game_everybody(game);
        needs.some_cells = counts ? match->cells : node->zone_cells[0];
        needs.whole = counts && node->min == 1 && node->max == INT32_MAX &&
                      (match->figures & game->all_figures) == game->all_figures;
    }
    if (node->kind == CONDITION_REPETITION)
        needs.occurrences = node->min;
    bool of_next = node->slot < 0 && match->next_player && match->players == 0;
    if (node->kind == CONDITION_COUNTER && (node->slot >= 0 || of_next)) {
        needs.slot = of_next ? node->first_slot : node->slot;
        needs.slot_of_next = of_next;
        needs.counter_min = node->min;
        needs.counter_max = node->max;
        needs.whole = true;
    }
    return needs;
}

static int lesser(int a, int b)
{
    return a < b ? a : b;
}

static int greater(int a, int b)
{
    return a > b ? a : b;
}

/* What each of them needs. */
static struct condition_needs needs_of_any(struct condition_needs a, struct condition_needs b)
{
    bool same_slot = a.slot == b.slot && a.slot_of_next == b.slot_of_next;
    return (struct condition_needs){.absent = a.absent & b.absent,
                                    .few_players = a.few_players & b.few_players,
                                    .few_next = a.few_next && b.few_next,
                                    .few_most = greater(a.few_most, b.few_most),
                                    .occurrences = lesser(a.occurrences, b.occurrences),
                                    .slot = same_slot ? a.slot : -1,
                                    .slot_of_next = a.slot_of_next,
                                    .counter_min = lesser(a.counter_min, b.counter_min),
                                    .counter_max = greater(a.counter_max, b.counter_max),
                                    .clear = a.clear == b.clear ? a.clear : -1};
}

static bool needs_any_few(const struct condition_needs *needs)
{
    return needs->few_players != 0 || needs->few_next;
}

struct condition_needs condition_needs_of_both(struct condition_needs a, struct condition_needs b)
{
    bool left_out = (a.slot >= 0 && b.slot >= 0) || (a.some_players != 0 && b.some_players != 0) ||
                    (needs_any_few(&a) && needs_any_few(&b));
    a.whole = a.whole && b.whole && !left_out;
    a.absent |= b.absent;
    a.clear = a.clear < 0 ? b.clear : a.clear;
    a.occurrences = greater(a.occurrences, b.occurrences);
    if (!needs_any_few(&a)) {
        a.few_players = b.few_players;
        a.few_next = b.few_next;
        a.few_most = b.few_most;
    }
    if (a.some_players == 0) {
        a.some_players = b.some_players;
        a.some_cells = b.some_cells;
    }
    if (a.slot < 0) {
        a.slot = b.slot;
        a.slot_of_next = b.slot_of_next;
        a.counter_min = b.counter_min;
        a.counter_max = b.counter_max;
    }
    return a;
}

struct condition_needs condition_find_needs(const struct game *game,
                                            const struct condition_node *node)
{
    if (node == NULL)
        return (struct condition_needs){.slot = -1, .clear = -1, .whole = true};
    if ((node->kind != CONDITION_ALL && node->kind != CONDITION_ANY) || node->child_count == 0)
        return needs_of_leaf(game, node);
    struct condition_needs needs = condition_find_needs(game, node->children);
    for (int i = 1; i < node->child_count; i++) {
        struct condition_needs child = condition_find_needs(game, &node->children[i]);
        needs = node->kind == CONDITION_ALL ? condition_needs_of_both(needs, child)
                                            : needs_of_any(needs, child);
    }
    return needs;
}

int condition_least_occurrences(const struct condition_node *node)
{
    int least = INT_MAX;
    if (node == NULL)
        return least;
    if (node->kind == CONDITION_REPETITION)
        return node->min;
    for (int i = 0; i < node->child_count; i++) {
        int child = condition_least_occurrences(&node->children[i]);
        least = child < least ? child : least;
    }
    return least;
}

struct previous_kinds condition_previous_kinds(const struct game *game,
                                               const struct condition_node *node)
{
    const uint8_t everybody = game_everybody(game);
    bool any = node != NULL && (node->kind == CONDITION_ANY ||
                                (node->kind == CONDITION_ALL && node->child_count == 1));
    struct previous_kinds kinds = {.known = any};
    for (int i = 0; kinds.known && i < node->child_count; i++) {
        struct previous_kinds child = condition_previous_kinds(game, &node->children[i]);
        kinds.known = child.known;
        kinds.moved |= child.moved;
        kinds.taken |= child.taken;
    }
    if (node == NULL || node->kind != CONDITION_PREVIOUS || node->passed != TRI_ANY ||
        node->placed != TRI_ANY || node->combined != TRI_ANY || node->from_cells != CELL_SET_ALL ||
        node->to_cells != CELL_SET_ALL || !is_of_figures(&node->match) ||
        (node->match.players & everybody) != everybody)
        return kinds;
    kinds.moved = node->match.figures & game->all_figures;
    kinds.known = node->took == TRI_ANY;
    if (node->took != TRI_YES || kinds.moved != game->all_figures)
        return kinds;
    return (struct previous_kinds){.known = true, .taken = node->taken_figures & game->all_figures};
}
