/* All moves of a view, figure by figure, into a sink. */

/* Each figure by itself. */
static void NAME(seek_each)(const struct NAME(seeker) * seeker, SET cells, bool held, bool every)
{
    const struct NAME(scene) *scene = seeker->scene;
    cell_index from = 0;
    FOR_EACH(cells, from)
    {
        bool sensitive = every || NAME(has)(scene->sensitive, from);
        SET allowed =
            held && sensitive ? NAME(lines_allow)(scene, from, seeker->figure) : scene->allowed;
        NAME(seek)(seeker, from, allowed, sensitive);
    }
}

static void NAME(seek_kind)(struct NAME(seeker) * seeker, SET cells)
{
    const struct NAME(scene) *scene = seeker->scene;
    const struct fast_mover *mover = seeker->mover;
    bool held = scene->line_count > 0;
    bool every = seeker->royal || scene->lines_overflow || (held && scene->player->limited_lines);
    bool by_groups = mover->only_shifts || !mover->overlaps;
    if (mover->has_jumps && scene->view->game->fast->ranks && !scene->view->quiet_only) {
        SET jumpers = NAME(jumpers)(seeker, cells);
        cell_index from = 0;
        FOR_EACH(jumpers, from)
        {
            NAME(seek_jumps)(seeker, from);
        }
    }
    SET unheld = NAME(without)(cells, scene->sensitive);
    if (!every && mover->has_shifts)
        NAME(seek_shifts)(seeker, unheld);
    if (!every && by_groups && !mover->only_shifts)
        NAME(seek_free)(seeker, unheld);
    if (!every && by_groups)
        cells = NAME(and)(cells, scene->sensitive);
    NAME(seek_each)(seeker, cells, held, every);
}

static void NAME(collect)(const struct fast_view *view, SET cells, struct NAME(sink) * sink)
{
    const struct game *game = view->game;
    struct NAME(scene) scene;
    NAME(survey)(&scene, view);
    if (game->fast->filters)
        NAME(guard)(&scene);
    else if (scene.player->has_complex)
        NAME(keep_attackers)(&scene);
    cells = NAME(and)(cells, scene.own);
    struct NAME(seeker) seeker = {.scene = &scene, .sink = sink};
    for (int i = 0; i < scene.player->kind_count; i++) {
        const struct fast_kind *kind = &scene.player->kinds[i];
        const struct fast_mover *mover = kind->mover;
        SET here = NAME(and)(cells, NAME(load)(view->words + kind->words));
        if (NAME(is_empty)(here))
            continue;
        uint64_t units = (unsigned)mover->group_count + NAME(size)(here) * mover->work;
        if (!work_spend(units * WORK_WORDS(WORDS)))
            break;
        seeker.mover = mover;
        seeker.figure = kind->figure;
        seeker.royal = kind->royal;
        if (mover->group_count > 0)
            NAME(seek_kind)(&seeker, here);
        if (mover->complex_count > 0 && !view->takes_only && !view->going_on && view->phase == 0) {
            cell_index from = 0;
            FOR_EACH(here, from)
            {
                NAME(seek_complex)(&seeker, from);
            }
        }
    }
    NAME(drain)(game, sink);
}
