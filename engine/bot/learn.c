/* What random games teach. A game is played by chance; if somebody has won it, it is gone through again, and at each of its positions
 * the weights of what is there are moved a little towards who won (stochastic gradient descent of logistic regression). Draws teach
 * nothing: random players do not know how to win with what they have.
 *
 * All positions of a game have the same winner, so after a game the weights lean towards who has won it. What is kept is their mean over all
 * games (Polyak and Ruppert's averaging), in which that comes to nothing. */
#include "engine/bot/weights.h"
#include "engine/memory/memory.h"
#include "engine/random_move.h"
#include "engine/state.h"
#include "engine/work.h"

#include <math.h>
#include <stdlib.h>

enum { LEARN_PLIES_MAX = 400, LEARN_GAMES_MAX = 2000 };

struct learning {
    struct weights *weights;
    struct position *position;
    struct move *moves; /* room for all legal ones */
    struct move played[LEARN_PLIES_MAX];
    double *
        learned; /* as weights.cells, beside what was counted; counters are in the weights themselves */
    double *sum,
        counters_sum[COUNTER_SLOTS_MAX]; /* of what was learned after each of so many games */
    int game_count;
    uint64_t seed;
};

/* How much the player has: of what was counted, and of what was learned. */
static void sum_up(const struct learning *learning, player_index player, double *counted,
                   double *learned)
{
    const struct game *game = learning->weights->game;
    const struct position *position = learning->position;
    *counted = *learned = 0;
    for (int cell = 0; cell < game->cell_count; cell++) {
        unsigned code = position->cells[cell].code;
        if (code == 0 || game->code_players[code] != player)
            continue;
        size_t at = (size_t)code * (size_t)game->cell_count + (size_t)cell;
        *counted += learning->weights->cells[at];
        *learned += learning->learned[at];
    }
    for (int figure = 0; figure < game->figure_count && game->has_hands; figure++)
        *counted += learning->weights->hands[game_code(game, (figure_index)figure, player)] *
                    position_held(position, player, (figure_index)figure);
    for (int i = 0; i < game->counter_count; i++) {
        int slot = game->counters[i].first_slot + player;
        if (game->counters[i].per_player)
            *learned += learning->weights->counters[slot] * position->turn.counters[slot];
    }
}

static void move_weights(struct learning *learning, player_index player, double step)
{
    const struct game *game = learning->weights->game;
    const struct position *position = learning->position;
    for (int cell = 0; cell < game->cell_count; cell++) {
        unsigned code = position->cells[cell].code;
        if (code != 0 && game->code_players[code] == player)
            learning->learned[(size_t)code * (size_t)game->cell_count + (size_t)cell] += step;
    }
    for (int i = 0; i < game->counter_count; i++) {
        int slot = game->counters[i].first_slot + player;
        if (game->counters[i].per_player)
            learning->weights->counters[slot] += step * position->turn.counters[slot];
    }
}

/* One position: who has won is to be foreseen of what everybody has. */
static void learn_position(struct learning *learning, player_index winner)
{
    const double rate = 0.02, material_rate = 0.002;
    double counted[PLAYERS_MAX], learned[PLAYERS_MAX], counted_sum = 0, learned_sum = 0;
    int player_count = learning->weights->game->player_count;
    for (int i = 0; i < player_count; i++) {
        sum_up(learning, (player_index)i, &counted[i], &learned[i]);
        counted_sum += counted[i];
        learned_sum += learned[i];
    }
    for (int i = 0; i < player_count; i++) {
        int others = player_count - 1;
        double more = counted[i] - (counted_sum - counted[i]) / others;
        double value =
            learning->weights->material * more + learned[i] - (learned_sum - learned[i]) / others;
        double miss = (i == winner) - 1 / (1 + exp(-value));
        learning->weights->material += material_rate * miss * more / player_count;
        move_weights(learning, (player_index)i, rate * miss);
    }
}

/* The number of moves of a game that somebody has won; 0: nobody has, or it was too long. */
static int play_by_chance(struct learning *learning, player_index *winner)
{
    struct position *position = learning->position;
    position_reset(position);
    for (int ply = 0; ply < LEARN_PLIES_MAX; ply++) {
        if (!random_move(position, &learning->seed, learning->moves, &learning->played[ply])) {
            struct outcome outcome = position_outcome(position);
            *winner = outcome.rank_count > 0 ? outcome.ranks[0] : outcome.winner;
            return *winner != PLAYER_NONE && !work_is_too_much() ? ply : 0;
        }
        position_make(position, learning->played[ply], NULL);
    }
    return 0;
}

static void note_game(struct learning *learning)
{
    const struct game *game = learning->weights->game;
    size_t count = (size_t)game->code_count * (size_t)game->cell_count;
    learning->game_count++;
    for (size_t i = 0; i < count; i++)
        learning->sum[i] += learning->learned[i];
    for (int i = 0; i < game->counter_slot_count; i++)
        learning->counters_sum[i] += learning->weights->counters[i];
}

static void learn_game(struct learning *learning)
{
    player_index winner = PLAYER_NONE;
    int plies = play_by_chance(learning, &winner);
    position_reset(learning->position);
    for (int ply = 0; ply < plies && !work_is_too_much(); ply++) {
        position_make(learning->position, learning->played[ply], NULL);
        learn_position(learning, winner);
        work_spend((uint64_t)learning->weights->game->cell_count * 8);
    }
    if (plies > 0)
        note_game(learning);
}

/* Random players show whether more figures are better, not by how much. That fewer are better counts only where it is clear: antichess
 * comes to -0.7; ataxx (-0.05) and minishogi (-0.2), where more are better all the same, do not. */
static void take_mean(const struct learning *learning)
{
    const double doubt = -0.4;
    struct weights *weights = learning->weights;
    const struct game *game = weights->game;
    size_t count = (size_t)game->code_count * (size_t)game->cell_count;
    double sign = weights->material < doubt ? -1 : 1;
    double games = learning->game_count > 0 ? learning->game_count : 1;
    weights->material = sign;
    for (size_t i = 0; i < count; i++)
        weights->cells[i] = sign * weights->cells[i] + learning->sum[i] / games;
    for (int i = 0; i < game->counter_slot_count; i++)
        weights->counters[i] = learning->counters_sum[i] / games;
}

void weights_learn(struct weights *weights)
{
    const struct game *game = weights->game;
    size_t count = (size_t)game->code_count * (size_t)game->cell_count;
    struct learning *learning = memory_zeroed(1, sizeof *learning);
    struct work_stretch stretch = work_begin(JUDGE_WORK);
    *learning = (struct learning){
        .weights = weights,
        .position = position_new(game),
        .moves = memory_bytes(((size_t)game->moves_max + 1) * sizeof(struct move)),
        .learned = memory_zeroed(count, sizeof(double)),
        .sum = memory_zeroed(count, sizeof(double))};
    weights->material = 0;
    for (int i = 0; i < LEARN_GAMES_MAX && game->player_count > 1 && !work_is_too_much(); i++)
        learn_game(learning);
    work_end(&stretch);
    take_mean(learning);
    free(learning->sum);
    free(learning->learned);
    free(learning->moves);
    position_free(learning->position);
    free(learning);
}
