/* What must be so for a condition to hold, of what is quick to ask: looked at before the condition is. */
#include "engine/load/compile.h"

#include <limits.h>

/* The kinds that must be gone, if the node counts figures of some kinds on the whole board, and none may be there. */
static uint64_t kinds_counted_out(const struct game *game, const struct condition_node *node)
{
    bool negated = node->kind == CONDITION_NOT;
    const struct condition_node *count = negated ? node->children : node;
    unsigned everybody = (1U << game->player_count) - 1;
    const struct cell_test *match = &count->match;
    bool none = negated ? count->min == 1 && count->max == INT32_MAX : count->max == 0;
    if (count->kind != CONDITION_COUNT || !none || !match->simple || match->empty ||
        match->cells != CELL_SET_ALL || (match->players & everybody) != everybody)
        return 0;
    return match->figures & game->all_figures;
}

static struct condition_needs needs_of_leaf(const struct game *game,
                                            const struct condition_node *node)
{
    struct condition_needs needs = {.slot = -1, .absent = kinds_counted_out(game, node)};
    if (node->kind == CONDITION_REPETITION)
        needs.occurrences = node->min;
    if (node->kind == CONDITION_COUNTER) {
        needs.slot = node->slot;
        needs.counter_min = node->min;
    }
    return needs;
}

/* What both need. */
static struct condition_needs needs_of_both(struct condition_needs a, struct condition_needs b)
{
    bool counter = a.slot == b.slot;
    return (struct condition_needs){
        .absent = a.absent & b.absent,
        .occurrences = a.occurrences < b.occurrences ? a.occurrences : b.occurrences,
        .slot = counter ? a.slot : -1,
        .counter_min = a.counter_min < b.counter_min ? a.counter_min : b.counter_min};
}

/* What either needs. */
static struct condition_needs needs_of_all(struct condition_needs a, struct condition_needs b)
{
    bool first = a.slot >= 0;
    return (struct condition_needs){.absent = a.absent | b.absent,
                                    .occurrences = a.occurrences > b.occurrences ? a.occurrences
                                                                                 : b.occurrences,
                                    .slot = first ? a.slot : b.slot,
                                    .counter_min = first ? a.counter_min : b.counter_min};
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
        needs =
            node->kind == CONDITION_ALL ? needs_of_all(needs, child) : needs_of_both(needs, child);
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
