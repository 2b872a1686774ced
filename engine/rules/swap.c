/* The pie rule: two players swap sides. */
#include "engine/rules/change.h"

#include <string.h>

static struct cell_record of_the_other(const struct game *game, struct cell_record record)
{
    if (record.code != 0)
        record.code = game_code(game, game->code_figures[record.code],
                                (player_index)(1 - game->code_players[record.code]));
    return record;
}

/* What has never moved stands where the game began with a figure like it, before and after. */
static void put_image(struct making *making, cell_index cell, struct cell_record record)
{
    struct position *position = making->position;
    if (memcmp(&record, &position->cells[cell], sizeof record) == 0)
        return;
    position_change(position, making->undo, cell, record);
    if (record.unmoved != 0)
        position_set_unmoved(position, cell);
}

/* The mirror is its own inverse: two cells exchange what stands there. */
static void swap_figures(struct making *making)
{
    struct position *position = making->position;
    const struct game *game = position->game;
    for (int cell = 0; cell < game->cell_count; cell++) {
        int other = game->mirror != NULL ? game->mirror[cell] : cell;
        if (other < cell)
            continue;
        struct cell_record here = of_the_other(game, position->cells[other]);
        struct cell_record there = of_the_other(game, position->cells[cell]);
        put_image(making, (cell_index)cell, here);
        put_image(making, (cell_index)other, there);
    }
}

static void swap_hands(struct position *position)
{
    const struct game *game = position->game;
    for (int figure = 0; figure < game->figure_count && game->has_hands; figure++) {
        unsigned first = position_held(position, 0, (figure_index)figure);
        unsigned second = position_held(position, 1, (figure_index)figure);
        position_keep(position, game_code(game, (figure_index)figure, 0) - 1U, second);
        position_keep(position, game_code(game, (figure_index)figure, 1) - 1U, first);
    }
}

static void swap_counters(struct position *position)
{
    const struct game *game = position->game;
    for (int i = 0; i < game->counter_count; i++) {
        int16_t *slots = &position->turn.counters[game->counters[i].first_slot];
        if (!game->counters[i].per_player)
            continue;
        int16_t first = slots[0];
        slots[0] = slots[1];
        slots[1] = first;
    }
}

void change_sides(struct making *making)
{
    swap_figures(making);
    swap_hands(making->position);
    swap_counters(making->position);
}
