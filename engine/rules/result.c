#include "engine/rules/result.h"

#include "engine/classic/machine.h"
#include "engine/fast/moves.h"
#include "engine/rules/condition.h"
#include "engine/rules/interpreter.h"
#include "engine/work_shares.h"

#include <assert.h>

/* --- repetition ------------------------------------------------------------------------------- */

enum { TAG_STATE = 101, TAG_RIGHT, TAG_UNMOVED, TAG_MARK, TAG_COUNTER };

static bool is_subset(const uint64_t *part, const uint64_t *whole, int words)
{
    for (int i = 0; i < words; i++)
        if ((part[i] & ~whole[i]) != 0)
            return false;
    return true;
}

/* What rights have not been lost: those of several figures that must not have moved, or all of who has not. */
static uint64_t hash_rights(const struct position *position)
{
    const struct game *game = position->game;
    const uint64_t *unmoved = position_unmoved_words(position);
    uint64_t hash = 0;
    work_spend((unsigned)game->words);
    if (game->unmoved_is_key) {
        for (int i = 0; i < game->words; i++)
            hash ^= hash_part(TAG_UNMOVED, (unsigned)i, unmoved[i]);
        return hash;
    }
    uint64_t held = 0;
    work_spend((unsigned)(game->right_count * game->words));
    for (int i = 0; i < game->right_count; i++)
        if (is_subset(game->rights + (size_t)i * (size_t)game->words, unmoved, game->words))
            held |= UINT64_C(1) << i;
    return hash_part(TAG_RIGHT, 0, held);
}

uint64_t result_key(const struct position *position)
{
    const struct game *game = position->game;
    const struct turn *turn = &position->turn;
    uint64_t hash = position->hash ^ hash_part(TAG_STATE, position->state, turn->finished);
    /* Who has not moved is in the hash of the board, figure by figure; here it counts by rights. */
    if (game->tracks_unmoved) {
        const uint64_t *unmoved = position_unmoved_words(position);
        for (int i = 0; i < game->words; i++)
            for (uint64_t left = unmoved[i]; left != 0; left &= left - 1, work_spend(1))
                hash ^= hash_unmoved((cell_index)((unsigned)i * WORD_BITS + word_lowest(left)));
        hash ^= hash_rights(position);
    }
    for (int i = 0; i < game->mark_count; i++)
        if (turn->marks[i].cell != CELL_NONE && interpreter_mark_counts(position, i))
            hash ^= hash_part(TAG_MARK, (unsigned)i, turn->marks[i].cell);
    for (int i = 0; i < game->counter_count; i++) {
        const struct counter_rule *counter = &game->counters[i];
        for (int k = 0; counter->in_key && k < (counter->per_player ? game->player_count : 1); k++)
            hash ^= hash_part(TAG_COUNTER, (unsigned)(counter->first_slot + k),
                              (uint16_t)turn->counters[counter->first_slot + k]);
    }
    return hash;
}

int result_occurrences(const struct position *position, int enough)
{
    const struct turn *turn = &position->turn;
    int room = position->game->history_max, count = 1;
    bool within_turn = turn->active != CELL_NONE; /* then the key is still that of its beginning */
    if (room == 0 || within_turn || turn->history_count + 1 < enough)
        return 1;
    for (int i = turn->history_count; i-- > 0 && count < enough; work_spend(1))
        count += position->history[(turn->history_first + i) % room] == turn->key;
    return count;
}

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

static player_index to_move(const struct position *position)
{
    const struct machine_state *state = &position->game->states[position->state];
    return state->kind == MACHINE_MOVE ? state->player : PLAYER_NONE;
}

static player_index result_player(const struct position *position, const struct result_rule *result)
{
    return result->player != PLAYER_NONE ? result->player : to_move(position);
}

/* Where places are given results cannot wait until somebody asks: who is to move depends on those before. Elsewhere
 * what asks for no moves holds now if it holds though there were moves. */
static bool holds_now(struct position *position, const struct result_rule *result)
{
    const struct turn *turn = &position->turn;
    uint64_t before = work_spent();
    bool known = position->game->gives_places || result->needs_moves;
    if (result->lazy || result->mixed)
        position->stuck = known && !interpreter_any_despite_result(position) ? 1 : 0;
    bool holds =
        condition_holds(position, result->condition, turn->mover, turn->last.from, turn->last.to);
    position->stuck = -1;
    work_was_for(result->pointer, before);
    return holds;
}

static bool is_looked_at(const struct position *position, const struct result_rule *result,
                         bool material)
{
    if (result->claim || (result->material && !material))
        return false;
    if (result->gives != GIVES_FINISH)
        return !result->lazy || position->game->gives_places;
    player_index player = result_player(position, result);
    return player != PLAYER_NONE && !is_finished(&position->turn, player);
}

