#include "engine/classic/classic.h"

#include "engine/candidates.h"
#include "engine/rules/actions.h"
#include "engine/rules/condition.h"
#include "engine/rules/machine.h"
#include "engine/work.h"

#include <assert.h>
#include <limits.h>

/* --- legal moves ------------------------------------------------------------------------------ */

/* Of the candidates for the target the one whose `if` holds. */
const struct candidate *classic_candidate(const struct position *position, cell_index from,
                                          cell_index to)
{
    const struct game *game = position->game;
    const struct candidate *list = game->candidates;
    const uint32_t *row = candidate_row(position, from);
    for (uint32_t i = candidate_first(game, row[0], row[1], to); i < row[1] && list[i].to == to;
         i++)
        if (work_spend(WORK_CANDIDATE) &&
            condition_holds(position, game->movements[list[i].rule].condition, PLAYER_NONE, from,
                            to))
            return &list[i];
    return NULL;
}

/* The complex movement by which the figure on a cell goes to another, where no simple one does: the first that is legal.
 * move.rule remembers its number, counted from 1. */
static uint16_t complex_rule(const struct position *position, cell_index from, cell_index to)
{
    struct complex_instance instance = {.passed = 0};
    while (
        complex_next(position->game, position->cells, position->cells[from].code, from, &instance))
        if (instance.to == to && action_group_allowed(position, &instance))
            return (uint16_t)(instance.number + 1);
    return 0;
}

/* `complex`: some complex movement leads there. */
static bool find_move(const struct position *position, cell_index from, cell_index to, bool complex,
                      struct move *move)
{
    const struct candidate *simple = classic_candidate(position, from, to);
    bool goes = simple != NULL && action_allowed(position, simple, from);
    uint16_t rule = goes || !complex ? 0 : complex_rule(position, from, to);
    *move = (struct move){.from = from, .to = to, .rule = rule, .choice = CHOICE_NONE};
    return goes || rule != 0;
}

/* Nobody's once the game has ended. */
static bool may_move(const struct position *position, cell_index cell)
{
    player_index player = position_to_move(position);
    return player != PLAYER_NONE && position->ply < position->game->max_plies &&
           bits_test(position_player_words(position, player), cell);
}

/* The moves of the figure on a cell in the order of their targets, at most `limit`; `moves` NULL: only their number. */
static int moves_from(const struct position *position, cell_index from, int limit,
                      struct move *moves)
{
    const struct game *game = position->game;
    uint64_t targets[WORDS_MAX] = {0}, complex[WORDS_MAX] = {0};
    struct complex_instance instance = {.passed = 0};
    struct move move;
    int count = 0;
    if (!may_move(position, from))
        return 0;
    const uint32_t *row = candidate_row(position, from);
    for (uint32_t i = row[0]; i < row[1]; i++)
        bits_set(targets, game->candidates[i].to);
    while (complex_next(game, position->cells, position->cells[from].code, from, &instance)) {
        bits_set(targets, instance.to);
        bits_set(complex, instance.to);
    }
    for (int to = bits_next(targets, game->words, 0); to >= 0 && count < limit && work_spend(1);
         to = bits_next(targets, game->words, to + 1)) {
        if (!find_move(position, from, (cell_index)to, bits_test(complex, (unsigned)to), &move))
            continue;
        if (moves != NULL)
            moves[count] = move;
        count++;
    }
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
           may_move(position, from) && find_move(position, from, to, true, move);
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
        action_run_group(position, undo, &instance, 0);
    } else {
        const struct candidate *candidate = classic_candidate(position, move.from, move.to);
        assert(candidate != NULL);
        action_run(position, undo, candidate, move.from);
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

struct outcome classic_outcome(const struct position *position)
{
    struct outcome outcome = machine_outcome(position);
    return outcome.kind == OUTCOME_PLAYING && !classic_any(position) ? machine_stuck(position)
                                                                     : outcome;
}
