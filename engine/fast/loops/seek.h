/* Simple movements of one figure, or of all of a kind at once. */

/* What all figures of one kind have in common while their moves are looked for. */
struct NAME(seeker) {
    const struct NAME(scene) * scene;
    struct NAME(sink) * sink;
    const struct fast_mover *mover;
    figure_index figure;
    bool royal;
};

/* Keeps those targets where a protected figure is safe. */
static SET NAME(keep_safe)(const struct NAME(seeker) * seeker, cell_index from, SET targets,
                           SET also_removed)
{
    SET kept = NAME(none)();
    struct NAME(change) change = {.figure = seeker->figure};
    change.removed = NAME(or)(NAME(one)(from), also_removed);
    cell_index to = 0;
    FOR_EACH(targets, to)
    {
        change.added = NAME(one)(to);
        if (NAME(safe_after)(seeker->scene, &change))
            kept = NAME(or)(kept, change.added);
    }
    return kept;
}

static inline bool NAME(is_marked)(const struct NAME(scene) * scene, const struct fast_group *group)
{
    if (group->takes_marked < 0 || scene->view->quiet_only)
        return false;
    const struct mark *mark = &scene->view->marks[group->takes_marked];
    return mark->cell != CELL_NONE && !NAME(has)(scene->occupied, mark->cell) &&
           NAME(has)(scene->sets[ACCEPT_ENEMY], mark->maker);
}

/* The cell on which the group takes by its mark now. */
static inline SET NAME(marked)(const struct NAME(scene) * scene, const struct fast_group *group)
{
    return NAME(is_marked)(scene, group) ? NAME(one)(scene->view->marks[group->takes_marked].cell)
                                         : NAME(none)();
}

/* A figure that does not stand on the target but behind it: taken where it left its mark. */
static void NAME(seek_marked)(const struct NAME(seeker) * seeker, const struct fast_group *group,
                              cell_index from, SET target)
{
    const struct NAME(scene) *scene = seeker->scene;
    const struct mark *mark = &scene->view->marks[group->takes_marked];
    if (scene->guarded)
        target = NAME(keep_safe)(seeker, from, target, NAME(one)(mark->maker));
    NAME(emit)(scene->view->game, seeker->sink, group, from, target);
}

static inline bool NAME(applies)(const struct NAME(scene) * scene, const struct fast_group *group,
                                 cell_index from)
{
    const struct fast_view *view = scene->view;
    if (group->phase != view->phase || (view->going_on && group->continues == GOES_ON_NEVER) ||
        (view->quiet_only && group->purpose == FOR_TAKE) ||
        (view->takes_only && group->purpose != FOR_TAKE && group->purpose != FOR_BOTH))
        return false;
    return !group->unmoved || from == CELL_NONE || NAME(has)(NAME(unmoved)(view), from);
}

static inline SET NAME(accepted)(const struct NAME(scene) * scene, const struct fast_group *group)
{
    SET accept = scene->sets[group->accept];
    if (scene->view->quiet_only && group->purpose != FOR_SWAP)
        accept = NAME(and)(accept, scene->sets[ACCEPT_EMPTY]);
    if (scene->view->takes_only && !group->takes_jumped)
        accept = NAME(and)(accept, scene->sets[ACCEPT_ENEMY]);
    if (scene->view->going_on && !group->takes_jumped)
        accept = NAME(without)(accept, NAME(without)(scene->visited, scene->sets[ACCEPT_ENEMY]));
    return accept;
}

/* All groups for one figure; `allowed` says where lines let it go. Without `shifts` those are left out. */
static void NAME(seek)(const struct NAME(seeker) * seeker, cell_index from, SET allowed,
                       bool shifts)
{
    const struct NAME(scene) *scene = seeker->scene;
    const struct game *game = scene->view->game;
    SET seen = NAME(none)();
    work_spend(WORK_WORDS(WORDS) * WORK_SEARCH * (unsigned)seeker->mover->group_count);
    for (int i = 0; i < seeker->mover->group_count; i++) {
        const struct fast_group *group = &seeker->mover->groups[i];
        if ((group->shape == FAST_SHIFT && !shifts) || (group->takes_jumped && game->fast->ranks) ||
            !NAME(applies)(scene, group, from))
            continue;
        SET reach = NAME(without)(NAME(reach)(scene, group, from), seen);
        SET targets = NAME(and)(reach, NAME(accepted)(scene, group));
        SET marked = NAME(and)(reach, NAME(marked)(scene, group));
        if (seeker->mover->overlaps) /* the first that fits decides, be the move legal or not */
            seen = NAME(or)(seen, NAME(or)(targets, marked));
        targets = NAME(and)(targets, allowed);
        if (seeker->royal || scene->lines_overflow)
            targets = NAME(keep_safe)(seeker, from, targets, NAME(none)());
        NAME(emit)(game, seeker->sink, group, from, targets);
        if (!NAME(is_empty)(marked))
            NAME(seek_marked)(seeker, group, from, marked);
    }
}

/* Those of the cells whose figures may move by the group at all. */
static inline SET NAME(who_may)(const struct NAME(scene) * scene, const struct fast_group *group,
                                SET cells)
{
    return group->unmoved ? NAME(and)(cells, NAME(unmoved)(scene->view)) : cells;
}

/* All figures that no line holds, at once. */
static void NAME(seek_shifts)(const struct NAME(seeker) * seeker, SET cells)
{
    const struct NAME(scene) *scene = seeker->scene;
    const struct fast_view *view = scene->view;
    const struct game *game = view->game;
    for (int i = 0; i < seeker->mover->group_count; i++) {
        const struct fast_group *group = &seeker->mover->groups[i];
        if (group->shape != FAST_SHIFT || (group->takes_jumped && game->fast->ranks) ||
            !NAME(applies)(scene, group, CELL_NONE))
            continue;
        SET here = NAME(who_may)(scene, group, cells);
        SET reach = NAME(shift)(scene, group, here);
        SET targets = NAME(and)(NAME(and)(reach, NAME(accepted)(scene, group)), scene->allowed);
        NAME(emit)(game, seeker->sink, group, CELL_NONE, targets);
        SET marked = NAME(and)(reach, NAME(marked)(scene, group));
        if (!NAME(is_empty)(marked)) {
            cell_index from = (cell_index)(NAME(first)(marked) - group->offset);
            NAME(seek_marked)(seeker, group, from, marked);
        }
    }
}

/* Figures of one kind that no line holds, those groups that are no shifts: one group after the other, so that what all
 * figures have in common is asked once. */
static void NAME(seek_free)(const struct NAME(seeker) * seeker, SET cells)
{
    const struct NAME(scene) *scene = seeker->scene;
    const struct fast_view *view = scene->view;
    const struct game *game = view->game;
    for (int i = 0; i < seeker->mover->group_count; i++) {
        const struct fast_group *group = &seeker->mover->groups[i];
        if (group->shape == FAST_SHIFT || (group->takes_jumped && game->fast->ranks) ||
            !NAME(applies)(scene, group, CELL_NONE))
            continue;
        SET here = NAME(who_may)(scene, group, cells);
        SET accepted = NAME(and)(NAME(accepted)(scene, group), scene->allowed);
        SET marked = NAME(marked)(scene, group);
        cell_index from = 0;
        FOR_EACH(here, from)
        {
            SET reach = NAME(reach)(scene, group, from);
            NAME(emit)(game, seeker->sink, group, from, NAME(and)(reach, accepted));
            if (!NAME(is_empty)(NAME(and)(reach, marked)))
                NAME(seek_marked)(seeker, group, from, marked);
        }
    }
}
