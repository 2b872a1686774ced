#include "tests/engine/modern_parts.h"
#include "tests/engine/modern_reader.h"

#include <string.h>

bool may_swap(const struct modern *game, const struct modern_position *position)
{
    player_index player = modern_to_move(game, position);
    return is_true(say(game, game->root, "pie")) && position->may_swap && player != PLAYER_NONE &&
           player != game->states[game->first_state].player && position->active == CELL_NONE;
}

/* Where the second player has what the first one has on the cell. */
static cell_index image_of(const struct modern *game, int cell)
{
    int coordinates[DIMENSIONS_MAX] = {0};
    memcpy(coordinates, game_facts(game->loaded)->cells[cell].coordinates,
           sizeof(int) * (size_t)game->dimensions);
    mirror(game, 1, false, coordinates);
    return game_cell_at(game->loaded, coordinates);
}

static void swap_counters(const struct modern *game, const struct modern_position *before,
                          struct modern_position *after)
{
    for (int slot = 0; slot < game_facts(game->loaded)->counter_slot_count; slot++) {
        player_index whose;
        const char *name = game_counter_name(game->loaded, slot, &whose);
        for (int other = 0; other < game_facts(game->loaded)->counter_slot_count; other++) {
            player_index other_player;
            bool same = strcmp(game_counter_name(game->loaded, other, &other_player), name) == 0;
            if (same && other_player != whose)
                after->counters[slot] = before->counters[other];
        }
    }
}

void swap_sides(const struct modern *game, struct modern_position *position)
{
    const struct modern_position before = *position;
    for (int cell = 0; cell < game->cells; cell++) {
        struct modern_piece piece = before.cells[cell];
        if (piece.figure != FIGURE_NONE)
            piece.player = (player_index)(1 - piece.player);
        position->cells[image_of(game, cell)] = piece;
    }
    memcpy(position->hands[0], before.hands[1], sizeof before.hands[0]);
    memcpy(position->hands[1], before.hands[0], sizeof before.hands[0]);
    swap_counters(game, &before, position);
}
