/* Movements of format 2 sorted into shapes, each with its table. */
#include "engine/load/compile_fast.h"
#include "engine/work.h"

#include <stdio.h>

bool compile_fast_meet(const uint64_t *a, const uint64_t *b, size_t words)
{
    work_spend(words);
    for (size_t i = 0; i < words; i++)
        if ((a[i] & b[i]) != 0)
            return true;
    return false;
}

/* --- shapes ----------------------------------------------------------------------------------------------------- */

enum { SHIFT_CLASSES_MAX = 3 };

/* What is found out about one movement, or one part of it, before groups are made. */
struct sketch {
    const struct movement *movement;
    struct movement_part part;
    struct fast_group group; /* without its tables */
    uint64_t *area;          /* by cell: all its targets */
    int group_index;
    int words;
    /* Where the difference of the numbers of cells is one of a few, all figures can be moved at once. */
    bool shifts;
    int class_count;
    struct shift_class {
        int middle, offset;
        uint64_t from[WORDS_MAX];
    } classes[SHIFT_CLASSES_MAX];
};

static bool is_two_steps(const struct movement *movement)
{
    return movement->min_steps == 2 && movement->max_steps == 2;
}

static bool leads(const struct sketch *sketch, const struct fast_way *way)
{
    const struct movement_part *part = &sketch->part;
    return way->target && (part->promotion == NULL ||
                           (bits_test(part->starts, way->from) && bits_test(part->ends, way->to)));
}

static void sketch_way(void *context, const struct fast_way *way)
{
    struct sketch *sketch = context;
    if (!leads(sketch, way))
        return;
    bits_set(sketch->area + (size_t)way->from * (size_t)sketch->words, way->to);
    int offset = (int)way->to - (int)way->from;
    int middle = way->steps == 2 ? (int)way->path[0] - (int)way->from : 0;
    int i = 0;
    while (i < sketch->class_count &&
           (sketch->classes[i].offset != offset || sketch->classes[i].middle != middle))
        i++;
    if (i == SHIFT_CLASSES_MAX) {
        sketch->shifts = false;
        return;
    }
    if (i == sketch->class_count) {
        sketch->class_count++;
        sketch->classes[i] = (struct shift_class){.offset = offset, .middle = middle};
    }
    bits_set(sketch->classes[i].from, way->from);
}

/* The words about paths that no shape knows together; NULL: none. */
static const char *refuse_path(const struct movement *movement)
{
    bool two_steps = is_two_steps(movement);
    bool single = two_steps || movement->max_steps == 1;
    if (movement->purpose == FOR_ACTIONS)
        return "its actions are written out";
    if (movement->jumps && (movement->over_min != 1 || movement->over_max != 1))
        return "it jumps over several";
    if (movement->jumps && movement->via_count > 0)
        return "it jumps and goes by way of cells";
    if (movement->via_count > 0 && !single)
        return "it goes on by way of cells";
    if (movement->mark >= 0 && (!two_steps || movement->via_count > 0))
        return "it marks other than one cell";
    if (movement->purpose == FOR_PUT && (movement->mark >= 0 || movement->takes_marked >= 0))
        return "it puts and marks";
    if (movement->takes_marked >= 0 && movement->purpose != FOR_TAKE)
        return "it takes by a mark where it may as well just go";
    if (movement->takes_marked >= 0 && (movement->max_steps > 1 || movement->via_count > 0))
        return "it takes by a mark other than in one step";
    return NULL;
}

static enum fast_shape shape_of(const struct movement *movement)
{
    if (movement->via_count > 0)
        return FAST_LAME;
    if (movement->jumps)
        return FAST_JUMP;
    return movement->max_steps == 1 ? FAST_LEAP : FAST_SLIDE;
}

static uint32_t offers_of(const struct game *game, const struct movement *movement, uint8_t accept)
{
    bool ranked = movement->takes_jumped && (game->most_taken || game->can_go_on);
    bool takes = movement->purpose == FOR_TAKE || movement->purpose == FOR_BOTH;
    bool quiet = movement->purpose != FOR_TAKE && accept != ACCEPT_ENEMY;
    return (takes ? FAST_TAKES : 0U) | (quiet ? FAST_QUIET : 0U) | (ranked ? 0U : FAST_UNRANKED) |
           (movement->continues != GOES_ON_NEVER ? FAST_GOES_ON : 0U) |
           (uint32_t)FAST_PHASE << movement->phase;
}

