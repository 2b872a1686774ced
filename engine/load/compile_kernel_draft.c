/* One variant of a kernel: what each rule says of one cell becomes leaps and slides. */
#include "engine/load/compile_kernels.h"
#include "engine/work.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Conditions looked at for all kernels together. A game that would need more is played by the
 * interpreter. */
enum { KERNEL_WORK_MAX = 32 * 1024 * 1024 };

static void work(struct kernel *kernel, size_t amount)
{
    kernel->compiler->kernel_work += amount;
    work_spend(amount);
    kernel->refused |= kernel->compiler->kernel_work > KERNEL_WORK_MAX;
}

static bool guard_holds(const struct kernel *kernel, struct history_atom atom)
{
    for (int i = 0; i < kernel->guard_count; i++)
        if (kernel->guards[i].kind == atom.kind && kernel->guards[i].value == atom.value)
            return (kernel->variant >> i & 1) != 0;
    assert(false);
    return false;
}

/* Whether the condition is still open for a figure on `from`: its place and its history agree. */
static bool condition_active(struct kernel *kernel, const struct rule_condition *condition,
                             cell_index from)
{
    const struct compiler *compiler = kernel->compiler;
    const struct history_atom *atoms =
        COMPILER_ITEMS(compiler, atoms, struct history_atom) + condition->first_atom;
    work(kernel, 1);
    if (!bits_test(compiler_cell_set(compiler, condition->self_cells), from))
        return false;
    for (uint32_t i = 0; i < condition->atom_count; i++)
        if (!guard_holds(kernel, atoms[i]))
            return false;
    return true;
}

/* A list of sets on one cell: the contents for which something matches that does not cancel, and
 * those for which something cancels. */
struct reaction {
    uint64_t matches[CONTENTS_WORDS_MAX], cancels[CONTENTS_WORDS_MAX];
    bool hole_matches, hole_cancels;
};

static void react(struct kernel *kernel, uint32_t first, uint32_t count, cell_index from,
                  cell_index cell, struct reaction *reaction)
{
    const struct compiler *compiler = kernel->compiler;
    const struct rule_set *sets = COMPILER_ITEMS(compiler, sets, struct rule_set);
    const struct rule_condition *conditions =
        COMPILER_ITEMS(compiler, conditions, struct rule_condition);
    int words = compiler->game->contents_words;
    memset(reaction, 0, sizeof *reaction);
    for (uint32_t i = first; i < first + count; i++) {
        uint64_t *contents = sets[i].cancels ? reaction->cancels : reaction->matches;
        bool *hole = sets[i].cancels ? &reaction->hole_cancels : &reaction->hole_matches;
        for (uint32_t k = 0; k < sets[i].condition_count; k++) {
            const struct rule_condition *condition = &conditions[sets[i].first_condition + k];
            if (!condition_active(kernel, condition, from))
                continue;
            *hole |= condition->on_hole;
            if (!bits_test(compiler_cell_set(compiler, condition->target_cells), cell))
                continue;
            const uint64_t *more = compiler_contents(compiler, condition->contents);
            for (int w = 0; w < words; w++)
                contents[w] |= more[w];
        }
    }
}

/* --- leaps ---------------------------------------------------------------------------------------- */

static void add_leap(struct kernel *kernel, struct variant_draft *draft, uint32_t contents,
                     cell_index from, cell_index to)
{
    const struct game *game = kernel->compiler->game;
    uint16_t accept = kernel_board_set_of_class(kernel, contents);
    int i = 0;
    while (i < draft->leap_count && draft->leaps[i].accept != accept)
        i++;
    if (i == draft->leap_count) {
        if (i == SPANS_MAX) {
            kernel->refused = true;
            return;
        }
        draft->leaps[i].accept = accept;
        draft->leaps[i].cells =
            compile_allocate(kernel->compiler->game, (size_t)game->cell_count * (size_t)game->words,
                             sizeof *draft->leaps[i].cells);
        draft->leap_count++;
    }
    bits_set(draft->leaps[i].cells + (size_t)from * (size_t)game->words, to);
}

/* Takes from one contents set what is in another; the index of the rest. */
static uint32_t contents_without(struct compiler *compiler, const uint64_t *contents,
                                 const uint64_t *without)
{
    uint64_t rest[CONTENTS_WORDS_MAX];
    for (int i = 0; i < compiler->game->contents_words; i++)
        rest[i] = contents[i] & ~without[i];
    return compile_contents_set(compiler, rest);
}

