/* The tables of groups of movements, which do the same in several directions. */
#include "engine/load/compile_fast.h"

#include <string.h>

/* Such a movement leads to one cell, or nowhere: all cells on the way there must be empty. */
static void add_lame(const struct game *game, const struct sketch *sketch, cell_index from,
                     struct table *entries)
{
    const struct movement *movement = sketch->movement;
    EACH_BIT (to, sketch->area + (size_t)from * (size_t)game->words, game->words) {
        uint64_t *entry = table_add(entries);
        for (int i = 0; i < movement->max_steps - 1; i++)
            bits_set(entry, compile_path(game, movement, from)[i]);
        for (int i = 0; i < movement->via_count; i++)
            bits_set(entry, movement->via[i][from]);
        bits_set(entry + game->words, (unsigned)to);
    }
}

/* Whether a step makes the number of a cell greater: lexicographic order decides. */
static bool rises(const struct game *game, const struct movement *movement)
{
    int i = 0;
    while (i < game->dimension_count - 1 && movement->delta.of[i] == 0)
        i++;
    return movement->delta.of[i] > 0;
}

/* The whole line of a movement that counts its steps, its cell included. */
static void fill_line(const struct movement *movement, cell_index from, uint64_t *cells)
{
    bits_set(cells, from);
    for (int way = 0; way < 2; way++)
        for (cell_index cell = movement->line[way][from]; cell != CELL_NONE;
             cell = movement->line[way][cell])
            bits_set(cells, cell);
}

/* A movement's ray from a cell, and which cells of it are targets; true: not all are. */
static bool fill_ray(const struct game *game, const struct sketch *sketch, cell_index from,
                     uint64_t *ray, uint64_t *mask)
{
    const cell_index *path = compile_path(game, sketch->movement, from);
    size_t words = (size_t)game->words;
    for (int i = compile_reach(game, sketch->movement, from) - 1; i >= 0; i--)
        bits_set(ray, path[i]);
    memcpy(mask, sketch->area + from * words, words * sizeof *mask);
    return memcmp(ray, mask, words * sizeof *mask) != 0;
}

static void fill_rays(struct game *game, struct fast_group *group, const struct sketch *sketches,
                      int count, int index)
{
    size_t words = (size_t)game->words;
    int taken[2] = {0};
    for (int i = 0; i < count; i++)
        if (sketches[i].group_index == index)
            taken[!rises(game, sketches[i].movement)]++;
    if (group->shape == FAST_SLIDE)
        taken[0] = taken[1] = taken[0] > taken[1] ? taken[0] : taken[1];
    group->rising = (uint16_t)taken[0];
    group->falling = (uint16_t)taken[1];
    size_t all = (size_t)taken[0] + (size_t)taken[1];
    size_t size = (size_t)game->cell_count * all * words;
    uint64_t *rays = game_allocate(game, size, sizeof *rays), *lines = NULL;
    uint64_t *masks = compile_allocate(game, size, sizeof *masks);
    if (group->shape == FAST_COUNTED)
        lines = game_allocate(game, size, sizeof *lines);
    for (int cell = 0; cell < game->cell_count; cell++) {
        size_t places[2] = {0, (size_t)taken[0]};
        for (int i = 0; i < count; i++) {
            if (sketches[i].group_index != index)
                continue;
            size_t place = places[!rises(game, sketches[i].movement)]++;
            size_t at = ((size_t)cell * all + place) * words;
            group->masked |= fill_ray(game, &sketches[i], (cell_index)cell, rays + at, masks + at);
            if (lines != NULL)
                fill_line(sketches[i].movement, (cell_index)cell, lines + at);
        }
    }
    group->table = rays;
    group->lines = lines;
    if (group->masked || group->shape != FAST_SLIDE)
        group->masks = game_copy(game, masks, size, sizeof *masks);
    compile_free(game, masks);
}

static void fill_entries(struct game *game, struct fast_group *group, const struct sketch *sketches,
                         int count, int index)
{
    struct table entries;
    uint32_t *starts = game_allocate(game, (size_t)game->cell_count + 1, sizeof *starts);
    table_init(&entries, game, 2 * (size_t)game->words * sizeof(uint64_t));
    for (int cell = 0; cell < game->cell_count; cell++) {
        for (int i = 0; i < count; i++)
            if (sketches[i].group_index == index)
                add_lame(game, &sketches[i], (cell_index)cell, &entries);
        starts[cell + 1] = (uint32_t)entries.count;
    }
    group->table = table_finish(&entries);
    group->starts = starts;
}

void compile_fast_group(struct game *game, struct fast_group *group, const struct sketch *sketches,
                        int count, int index)
{
    size_t size = (size_t)game->cell_count * (size_t)game->words;
    if (group->shape == FAST_LAME) {
        fill_entries(game, group, sketches, count, index);
    } else if (group->shape != FAST_LEAP) {
        fill_rays(game, group, sketches, count, index);
    } else {
        uint64_t *targets = game_allocate(game, size, sizeof *targets);
        for (int i = 0; i < count; i++)
            for (size_t k = 0; sketches[i].group_index == index && k < size; k++)
                targets[k] |= sketches[i].area[k];
        group->table = targets;
    }
}
