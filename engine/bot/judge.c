#include "engine/bot/judge.h"

#include "engine/bot/hunt.h"
#include "engine/bot/weights.h"
#include "engine/candidates.h"
#include "engine/memory/memory.h"

#include <math.h>
#include <stdlib.h>

struct judge {
    struct game *game;
    int32_t *cells; /* by code * cell_count + cell */
    int32_t hands[CODES_MAX];
    int32_t counters[COUNTER_SLOTS_MAX];
    int32_t mobility;
    struct hunt *hunt; /* or NULL */
    bool is_short, plays_out;
};

/* --- material: how far a figure could go ------------------------------------------------------ */

/* How likely the cells on a path of so many steps are empty, and how much a movement that only takes or only goes is worth. */
static double share_of(const struct movement *movement, int steps)
{
    double share = pow(0.7, steps - 1);
    switch (movement->purpose) {
    case FOR_MOVE:
        return 0.4 * share;
    case FOR_TAKE:
        return 0.6 * share;
    case FOR_BOTH:
    case FOR_ACTIONS:
        return share;
    case FOR_SWAP:
    case FOR_PUT:
        return 0.1 * share;
    }
    return share;
}

/* Of several movements to one cell the best counts. */
static double reach_from(const struct game *game, int piece, int from)
{
    const uint32_t *row =
        game->candidate_starts + (size_t)piece * ((size_t)game->cell_count + 1) + from;
    double reach = 0, best = 0;
    for (uint32_t i = row[0]; i < row[1]; i++) {
        const struct candidate *candidate = &game->candidates[i];
        double share = share_of(&game->movements[candidate->rule], candidate->steps);
        best = share > best ? share : best;
        if (i + 1 == row[1] || game->candidates[i + 1].to != candidate->to) {
            reach += best;
            best = 0;
        }
    }
    return reach;
}

static double reach_of(const struct game *game, int piece)
{
    double reach = 0;
    for (int from = 0; from < game->cell_count; from++)
        reach += reach_from(game, piece, from);
    return reach / game->cell_count;
}

/* All that stands on the board and is in hand at the start has together so many logits for each player: what a figure is worth depends
 * on how many there are. */
enum { ARMY_LOGITS = 12 };

static void weigh_material(struct weights *weights, double *worth)
{
    const struct game *game = weights->game;
    double reach[CODES_MAX], army = 0, least = 0.5;
    for (int code = 1; code < game->code_count; code++)
        reach[code] = fmax(reach_of(game, code - 1), least);
    for (int cell = 0; cell < game->cell_count; cell++)
        if (game->start[cell] != 0)
            army += reach[game->start[cell]] / game->player_count;
    for (int code = 1; code < game->code_count && game->has_hands; code++)
        army += reach[code] / game->player_count *
                game->hands[game->code_players[code]][game->code_figures[code]];
    for (int code = 1; code < game->code_count && army > 0; code++) {
        worth[code] = ARMY_LOGITS * reach[code] / army;
        weights->hands[code] = worth[code];
        for (int cell = 0; cell < game->cell_count; cell++)
            weights->cells[code * game->cell_count + cell] = worth[code];
    }
}

/* --- distance to zones by which players win --------------------------------------------------- */

struct goal {
    player_index player;
    uint64_t figures;
    uint64_t cells[WORDS_MAX];
};

/* Cells that the condition wants figures of the player on. */
static void find_goal(const struct game *game, const struct condition_node *node, struct goal *goal)
{
    if (node->kind == CONDITION_NOT)
        return;
    for (int i = 0; i < node->child_count; i++)
        find_goal(game, &node->children[i], goal);
    if ((node->kind != CONDITION_COUNT && node->kind != CONDITION_CELL) || node->match.zone < 0 ||
        (node->match.players >> goal->player & 1) == 0 || node->match.negated || node->max == 0)
        return;
    for (int i = 0; i < game->words; i++)
        goal->cells[i] |= game_cell_set(game, node->match.cells)[i];
    goal->figures |= node->match.figures;
}