static void draft_leap(struct kernel *kernel, struct variant_draft *draft, const struct rule *rule,
                       cell_index from, cell_index to)
{
    struct compiler *compiler = kernel->compiler;
    struct reaction reaction;
    react(kernel, rule->first_destination, rule->destination_count, from, to, &reaction);
    uint32_t accept = contents_without(compiler, reaction.matches, reaction.cancels);
    if (!bits_empty(compiler_contents(compiler, accept), compiler->game->contents_words))
        add_leap(kernel, draft, accept, from, to);
}

/* --- slides --------------------------------------------------------------------------------------- */

/* A class for every cell, put together to a board set: equal classes share a part. */
struct class_map {
    struct part_entry parts[SPANS_MAX];
    uint64_t cells[SPANS_MAX][WORDS_MAX];
    size_t count;
};

static void map_cell(struct kernel *kernel, struct class_map *map, uint32_t contents,
                     cell_index cell)
{
    struct compiler *compiler = kernel->compiler;
    if (bits_empty(compiler_contents(compiler, contents), compiler->game->contents_words))
        return;
    uint32_t class = compile_class(compiler, contents);
    work(kernel, 1 + compiler->classes.count / 16);
    size_t i = 0;
    while (i < map->count && map->parts[i].contents_class != class)
        i++;
    if (i == SPANS_MAX) {
        kernel->refused = true;
        return;
    }
    if (i == map->count) {
        memset(map->cells[i], 0, sizeof map->cells[i]);
        map->parts[i].contents_class = class;
        map->count++;
    }
    bits_set(map->cells[i], cell);
}

static void finish_map(struct kernel *kernel, struct class_map *map)
{
    for (size_t i = 0; i < map->count; i++)
        map->parts[i].cells = compile_cell_set(kernel->compiler, map->cells[i]);
}

static bool same_map(const struct class_map *a, const struct class_map *b)
{
    return a->count == b->count &&
           (a->count == 0 || memcmp(a->parts, b->parts, a->count * sizeof *a->parts) == 0);
}

/* What a rule with a path makes of every cell. */
struct slide_maps {
    struct class_map block, take;  /* between */
    struct class_map accept, open; /* at the end: what is taken, and what is not forbidden */
};

static void map_rule(struct kernel *kernel, const struct rule *rule, cell_index from,
                     struct slide_maps *maps)
{
    struct compiler *compiler = kernel->compiler;
    const uint64_t nothing[CONTENTS_WORDS_MAX] = {0};
    uint64_t all[CONTENTS_WORDS_MAX];
    memcpy(all, compiler_contents(compiler, compiler->contents_all),
           (size_t)compiler->game->contents_words * sizeof *all);
    for (int cell = 0; cell < compiler->game->cell_count && !kernel->refused; cell++) {
        struct reaction reaction;
        cell_index at = (cell_index)cell;
        react(kernel, rule->first_transition, rule->transition_count, from, at, &reaction);
        map_cell(kernel, &maps->block, contents_without(compiler, reaction.cancels, nothing), at);
        map_cell(kernel, &maps->take, contents_without(compiler, reaction.matches, nothing), at);
        react(kernel, rule->first_destination, rule->destination_count, from, at, &reaction);
        map_cell(kernel, &maps->accept,
                 contents_without(compiler, reaction.matches, reaction.cancels), at);
        map_cell(kernel, &maps->open, contents_without(compiler, all, reaction.cancels), at);
    }
    finish_map(kernel, &maps->block);
    finish_map(kernel, &maps->take);
    finish_map(kernel, &maps->accept);
    finish_map(kernel, &maps->open);
}

/* The board sets of a rule for a figure on `from`. What is taken on the way matters only where it makes a target
 * legal that would not be anyway. */
