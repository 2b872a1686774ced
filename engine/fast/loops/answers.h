/* What fast.h promises, for one width. */

/* Whether there is nothing that leaves moves out but what is forbidden. */
static bool NAME(sees_all)(const struct fast_view *view)
{
    return view->only == CELL_NONE && view->phase == 0 && !view->takes_only && !view->quiet_only &&
           !view->going_on;
}

static void NAME(run)(const struct fast_view *view, struct fast_result *result)
{
    struct NAME(sink) sink;
    sink.count = 0;
    sink.result = result;
    sink.most = 0;
    sink.moves = result->moves;
    sink.before = result->count;
    sink.counts =
        !view->game->most_taken && result->moves == NULL && !result->finds && result->trial == NULL;
    bool stepped = view->game->fast->players[view->player].steps != NULL && NAME(sees_all)(view);
    if (stepped && sink.counts && NAME(tally)(view, &sink))
        return;
    SET cells = view->only == CELL_NONE ? NAME(every)() : NAME(one)(view->only);
    NAME(collect)(view, cells, &sink);
}

static bool NAME(any_attacked)(const struct fast_view *view, uint64_t figures,
                               const uint64_t *cells)
{
    struct NAME(scene) scene;
    struct NAME(change) change = {.figure = FIGURE_NONE};
    change.removed = change.added = NAME(none)();
    NAME(survey)(&scene, view);
    NAME(keep_attackers)(&scene);
    for (int figure = 0; figure < view->game->figure_count; figure++) {
        if ((figures >> figure & 1) == 0)
            continue;
        SET here =
            NAME(and)(scene.own, NAME(load)(view->words +
                                            (size_t)(view->game->player_count + figure) * WORDS));
        if (cells != NULL)
            here = NAME(and)(here, NAME(load)(cells));
        cell_index cell = 0;
        FOR_EACH(here, cell)
        {
            if (NAME(attacked)(&scene, &change, cell, (figure_index)figure))
                return true;
        }
    }
    return false;
}

/* Whether the only figure of the view, which has jumped, can go on. */
static bool NAME(jumps_on)(const struct fast_view *view, figure_index figure)
{
    struct NAME(scene) scene;
    struct NAME(chase) chase;
    NAME(survey)(&scene, view);
    NAME(begin_chase)
    (&scene, &view->game->fast->movers[figure * view->game->player_count + view->player], figure,
     view->only, &chase);
    return NAME(hops_on)(&chase, view->only);
}

/* Whether a figure may leave `from` for the marked cell and take who made the mark. */
static bool NAME(takes_safely)(struct NAME(scene) * scene, const struct mark *mark, cell_index from,
                               figure_index figure)
{
    struct NAME(change) change = {.figure = figure};
    change.removed = NAME(or)(NAME(one)(from), NAME(one)(mark->maker));
    change.added = NAME(one)(mark->cell);
    NAME(keep_attackers)(scene);
    NAME(find_royals)(scene);
    return NAME(safe_after)(scene, &change);
}

static bool NAME(mark_taken)(const struct fast_view *view, int mark)
{
    const struct game *game = view->game;
    struct NAME(scene) scene;
    NAME(survey)(&scene, view);
    for (int figure = 0; figure < game->figure_count; figure++) {
        const struct fast_mover *mover =
            &game->fast->movers[figure * game->player_count + view->player];
        SET here = NAME(and)(
            scene.own, NAME(load)(view->words + (size_t)(game->player_count + figure) * WORDS));
        for (int i = 0; i < mover->group_count && !NAME(is_empty)(here); i++) {
            const struct fast_group *group = &mover->groups[i];
            if (group->takes_marked != mark || !NAME(is_marked)(&scene, group))
                continue;
            cell_index from = 0;
            FOR_EACH(here, from)
            {
                if (NAME(applies)(&scene, group, from) &&
                    NAME(has)(NAME(reach)(&scene, group, from), view->marks[mark].cell) &&
                    NAME(takes_safely)(&scene, &view->marks[mark], from, (figure_index)figure))
                    return true;
            }
        }
    }
    return false;
}
