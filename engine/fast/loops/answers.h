/* What variants.h promises, for one width. */

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
    bool stepped = view->game->fast->players[view->player].steps != NULL &&
                   view->only == CELL_NONE && view->phase == 0 && !view->going_on;
    if (stepped && sink.counts && NAME(tally)(view, &sink))
        return;
    SET cells = view->only == CELL_NONE ? NAME(every)() : NAME(one)(view->only);
    NAME(collect)(view, cells, &sink);
}

/* Whether the only figure of the view, which is of this kind, is attacked. */
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