static struct slide_group slide_sets(struct kernel *kernel, const struct rule *rule,
                                     cell_index from)
{
    struct slide_maps *maps = compile_allocate(kernel->compiler->game, 1, sizeof *maps);
    map_rule(kernel, rule, from, maps);
    struct slide_group group = {
        .block = kernel_board_set(kernel, maps->block.parts, maps->block.count),
        .accept = kernel_board_set(kernel, maps->accept.parts, maps->accept.count),
        .shooting = maps->take.count > 0 && !same_map(&maps->accept, &maps->open),
    };
    if (group.shooting) {
        group.take = kernel_board_set(kernel, maps->take.parts, maps->take.count);
        group.free = kernel_board_set(kernel, maps->open.parts, maps->open.count);
    }
    compile_free(kernel->compiler->game, maps);
    return group;
}

/* Whether some condition of these sets depends on where the figure stands. */
static bool self_cells_matter(const struct compiler *compiler, uint32_t first, uint32_t count)
{
    const struct rule_set *sets = COMPILER_ITEMS(compiler, sets, struct rule_set);
    const struct rule_condition *conditions =
        COMPILER_ITEMS(compiler, conditions, struct rule_condition);
    for (uint32_t i = first; i < first + count; i++)
        for (uint32_t k = 0; k < sets[i].condition_count; k++)
            if (conditions[sets[i].first_condition + k].self_cells != CELL_SET_ALL)
                return true;
    return false;
}

static struct slide_group find_slide_sets(struct kernel *kernel, struct variant_draft *draft,
                                          const struct rule *rule, cell_index from)
{
    const struct compiler *compiler = kernel->compiler;
    for (int i = 0; i < draft->known_count; i++)
        if (draft->known[i].rule == rule)
            return draft->known[i].group;
    struct slide_group group = slide_sets(kernel, rule, from);
    bool everywhere =
        !self_cells_matter(compiler, rule->first_destination, rule->destination_count) &&
        !self_cells_matter(compiler, rule->first_transition, rule->transition_count);
    if (everywhere && draft->known_count < SPANS_MAX)
        draft->known[draft->known_count++] = (struct known_sets){.rule = rule, .group = group};
    return group;
}

/* Fills in a ray up to the hole that blocks it, if any. A hole that makes moves legal beyond it has
 * no kernel. */
static void trace_ray(struct kernel *kernel, const struct rule *rule, cell_index from,
                      const struct candidate *last, struct ray_draft *ray)
{
    struct compiler *compiler = kernel->compiler;
    struct reaction reaction;
    react(kernel, rule->first_transition, rule->transition_count, from, from, &reaction);
    const cell_index *path = COMPILER_ITEMS(compiler, paths, cell_index) + last->path;
    for (int i = 0; i < last->steps; i++) {
        if (path[i] != CELL_NONE) {
            bits_set(ray->cells, path[i]);
            continue;
        }
        if (reaction.hole_cancels)
            break;
        kernel->refused |= reaction.hole_matches;
    }
    for (int i = 0; i < compiler->game->words; i++)
        ray->targets[i] &= ray->cells[i];
}

static void add_ray(struct kernel *kernel, struct variant_draft *draft, struct slide_group group,
                    const struct ray_draft *ray)
{
    struct game *game = kernel->compiler->game;
    size_t bytes = (size_t)game->words * sizeof *ray->cells;
    group.masked = memcmp(ray->cells, ray->targets, bytes) != 0;
    int i = 0;
    for (; i < draft->slide_count; i++) {
        const struct slide_group *known = &draft->slides[i].group;
        if (known->block == group.block && known->accept == group.accept &&
            known->take == group.take && known->free == group.free &&
            known->shooting == group.shooting && known->masked == group.masked)
            break;
    }
    if (i == SPANS_MAX) {
        kernel->refused = true;
        return;
    }
    if (i == draft->slide_count) {
        draft->slides[i].group = group;
        table_init(&draft->slides[i].rays, kernel->compiler->game, sizeof *ray, CANDIDATES_MAX);
        draft->slide_count++;
    }
    memcpy(table_add(&draft->slides[i].rays, 1), ray, sizeof *ray);
}

/* One ray of one rule: `list` are the candidates of `from` that decide in this variant. */
static void draft_ray(struct kernel *kernel, struct variant_draft *draft, cell_index from,
                      const struct candidate *list, size_t count, size_t first)
{
    const struct compiler *compiler = kernel->compiler;
    const struct rule *rule = &COMPILER_ITEMS(compiler, rules, struct rule)[list[first].rule];
    struct ray_draft ray = {.from = from, .falling = list[first].to < from};
    const struct candidate *last = &list[first];
    for (size_t i = first; i < count; i++) {
        if (list[i].rule != list[first].rule || list[i].path != list[first].path)
            continue;
        bits_set(ray.targets, list[i].to);
        if (list[i].steps > last->steps)
            last = &list[i];
    }
    trace_ray(kernel, rule, from, last, &ray);
    struct slide_group group = find_slide_sets(kernel, draft, rule, from);
    if (!kernel->refused)
        add_ray(kernel, draft, group, &ray);
}

