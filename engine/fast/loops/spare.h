/* Figures of the other player's that a move may not attack (`forbid`). What a move changes is where its figure stands: few
 * moves can begin an attack by that, and these are looked at one by one. */

/* The mover's figures as attackers, and what is to be spared. */
struct NAME(spared) {
    struct fast_view view;
    struct NAME(scene) scene;
    SET figures;
    SET lines;     /* between one of them and a figure that would attack it along a line */
    bool attacked; /* one of them is now, so that every move matters */
};

/* The cells between a cell and all who would attack it along a line. */
static SET NAME(lines_to)(const struct NAME(scene) * scene, cell_index cell)
{
    SET lines = NAME(none)();
    for (int i = 0; i < scene->player->attack_count; i++) {
        SET sources =
            scene->player->attacks[i].line ? NAME(attackers)(scene, i, cell) : NAME(none)();
        EACH_CELL (source, sources) {
            work_spend(WORK_WORDS(WORDS));
            lines = NAME(or)(lines, NAME(between)(scene, cell, source));
        }
    }
    return lines;
}

FAST_APART static void NAME(spare)(const struct fast_view *view, struct NAME(spared) * spared)
{
    const struct fast_player *mover = view->own;
    struct NAME(change) change = {.figure = FIGURE_NONE};
    spared->view = *view;
    spared->view.player = !view->player;
    spared->view.own = fast_player_of(view->game, spared->view.player);
    NAME(see_figures)(&spared->scene, &spared->view);
    NAME(keep_attackers)(&spared->scene);
    spared->figures = NAME(and)(spared->scene.own, NAME(figures)(view, mover->spared));
    spared->lines = NAME(none)();
    spared->attacked = false;
    EACH_CELL (cell, spared->figures) {
        spared->attacked |=
            NAME(attacked)(&spared->scene, &change, cell, NAME(figure_on)(view, cell));
        spared->lines = NAME(or)(spared->lines, NAME(lines_to)(&spared->scene, cell));
    }
}

/* From where a figure of this kind may attack the cell, if nothing is between. */
static SET NAME(threats)(const struct NAME(spared) * spared, figure_index figure, cell_index cell)
{
    const struct fast_player *player = spared->scene.player;
    SET from = NAME(none)();
    work_spend(player->attack_work * WORK_WORDS(WORDS));
    for (int i = 0; i < player->attack_count; i++)
        if ((player->attacks[i].attackers >> figure & 1) != 0)
            from = NAME(or)(from, NAME(reach_of)(&player->attacks[i], cell));
    return from;
}

/* Of the targets of a figure those by going to which it begins to attack the cell. */
static SET NAME(attacking)(const struct NAME(spared) * spared, figure_index figure, SET from,
                           SET asked, cell_index cell)
{
    const struct NAME(scene) *scene = &spared->scene;
    figure_index attacked = NAME(figure_on)(scene->view, cell);
    struct NAME(change) change = {.figure = figure, .removed = from};
    SET found = NAME(none)();
    EACH_CELL (to, asked) {
        change.added = NAME(one)(to);
        work_spend(scene->player->attack_work * WORK_WORDS(WORDS));
        if (to != cell && NAME(find_attack)(scene, &change, 0, cell, attacked, true))
            found = NAME(or)(found, change.added);
    }
    return found;
}

/* Those targets of a figure by going to which nothing that is spared is attacked. What is taken is not attacked any more. */
static SET NAME(keep_sparing)(const struct NAME(spared) * spared, figure_index figure,
                              cell_index from, SET targets)
{
    bool opens = spared->attacked || NAME(has)(spared->lines, from);
    SET kept = targets;
    EACH_CELL (cell, spared->figures) {
        SET asked = opens ? targets : NAME(and)(targets, NAME(threats)(spared, figure, cell));
        kept = NAME(without)(kept, NAME(attacking)(spared, figure, NAME(one)(from), asked, cell));
    }
    return kept;
}
