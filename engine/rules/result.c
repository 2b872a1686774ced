/* How a game ends: results, claims, places. Moves of games that are played are made here, and positions set up, since each may
 * be an end. What position.h says of these functions is not repeated. */
#include "engine/movegen.h"
#include "engine/rules/condition.h"
#include "engine/rules/history.h"
#include "engine/rules/interpreter.h"
#include "engine/rules/machine.h"
#include "engine/rules/needs.h"
#include "engine/rules/turn.h"
#include "engine/work_shares.h"

#include <assert.h>
#include <limits.h>

/* --- places ----------------------------------------------------------------------------------- */

static bool is_finished(const struct turn *turn, player_index player)
{
    return (turn->finished >> player & 1) != 0;
}

static void give_place(struct turn *turn, player_index player)
{
    turn->finished = (uint8_t)(turn->finished | 1U << player);
    turn->places[turn->place_count++] = player;
}

/* What stands there leaves the board, and what is in hand is gone. */
static void remove_figures(struct position *position, struct undo *undo, player_index player)
{
    const struct game *game = position->game;
    cell_index *stands = &position->turn.last.stands;
    work_spend((unsigned)game->cell_count);
    for (int cell = 0; cell < game->cell_count; cell++)
        if (game->code_players[position->cells[cell].code] == player)
            position_change(position, undo, (cell_index)cell, cell_empty);
    if (*stands != CELL_NONE && position->cells[*stands].code == 0)
        *stands = CELL_NONE;
    for (int figure = 0; figure < game->figure_count && game->has_hands; figure++)
        position_keep(position, game_code(game, (figure_index)figure, player) - 1U, 0);
}

/* Who is eliminated gets the last of the places that are free. */
static void eliminate(struct position *position, struct undo *undo,
                      const struct result_rule *result, player_index player)
{
    struct turn *turn = &position->turn;
    turn->finished = (uint8_t)(turn->finished | 1U << player);
    turn->places[position->game->player_count - ++turn->out_count] = player;
    if (result->removes)
        remove_figures(position, undo, player);
}

/* Somebody has left the game. The last who is left gets the place that is free, and then the game has ended. */
static void go_on_without(struct position *position, int result)
{
    const struct game *game = position->game;
    struct turn *turn = &position->turn;
    if (turn->place_count + turn->out_count + 1 < game->player_count) {
        player_index next = position_state_player(position);
        if (next != PLAYER_NONE && is_finished(turn, next))
            machine_advance(position);
        return;
    }
    for (int i = 0; i < game->player_count; i++)
        if (!is_finished(turn, (player_index)i))
            give_place(turn, (player_index)i);
    turn->result = (uint8_t)(result + 1);
}

/* --- results ---------------------------------------------------------------------------------- */

static player_index result_player(const struct position *position, const struct result_rule *result)
{
    return result->player != PLAYER_NONE ? result->player : position_state_player(position);
}

/* What its needs, which are met, do not say. The condition may ask for moves, which are tried out. */
static bool asked_now(struct position *position, const struct result_rule *result,
                      player_index mover)
{
    return result->needs.whole || condition_holds_after(position, result->condition, mover);
}

/* Where places are given results cannot wait until somebody asks: who is to move depends on those before. Elsewhere
 * what asks for no moves holds now if it holds though there were moves. */
static bool holds_now(struct position *position, const struct result_rule *result)
{
    uint64_t before = work_spent();
    bool known = position->game->gives_places || result->needs_moves;
    if (result->asks_moves)
        position->asking->stuck = known && !interpreter_any(position) ? 1 : 0;
    bool holds = asked_now(position, result, position->turn.mover);
    position->asking->stuck = -1;
    work_was_for(result->pointer, before);
    return holds;
}

/* After a turn that was noted a repetition is quick to rule out: hardly any key has been there before. */
static inline bool may_be_repeated(const struct position *position,
                                   const struct result_rule *result)
{
    const struct turn *turn = &position->turn;
    return result->needs.occurrences < 2 || !turn->keyed ||
           *position_keys_alike(position, turn->key) + 1 >= result->needs.occurrences;
}

static bool may_leave(const struct position *position, const struct result_rule *result)
{
    player_index player = result_player(position, result);
    return player != PLAYER_NONE && !is_finished(&position->turn, player);
}

/* What the result gives, if it holds. Whether it has eliminated somebody. */
static bool apply_result(struct position *position, struct undo *undo,
                         const struct result_rule *result)
{
    bool eliminates = result->gives == GIVES_ELIMINATED;
    bool leaves = eliminates || result->gives == GIVES_FINISH;
    if ((leaves && !may_leave(position, result)) || !holds_now(position, result))
        return false;
    struct turn *turn = &position->turn;
    int number = (int)(result - position->game->results[turn->mover]);
    if (!leaves) {
        turn->result = (uint8_t)(number + 1);
        return false;
    }
    if (eliminates)
        eliminate(position, undo, result, result_player(position, result));
    else
        give_place(turn, result_player(position, result));
    go_on_without(position, number);
    return eliminates;
}

