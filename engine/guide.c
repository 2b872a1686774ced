#include "engine/guide.h"

#include "engine/memory/memory.h"
#include "engine/movegen.h"
#include "engine/rules/condition.h"
#include "engine/state.h"
#include "engine/work.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Puts it there alone, its player to move; false: that player never moves. */
static bool stand(struct position *position, cell_index cell, struct contents contents)
{
    const struct game *game = position->game;
    int i = 0;
    while (i < game->state_count &&
           (game->states[i].kind != MACHINE_MOVE || game->states[i].player != contents.player))
        i++;
    position_clear(position);
    position_put(position, cell, contents);
    if (i == game->state_count || !position_set_turn(position, (state_index)i, 1))
        return false;
    /* a figure alone may be a draw, or the end of who has none, with whom it may have left the board: not here */
    position->turn.state = (state_index)i;
    position->turn.result = 0;
    position->turn.finished = position->turn.place_count = position->turn.out_count = 0;
    position_put(position, cell, contents);
    return true;
}

static void find_moves(struct position *position, cell_index cell, struct move *moves,
                       uint64_t *cells)
{
    int count = movegen_from(position, cell, moves);
    memset(cells, 0, WORDS_MAX * sizeof *cells);
    for (int i = 0; i < count; i++)
        if (moves[i].to != CELL_NONE)
            bits_set(cells, moves[i].to);
}

static void find_takes(const struct position *position, struct contents contents, uint64_t *cells)
{
    const struct game *game = position->game;
    player_index enemy = contents.player == 0 ? 1 : 0;
    memset(cells, 0, WORDS_MAX * sizeof *cells);
    for (int cell = 0; cell < game->cell_count && game->format == 2 && game->player_count > 1;
         cell++)
        if (position->cells[cell].code == 0 &&
            condition_cell_attacked(position, (cell_index)cell, enemy,
                                    (uint64_t)1 << contents.figure, NULL))
            bits_set(cells, (unsigned)cell);
}

static double distance_from_middle(const struct game *game, int cell)
{
    double x = 0, y = 0;
    for (int i = 0; i < game->cell_count; i++) {
        x += game->cells[i].layout.x / game->cell_count;
        y += game->cells[i].layout.y / game->cell_count;
    }
    return hypot(game->cells[cell].layout.x - x, game->cells[cell].layout.y - y);
}

static cell_index best_cell(struct position *scratch, struct contents contents, uint64_t work_max,
                            struct move *moves)
{
    const struct game *game = scratch->game;
    uint64_t before = work_spent();
    cell_index best = CELL_NONE;
    int most = -1;
    double nearest = 0;
    for (int cell = 0; cell < game->cell_count && work_spent() - before < work_max; cell++) {
        if (!stand(scratch, (cell_index)cell, contents))
            continue;
        uint64_t cells[WORDS_MAX];
        find_moves(scratch, (cell_index)cell, moves, cells);
        int count = bits_count(cells, WORDS_MAX);
        if (count < most)
            continue;
        double distance = distance_from_middle(game, cell);
        if (count == most && distance >= nearest)
            continue;
        best = (cell_index)cell;
        most = count;
        nearest = distance;
    }
    return best;
}

bool guide_of(struct position *scratch, player_index player, figure_index figure, uint64_t work_max,
              struct guide *guide)
{
    const struct game *game = scratch->game;
    struct contents contents = {.player = player, .figure = figure};
    struct move *moves = memory_bytes(((size_t)game->moves_max + 1) * sizeof *moves);
    guide->cell = best_cell(scratch, contents, work_max, moves);
    bool stands = guide->cell != CELL_NONE && stand(scratch, guide->cell, contents);
    if (stands) {
        find_moves(scratch, guide->cell, moves, guide->moves);
        find_takes(scratch, contents, guide->takes);
    }
    free(moves);
    return stands && (!bits_empty(guide->moves, WORDS_MAX) || !bits_empty(guide->takes, WORDS_MAX));
}
