#include "engine/rules/result.h"

#include "engine/movegen.h"
#include "engine/rules/condition.h"
#include "engine/rules/interpreter.h"
#include "engine/rules/machine.h"
#include "engine/rules/needs.h"
#include "engine/rules/repetition.h"
#include "engine/rules/turn.h"
#include "engine/work_shares.h"

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

/* The next place is the player's; the last who is left gets the last one, and then the game has ended. */
static void finish_player(struct position *position, player_index player, int result)
{
    const struct game *game = position->game;
    struct turn *turn = &position->turn;
    give_place(turn, player);
    if (turn->place_count + 1 < game->player_count) {
        const struct machine_state *state = &game->states[position->state];
        for (int i = 0; i < game->state_count; i++, state = &game->states[position->state]) {
            if (state->kind != MACHINE_MOVE || !is_finished(turn, state->player))
                return;
            machine_advance(position);
        }
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
    return result->player != PLAYER_NONE ? result->player : pseudo_player(position);
}

/* Where places are given results cannot wait until somebody asks: who is to move depends on those before. Elsewhere
 * what asks for no moves holds now if it holds though there were moves. */
static bool holds_now(struct position *position, const struct result_rule *result)
{
    const struct turn *turn = &position->turn;
    uint64_t before = work_spent();
    bool known = position->game->gives_places || result->needs_moves;
    if (result->lazy || result->mixed)
        position->asking->stuck = known && !interpreter_any_despite_result(position) ? 1 : 0;
    bool holds =
        condition_holds(position, result->condition, turn->mover, turn->last.from, turn->last.to);
    position->asking->stuck = -1;
    work_was_for(result->pointer, before);
    return holds;
}

static bool may_finish(const struct position *position, const struct result_rule *result)
{
    player_index player = result_player(position, result);
    return player != PLAYER_NONE && !is_finished(&position->turn, player);
}

/* What the result gives, if it holds. */
static void apply_result(struct position *position, const struct result_rule *result)
{
    bool finishes = result->gives == GIVES_FINISH;
    if ((finishes && !may_finish(position, result)) || !holds_now(position, result))
        return;
    int number = (int)(result - position->game->results[position->turn.mover]);
    if (finishes)
        finish_player(position, result_player(position, result), number);
    else
        position->turn.result = (uint8_t)(number + 1);
}

/* After a completed turn: looks at the results that do not ask for legal moves; may give places, move the machine past
 * players who are out, and end the game. `material`: the turn has changed what is on the board, not only where. */
static inline void look_at_results(struct position *position, bool material)
{
    const struct result_rule *result =
        position->game->first_of_turn[position->turn.mover][material];
    for (; result != NULL && position->turn.result == 0; result = result->next_of_turn[material])
        if (needs_are_met(position, &result->needs))
            apply_result(position, result);
}

/* Whoever has a place now is left out of turns: that is another position. */
static void note_places(struct position *position, int place_count)
{
    if (position->turn.place_count == place_count)
        return;
    position->turn.keyed = false;
    repetition_note_key(position);
}

void result_make(struct position *position, struct move move, struct undo *undo)
{
    bool material = turn_make(position, move, undo, TURN_FULL);
    bool went_on = undo->turn.active != CELL_NONE; /* earlier moves of the turn changed things */
    if (position->turn.active != CELL_NONE)
        return;
    look_at_results(position, material || went_on);
    if (position->game->gives_places)
        note_places(position, undo->turn.place_count);
}

void result_begin(struct position *position)
{
    struct turn *turn = &position->turn;
    turn->mover = position->game->states[position->state].before;
    turn->result = 0;
    turn->history_first = turn->history_count = 0;
    turn->keyed = false;
    repetition_note_key(position);
    if (turn->mover != PLAYER_NONE) /* an end that only a win leads to has nobody before it */
        look_at_results(position, true);
    note_places(position, 0);
}

/* --- the outcome ------------------------------------------------------------------------------ */

static struct outcome outcome_by(const struct position *position, const struct result_rule *result)
{
    player_index winner = PLAYER_NONE;
    switch ((enum result_gives)result->gives) {
    case GIVES_DRAW:
        break;
    case GIVES_WINNER:
        winner = result_player(position, result);
        break;
    case GIVES_LOSER:
        winner = machine_other_player(position, result_player(position, result));
        break;
    case GIVES_FINISH:
        winner = position->turn.places[0];
        break;
    }
    return (struct outcome){.kind = winner == PLAYER_NONE ? OUTCOME_DRAWN : OUTCOME_WON,
                            .winner = winner,
                            .reason = result->reason};
}

static struct outcome with_ranks(const struct position *position, struct outcome outcome)
{
    outcome.rank_count = position->turn.place_count;
    for (int i = 0; i < outcome.rank_count; i++)
        outcome.ranks[i] = position->turn.places[i];
    return outcome;
}

/* The fast path does not look beyond the end of a game. */
static bool has_moves(struct position *position)
{
    if (position->turn.result == 0 && position->ply < position->game->max_plies)
        return movegen_any(position);
    return interpreter_any_despite_result(position);
}

/* Whether who is to move is stuck is looked for once, until `asking->stuck` is forgotten. */
static bool know_moves(struct position *position)
{
    int8_t *stuck = &position->asking->stuck;
    if (*stuck < 0)
        *stuck = has_moves(position) ? 0 : 1;
    return *stuck == 0;
}

/* Of the results that ask for legal moves the first that holds, before the one that has ended the game. */
static const struct result_rule *lazy_result(struct position *position, int before)
{
    const struct game *game = position->game;
    const struct turn *turn = &position->turn;
    repetition_note_key(position);
    for (int i = 0; i < before && !game->gives_places; i++) {
        const struct result_rule *result = &game->results[turn->mover][i];
        if (result->claim || !(result->lazy || result->mixed))
            continue;
        know_moves(position);
        if (condition_holds(position, result->condition, turn->mover, turn->last.from,
                            turn->last.to))
            return result;
    }
    return NULL;
}

static struct outcome find_outcome(struct position *position)
{
    const struct game *game = position->game;
    const struct turn *turn = &position->turn;
    const struct result_rule *result = NULL;
    if (game->states[position->state].kind == MACHINE_MOVE && turn->active == CELL_NONE)
        result = lazy_result(position, turn->result != 0 ? turn->result - 1 : game->result_count);
    if (result == NULL && turn->result != 0)
        result = &game->results[turn->mover][turn->result - 1];
    if (result != NULL)
        return outcome_by(position, result);
    struct outcome outcome = machine_outcome(position);
    return outcome.kind != OUTCOME_PLAYING || know_moves(position) ? outcome
                                                                   : machine_stuck(position);
}

struct outcome result_outcome(struct position *position)
{
    struct outcome outcome = with_ranks(position, find_outcome(position));
    position->asking->stuck = -1;
    return outcome;
}

struct outcome result_claim(struct position *position)
{
    const struct game *game = position->game;
    const struct turn *turn = &position->turn;
    struct outcome claim = {OUTCOME_PLAYING, PLAYER_NONE, "", 0, {0}};
    if (pseudo_player(position) == PLAYER_NONE || turn->active != CELL_NONE || turn->result != 0 ||
        position->ply >= game->max_plies)
        return claim;
    repetition_note_key(position);
    for (int i = 0; i < game->result_count && claim.kind == OUTCOME_PLAYING; i++) {
        const struct result_rule *result = &game->results[turn->mover][i];
        if (!result->claim)
            continue;
        if (result->lazy || result->mixed)
            know_moves(position);
        if (condition_holds(position, result->condition, turn->mover, turn->last.from,
                            turn->last.to))
            claim = with_ranks(position, outcome_by(position, result));
    }
    position->asking->stuck = -1;
    return claim;
}
