/* Where a group of movements leads from a cell, by its shape (fast.h). */

/* As many rays rise as fall: two at a time. */
FAST_WITHIN SET NAME(slide)(const struct NAME(scene) * scene, const struct fast_group *group,
                            cell_index from)
{
    const size_t pairs = group->rising;
    const uint64_t *rays = group->table + 2 * pairs * WORDS * from, *end = rays + pairs * WORDS;
    const SET occupied = scene->occupied;
    SET targets = NAME(none)();
    for (; rays < end; rays += WORDS) {
        SET rising = NAME(load)(rays), falling = NAME(load)(rays + pairs * WORDS);
        targets = NAME(or)(targets, NAME(until)(false, rising, occupied));
        targets = NAME(or)(targets, NAME(until)(true, falling, occupied));
    }
    return targets;
}

/* What may be jumped now. */
static inline SET NAME(over)(const struct NAME(scene) * scene, const struct fast_group *group)
{
    return NAME(without)(scene->sets[group->over], scene->pending);
}

/* Rays on which not every cell is a target. Of a jump, behind the first figure, if it may be jumped, up to and including the next; or
 * only the cell right behind it. */
static inline SET NAME(masked)(const struct NAME(scene) * scene, const struct fast_group *group,
                               cell_index from)
{
    int all = group->rising + group->falling;
    size_t first = (size_t)from * (size_t)all * WORDS;
    SET targets = NAME(none)();
    for (int i = 0; i < all; i++) {
        bool falling = i >= group->rising;
        SET ray = NAME(load)(group->table + first + (size_t)i * WORDS);
        SET reach = NAME(until)(falling, ray, scene->occupied);
        if (group->shape == FAST_JUMP) {
            if (NAME(is_empty)(NAME(and)(reach, NAME(over)(scene, group))))
                continue;
            ray = NAME(without)(ray, reach);
            reach = NAME(until)(falling, ray, group->close ? ray : scene->occupied);
        }
        SET mask = NAME(load)(group->masks + first + (size_t)i * WORDS);
        targets = NAME(or)(targets, NAME(and)(reach, mask));
    }
    return targets;
}

/* Rays on each of which at most one cell is a target: it lies as many steps away as cells on the whole line are like what is counted. */
FAST_APART static SET NAME(counted)(const struct NAME(scene) * scene,
                                    const struct fast_group *group, cell_index from)
{
    int all = group->rising + group->falling;
    size_t at = (size_t)from * (size_t)all * WORDS;
    SET targets = NAME(none)(), stops = NAME(without)(scene->occupied, NAME(over)(scene, group));
    for (int i = 0; i < all; i++, at += WORDS) {
        SET left = NAME(load)(group->table + at), path = NAME(none)(), target = NAME(none)();
        SET line = NAME(and)(NAME(load)(group->lines + at), scene->sets[group->counted]);
        for (unsigned steps = NAME(size)(line); steps > 0; steps--) {
            path = NAME(or)(path, target);
            target = NAME(until)(i >= group->rising, left, left);
            left = NAME(without)(left, target);
        }
        unsigned jumped = NAME(size)(NAME(and)(path, scene->occupied));
        if (jumped >= group->over_min && jumped <= group->over_max &&
            NAME(is_empty)(NAME(and)(path, stops)))
            targets = NAME(or)(targets, NAME(and)(target, NAME(load)(group->masks + at)));
    }
    return targets;
}

static inline SET NAME(lame)(const struct NAME(scene) * scene, const struct fast_group *group,
                             cell_index from)
{
    SET targets = NAME(none)();
    for (uint32_t i = group->starts[from]; i < group->starts[from + 1]; i++) {
        const uint64_t *entry = group->table + (size_t)i * 2 * WORDS;
        if (NAME(is_empty)(NAME(without)(NAME(load)(entry), scene->empty)))
            targets = NAME(or)(targets, NAME(load)(entry + WORDS));
    }
    return targets;
}

static inline SET NAME(shift)(const struct NAME(scene) * scene, const struct fast_group *group,
                              SET cells)
{
    cells = NAME(and)(cells, NAME(load)(group->from));
    if (group->middle == 0)
        return NAME(shifted)(cells, group->offset);
    SET middle = NAME(and)(NAME(shifted)(cells, group->middle),
                           group->jumps ? NAME(over)(scene, group) : scene->empty);
    return NAME(shifted)(middle, group->offset - group->middle);
}

/* All that a group reaches from a cell, whatever stands there. */
static inline SET NAME(reach)(const struct NAME(scene) * scene, const struct fast_group *group,
                              cell_index from)
{
    switch (group->shape) {
    case FAST_LEAP:
        return NAME(load)(group->table + (size_t)from * WORDS);
    case FAST_SLIDE:
        return group->masked ? NAME(masked)(scene, group, from) : NAME(slide)(scene, group, from);
    case FAST_JUMP:
        return NAME(masked)(scene, group, from);
    case FAST_COUNTED:
        return NAME(counted)(scene, group, from);
    case FAST_LAME:
        return NAME(lame)(scene, group, from);
    case FAST_SHIFT:
        return NAME(shift)(scene, group, NAME(one)(from));
    }
    assert(false);
    return NAME(none)();
}

/* The same where it is mostly a slide. */
FAST_WITHIN SET NAME(slide_or_reach)(const struct NAME(scene) * scene,
                                     const struct fast_group *group, cell_index from)
{
    if (group->shape == FAST_SLIDE && !group->masked)
        return NAME(slide)(scene, group, from);
    return NAME(reach)(scene, group, from);
}
