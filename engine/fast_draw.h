/* Drawing one move without looking for the others, for players whose moves are counted in steps (fast_count.h). No figure
 * has more moves from a cell than it has slots there: its moves on an empty board. One slot of one of the player's
 * figures is drawn, the figure's moves are counted, and the slot's move is taken if there is one and it leaves no
 * protected figure attacked; if not, another slot is drawn. So every legal move has the same chance, whenever one gives
 * up; then all moves are looked for as if nothing had been tried. Included by fast_template.h once for each width. */

struct NAME(draw) {
    struct NAME(scene) scene;
    uint32_t total; /* slots */
    int count;      /* figures */
    uint32_t before[FAST_DRAWN_MAX];
    cell_index from[FAST_DRAWN_MAX];
    figure_index figures[FAST_DRAWN_MAX];
};

/* Notes the player's figures with their slots; false: there are too many, or a complex movement may be possible. */
static inline bool NAME(draw_figures)(struct NAME(draw) * draw)
{
    const struct NAME(scene) *scene = &draw->scene;
    const struct fast_view *view = scene->view;
    const struct game *game = view->game;
    SET unmoved =
        NAME(load)(view->words + (size_t)(game->player_count + game->figure_count) * WORDS);
    draw->total = 0;
    draw->count = 0;
    if (NAME(size)(scene->own) > FAST_DRAWN_MAX)
        return false;
    for (int i = 0; i < scene->player->figure_count; i++) {
        figure_index figure = scene->player->figures[i];
        const struct fast_mover *mover =
            &game->fast->movers[figure * game->player_count + view->player];
        SET here = NAME(and)(
            scene->own, NAME(load)(view->words + (size_t)(game->player_count + figure) * WORDS));
        if (mover->complex_count > 0 &&
            !NAME(is_empty)(mover->complex_unmoved ? NAME(and)(here, unmoved) : here))
            return false;
        cell_index from = 0;
        FOR_EACH(here, from)
        {
            draw->before[draw->count] = draw->total;
            draw->from[draw->count] = from;
            draw->figures[draw->count++] = figure;
            draw->total += mover->slots[from];
        }
    }
    return draw->total > 0;
}

/* Where a group leads from a cell. */
static inline SET NAME(draw_targets)(const struct NAME(scene) * scene,
                                     const struct fast_group *group, cell_index from)
{
    const struct fast_view *view = scene->view;
    const struct game *game = view->game;
    if (group->unmoved &&
        !bits_test(view->words + (size_t)(game->player_count + game->figure_count) * WORDS, from))
        return NAME(none)();
    SET accepted = scene->sets[group->accept];
    if (NAME(is_marked)(scene, group))
        accepted = NAME(or)(accepted, NAME(one)(view->marks[group->takes_marked].cell));
    return NAME(and)(NAME(reach)(scene, group, from), accepted);
}

/* The move of a group's number `index` among these targets, those with choices first. */
static struct move NAME(draw_nth)(const struct game *game, const struct fast_count_step *step,
                                  cell_index from, SET targets, unsigned index)
{
    struct NAME(batch) batch = {.from = from, .rule = step->group->rule};
    batch.targets = targets;
    if (step->more != 0) {
        SET cells = NAME(load)(step->promoted);
        unsigned chosen = (step->more + 1U) * NAME(size)(NAME(and)(targets, cells));
        batch.promotion = index < chosen ? step->group->promotion : 0;
        batch.targets = index < chosen ? NAME(and)(targets, cells) : NAME(without)(targets, cells);
        index -= index < chosen ? 0 : chosen;
    }
    return NAME(nth_of_batch)(game, &batch, index);
}

/* Whether the move, which is one of the figure's, leaves every protected figure safe. */
static bool NAME(draw_is_safe)(const struct NAME(scene) * scene, const struct fast_count_step *step,
                               struct move move)
{
    const struct fast_group *group = step->group;
    struct NAME(change) change = {.figure = step->figure};
    change.added = NAME(one)(move.to);
    change.removed = NAME(one)(move.from);
    if (NAME(is_marked)(scene, group) && scene->view->marks[group->takes_marked].cell == move.to)
        change.removed =
            NAME(or)(change.removed, NAME(one)(scene->view->marks[group->takes_marked].maker));
    return NAME(safe_after)(scene, &change);
}

enum NAME(drawn) { NAME(DRAWN_NOTHING), NAME(DRAWN_ILLEGAL), NAME(DRAWN_MOVE) };

static enum NAME(drawn)
    NAME(draw_slot)(const struct NAME(draw) * draw, uint32_t slot, struct move *move)
{
    const struct NAME(scene) *scene = &draw->scene;
    const struct game *game = scene->view->game;
    int at = 0;
    for (int i = 1; i < draw->count; i++)
        at += slot >= draw->before[i];
    slot -= draw->before[at];
    const struct fast_mover *mover =
        &game->fast->movers[draw->figures[at] * game->player_count + scene->view->player];
    for (int i = 0; i < mover->group_count; i++) {
        const struct fast_count_step *step = &mover->steps[i];
        SET targets = NAME(draw_targets)(scene, step->group, draw->from[at]);
        unsigned count = NAME(tally_size)(step, targets);
        if (slot >= count) {
            slot -= count;
            continue;
        }
        *move = NAME(draw_nth)(game, step, draw->from[at], targets, slot);
        return !scene->guarded || NAME(draw_is_safe)(scene, step, *move) ? NAME(DRAWN_MOVE)
                                                                         : NAME(DRAWN_ILLEGAL);
    }
    return NAME(DRAWN_NOTHING);
}

/* Picks one of the player's legal moves; false: it was given up. */
static bool NAME(draw)(const struct fast_view *view, struct fast_result *result)
{
    struct NAME(draw) draw;
    struct NAME(scene) *scene = &draw.scene;
    NAME(survey)(scene, view);
    if (!NAME(draw_figures)(&draw))
        return false;
    NAME(find_royals)(scene);
    if (scene->guarded)
        NAME(keep_attackers)(scene);
    int illegal = 0;
    for (int i = 0; i < FAST_DRAWS_MAX && illegal < FAST_ILLEGAL_DRAWS_MAX; i++) {
        uint32_t slot = (uint32_t)fast_below(&result->random, draw.total);
        enum NAME(drawn) drawn = NAME(draw_slot)(&draw, slot, &result->picked);
        if (drawn == NAME(DRAWN_MOVE)) {
            result->count++;
            return true;
        }
        illegal += drawn == NAME(DRAWN_ILLEGAL);
    }
    return false;
}
