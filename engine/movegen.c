#include "engine/movegen.h"

#include "engine/fast_moves.h"
#include "engine/interpreter.h"
#include "engine/rule.h"
#include "engine/work.h"

#include <assert.h>
#include <string.h>

int game_moves_max(const struct game *game)
{
    return game->moves_max;
}

/* --- the interpreter -------------------------------------------------------------------------- */

/* Targets that complex movements add to the simple ones, with the rule of each: how many instances
 * one cell has at most bounds them. */
struct extra_targets {
    int count;
    struct {
        cell_index to;
        uint16_t rule;
    } list[CELLS_MAX];
};

/* Names the rule of those moves that are there by a complex movement. */
static void name_rules(const struct extra_targets *extra, struct move *move, const struct move *end)
{
    work_spend((uint64_t)(end - move) * (unsigned)extra->count);
    for (; move < end; move++)
        for (int i = 0; i < extra->count; i++)
            if (extra->list[i].to == move->to)
                move->rule = extra->list[i].rule;
}

static const uint32_t *row_start(const struct position *position, const uint32_t *starts,
                                 cell_index from)
{
    size_t row = (size_t)position->game->cell_count + 1;
    return starts + (size_t)(position->cells[from].code - 1) * row + from;
}

/* The simple candidates of the figure on `from`, one by one. */
static void interpret_simple(const struct position *position, cell_index from, uint64_t *targets)
{
    const struct game *game = position->game;
    const uint32_t *starts = row_start(position, game->candidate_starts, from);
    memset(targets, 0, (size_t)game->words * sizeof *targets);
    for (uint32_t i = starts[0]; i < starts[1] && work_spend(1); i++) {
        cell_index to = game->candidates[i].to;
        if (i > starts[0] && game->candidates[i - 1].to == to)
            continue;
        const struct candidate *candidate = rule_find_simple(position, from, to);
        if (candidate != NULL && rule_simple_legal(position, candidate, from))
            bits_set(targets, to);
    }
}

/* Complex movements count only where no simple one is legal; of several the first that fits. Without `extra` only
 * the targets are wanted. */
static void interpret_complex(const struct position *position, cell_index from, uint64_t *targets,
                              struct extra_targets *extra)
{
    const struct game *game = position->game;
    const uint32_t *starts = row_start(position, game->instance_starts, from);
    for (uint32_t i = starts[0]; i < starts[1] && work_spend(1); i++) {
        const struct complex_instance *instance = &game->instances[i];
        if (bits_test(targets, instance->to) || !rule_complex_legal(position, instance))
            continue;
        bits_set(targets, instance->to);
        if (extra == NULL)
            continue;
        extra->list[extra->count].to = instance->to;
        extra->list[extra->count].rule = (uint16_t)(i - starts[0] + 1);
        extra->count++;
    }
}

/* --- kernels, for each width ------------------------------------------------------------------ */

#define WORDS      1
#define NAME(name) name##_64
#include "engine/movegen_template.h"
#undef WORDS
#undef NAME

#define WORDS      2
#define NAME(name) name##_128
#include "engine/movegen_template.h"
#undef WORDS
#undef NAME

#define WORDS      4
#define NAME(name) name##_256
#include "engine/movegen_template.h"
#undef WORDS
#undef NAME

#define WORDS      16
#define NAME(name) name##_1024
#include "engine/movegen_template.h"
#undef WORDS
#undef NAME

/* --- the questions ---------------------------------------------------------------------------- */

/* Whose moves there are; PLAYER_NONE once the game has ended. */
static player_index generating_player(const struct position *position)
{
    if (position->ply >= position->game->max_plies)
        return PLAYER_NONE;
    return position_to_move(position);
}

