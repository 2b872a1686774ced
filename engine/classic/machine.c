#include "engine/classic/machine.h"

#include "engine/classic/rule.h"
#include "engine/work.h"

#include <assert.h>

static bool win_condition_holds(const struct position *position, const struct win_condition *win)
{
    for (int i = 0; i < position->game->cell_count; i++)
        if (rule_condition_holds(position, &win->filter, (cell_index)i, (cell_index)i))
            return win->expected;
    return !win->expected;
}

static bool player_wins(const struct position *position, player_index player)
{
    const struct win_list *wins = &position->game->wins[player];
    for (int i = 0; i < wins->count; i++)
        if (win_condition_holds(position, &wins->conditions[i]))
            return true;
    return false;
}

void machine_enter(struct position *position, state_index index)
{
    position->winner = PLAYER_NONE;
    for (int steps = 0;; steps++) {
        const struct machine_state *state = &position->game->states[index];
        bool result = false;
        assert(steps <= position->game->state_count);
        work_spend(1);
        position->state = index;
        switch (state->kind) {
        case MACHINE_MOVE:
        case MACHINE_END:
            return;
        case MACHINE_CHECK_WIN:
            result = player_wins(position, state->player);
            if (result)
                position->winner = state->player;
            break;
        case MACHINE_NEXT_MOVE:
            if (position->move_number < MOVE_NUMBER_MAX)
                position->move_number++;
            break;
        case MACHINE_PASS:
            break;
        }
        index = state->next[result];
    }
}

void machine_advance(struct position *position)
{
    machine_enter(position, position->game->states[position->state].next[0]);
}
