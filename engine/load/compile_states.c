/* The state machine: game states, who an end names as the winner, where the game begins. */
#include "engine/load/compile.h"
#include "engine/rules/machine.h"

#include <stdio.h>

/* --- states ----------------------------------------------------------------------------------- */

/* What a player reads when an end gives no reason: the state's name in words. */
static const char *state_reason(struct game *game, const struct machine_state *state)
{
    if (state->reason != NULL && state->reason[0] != '\0')
        return state->reason;
    char words[NAME_BYTES_MAX + 1];
    snprintf(words, sizeof words, "%s", state->name);
    for (char *at = words; *at != '\0'; at++)
        if (*at == '_')
            *at = ' ';
    return game_copy_text(game, words);
}

enum { NOBODY = 1 << PLAYERS_MAX };

/* Carries whom a way has named to the end of it; `entering`: by state who has been on some way. */
static void follow_way(const struct game *game, state_index index, unsigned named,
                       uint16_t *entering)
{
    const struct machine_state *state = &game->states[index];
    bool new = (named & ~(unsigned)entering[index]) != 0;
    entering[index] = (uint16_t)(entering[index] | named);
    if (!new || state->kind == MACHINE_MOVE || state->kind == MACHINE_END)
        return;
    follow_way(game, state->next[0], named, entering);
    follow_way(game, state->next[1], state->kind == MACHINE_CHECK_WIN ? 1U << state->player : named,
               entering);
}

/* The only winner an end can have, for positions that are set up by hand and have no way there. */
static player_index only_winner(unsigned entering)
{
    bool one = entering != 0 && entering < NOBODY && (entering & (entering - 1)) == 0;
    return one ? (player_index)word_lowest(entering) : PLAYER_NONE;
}

static void settle_states(struct game *game)
{
    game->states = GAME_COPY(game, game->states, game->state_count);
    for (int i = 0; i < game->state_count; i++) {
        struct machine_state *state = &game->states[i];
        bool ends = state->kind == MACHINE_END;
        state->declared = state->drawn || state->winner != PLAYER_NONE;
        state->reason = ends ? state_reason(game, state) : "";
        if (!ends || state->drawn)
            state->winner = PLAYER_NONE;
        game->checks_wins |= game->format == 2 && state->kind == MACHINE_CHECK_WIN;
    }
    uint16_t entering[STATES_MAX] = {0};
    for (int i = 0; i < game->state_count; i++)
        if (game->states[i].kind == MACHINE_MOVE)
            follow_way(game, game->states[i].next[0], NOBODY, entering);
    for (int i = 0; i < game->state_count; i++)
        if (game->states[i].kind == MACHINE_END && !game->states[i].declared)
            game->states[i].winner = only_winner(entering[i]);
}

static void set_start_and_bounds(struct game *game)
{
    char reason[64];
    game->initial_move_number = 1;
    game->revised |= game->format != 2 && game->player_count > 2 && game->no_moves < NO_MOVES_DRAW;
    snprintf(reason, sizeof reason, "no winner after %u moves", (unsigned)game->max_plies);
    game->bound_reason = game_copy_text(game, reason);
}

void compile_states(struct compiler *compiler)
{
    struct game *game = compiler->game;
    settle_states(game);
    set_start_and_bounds(game);
    for (int player = 0; player < game->player_count; player++)
        game->wins[player] = compile_test(compiler, game->wins[player], (player_index)player);
}

void compile_start(struct game *game)
{
    struct position *start = position_lay(game, compile_allocate(game, 1, position_bytes(game)));
    start->turn.move_number = game->initial_move_number;
    machine_enter(start, game->initial_state);
    game->initial_state = start->turn.state;
    game->initial_move_number = start->turn.move_number;
    if (game->states[start->turn.state].kind != MACHINE_MOVE)
        compile_refuse(game, "/initial_game_state", "", "the game ends before the first move");
}
