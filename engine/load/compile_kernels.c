#include "engine/load/compile_kernels.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* --- laying out ------------------------------------------------------------------------------- */

static uint32_t store_words(struct kernel *kernel, const uint64_t *words, size_t count)
{
    struct pool *pool = &kernel->compiler->kernel_words;
    size_t offset = pool_add(pool, words, count * sizeof *words);
    kernel->refused |= pool->bytes.full;
    return (uint32_t)(offset / sizeof *words);
}

/* How many rays of one sense any cell has. */
static int rays_per_cell(const struct table *rays, bool falling)
{
    const struct ray_draft *list = (const void *)rays->items;
    int most = 0, here = 0;
    for (size_t i = 0; i < rays->count; i++) {
        here = i > 0 && list[i].from == list[i - 1].from ? here : 0;
        here += list[i].falling == falling;
        most = here > most ? here : most;
    }
    return most;
}

/* Rays come cell by cell, so a cell's rays of one sense take the places one after the other. */
static void store_rays(struct kernel *kernel, struct slide_draft *draft)
{
    const struct game *game = kernel->compiler->game;
    const struct ray_draft *list = (const void *)draft->rays.items;
    int rising = rays_per_cell(&draft->rays, false), falling = rays_per_cell(&draft->rays, true);
    if (rising > UINT8_MAX || falling > UINT8_MAX) {
        kernel->refused = true;
        return;
    }
    draft->group.rising = (uint8_t)rising;
    draft->group.falling = (uint8_t)falling;
    size_t words = (size_t)game->words, per_cell = (size_t)(rising + falling) * words;
    size_t count = (size_t)game->cell_count * per_cell;
    uint64_t *cells = compile_allocate(kernel->compiler->game, count, sizeof *cells);
    uint64_t *targets = compile_allocate(kernel->compiler->game, count, sizeof *targets);
    size_t taken[2] = {0};
    for (size_t i = 0; i < draft->rays.count; i++) {
        if (i == 0 || list[i].from != list[i - 1].from)
            taken[0] = taken[1] = 0;
        size_t place = taken[list[i].falling]++ + (list[i].falling ? (size_t)rising : 0);
        size_t at = (size_t)list[i].from * per_cell + place * words;
        memcpy(cells + at, list[i].cells, words * sizeof *cells);
        memcpy(targets + at, list[i].targets, words * sizeof *targets);
    }
    struct slide_entry entry = {.group = draft->group};
    entry.rays = store_words(kernel, cells, count);
    if (entry.group.masked)
        entry.masks = store_words(kernel, targets, count);
    memcpy(table_add(&kernel->compiler->slides, 1), &entry, sizeof entry);
    compile_free(kernel->compiler->game, cells);
    compile_free(kernel->compiler->game, targets);
}

static void store_variant(struct kernel *kernel, struct variant_draft *draft)
{
    struct compiler *compiler = kernel->compiler;
    const struct game *game = compiler->game;
    struct variant_entry variant = {
        .first_leap = (uint32_t)compiler->leaps.count,
        .leap_count = (uint16_t)draft->leap_count,
        .first_slide = (uint32_t)compiler->slides.count,
        .slide_count = (uint16_t)draft->slide_count,
    };
    for (int i = 0; i < draft->leap_count; i++) {
        struct leap_entry leap = {.accept = draft->leaps[i].accept};
        leap.table = store_words(kernel, draft->leaps[i].cells,
                                 (size_t)game->cell_count * (size_t)game->words);
        memcpy(table_add(&compiler->leaps, 1), &leap, sizeof leap);
    }
    for (int i = 0; i < draft->slide_count; i++)
        store_rays(kernel, &draft->slides[i]);
    memcpy(table_add(&compiler->variants, 1), &variant, sizeof variant);
}

static void release_variant(struct game *game, struct variant_draft *draft)
{
    for (int i = 0; i < draft->leap_count; i++)
        compile_free(game, draft->leaps[i].cells);
    for (int i = 0; i < draft->slide_count; i++)
        table_release(&draft->slides[i].rays);
}