/* What the figure becomes; false: that depends on more than where it goes. */
static bool sketch_promotion(const struct game *game, struct sketch *sketch)
{
    const struct movement *movement = sketch->movement;
    const struct promotion_rule *promotion = movement->promotions;
    struct fast_group *group = &sketch->group;
    if (movement->promotion_count == 0)
        return true;
    if (sketch->part.promotion != NULL) {
        promotion = sketch->part.promotion;
        group->promoted = sketch->part.promoted;
    } else if (promotion->condition != NULL || promotion->taken) {
        return false;
    } else {
        group->promoted = game_cell_set(game, promotion->in);
    }
    group->promotion = promotion;
    group->more = (uint8_t)(word_count(promotion->to) + promotion->optional - 1);
    return true;
}

static const char becomes_by_more[] = "what it becomes depends on more than where it goes";

static const char *sketch_sets(struct fast_compiler *compiler, struct sketch *sketch, int mover)
{
    const struct movement *movement = sketch->movement;
    struct fast_group *group = &sketch->group;
    player_index player = compiler->game->code_players[mover + 1];
    uint64_t all = compiler->game->all_figures;
    struct fast_needs needs;
    const char *reason = compile_fast_needs(compiler, movement, mover, &needs);
    if (reason != NULL)
        return reason;
    uint8_t base = compile_fast_target_accept(movement, &needs);
    int accept = compile_fast_accept(&compiler->fast->players[player], base, needs.figures, all);
    int over = movement->jumps ? compile_fast_over_accept(compiler, &movement->over, player) : 0;
    if (!sketch_promotion(compiler->game, sketch))
        return becomes_by_more;
    if (accept < 0 || over < 0)
        return "what it meets has no set of cells";
    group->accept = (uint8_t)accept;
    group->over = (uint8_t)over;
    group->offers = offers_of(compiler->game, movement, base) | (FAST_GATES & ~needs.gates);
    group->unmoved = needs.unmoved;
    return NULL;
}

static const char *sketch_movement(struct fast_compiler *compiler, struct sketch *sketch, int mover,
                                   int index)
{
    const struct movement *movement = sketch->movement;
    struct game *game = compiler->game;
    sketch->group = (struct fast_group){.shape = shape_of(movement),
                                        .jumps = movement->jumps,
                                        .takes_jumped = movement->takes_jumped,
                                        .takes_marked = (int8_t)movement->takes_marked,
                                        .rule = (uint16_t)index};
    const char *reason = refuse_path(movement);
    if (reason == NULL)
        reason = sketch_sets(compiler, sketch, mover);
    if (reason != NULL)
        return reason;
    sketch->words = game->words;
    sketch->area = compile_allocate(game, (size_t)game->cell_count * (size_t)game->words,
                                    sizeof *sketch->area);
    sketch->shifts = true;
    bool known = true;
    for (int i = 0; i < game->cell_count; i++)
        known &= compile_fast_ways(compiler, movement, mover, (cell_index)i, sketch_way, sketch);
    return known ? NULL : "its `if` asks for more than sets of cells can tell";
}

static bool same_promotions(const struct promotion_rule *a, const struct promotion_rule *b)
{
    return a == b || (a != NULL && b != NULL && a->pointer == b->pointer && a->to == b->to);
}

static bool same_parts(const struct movement_part *a, const struct movement_part *b)
{
    return a->applying == b->applying && a->forced == b->forced;
}

/* What is jumped or marked on the way is found by the movement's own direction. */
static bool same_signature(const struct sketch *sketch, const struct sketch *other)
{
    const struct fast_group *a = &sketch->group, *b = &other->group;
    const struct movement *from = sketch->movement, *to = other->movement;
    return !a->takes_jumped && from->mark < 0 && to->mark < 0 && a->shape == b->shape &&
           a->accept == b->accept && a->over == b->over && a->offers == b->offers &&
           a->unmoved == b->unmoved && a->jumps == b->jumps && a->takes_jumped == b->takes_jumped &&
           a->takes_marked == b->takes_marked && from->purpose == to->purpose &&
           same_parts(&sketch->part, &other->part) && from->put_code == to->put_code &&
           same_promotions(a->promotion, b->promotion);
}

