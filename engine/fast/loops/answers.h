/* What struct fast_loops promises, for one width. */

static void NAME(run)(const struct fast_view *view, struct fast_result *result)
{
    struct NAME(sink) sink;
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
    else
        NAME(drain)(&sink);
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