void result_look(struct position *position, bool material)
{
    const struct game *game = position->game;
    const struct result_rule *results = game->results[position->turn.mover];
    for (int i = 0; i < game->result_count && position->turn.result == 0; i++) {
        if (!is_looked_at(position, &results[i], material) || !holds_now(position, &results[i]))
            continue;
        if (results[i].gives == GIVES_FINISH)
            finish_player(position, result_player(position, &results[i]), i);
        else
            position->turn.result = (uint8_t)(i + 1);
    }
}

/* Who wins when `player` loses: of two the other, of more only who alone is left. */
static player_index other_player(const struct position *position, player_index player)
{
    player_index other = PLAYER_NONE;
    for (int i = 0; i < position->game->player_count; i++) {
        if (i == player || is_finished(&position->turn, (player_index)i))
            continue;
        if (other != PLAYER_NONE)
            return PLAYER_NONE;
        other = (player_index)i;
    }
    return other;
}

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
        winner = other_player(position, result_player(position, result));
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
static bool has_moves(const struct position *position)
{
    if (position->turn.result == 0 && position->ply < position->game->max_plies)
        return fast_moves_any(position);
    return interpreter_any_despite_result(position);
}

/* Of the results that ask for legal moves the first that holds, before the one that has ended the game. */
static const struct result_rule *lazy_result(struct position *position, int before)
{
    const struct game *game = position->game;
    const struct turn *turn = &position->turn;
    for (int i = 0; i < before && !game->gives_places; i++) {
        const struct result_rule *result = &game->results[turn->mover][i];
        if (result->claim || !(result->lazy || result->mixed))
            continue;
        if (position->stuck < 0)
            position->stuck = has_moves(position) ? 0 : 1;
        if (condition_holds(position, result->condition, turn->mover, turn->last.from,
                            turn->last.to))
            return result;
    }
    return NULL;
}

/* The version-0 words for who must move and cannot. */
static struct outcome outcome_without_moves(const struct position *position)
{
    const struct game *game = position->game;
    player_index player = game->states[position->state].player, winner = PLAYER_NONE;
    if (game->no_moves_wins)
        winner = player;
    else if (!game->no_moves_drawn)
        winner = other_player(position, player);
    return (struct outcome){.kind = winner == PLAYER_NONE ? OUTCOME_DRAWN : OUTCOME_WON,
                            .winner = winner,
                            .reason = game->no_move_reasons[player]};
}

static struct outcome find_outcome(struct position *position)
{
    static const struct outcome playing = {OUTCOME_PLAYING, PLAYER_NONE, "", 0, {0}};
    const struct game *game = position->game;
    const struct machine_state *state = &game->states[position->state];
    const struct turn *turn = &position->turn;
    const struct result_rule *result = NULL;
    if (state->kind == MACHINE_MOVE && turn->active == CELL_NONE)
        result = lazy_result(position, turn->result != 0 ? turn->result - 1 : game->result_count);
    if (result == NULL && turn->result != 0)
        result = &game->results[turn->mover][turn->result - 1];
    if (result != NULL)
        return outcome_by(position, result);
    if (state->kind == MACHINE_END) {
        player_index winner = state->declared ? state->winner : position->winner;
        return (struct outcome){.kind = winner == PLAYER_NONE ? OUTCOME_DRAWN : OUTCOME_WON,
                                .winner = winner,
                                .reason = state->reason};
    }
    if (position->ply >= game->max_plies)
        return (struct outcome){
            .kind = OUTCOME_DRAWN, .winner = PLAYER_NONE, .reason = game->bound_reason};
    bool stuck = position->stuck >= 0 ? position->stuck != 0 : !has_moves(position);
    return stuck ? outcome_without_moves(position) : playing;
}

/* What is known about moves is kept while results are looked at; the position is as it was afterwards. */
struct outcome result_outcome(const struct position *position)
{
    struct position *own = (struct position *)position;
    struct outcome outcome = with_ranks(position, find_outcome(own));
    own->stuck = -1;
    return outcome;
}

struct outcome result_claim(const struct position *position)
{
    const struct game *game = position->game;
    const struct turn *turn = &position->turn;
    struct outcome none = {OUTCOME_PLAYING, PLAYER_NONE, "", 0, {0}};
    if (to_move(position) == PLAYER_NONE || turn->active != CELL_NONE || turn->result != 0 ||
        position->ply >= game->max_plies)
        return none;
    for (int i = 0; i < game->result_count; i++) {
        const struct result_rule *result = &game->results[turn->mover][i];
        if (result->claim && condition_holds(position, result->condition, turn->mover,
                                             turn->last.from, turn->last.to))
            return with_ranks(position, outcome_by(position, result));
    }
    return none;
}
