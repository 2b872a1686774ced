/* What a position of format 2 has beside the board, its turn (turn.h), is a part of its hash and of setting it up. These functions of position.h are apart from position.c, so that nothing a position is made of knows of turns. */
#include "engine/rules/result.h"
#include "engine/rules/turn.h"
#include "engine/work.h"

#include <assert.h>
#include <string.h>

uint64_t position_hash(const struct position *position)
{
    uint64_t hash =
        position->hash ^ position->unmoved_hash ^ hash_turn(position->state, position->move_number);
    return position->game->format == 2 ? hash ^ turn_hash(position) : hash;
}

/* --- setting up ------------------------------------------------------------------------------- */

void position_clear(struct position *position)
{
    const struct game *game = position->game;
    memset(&position->hash, 0, position_value_bytes(game));
    position->state = game->initial_state;
    position->move_number = game->initial_move_number;
    position->winner = game->states[position->state].winner;
    if (game->format == 2)
        turn_clear(position);
}

void position_reset(struct position *position)
{
    const struct game *game = position->game;
    position_clear(position);
    for (int cell = 0; cell < game->cell_count; cell++) {
        struct cell_record record = {.code = game->start[cell]};
        if (record.code == 0)
            continue;
        position_write(position, (cell_index)cell, record);
        if (game->format == 2)
            position_set_unmoved(position, (cell_index)cell);
    }
    if (game->format != 2)
        return;
    struct work_stretch stretch = work_begin(WORK_AGAIN_MAX);
    result_begin(position);
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
    position->state = state;
    position->move_number = move_number;
    position->winner = states[state].winner;
    if (position->game->format == 2)
        result_begin(position);
    return true;
}
