/* Counting the moves of a player all of whose figures leap, shift or slide, one of whom at most must not be left attacked,
 * by attacks that are blocked by any figure or by none. Only the number is found, not the moves. What lines of attack ask
 * of a move is two sets: where every figure may go, and, for the few that stand alone between, the line. */

/* A figure that stands alone on a line of attack may go along it only. */
struct NAME(pin) {
    SET figure, line;
};

struct NAME(tally) {
    struct NAME(scene) * scene;
    SET accepted[ACCEPT_BOTH +
                 1]; /* where a figure that is not protected may go, by what stands there */
    SET pinned;
    int pin_count;
    struct NAME(pin) pins[FAST_LINES_MAX];
};

static inline bool NAME(is_single)(SET a)
{
    return WORDS == 1 ? (a.w[0] & (a.w[0] - 1)) == 0 : NAME(size)(a) == 1;
}

/* Looks along one kind of lines to the protected figure; false: there are too many. */
static inline bool NAME(tally_lines)(struct NAME(tally) * tally, int number, cell_index royal)
{
    struct NAME(scene) *scene = tally->scene;
    const struct game *game = scene->view->game;
    SET sources = NAME(liners)(scene, number, royal);
    const uint16_t *row =
        scene->player->lines[number].paths + (size_t)royal * (size_t)game->cell_count;
    cell_index source = 0;
    FOR_EACH(sources, source)
    {
        SET path = NAME(load)(game->fast->paths + (size_t)row[source] * WORDS);
        SET between = NAME(and)(path, scene->occupied);
        SET line = NAME(or)(path, NAME(one)(source));
        if (NAME(is_empty)(between)) {
            scene->allowed = NAME(and)(scene->allowed, line);
        } else if (NAME(is_single)(between) && !NAME(is_empty)(NAME(and)(between, scene->own))) {
            if (tally->pin_count == FAST_LINES_MAX)
                return false;
            tally->pinned = NAME(or)(tally->pinned, between);
            tally->pins[tally->pin_count++] = (struct NAME(pin)){.figure = between, .line = line};
        }
    }
    return true;
}

/* What attacks on the protected figure ask of all others; false: there are several such figures, or too many lines. */
static bool NAME(tally_guard)(struct NAME(tally) * tally)
{
    struct NAME(scene) *scene = tally->scene;
    const struct fast_player *player = scene->player;
    if (player->royals == 0)
        return true;
    scene->royals = NAME(and)(scene->own, NAME(figures)(scene->view, player->royals));
    scene->guarded = !NAME(is_empty)(scene->royals);
    if (!scene->guarded)
        return true;
    if (!NAME(is_single)(scene->royals))
        return false;
    cell_index royal = NAME(first)(scene->royals);
    NAME(keep_attackers)(scene);
    for (int i = 0; i < player->leap_count; i++) {
        SET reach = NAME(load)(player->leaps[i].table + (size_t)royal * WORDS);
        SET sources = NAME(and)(scene->leapers[i], reach);
        if (!NAME(is_empty)(sources))
            scene->allowed =
                NAME(is_single)(sources) ? NAME(and)(scene->allowed, sources) : NAME(none)();
    }
    for (int i = 0; i < player->line_count; i++)
        if (!NAME(tally_lines)(tally, i, royal))
            return false;
    return true;
}

static inline unsigned NAME(tally_size)(const struct fast_group *group, SET targets)
{
    unsigned count = NAME(size)(targets);
    if (group->more != 0)
        count += group->more * NAME(size)(NAME(and)(targets, NAME(load)(group->promoted)));
    return count;
}

FAST_APART static unsigned NAME(tally_pinned)(const struct NAME(tally) * tally,
                                              const struct fast_mover *mover, SET cells)
{
    const struct NAME(scene) *scene = tally->scene;
    unsigned count = 0;
    cell_index from = 0;
    FOR_EACH(cells, from)
    {
        SET line = NAME(every)();
        for (int i = 0; i < tally->pin_count; i++)
            if (NAME(has)(tally->pins[i].figure, from))
                line = NAME(and)(line, tally->pins[i].line);
        for (int i = 0; i < mover->group_count; i++) {
            const struct fast_group *group = &mover->groups[i];
            SET targets = NAME(and)(tally->accepted[group->accept], line);
            if (NAME(applies)(scene, group, from))
                count +=
                    NAME(tally_size)(group, NAME(and)(NAME(reach)(scene, group, from), targets));
        }
    }
    return count;
}

/* By a mark, of any figure: each is tried out. */
FAST_APART static unsigned NAME(tally_marked)(const struct NAME(scene) * scene,
                                              const struct fast_group *group, figure_index figure,
                                              SET cells)
{
    const struct mark *mark = &scene->view->marks[group->takes_marked];
    struct NAME(change) change = {.figure = figure};
    change.added = NAME(one)(mark->cell);
    unsigned count = 0;
    cell_index from = 0;
    if (group->shape == FAST_SHIFT) /* there is one such cell, if any */
        cells = NAME(and)(cells, NAME(shifted)(change.added, -group->offset));
    FOR_EACH(cells, from)
    {
        if (!NAME(has)(NAME(reach)(scene, group, from), mark->cell))
            continue;
        change.removed = NAME(or)(NAME(one)(from), NAME(one)(mark->maker));
        if (!scene->guarded || NAME(safe_after)(scene, &change))
            count += NAME(tally_size)(group, change.added);
    }
    return count;
}