/* After a completed turn: looks at the results that do not ask for legal moves; may give places, move the machine past
 * players who are out, and end the game. Without who is eliminated another result may hold: all are looked at again, at
 * most as often as there are players. */
static inline __attribute__((always_inline)) void look_at_results(struct position *position,
                                                                  struct undo *undo)
{
    const struct result_rule *first = position->game->first_of_turn[position->turn.mover];
    const struct result_rule *result = first;
    while (result != NULL && position->turn.result == 0) {
        bool again = needs_are_met(position, &result->needs) && may_be_repeated(position, result) &&
                     apply_result(position, undo, result);
        result = again ? first : result->next_of_turn;
    }
}

/* Whoever has left the game is left out of turns: that is another position. */
static void note_places(struct position *position, unsigned finished)
{
    if (position->turn.finished == finished)
        return;
    position->turn.keyed = false;
    repetition_note_key(position);
}

void position_make(struct position *position, struct move move, struct undo *undo)
{
    if (undo == NULL)
        undo = position->scratch;
    turn_make(position, move, undo, TURN_FULL);
    if (position->turn.active != CELL_NONE)
        return;
    look_at_results(position, undo);
    if (position->game->gives_places)
        note_places(position, undo->turn.finished);
}

/* What a position just set up needs: who moved before, its key, and results that hold already. */
static void begin(struct position *position)
{
    struct turn *turn = &position->turn;
    turn->mover = position_stage(position)->before;
    turn->result = 0;
    turn->history_first = turn->history_count = 0;
    turn->keyed = turn->late = false;
    repetition_note_key(position);
    position->scratch->change_count = 0;
    if (turn->mover != PLAYER_NONE) /* an end that only a win leads to has nobody before it */
        look_at_results(position, position->scratch);
    note_places(position, 0);
}

static bool has_move_like(struct position *position, const struct condition_node *like)
{
    return like->picks ? interpreter_any_like(position, like) : interpreter_any(position);
}

/* Conditions cannot try out moves by themselves: who does is told to a position before it is first asked anything. */
void position_reset(struct position *position)
{
    const struct game *game = position->game;
    position->asking->has_move = has_move_like;
    position->asking->tried = position;
    position_clear(position);
    position->turn.may_swap = game->pie;
    for (int cell = 0; cell < game->cell_count; cell++) {
        struct cell_record record = {.code = game->start[cell]};
        if (record.code == 0)
            continue;
        position_write(position, (cell_index)cell, record);
        position_set_unmoved(position, (cell_index)cell);
    }
    for (int player = 0; player < game->player_count && game->has_hands; player++)
        for (int figure = 0; figure < game->figure_count; figure++)
            position_set_hand(position, (player_index)player, (figure_index)figure,
                              game->hands[player][figure]);
    struct work_stretch stretch = work_begin(WORK_AGAIN_MAX);
    begin(position);
    work_end(&stretch);
}

bool position_set_turn(struct position *position, state_index state, uint32_t move_number)
{
    const struct machine_state *states = position->game->states;
    assert(state < position->game->state_count);
    if (states[state].kind != MACHINE_MOVE && states[state].kind != MACHINE_END)
        return false;
    if (move_number > MOVE_NUMBER_MAX)
        return false;
    position->turn.state = state;
    position->turn.move_number = move_number;
    position->turn.winner = states[state].winner;
    begin(position);
    return true;
}

int position_counter(const struct position *position, int slot)
{
    assert(slot >= 0 && slot < position->game->counter_slot_count);
    return condition_counter(position, slot);
}

/* --- the outcome ------------------------------------------------------------------------------ */

/* A player's, in halves. */
static int score_of(const struct position *position, const struct result_rule *result,
                    player_index player)
{
    return 2 * condition_sum(position, result->terms, result->term_count) + result->plus[player];
}

bool position_scores(const struct position *position, int *halves)
{
    const struct game *game = position->game;
    int number = 0;
    while (number < game->result_count && game->results[0][number].gives != GIVES_MOST)
        number++;
    for (int i = 0; i < game->player_count && number < game->result_count; i++)
        halves[i] = score_of(position, &game->results[i][number], (player_index)i);
    return number < game->result_count;
}

/* Of those still in the game who has the most; of several `tie`, if it is one of them. */
static player_index most_of(const struct position *position, const struct result_rule *result,
                            player_index mover)
{
    const struct game *game = position->game;
    int number = (int)(result - game->results[mover]), best = INT_MIN;
    player_index winner = PLAYER_NONE;
    for (int i = 0; i < game->player_count; i++) {
        if (is_finished(&position->turn, (player_index)i))
            continue;
        int score = score_of(position, &game->results[i][number], (player_index)i);
        if (score > best)
            winner = (player_index)i;
        else if (score == best)
            winner = result->tie == i || winner == result->tie ? result->tie : PLAYER_NONE;
        best = score > best ? score : best;
    }
    return winner;
}

