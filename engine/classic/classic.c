#include "engine/classic/classic.h"

#include "engine/classic/action.h"
#include "engine/classic/machine.h"
#include "engine/classic/rule.h"
#include "engine/work.h"

#include <assert.h>
#include <limits.h>
#include <string.h>

/* --- legal moves ------------------------------------------------------------------------------ */

/* Of the candidates for one target, from `first` on, the one whose `if` holds; NULL when there is none. */
static const struct candidate *deciding(const struct position *position, cell_index from,
                                        uint32_t first, uint32_t end)
{
    const struct game *game = position->game;
    const struct candidate *list = game->candidates;
    for (uint32_t i = first; i < end && list[i].to == list[first].to; i++)
        if (work_spend(WORK_CANDIDATE) &&
            rule_any_holds(position, &game->movements[list[i].rule].guard, from, list[i].to))
            return &list[i];
    return NULL;
}

const struct candidate *classic_candidate(const struct position *position, cell_index from,
                                          cell_index to)
{
    const uint32_t *row = candidate_row(position, from);
    uint32_t first = candidate_first(position->game, row[0], row[1], to);
    return first < row[1] ? deciding(position, from, first, row[1]) : NULL;
}

/* The complex movement by which the figure on a cell goes to another, where no simple one does: the first that is legal.
 * move.rule remembers its number, counted from 1. */
static uint16_t complex_rule(const struct position *position, cell_index from, cell_index to)
{
    struct complex_instance instance = {.passed = 0};
    while (
        complex_next(position->game, position->cells, position->cells[from].code, from, &instance))
        if (instance.to == to && rule_participants_act(position, &instance))
            return (uint16_t)(instance.number + 1);
    return 0;
}

/* `simple`: the candidate that decides, if there is one; `complex`: some complex movement leads there. */
static bool find_move(const struct position *position, const struct candidate *simple, bool complex,
                      cell_index from, cell_index to, struct move *move)
{
    bool goes = simple != NULL && rule_simple_legal(position, simple, from);
    uint16_t rule = goes || !complex ? 0 : complex_rule(position, from, to);
    *move = (struct move){.from = from, .to = to, .rule = rule, .choice = CHOICE_NONE};
    return goes || rule != 0;
}

/* Whose moves there are; PLAYER_NONE once the game has ended. */
static player_index moving_player(const struct position *position)
{
    if (position->ply >= position->game->max_plies)
        return PLAYER_NONE;
    return position_to_move(position);
}

static bool is_own(const struct position *position, player_index player, cell_index cell)
{
    return player != PLAYER_NONE && bits_test(position_player_words(position, player), cell);
}

/* The moves of one figure while they are looked for, in the order of their targets. */
struct looking {
    uint64_t complex[WORDS_MAX]; /* targets of complex movements that are still to come */
    int next_complex;            /* the first of them; -1: none */
    uint32_t simple, simple_end; /* candidates that are */
};

static void begin_looking(const struct position *position, cell_index from, struct looking *looking)
{
    const struct game *game = position->game;
    const uint32_t *row = candidate_row(position, from);
    struct complex_instance instance = {.passed = 0};
    memset(looking->complex, 0, (size_t)game->words * sizeof *looking->complex);
    while (complex_next(game, position->cells, position->cells[from].code, from, &instance))
        bits_set(looking->complex, instance.to);
    looking->next_complex = bits_next(looking->complex, game->words, 0);
    looking->simple = row[0];
    looking->simple_end = row[1];
}

/* Goes on to the next move; false: there is none. */
static bool next_move(const struct position *position, cell_index from, struct looking *looking,
                      struct move *move)
{
    const struct candidate *list = position->game->candidates;
    while ((looking->simple < looking->simple_end || looking->next_complex >= 0) && work_spend(1)) {
        const struct candidate *simple = NULL;
        int to = looking->next_complex;
        bool complex = true;
        if (looking->simple < looking->simple_end && (to < 0 || list[looking->simple].to <= to)) {
            complex = list[looking->simple].to == to;
            to = list[looking->simple].to;
            simple = deciding(position, from, looking->simple, looking->simple_end);
            while (looking->simple < looking->simple_end && list[looking->simple].to == to)
                looking->simple++;
        }
        if (complex)
            looking->next_complex = bits_next(looking->complex, position->game->words, to + 1);
        if (find_move(position, simple, complex, from, (cell_index)to, move))
            return true;
    }
    return false;
}

