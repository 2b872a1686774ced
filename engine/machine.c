#include "engine/machine.h"

#include "engine/rule.h"

#include <assert.h>

/* One word of the cells whose contents are in a class. */
static uint64_t class_word(const struct position *position, const struct contents_class *class,
                           int word)
{
    const struct class_term *terms = position->game->terms + class->first_term;
    uint64_t cells = 0;
    for (int i = 0; i < class->term_count; i++) {
        uint64_t term = UINT64_MAX;
        if (terms[i].kind != TERM_FIGURE)
            term &= position_player_words(position, terms[i].player)[word];
        if (terms[i].kind != TERM_PLAYER)
            term &= position_figure_words(position, terms[i].figure)[word];
        cells |= term;
    }
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
    const struct contents_class *class = &position->game->classes[test->contents_class];
    for (int i = 0; i < position->game->words; i++)
        if (word_matches(position, test, class_word(position, class, i), i))
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