/* --- one variant ---------------------------------------------------------------------------------- */

/* Whether the rule can have cells between, and its transition sets can do anything for a figure on
 * `from`. */
static bool path_matters(struct kernel *kernel, const struct rule *rule, cell_index from)
{
    const struct compiler *compiler = kernel->compiler;
    const struct game *game = compiler->game;
    size_t movement = (size_t)(rule - COMPILER_ITEMS(compiler, rules, struct rule)) -
                      compiler->mover_rules[kernel->mover];
    if (!compiler->definition->figures[game->code_figures[kernel->mover + 1]]
             .movement[kernel->player]
             .movements[movement]
             .repeat)
        return false;
    const struct rule_set *sets =
        COMPILER_ITEMS(compiler, sets, struct rule_set) + rule->first_transition;
    const struct rule_condition *conditions =
        COMPILER_ITEMS(compiler, conditions, struct rule_condition);
    for (uint32_t i = 0; i < rule->transition_count; i++)
        for (uint32_t k = 0; k < sets[i].condition_count; k++)
            if (condition_active(kernel, &conditions[sets[i].first_condition + k], from))
                return true;
    return false;
}

/* Whether the rule's own `if` holds, which here depends on the two cells and the guards only. */
static bool rule_applies(struct kernel *kernel, const struct rule *rule, cell_index from,
                         cell_index to)
{
    const struct compiler *compiler = kernel->compiler;
    const struct rule_condition *conditions =
        COMPILER_ITEMS(compiler, conditions, struct rule_condition) + rule->first_guard;
    if (!rule->guarded)
        return true;
    for (uint32_t i = 0; i < rule->guard_count; i++)
        if (condition_active(kernel, &conditions[i], from) &&
            bits_test(compiler_cell_set(compiler, conditions[i].target_cells), to))
            return true;
    return false;
}

/* The candidates from one cell that decide in this variant, one for each target. */
static size_t deciding_candidates(struct kernel *kernel, cell_index from, struct candidate *list)
{
    const struct compiler *compiler = kernel->compiler;
    const struct rule *rules = COMPILER_ITEMS(compiler, rules, struct rule);
    const struct candidate *candidates = COMPILER_ITEMS(compiler, candidates, struct candidate);
    const uint32_t *starts = COMPILER_ITEMS(compiler, candidate_starts, uint32_t) +
                             (size_t)kernel->mover * (size_t)(compiler->game->cell_count + 1) +
                             from;
    size_t count = 0;
    for (uint32_t i = starts[0]; i < starts[1]; i++) {
        bool decided = count > 0 && list[count - 1].to == candidates[i].to;
        if (!decided && rule_applies(kernel, &rules[candidates[i].rule], from, candidates[i].to))
            list[count++] = candidates[i];
    }
    return count;
}

static bool ray_seen(const struct candidate *list, size_t index)
{
    for (size_t i = 0; i < index; i++)
        if (list[i].rule == list[index].rule && list[i].path == list[index].path)
            return true;
    return false;
}

void kernel_draft_variant(struct kernel *kernel, struct variant_draft *draft)
{
    const struct compiler *compiler = kernel->compiler;
    const struct rule *rules = COMPILER_ITEMS(compiler, rules, struct rule);
    struct candidate list[CELLS_MAX];
    for (int cell = 0; cell < compiler->game->cell_count && !kernel->refused; cell++) {
        cell_index from = (cell_index)cell;
        size_t count = deciding_candidates(kernel, from, list);
        for (size_t i = 0; i < count && !kernel->refused; i++) {
            const struct rule *rule = &rules[list[i].rule];
            if (!path_matters(kernel, rule, from))
                draft_leap(kernel, draft, rule, from, list[i].to);
            else if (!ray_seen(list, i))
                draft_ray(kernel, draft, from, list, count, i);
        }
    }
}
