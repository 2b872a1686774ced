#include "engine/machine.h"

#include "engine/rule.h"
#include "engine/work.h"

#include <assert.h>

/* One word of the cells whose contents are in a class. */
static uint64_t class_word(const struct position *position, const struct contents_class *class,
                           int word)
{
    const uint64_t *words = position->words + word;
    uint64_t cells = 0;
    work_spend(1U + class->term_count);
    for (int i = 0; i < class->term_count; i++)
        cells |= words[class->terms[i].first] & words[class->terms[i].second];
    return class->complement ? ~cells & game_cell_set(position->game, CELL_SET_ALL)[word] : cells;
}

/* Whether some cell of one word of a class matches; only cells with history need a look of their
 * own. */
static bool word_matches(const struct position *position, const struct win_test *test,
                         uint64_t cells, int word)
{
    if (test->any_cell)
        return cells != 0;
    for (; cells != 0; cells &= cells - 1) {
        cell_index cell = (cell_index)((unsigned)word * WORD_BITS + word_lowest(cells));
        if (rule_condition_holds(position, &test->condition, cell, cell))
            return true;
    }
    return false;
}

static bool win_test_holds(const struct position *position, const struct win_test *test)
{
    for (int i = 0; i < position->game->words; i++)
        if (word_matches(position, test, class_word(position, &test->contents, i), i))
            return test->expected;
    return !test->expected;
}

bool machine_player_wins(const struct position *position, player_index player)
{
    const struct game *game = position->game;
    for (int i = 0; i < game->win_counts[player]; i++)
        if (win_test_holds(position, &game->wins[player][i]))
            return true;
    return false;
}

void machine_advance(struct position *position)
{
    const struct machine_state *states = position->game->states;
    bool result = false;
    position->winner = PLAYER_NONE;
    for (int steps = 0;; steps++) {
        assert(steps <= position->game->state_count);
        work_spend(1);
        position->state = states[position->state].next[result];
        result = false;
        const struct machine_state *state = &states[position->state];
        switch (state->kind) {
        case MACHINE_MOVE:
        case MACHINE_END:
            return;
        case MACHINE_CHECK_WIN:
            result = machine_player_wins(position, state->player);
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
    }
}