int movegen_all(const struct position *position, struct move *moves)
{
    if (position->game->format == 2)
        return fast_moves_all(position, moves);
    player_index player = generating_player(position);
    if (player == PLAYER_NONE)
        return 0;
    switch (position->game->words) {
    case 1:
        return all_64(position, player, moves);
    case 2:
        return all_128(position, player, moves);
    case 4:
        return all_256(position, player, moves);
    default:
        return all_1024(position, player, moves);
    }
}

int movegen_from(const struct position *position, cell_index from, struct move *moves)
{
    assert(from < position->game->cell_count);
    if (position->game->format == 2)
        return fast_moves_from(position, from, moves);
    player_index player = generating_player(position);
    if (player == PLAYER_NONE || position_contents(position, from).player != player)
        return 0;
    switch (position->game->words) {
    case 1:
        return from_64(position, player, from, moves);
    case 2:
        return from_128(position, player, from, moves);
    case 4:
        return from_256(position, player, from, moves);
    default:
        return from_1024(position, player, from, moves);
    }
}

static uint64_t count_up_to(const struct position *position, uint64_t limit)
{
    player_index player = generating_player(position);
    if (player == PLAYER_NONE)
        return 0;
    switch (position->game->words) {
    case 1:
        return count_64(position, player, limit);
    case 2:
        return count_128(position, player, limit);
    case 4:
        return count_256(position, player, limit);
    default:
        return count_1024(position, player, limit);
    }
}

uint64_t movegen_count(const struct position *position)
{
    if (position->game->format == 2)
        return fast_moves_count(position);
    return count_up_to(position, UINT64_MAX);
}

bool movegen_any(const struct position *position)
{
    if (position->game->format == 2)
        return fast_moves_any(position);
    return count_up_to(position, 0) > 0;
}

int movegen_all_interpreted(const struct position *position, struct move *moves)
{
    if (position->game->format == 2)
        return interpreter_moves(position, moves);
    player_index player = generating_player(position);
    struct move *end = moves;
    for (int cell = 0; player != PLAYER_NONE && cell < position->game->cell_count; cell++) {
        cell_index from = (cell_index)cell;
        uint64_t targets[WORDS_MAX] = {0};
        if (position_contents(position, from).player != player)
            continue;
        interpret_simple(position, from, targets);
        end = write_complex_1024(position, from, targets, end);
    }
    return (int)(end - moves);
}

bool movegen_find(const struct position *position, cell_index from, cell_index to, uint8_t choice,
                  struct move *move)
{
    const struct game *game = position->game;
    if (game->format == 2)
        return fast_moves_find(position, from, to, choice, move);
    player_index player = generating_player(position);
    if (player == PLAYER_NONE || choice != CHOICE_NONE || from >= game->cell_count ||
        to >= game->cell_count || position_contents(position, from).player != player)
        return false;
    *move = (struct move){.from = from, .to = to, .choice = choice};
    const struct candidate *candidate = rule_find_simple(position, from, to);
    if (candidate != NULL && rule_simple_legal(position, candidate, from))
        return true;
    const uint32_t *starts = row_start(position, game->instance_starts, from);
    for (uint32_t i = starts[0]; i < starts[1] && work_spend(1); i++)
        if (game->instances[i].to == to && rule_complex_legal(position, &game->instances[i])) {
            move->rule = (uint16_t)(i - starts[0] + 1);
            return true;
        }
    return false;
}

/* --- picking ---------------------------------------------------------------------------------- */

bool movegen_pick(const struct position *position, uint64_t random, struct move *move)
{
    if (position->game->format == 2)
        return fast_moves_pick(position, random, move);
    uint64_t total = movegen_count(position);
    uint64_t index = (random >> 32) * total >> 32;
    struct move moves[CELLS_MAX];
    for (int cell = 0; total > 0 && cell < position->game->cell_count; cell++) {
        uint64_t here = (uint64_t)movegen_from(position, (cell_index)cell, moves);
        if (index < here) {
            *move = moves[index];
            return true;
        }
        index -= here;
    }
    assert(total == 0 || work_is_too_much());
    return false;
}
