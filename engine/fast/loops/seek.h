/* Simple movements of one figure, or of all of a kind at once. */

/* What all figures of one kind have in common while their moves are looked for. */
struct NAME(seeker) {
    const struct NAME(scene) * scene;
    struct NAME(sink) * sink;
    const struct NAME(spared) * spared; /* NULL: nothing is to be spared */
    const struct fast_mover *mover;
};

/* Keeps those targets where a protected figure is safe. */
static SET NAME(keep_safe)(const struct NAME(seeker) * seeker, cell_index from, SET targets,
                           SET also_removed)
{
    const struct NAME(scene) *scene = seeker->scene;
    SET kept = NAME(none)();
    struct NAME(change) change = {.figure = seeker->mover->figure};
    change.removed = NAME(or)(NAME(one)(from), also_removed);
    bool alone =
        seeker->mover->royal && NAME(is_empty)(NAME(without)(scene->royals, NAME(one)(from)));
    EACH_CELL (to, targets) {
        change.added = NAME(one)(to);
        if (alone ? !NAME(attacked)(scene, &change, to, seeker->mover->figure)
                  : NAME(safe_after)(scene, &change))
            kept = NAME(or)(kept, change.added);
    }
    return kept;
}

/* The cell on which the group takes by its mark now. */
static inline SET NAME(marked)(const struct NAME(scene) * scene, const struct fast_group *group)
{
    if (group->takes_marked < 0 || (scene->view->wants & FAST_QUIET) != 0)
        return NAME(none)();
    const struct mark *mark = &scene->view->marks[group->takes_marked];
    bool takes = mark->cell != CELL_NONE && !NAME(has)(scene->occupied, mark->cell) &&
                 NAME(has)(scene->sets[ACCEPT_ENEMY], mark->maker);
    if (!takes)
        return NAME(none)();
    const struct fast_apart *apart = &scene->player->accepts[group->accept].apart;
    return NAME(without)(NAME(one)(mark->cell), NAME(kept_apart)(scene, apart));
}

/* By the group to the marked cell: what is taken does not stand there but where it left its mark. */
FAST_APART static void NAME(seek_marked)(const struct NAME(seeker) * seeker,
                                         const struct fast_group *group, SET cells)
{
    const struct NAME(scene) *scene = seeker->scene;
    const struct mark *mark = &scene->view->marks[group->takes_marked];
    SET marked = NAME(one)(mark->cell);
    bool guarded = scene->view->game->fast->filters; /* else every move is tried out */
    if (group->shape == FAST_SHIFT)
        cells = NAME(and)(cells, NAME(shifted)(marked, -group->offset));
    EACH_CELL (from, cells) {
        if (!NAME(has)(NAME(reach)(scene, group, from), mark->cell))
            continue;
        SET safe = guarded ? NAME(keep_safe)(seeker, from, marked, NAME(one)(mark->maker)) : marked;
        NAME(emit)(seeker->sink, group, from, safe);
    }
}

static inline void NAME(seek_if_marked)(const struct NAME(seeker) * seeker,
                                        const struct fast_group *group, SET cells)
{
    if (!NAME(is_empty)(NAME(marked)(seeker->scene, group)))
        NAME(seek_marked)(seeker, group, cells);
}

/* Those of the cells whose figures may move by the group at all. */
static inline SET NAME(who_may)(const struct NAME(scene) * scene, const struct fast_group *group,
                                SET cells)
{
    return group->unmoved ? NAME(and)(cells, NAME(unmoved)(scene->view)) : cells;
}

/* Whether the figure on a cell may move by the group, and that offers what is wanted. */
static inline bool NAME(applies)(const struct NAME(scene) * scene, const struct fast_group *group,
                                 uint32_t wants, cell_index from)
{
    return (wants & ~group->offers) == 0 &&
           !NAME(is_empty)(NAME(who_may)(scene, group, NAME(one)(from)));
}

/* All groups for one figure, which is protected, held by lines, or has movements that decide between them. */
FAST_APART static void NAME(seek)(const struct NAME(seeker) * seeker, cell_index from)
{
    const struct NAME(scene) *scene = seeker->scene;
    SET seen = NAME(none)(), allowed = scene->allowed;
    if (seeker->mover->royal)
        allowed = NAME(every)();
    else if (scene->line_count > 0)
        allowed = NAME(lines_allow)(scene, from, seeker->mover->figure);
    work_spend(WORK_WORDS(WORDS) * WORK_SEARCH * (unsigned)seeker->mover->group_count);
    for (int i = 0; i < seeker->mover->group_count; i++) {
        const struct fast_group *group = &seeker->mover->groups[i];
        if (!NAME(applies)(scene, group, scene->view->wants, from))
            continue;
        SET reach = NAME(without)(NAME(reach)(scene, group, from), seen);
        SET targets = NAME(and)(reach, scene->sets[group->accept]);
        SET marked = NAME(and)(reach, NAME(marked)(scene, group));
        if (seeker->mover->overlaps) /* the first that fits decides, be the move legal or not */
            seen = NAME(or)(seen, NAME(or)(targets, marked));
        targets = NAME(and)(targets, allowed);
        if ((seeker->mover->royal || scene->lines_overflow) && !NAME(is_empty)(targets))
            targets = NAME(keep_safe)(seeker, from, targets, NAME(none)());
        if (seeker->spared != NULL && !NAME(is_empty)(targets))
            targets = NAME(keep_sparing)(seeker->spared, seeker->mover->figure, from, targets);
        NAME(emit)(seeker->sink, group, from, targets);
        if (!NAME(is_empty)(marked))
            NAME(seek_marked)(seeker, group, NAME(one)(from));
    }
}

/* Figures of one kind that no line holds: one group after the other, so that what all figures have in common is asked once. What
 * is asked and counted again and again is not left in memory, which would have to be written and read each time; and there are two of
 * this, one that counts. */
FAST_WITHIN void NAME(seek_free)(const struct NAME(seeker) * seeker, SET cells, bool counts)
{
    const struct NAME(scene) *scene = seeker->scene;
    struct NAME(sink) *sink = seeker->sink;
    const struct fast_group *group = seeker->mover->groups;
    const uint32_t wants = scene->view->wants;
    const SET allowed = scene->allowed;
    unsigned counted = 0;
    for (int groups = seeker->mover->group_count; groups > 0; groups--, group++) {
        if ((wants & ~group->offers) != 0)
            continue;
        SET here = NAME(who_may)(scene, group, cells);
        SET accepted = NAME(and)(scene->sets[group->accept], allowed);
        if (group->shape == FAST_SHIFT) {
            SET reach = NAME(shift)(scene, group, here);
            counted += NAME(emitted)(sink, group, CELL_NONE, NAME(and)(reach, accepted), counts);
        } else if (group->shape == FAST_LEAP) {
            EACH_CELL (from, here) {
                SET reach = NAME(load)(group->table + (size_t)from * WORDS);
                counted += NAME(emitted)(sink, group, from, NAME(and)(reach, accepted), counts);
            }
        } else {
            EACH_CELL (from, here) {
                SET reach = NAME(slide_or_reach)(scene, group, from);
                counted += NAME(emitted)(sink, group, from, NAME(and)(reach, accepted), counts);
            }
        }
        if (group->takes_marked >= 0)
            NAME(seek_if_marked)(seeker, group, here);
    }
    sink->counted += counted;
}
