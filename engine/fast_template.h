/* The loops of the fast path for one width of bit sets. fast.c includes this once for each width with WORDS and NAME
 * defined, so that the loops over words have constant bounds and vanish where a board fits one word.
 *
 *   scene   one position seen by the player to move: sets of cells by what stands there, and what the lines of attack on
 *           figures that must not be left attacked ask of every move
 *   batch   targets of one figure (or of all that move by the same difference of numbers) by one group of movements
 *   sink    batches, until they are counted or listed */

typedef struct {
    uint64_t w[WORDS];
} NAME(set);
#define SET NAME(set)

/* --- sets --------------------------------------------------------------------------------------------------------- */

static inline SET NAME(load)(const uint64_t *words)
{
    SET set;
    for (int i = 0; i < WORDS; i++)
        set.w[i] = words[i];
    return set;
}

static inline SET NAME(none)(void)
{
    SET set;
    for (int i = 0; i < WORDS; i++)
        set.w[i] = 0;
    return set;
}

static inline SET NAME(every)(void)
{
    SET set;
    for (int i = 0; i < WORDS; i++)
        set.w[i] = UINT64_MAX;
    return set;
}

static inline SET NAME(one)(cell_index cell)
{
    SET set = NAME(none)();
    set.w[WORDS == 1 ? 0 : cell / WORD_BITS] = UINT64_C(1) << (cell % WORD_BITS);
    return set;
}

static inline SET NAME (and)(SET a, SET b)
{
    for (int i = 0; i < WORDS; i++)
        a.w[i] &= b.w[i];
    return a;
}

static inline SET NAME(or)(SET a, SET b)
{
    for (int i = 0; i < WORDS; i++)
        a.w[i] |= b.w[i];
    return a;
}

static inline SET NAME(without)(SET a, SET b)
{
    for (int i = 0; i < WORDS; i++)
        a.w[i] &= ~b.w[i];
    return a;
}

static inline bool NAME(is_empty)(SET a)
{
    uint64_t any = 0;
    for (int i = 0; i < WORDS; i++)
        any |= a.w[i];
    return any == 0;
}

static inline bool NAME(has)(SET a, cell_index cell)
{
    return (a.w[WORDS == 1 ? 0 : cell / WORD_BITS] >> (cell % WORD_BITS) & 1) != 0;
}

static inline unsigned NAME(size)(SET a)
{
    unsigned count = 0;
    for (int i = 0; i < WORDS; i++)
        count += word_count(a.w[i]);
    return count;
}

static inline cell_index NAME(first)(SET a)
{
    int i = 0;
    while (i < WORDS - 1 && a.w[i] == 0)
        i++;
    return (cell_index)((unsigned)i * WORD_BITS + word_lowest(a.w[i]));
}

/* All cells moved on by `offset` numbers. */
static inline SET NAME(shifted)(SET a, int offset)
{
    SET result = NAME(none)();
    int by = offset < 0 ? -offset : offset;
    int whole = by / WORD_BITS, rest = by % WORD_BITS;
    for (int i = 0; i + whole < WORDS; i++) {
        int to = offset < 0 ? i : i + whole, from = offset < 0 ? i + whole : i;
        if (offset < 0) {
            result.w[to] |= a.w[from] >> rest;
            if (rest != 0 && from + 1 < WORDS)
                result.w[to] |= a.w[from + 1] << (WORD_BITS - rest);
        } else {
            result.w[to] |= a.w[from] << rest;
            if (rest != 0 && from > 0)
                result.w[to] |= a.w[from - 1] >> (WORD_BITS - rest);
        }
    }
    return result;
}

#ifndef FOR_EACH
/* The cells of a set one after the other. */
#define FOR_EACH(set, cell)                                                                        \
    for (int each = 0; each < WORDS; each++)                                                       \
        for (uint64_t left = (set).w[each];                                                        \
             left != 0 &&                                                                          \
             ((cell) = (cell_index)((unsigned)each * WORD_BITS + word_lowest(left)), true);        \
             left &= left - 1)
#endif

/* --- scene -------------------------------------------------------------------------------------------------------- */

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

struct NAME(batch) {
    SET targets;
    int16_t offset; /* where `from` is CELL_NONE: from = to - offset */
    cell_index from;
    uint16_t rule;
    uint16_t promotion;
};

struct NAME(sink) {
    bool counts;        /* only the number of moves is wanted */
    unsigned most;      /* what the best of the batches take */
    struct move *moves; /* the result's, and */
    uint64_t before;    /* its count, before the first batch */
    int count;
    struct NAME(batch) batches[FAST_BATCHES];
    struct fast_result *result;
};

static SET NAME(figures)(const struct fast_view *view, uint64_t figures)
{
    const struct game *game = view->game;
    SET set = NAME(none)();
    for (int i = 0; i < game->figure_count; i++)
        if ((figures >> i & 1) != 0)
            set = NAME(or)(set, NAME(load)(view->words + (size_t)(game->player_count + i) * WORDS));
    return set;
}

static void NAME(survey)(struct NAME(scene) * scene, const struct fast_view *view)
{
    const struct game *game = view->game;
    SET all = NAME(load)(game->cell_sets);
    scene->view = view;
    scene->player = &game->fast->players[view->player];
    scene->own = NAME(load)(view->words + (size_t)view->player * WORDS);
    SET occupied = NAME(none)();
    for (int i = 0; i < game->player_count; i++)
        occupied = NAME(or)(occupied, NAME(load)(view->words + (size_t)i * WORDS));
    scene->occupied = occupied;
    scene->sets[ACCEPT_EMPTY] = NAME(without)(all, occupied);
    scene->sets[ACCEPT_ENEMY] = NAME(without)(occupied, scene->own);
    scene->sets[ACCEPT_BOTH] = NAME(without)(all, scene->own);
    scene->sets[ACCEPT_OWN] = scene->own;
    scene->sets[ACCEPT_ANY] = occupied;
    for (int i = ACCEPT_LIMITED; i < scene->player->accept_count; i++) {
        const struct fast_accept *accept = &scene->player->accepts[i];
        SET limit = NAME(figures)(view, accept->figures);
        scene->sets[i] =
            NAME(and)(scene->sets[accept->base], NAME(or)(limit, scene->sets[ACCEPT_EMPTY]));
    }
    scene->pending = scene->visited = NAME(none)();
    if (game->continues) {
        const uint64_t *words =
            view->words + (size_t)(game->player_count + game->figure_count + 1) * WORDS;
        scene->pending = NAME(load)(words);
        scene->visited = NAME(load)(words + WORDS);
    }
    scene->guarded = scene->lines_overflow = false;
    scene->line_count = 0;
    scene->allowed = NAME(every)();
    scene->sensitive = scene->royals = NAME(none)();
}