/* --- groups ----------------------------------------------------------------------------------------------------- */

/* A group on its way. Ways of all its movements from one cell come one after the other. */
struct group_draft {
    struct fast_compiler *compiler;
    struct fast_group *group;
    int mover;
    uint64_t *table, *masks;
    struct table entries; /* LAME */
    const struct sketch *sketch;
    uint64_t *ray, *mask;
};

static void visit_ray(void *context, const struct fast_way *way)
{
    struct group_draft *draft = context;
    bits_set(draft->ray, way->to);
    if (leads(draft->sketch, way))
        bits_set(draft->mask, way->to);
    else
        draft->group->masked = true;
}

static void visit_lame(void *context, const struct fast_way *way)
{
    struct group_draft *draft = context;
    size_t words = (size_t)draft->compiler->game->words;
    const struct movement *movement = draft->sketch->movement;
    if (!leads(draft->sketch, way))
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
    while (i < compiler->game->dimension_count - 1 && movement->delta[i] == 0)
        i++;
    return movement->delta[i] > 0;
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
    draft->masks = game_allocate(compiler->game, size, sizeof *draft->masks);
    for (int cell = 0; cell < game->cell_count; cell++) {
        size_t places[2] = {0, (size_t)taken[0]};
        for (int i = 0; i < count; i++) {
            if (sketches[i].group_index != group)
                continue;
            size_t place = places[!rises(compiler, sketches[i].movement)]++;
            draft->ray = draft->table + ((size_t)cell * all + place) * words;
            draft->mask = draft->masks + ((size_t)cell * all + place) * words;
            draft->sketch = &sketches[i];
            compile_fast_ways(compiler, sketches[i].movement, draft->mover, (cell_index)cell,
                              visit_ray, draft);
        }
    }
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

static void fill_group(struct fast_compiler *compiler, struct fast_group *group,
                       const struct sketch *sketches, int count, int index, int mover)
{
    size_t words = (size_t)compiler->game->words, cells = (size_t)compiler->game->cell_count;
    uint64_t *from = game_allocate(compiler->game, words, sizeof *from);
    struct group_draft draft = {.compiler = compiler, .group = group, .mover = mover};
    for (int i = 0; i < count; i++)
        for (size_t cell = 0; sketches[i].group_index == index && cell < cells; cell++)
            if (!bits_empty(sketches[i].area + cell * words, (int)words))
                bits_set(from, (unsigned)cell);
    group->from = from;
    if (group->shape == FAST_LEAP) {
        draft.table = game_allocate(compiler->game, cells * words, sizeof *draft.table);
        for (int i = 0; i < count; i++)
            for (size_t k = 0; sketches[i].group_index == index && k < cells * words; k++)
                draft.table[k] |= sketches[i].area[k];
    } else if (group->shape == FAST_SLIDE || group->shape == FAST_JUMP) {
        fill_rays(&draft, sketches, count, index);
    } else if (group->shape == FAST_LAME) {
        fill_entries(&draft, sketches, count, index);
    }
    group->table = draft.table;
    group->masks = draft.masks;
}

/* --- movers ----------------------------------------------------------------------------------------------------- */

/* Whether one needs an empty target, and the other an enemy on it. */
static bool goes_where_taken(const struct sketch *goes, const struct sketch *takes)
{
    return (goes->group.accept == ACCEPT_EMPTY || goes->group.accept == ACCEPT_BEHIND) &&
           takes->group.accept == ACCEPT_ENEMY && takes->group.takes_marked < 0;
}

/* Whether two movements of different groups may lead from one cell to one other in one position. */
static bool sketches_overlap(const struct sketch *a, const struct sketch *b, size_t size)
{
    bool together = same_signature(a, b) && a->movement->continues == GOES_ON_NEVER;
    if (goes_where_taken(a, b) || goes_where_taken(b, a) || together ||
        a->movement->phase != b->movement->phase)
        return false;
    return compile_fast_meet(a->area, b->area, size);
}

static int placement_count(const struct fast_compiler *compiler, int mover)
{
    int count = 0;
    for (int cell = 0; cell < compiler->game->cell_count; cell++)
        count += compiler->game->start[cell] == mover + 1;
    return count;
}

/* Whether another movement of the same group leads from one cell to one other too: together in a table they are one move,
 * as two shifts they would be two. */
static bool is_said_twice(const struct sketch *sketches, int count, int which, size_t size)
{
    for (int k = 0; k < count; k++)
        if (k != which && same_signature(&sketches[k], &sketches[which]) &&
            compile_fast_meet(sketches[k].area, sketches[which].area, size))
            return true;
    return false;
}

/* All figures at once pay where there are more of them than shifts. */
static void choose_shifts(const struct fast_compiler *compiler, struct sketch *sketches, int count,
                          int mover)
{
    size_t size = (size_t)compiler->game->cell_count * (size_t)compiler->game->words;
    int figures = placement_count(compiler, mover), classes = 0;
    for (int i = 0; i < count; i++)
        classes += sketches[i].class_count;
    for (int i = 0; i < count; i++) {
        struct sketch *sketch = &sketches[i];
        struct fast_group *group = &sketch->group;
        bool steps = sketch->movement->via_count == 0 &&
                     (group->shape == FAST_LEAP || is_two_steps(sketch->movement));
        if (sketch->shifts && steps && sketch->class_count > 0 && figures >= 3 &&
            classes <= figures + 4 && !is_said_twice(sketches, count, i, size))
            group->shape = FAST_SHIFT;
    }
}

static int number_groups(struct fast_compiler *compiler, struct sketch *sketches, int count,
                         bool overlaps, int mover)
{
    if (!overlaps)
        choose_shifts(compiler, sketches, count, mover);
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
                same_signature(&sketches[k], sketch))
                sketch->group_index = sketches[k].group_index;
        groups += sketch->group_index == groups;
    }
    return groups;
}

