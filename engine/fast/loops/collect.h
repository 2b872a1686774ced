/* All moves of a view, kind by kind, into a sink. */

static void NAME(seek_each)(const struct NAME(seeker) * seeker, SET cells)
{
    EACH_CELL (from, cells) {
        NAME(seek)(seeker, from);
        if (seeker->sink->counted >= seeker->sink->enough)
            return;
    }
}

FAST_WITHIN void NAME(seek_all)(const struct NAME(seeker) * seeker, SET cells)
{
    SET held = NAME(and)(cells, seeker->scene->sensitive);
    if (!NAME(is_empty)(held))
        NAME(seek_each)(seeker, held);
    cells = NAME(without)(cells, held);
    if (seeker->sink->counts)
        NAME(seek_free)(seeker, cells, true);
    else
        NAME(seek_free)(seeker, cells, false);
}

/* Whether groups decide between each other now: several offer what is wanted. */
static bool NAME(overlap)(const struct fast_mover *mover, uint32_t wants)
{
    int offering = 0;
    for (int i = 0; i < mover->group_count && mover->overlaps && offering < 2; i++)
        offering += (wants & ~mover->groups[i].offers) == 0;
    return offering > 1;
}

/* Combined movements come last: they count where no simple one leads. */
FAST_APART static void NAME(seek_special)(const struct NAME(seeker) * seeker, SET cells)
{
    const struct fast_mover *mover = seeker->mover;
    uint32_t wants = seeker->scene->view->wants & ~(uint32_t)FAST_QUIET;
    bool quiet = wants != seeker->scene->view->wants;
    SET jumpers = mover->has_ranked && !quiet ? NAME(jumpers)(seeker, cells) : NAME(none)();
    SET beginners =
        mover->combined_count > 0 && (wants & ~FAST_GATES) == (FAST_UNRANKED | FAST_PHASE)
            ? cells
            : NAME(none)();
    EACH_CELL (from, jumpers)
        NAME(seek_jumps)(seeker, from);
    if (mover->royal || seeker->scene->apart || NAME(overlap)(mover, seeker->scene->view->wants))
        NAME(seek_each)(seeker, cells);
    else
        NAME(seek_all)(seeker, cells);
    EACH_CELL (from, beginners)
        NAME(seek_combined)(seeker, from);
}

static inline void NAME(collect)(const struct fast_view *view, SET cells, struct NAME(sink) * sink)
{
    const struct fast_game *fast = view->game->fast;
    struct NAME(scene) scene;
    NAME(survey)(&scene, view);
    const struct fast_player *player = scene.player;
    if (fast->filters)
        NAME(guard)(&scene);
    else if (player->has_combined)
        NAME(keep_attackers)(&scene);
    cells = NAME(and)(cells, scene.own);
    uint64_t units = NAME(size)(cells) * player->work + (unsigned)player->mover_count;
    struct NAME(seeker) seeker = {.scene = &scene, .sink = sink};
    struct NAME(spared) spared;
    if (fast->filters && player->spared != 0) {
        NAME(spare)(view, &spared);
        seeker.spared = &spared;
        scene.apart = true;
    }
    if (!work_spend(units * WORK_WORDS(WORDS)))
        return;
    for (int i = 0; i < player->mover_count && sink->counted < sink->enough; i++) {
        const struct fast_mover *mover = player->movers[i];
        SET here = NAME(and)(cells, NAME(load)(view->words + mover->words));
        if (NAME(is_empty)(here))
            continue;
        seeker.mover = mover;
        if (mover->special || scene.apart)
            NAME(seek_special)(&seeker, here);
        else
            NAME(seek_all)(&seeker, here);
    }
}
