/* The state machine: game states, who an end names as the winner, where the game begins. */
#include "engine/load/compile.h"
#include "engine/rules/machine.h"

#include <stdio.h>
#include <string.h>

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

/* Who may be named by the time each state is entered, as a set of players and, last, nobody. */
struct winners {
    uint16_t entering[STATES_MAX];
};
enum { NOBODY = 1 << PLAYERS_MAX };

/* Carries the sets along the passive states until nothing changes; there is no cycle, so that ends.
 */
static void spread_winners(const struct game *game, struct winners *winners)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = 0; i < game->state_count; i++) {
            const struct machine_state *state = &game->states[i];
            if (state->kind == MACHINE_END)
                continue;
            for (int result = 0; result < 2; result++) {
                unsigned leaving = winners->entering[i];
                if (state->kind == MACHINE_MOVE)
                    leaving = NOBODY;
                else if (state->kind == MACHINE_CHECK_WIN && result == 1 && leaving != 0)
                    leaving = 1U << state->player;
                uint16_t *next = &winners->entering[state->next[result]];
                changed |= (leaving & ~(unsigned)*next) != 0;
                *next = (uint16_t)(*next | leaving);
            }
        }
    }
}

/* The only winner an end can have, for positions that are set up by hand and have no way there. */
static player_index only_winner(unsigned entering)
{
    for (int player = 0; player < PLAYERS_MAX; player++)
        if (entering == 1U << player)
            return (player_index)player;
    return PLAYER_NONE;
}

static void settle_states(struct compiler *compiler)
{
    struct game *game = compiler->game;
    const struct definition *definition = compiler->definition;
    size_t count = (size_t)definition->state_count;
    game->state_count = definition->state_count;
    game->states = game_allocate(game, count, sizeof *game->states);
    memcpy(game->states, definition->states, count * sizeof *game->states);
    for (int i = 0; i < game->state_count; i++) {
        struct machine_state *state = &game->states[i];
        bool ends = state->kind == MACHINE_END;
        state->declared = state->drawn || state->winner != PLAYER_NONE;
        state->reason = ends ? state_reason(game, state) : "";
        if (!ends || state->drawn)
            state->winner = PLAYER_NONE;
        game->checks_wins |= game->format == 2 && state->kind == MACHINE_CHECK_WIN;
    }
    struct winners winners = {{0}};
    spread_winners(game, &winners);
    for (int i = 0; i < game->state_count; i++)
        if (game->states[i].kind == MACHINE_END && !game->states[i].declared)
            game->states[i].winner = only_winner(winners.entering[i]);
}

static void set_start_and_bounds(struct game *game, const struct definition *definition)
{
    char reason[64];
    game->initial_state = definition->initial_state;
    game->initial_move_number = 1;
    game->no_moves_drawn = definition->no_moves == NO_MOVES_DRAW;
    game->no_moves_wins = definition->no_moves == NO_MOVES_WIN;
    game->max_plies = definition->max_plies;
    snprintf(reason, sizeof reason, "no winner after %u moves", (unsigned)definition->max_plies);
    game->bound_reason = game_copy_text(game, reason);
}

void compile_states(struct compiler *compiler)
{
    settle_states(compiler);
    set_start_and_bounds(compiler->game, compiler->definition);
    for (int player = 0; player < compiler->game->player_count; player++)
        compiler->game->wins[player] =
            compile_test(compiler, compiler->definition->wins[player], (player_index)player);
}

void compile_start(struct compiler *compiler)
{
    struct game *game = compiler->game;
    struct position *start = position_lay(game, compile_allocate(game, 1, position_bytes(game)));
    start->move_number = game->initial_move_number;
    machine_enter(start, game->initial_state);
    game->initial_state = start->state;
    game->initial_move_number = start->move_number;
    if (game->states[start->state].kind != MACHINE_MOVE)
        compile_refuse(game, "/initial_game_state", "", "the game ends before the first move");
}
