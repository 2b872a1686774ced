/* The movements of each piece, sketched and put together in groups. */
#include "engine/load/compile_fast.h"
#include "engine/work.h"

#include <stdio.h>

/* Whether two sets, or lists of sets, have something in common. */
static bool meet(const uint64_t *a, const uint64_t *b, size_t words)
{
    work_spend(words);
    for (size_t i = 0; i < words; i++)
        if ((a[i] & b[i]) != 0)
            return true;
    return false;
}

/* Whether one needs an empty target, and the other an enemy on it. */
static bool goes_where_taken(const struct sketch *goes, const struct sketch *takes)
{
    return (goes->base == ACCEPT_EMPTY || goes->base == ACCEPT_BEHIND) &&
           takes->base == ACCEPT_ENEMY && takes->group.takes_marked < 0;
}

/* Whether two movements of different groups may lead from one cell to one other in one position. */
static bool sketches_overlap(const struct sketch *a, const struct sketch *b, size_t size)
{
    bool together = sketch_is_like(a, b) && a->movement->continues == GOES_ON_NEVER;
    if (goes_where_taken(a, b) || goes_where_taken(b, a) || together ||
        a->movement->phase != b->movement->phase)
        return false;
    return meet(a->area, b->area, size);
}

static int placement_count(const struct game *game, int mover)
{
    int count = 0;
    for (int cell = 0; cell < game->cell_count; cell++)
        count += game->start[cell] == mover + 1;
    return count;
}

/* Whether another movement of the same group leads from one cell to one other too: together in a table they are one move,
 * as two shifts they would be two. */
static bool is_said_twice(const struct sketch *sketches, int count, int which, size_t size)
{
    for (int k = 0; k < count; k++)
        if (k != which && sketch_is_like(&sketches[k], &sketches[which]) &&
            meet(sketches[k].area, sketches[which].area, size))
            return true;
    return false;
}

/* All figures at once pay where there are more of them than shifts. */
static void choose_shifts(const struct game *game, struct sketch *sketches, int count, int mover)
{
    size_t size = (size_t)game->cell_count * (size_t)game->words;
    int figures = placement_count(game, mover), classes = 0;
    for (int i = 0; i < count; i++)
        classes += sketches[i].class_count;
    for (int i = 0; i < count; i++) {
        struct sketch *sketch = &sketches[i];
        struct fast_group *group = &sketch->group;
        if (sketch->shifts && sketch->class_count > 0 && figures >= 3 && classes <= figures + 4 &&
            !is_said_twice(sketches, count, i, size))
            group->shape = FAST_SHIFT;
    }
}

static int number_groups(struct game *game, struct sketch *sketches, int count, bool overlaps,
                         int mover)
{
    if (!overlaps)
        choose_shifts(game, sketches, count, mover);
    int groups = 0;
    for (int i = 0; i < count; i++) {
        struct sketch *sketch = &sketches[i];
        sketch->group_index = groups;
        if (sketch->group.shape == FAST_SHIFT) {
            groups += sketch->class_count;
            continue;
        }
        /* Where the first that fits decides, only neighbours in the list may be put together; a turn that goes on
         * remembers by which movement, so that those stay apart. */
        work_spend((unsigned)i);
        for (int k = overlaps && i > 0 ? i - 1 : 0; k < i; k++)
            if (sketch->movement->continues == GOES_ON_NEVER &&
                sketch_is_like(&sketches[k], sketch))
                sketch->group_index = sketches[k].group_index;
        groups += sketch->group_index == groups;
    }
    return groups;
}

static void store_shifts(struct game *game, const struct sketch *sketch, struct fast_group *groups)
{
    size_t words = (size_t)game->words;
    for (int i = 0; i < sketch->class_count; i++) {
        const struct shift_class *class = &sketch->classes[i];
        groups[i] = sketch->group;
        groups[i].from = game_copy(game, class->from, words, sizeof *class->from);
        groups[i].offset = (int16_t) class->offset;
        groups[i].middle = (int16_t) class->middle;
    }
}

