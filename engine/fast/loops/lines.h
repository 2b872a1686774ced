/* Where figures may go so that no protected figure is attacked then: by lines, on each of which an attacker has at most one
 * figure more or less between than it needs. */

static void NAME(add_line)(struct NAME(scene) * scene, struct NAME(line) line, SET occupied)
{
    if (scene->line_count == FAST_LINES_MAX) {
        scene->lines_overflow = true;
        return;
    }
    scene->sensitive = NAME(or)(scene->sensitive, NAME(and)(occupied, scene->own));
    scene->lines[scene->line_count++] = line;
}

static void NAME(note_lines)(struct NAME(scene) * scene, int number, cell_index royal)
{
    const struct fast_view *view = scene->view;
    const struct fast_line_attack *attack = &scene->player->lines[number];
    SET sources = NAME(liners)(scene, number, royal);
    const uint16_t *row = attack->paths + (size_t)royal * (size_t)view->game->cell_count;
    cell_index source = 0;
    FOR_EACH(sources, source)
    {
        work_spend(2 * WORK_WORDS(WORDS));
        struct NAME(line) line;
        line.path = NAME(load)(view->game->fast->paths + (size_t)row[source] * WORDS);
        SET between = NAME(and)(line.path, scene->occupied);
        int distance = (int)NAME(size)(between) - attack->jumped;
        if (distance < -1 || distance > 1)
            continue;
        line.source = NAME(one)(source);
        line.jumped = attack->jumped;
        line.limited = attack->limited;
        line.over_figures = attack->over_figures;
        line.royal = royal;
        line.jumpable = scene->occupied;
        if (line.limited)
            line.jumpable = NAME(figures)(view, attack->over_figures);
        NAME(add_line)(scene, line, between);
    }
}

static void NAME(note_royal)(struct NAME(scene) * scene, cell_index royal, figure_index figure)
{
    const struct fast_player *player = scene->player;
    work_spend(player->attack_work * WORK_WORDS(WORDS));
    for (int i = 0; i < player->leap_count; i++) {
        cell_index source = 0;
        if (!NAME(minds)(&player->leaps[i].by, figure))
            continue;
        SET sources = NAME(leapers)(scene, i, royal);
        FOR_EACH(sources, source)
        {
            struct NAME(line) line = {.royal = royal};
            line.path = line.jumpable = NAME(none)();
            line.source = NAME(one)(source);
            NAME(add_line)(scene, line, NAME(none)());
        }
    }
    for (int i = 0; i < player->line_count; i++)
        if (NAME(minds)(&player->lines[i].by, figure))
            NAME(note_lines)(scene, i, royal);
}

/* Where a figure may go as far as one line is concerned: it leaves `left` (nothing if it is not on the line), and what
 * it is may or may not be jumped. */
static SET NAME(line_allows)(const struct NAME(scene) * scene, const struct NAME(line) * line,
                             SET left_cell, bool jumpable)
{
    SET between = NAME(without)(NAME(and)(line->path, scene->occupied), left_cell);
    SET odd = NAME(without)(between, line->jumpable);
    unsigned count = NAME(size)(between);
    unsigned odd_count = line->limited ? NAME(size)(odd) : 0;
    bool attacks = count == line->jumped && odd_count == 0;
    SET allowed = attacks ? line->source : NAME(every)();
    /* One more figure between. */
    SET open = NAME(without)(line->path, scene->occupied);
    bool attacks_then = count + 1 == line->jumped && odd_count == 0 && jumpable;
    allowed = attacks_then ? NAME(without)(allowed, open) : NAME(or)(allowed, open);
    /* Another figure in the place of one that was between. */
    if (!line->limited || count != line->jumped || count == 0)
        return allowed;
    if (odd_count == 0 && !jumpable)
        return NAME(or)(allowed, between);
    if (odd_count == 1 && jumpable)
        return NAME(without)(allowed, odd);
    return allowed;
}

/* Where the figure on a cell may go by all lines but those to itself. */
static SET NAME(lines_allow)(const struct NAME(scene) * scene, cell_index from, figure_index figure)
{
    SET cell = from == CELL_NONE ? NAME(none)() : NAME(one)(from);
    SET allowed = NAME(every)();
    work_spend((unsigned)scene->line_count * WORK_WORDS(WORDS));
    for (int i = 0; i < scene->line_count; i++) {
        const struct NAME(line) *line = &scene->lines[i];
        bool jumpable = figure == FIGURE_NONE || (line->over_figures >> figure & 1) != 0;
        if (line->royal != from)
            allowed = NAME(and)(allowed, NAME(line_allows)(scene, line, cell, jumpable));
    }
    return allowed;
}

static void NAME(guard)(struct NAME(scene) * scene)
{
    const struct fast_view *view = scene->view;
    const struct fast_player *player = scene->player;
    NAME(keep_attackers)(scene);
    for (uint64_t kinds = player->royals; kinds != 0; kinds &= kinds - 1) {
        figure_index figure = (figure_index)word_lowest(kinds);
        SET royals = NAME(and)(scene->own, NAME(of_kind)(view, figure));
        scene->royals = NAME(or)(scene->royals, royals);
        cell_index royal = 0;
        FOR_EACH(royals, royal)
        {
            NAME(note_royal)(scene, royal, figure);
        }
    }
    scene->guarded = !NAME(is_empty)(scene->royals);
    if (scene->line_count > 0)
        scene->allowed = NAME(lines_allow)(scene, CELL_NONE, FIGURE_NONE);
}
