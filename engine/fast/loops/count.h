/* Counting the moves of a player all of whose figures leap, shift or slide, one of whom at most must not be left attacked,
 * by attacks that are blocked by any figure or by none. Only the number is found, not the moves. The list of steps is
 * made when the game is loaded; what lines of attack ask of a move is two sets: where every figure may go, and, for the
 * few that stand alone between, the line. Included by loops.h once for each width. */

/* A figure that stands alone on a line of attack may go along it only. */
struct NAME(pin) {
    SET figure, line;
};

struct NAME(tally) {
    struct NAME(scene) * scene;
    SET targets[ACCEPT_BOTH + 1];  /* where a figure may go by what stands there */
    SET accepted[ACCEPT_BOTH + 1]; /* the same of those that are not protected */
    SET pinned;
    int pin_count;
    struct NAME(pin) pins[FAST_LINES_MAX];
};

static inline bool NAME(is_single)(SET a)
{
    return WORDS == 1 ? (a.w[0] & (a.w[0] - 1)) == 0 : NAME(size)(a) == 1;
}

/* Figures of the player that must not be left attacked. */
static void NAME(find_royals)(struct NAME(scene) * scene)
{
    const struct fast_player *player = scene->player;
    for (int i = 0; i < player->royal_count; i++)
        scene->royals = NAME(or)(
            scene->royals,
            NAME(load)(scene->view->words +
                       (size_t)(scene->view->game->player_count + player->royals[i]) * WORDS));
    scene->royals = NAME(and)(scene->royals, scene->own);
    scene->guarded = !NAME(is_empty)(scene->royals);
}

/* Looks along one kind of lines to the protected figure; false: there are too many. */
static inline bool NAME(tally_lines)(struct NAME(tally) * tally, int number, cell_index royal)
{
    struct NAME(scene) *scene = tally->scene;
    const struct game *game = scene->view->game;
    SET sources = NAME(liners)(scene, number, royal);
    const uint16_t *row =
        scene->player->lines[number].paths + (size_t)royal * (size_t)game->cell_count;
    cell_index source = 0;
    FOR_EACH(sources, source)
    {
        SET path = NAME(load)(game->fast->paths + (size_t)row[source] * WORDS);
        SET between = NAME(and)(path, scene->occupied);
        SET line = NAME(or)(path, NAME(one)(source));
        if (NAME(is_empty)(between)) {
            scene->allowed = NAME(and)(scene->allowed, line);
        } else if (NAME(is_single)(between) && !NAME(is_empty)(NAME(and)(between, scene->own))) {
            if (tally->pin_count == FAST_LINES_MAX)
                return false;
            tally->pinned = NAME(or)(tally->pinned, between);
            tally->pins[tally->pin_count++] = (struct NAME(pin)){.figure = between, .line = line};
        }
    }
    return true;
}

/* What attacks on the protected figure ask of all others; false: there are several such figures, or too many lines. */
static inline bool NAME(tally_guard)(struct NAME(tally) * tally)
{
    struct NAME(scene) *scene = tally->scene;
    const struct fast_player *player = scene->player;
    NAME(find_royals)(scene);
    if (!scene->guarded)
        return true;
    if (!NAME(is_single)(scene->royals))
        return false;
    NAME(keep_attackers)(scene);
    cell_index royal = NAME(first)(scene->royals);
    for (int i = 0; i < player->leap_count; i++) {
        SET sources = NAME(leapers)(scene, i, royal);
        if (!NAME(is_empty)(sources))
            scene->allowed =
                NAME(is_single)(sources) ? NAME(and)(scene->allowed, sources) : NAME(none)();
    }
    for (int i = 0; i < player->line_count; i++)
        if (!NAME(tally_lines)(tally, i, royal))
            return false;
    return true;
}

static inline unsigned NAME(tally_size)(const struct fast_count_step *step, SET targets)
{
    unsigned count = NAME(size)(targets);
    if (step->more != 0)
        count += step->more * NAME(size)(NAME(and)(targets, NAME(load)(step->promoted)));
    return count;
}

static unsigned NAME(tally_pinned)(const struct NAME(tally) * tally,
                                   const struct fast_count_step *step, SET cells)
{
    unsigned count = 0;
    cell_index from = 0;
    FOR_EACH(cells, from)
    {
        SET targets = NAME(and)(NAME(reach)(tally->scene, step->group, from),
                                tally->accepted[step->group->accept]);
        for (int i = 0; i < tally->pin_count; i++)
            if (NAME(has)(tally->pins[i].figure, from))
                targets = NAME(and)(targets, tally->pins[i].line);
        count += NAME(tally_size)(step, targets);
    }
    return count;
}

/* Of the protected figure, wherever it is not attacked then. */
static unsigned NAME(tally_royal)(const struct NAME(tally) * tally,
                                  const struct fast_count_step *step, cell_index from)
{
    const struct NAME(scene) *scene = tally->scene;
    SET targets =
        NAME(and)(NAME(reach)(scene, step->group, from), tally->targets[step->group->accept]);
    struct NAME(change) change = {.figure = step->figure};
    change.removed = NAME(one)(from);
    SET kept = NAME(none)();
    cell_index to = 0;
    FOR_EACH(targets, to)
    {
        change.added = NAME(one)(to);
        if (!NAME(attacked)(scene, &change, to, step->figure))
            kept = NAME(or)(kept, change.added);
    }
    return NAME(tally_size)(step, kept);
}

