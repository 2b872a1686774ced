/* The scene: one position seen by the player to move, as sets of cells by what stands there, and what the lines of attack on
 * the player's protected figures ask of every move (lines.h). */

/* A line on which an attacker stands so near to attacking a protected figure that a move may matter. */
struct NAME(line) {
    const struct fast_attack *attack;
    SET path, source, jumpable;
    SET near; /* of `close` attacks: the cell before the protected figure */
};

struct NAME(scene) {
    const struct fast_view *view;
    const struct fast_player *player;
    SET sets[FAST_ACCEPTS_MAX];
    SET empty, occupied, own, pending;
    SET royals;
    SET allowed,
        sensitive; /* where all may go but those that are sensitive, which stand on lines */
    SET answers; /* where whoever attacks a protected figure with nothing between is taken or blocked */
    int line_count;
    bool lines_overflow;
    bool apart;                      /* lines ask something else of every figure */
    SET attackers[FAST_ATTACKS_MAX]; /* by the player's list */
    struct NAME(line) lines[FAST_LINES_MAX];
};

static inline SET NAME(of_kind)(const struct fast_view *view, unsigned figure)
{
    return NAME(load)(view->kinds + (size_t)figure * WORDS);
}

/* Who has never moved: behind the kinds. */
static inline SET NAME(unmoved)(const struct fast_view *view)
{
    return NAME(of_kind)(view, (unsigned)view->game->figure_count);
}

static inline SET NAME(figures)(const struct fast_view *view, uint64_t figures)
{
    SET set = NAME(none)();
    for (uint64_t left = figures; left != 0; left &= left - 1)
        set = NAME(or)(set, NAME(of_kind)(view, word_lowest(left)));
    return set;
}

/* What asking for attacks needs. */
static inline void NAME(see_figures)(struct NAME(scene) * scene, const struct fast_view *view)
{
    const struct game *game = view->game;
    scene->view = view;
    scene->player = view->own;
    scene->own = NAME(load)(view->words + (size_t)view->player * WORDS);
    scene->occupied = NAME(none)();
    for (int i = 0; i < game->player_count; i++)
        scene->occupied = NAME(or)(scene->occupied, NAME(load)(view->words + (size_t)i * WORDS));
}

/* The sets of targets a view leaves. Figures that have been taken and still stand only block; within a turn of several moves a figure
 * does not come back to where it has been, but by a take. */
static inline void NAME(see_targets)(struct NAME(scene) * scene)
{
    const struct fast_view *view = scene->view;
    const struct game *game = view->game;
    const uint64_t *words = view->kinds + (size_t)(game->figure_count + 1) * WORDS;
    SET all = NAME(load)(game->cell_sets), nowhere = NAME(none)();
    SET own = scene->own, empty = NAME(without)(all, scene->occupied);
    scene->pending = game->continues ? NAME(load)(words) : nowhere;
    SET enemy = NAME(without)(NAME(without)(scene->occupied, own), scene->pending);
    SET visited = (view->wants & FAST_GOES_ON) != 0 ? NAME(load)(words + WORDS) : nowhere;
    SET quiet = (view->wants & FAST_TAKES) != 0 ? nowhere : NAME(without)(empty, visited);
    SET taken = (view->wants & FAST_QUIET) != 0 ? nowhere : enemy;
    scene->empty = scene->sets[ACCEPT_BEHIND] = empty;
    scene->sets[ACCEPT_EMPTY] = quiet;
    scene->sets[ACCEPT_ENEMY] = enemy;
    scene->sets[ACCEPT_BOTH] = NAME(or)(quiet, taken);
    scene->sets[ACCEPT_SWAPPED] = NAME(without)(own, visited);
    scene->sets[ACCEPT_OWN] = own;
    scene->sets[ACCEPT_ANY] = scene->occupied;
}

/* The cells beside which one of the player's figures stands, of those that are kept apart from targets. */
static SET NAME(kept_apart)(const struct NAME(scene) * scene, const struct fast_apart *apart)
{
    SET figures = NAME(and)(NAME(figures)(scene->view, apart->figures), scene->own);
    SET cells = NAME(none)();
    EACH_CELL (cell, figures) {
        work_spend(WORK_WORDS(WORDS));
        cells = NAME(or)(cells, NAME(load)(apart->beside + (size_t)cell * WORDS));
    }
    return cells;
}

static void NAME(survey)(struct NAME(scene) * scene, const struct fast_view *view)
{
    NAME(see_figures)(scene, view);
    NAME(see_targets)(scene);
    for (int i = ACCEPT_LIMITED; i < scene->player->accept_count; i++) {
        const struct fast_accept *accept = &scene->player->accepts[i];
        SET limit = NAME(figures)(view, accept->figures);
        scene->sets[i] = NAME(and)(scene->sets[accept->base], NAME(or)(limit, scene->empty));
        if (accept->apart.figures != 0)
            scene->sets[i] = NAME(without)(scene->sets[i], NAME(kept_apart)(scene, &accept->apart));
    }
    scene->lines_overflow = scene->apart = false;
    scene->line_count = 0;
    scene->allowed = scene->answers = NAME(every)();
    scene->sensitive = scene->royals = NAME(none)();
}
