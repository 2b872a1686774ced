/* What must be so for a condition to hold, of what is quick to ask: looked at before the condition is. */
#include "engine/load/compile.h"

#include <limits.h>

/* Whether a match says no more than whose figures it means, of what kinds and where. */
static bool is_of_figures(const struct cell_test *match)
{
    return !match->empty && !match->hole && !match->negated && !cell_test_asks_history(match) &&
           match->also_count == 0;
}

/* Some figures must be gone, if the node counts them on the whole board, and none may be there. */
static void need_none(const struct game *game, const struct condition_node *node,
                      struct condition_needs *needs)
{
    bool negated = node->kind == CONDITION_NOT;
    const struct condition_node *count = negated ? node->children : node;
    const uint8_t everybody = game_everybody(game);
    const struct cell_test *match = &count->match;
    bool none = negated ? count->min == 1 && count->max == INT32_MAX : count->max == 0;
    if (count->kind != CONDITION_COUNT || !none || !is_of_figures(match) ||
        match->cells != CELL_SET_ALL)
        return;
    uint64_t kinds = match->figures & game->all_figures;
    if ((match->players & everybody) == everybody) {
        needs->absent = kinds;
    } else if (kinds == game->all_figures) {
        needs->without = match->players & everybody;
        needs->without_next = match->next_player;
    }
}

static struct condition_needs needs_of_leaf(const struct game *game,
                                            const struct condition_node *node)
{
    struct condition_needs needs = {.slot = -1};
    need_none(game, node, &needs);
    bool counts = node->kind == CONDITION_COUNT && node->min > 0;
    bool connects =
        node->kind == CONDITION_CONNECTED && node->zone_count > 0 && node->min == node->zone_count;
    if ((counts || connects) && is_of_figures(&node->match) && !node->match.next_player) {
        needs.some_players = node->match.players & game_everybody(game);
        needs.some_cells = counts ? node->match.cells : node->zone_cells[0];
    }
    if (node->kind == CONDITION_REPETITION)
        needs.occurrences = node->min;
    if (node->kind == CONDITION_COUNTER) {
        needs.slot = node->slot;
        needs.counter_min = node->min;
    }
    return needs;
}

static int lesser(int a, int b)
{
    return a < b ? a : b;
}

/* What each of them needs. */
static struct condition_needs needs_of_any(struct condition_needs a, struct condition_needs b)
{
    return (struct condition_needs){.absent = a.absent & b.absent,
                                    .without = a.without & b.without,
                                    .without_next = a.without_next && b.without_next,
                                    .occurrences = lesser(a.occurrences, b.occurrences),
                                    .slot = a.slot == b.slot ? a.slot : -1,
                                    .counter_min = lesser(a.counter_min, b.counter_min)};
}

struct condition_needs condition_needs_of_both(struct condition_needs a, struct condition_needs b)
{
    a.absent |= b.absent;
    a.without |= b.without;
    a.without_next |= b.without_next;
    if (b.occurrences > a.occurrences)
        a.occurrences = b.occurrences;
    if (a.some_players == 0) {
        a.some_players = b.some_players;
        a.some_cells = b.some_cells;
    }
    if (a.slot < 0) {
        a.slot = b.slot;
        a.counter_min = b.counter_min;
    }
    return a;
}

struct condition_needs condition_find_needs(const struct game *game,
                                            const struct condition_node *node)
{
    if (node == NULL)
        return (struct condition_needs){.slot = -1};
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
