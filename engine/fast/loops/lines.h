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

/* An attack that reaches a protected figure, or would if there were one figure more or less between. One that nothing can jump asks
 * the same of everybody if nothing is between, and if one figure is, it holds that figure alone. */
static void NAME(note_attack)(struct NAME(scene) * scene, int number, cell_index royal)
{
    const struct fast_attack *attack = &scene->player->attacks[number];
    SET sources = NAME(attackers)(scene, number, royal);
    EACH_CELL (source, sources) {
        work_spend(2 * WORK_WORDS(WORDS));
        SET path = attack->line ? NAME(between)(scene, royal, source) : NAME(none)();
        SET near = attack->close ? NAME(nearest)(path, royal, source) : NAME(none)();
        SET between = NAME(and)(NAME(without)(path, near), scene->occupied);
        if (attack->jumped == 0 && NAME(is_empty)(between)) {
            scene->answers = NAME(and)(scene->answers, NAME(or)(path, NAME(one)(source)));
            continue;
        }
        int distance = (int)NAME(size)(between) - (attack->close ? 0 : attack->jumped);
        bool holds = attack->jumped > 0 || !NAME(is_empty)(NAME(and)(between, scene->own));
        if (distance < -1 || distance > 1 || !holds)
            continue;
        struct NAME(line) line = {.attack = attack};
        line.path = path;
        line.near = near;
        line.source = NAME(one)(source);
        line.jumpable =
            attack->limited ? NAME(figures)(scene->view, attack->over_figures) : scene->occupied;
        NAME(add_line)(scene, line, NAME(and)(path, scene->occupied));
    }
}

/* Where a figure that leaves `left_cell` may go as far as a line is concerned on which is attacked over a figure on the near cell
 * while all others are empty. */
static SET NAME(close_line_allows)(const struct NAME(scene) * scene, const struct NAME(line) * line,
                                   SET left_cell)
{
    SET others = NAME(without)(scene->occupied, left_cell);
    SET far = NAME(without)(line->path, line->near);
    if (!NAME(is_empty)(NAME(and)(far, others)))
        return NAME(every)();
    return NAME(is_empty)(NAME(and)(line->near, others)) ? NAME(without)(NAME(every)(), line->near)
                                                         : NAME(or)(line->source, far);
}

/* Where a figure may go as far as one line is concerned: it leaves `left` (nothing if it is not on the line), and what
 * it is may or may not be jumped. */
static SET NAME(line_allows)(const struct NAME(scene) * scene, const struct NAME(line) * line,
                             SET left_cell, bool jumpable)
{
    if (line->attack->close)
        return NAME(close_line_allows)(scene, line, left_cell);
    SET between = NAME(without)(NAME(and)(line->path, scene->occupied), left_cell);
    SET odd = NAME(without)(between, line->jumpable);
    unsigned count = NAME(size)(between);
    unsigned odd_count = line->attack->limited ? NAME(size)(odd) : 0;
    bool attacks = count == line->attack->jumped && odd_count == 0;
    SET allowed = attacks ? line->source : NAME(every)();
    /* One more figure between. */
    SET open = NAME(without)(line->path, scene->occupied);
    bool attacks_then = count + 1 == line->attack->jumped && odd_count == 0 && jumpable;
    allowed = attacks_then ? NAME(without)(allowed, open) : NAME(or)(allowed, open);
    /* Another figure in the place of one that was between. */
    if (!line->attack->limited || count != line->attack->jumped || count == 0)
        return allowed;
    if (odd_count == 0 && !jumpable)
        return NAME(or)(allowed, between);
    if (odd_count == 1 && jumpable)
        return NAME(without)(allowed, odd);
    return allowed;
}

/* Where the figure on a cell, which is not protected itself, may go. */
static SET NAME(lines_allow)(const struct NAME(scene) * scene, cell_index from, figure_index figure)
{
    SET cell = from == CELL_NONE ? NAME(none)() : NAME(one)(from);
    SET allowed = scene->answers;
    work_spend((unsigned)scene->line_count * WORK_WORDS(WORDS));
    for (int i = 0; i < scene->line_count; i++) {
        const struct NAME(line) *line = &scene->lines[i];
        bool jumpable = figure == FIGURE_NONE || (line->attack->over_figures >> figure & 1) != 0;
        allowed = NAME(and)(allowed, NAME(line_allows)(scene, line, cell, jumpable));
    }
    return allowed;
}

static void NAME(guard)(struct NAME(scene) * scene)
{
    const struct fast_player *player = scene->player;
    NAME(keep_attackers)(scene);
    for (uint64_t kinds = player->royals; kinds != 0; kinds &= kinds - 1) {
        figure_index figure = (figure_index)word_lowest(kinds);
        SET royals = NAME(and)(scene->own, NAME(of_kind)(scene->view, figure));
        scene->royals = NAME(or)(scene->royals, royals);
        EACH_CELL (royal, royals) {
            work_spend(player->attack_work * WORK_WORDS(WORDS));
            for (int i = 0; i < player->attack_count; i++)
                if (NAME(minds)(&player->attacks[i], figure))
                    NAME(note_attack)(scene, i, royal);
        }
    }
    scene->allowed = player->jumped_lines && scene->line_count > 0
                         ? NAME(lines_allow)(scene, CELL_NONE, FIGURE_NONE)
                         : scene->answers;
    scene->apart = scene->lines_overflow || (player->limited_lines && scene->line_count > 0);
}
