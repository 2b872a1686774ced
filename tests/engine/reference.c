#include "tests/engine/reference.h"

#include "engine/bits.h"

#include <stdlib.h>

/* A model and a position of it. */
struct table {
    const struct definition *definition;
    const struct position *position;
};

static struct contents at(const struct table *table, cell_index cell)
{
    return position_contents(table->position, cell);
}

static const int *coordinates(const struct table *table, cell_index cell)
{
    return table->definition->cells[cell].coordinates;
}

static cell_index cell_at(const struct table *table, const int *wanted)
{
    for (int i = 0; i < table->definition->cell_count; i++) {
        bool equal = true;
        for (int k = 0; k < table->definition->dimension_count; k++)
            equal &= coordinates(table, (cell_index)i)[k] == wanted[k];
        if (equal)
            return (cell_index)i;
    }
    return CELL_NONE;
}

static bool has(uint64_t bits, unsigned index)
{
    return index < 64 && (bits >> index & 1) != 0;
}

/* What a file of format 0 or 1 can say of a cell; of a number: none but that of a figure. */
static bool is_like(const struct table *table, const struct cell_test *test, cell_index cell)
{
    if (cell == CELL_NONE)
        return test->hole;
    struct contents there = at(table, cell);
    bool empty = there.figure == FIGURE_NONE;
    if (test->zone >= 0 && !bits_test(table->definition->zones[test->zone].cells[0], cell))
        return false;
    if (empty)
        return test->empty;
    return has(test->figures, there.figure) && has(test->players, there.player) &&
           (test->moves_made == NUMBER_ANY || test->moves_made == there.moves_made) &&
           (test->last_move == NUMBER_ANY || test->last_move == there.last_move);
}

static bool is_enemy(const struct table *table, cell_index self, cell_index target)
{
    if (target == CELL_NONE || at(table, target).figure == FIGURE_NONE)
        return false;
    return at(table, target).player != at(table, self).player;
}

static bool holds(const struct table *table, const struct condition_node *node, cell_index self,
                  cell_index target)
{
    int64_t move_number = position_move_number(table->position), number = 0;
    for (int i = 0; node != NULL && i < node->child_count; i++)
        number += holds(table, &node->children[i], self, target);
    switch (node == NULL ? CONDITION_ALL : (enum condition_kind)node->kind) {
    case CONDITION_ALL:
        return node == NULL || number == node->child_count;
    case CONDITION_ANY:
        return number > 0;
    case CONDITION_CELL:
        return is_like(table, &node->match, node->from_target ? target : self) !=
               node->match.negated;
    case CONDITION_ENEMY:
        return is_enemy(table, self, target) == (node->min == 1);
    case CONDITION_MOVES_AFTER_LAST_MOVE:
        return move_number - at(table, self).last_move == node->min;
    case CONDITION_CURRENT_MOVE:
        return move_number == node->min;
    default:
        abort();
    }
}

/* Adds how many sets match to `matched`; false if one of them cancels. */
static bool sets_allow(const struct table *table, const struct action_set *sets, int count,
                       cell_index self, cell_index target, int *matched)
{
    bool allowed = true;
    for (int i = 0; i < count; i++) {
        if (!holds(table, sets[i].condition, self, target))
            continue;
        ++*matched;
        for (int k = 0; k < sets[i].action_count; k++)
            allowed &= sets[i].actions[k].kind != RULE_CANCEL;
    }
    return allowed;
}

/* The coefficient by which `delta` leads from `from` to `to`; 0 when it does not. */
static int coefficient(const struct table *table, const int *delta, cell_index from, cell_index to)
{
    int found = 0;
    for (int i = 0; i < table->definition->dimension_count; i++) {
        int distance = coordinates(table, to)[i] - coordinates(table, from)[i];
        if (delta[i] == 0) {
            if (distance != 0)
                return 0;
            continue;
        }
        if (distance == 0 || distance % delta[i] != 0)
            return 0;
        if (found != 0 && found != distance / delta[i])
            return 0;
        found = distance / delta[i];
    }
    return found;
}

static bool evaluate(const struct table *table, const int *delta,
                     const struct cell_actions *actions, cell_index from, cell_index to, int steps)
{
    int matched = 0;
    if (!sets_allow(table, actions->destination, actions->destination_count, from, to, &matched))
        return false;
    for (int step = 1; step < steps; step++) {
        int there[DIMENSIONS_MAX];
        for (int i = 0; i < table->definition->dimension_count; i++)
            there[i] = coordinates(table, from)[i] + step * delta[i];
        if (!sets_allow(table, actions->transition, actions->transition_count, from,
                        cell_at(table, there), &matched))
            return false;
    }
    return matched > 0;
}

static bool simple_legal(const struct table *table, cell_index from, cell_index to)
{
    struct contents own = at(table, from);
    const struct movement_list *list = &table->definition->figures[own.figure].movement[own.player];
    for (int i = 0; i < list->count; i++) {
        const struct movement *movement = &list->movements[i];
        int steps = coefficient(table, movement->delta.of, from, to);
        if (steps <= 0 || (steps > 1 && movement->max_steps == 1))
            continue;
        if (holds(table, movement->condition, from, to))
            return evaluate(table, movement->delta.of, &movement->actions, from, to, steps);
    }
    return false;
}

static cell_index beside(const struct table *table, cell_index cell, const int *plus,
                         const int *minus)
{
    int there[DIMENSIONS_MAX];
    for (int i = 0; i < table->definition->dimension_count; i++)
        there[i] = coordinates(table, cell)[i] + (plus ? plus[i] : 0) - (minus ? minus[i] : 0);
    return cell_at(table, there);
}

static bool group_fits(const struct table *table, const struct combined_movement *movement,
                       const struct participant *clicked, cell_index from)
{
    for (int i = 0; i < movement->participant_count; i++) {
        const struct participant *participant = &movement->participants[i];
        cell_index source = beside(table, from, participant->at.of, clicked->at.of);
        if (source == CELL_NONE || at(table, source).figure != participant->figure)
            return false;
        cell_index destination = beside(table, source, participant->delta.of, NULL);
        if (!evaluate(table, participant->delta.of, &participant->actions, source, destination, 1))
            return false;
    }
    return true;
}

static bool combined_legal(const struct table *table, cell_index from, cell_index to)
{
    const struct definition *definition = table->definition;
    for (int i = 0; i < definition->combined_count; i++) {
        const struct combined_movement *movement = &definition->combined[i];
        for (int k = 0; k < movement->participant_count; k++) {
            const struct participant *clicked = &movement->participants[k];
            if (clicked->figure == at(table, from).figure &&
                coefficient(table, clicked->delta.of, from, to) == 1 &&
                group_fits(table, movement, clicked, from))
                return true;
        }
    }
    return false;
}

bool reference_legal(const struct definition *definition, const struct position *position,
                     cell_index from, cell_index to)
{
    struct table table = {.definition = definition, .position = position};
    struct contents own = at(&table, from);
    if (own.figure == FIGURE_NONE || own.player != position_to_move(position) || from == to)
        return false;
    return simple_legal(&table, from, to) || combined_legal(&table, from, to);
}
