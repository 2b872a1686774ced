/* The scene: one position seen by the player to move, as sets of cells by what stands there, and what the lines of attack on
 * the player's protected figures ask of every move (lines.h). */

/* A line on which an attacker stands so near to attacking a protected figure that a move may matter. */
struct NAME(line) {
    SET path, source, jumpable;
    uint64_t over_figures;
    uint8_t jumped;
    bool limited;
    cell_index royal;
};

struct NAME(scene) {
    const struct fast_view *view;
    const struct fast_player *player;
    SET sets[FAST_ACCEPTS_MAX];
    SET occupied, own, pending, visited;
    SET royals;
    SET allowed,
        sensitive; /* where all may go but those that are sensitive, which stand on lines */
    int line_count;
    bool guarded; /* some protected figure is there */
    bool lines_overflow;
    SET leapers[FAST_ATTACKS_KEPT],
        liners[FAST_ATTACKS_KEPT]; /* who attacks, by the player's lists */
    struct NAME(line) lines[FAST_LINES_MAX];
};

static inline SET NAME(of_kind)(const struct fast_view *view, unsigned figure)
{
    return NAME(load)(view->words + ((size_t)view->game->player_count + figure) * WORDS);
}

/* Who has never moved: behind the kinds. */
static inline SET NAME(unmoved)(const struct fast_view *view)
{
    return NAME(of_kind)(view, (unsigned)view->game->figure_count);
}

static SET NAME(figures)(const struct fast_view *view, uint64_t figures)
{
    SET set = NAME(none)();
    for (uint64_t left = figures & view->game->all_figures; left != 0; left &= left - 1)
        set = NAME(or)(set, NAME(of_kind)(view, word_lowest(left)));
    return set;
}

/* What asking for attacks needs. */
static inline void NAME(see_figures)(struct NAME(scene) * scene, const struct fast_view *view)
{
    const struct game *game = view->game;
    scene->view = view;
    scene->player = &game->fast->players[view->player];
    scene->own = NAME(load)(view->words + (size_t)view->player * WORDS);
    scene->occupied = NAME(none)();
    for (int i = 0; i < game->player_count; i++)
        scene->occupied = NAME(or)(scene->occupied, NAME(load)(view->words + (size_t)i * WORDS));
}

/* Where those of `pending` only block. */
static inline void NAME(see_targets)(struct NAME(scene) * scene, SET pending)
{
    SET all = NAME(load)(scene->view->game->cell_sets);
    SET others = NAME(without)(NAME(without)(all, scene->own), pending);
    scene->pending = pending;
    scene->sets[ACCEPT_EMPTY] = NAME(without)(all, scene->occupied);
    scene->sets[ACCEPT_ENEMY] = NAME(and)(scene->occupied, others);
    scene->sets[ACCEPT_BOTH] = others;
    scene->sets[ACCEPT_OWN] = scene->own;
    scene->sets[ACCEPT_ANY] = scene->occupied;
    scene->guarded = scene->lines_overflow = false;
    scene->line_count = 0;
    scene->allowed = NAME(every)();
    scene->sensitive = scene->royals = scene->visited = NAME(none)();
}

static void NAME(survey)(struct NAME(scene) * scene, const struct fast_view *view)
{
    const struct game *game = view->game;
    const uint64_t *words =
        view->words + (size_t)(game->player_count + game->figure_count + 1) * WORDS;
    NAME(see_figures)(scene, view);
    NAME(see_targets)(scene, game->continues ? NAME(load)(words) : NAME(none)());
    if (game->continues)
        scene->visited = NAME(load)(words + WORDS);
    for (int i = ACCEPT_LIMITED; i < scene->player->accept_count; i++) {
        const struct fast_accept *accept = &scene->player->accepts[i];
        SET limit = NAME(figures)(view, accept->figures);
        scene->sets[i] =
            NAME(and)(scene->sets[accept->base], NAME(or)(limit, scene->sets[ACCEPT_EMPTY]));
    }
}
