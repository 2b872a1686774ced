#include "engine/rules/machine.h"

#include "engine/rules/condition.h"
#include "engine/work_shares.h"

#include <assert.h>

void machine_enter(struct position *position, state_index index)
{
    position->turn.winner = PLAYER_NONE;
    for (int steps = 0;; steps++) {
        const struct machine_state *state = &position->game->states[index];
        bool result = false;
        assert(steps <= position->game->state_count);
        work_spend(1);
        position->turn.state = index;
        switch (state->kind) {
        case MACHINE_MOVE:
        case MACHINE_END:
            return;
        case MACHINE_CHECK_WIN:
            result = position->game->wins[state->player] != NULL &&
                     condition_holds(position, position->game->wins[state->player], state->player,
                                     CELL_NONE, CELL_NONE);
            if (result)
                position->turn.winner = state->player;
            break;
        case MACHINE_NEXT_MOVE:
            if (position->turn.move_number < MOVE_NUMBER_MAX)
                position->turn.move_number++;
            break;
        case MACHINE_PASS:
            break;
        }
        index = state->next[result];
    }
}

/* Whose turn it is has left the game. */
static bool is_out(const struct position *position)
{
    player_index player = position_state_player(position);
    return player != PLAYER_NONE && (position->turn.finished >> player & 1) != 0;
}

/* What the turn asks of the position and of the last move, with its player as the mover. */
static bool turn_is_wanted(const struct position *position)
{
    const struct machine_state *state = position_stage(position);
    if (state->kind != MACHINE_MOVE || state->condition == NULL)
        return true;
    uint64_t before = work_spent();
    bool holds = condition_holds_after(position, state->condition, state->player);
    work_was_for(state->condition->pointer, before);
    return holds;
}

void machine_advance(struct position *position)
{
    player_index winner = PLAYER_NONE;
    state_index first = 0; /* that waits for somebody who plays */
    uint32_t number = 0;
    bool found = false, some = false;
    for (int i = 0; i <= position->game->state_count && !found; i++) {
        machine_enter(position, position_stage(position)->next[0]);
        if (position->turn.winner != PLAYER_NONE)
            winner = position->turn.winner;
        if (is_out(position))
            continue;
        if (some && position->turn.state == first)
            break; /* the round is over: nobody is asked twice */
        if (!some) {
            first = position->turn.state;
            number = position->turn.move_number;
        }
        some = true;
        found = turn_is_wanted(position);
    }
    if (!found && some) {
        position->turn.state = first;
        position->turn.move_number = number;
    }
    position->turn.winner = winner;
}

/* --- the end ---------------------------------------------------------------------------------- */

struct outcome machine_won_by(player_index winner, const char *reason)
{
    enum outcome_kind kind = winner == PLAYER_NONE ? OUTCOME_DRAWN : OUTCOME_WON;
    return (struct outcome){.kind = kind, .winner = winner, .reason = reason};
}

struct outcome machine_outcome(const struct position *position)
{
    const struct game *game = position->game;
    const struct machine_state *state = position_stage(position);
    if (state->kind == MACHINE_END)
        return machine_won_by(state->declared ? state->winner : position->turn.winner,
                              state->reason);
    if (position->turn.ply >= game->max_plies)
        return machine_won_by(PLAYER_NONE, game->bound_reason);
    return outcome_playing;
}

static player_index other_player(const struct position *position, player_index player)
{
    player_index other = PLAYER_NONE;
    for (int i = 0; i < position->game->player_count; i++) {
        if (i == player || (position->turn.finished >> i & 1) != 0)
            continue;
        if (other != PLAYER_NONE)
            return PLAYER_NONE;
        other = (player_index)i;
    }
    return other;
}

struct outcome machine_lost_by(const struct position *position, player_index loser,
                               const char *reason)
{
    struct outcome outcome = machine_won_by(other_player(position, loser), reason);
    if (outcome.kind == OUTCOME_DRAWN && !position->game->unrevised)
        outcome.kind = OUTCOME_LOST;
    outcome.loser = loser;
    return outcome;
}

struct outcome machine_stuck(const struct position *position)
{
    const struct game *game = position->game;
    player_index player = position_stage(position)->player;
    const char *reason = game->no_move_reasons[player];
    if (game->no_moves == NO_MOVES_WIN)
        return machine_won_by(player, reason);
    return game->no_moves == NO_MOVES_DRAW ? machine_won_by(PLAYER_NONE, reason)
                                           : machine_lost_by(position, player, reason);
}
