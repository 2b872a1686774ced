/* What struct fast_loops promises, for one width. */

/* Figure by figure. */
FAST_APART static void NAME(run_all)(const struct fast_view *view, struct fast_result *result,
                                     bool counts)
{
    struct NAME(sink) sink;
    sink.count = 0;
    sink.result = result;
    sink.most = 0;
    sink.moves = result->moves;
    sink.before = result->count;
    sink.counts = counts && !view->game->most_taken;
    SET cells = view->only == CELL_NONE ? NAME(every)() : NAME(one)(view->only);
    NAME(collect)(view, cells, &sink);
}

static void NAME(run)(const struct fast_view *view, struct fast_result *result)
{
    bool counts = result->moves == NULL && !result->finds && result->trial == NULL;
    bool counted = view->game->fast->players[view->player].counted && view->only == CELL_NONE &&
                   view->phase == 0 && !view->going_on;
    if (!counts || !counted || !NAME(tally)(view, result))
        NAME(run_all)(view, result, counts);
}

static bool NAME(only_attacked)(const struct fast_view *view, figure_index figure)
{
    struct NAME(scene) scene;
    struct NAME(change) change = {.figure = FIGURE_NONE};
    change.removed = change.added = NAME(none)();
    NAME(see_figures)(&scene, view);
    NAME(keep_attackers)(&scene);
    return NAME(attacked)(&scene, &change, view->only, figure);
}

static const struct fast_loops NAME(loops) = {.run = NAME(run), .attacked = NAME(only_attacked)};
