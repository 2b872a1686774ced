/* Turns of several jumps: which jumps priorities leave is found by following them over sets, without making a move. */

/* A figure on its way through a turn, its start left behind, with what it has jumped. */
struct NAME(chase) {
    const struct NAME(scene) * scene;
    const struct fast_mover *mover; /* of what it is by now */
    SET occupied, gone;
};

/* A figure that can be jumped, and where that leads. */
struct NAME(hop) {
    cell_index jumped;
    SET landings;
};

/* What can be jumped and has not been taken yet. */
static inline SET NAME(preys)(const struct NAME(chase) * chase, const struct fast_group *group)
{
    return NAME(without)(chase->scene->sets[group->over],
                         NAME(or)(chase->scene->pending, chase->gone));
}

static void NAME(ray_hop)(const struct NAME(chase) * chase, const struct fast_group *group,
                          cell_index from, struct NAME(hop) * hop)
{
    bool falling = group->falling > 0;
    work_spend(2 * WORK_WORDS(WORDS));
    SET ray = NAME(load)(group->table + (size_t)from * WORDS);
    SET mask = NAME(load)(group->masks + (size_t)from * WORDS);
    SET near = NAME(until)(falling, ray, chase->occupied);
    SET jumped = NAME(and)(NAME(and)(near, NAME(preys)(chase, group)), chase->occupied);
    if (NAME(is_empty)(jumped))
        return;
    SET reach = NAME(until)(falling, NAME(without)(ray, near), chase->occupied);
    hop->jumped = (cell_index)bits_next(jumped.w, WORDS, 0);
    hop->landings = NAME(without)(NAME(and)(reach, mask), chase->occupied);
}

static void NAME(shift_hop)(const struct NAME(chase) * chase, const struct fast_group *group,
                            cell_index from, struct NAME(hop) * hop)
{
    cell_index jumped = (cell_index)(from + group->middle);
    if (!bits_test(group->from, from) || !NAME(has)(NAME(preys)(chase, group), jumped))
        return;
    hop->jumped = jumped;
    hop->landings = NAME(without)(NAME(one)((cell_index)(from + group->offset)), chase->occupied);
}

/* The one hop of a group from a cell, since such a group has one direction; false: there is none. */
static bool NAME(find_hop)(const struct NAME(chase) * chase, const struct fast_group *group,
                           cell_index from, struct NAME(hop) * hop)
{
    hop->landings = NAME(none)();
    work_spend(WORK_CANDIDATE * WORK_WORDS(WORDS));
    if (group->shape == FAST_JUMP)
        NAME(ray_hop)(chase, group, from, hop);
    else
        NAME(shift_hop)(chase, group, from, hop);
    return !NAME(is_empty)(hop->landings);
}

/* The chase after one more hop; false: a promotion stops it. */
static bool NAME(hop_on)(const struct NAME(chase) * chase, const struct fast_group *group,
                         const struct NAME(hop) * hop, cell_index landing,
                         struct NAME(chase) * after)
{
    const struct game *game = chase->scene->view->game;
    *after = *chase;
    after->gone = NAME(or)(after->gone, NAME(one)(hop->jumped));
    if (!game->remove_at_turn_end)
        after->occupied = NAME(without)(after->occupied, NAME(one)(hop->jumped));
    const struct promotion_rule *promotion = group->promotion;
    bool goes_on = (group->offers & FAST_GOES_ON) != 0;
    if (promotion == NULL || promotion->at_turn_end || group->more != 0 ||
        !bits_test(group->promoted, landing))
        return goes_on;
    figure_index figure = (figure_index)word_lowest(promotion->to);
    after->mover = &game->fast->movers[figure * game->player_count + chase->scene->view->player];
    return goes_on && !promotion->stops;
}

static bool NAME(chase_group)(const struct NAME(chase) * chase, const struct fast_group *group)
{
    uint32_t wants = (chase->scene->view->wants | FAST_GOES_ON) & ~(uint32_t)FAST_UNRANKED;
    return group->takes_jumped && (wants & ~group->offers) == 0;
}

/* Whether there is a hop from here. */
static bool NAME(hops_on)(const struct NAME(chase) * chase, cell_index from)
{
    struct NAME(hop) hop;
    for (int i = 0; i < chase->mover->group_count; i++)
        if (NAME(chase_group)(chase, &chase->mover->groups[i]) &&
            NAME(find_hop)(chase, &chase->mover->groups[i], from, &hop))
            return true;
    return false;
}