static void compile_variant(struct kernel *kernel)
{
    struct game *game = kernel->compiler->game;
    struct variant_draft *draft = compile_allocate(game, 1, sizeof *draft);
    kernel_draft_variant(kernel, draft);
    if (!kernel->refused)
        store_variant(kernel, draft);
    release_variant(game, draft);
    compile_free(game, draft);
}

/* --- recognising ------------------------------------------------------------------------------ */

static void note_guard(struct kernel *kernel, struct history_atom atom)
{
    if (atom.kind == HISTORY_TARGET_MOVES_MADE || atom.kind == HISTORY_TARGET_LAST_MOVE) {
        kernel->refused = true;
        return;
    }
    for (int i = 0; i < kernel->guard_count; i++)
        if (kernel->guards[i].kind == atom.kind && kernel->guards[i].value == atom.value)
            return;
    if (kernel->guard_count == GUARDS_MAX)
        kernel->refused = true;
    else
        kernel->guards[kernel->guard_count++] = atom;
}

static void note_conditions(struct kernel *kernel, uint32_t first, uint32_t count)
{
    const struct compiler *compiler = kernel->compiler;
    const struct rule_condition *conditions =
        COMPILER_ITEMS(compiler, conditions, struct rule_condition);
    const struct history_atom *atoms = COMPILER_ITEMS(compiler, atoms, struct history_atom);
    for (uint32_t i = first; i < first + count; i++)
        for (uint32_t k = 0; k < conditions[i].atom_count; k++)
            note_guard(kernel, atoms[conditions[i].first_atom + k]);
}

static void note_sets(struct kernel *kernel, uint32_t first, uint32_t count)
{
    const struct rule_set *sets = COMPILER_ITEMS(kernel->compiler, sets, struct rule_set);
    for (uint32_t i = first; i < first + count; i++)
        note_conditions(kernel, sets[i].first_condition, sets[i].condition_count);
}

/* A movement's `if` that looks at what stands on the target has no kernel. */
static void note_guard_contents(struct kernel *kernel, const struct rule *rule)
{
    const struct rule_condition *conditions =
        COMPILER_ITEMS(kernel->compiler, conditions, struct rule_condition) + rule->first_guard;
    for (uint32_t i = 0; rule->guarded && i < rule->guard_count; i++)
        if (conditions[i].contents != kernel->compiler->contents_all)
            kernel->refused = true;
}

static void recognise(struct kernel *kernel)
{
    const struct compiler *compiler = kernel->compiler;
    const struct game *game = compiler->game;
    const struct movement_list *list =
        &compiler->definition->figures[game->code_figures[kernel->mover + 1]]
             .movement[kernel->player];
    const struct rule *rules =
        COMPILER_ITEMS(compiler, rules, struct rule) + compiler->mover_rules[kernel->mover];
    for (int i = 0; i < list->count && !kernel->refused; i++) {
        note_guard_contents(kernel, &rules[i]);
        if (rules[i].guarded)
            note_conditions(kernel, rules[i].first_guard, rules[i].guard_count);
        note_sets(kernel, rules[i].first_destination, rules[i].destination_count);
        note_sets(kernel, rules[i].first_transition, rules[i].transition_count);
    }
}

void compile_kernels(struct compiler *compiler)
{
    const struct game *game = compiler->game;
    for (int i = 0; i < game->mover_count; i++) {
        struct kernel kernel = {
            .compiler = compiler, .mover = i, .player = game->code_players[i + 1]};
        struct mover_entry entry = {.first_variant = (uint32_t)compiler->variants.count};
        compile_memory_for_figure(compiler->game, game->code_figures[i + 1]);
        recognise(&kernel);
        for (unsigned v = 0; v < 1U << kernel.guard_count && !kernel.refused; v++) {
            kernel.variant = v;
            compile_variant(&kernel);
        }
        entry.mover.recognised = !kernel.refused;
        entry.mover.guard_count = (uint8_t)kernel.guard_count;
        memcpy(entry.mover.guards, kernel.guards, sizeof entry.mover.guards);
        memcpy(table_add(&compiler->movers, 1), &entry, sizeof entry);
    }
}