static void store_shifts(struct fast_compiler *compiler, const struct sketch *sketch,
                         struct fast_group *groups)
{
    size_t words = (size_t)compiler->game->words;
    for (int i = 0; i < sketch->class_count; i++) {
        const struct shift_class *class = &sketch->classes[i];
        groups[i] = sketch->group;
        groups[i].from = game_copy(compiler->game, class->from, words, sizeof *class->from);
        groups[i].offset = (int16_t) class->offset;
        groups[i].middle = (int16_t) class->middle;
    }
}

static void store_mover(struct fast_compiler *compiler, struct fast_mover *result,
                        struct sketch *sketches, int count, int mover)
{
    struct game *game = compiler->game;
    size_t size = (size_t)game->cell_count * (size_t)game->words;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < i && !result->overlaps && !work_is_too_much(); k++)
            result->overlaps = sketches_overlap(&sketches[i], &sketches[k], size);
    int group_count = number_groups(compiler, sketches, count, result->overlaps, mover);
    struct fast_group *groups = game_allocate(compiler->game, (size_t)group_count, sizeof *groups);
    for (int i = 0; i < count; i++) {
        int index = sketches[i].group_index;
        if (sketches[i].group.shape == FAST_SHIFT) {
            store_shifts(compiler, &sketches[i], &groups[index]);
        } else if (groups[index].from == NULL) {
            groups[index] = sketches[i].group;
            fill_group(compiler, &groups[index], sketches, count, index, mover);
        }
    }
    for (int i = 0; i < group_count; i++)
        result->has_ranked |= (groups[i].offers & FAST_UNRANKED) == 0;
    result->groups = groups;
    result->group_count = group_count;
}

/* What looking for the targets of one figure counts as, on an average cell. */
static unsigned group_work(const struct game *game, const struct fast_group *group)
{
    unsigned cells = (unsigned)game->cell_count, rays = group->rising + group->falling;
    if (group->shape == FAST_SHIFT) /* all figures at once */
        return 0;
    if (group->shape == FAST_LAME)
        rays = 2U * (group->starts[cells] + cells - 1) / cells;
    return 1U + (group->shape == FAST_JUMP ? 2 : 1) * rays;
}

