/* What struct fast_loops promises, for one width. */

/* Whether some figure has a step to an empty cell, as far as that is quick to see. */
static bool NAME(steps)(const struct fast_view *view)
{
    SET own = NAME(load)(view->words + (size_t)view->player * WORDS);
    SET empty = NAME(load)(view->game->cell_sets);
    for (int i = 0; i < view->game->player_count; i++)
        empty = NAME(without)(empty, NAME(load)(view->words + (size_t)i * WORDS));
    for (int k = 0; k < view->own->mover_count && view->only == CELL_NONE; k++)
        for (int i = 0; i < view->own->movers[k]->group_count; i++) {
            const struct fast_group *group = &view->own->movers[k]->groups[i];
            SET figures = NAME(and)(own, NAME(load)(view->words + view->own->movers[k]->words));
            SET targets = NAME(none)();
            if ((view->wants & ~group->offers) != 0 || group->unmoved ||
                (group->accept != ACCEPT_EMPTY && group->accept != ACCEPT_BOTH))
                continue;
            if (group->shape == FAST_SHIFT && group->middle == 0)
                targets = NAME(shift)(NULL, group, figures);
            else if (group->shape == FAST_LEAP)
                EACH_CELL (from, figures)
                    targets = NAME(or)(targets, NAME(load)(group->table + (size_t)from * WORDS));
            if (!NAME(is_empty)(NAME(and)(targets, empty)))
                return true;
        }
    return false;
}

static void NAME(run)(const struct fast_view *view, struct fast_result *result)
{
    struct NAME(sink) sink;
    if (result->any && view->game->forbid_count == 0 && NAME(steps)(view)) {
        result->count = 1; /* or others go first */
        return;
    }
    sink.count = 0;
    sink.counted = 0;
    sink.enough = result->any ? 1 : UINT_MAX;
    sink.result = result;
    sink.most = 0;
    sink.moves = result->moves;
    sink.before = result->count;
    sink.counts = result->moves == NULL && result->trial == NULL && !view->game->most_taken;
    SET cells = view->only == CELL_NONE ? NAME(every)() : NAME(one)(view->only);
    NAME(collect)(view, cells, &sink);
    if (sink.counts)
        result->count += sink.counted;
    else if (result->choose == NULL ||
             !NAME(choose)(&sink, NAME(load)(view->words + (size_t)view->player * WORDS)))
        NAME(drain)(&sink);
}

static bool NAME(only_attacked)(const struct fast_view *view, figure_index figure)
{
    struct NAME(scene) scene;
    struct NAME(change) change = {.figure = FIGURE_NONE};
    NAME(see_figures)(&scene, view);
    NAME(keep_attackers)(&scene);
    return NAME(attacked)(&scene, &change, view->only, figure);
}

static bool NAME(placeable)(const struct fast_view *view, uint64_t *cells)
{
    struct NAME(scene) scene;
    NAME(survey)(&scene, view);
    NAME(guard)(&scene);
    for (int i = 0; i < WORDS; i++)
        cells[i] = scene.allowed.w[i];
    return !scene.apart;
}

static const struct fast_loops NAME(loops) = {
    .run = NAME(run), .attacked = NAME(only_attacked), .placeable = NAME(placeable)};