/* By a mark, of any figure: each is tried out. */
static unsigned NAME(tally_marked)(const struct NAME(tally) * tally,
                                   const struct fast_count_step *step, SET cells)
{
    const struct NAME(scene) *scene = tally->scene;
    const struct mark *mark = &scene->view->marks[step->group->takes_marked];
    struct NAME(change) change = {.figure = step->figure};
    change.added = NAME(one)(mark->cell);
    unsigned count = 0;
    cell_index from = 0;
    FOR_EACH(cells, from)
    {
        if (!NAME(has)(NAME(reach)(scene, step->group, from), mark->cell))
            continue;
        change.removed = NAME(or)(NAME(one)(from), NAME(one)(mark->maker));
        if (!scene->guarded || NAME(safe_after)(scene, &change))
            count += NAME(tally_size)(step, change.added);
    }
    return count;
}

/* All figures that nothing holds, by one group of movements. */
static inline unsigned NAME(tally_free)(const struct NAME(tally) * tally,
                                        const struct fast_count_step *step, SET cells)
{
    const struct fast_group *group = step->group;
    SET accepted = tally->accepted[group->accept];
    cell_index from = 0;
    if (group->shape == FAST_SHIFT)
        return NAME(tally_size)(step, NAME(and)(NAME(shift)(tally->scene, group, cells), accepted));
    unsigned count = 0;
    if (step->more != 0) {
        FOR_EACH(cells, from)
        {
            SET reach = NAME(reach)(tally->scene, group, from);
            count += NAME(tally_size)(step, NAME(and)(reach, accepted));
        }
    } else if (group->shape == FAST_LEAP) {
        FOR_EACH(cells, from)
        {
            SET reach = NAME(load)(group->table + (size_t)from * WORDS);
            count += NAME(size)(NAME(and)(reach, accepted));
        }
    } else {
        FOR_EACH(cells, from)
        {
            SET reach = NAME(slide)(tally->scene, group, from);
            count += NAME(size)(NAME(and)(reach, accepted));
        }
    }
    return count;
}

static inline unsigned NAME(tally_step)(const struct NAME(tally) * tally,
                                        const struct fast_count_step *step)
{
    const struct NAME(scene) *scene = tally->scene;
    const struct game *game = scene->view->game;
    const uint64_t *words = scene->view->words;
    unsigned count = 0;
    SET here = NAME(and)(scene->own, NAME(load)(words + step->figures));
    if (step->group->unmoved)
        here = NAME(and)(
            here, NAME(load)(words + (size_t)(game->player_count + game->figure_count) * WORDS));
    if (NAME(is_empty)(here))
        return 0;
    if (NAME(is_marked)(scene, step->group))
        count += NAME(tally_marked)(tally, step, here);
    if (step->royal)
        return count + NAME(tally_royal)(tally, step, NAME(first)(here));
    SET pinned = NAME(and)(here, tally->pinned);
    if (!NAME(is_empty)(pinned))
        count += NAME(tally_pinned)(tally, step, pinned);
    return count + NAME(tally_free)(tally, step, NAME(without)(here, pinned));
}

static unsigned NAME(tally_complex)(const struct NAME(tally) * tally, struct NAME(sink) * sink)
{
    struct NAME(scene) *scene = tally->scene;
    const struct fast_view *view = scene->view;
    const struct game *game = view->game;
    struct NAME(seeker) seeker = {.scene = scene, .sink = sink};
    uint64_t before = sink->result->count;
    for (int i = 0; i < scene->player->figure_count; i++) {
        figure_index figure = scene->player->figures[i];
        seeker.mover = &game->fast->movers[figure * game->player_count + view->player];
        if (seeker.mover->complex_count == 0)
            continue;
        SET here = NAME(and)(
            scene->own, NAME(load)(view->words + (size_t)(game->player_count + figure) * WORDS));
        cell_index from = 0;
        if (!scene->guarded && !NAME(is_empty)(here)) /* what must be safe is asked of them, too */
            NAME(keep_attackers)(scene);
        FOR_EACH(here, from)
        {
            NAME(seek_complex)(&seeker, from);
        }
    }
    unsigned count = (unsigned)(sink->result->count - before);
    sink->result->count = before;
    return count;
}

static inline void NAME(tally_targets)(struct NAME(tally) * tally)
{
    const struct NAME(scene) *scene = tally->scene;
    SET *targets = tally->targets;
    targets[ACCEPT_EMPTY] = scene->view->takes_only ? NAME(none)() : scene->sets[ACCEPT_EMPTY];
    targets[ACCEPT_ENEMY] = scene->view->quiet_only ? NAME(none)() : scene->sets[ACCEPT_ENEMY];
    targets[ACCEPT_BOTH] = NAME(or)(targets[ACCEPT_EMPTY], targets[ACCEPT_ENEMY]);
    for (int i = 0; i <= ACCEPT_BOTH; i++)
        tally->accepted[i] = NAME(and)(targets[i], scene->allowed);
}

/* Adds all moves of the view's player to the count; false: this cannot tell. */
static bool NAME(tally)(const struct fast_view *view, struct NAME(sink) * sink)
{
    struct NAME(scene) scene;
    struct NAME(tally) tally;
    NAME(survey)(&scene, view);
    tally.scene = &scene;
    tally.pinned = NAME(none)();
    tally.pin_count = 0;
    if (!NAME(tally_guard)(&tally))
        return false;
    NAME(tally_targets)(&tally);
    unsigned count = 0;
    work_spend((NAME(size)(scene.own) * scene.player->work + (unsigned)scene.player->step_count) *
               WORK_WORDS(WORDS));
    for (int i = 0; i < scene.player->step_count; i++)
        count += NAME(tally_step)(&tally, &scene.player->steps[i]);
    if (scene.player->has_complex && !view->takes_only)
        count += NAME(tally_complex)(&tally, sink);
    sink->result->count += count;
    return true;
}