static void weigh_movers(struct fast_compiler *compiler)
{
    const struct game *game = compiler->game;
    for (int i = 0; i < game->piece_count; i++) {
        struct fast_player *player = &compiler->fast->players[game->code_players[i + 1]];
        const struct fast_mover *mover = &compiler->fast->movers[i];
        unsigned work = 0;
        for (int k = 0; k < mover->group_count; k++)
            work += group_work(game, &mover->groups[k]);
        if (work > player->work)
            player->work = work;
        player->attack_work = 1U + 2U * (unsigned)player->attack_count;
    }
}

/* Whether one movement takes on an empty cell to which another goes without taking, before it in the list: captures that
 * go first are looked for by themselves, and would then be made by the second. */
static bool hides(const struct sketch *first, const struct sketch *second, size_t size)
{
    const struct movement *a = first->movement, *b = second->movement;
    bool quiet = a->purpose == FOR_BOTH || a->purpose == FOR_MOVE;
    bool takes = (b->takes_jumped && a->jumps) || b->takes_marked >= 0;
    return quiet && takes && a->phase == b->phase &&
           compile_fast_meet(first->area, second->area, size);
}

static const char *find_hidden(const struct fast_compiler *compiler, const struct sketch *sketches,
                               int count)
{
    size_t size = (size_t)compiler->game->cell_count * (size_t)compiler->game->words;
    for (int i = 0; i < count && compiler->fast->take_first; i++)
        for (int k = 0; k < i && !work_is_too_much(); k++)
            if (hides(&sketches[k], &sketches[i], size))
                return "it takes where a movement before it goes without taking";
    return NULL;
}

static const char *describe(struct fast_compiler *compiler, const struct movement *movement,
                            const char *reason)
{
    char text[256];
    snprintf(text, sizeof text, "%s: %s", movement->pointer, reason);
    return game_copy_text(compiler->game, text);
}

/* Sketches a movement, in parts where it has some; NULL, or the word that no shape knows. */
static const char *sketch_parts(struct fast_compiler *compiler, struct sketch *sketches, int *count,
                                const struct movement *movement, int mover, int index)
{
    struct movement_part parts[MOVEMENT_PARTS_MAX] = {{.promotion = NULL}};
    int part_count =
        compile_fast_has_parts(movement) ? compile_fast_parts(compiler->game, movement, parts) : 1;
    const char *reason = part_count == 0 ? becomes_by_more : NULL;
    for (int i = 0; i < part_count && reason == NULL; i++) {
        struct sketch *sketch = &sketches[(*count)++];
        sketch->movement = movement;
        sketch->part = parts[i];
        reason = sketch_movement(compiler, sketch, mover, index);
    }
    return reason;
}

/* How many sketches the movements need at most. */
static size_t most_sketches(const struct movement *list, int count)
{
    size_t most = 1;
    for (int i = 0; i < count; i++)
        most += compile_fast_has_parts(&list[i]) ? MOVEMENT_PARTS_MAX : 1;
    return most;
}

static void compile_mover(struct fast_compiler *compiler, struct fast_mover *result, int mover)
{
    const struct game *game = compiler->game;
    const struct movement *list;
    int count = compile_fast_movements(compiler, mover, &list), sketch_count = 0, at = 0;
    compile_memory_for(compiler->game, game->code_figures[mover + 1]);
    struct sketch *sketches =
        compile_allocate(compiler->game, most_sketches(list, count), sizeof *sketches);
    const char *reason = NULL;
    for (; at < count && reason == NULL; at++)
        reason = sketch_parts(compiler, sketches, &sketch_count, &list[at], mover, at);
    if (reason == NULL)
        reason = find_hidden(compiler, sketches, sketch_count);
    if (reason == NULL)
        store_mover(compiler, result, sketches, sketch_count, mover);
    else
        compiler->fast->mover_reasons[mover] = describe(compiler, &list[at - 1], reason);
    result->slow = reason != NULL;
    for (int i = 0; i < sketch_count; i++)
        compile_free(compiler->game, sketches[i].area);
    compile_free(compiler->game, sketches);
}

/* --- the whole -------------------------------------------------------------------------------------------------- */