/* Of the protected figure, wherever it is not attacked then. */
FAST_APART static unsigned NAME(tally_royal)(const struct NAME(scene) * scene,
                                             const struct fast_kind *kind, cell_index from)
{
    const struct fast_mover *mover = kind->mover;
    struct NAME(change) change = {.figure = kind->figure};
    change.removed = NAME(one)(from);
    unsigned count = 0;
    for (int i = 0; i < mover->group_count; i++) {
        const struct fast_group *group = &mover->groups[i];
        if (!NAME(applies)(scene, group, from))
            continue;
        SET targets = NAME(and)(NAME(reach)(scene, group, from), NAME(accepted)(scene, group));
        SET kept = NAME(none)();
        cell_index to = 0;
        FOR_EACH(targets, to)
        {
            change.added = NAME(one)(to);
            if (!NAME(attacked)(scene, &change, to, kind->figure))
                kept = NAME(or)(kept, change.added);
        }
        count += NAME(tally_size)(group, kept);
        if (NAME(is_marked)(scene, group))
            count += NAME(tally_marked)(scene, group, kind->figure, change.removed);
    }
    return count;
}

/* All figures that nothing holds, by one group of movements. */
static inline unsigned NAME(tally_free)(const struct NAME(tally) * tally,
                                        const struct fast_group *group, SET cells)
{
    SET accepted = tally->accepted[group->accept];
    cell_index from = 0;
    if (group->shape == FAST_SHIFT)
        return NAME(tally_size)(group,
                                NAME(and)(NAME(shift)(tally->scene, group, cells), accepted));
    unsigned count = 0;
    if (group->shape == FAST_LEAP) {
        FOR_EACH(cells, from)
        {
            SET reach = NAME(load)(group->table + (size_t)from * WORDS);
            count += NAME(tally_size)(group, NAME(and)(reach, accepted));
        }
        return count;
    }
    FOR_EACH(cells, from)
    {
        SET reach = NAME(slide)(tally->scene, group, from);
        count += NAME(tally_size)(group, NAME(and)(reach, accepted));
    }
    return count;
}

/* All figures of one kind that is not protected. */
static inline unsigned NAME(tally_kind)(const struct NAME(tally) * tally,
                                        const struct fast_kind *kind, SET cells)
{
    const struct NAME(scene) *scene = tally->scene;
    const struct fast_group *group = kind->mover->groups;
    SET pinned = NAME(and)(cells, tally->pinned), unheld = NAME(without)(cells, pinned);
    unsigned count = 0;
    if (!NAME(is_empty)(pinned))
        count = NAME(tally_pinned)(tally, kind->mover, pinned);
    for (int left = kind->mover->group_count; left > 0; left--, group++) {
        count += NAME(tally_free)(tally, group, NAME(who_may)(scene, group, unheld));
        if (NAME(is_marked)(scene, group))
            count +=
                NAME(tally_marked)(scene, group, kind->figure, NAME(who_may)(scene, group, cells));
    }
    return count;
}

FAST_APART static void NAME(tally_complex)(const struct NAME(tally) * tally,
                                           const struct fast_mover *mover, SET cells,
                                           struct fast_result *result)
{
    struct NAME(sink) sink;
    sink.counts = true;
    sink.result = result;
    struct NAME(seeker) seeker = {.scene = tally->scene, .sink = &sink, .mover = mover};
    cell_index from = 0;
    if (!tally->scene->guarded) /* what must be safe is asked of them, too */
        NAME(keep_attackers)(tally->scene);
    FOR_EACH(cells, from)
    {
        NAME(seek_complex)(&seeker, from);
    }
}

static inline void NAME(tally_targets)(struct NAME(tally) * tally)
{
    const struct NAME(scene) *scene = tally->scene;
    SET *accepted = tally->accepted;
    accepted[ACCEPT_EMPTY] = scene->view->takes_only ? NAME(none)() : scene->sets[ACCEPT_EMPTY];
    accepted[ACCEPT_ENEMY] = scene->view->quiet_only ? NAME(none)() : scene->sets[ACCEPT_ENEMY];
    accepted[ACCEPT_BOTH] = NAME(or)(accepted[ACCEPT_EMPTY], accepted[ACCEPT_ENEMY]);
    for (int i = 0; i <= ACCEPT_BOTH; i++)
        accepted[i] = NAME(and)(accepted[i], scene->allowed);
}

/* Adds all moves of the view's player to the count; false: this cannot tell. */
FAST_APART static bool NAME(tally)(const struct fast_view *view, struct fast_result *result)
{
    struct NAME(scene) scene;
    struct NAME(tally) tally;
    NAME(see_figures)(&scene, view);
    NAME(see_targets)(&scene, NAME(none)());
    const struct fast_player *player = scene.player;
    tally.scene = &scene;
    tally.pinned = NAME(none)();
    tally.pin_count = 0;
    if (!NAME(tally_guard)(&tally))
        return false;
    NAME(tally_targets)(&tally);
    work_spend((NAME(size)(scene.own) * player->work + (unsigned)player->kind_count) *
               WORK_WORDS(WORDS));
    unsigned count = 0;
    const struct fast_kind *end = player->kinds + player->kind_count;
    for (const struct fast_kind *kind = player->kinds; kind < end; kind++) {
        SET here = NAME(and)(scene.own, NAME(load)(view->words + kind->words));
        if (NAME(is_empty)(here))
            continue;
        count += kind->royal ? NAME(tally_royal)(&scene, kind, NAME(first)(here))
                             : NAME(tally_kind)(&tally, kind, here);
        if (kind->complexes && !view->takes_only)
            NAME(tally_complex)(&tally, kind->mover, here, result);
    }
    result->count += count;
    return true;
}