/* The moves of the figure on a cell, at most `limit`; `moves` NULL: only their number. */
static int moves_from(const struct position *position, cell_index from, int limit,
                      struct move *moves)
{
    struct looking looking;
    struct move move;
    int count = 0;
    if (!is_own(position, moving_player(position), from))
        return 0;
    begin_looking(position, from, &looking);
    for (; count < limit && next_move(position, from, &looking, &move); count++)
        if (moves != NULL)
            moves[count] = move;
    return count;
}

int classic_from(const struct position *position, cell_index from, struct move *moves)
{
    return moves_from(position, from, INT_MAX, moves);
}

int classic_all(const struct position *position, struct move *moves)
{
    int count = 0;
    for (int i = 0; i < position->game->cell_count; i++)
        count += classic_from(position, (cell_index)i, moves + count);
    return count;
}

uint64_t classic_count(const struct position *position)
{
    uint64_t count = 0;
    for (int i = 0; i < position->game->cell_count; i++)
        count += (uint64_t)moves_from(position, (cell_index)i, INT_MAX, NULL);
    return count;
}

bool classic_any(const struct position *position)
{
    for (int i = 0; i < position->game->cell_count; i++)
        if (moves_from(position, (cell_index)i, 1, NULL) > 0)
            return true;
    return false;
}

bool classic_find(const struct position *position, cell_index from, cell_index to, uint8_t choice,
                  struct move *move)
{
    const struct game *game = position->game;
    return choice == CHOICE_NONE && from < game->cell_count && to < game->cell_count &&
           is_own(position, moving_player(position), from) &&
           find_move(position, classic_candidate(position, from, to), true, from, to, move);
}

/* --- making and taking back ------------------------------------------------------------------- */

const char *classic_pointer(const struct position *position, struct move move)
{
    const struct game *game = position->game;
    if (move.rule != 0)
        return game->complex[(move.rule - 1) / PARTICIPANTS_MAX].pointer;
    return game->movements[classic_candidate(position, move.from, move.to)->rule].pointer;
}

void classic_make(struct position *position, struct move move, struct undo *undo)
{
    undo->hash = position->hash;
    undo->move_number = position->move_number;
    undo->state = position->state;
    undo->winner = position->winner;
    undo->change_count = 0;
    if (move.rule != 0) {
        struct complex_instance instance;
        complex_lay(position->game, move.rule - 1, move.from, &instance);
        action_run_complex(position, undo, &instance, 0);
    } else {
        const struct candidate *candidate = classic_candidate(position, move.from, move.to);
        assert(candidate != NULL);
        action_run_simple(position, undo, candidate, move.from);
    }
    position->ply++;
    machine_advance(position);
}

void classic_unmake(struct position *position, const struct undo *undo)
{
    for (uint32_t i = undo->change_count; i-- > 0;)
        position_write(position, undo->changes[i].cell, undo->changes[i].before);
    assert(position->hash == undo->hash);
    position->move_number = undo->move_number;
    position->state = undo->state;
    position->winner = undo->winner;
    position->ply--;
}

/* --- the end ---------------------------------------------------------------------------------- */

static struct outcome outcome_won(player_index winner, const char *reason)
{
    enum outcome_kind kind = winner == PLAYER_NONE ? OUTCOME_DRAWN : OUTCOME_WON;
    return (struct outcome){.kind = kind, .winner = winner, .reason = reason};
}

/* Who wins when `player` must move and cannot. Of three or more players nobody can be called the
 * winner then. */
static player_index winner_without_moves(const struct game *game, player_index player)
{
    if (game->no_moves_drawn)
        return PLAYER_NONE;
    if (game->no_moves_wins)
        return player;
    return game->player_count == 2 ? (player_index)(1 - player) : PLAYER_NONE;
}

struct outcome classic_outcome(const struct position *position)
{
    const struct game *game = position->game;
    const struct machine_state *state = &game->states[position->state];
    if (state->kind == MACHINE_END) {
        player_index winner = state->declared ? state->winner : position->winner;
        return outcome_won(winner, state->reason);
    }
    if (position->ply >= game->max_plies)
        return outcome_won(PLAYER_NONE, game->bound_reason);
    if (!classic_any(position))
        return outcome_won(winner_without_moves(game, state->player),
                           game->no_move_reasons[state->player]);
    return (struct outcome){.kind = OUTCOME_PLAYING, .winner = PLAYER_NONE, .reason = ""};
}