/* Of the landings behind one figure those that the game leaves: where it goes on, if there are any. */
static SET NAME(kept_landings)(const struct NAME(chase) * chase, const struct fast_group *group,
                               const struct NAME(hop) * hop)
{
    SET kept = NAME(none)();
    if (!chase->scene->view->game->can_go_on)
        return hop->landings;
    EACH_CELL (landing, hop->landings) {
        struct NAME(chase) after;
        if (NAME(hop_on)(chase, group, hop, landing, &after) && NAME(hops_on)(&after, landing))
            kept = NAME(or)(kept, NAME(one)(landing));
    }
    return NAME(is_empty)(kept) ? hop->landings : kept;
}

static unsigned NAME(longest)(const struct NAME(chase) * chase, cell_index from);

/* How many figures can be taken by a hop to a cell and what follows it. */
static unsigned NAME(hop_takes)(const struct NAME(chase) * chase, const struct fast_group *group,
                                const struct NAME(hop) * hop, cell_index landing)
{
    struct NAME(chase) after;
    return NAME(hop_on)(chase, group, hop, landing, &after) ? 1 + NAME(longest)(&after, landing)
                                                            : 1;
}

/* How many figures can still be taken from here. */
static unsigned NAME(longest)(const struct NAME(chase) * chase, cell_index from)
{
    unsigned most = 0;
    for (int i = 0; i < chase->mover->group_count && !work_is_too_much(); i++) {
        const struct fast_group *group = &chase->mover->groups[i];
        struct NAME(hop) hop;
        if (!NAME(chase_group)(chase, group) || !NAME(find_hop)(chase, group, from, &hop))
            continue;
        EACH_CELL (landing, hop.landings) {
            unsigned here = NAME(hop_takes)(chase, group, &hop, landing);
            most = here > most ? here : most;
        }
    }
    return most;
}

/* Drops all moves so far, also those that were drained. */
static void NAME(forget_batches)(struct NAME(sink) * sink)
{
    sink->count = 0;
    sink->result->moves = sink->moves;
    sink->result->count = sink->before;
}

/* A landing that priorities leave. Of those that take the most the sink keeps the best there are. */
static void NAME(offer_landing)(const struct NAME(seeker) * seeker,
                                const struct NAME(chase) * chase, const struct fast_group *group,
                                const struct NAME(hop) * hop, cell_index from, cell_index landing)
{
    const struct game *game = seeker->scene->view->game;
    struct NAME(sink) *sink = seeker->sink;
    unsigned taken = game->most_taken ? NAME(hop_takes)(chase, group, hop, landing) : 1;
    if (game->most_taken && taken < sink->most)
        return;
    if (game->most_taken && taken > sink->most)
        NAME(forget_batches)(sink);
    sink->most = taken;
    NAME(emit)(sink, group, from, NAME(one)(landing));
}

/* The jumps of one figure. */
static void NAME(seek_jumps)(const struct NAME(seeker) * seeker, cell_index from)
{
    const struct NAME(scene) *scene = seeker->scene;
    uint32_t wants = scene->view->wants & ~(uint32_t)FAST_UNRANKED;
    struct NAME(chase) chase = {.scene = scene, .mover = seeker->mover};
    chase.occupied = NAME(without)(scene->occupied, NAME(one)(from));
    for (int i = 0; i < seeker->mover->group_count; i++) {
        const struct fast_group *group = &seeker->mover->groups[i];
        struct NAME(hop) hop;
        if (!group->takes_jumped || !NAME(applies)(scene, group, wants, from) ||
            !NAME(find_hop)(&chase, group, from, &hop))
            continue;
        SET landings = NAME(kept_landings)(&chase, group, &hop);
        EACH_CELL (landing, landings)
            NAME(offer_landing)(seeker, &chase, group, &hop, from, landing);
    }
}

/* Those figures that can jump something at all, seen all at once where they move so. */
static SET NAME(jumpers)(const struct NAME(seeker) * seeker, SET cells)
{
    const struct NAME(scene) *scene = seeker->scene;
    SET found = NAME(none)();
    for (int i = 0; i < seeker->mover->group_count; i++) {
        const struct fast_group *group = &seeker->mover->groups[i];
        if (!group->takes_jumped)
            continue;
        if (group->shape != FAST_SHIFT)
            return cells;
        SET targets = NAME(and)(NAME(shift)(scene, group, cells), scene->empty);
        found = NAME(or)(found, NAME(shifted)(targets, -group->offset));
    }
    return found;
}
