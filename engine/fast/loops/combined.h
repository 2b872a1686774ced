/* Combined movements. */

static bool NAME(combined_fits)(const struct NAME(scene) * scene,
                                const struct fast_combined *combined)
{
    const struct fast_view *view = scene->view;
    SET empty = NAME(load)(combined->cells), still = NAME(load)(combined->cells + WORDS);
    if (!NAME(is_empty)(NAME(without)(still, NAME(unmoved)(view))) ||
        !NAME(is_empty)(NAME(and)(empty, scene->occupied)))
        return false;
    for (int i = 0; i < combined->participant_count; i++) {
        const struct fast_participant *participant = &combined->participants[i];
        SET figures = NAME(and)(scene->own, NAME(of_kind)(view, participant->figure));
        if (!NAME(has)(figures, participant->source))
            return false;
    }
    return true;
}

/* Whether the first figure could stand on all cells that must be safe, were it not where it stands. */
static bool NAME(first_is_safe)(const struct NAME(scene) * scene,
                                const struct fast_combined *combined)
{
    const struct fast_participant *first = combined->participants;
    struct NAME(change) change = {.figure = first->figure, .removed = NAME(one)(first->source)};
    for (int i = 0; i < combined->safe_count; i++) {
        change.added = NAME(one)(combined->safe[i]);
        if (NAME(attacked)(scene, &change, combined->safe[i], change.figure))
            return false;
    }
    return true;
}

static bool NAME(combined_safe)(const struct NAME(scene) * scene,
                                const struct fast_combined *combined)
{
    struct NAME(change) change = {.figure = FIGURE_NONE};
    if (!NAME(first_is_safe)(scene, combined))
        return false;
    /* Figures of several kinds come: protected ones are looked at each by itself. */
    for (int i = 0; i < combined->participant_count; i++) {
        change.removed = NAME(or)(change.removed, NAME(one)(combined->participants[i].source));
        change.added = NAME(or)(change.added, NAME(one)(combined->participants[i].destination));
    }
    SET royals = NAME(without)(scene->royals, change.removed);
    EACH_CELL (cell, royals)
        if (NAME(attacked)(scene, &change, cell, NAME(figure_on)(scene->view, cell)))
            return false;
    for (int i = 0; i < combined->participant_count; i++) {
        const struct fast_participant *participant = &combined->participants[i];
        if (NAME(has)(scene->royals, participant->source) &&
            NAME(attacked)(scene, &change, participant->destination, participant->figure))
            return false;
    }
    return true;
}

/* Where simple movements lead from a cell. */
static SET NAME(simple_targets)(const struct NAME(seeker) * seeker, cell_index from)
{
    const struct NAME(scene) *scene = seeker->scene;
    SET seen = NAME(none)();
    work_spend(scene->player->work * WORK_WORDS(WORDS));
    for (int i = 0; i < seeker->mover->group_count; i++) {
        const struct fast_group *group = &seeker->mover->groups[i];
        SET accepted = NAME(or)(scene->sets[group->accept], NAME(marked)(scene, group));
        if (NAME(applies)(scene, group, scene->view->wants, from))
            seen = NAME(or)(seen, NAME(and)(NAME(reach)(scene, group, from), accepted));
    }
    return seen;
}

/* Combined movements count only where no simple one leads. */
static void NAME(seek_combined)(const struct NAME(seeker) * seeker, cell_index from)
{
    const struct NAME(scene) *scene = seeker->scene;
    const struct fast_mover *mover = seeker->mover;
    SET seen = NAME(none)();
    if (mover->combined_unmoved && !NAME(has)(NAME(unmoved)(scene->view), from))
        return;
    for (int i = mover->combined_starts[from]; i < mover->combined_starts[from + 1]; i++) {
        const struct fast_combined *combined = &mover->combined[i];
        work_spend(8 * WORK_WORDS(WORDS) + (uint64_t)2 * combined->participant_count);
        if (!NAME(combined_fits)(scene, combined) || !NAME(combined_safe)(scene, combined))
            continue;
        seen = NAME(or)(seen, NAME(simple_targets)(seeker, from));
        if (NAME(has)(seen, combined->to))
            continue;
        seen = NAME(or)(seen, NAME(one)(combined->to));
        struct fast_group group = {.rule = combined->rule};
        NAME(emit)(seeker->sink, &group, from, NAME(one)(combined->to));
    }
}
