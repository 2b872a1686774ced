/* Movements of format 2 sorted into shapes, one by one: what a movement asks, where it leads. */
#include "engine/load/compile_fast.h"

static bool is_two_steps(const struct movement *movement)
{
    return movement->min_steps == 2 && movement->max_steps == 2;
}

static void sketch_way(void *context, const struct fast_way *way)
{
    struct sketch *sketch = context;
    const struct movement_part *part = &sketch->part;
    if (part->promotion != NULL &&
        !(bits_test(part->starts, way->from) && bits_test(part->ends, way->to)))
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
    if (movement->counts_steps && (movement->takes_jumped || movement->via_count > 0))
        return "it counts its steps and takes what it jumps, or goes by way of cells";
    if (movement->jumps && !movement->counts_steps &&
        (movement->over_min != 1 || movement->over_max != 1))
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
    if (movement->counts_steps)
        return FAST_COUNTED;
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

/* --- accept sets ------------------------------------------------------------------------------------------------ */

/* The number of a set of cells among the player's: what may stand on a movement's target or be jumped by it, shared by its
 * movements. -1: there are too many. */
static int accept_of(struct fast_player *player, struct fast_accept accept, uint64_t all)
{
    if (player->accept_count == 0)
        for (int i = 0; i < ACCEPT_LIMITED; i++)
            player->accepts[player->accept_count++] =
                (struct fast_accept){.base = (uint8_t)i, .figures = UINT64_MAX};
    accept.figures &= all;
    if (accept.figures == all && accept.apart.figures == 0)
        return accept.base;
    for (int i = ACCEPT_LIMITED; i < player->accept_count; i++)
        if (player->accepts[i].base == accept.base &&
            player->accepts[i].figures == accept.figures &&
            player->accepts[i].apart.figures == accept.apart.figures &&
            player->accepts[i].apart.beside == accept.apart.beside)
            return i;
    if (player->accept_count == FAST_ACCEPTS_MAX)
        return -1;
    player->accepts[player->accept_count] = accept;
    return player->accept_count++;
}

/* What may stand on a movement's target, as the first of the accept sets say. */
static uint8_t target_accept(const struct movement *movement, const struct fast_needs *needs)
{
    switch (movement->purpose) {
    case FOR_TAKE:
        return movement->takes_jumped ? ACCEPT_BEHIND : ACCEPT_ENEMY;
    case FOR_BOTH:
        return needs->occupied ? ACCEPT_ENEMY : ACCEPT_BOTH;
    case FOR_SWAP:
        return ACCEPT_SWAPPED;
    case FOR_MOVE:
    case FOR_PUT:
    case FOR_ACTIONS:
        break;
    }
    return ACCEPT_EMPTY;
}

/* The set of figures a jump may lead over; -1: none. */
static int over_accept(const struct compiler *compiler, const struct cell_test *over,
                       player_index player)
{
    unsigned all = game_everybody(compiler->game), own = 1U << player;
    struct fast_contents contents;
    if (!compile_fast_contents(compiler->game, over, &contents))
        return -1;
    int base = contents.players == all            ? ACCEPT_ANY
               : contents.players == (all & ~own) ? ACCEPT_ENEMY
               : contents.players == own          ? ACCEPT_OWN
                                                  : -1;
    if (base < 0)
        return -1;
    return accept_of(&compiler->fast->players[player],
                     (struct fast_accept){.base = (uint8_t)base, .figures = contents.figures},
                     compiler->game->all_figures);
}

/* What is counted of cells that figures stand on, among the player's sets; -1: there is no set of them. */
static int counted_accept(const struct compiler *compiler, const struct movement *movement,
                          player_index player)
{
    struct fast_contents contents;
    if (!movement->counts_steps)
        return 0;
    /* What is taken at the end of the turn counts as standing, and is in no set of enemies. */
    if (!compile_fast_contents(compiler->game, &movement->counted, &contents) || contents.empty ||
        compiler->game->remove_at_turn_end)
        return -1;
    return over_accept(compiler, &movement->counted, player);
}

static const char meets_no_set[] = "what it meets has no set of cells";
static const char becomes_by_more[] = "what it becomes depends on more than where it goes";

static const char *sketch_sets(struct compiler *compiler, struct sketch *sketch, int mover)
{
    const struct movement *movement = sketch->movement;
    struct fast_group *group = &sketch->group;
    player_index player = compiler->game->code_players[mover + 1];
    uint64_t all = compiler->game->all_figures;
    struct fast_needs needs;
    const char *reason = compile_fast_needs(compiler, movement, mover, &needs);
    if (reason != NULL)
        return reason;
    uint8_t base = target_accept(movement, &needs);
    struct fast_accept accepted = {.base = base, .figures = needs.figures};
    if (!compile_fast_apart(compiler, &needs, &accepted.apart))
        return meets_no_set;
    sketch->base = base;
    int accept = accept_of(&compiler->fast->players[player], accepted, all);
    int over = movement->jumps ? over_accept(compiler, &movement->over, player) : 0;
    int counted = counted_accept(compiler, movement, player);
    if (!sketch_promotion(compiler->game, sketch))
        return becomes_by_more;
    if (accept < 0 || over < 0 || counted < 0)
        return meets_no_set;
    group->accept = (uint8_t)accept;
    group->over = (uint8_t)over;
    group->counted = (uint8_t)counted;
    group->close = needs.close;
    group->offers = offers_of(compiler->game, movement, base) | (FAST_GATES & ~needs.gates);
    group->unmoved = needs.unmoved;
    return NULL;
}

static const char *sketch_movement(struct compiler *compiler, struct sketch *sketch, int mover,
                                   int index)
{
    const struct movement *movement = sketch->movement;
    struct game *game = compiler->game;
    sketch->group =
        (struct fast_group){.shape = shape_of(movement),
                            .jumps = movement->jumps,
                            .takes_jumped = movement->takes_jumped,
                            .over_min = (uint16_t)(movement->jumps ? movement->over_min : 0),
                            .over_max = (uint16_t)(movement->jumps ? movement->over_max : 0),
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
    sketch->shifts =
        movement->via_count == 0 && (sketch->group.shape == FAST_LEAP || is_two_steps(movement));
    bool known = compile_fast_ways(compiler, movement, mover, sketch_way, sketch);
    return known ? NULL : "its `if` asks for more than sets of cells can tell";
}

static bool same_promotions(const struct promotion_rule *a, const struct promotion_rule *b)
{
    return a == b || (a != NULL && b != NULL && a->pointer == b->pointer && a->to == b->to);
}

/* What is jumped or marked on the way is found by the movement's own direction. */
bool sketch_is_like(const struct sketch *sketch, const struct sketch *other)
{
    const struct fast_group *a = &sketch->group, *b = &other->group;
    const struct movement *from = sketch->movement, *to = other->movement;
    return !a->takes_jumped && from->mark < 0 && to->mark < 0 && a->shape == b->shape &&
           a->accept == b->accept && a->over == b->over && a->over_min == b->over_min &&
           a->over_max == b->over_max && a->counted == b->counted && a->close == b->close &&
           a->offers == b->offers && a->unmoved == b->unmoved && a->jumps == b->jumps &&
           a->takes_jumped == b->takes_jumped && a->takes_marked == b->takes_marked &&
           from->purpose == to->purpose && sketch->part.applying == other->part.applying &&
           sketch->part.forced == other->part.forced && from->put_code == to->put_code &&
           same_promotions(a->promotion, b->promotion);
}

const char *sketch_add(struct compiler *compiler, struct sketch *sketches, int *count,
                       const struct movement *movement, int mover, int index)
{
    struct movement_part parts[MOVEMENT_PARTS_MAX] = {{.promotion = NULL}};
    int part_count = compile_fast_parts(compiler->game, movement, parts);
    const char *reason = part_count == 0 ? becomes_by_more : NULL;
    for (int i = 0; i < part_count && reason == NULL; i++) {
        struct sketch *sketch = &sketches[(*count)++];
        sketch->movement = movement;
        sketch->part = parts[i];
        reason = sketch_movement(compiler, sketch, mover, index);
    }
    return reason;
}