static struct outcome outcome_by(const struct position *position, const struct result_rule *result,
                                 player_index mover)
{
    player_index winner = PLAYER_NONE;
    switch ((enum result_gives)result->gives) {
    case GIVES_DRAW:
        break;
    case GIVES_WINNER:
        winner = result_player(position, result);
        break;
    case GIVES_LOSER:
        return machine_lost_by(position, result_player(position, result), result->reason);
    case GIVES_FINISH:
    case GIVES_ELIMINATED:
        winner = position->turn.places[0];
        break;
    case GIVES_MOST:
        winner = most_of(position, result, mover);
        break;
    }
    return machine_won_by(winner, result->reason);
}

/* When all have one the places are those from the first to the last. */
static void add_ranks(const struct position *position, struct outcome *outcome)
{
    const struct turn *turn = &position->turn;
    const int players = position->game->player_count;
    bool all = turn->place_count + turn->out_count == players;
    if (!position->game->gives_places)
        return;
    outcome->rank_count = all ? players : turn->place_count;
    for (int i = 0; i < outcome->rank_count; i++)
        outcome->ranks[i] = turn->places[i];
    outcome->out_count = turn->out_count;
    for (int i = 0; i < outcome->out_count; i++)
        outcome->out[i] = turn->places[players - 1 - i];
}

/* The fast path does not look beyond the end of a game. */
static bool has_moves(struct position *position)
{
    if (position->turn.result == 0 && position->turn.ply < position->game->max_plies)
        return movegen_any(position);
    return interpreter_any(position);
}

/* Whether who is to move is stuck is looked for once, until `asking->stuck` is forgotten. */
static bool know_moves(struct position *position)
{
    int8_t *stuck = &position->asking->stuck;
    if (*stuck < 0)
        *stuck = has_moves(position) ? 0 : 1;
    return *stuck == 0;
}

/* When a result is looked at: after each turn, when the outcome is asked for, by a claim, by a flag. */
enum occasion { BY_TURN, BY_MOVES, BY_CLAIM, BY_FLAG };

static enum occasion occasion_of(const struct result_rule *result)
{
    if (!result_comes(result))
        return result->claim ? BY_CLAIM : BY_FLAG;
    return result->asks_moves ? BY_MOVES : BY_TURN;
}

/* Of those for the occasion, as if `mover` had moved, the first that holds, before one of them. */
static const struct result_rule *find_result(struct position *position, player_index mover,
                                             enum occasion occasion, int before)
{
    repetition_note_key(position);
    for (int i = 0; i < before; i++) {
        const struct result_rule *result = &position->game->results[mover][i];
        if (occasion_of(result) != occasion || !needs_are_met(position, &result->needs))
            continue;
        bool moves = result->asks_moves && know_moves(position);
        if (!(moves && result->lazy) && asked_now(position, result, mover))
            return result;
    }
    return NULL;
}

static struct outcome find_outcome(struct position *position)
{
    const struct game *game = position->game;
    const struct turn *turn = &position->turn;
    const struct result_rule *result = NULL;
    int before = turn->result != 0 ? turn->result - 1 : game->result_count;
    bool goes_on = turn->result == 0 && machine_outcome(position).kind == OUTCOME_PLAYING;
    if (goes_on && !game->may_end_moving && know_moves(position))
        return outcome_playing;
    if (position_state_player(position) != PLAYER_NONE && turn->active == CELL_NONE)
        result = find_result(position, turn->mover, BY_MOVES, game->gives_places ? 0 : before);
    if (result == NULL && turn->result != 0)
        result = &game->results[turn->mover][turn->result - 1];
    if (result != NULL)
        return outcome_by(position, result, turn->mover);
    struct outcome outcome = machine_outcome(position);
    return outcome.kind != OUTCOME_PLAYING || know_moves(position) ? outcome
                                                                   : machine_stuck(position);
}

struct outcome position_outcome(struct position *position)
{
    struct outcome outcome = find_outcome(position);
    position->asking->stuck = -1;
    add_ranks(position, &outcome);
    return outcome;
}

/* By a result that is asked for, as if `mover` had moved, or the game goes on. */
static struct outcome outcome_asked(struct position *position, player_index mover,
                                    enum occasion occasion)
{
    struct outcome outcome = outcome_playing;
    const struct result_rule *result =
        find_result(position, mover, occasion, position->game->result_count);
    position->asking->stuck = -1;
    if (result != NULL) {
        outcome = outcome_by(position, result, mover);
        add_ranks(position, &outcome);
    }
    return outcome;
}

struct outcome position_claim(struct position *position)
{
    const struct turn *turn = &position->turn;
    bool may_claim = position_to_move(position) != PLAYER_NONE && turn->active == CELL_NONE &&
                     turn->ply < position->game->max_plies;
    return may_claim ? outcome_asked(position, turn->mover, BY_CLAIM) : outcome_playing;
}

/* Of two the other one counts as the mover, though a turn of several moves be under way. */
struct outcome position_flag(struct position *position)
{
    player_index next = position_to_move(position), mover = position->turn.mover;
    if (next == PLAYER_NONE || mover == PLAYER_NONE)
        return outcome_playing;
    if (position->game->player_count == 2)
        mover = (player_index)(1 - next);
    return outcome_asked(position, mover, BY_FLAG);
}