static void find_goals(const struct game *game, player_index player, struct goal *goal)
{
    *goal = (struct goal){.player = player};
    if (game->wins[player] != NULL)
        find_goal(game, game->wins[player], goal);
    for (int i = 0; i < game->result_count; i++) {
        const struct result_rule *result = &game->results[player][i];
        bool wins = (result->gives == GIVES_WINNER || result->gives == GIVES_FINISH) &&
                    result->player == player && result_comes(result);
        if (wins)
            find_goal(game, result->condition, goal);
    }
}

/* Writes how many moves on an empty board lead the piece to the goal, going back from there round by round; cells from which it never
 * comes there keep `far`. */
static void find_distances(const struct game *game, int piece, const uint64_t *goal, int far,
                           int *distance)
{
    const uint32_t *rows = game->candidate_starts + (size_t)piece * ((size_t)game->cell_count + 1);
    bool found = true;
    for (int cell = 0; cell < game->cell_count; cell++)
        distance[cell] = bits_test(goal, (cell_index)cell) ? 0 : far;
    for (int round = 1; found && round < far; round++) {
        found = false;
        for (int cell = 0; cell < game->cell_count; cell++)
            for (uint32_t i = rows[cell]; distance[cell] == far && i < rows[cell + 1]; i++)
                if (distance[game->candidates[i].to] == round - 1) {
                    distance[cell] = round;
                    found = true;
                }
    }
}

static void weigh_distances(struct weights *weights)
{
    const double step = 0.2, arrival = 3, fading = 0.6;
    const struct game *game = weights->game;
    int *distance = memory_bytes((size_t)game->cell_count * sizeof *distance);
    int far = 1;
    while (far * far < 4 * game->cell_count)
        far++;
    for (int code = 1; code < game->code_count; code++) {
        struct goal goal;
        find_goals(game, game->code_players[code], &goal);
        if ((goal.figures >> game->code_figures[code] & 1) == 0)
            continue;
        find_distances(game, code - 1, goal.cells, far, distance);
        for (int cell = 0; cell < game->cell_count; cell++)
            weights->cells[code * game->cell_count + cell] +=
                arrival * pow(fading, distance[cell]) - step * distance[cell];
    }
    free(distance);
}

/* --- what else there is to play for ------------------------------------------------------------ */

/* Of what never moves, an arrow or a wall, random games tell by chance only. */
static void forget_what_stands_still(struct weights *weights)
{
    const struct game *game = weights->game;
    size_t cells = (size_t)game->cell_count;
    for (int piece = 0; piece < game->piece_count; piece++) {
        const uint32_t *row = game->candidate_starts + (size_t)piece * (cells + 1);
        for (size_t cell = 0; cell < cells && row[0] == row[cells]; cell++)
            weights->cells[(size_t)(piece + 1) * cells + cell] = 0;
    }
}

/* Where nobody loses a figure the end comes when somebody has no move. */
static bool is_about_moves(const struct game *game)
{
    for (uint32_t i = 0; i < game->piece_rules[game->piece_count]; i++)
        if (game->movements[i].purpose != FOR_MOVE && game->movements[i].purpose != FOR_PUT)
            return false;
    return game->after_move_count == 0;
}

/* Whether every move takes. Both players lose figures by turns then, so what stands on the board says nothing of who moves last. */
static bool takes_always(const struct game *game)
{
    uint32_t count = game->piece_rules[game->piece_count];
    for (uint32_t i = 0; i < count; i++)
        if (game->movements[i].purpose != FOR_TAKE)
            return false;
    return count > 0;
}

static bool loses_by_it(const struct result_rule *result, player_index mover)
{
    if (result->gives == GIVES_LOSER)
        return result->player == mover;
    return result->gives == GIVES_WINNER && result->player != mover;
}

/* Whether a move may lose at once. Random players stumble into that, so how their games end says little of who stood better. */
static bool may_stumble(const struct game *game)
{
    for (int mover = 0; mover < game->player_count; mover++)
        for (int i = 0; i < game->result_count; i++)
            if (loses_by_it(&game->results[mover][i], (player_index)mover))
                return true;
    return false;
}

/* By games played out, or else by alpha-beta: as the one was stronger than the other (tests/bench/README.md). */
static bool is_played_out(const struct game *game, bool takes, bool moves_figures)
{
    bool fills = game->places_figures && !moves_figures && !may_stumble(game);
    return game->player_count != 2 || takes || fills;
}

