#include "engine/threats.h"

#include "engine/rules/condition.h"
#include "engine/state.h"

static void add_cell(struct threats *threats, cell_index cell)
{
    for (int i = 0; i < threats->count; i++)
        if (threats->cells[i] == cell)
            return;
    if (threats->count < THREATS_MAX)
        threats->cells[threats->count++] = cell;
}

static void add_attacked(struct threats *threats, const struct position *position,
                         const struct condition_node *node)
{
    cell_index victim = condition_next_victim(position, node, 0, NULL);
    for (; victim != CELL_NONE; victim = condition_next_victim(position, node, victim + 1, NULL))
        add_cell(threats, victim);
}

/* Any part of the condition: what is asked with it does not make it less of a check. */
static void look_at_condition(struct threats *threats, const struct position *position,
                              const struct condition_node *node)
{
    if (node->kind == CONDITION_ATTACKED)
        add_attacked(threats, position, node);
    else if (node->kind == CONDITION_ALL || node->kind == CONDITION_ANY)
        for (int i = 0; i < node->child_count; i++)
            look_at_condition(threats, position, &node->children[i]);
}

void threats_find(const struct position *position, struct threats *threats)
{
    const struct game *game = position->game;
    struct work_stretch stretch = work_begin(THREATS_WORK_MAX);
    threats->count = 0;
    for (int player = 0; player < game->player_count; player++)
        for (int i = 0; i < game->forbid_count; i++)
            look_at_condition(threats, position, game->forbid[player][i].condition);
    if (!work_end(&stretch))
        threats->count = 0;
}