static void store_mover(struct game *game, struct fast_mover *result, struct sketch *sketches,
                        int count, int mover)
{
    size_t size = (size_t)game->cell_count * (size_t)game->words;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < i && !result->overlaps && !work_is_too_much(); k++)
            result->overlaps = sketches_overlap(&sketches[i], &sketches[k], size);
    int group_count = number_groups(game, sketches, count, result->overlaps, mover);
    struct fast_group *groups = game_allocate(game, (size_t)group_count, sizeof *groups);
    for (int i = 0; i < count; i++) {
        int index = sketches[i].group_index;
        if (sketches[i].group.shape == FAST_SHIFT) {
            store_shifts(game, &sketches[i], &groups[index]);
        } else if (groups[index].table == NULL) {
            groups[index] = sketches[i].group;
            compile_fast_group(game, &groups[index], sketches, count, index);
        }
    }
    for (int i = 0; i < group_count; i++)
        result->has_ranked |= (groups[i].offers & FAST_UNRANKED) == 0;
    result->groups = groups;
    result->group_count = group_count;
}
/* Whether one movement takes on an empty cell to which another goes without taking, before it in the list: captures that
 * go first are looked for by themselves, and would then be made by the second. */
static bool hides(const struct sketch *first, const struct sketch *second, size_t size)
{
    const struct movement *a = first->movement, *b = second->movement;
    bool quiet = a->purpose == FOR_BOTH || a->purpose == FOR_MOVE;
    bool takes = (b->takes_jumped && a->jumps) || b->takes_marked >= 0;
    return quiet && takes && a->phase == b->phase && meet(first->area, second->area, size);
}

static const char *find_hidden(const struct game *game, const struct sketch *sketches, int count)
{
    size_t size = (size_t)game->cell_count * (size_t)game->words;
    for (int i = 0; i < count && game->take_first; i++)
        for (int k = 0; k < i && !work_is_too_much(); k++)
            if (hides(&sketches[k], &sketches[i], size))
                return "it takes where a movement before it goes without taking";
    return NULL;
}

static const char *describe(struct game *game, const struct movement *movement, const char *reason)
{
    char text[256];
    snprintf(text, sizeof text, "%s: %s", movement->pointer, reason);
    return game_copy_text(game, text);
}

static void compile_mover(struct compiler *compiler, struct fast_mover *result, int mover)
{
    struct game *game = compiler->game;
    const uint32_t *rules = &game->piece_rules[mover];
    const struct movement *list = &game->movements[rules[0]];
    int count = (int)(rules[1] - rules[0]), sketch_count = 0, at = 0;
    result->figure = game->code_figures[mover + 1];
    result->words = game->code_sets[mover + 1].figure;
    game->compiling->subject = result->figure;
    size_t most = 0;
    for (int i = 0; i < count; i++)
        most += list[i].promotion_count > 0 ? MOVEMENT_PARTS_MAX : 1;
    struct sketch *sketches = compile_allocate(game, most, sizeof *sketches);
    const char *reason = NULL;
    for (; at < count && reason == NULL; at++)
        reason = sketch_add(compiler, sketches, &sketch_count, &list[at], mover, at);
    if (reason == NULL)
        reason = find_hidden(game, sketches, sketch_count);
    if (reason == NULL)
        store_mover(game, result, sketches, sketch_count, mover);
    else
        result->reason = describe(game, &list[at - 1], reason);
    for (int i = 0; i < sketch_count; i++)
        compile_free(game, sketches[i].area);
    compile_free(game, sketches);
}

void compile_fast_movers(struct compiler *compiler)
{
    struct game *game = compiler->game;
    struct fast_game *fast = compiler->fast;
    fast->movers = game_allocate(game, (size_t)game->piece_count, sizeof *fast->movers);
    for (int i = 0; i < game->piece_count; i++)
        compile_mover(compiler, &fast->movers[i], i);
}