/* --- life ------------------------------------------------------------------------------------- */

static int32_t in_parts(double logits)
{
    const double most = 8;
    return (int32_t)lround(JUDGE_LOGIT * fmin(fmax(logits, -most), most));
}

struct judge *judge_new(const struct game *game)
{
    struct judge *judge = memory_zeroed(1, sizeof *judge);
    size_t count = (size_t)game->code_count * (size_t)game->cell_count;
    struct weights weights = {.game = game,
                              .cells = memory_zeroed(count, sizeof(double)),
                              .mobility = is_about_moves(game) ? 0.1 : 0.02,
                              .material = 1};
    judge->game = game_retain((struct game *)(uintptr_t)game);
    double worth[CODES_MAX] = {0};
    weigh_material(&weights, worth);
    judge->hunt = hunt_new(game, worth);
    weights_learn(&weights);
    bool moves_figures = game->piece_rules[game->piece_count] > 0;
    if (moves_figures)
        forget_what_stands_still(&weights);
    weigh_distances(&weights);
    judge->cells = memory_bytes(count * sizeof *judge->cells);
    for (size_t i = 0; i < count; i++)
        judge->cells[i] = in_parts(weights.cells[i]);
    for (int code = 1; code < game->code_count; code++)
        judge->hands[code] = in_parts(weights.material * weights.hands[code]);
    for (int i = 0; i < game->counter_slot_count; i++)
        judge->counters[i] = in_parts(weights.counters[i]);
    judge->mobility = in_parts(weights.mobility);
    bool takes = takes_always(game);
    judge->is_short = game->places_figures || takes;
    judge->plays_out = is_played_out(game, takes, moves_figures);
    free(weights.cells);
    return judge;
}

void judge_free(struct judge *judge)
{
    if (judge == NULL)
        return;
    hunt_free(judge->hunt);
    game_release(judge->game);
    free(judge->cells);
    free(judge);
}

const struct game *judge_game(const struct judge *judge)
{
    return judge->game;
}

bool judge_plays_out(const struct judge *judge)
{
    return judge->plays_out;
}

bool judge_is_short(const struct judge *judge)
{
    return judge->is_short;
}

int judge_mobility(const struct judge *judge)
{
    return judge->mobility;
}

/* --- values ----------------------------------------------------------------------------------- */

int judge_piece(const struct judge *judge, const struct position *position, cell_index cell)
{
    return judge->cells[position->cells[cell].code * judge->game->cell_count + cell];
}

static int64_t own_value(const struct judge *judge, const struct position *position,
                         player_index player)
{
    const struct game *game = judge->game;
    const uint64_t *words = position_player_words(position, player);
    int64_t value = 0;
    for (int word = 0; word < game->words; word++)
        for (uint64_t left = words[word]; left != 0; left &= left - 1)
            value += judge_piece(judge, position,
                                 (cell_index)((unsigned)word * WORD_BITS + word_lowest(left)));
    for (int figure = 0; figure < game->figure_count && game->has_hands; figure++)
        value += (int64_t)judge->hands[game_code(game, (figure_index)figure, player)] *
                 position_held(position, player, (figure_index)figure);
    for (int i = 0; i < game->counter_count; i++) {
        int slot = game->counters[i].first_slot + player;
        if (game->counters[i].per_player)
            value += (int64_t)judge->counters[slot] * position->turn.counters[slot];
    }
    return value;
}

/* Others count as their mean. */
int judge_value(const struct judge *judge, const struct position *position, player_index player)
{
    int player_count = judge->game->player_count;
    int64_t others = 0;
    for (int i = 0; i < player_count; i++)
        if (i != player)
            others += own_value(judge, position, (player_index)i);
    int64_t value = own_value(judge, position, player);
    if (player_count > 1)
        value -= others / (player_count - 1);
    value += hunt_value(judge->hunt, position, player, JUDGE_LOGIT);
    return (int)(value > JUDGE_VALUE_MAX    ? JUDGE_VALUE_MAX
                 : value < -JUDGE_VALUE_MAX ? -JUDGE_VALUE_MAX
                                            : value);
}

double judge_chance(int value)
{
    return 1 / (1 + exp(-(double)value / JUDGE_LOGIT));
}
