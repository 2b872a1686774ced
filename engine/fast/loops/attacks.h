/* Whether a cell is attacked, now or after a change of the board, without making a move. */

/* Looks for those that may attack, before attacks are asked for. */
static inline void NAME(keep_attackers)(struct NAME(scene) * scene)
{
    const struct fast_player *player = scene->player;
    for (int i = 0; i < player->attack_count; i++)
        scene->attackers[i] =
            NAME(and)(NAME(figures)(scene->view, player->attacks[i].attackers),
                      NAME(load)(scene->view->words + (size_t)player->attacks[i].player * WORDS));
}

static inline SET NAME(reach_of)(const struct fast_attack *attack, cell_index cell)
{
    return NAME(load)(attack->reach + (size_t)cell * WORDS);
}

/* Where they stand from whom an attack would reach the cell, were nothing between. */
static inline SET NAME(attackers)(const struct NAME(scene) * scene, int i, cell_index cell)
{
    return NAME(and)(NAME(reach_of)(&scene->player->attacks[i], cell), scene->attackers[i]);
}

/* What lies between a cell and who attacks it along a line. */
static inline SET NAME(between)(const struct NAME(scene) * scene, cell_index cell,
                                cell_index source)
{
    const struct game *game = scene->view->game;
    const uint16_t *row = game->fast->between + (size_t)cell * (size_t)game->cell_count;
    return NAME(load)(game->fast->paths + (size_t)row[source] * WORDS);
}

static inline bool NAME(minds)(const struct fast_attack *attack, figure_index figure)
{
    return figure != FIGURE_NONE ? (attack->kinds >> figure & 1) != 0 : attack->on_empty;
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

/* Of the cells between the one nearest to the attacked cell: numbers rise or fall along a line. */
static inline SET NAME(nearest)(SET path, cell_index cell, cell_index source)
{
    return NAME(until)(source < cell, path, path);
}

/* Whether one of these attacks along a line. */
static bool NAME(line_attacks)(const struct NAME(scene) * scene, const struct fast_attack *attack,
                               const struct NAME(change) * change, SET sources, SET occupied,
                               cell_index cell)
{
    EACH_CELL (source, sources) {
        work_spend(WORK_WORDS(WORDS));
        SET path = NAME(between)(scene, cell, source), between = NAME(and)(path, occupied);
        if (attack->jumped == 0) {
            if (NAME(is_empty)(between))
                return true;
            continue;
        }
        if (NAME(size)(between) != attack->jumped ||
            (attack->close &&
             NAME(is_empty)(NAME(and)(between, NAME(nearest)(path, cell, source)))))
            continue;
        SET over = attack->limited
                       ? NAME(after)(NAME(figures)(scene->view, attack->over_figures), change,
                                     (attack->over_figures >> (change->figure & 63) & 1) != 0)
                       : occupied;
        if (NAME(is_empty)(NAME(without)(between, over)))
            return true;
    }
    return false;
}

/* Whether a figure of the attackers' player stands beside the cell that keeps the attack off; of those in `gone` none does. */
FAST_APART static bool NAME(is_kept_off)(const struct NAME(scene) * scene,
                                         const struct fast_attack *attack, SET gone,
                                         cell_index cell)
{
    SET own = NAME(load)(scene->view->words + (size_t)attack->player * WORDS);
    SET figures = NAME(and)(NAME(figures)(scene->view, attack->apart.figures), own);
    EACH_CELL (at, NAME(without)(figures, gone)) {
        work_spend(WORK_WORDS(WORDS));
        if (NAME(has)(NAME(load)(attack->apart.beside + (size_t)at * WORDS), cell))
            return true;
    }
    return false;
}

/* Whether a cell with this figure on it is attacked after the change, by one of the attacks from this one on; `joins`: what comes is
 * one of those who attack. */
FAST_WITHIN bool NAME(find_attack)(const struct NAME(scene) * scene,
                                   const struct NAME(change) * change, int first, cell_index cell,
                                   figure_index figure, bool joins)
{
    const struct fast_player *player = scene->player;
    SET gone = NAME(or)(change->removed, change->added);
    SET occupied = NAME(after)(scene->occupied, change, true);
    for (int i = first; i < player->attack_count; i++) {
        const struct fast_attack *attack = &player->attacks[i];
        SET sources = NAME(without)(NAME(attackers)(scene, i, cell), gone);
        if (joins && (attack->attackers >> change->figure & 1) != 0)
            sources = NAME(or)(sources, NAME(and)(change->added, NAME(reach_of)(attack, cell)));
        if (NAME(is_empty)(sources) || !NAME(minds)(attack, figure) ||
            (attack->apart.figures != 0 && NAME(is_kept_off)(scene, attack, gone, cell)))
            continue;
        if (!attack->line || NAME(line_attacks)(scene, attack, change, sources, occupied, cell))
            return true;
    }
    return false;
}

FAST_APART static bool NAME(attacked_from)(const struct NAME(scene) * scene,
                                           const struct NAME(change) * change, int first,
                                           cell_index cell, figure_index figure)
{
    return NAME(find_attack)(scene, change, first, cell, figure, false);
}

/* By others than the mover. Mostly nobody is where an attack could come from, and to see that takes few registers. */
static bool NAME(attacked)(const struct NAME(scene) * scene, const struct NAME(change) * change,
                           cell_index cell, figure_index figure)
{
    const int count = scene->player->attack_count;
    SET gone = NAME(or)(change->removed, change->added);
    int i = 0;
    work_spend(scene->player->attack_work * WORK_WORDS(WORDS));
    while (i < count && NAME(is_empty)(NAME(without)(NAME(attackers)(scene, i, cell), gone)))
        i++;
    return i < count && NAME(attacked_from)(scene, change, i, cell, figure);
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
    EACH_CELL (cell, royals) {
        figure_index figure =
            NAME(has)(change->added, cell) ? change->figure : NAME(figure_on)(scene->view, cell);
        if (NAME(attacked)(scene, change, cell, figure))
            return false;
    }
    return true;
}