/* --- attacks ------------------------------------------------------------------------------------------------------ */

static inline SET NAME(attackers)(const struct fast_view *view, const struct fast_attackers *by)
{
    SET set = NAME(none)();
    for (int i = 0; i < by->term_count; i++)
        set = NAME(or)(set, NAME(and)(NAME(load)(view->words + by->terms[i].first),
                                      NAME(load)(view->words + by->terms[i].second)));
    return set;
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
    SET sources = NAME(after)(NAME(liners)(scene, line, cell), change, false);
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
    work_spend(player->attack_work * WORK_WORDS(WORDS));
    for (int i = 0; i < player->leap_count; i++)
        if (NAME(minds)(&player->leaps[i].by, figure) &&
            !NAME(is_empty)(NAME(after)(NAME(leapers)(scene, i, cell), change, false)))
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
        if (bits_test(view->words + (size_t)(game->player_count + i) * WORDS, cell))
            return (figure_index)i;
    return FIGURE_NONE;
}

/* Whether no protected figure is attacked after the change. */
static bool NAME(safe_after)(const struct NAME(scene) * scene, const struct NAME(change) * change)
{
    const struct fast_player *player = scene->player;
    bool joins = false;
    if (!work_spend(2 * WORK_WORDS(WORDS)))
        return false;
    for (int i = 0; i < player->royal_count; i++)
        joins |= player->royals[i] == change->figure;
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

/* --- what lines of attack ask of moves ---------------------------------------------------------------------------- */

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
    const struct game *game = view->game;
    const struct fast_player *player = scene->player;
    NAME(keep_attackers)(scene);
    for (int i = 0; i < player->royal_count; i++) {
        figure_index figure = player->royals[i];
        SET royals = NAME(and)(
            scene->own, NAME(load)(view->words + (size_t)(game->player_count + figure) * WORDS));
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

/* --- targets ------------------------------------------------------------------------------------------------------ */

/* A ray up to and including the first of `blockers`, which lie on it. */
static inline SET NAME(until_rising)(SET ray, SET blockers)
{
    uint64_t open = UINT64_MAX;
    for (int i = 0; i < WORDS; i++) {
        uint64_t block = blockers.w[i];
        ray.w[i] &= (block ^ (block - 1)) & open;
        open &= block == 0 ? UINT64_MAX : 0;
    }
    return ray;
}

static inline SET NAME(until_falling)(SET ray, SET blockers)
{
    uint64_t open = UINT64_MAX;
    for (int i = WORDS - 1; i >= 0; i--) {
        uint64_t block = blockers.w[i];
        ray.w[i] &= UINT64_MAX << word_highest(block | 1) & open;
        open &= block == 0 ? UINT64_MAX : 0;
    }
    return ray;
}

static inline SET NAME(until)(bool falling, SET ray, SET occupied)
{
    SET blockers = NAME(and)(ray, occupied);
    return falling ? NAME(until_falling)(ray, blockers) : NAME(until_rising)(ray, blockers);
}

static inline SET NAME(slide)(const struct NAME(scene) * scene, const struct fast_group *group,
                              cell_index from)
{
    int all = group->rising + group->falling;
    const uint64_t *rays = group->table + (size_t)from * (size_t)all * WORDS;
    SET targets = NAME(none)();
    if (group->masked) {
        const uint64_t *masks = group->masks + (size_t)from * (size_t)all * WORDS;
        for (int i = 0; i < all; i++) {
            SET reach = NAME(until)(i >= group->rising, NAME(load)(rays + (size_t)i * WORDS),
                                    scene->occupied);
            targets = NAME(or)(targets, NAME(and)(reach, NAME(load)(masks + (size_t)i * WORDS)));
        }
        return targets;
    }
    for (int i = 0; i < group->rising; i++, rays += WORDS)
        targets = NAME(or)(targets, NAME(until)(false, NAME(load)(rays), scene->occupied));
    for (int i = 0; i < group->falling; i++, rays += WORDS)
        targets = NAME(or)(targets, NAME(until)(true, NAME(load)(rays), scene->occupied));
    return targets;
}

/* Behind the first figure on a ray, if it may be jumped, up to and including the next. */
static inline SET NAME(jump)(const struct NAME(scene) * scene, const struct fast_group *group,
                             cell_index from)
{
    int all = group->rising + group->falling;
    const uint64_t *rays = group->table + (size_t)from * (size_t)all * WORDS;
    const uint64_t *masks = group->masks + (size_t)from * (size_t)all * WORDS;
    SET over = NAME(without)(scene->sets[group->over], scene->pending), targets = NAME(none)();
    for (int i = 0; i < all; i++) {
        bool falling = i >= group->rising;
        SET ray = NAME(load)(rays + (size_t)i * WORDS);
        SET near = NAME(until)(falling, ray, scene->occupied);
        if (NAME(is_empty)(NAME(and)(near, over)))
            continue;
        SET reach = NAME(until)(falling, NAME(without)(ray, near), scene->occupied);
        targets = NAME(or)(targets, NAME(and)(reach, NAME(load)(masks + (size_t)i * WORDS)));
    }
    return targets;
}

static inline SET NAME(lame)(const struct NAME(scene) * scene, const struct fast_group *group,
                             cell_index from)
{
    SET targets = NAME(none)();
    SET over = group->jumps ? NAME(without)(scene->sets[group->over], scene->pending)
                            : scene->sets[ACCEPT_EMPTY];
    for (uint32_t i = group->starts[from]; i < group->starts[from + 1]; i++) {
        const uint64_t *entry = group->table + (size_t)i * 2 * WORDS;
        if (NAME(is_empty)(NAME(without)(NAME(load)(entry), over)))
            targets = NAME(or)(targets, NAME(load)(entry + WORDS));
    }
    return targets;
}

static inline SET NAME(shift)(const struct NAME(scene) * scene, const struct fast_group *group,
                              SET cells)
{
    cells = NAME(and)(cells, NAME(load)(group->from));
    if (group->steps == 1)
        return NAME(shifted)(cells, group->offset);
    SET over = group->jumps ? NAME(without)(scene->sets[group->over], scene->pending)
                            : scene->sets[ACCEPT_EMPTY];
    SET middle = NAME(and)(NAME(shifted)(cells, group->middle), over);
    return NAME(shifted)(middle, group->offset - group->middle);
}

/* All that a group reaches from a cell, whatever stands there. */
static inline SET NAME(reach)(const struct NAME(scene) * scene, const struct fast_group *group,
                              cell_index from)
{
    switch (group->shape) {
    case FAST_LEAP:
        return NAME(load)(group->table + (size_t)from * WORDS);
    case FAST_SLIDE:
        return NAME(slide)(scene, group, from);
    case FAST_JUMP:
        return NAME(jump)(scene, group, from);
    case FAST_LAME:
        return NAME(lame)(scene, group, from);
    default:
        return NAME(shift)(scene, group, NAME(one)(from));
    }
}

/* --- batches ------------------------------------------------------------------------------------------------------ */

static void NAME(drain)(const struct game *game, struct NAME(sink) * sink);

static inline void NAME(add_batch)(const struct game *game, struct NAME(sink) * sink,
                                   const struct fast_group *group, cell_index from, SET targets,
                                   uint16_t promotion)
{
    if (NAME(is_empty)(targets))
        return;
    if (sink->counts) {
        unsigned choices = promotion == 0 ? 1U : game->fast->promotions[promotion].choice_count;
        sink->result->count += (uint64_t)NAME(size)(targets) * choices;
        return;
    }
    if (sink->count == FAST_BATCHES)
        NAME(drain)(game, sink);
    sink->batches[sink->count++] = (struct NAME(batch)){.targets = targets,
                                                        .from = from,
                                                        .offset = group->offset,
                                                        .rule = group->rule,
                                                        .promotion = promotion};
}

static void NAME(emit_choices)(const struct game *game, struct NAME(sink) * sink,
                               const struct fast_group *group, cell_index from, SET targets)
{
    if (group->promotion != 0 && !NAME(is_empty)(targets)) {
        const struct fast_promotion *promotion = &game->fast->promotions[group->promotion];
        if (promotion->choice_count > 0) {
            SET cells = NAME(load)(promotion->cells);
            NAME(add_batch)(game, sink, group, from, NAME(and)(targets, cells), group->promotion);
            targets = NAME(without)(targets, cells);
        }
    }
    NAME(add_batch)(game, sink, group, from, targets, 0);
}

static inline void NAME(emit)(const struct game *game, struct NAME(sink) * sink,
                              const struct fast_group *group, cell_index from, SET targets)
{
    if (sink->counts && group->promotion == 0)
        sink->result->count += NAME(size)(targets);
    else
        NAME(emit_choices)(game, sink, group, from, targets);
}

/* --- one figure --------------------------------------------------------------------------------------------------- */

/* What all figures of one kind have in common while their moves are looked for. */
struct NAME(seeker) {
    const struct NAME(scene) * scene;
    struct NAME(sink) * sink;
    const struct fast_mover *mover;
    figure_index figure;
    bool royal;
};

/* Keeps those targets where a protected figure is safe. */
static SET NAME(keep_safe)(const struct NAME(seeker) * seeker, cell_index from, SET targets,
                           SET also_removed)
{
    SET kept = NAME(none)();
    struct NAME(change) change = {.figure = seeker->figure};
    change.removed = NAME(or)(NAME(one)(from), also_removed);
    cell_index to = 0;
    FOR_EACH(targets, to)
    {
        change.added = NAME(one)(to);
        if (NAME(safe_after)(seeker->scene, &change))
            kept = NAME(or)(kept, change.added);
    }
    return kept;
}

/* A figure that does not stand on the target but behind it: taken where it left its mark. */
static void NAME(seek_marked)(const struct NAME(seeker) * seeker, const struct fast_group *group,
                              cell_index from, SET reach)
{
    const struct NAME(scene) *scene = seeker->scene;
    const struct mark *mark = &scene->view->marks[group->takes_marked];
    SET target = NAME(one)(mark->cell);
    if (!NAME(has)(reach, mark->cell))
        return;
    if (scene->guarded)
        target = NAME(keep_safe)(seeker, from, target, NAME(one)(mark->maker));
    NAME(emit)(scene->view->game, seeker->sink, group, from, target);
}

static inline bool NAME(is_marked)(const struct NAME(scene) * scene, const struct fast_group *group)
{
    if (group->takes_marked < 0 || scene->view->quiet_only)
        return false;
    const struct mark *mark = &scene->view->marks[group->takes_marked];
    return mark->cell != CELL_NONE && !NAME(has)(scene->occupied, mark->cell) &&
           NAME(has)(scene->sets[ACCEPT_ENEMY], mark->maker);
}

static inline bool NAME(applies)(const struct NAME(scene) * scene, const struct fast_group *group,
                                 cell_index from)
{
    const struct fast_view *view = scene->view;
    const struct game *game = view->game;
    if (group->phase != view->phase || (view->going_on && group->continues == GOES_ON_NEVER) ||
        (view->quiet_only && group->purpose == FOR_TAKE) ||
        (view->takes_only && group->purpose != FOR_TAKE && group->purpose != FOR_BOTH))
        return false;
    return !group->unmoved || from == CELL_NONE ||
           bits_test(view->words + (size_t)(game->player_count + game->figure_count) * WORDS, from);
}

static inline SET NAME(accepted)(const struct NAME(scene) * scene, const struct fast_group *group)
{
    SET accept = scene->sets[group->accept];
    if (scene->view->quiet_only && group->purpose != FOR_SWAP)
        accept = NAME(and)(accept, scene->sets[ACCEPT_EMPTY]);
    if (scene->view->takes_only && !group->takes_jumped)
        accept = NAME(and)(accept, scene->sets[ACCEPT_ENEMY]);
    if (scene->view->going_on && !group->takes_jumped)
        accept = NAME(without)(accept, NAME(without)(scene->visited, scene->sets[ACCEPT_ENEMY]));
    return accept;
}

/* All groups for one figure; `allowed` says where lines let it go. Without `shifts` those are left out. */
static void NAME(seek)(const struct NAME(seeker) * seeker, cell_index from, SET allowed,
                       bool shifts)
{
    const struct NAME(scene) *scene = seeker->scene;
    const struct game *game = scene->view->game;
    SET seen = NAME(none)();
    work_spend(WORK_WORDS(WORDS) * WORK_SEARCH * (unsigned)seeker->mover->group_count);
    for (int i = 0; i < seeker->mover->group_count; i++) {
        const struct fast_group *group = &seeker->mover->groups[i];
        if ((group->shape == FAST_SHIFT && !shifts) || (group->takes_jumped && game->fast->ranks) ||
            !NAME(applies)(scene, group, from))
            continue;
        SET reach = NAME(reach)(scene, group, from);
        SET targets = NAME(and)(NAME(and)(reach, NAME(accepted)(scene, group)), allowed);
        if (seeker->mover->overlaps) {
            targets = NAME(without)(targets, seen);
            seen = NAME(or)(seen, targets);
        }
        if (seeker->royal || scene->lines_overflow)
            targets = NAME(keep_safe)(seeker, from, targets, NAME(none)());
        NAME(emit)(game, seeker->sink, group, from, targets);
        if (NAME(is_marked)(scene, group))
            NAME(seek_marked)(seeker, group, from, reach);
    }
}

/* All figures that no line holds, at once. */
static void NAME(seek_shifts)(const struct NAME(seeker) * seeker, SET cells)
{
    const struct NAME(scene) *scene = seeker->scene;
    const struct fast_view *view = scene->view;
    const struct game *game = view->game;
    for (int i = 0; i < seeker->mover->group_count; i++) {
        const struct fast_group *group = &seeker->mover->groups[i];
        if (group->shape != FAST_SHIFT || (group->takes_jumped && game->fast->ranks) ||
            !NAME(applies)(scene, group, CELL_NONE))
            continue;
        SET here = cells;
        if (group->unmoved)
            here = NAME(and)(here,
                             NAME(load)(view->words +
                                        (size_t)(game->player_count + game->figure_count) * WORDS));
        SET reach = NAME(shift)(scene, group, here);
        SET targets = NAME(and)(NAME(and)(reach, NAME(accepted)(scene, group)), scene->allowed);
        NAME(emit)(game, seeker->sink, group, CELL_NONE, targets);
        if (!NAME(is_marked)(scene, group))
            continue;
        cell_index to = view->marks[group->takes_marked].cell;
        if (NAME(has)(reach, to))
            NAME(seek_marked)(seeker, group, (cell_index)(to - group->offset), reach);
    }
}

/* Figures of one kind that no line holds, those groups that are no shifts: one group after the other, so that what all
 * figures have in common is asked once. */
static void NAME(seek_free)(const struct NAME(seeker) * seeker, SET cells)
{
    const struct NAME(scene) *scene = seeker->scene;
    const struct fast_view *view = scene->view;
    const struct game *game = view->game;
    for (int i = 0; i < seeker->mover->group_count; i++) {
        const struct fast_group *group = &seeker->mover->groups[i];
        if (group->shape == FAST_SHIFT || (group->takes_jumped && game->fast->ranks) ||
            !NAME(applies)(scene, group, CELL_NONE))
            continue;
        SET here = cells;
        if (group->unmoved)
            here = NAME(and)(here,
                             NAME(load)(view->words +
                                        (size_t)(game->player_count + game->figure_count) * WORDS));
        SET accepted = NAME(and)(NAME(accepted)(scene, group), scene->allowed);
        bool marked = NAME(is_marked)(scene, group);
        cell_index from = 0;
        FOR_EACH(here, from)
        {
            SET reach = NAME(reach)(scene, group, from);
            NAME(emit)(game, seeker->sink, group, from, NAME(and)(reach, accepted));
            if (marked)
                NAME(seek_marked)(seeker, group, from, reach);
        }
    }
}

/* --- turns of several jumps --------------------------------------------------------------------------------------- */

/* A figure on its way through a turn, its start left behind, with what it has jumped. */
struct NAME(chase) {
    const struct NAME(scene) * scene;
    const struct fast_mover *mover;
    figure_index figure;
    SET occupied, gone;
};

/* A figure that can be jumped, and where that leads. */
struct NAME(hop) {
    cell_index jumped;
    SET landings;
};

/* What can be jumped and has not been taken yet. */
static inline SET NAME(preys)(const struct NAME(chase) * chase, const struct fast_group *group)
{
    return NAME(without)(chase->scene->sets[group->over],
                         NAME(or)(chase->scene->pending, chase->gone));
}

static void NAME(ray_hop)(const struct NAME(chase) * chase, const struct fast_group *group,
                          cell_index from, struct NAME(hop) * hop)
{
    bool falling = group->falling > 0;
    work_spend(2 * WORK_WORDS(WORDS));
    SET ray = NAME(load)(group->table + (size_t)from * WORDS);
    SET mask = NAME(load)(group->masks + (size_t)from * WORDS);
    SET near = NAME(until)(falling, ray, chase->occupied);
    SET jumped = NAME(and)(NAME(and)(near, NAME(preys)(chase, group)), chase->occupied);
    if (NAME(is_empty)(jumped))
        return;
    SET reach = NAME(until)(falling, NAME(without)(ray, near), chase->occupied);
    hop->jumped = NAME(first)(jumped);
    hop->landings = NAME(without)(NAME(and)(reach, mask), chase->occupied);
}

static void NAME(entry_hop)(const struct NAME(chase) * chase, const struct fast_group *group,
                            cell_index from, struct NAME(hop) * hop)
{
    if (group->starts[from] == group->starts[from + 1])
        return;
    work_spend(2 * WORK_WORDS(WORDS));
    const uint64_t *entry = group->table + (size_t)group->starts[from] * 2 * WORDS;
    SET jumped = NAME(load)(entry);
    if (!NAME(is_empty)(NAME(without)(jumped, NAME(preys)(chase, group))))
        return;
    hop->jumped = NAME(first)(jumped);
    hop->landings = NAME(without)(NAME(load)(entry + WORDS), chase->occupied);
}

static void NAME(shift_hop)(const struct NAME(chase) * chase, const struct fast_group *group,
                            cell_index from, struct NAME(hop) * hop)
{
    cell_index jumped = (cell_index)(from + group->middle);
    if (!bits_test(group->from, from) || !NAME(has)(NAME(preys)(chase, group), jumped))
        return;
    hop->jumped = jumped;
    hop->landings = NAME(without)(NAME(one)((cell_index)(from + group->offset)), chase->occupied);
}

/* The one hop of a group from a cell, since such a group has one direction; false: there is none. */
static bool NAME(find_hop)(const struct NAME(chase) * chase, const struct fast_group *group,
                           cell_index from, struct NAME(hop) * hop)
{
    hop->landings = NAME(none)();
    work_spend(WORK_CANDIDATE * WORK_WORDS(WORDS));
    if (group->shape == FAST_JUMP)
        NAME(ray_hop)(chase, group, from, hop);
    else if (group->shape == FAST_LAME)
        NAME(entry_hop)(chase, group, from, hop);
    else
        NAME(shift_hop)(chase, group, from, hop);
    return !NAME(is_empty)(hop->landings);
}

/* The chase after one more hop; false: a promotion stops it. */
static bool NAME(hop_on)(const struct NAME(chase) * chase, const struct fast_group *group,
                         const struct NAME(hop) * hop, cell_index landing,
                         struct NAME(chase) * after)
{
    const struct game *game = chase->scene->view->game;
    *after = *chase;
    after->gone = NAME(or)(after->gone, NAME(one)(hop->jumped));
    if (!game->remove_at_turn_end)
        after->occupied = NAME(without)(after->occupied, NAME(one)(hop->jumped));
    const struct fast_promotion *promotion = &game->fast->promotions[group->promotion];
    if (group->promotion == 0 || promotion->turn_ends || promotion->becomes == FIGURE_NONE ||
        !bits_test(promotion->cells, landing))
        return group->continues != GOES_ON_NEVER;
    after->figure = promotion->becomes;
    after->mover =
        &game->fast->movers[promotion->becomes * game->player_count + chase->scene->view->player];
    return group->continues != GOES_ON_NEVER && !promotion->stops;
}

static bool NAME(chase_group)(const struct NAME(chase) * chase, const struct fast_group *group)
{
    return group->takes_jumped && group->continues != GOES_ON_NEVER &&
           group->phase == chase->scene->view->phase;
}

/* Whether there is a hop from here. */
static bool NAME(hops_on)(const struct NAME(chase) * chase, cell_index from)
{
    struct NAME(hop) hop;
    for (int i = 0; i < chase->mover->group_count; i++)
        if (NAME(chase_group)(chase, &chase->mover->groups[i]) &&
            NAME(find_hop)(chase, &chase->mover->groups[i], from, &hop))
            return true;
    return false;
}

/* Of the landings behind one figure those that the game leaves: where it goes on, if there are any. */
static SET NAME(kept_landings)(const struct NAME(chase) * chase, const struct fast_group *group,
                               const struct NAME(hop) * hop)
{
    SET kept = NAME(none)();
    cell_index landing = 0;
    if (!chase->scene->view->game->can_go_on)
        return hop->landings;
    FOR_EACH(hop->landings, landing)
    {
        struct NAME(chase) after;
        if (NAME(hop_on)(chase, group, hop, landing, &after) && NAME(hops_on)(&after, landing))
            kept = NAME(or)(kept, NAME(one)(landing));
    }
    return NAME(is_empty)(kept) ? hop->landings : kept;
}

static unsigned NAME(longest)(const struct NAME(chase) * chase, cell_index from);

/* How many figures can be taken by a hop to a cell and what follows it. */
// NOLINTNEXTLINE(misc-no-recursion): each hop takes another figure
static unsigned NAME(hop_takes)(const struct NAME(chase) * chase, const struct fast_group *group,
                                const struct NAME(hop) * hop, cell_index landing)
{
    struct NAME(chase) after;
    return NAME(hop_on)(chase, group, hop, landing, &after) ? 1 + NAME(longest)(&after, landing)
                                                            : 1;
}

/* How many figures can still be taken from here. */
// NOLINTNEXTLINE(misc-no-recursion): each hop takes another figure
static unsigned NAME(longest)(const struct NAME(chase) * chase, cell_index from)
{
    unsigned most = 0;
    for (int i = 0; i < chase->mover->group_count && !work_is_too_much(); i++) {
        const struct fast_group *group = &chase->mover->groups[i];
        struct NAME(hop) hop;
        cell_index landing = 0;
        if (!NAME(chase_group)(chase, group) || !NAME(find_hop)(chase, group, from, &hop))
            continue;
        FOR_EACH(hop.landings, landing)
        {
            unsigned here = NAME(hop_takes)(chase, group, &hop, landing);
            most = here > most ? here : most;
        }
    }
    return most;
}

static void NAME(begin_chase)(const struct NAME(scene) * scene, const struct fast_mover *mover,
                              figure_index figure, cell_index from, struct NAME(chase) * chase)
{
    *chase = (struct NAME(chase)){.scene = scene, .mover = mover, .figure = figure};
    chase->occupied = NAME(without)(scene->occupied, NAME(one)(from));
    chase->gone = NAME(none)();
}

/* Drops all moves so far, also those that were drained. */
static void NAME(forget_batches)(struct NAME(sink) * sink)
{
    sink->count = 0;
    sink->result->moves = sink->moves;
    sink->result->count = sink->before;
}

/* A landing that priorities leave. Of those that take the most the sink keeps the best there are. */
static void NAME(offer_landing)(const struct NAME(seeker) * seeker,
                                const struct NAME(chase) * chase, const struct fast_group *group,
                                const struct NAME(hop) * hop, cell_index from, cell_index landing)
{
    const struct game *game = seeker->scene->view->game;
    struct NAME(sink) *sink = seeker->sink;
    unsigned taken = game->most_taken ? NAME(hop_takes)(chase, group, hop, landing) : 1;
    if (game->most_taken && taken < sink->most)
        return;
    if (game->most_taken && taken > sink->most)
        NAME(forget_batches)(sink);
    sink->most = taken;
    NAME(emit)(game, sink, group, from, NAME(one)(landing));
}

/* The jumps of one figure. */
static void NAME(seek_jumps)(const struct NAME(seeker) * seeker, cell_index from)
{
    const struct NAME(scene) *scene = seeker->scene;
    struct NAME(chase) chase;
    NAME(begin_chase)(scene, seeker->mover, seeker->figure, from, &chase);
    for (int i = 0; i < seeker->mover->group_count; i++) {
        const struct fast_group *group = &seeker->mover->groups[i];
        struct NAME(hop) hop;
        if (!group->takes_jumped || !NAME(applies)(scene, group, from) ||
            !NAME(find_hop)(&chase, group, from, &hop))
            continue;
        SET landings = NAME(kept_landings)(&chase, group, &hop);
        cell_index landing = 0;
        FOR_EACH(landings, landing)
        {
            NAME(offer_landing)(seeker, &chase, group, &hop, from, landing);
        }
    }
}

/* Those figures that can jump something at all, seen all at once where they move so. */
static SET NAME(jumpers)(const struct NAME(seeker) * seeker, SET cells)
{
    const struct NAME(scene) *scene = seeker->scene;
    SET found = NAME(none)();
    for (int i = 0; i < seeker->mover->group_count; i++) {
        const struct fast_group *group = &seeker->mover->groups[i];
        if (!group->takes_jumped)
            continue;
        if (group->shape != FAST_SHIFT)
            return cells;
        SET targets = NAME(and)(NAME(shift)(scene, group, cells), scene->sets[ACCEPT_EMPTY]);
        found = NAME(or)(found, NAME(shifted)(targets, -group->offset));
    }
    return found;
}

/* --- complex movements -------------------------------------------------------------------------------------------- */

static bool NAME(complex_fits)(const struct NAME(scene) * scene, const struct fast_complex *complex)
{
    const struct fast_view *view = scene->view;
    const struct game *game = view->game;
    const uint64_t *unmoved =
        view->words + (size_t)(game->player_count + game->figure_count) * WORDS;
    SET empty = NAME(load)(complex->cells), still = NAME(load)(complex->cells + WORDS);
    if (!NAME(is_empty)(NAME(without)(still, NAME(load)(unmoved))) ||
        !NAME(is_empty)(NAME(and)(empty, scene->occupied)))
        return false;
    for (int i = 0; i < complex->participant_count; i++) {
        const struct fast_participant *participant = &complex->participants[i];
        figure_index figure = game->code_figures[participant->code];
        if (!NAME(has)(scene->own, participant->source) ||
            !bits_test(view->words + (size_t)(game->player_count + figure) * WORDS,
                       participant->source))
            return false;
    }
    return true;
}

static bool NAME(complex_safe)(const struct NAME(scene) * scene, const struct fast_complex *complex)
{
    struct NAME(change) change = {.figure = FIGURE_NONE};
    change.removed = change.added = NAME(none)();
    for (int i = 0; i < complex->safe_count; i++)
        if (NAME(attacked)(scene, &change, complex->safe[i],
                           NAME(figure_on)(scene->view, complex->safe[i])))
            return false;
    if (!scene->guarded)
        return true;
    /* Figures of several kinds come: protected ones are looked at each by itself. */
    for (int i = 0; i < complex->participant_count; i++) {
        change.removed = NAME(or)(change.removed, NAME(one)(complex->participants[i].source));
        change.added = NAME(or)(change.added, NAME(one)(complex->participants[i].destination));
    }
    SET royals = NAME(without)(scene->royals, change.removed);
    cell_index cell = 0;
    FOR_EACH(royals, cell)
    {
        if (NAME(attacked)(scene, &change, cell, NAME(figure_on)(scene->view, cell)))
            return false;
    }
    for (int i = 0; i < complex->participant_count; i++) {
        const struct fast_participant *participant = &complex->participants[i];
        if (NAME(has)(scene->royals, participant->source) &&
            NAME(attacked)(scene, &change, participant->destination,
                           NAME(figure_on)(scene->view, participant->source)))
            return false;
    }
    return true;
}

/* Where simple movements lead from a cell. */
static SET NAME(simple_targets)(const struct NAME(seeker) * seeker, cell_index from)
{
    const struct NAME(scene) *scene = seeker->scene;
    SET seen = NAME(none)();
    work_spend(seeker->mover->work * WORK_WORDS(WORDS));
    for (int i = 0; i < seeker->mover->group_count; i++) {
        const struct fast_group *group = &seeker->mover->groups[i];
        if (NAME(applies)(scene, group, from))
            seen = NAME(or)(
                seen, NAME(and)(NAME(reach)(scene, group, from), NAME(accepted)(scene, group)));
    }
    return seen;
}

/* Complex movements count only where no simple one leads. */
static void NAME(seek_complex)(const struct NAME(seeker) * seeker, cell_index from)
{
    const struct NAME(scene) *scene = seeker->scene;
    const struct game *game = scene->view->game;
    const struct fast_mover *mover = seeker->mover;
    SET seen = NAME(none)();
    if (mover->complex_unmoved &&
        !bits_test(scene->view->words + (size_t)(game->player_count + game->figure_count) * WORDS,
                   from))
        return;
    for (int i = mover->complex_starts[from]; i < mover->complex_starts[from + 1]; i++) {
        const struct fast_complex *complex = &mover->complex[i];
        work_spend(8 * WORK_WORDS(WORDS) + (uint64_t)2 * complex->participant_count);
        if (!NAME(complex_fits)(scene, complex) ||
            (game->fast->filters && !NAME(complex_safe)(scene, complex)))
            continue;
        seen = NAME(or)(seen, NAME(simple_targets)(seeker, from));
        if (NAME(has)(seen, complex->to))
            continue;
        seen = NAME(or)(seen, NAME(one)(complex->to));
        struct fast_group group = {.rule = complex->rule};
        NAME(add_batch)(game, seeker->sink, &group, from, NAME(one)(complex->to), 0);
    }
}

/* --- all figures -------------------------------------------------------------------------------------------------- */

/* Each figure by itself. */
static void NAME(seek_each)(const struct NAME(seeker) * seeker, SET cells, bool held, bool every)
{
    const struct NAME(scene) *scene = seeker->scene;
    cell_index from = 0;
    FOR_EACH(cells, from)
    {
        bool sensitive = every || NAME(has)(scene->sensitive, from);
        SET allowed =
            held && sensitive ? NAME(lines_allow)(scene, from, seeker->figure) : scene->allowed;
        NAME(seek)(seeker, from, allowed, sensitive);
    }
}

static void NAME(seek_kind)(struct NAME(seeker) * seeker, SET cells)
{
    const struct NAME(scene) *scene = seeker->scene;
    const struct fast_mover *mover = seeker->mover;
    bool held = scene->line_count > 0;
    bool every = seeker->royal || scene->lines_overflow || (held && scene->player->limited_lines);
    bool by_groups = mover->only_shifts || !mover->overlaps;
    if (mover->has_jumps && scene->view->game->fast->ranks && !scene->view->quiet_only) {
        SET jumpers = NAME(jumpers)(seeker, cells);
        cell_index from = 0;
        FOR_EACH(jumpers, from)
        {
            NAME(seek_jumps)(seeker, from);
        }
    }
    SET unheld = NAME(without)(cells, scene->sensitive);
    if (!every && mover->has_shifts)
        NAME(seek_shifts)(seeker, unheld);
    if (!every && by_groups && !mover->only_shifts)
        NAME(seek_free)(seeker, unheld);
    if (!every && by_groups)
        cells = NAME(and)(cells, scene->sensitive);
    NAME(seek_each)(seeker, cells, held, every);
}

static void NAME(collect)(const struct fast_view *view, SET cells, struct NAME(sink) * sink)
{
    const struct game *game = view->game;
    const struct fast_game *fast = game->fast;
    struct NAME(scene) scene;
    NAME(survey)(&scene, view);
    if (fast->filters)
        NAME(guard)(&scene);
    cells = NAME(and)(cells, scene.own);
    struct NAME(seeker) seeker = {.scene = &scene, .sink = sink};
    for (int i = 0; i < scene.player->figure_count; i++) {
        int figure = scene.player->figures[i];
        SET here = NAME(and)(
            cells, NAME(load)(view->words + (size_t)(game->player_count + figure) * WORDS));
        if (NAME(is_empty)(here))
            continue;
        const struct fast_mover *mover = &fast->movers[figure * game->player_count + view->player];
        uint64_t units = (unsigned)mover->group_count + NAME(size)(here) * mover->work;
        if (!work_spend(units * WORK_WORDS(WORDS)))
            break;
        seeker.mover = mover;
        seeker.figure = (figure_index)figure;
        seeker.royal = !NAME(is_empty)(NAME(and)(here, scene.royals));
        if (mover->group_count > 0)
            NAME(seek_kind)(&seeker, here);
        if (mover->complex_count > 0 && !view->takes_only && !view->going_on && view->phase == 0) {
            cell_index from = 0;
            FOR_EACH(here, from)
            {
                NAME(seek_complex)(&seeker, from);
            }
        }
    }
    NAME(drain)(game, sink);
}

/* --- what is done with batches ------------------------------------------------------------------------------------ */

static inline unsigned NAME(batch_size)(const struct game *game, const struct NAME(batch) * batch)
{
    unsigned choices =
        batch->promotion == 0 ? 1U : game->fast->promotions[batch->promotion].choice_count;
    return NAME(size)(batch->targets) * choices;
}

static inline struct move NAME(batch_move)(const struct NAME(batch) * batch, cell_index to,
                                           uint8_t choice)
{
    cell_index from = batch->from == CELL_NONE ? (cell_index)(to - batch->offset) : batch->from;
    return (struct move){.from = from, .to = to, .rule = batch->rule, .choice = choice};
}

static struct move *NAME(list_batch)(const struct game *game, const struct NAME(batch) * batch,
                                     struct move *moves)
{
    cell_index to = 0;
    if (batch->promotion == 0) {
        FOR_EACH(batch->targets, to)
        {
            *moves++ = NAME(batch_move)(batch, to, CHOICE_NONE);
        }
        return moves;
    }
    const struct fast_promotion *promotion = &game->fast->promotions[batch->promotion];
    FOR_EACH(batch->targets, to)
    {
        for (int i = 0; i < promotion->choice_count; i++)
            *moves++ = NAME(batch_move)(batch, to, promotion->choices[i]);
    }
    return moves;
}

/* Each move is made and taken back, by the interpreter. */
static void NAME(try_batch)(const struct game *game, const struct NAME(batch) * batch,
                            struct fast_result *result)
{
    const struct fast_promotion *promotion = &game->fast->promotions[batch->promotion];
    int choices = batch->promotion == 0 ? 1 : promotion->choice_count;
    cell_index to = 0;
    FOR_EACH(batch->targets, to)
    {
        for (int i = 0; i < choices && work_spend(1); i++)
            fast_try(result,
                     NAME(batch_move)(batch, to,
                                      batch->promotion == 0 ? CHOICE_NONE : promotion->choices[i]));
    }
}

/* Of all batches the one move that is asked for, if it is there. */
static void NAME(find_in_batch)(const struct game *game, const struct NAME(batch) * batch,
                                struct fast_result *result)
{
    if (!NAME(has)(batch->targets, result->to))
        return;
    bool offered = batch->promotion == 0 && result->choice == CHOICE_NONE;
    const struct fast_promotion *promotion = &game->fast->promotions[batch->promotion];
    for (int i = 0; batch->promotion != 0 && i < promotion->choice_count; i++)
        offered |= promotion->choices[i] == result->choice;
    struct move move = NAME(batch_move)(batch, result->to, result->choice);
    if (!offered || (result->trial != NULL && !interpreter_legal(result->trial, move)))
        return;
    result->found = move;
    result->count++;
}

/* Takes what has come so far out of the sink: counted, listed, or the one move found that is asked for. */
static void NAME(drain)(const struct game *game, struct NAME(sink) * sink)
{
    struct fast_result *result = sink->result;
    if (result->finds) {
        for (int i = 0; i < sink->count; i++)
            NAME(find_in_batch)(game, &sink->batches[i], result);
        sink->count = 0;
        return;
    }
    if (result->trial != NULL) {
        for (int i = 0; i < sink->count; i++)
            NAME(try_batch)(game, &sink->batches[i], result);
        sink->count = 0;
        return;
    }
    if (result->moves != NULL) {
        for (int i = 0; i < sink->count; i++)
            result->moves = NAME(list_batch)(game, &sink->batches[i], result->moves);
        sink->count = 0;
        return;
    }
    for (int i = 0; i < sink->count; i++)
        result->count += NAME(batch_size)(game, &sink->batches[i]);
    sink->count = 0;
}

#if WORDS <= 4 /* that many hold FAST_CELLS_MAX */
#include "engine/fast_count.h"
#else
static bool NAME(tally)(const struct fast_view *view, struct NAME(sink) * sink)
{
    (void)view;
    (void)sink;
    return false;
}
#endif

/* Whether there is nothing that leaves moves out but what is forbidden. */
static bool NAME(sees_all)(const struct fast_view *view)
{
    return view->only == CELL_NONE && view->phase == 0 && !view->takes_only && !view->quiet_only &&
           !view->going_on;
}

static void NAME(run)(const struct fast_view *view, struct fast_result *result)
{
    struct NAME(sink) sink;
    sink.count = 0;
    sink.result = result;
    sink.most = 0;
    sink.moves = result->moves;
    sink.before = result->count;
    sink.counts =
        !view->game->most_taken && result->moves == NULL && !result->finds && result->trial == NULL;
    bool stepped = view->game->fast->players[view->player].steps != NULL && NAME(sees_all)(view);
    if (stepped && sink.counts && NAME(tally)(view, &sink))
        return;
    SET cells = view->only == CELL_NONE ? NAME(every)() : NAME(one)(view->only);
    NAME(collect)(view, cells, &sink);
}

static bool NAME(any_attacked)(const struct fast_view *view, uint64_t figures,
                               const uint64_t *cells)
{
    struct NAME(scene) scene;
    struct NAME(change) change = {.figure = FIGURE_NONE};
    change.removed = change.added = NAME(none)();
    NAME(survey)(&scene, view);
    NAME(keep_attackers)(&scene);
    for (int figure = 0; figure < view->game->figure_count; figure++) {
        if ((figures >> figure & 1) == 0)
            continue;
        SET here =
            NAME(and)(scene.own, NAME(load)(view->words +
                                            (size_t)(view->game->player_count + figure) * WORDS));
        if (cells != NULL)
            here = NAME(and)(here, NAME(load)(cells));
        cell_index cell = 0;
        FOR_EACH(here, cell)
        {
            if (NAME(attacked)(&scene, &change, cell, (figure_index)figure))
                return true;
        }
    }
    return false;
}

/* Whether the only figure of the view, which has jumped, can go on. */
static bool NAME(jumps_on)(const struct fast_view *view, figure_index figure)
{
    struct NAME(scene) scene;
    struct NAME(chase) chase;
    NAME(survey)(&scene, view);
    NAME(begin_chase)
    (&scene, &view->game->fast->movers[figure * view->game->player_count + view->player], figure,
     view->only, &chase);
    return NAME(hops_on)(&chase, view->only);
}

/* Whether a figure may leave `from` for the marked cell and take who made the mark. */
static bool NAME(takes_safely)(struct NAME(scene) * scene, const struct mark *mark, cell_index from,
                               figure_index figure)
{
    struct NAME(change) change = {.figure = figure};
    change.removed = NAME(or)(NAME(one)(from), NAME(one)(mark->maker));
    change.added = NAME(one)(mark->cell);
    NAME(keep_attackers)(scene);
    NAME(find_royals)(scene);
    return NAME(safe_after)(scene, &change);
}

static bool NAME(mark_taken)(const struct fast_view *view, int mark)
{
    const struct game *game = view->game;
    struct NAME(scene) scene;
    NAME(survey)(&scene, view);
    for (int figure = 0; figure < game->figure_count; figure++) {
        const struct fast_mover *mover =
            &game->fast->movers[figure * game->player_count + view->player];
        SET here = NAME(and)(
            scene.own, NAME(load)(view->words + (size_t)(game->player_count + figure) * WORDS));
        for (int i = 0; i < mover->group_count && !NAME(is_empty)(here); i++) {
            const struct fast_group *group = &mover->groups[i];
            if (group->takes_marked != mark || !NAME(is_marked)(&scene, group))
                continue;
            cell_index from = 0;
            FOR_EACH(here, from)
            {
                if (NAME(applies)(&scene, group, from) &&
                    NAME(has)(NAME(reach)(&scene, group, from), view->marks[mark].cell) &&
                    NAME(takes_safely)(&scene, &view->marks[mark], from, (figure_index)figure))
                    return true;
            }
        }
    }
    return false;
}

#undef SET
