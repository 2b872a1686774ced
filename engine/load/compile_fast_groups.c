/* The tables of groups of movements, which do the same in several directions. */
#include "engine/load/compile_fast_sketch.h"

/* A group on its way. Ways of all its movements from one cell come one after the other. */
struct group_draft {
    struct fast_compiler *compiler;
    struct fast_group *group;
    int mover;
    uint64_t *table;
    const uint64_t *masks; /* of SLIDE only where rays are masked */
    struct table entries;  /* LAME */
    const struct sketch *sketch;
    uint64_t *ray, *mask;
};

static void visit_ray(void *context, const struct fast_way *way)
{
    struct group_draft *draft = context;
    bits_set(draft->ray, way->to);
    if (sketch_leads(draft->sketch, way))
        bits_set(draft->mask, way->to);
    else
        draft->group->masked = true;
}

static void visit_lame(void *context, const struct fast_way *way)
{
    struct group_draft *draft = context;
    size_t words = (size_t)draft->compiler->game->words;
    const struct movement *movement = draft->sketch->movement;
    if (!sketch_leads(draft->sketch, way))
        return;
    uint64_t *entry = table_add(&draft->entries, 1);
    for (int i = 0; i < way->steps - 1; i++)
        bits_set(entry, way->path[i]);
    for (int i = 0; i < movement->via_count; i++)
        bits_set(entry, movement->via[i][way->from]);
    bits_set(entry + words, way->to);
}

/* Whether a step makes the number of a cell greater: lexicographic order decides. */
static bool rises(const struct fast_compiler *compiler, const struct movement *movement)
{
    int i = 0;
    while (i < compiler->game->dimension_count - 1 && movement->delta.of[i] == 0)
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

static void fill_rays(struct group_draft *draft, const struct sketch *sketches, int count,
                      int group)
{
    struct fast_compiler *compiler = draft->compiler;
    struct game *game = compiler->game;
    size_t words = (size_t)game->words;
    int taken[2] = {0};
    for (int i = 0; i < count; i++)
        if (sketches[i].group_index == group)
            taken[!rises(compiler, sketches[i].movement)]++;
    draft->group->rising = (uint16_t)taken[0];
    draft->group->falling = (uint16_t)taken[1];
    size_t all = (size_t)taken[0] + (size_t)taken[1];
    size_t size = (size_t)game->cell_count * all * words;
    draft->table = game_allocate(compiler->game, size, sizeof *draft->table);
    uint64_t *masks = compile_allocate(compiler->game, size, sizeof *masks), *lines = NULL;
    if (draft->group->shape == FAST_COUNTED)
        draft->group->lines = lines = game_allocate(compiler->game, size, sizeof *lines);
    for (int cell = 0; cell < game->cell_count; cell++) {
        size_t places[2] = {0, (size_t)taken[0]};
        for (int i = 0; i < count; i++) {
            if (sketches[i].group_index != group)
                continue;
            size_t place = places[!rises(compiler, sketches[i].movement)]++;
            size_t at = ((size_t)cell * all + place) * words;
            draft->ray = draft->table + at;
            draft->mask = masks + at;
            if (lines != NULL)
                fill_line(sketches[i].movement, (cell_index)cell, lines + at);
            draft->sketch = &sketches[i];
            compile_fast_ways(compiler, sketches[i].movement, draft->mover, (cell_index)cell,
                              visit_ray, draft);
        }
    }
    if (draft->group->masked || draft->group->shape != FAST_SLIDE)
        draft->masks = game_copy(compiler->game, masks, size, sizeof *masks);
    compile_free(compiler->game, masks);
}

static void fill_entries(struct group_draft *draft, const struct sketch *sketches, int count,
                         int group)
{
    struct fast_compiler *compiler = draft->compiler;
    struct game *game = compiler->game;
    uint32_t *starts = game_allocate(game, (size_t)game->cell_count + 1, sizeof *starts);
    table_init(&draft->entries, game, 2 * (size_t)game->words * sizeof(uint64_t));
    for (int cell = 0; cell < game->cell_count; cell++) {
        starts[cell] = (uint32_t)draft->entries.count;
        for (int i = 0; i < count; i++) {
            if (sketches[i].group_index != group)
                continue;
            draft->sketch = &sketches[i];
            compile_fast_ways(compiler, sketches[i].movement, draft->mover, (cell_index)cell,
                              visit_lame, draft);
        }
    }
    starts[game->cell_count] = (uint32_t)draft->entries.count;
    draft->table = table_finish(&draft->entries, game);
    draft->group->starts = starts;
}

void compile_fast_group(struct fast_compiler *compiler, struct fast_group *group,
                        const struct sketch *sketches, int count, int index, int mover)
{
    size_t words = (size_t)compiler->game->words, cells = (size_t)compiler->game->cell_count;
    struct group_draft draft = {.compiler = compiler, .group = group, .mover = mover};
    if (group->shape == FAST_LEAP) {
        draft.table = game_allocate(compiler->game, cells * words, sizeof *draft.table);
        for (int i = 0; i < count; i++)
            for (size_t k = 0; sketches[i].group_index == index && k < cells * words; k++)
                draft.table[k] |= sketches[i].area[k];
    } else if (group->shape != FAST_LAME) {
        fill_rays(&draft, sketches, count, index);
    } else {
        fill_entries(&draft, sketches, count, index);
    }
    group->table = draft.table;
    group->masks = draft.masks;
}
