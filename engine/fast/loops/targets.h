/* Where a group of movements leads from a cell, by its shape (fast.h). */

/* A ray up to and including the first of `blockers`, which lie on it. */
static inline SET NAME(until_rising)(SET ray, SET blockers)
{
    uint64_t open = UINT64_MAX;
    for (int i = 0; i < WORDS; i++) {
        uint64_t block = blockers.w[i];
        ray.w[i] &= (block ^ (block - 1)) & open;
        open &= block == 0 ? UINT64_MAX : 0;
    }
    return ray;
}

static inline SET NAME(until_falling)(SET ray, SET blockers)
{
    uint64_t open = UINT64_MAX;
    for (int i = WORDS - 1; i >= 0; i--) {
        uint64_t block = blockers.w[i];
        ray.w[i] &= UINT64_MAX << word_highest(block | 1) & open;
        open &= block == 0 ? UINT64_MAX : 0;
    }
    return ray;
}

static inline SET NAME(until)(bool falling, SET ray, SET occupied)
{
    SET blockers = NAME(and)(ray, occupied);
    return falling ? NAME(until_falling)(ray, blockers) : NAME(until_rising)(ray, blockers);
}

FAST_APART static SET NAME(slide)(const struct NAME(scene) * scene, const struct fast_group *group,
                                  cell_index from)
{
    int all = group->rising + group->falling;
    const uint64_t *rays = group->table + (size_t)from * (size_t)all * WORDS;
    SET targets = NAME(none)();
    if (group->masked) {
        const uint64_t *masks = group->masks + (size_t)from * (size_t)all * WORDS;
        for (int i = 0; i < all; i++) {
            SET reach = NAME(until)(i >= group->rising, NAME(load)(rays + (size_t)i * WORDS),
                                    scene->occupied);
            targets = NAME(or)(targets, NAME(and)(reach, NAME(load)(masks + (size_t)i * WORDS)));
        }
        return targets;
    }
    for (int i = 0; i < group->rising; i++, rays += WORDS)
        targets = NAME(or)(targets, NAME(until)(false, NAME(load)(rays), scene->occupied));
    for (int i = 0; i < group->falling; i++, rays += WORDS)
        targets = NAME(or)(targets, NAME(until)(true, NAME(load)(rays), scene->occupied));
    return targets;
}

/* Behind the first figure on a ray, if it may be jumped, up to and including the next. */
static inline SET NAME(jump)(const struct NAME(scene) * scene, const struct fast_group *group,
                             cell_index from)
{
    int all = group->rising + group->falling;
    const uint64_t *rays = group->table + (size_t)from * (size_t)all * WORDS;
    const uint64_t *masks = group->masks + (size_t)from * (size_t)all * WORDS;
    SET over = NAME(without)(scene->sets[group->over], scene->pending), targets = NAME(none)();
    for (int i = 0; i < all; i++) {
        bool falling = i >= group->rising;
        SET ray = NAME(load)(rays + (size_t)i * WORDS);
        SET near = NAME(until)(falling, ray, scene->occupied);
        if (NAME(is_empty)(NAME(and)(near, over)))
            continue;
        SET reach = NAME(until)(falling, NAME(without)(ray, near), scene->occupied);
        targets = NAME(or)(targets, NAME(and)(reach, NAME(load)(masks + (size_t)i * WORDS)));
    }
    return targets;
}

static inline SET NAME(lame)(const struct NAME(scene) * scene, const struct fast_group *group,
                             cell_index from)
{
    SET targets = NAME(none)();
    SET over = group->jumps ? NAME(without)(scene->sets[group->over], scene->pending)
                            : scene->sets[ACCEPT_EMPTY];
    for (uint32_t i = group->starts[from]; i < group->starts[from + 1]; i++) {
        const uint64_t *entry = group->table + (size_t)i * 2 * WORDS;
        if (NAME(is_empty)(NAME(without)(NAME(load)(entry), over)))
            targets = NAME(or)(targets, NAME(load)(entry + WORDS));
    }
    return targets;
}

static inline SET NAME(shift)(const struct NAME(scene) * scene, const struct fast_group *group,
                              SET cells)
{
    cells = NAME(and)(cells, NAME(load)(group->from));
    if (group->steps == 1)
        return NAME(shifted)(cells, group->offset);
    SET over = group->jumps ? NAME(without)(scene->sets[group->over], scene->pending)
                            : scene->sets[ACCEPT_EMPTY];
    SET middle = NAME(and)(NAME(shifted)(cells, group->middle), over);
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
        return NAME(slide)(scene, group, from);
    case FAST_JUMP:
        return NAME(jump)(scene, group, from);
    case FAST_LAME:
        return NAME(lame)(scene, group, from);
    case FAST_SHIFT:
        return NAME(shift)(scene, group, NAME(one)(from));
    }
    assert(false);
    return NAME(none)();
}