static void compile_movers(struct fast_compiler *compiler)
{
    struct game *game = compiler->game;
    struct fast_game *fast = compiler->fast;
    size_t pieces = (size_t)game->piece_count;
    struct fast_mover *movers = game_allocate(game, pieces, sizeof *movers);
    fast->mover_reasons = game_allocate(game, pieces, sizeof(char *));
    for (int i = 0; i < game->player_count; i++)
        compile_fast_accept(&fast->players[i], ACCEPT_EMPTY, UINT64_MAX, 0);
    for (int i = 0; i < game->piece_count; i++)
        compile_mover(compiler, &movers[i], i);
    fast->movers = movers;
}

/* Whether captures of the game can be ranked by looking along jumps: all that takes are jumps over enemies, which go
 * on, and nothing is chosen on the way. */
static bool ranks(const struct fast_compiler *compiler)
{
    const struct fast_game *fast = compiler->fast;
    const struct game *game = compiler->game;
    for (int i = 0; i < game->piece_count; i++) {
        const struct fast_mover *mover = &fast->movers[i];
        const struct fast_player *player = &fast->players[game->code_players[i + 1]];
        for (int k = 0; k < mover->group_count; k++) {
            const struct fast_group *group = &mover->groups[k];
            bool goes_on = (group->offers & FAST_GOES_ON) != 0;
            if ((group->offers & FAST_TAKES) != 0 &&
                (!group->takes_jumped || !goes_on || group->more != 0 ||
                 player->accepts[group->over].base != ACCEPT_ENEMY))
                return false;
        }
        if (mover->slow || player->royals != 0)
            return false;
    }
    return fast->take_first && game->forbid_count == 0 && game->cell_count <= 128;
}

/* Where tables do not tell all attacks, a complex movement that asks for safe cells is interpreted. */
static void refuse_safe_complex(struct fast_compiler *compiler)
{
    const struct game *game = compiler->game;
    struct fast_mover *movers = (struct fast_mover *)compiler->fast->movers;
    for (int i = 0; i < game->piece_count; i++) {
        const struct fast_player *player = &compiler->fast->players[game->code_players[i + 1]];
        bool known = player->attackers == compiler->game->all_figures;
        for (int k = 0; k < movers[i].complex_count && !known; k++)
            if (movers[i].complex[k].safe_count > 0)
                compile_fast_refuse_complex(compiler, &movers[i]);
    }
}

static void note_kind(const struct fast_compiler *compiler, struct fast_player *player, int piece)
{
    const struct game *game = compiler->game;
    const struct fast_mover *mover = &compiler->fast->movers[piece];
    figure_index figure = game->code_figures[piece + 1];
    bool royal = compiler->fast->filters && (player->royals >> figure & 1) != 0;
    player->kinds[player->kind_count++] = (struct fast_kind){
        .mover = mover,
        .words = (uint16_t)((game->player_count + figure) * game->words),
        .figure = figure,
        .royal = royal,
        .special = royal || mover->overlaps || mover->has_ranked || mover->complex_count > 0};
}

static void note_figures(struct fast_compiler *compiler)
{
    const struct game *game = compiler->game;
    for (int i = 0; i < game->piece_count; i++) {
        const struct fast_mover *mover = &compiler->fast->movers[i];
        struct fast_player *player = &compiler->fast->players[game->code_players[i + 1]];
        player->slow |= mover->slow;
        if (!mover->slow && mover->group_count + mover->complex_count > 0)
            note_kind(compiler, player, i);
        player->has_complex |= mover->complex_count > 0;
    }
}

void compile_fast(struct game *game)
{
    if (game->format != 2)
        return;
    struct fast_compiler *compiler = compile_allocate(game, 1, sizeof *compiler);
    compiler->game = game;
    compiler->fast = game_allocate(game, 1, sizeof *compiler->fast);
    compiler->fast->loops = fast_loops(game->words);
    compiler->fast->take_first = game->take_first;
    compile_movers(compiler);
    compile_fast_complex(compiler);
    compile_fast_attacks(compiler);
    refuse_safe_complex(compiler);
    weigh_movers(compiler);
    note_figures(compiler);
    compile_fast_liberties(compiler);
    compiler->fast->unranked = (game->most_taken || game->can_go_on) && !ranks(compiler);
    game->fast = compiler->fast;
    compile_free(game, compiler);
}
