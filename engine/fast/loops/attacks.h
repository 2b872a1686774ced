/* Whether a cell is attacked, now or after a change of the board, without making a move. */

static inline SET NAME(attackers)(const struct fast_view *view, const struct fast_attackers *by)
{
    SET set = NAME(load)(view->words + by->sets[0]);
    for (int i = 1; i < by->set_count; i++)
        set = NAME(or)(set, NAME(load)(view->words + by->sets[i]));
    return NAME(and)(set, NAME(load)(view->words + by->owner));
}

/* Looks once for those that may attack, before attacks are asked for; the rest, where there are so many kinds, is looked for when it is asked for. */
static inline void NAME(keep_attackers)(struct NAME(scene) * scene)
{
    const struct fast_player *player = scene->player;
    for (int i = 0; i < player->leap_count && i < FAST_ATTACKS_KEPT; i++)
        scene->leapers[i] = NAME(attackers)(scene->view, &player->leaps[i].by);
    for (int i = 0; i < player->line_count && i < FAST_ATTACKS_KEPT; i++)
        scene->liners[i] = NAME(attackers)(scene->view, &player->lines[i].by);
}

/* Where they stand from whom an attack that nothing can block would reach the cell. */
static inline SET NAME(leapers)(const struct NAME(scene) * scene, int i, cell_index cell)
{
    const struct fast_leap_attack *attack = &scene->player->leaps[i];
    return NAME(and)(NAME(load)(attack->table + (size_t)cell * WORDS),
                     i < FAST_ATTACKS_KEPT ? scene->leapers[i]
                                           : NAME(attackers)(scene->view, &attack->by));
}

/* The same of an attack along a line, were nothing between. */
static inline SET NAME(liners)(const struct NAME(scene) * scene, int i, cell_index cell)
{
    const struct fast_line_attack *attack = &scene->player->lines[i];
    return NAME(and)(NAME(load)(attack->reach + (size_t)cell * WORDS),
                     i < FAST_ATTACKS_KEPT ? scene->liners[i]
                                           : NAME(attackers)(scene->view, &attack->by));
}

static inline bool NAME(minds)(const struct fast_attackers *by, figure_index figure)
{
    return by->any_target ||
           (figure != FIGURE_NONE ? (by->kinds >> figure & 1) != 0 : by->on_empty);
}

/* What a move changes, to ask for attacks after it: cells left or emptied, and cells one figure or more come to. */
struct NAME(change) {
    SET removed, added;
    figure_index figure; /* what comes to `added` */
};

static inline SET NAME(after)(SET set, const struct NAME(change) * change, bool joins)
{
    set = NAME(without)(set, change->removed);
    return joins ? NAME(or)(set, change->added) : NAME(without)(set, change->added);
}

static bool NAME(line_attacks)(const struct NAME(scene) * scene, int line,
                               const struct NAME(change) * change, SET occupied, cell_index cell)
{
    const struct fast_view *view = scene->view;
    const struct fast_line_attack *attack = &scene->player->lines[line];
    SET gone = NAME(or)(change->removed, change->added);
    SET sources = NAME(without)(NAME(liners)(scene, line, cell), gone);
    const uint16_t *row = attack->paths + (size_t)cell * (size_t)view->game->cell_count;
    cell_index source = 0;
    FOR_EACH(sources, source)
    {
        work_spend(WORK_WORDS(WORDS));
        SET between =
            NAME(and)(NAME(load)(view->game->fast->paths + (size_t)row[source] * WORDS), occupied);
        if (attack->jumped == 0) {
            if (NAME(is_empty)(between))
                return true;
            continue;
        }
        if (NAME(size)(between) != attack->jumped)
            continue;
        SET over = attack->limited
                       ? NAME(after)(NAME(figures)(view, attack->over_figures), change,
                                     (attack->over_figures >> (change->figure & 63) & 1) != 0)
                       : occupied;
        if (NAME(is_empty)(NAME(without)(between, over)))
            return true;
    }
    return false;
}

/* Whether a cell with this figure on it is attacked by others than the mover after the change. */
static bool NAME(attacked)(const struct NAME(scene) * scene, const struct NAME(change) * change,
                           cell_index cell, figure_index figure)
{
    const struct fast_player *player = scene->player;
    SET gone = NAME(or)(change->removed, change->added);
    work_spend(player->attack_work * WORK_WORDS(WORDS));
    for (int i = 0; i < player->leap_count; i++)
        if (!NAME(is_empty)(NAME(without)(NAME(leapers)(scene, i, cell), gone)) &&
            NAME(minds)(&player->leaps[i].by, figure))
            return true;
    SET occupied = NAME(after)(scene->occupied, change, true);
    for (int i = 0; i < player->line_count; i++)
        if (NAME(minds)(&player->lines[i].by, figure) &&
            NAME(line_attacks)(scene, i, change, occupied, cell))
            return true;
    return false;
}

static figure_index NAME(figure_on)(const struct fast_view *view, cell_index cell)
{
    const struct game *game = view->game;
    for (int i = 0; i < game->figure_count; i++)
        if (NAME(has)(NAME(of_kind)(view, (unsigned)i), cell))
            return (figure_index)i;
    return FIGURE_NONE;
}

/* Whether no protected figure is attacked after the change. */
static bool NAME(safe_after)(const struct NAME(scene) * scene, const struct NAME(change) * change)
{
    const struct fast_player *player = scene->player;
    bool joins = change->figure != FIGURE_NONE && (player->royals >> change->figure & 1) != 0;
    if (!work_spend(2 * WORK_WORDS(WORDS)))
        return false;
    SET royals = NAME(after)(scene->royals, change, joins);
    cell_index cell = 0;
    FOR_EACH(royals, cell)
    {
        figure_index figure =
            NAME(has)(change->added, cell) ? change->figure : NAME(figure_on)(scene->view, cell);
        if (NAME(attacked)(scene, change, cell, figure))
            return false;
    }
    return true;
}
