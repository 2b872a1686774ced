/* Move generation for one width of bit sets. movegen.c includes this once for each width with WORDS
 * and NAME defined, so that the loops over words have constant bounds and vanish where a board fits
 * one word. */

struct NAME(board) {
    uint64_t sets[BOARD_SETS_MAX][WORDS];
};

static inline void NAME(union_class)(const struct position *position,
                                     const struct contents_class *class, const uint64_t *cells,
                                     uint64_t *result)
{
    const struct game *game = position->game;
    const struct class_term *terms = game->terms + class->first_term;
    uint64_t sum[WORDS] = {0};
    for (int i = 0; i < class->term_count; i++) {
        const uint64_t *player = position_player_words(position, terms[i].player);
        const uint64_t *figure = position_figure_words(position, terms[i].figure);
        for (int w = 0; w < WORDS; w++) {
            if (terms[i].kind == TERM_PLAYER)
                sum[w] |= player[w];
            else if (terms[i].kind == TERM_FIGURE)
                sum[w] |= figure[w];
            else
                sum[w] |= player[w] & figure[w];
        }
    }
    uint64_t flip = class->complement ? UINT64_MAX : 0;
    for (int w = 0; w < WORDS; w++)
        result[w] |= (sum[w] ^ flip) & cells[w];
}

/* The board sets the player's kernels are made of. */
static inline void NAME(survey)(const struct position *position, player_index player,
                                struct NAME(board) * board)
{
    const struct game *game = position->game;
    const struct board_set *sets = game->board_sets[player];
    for (int i = 0; i < game->board_set_counts[player]; i++) {
        const struct board_part *parts = game->parts + sets[i].first_part;
        memset(board->sets[i], 0, sizeof board->sets[i]);
        for (int k = 0; k < sets[i].part_count; k++)
            NAME(union_class)
            (position, &game->classes[parts[k].contents_class], game_cell_set(game, parts[k].cells),
             board->sets[i]);
    }
}

/* The part of a ray up to and including the first of `blockers`, which lie on it: all of it when
 * there are none. */
static inline void NAME(cut_rising)(const uint64_t *ray, const uint64_t *blockers, uint64_t *reach)
{
    uint64_t open = UINT64_MAX;
    for (int w = 0; w < WORDS; w++) {
        uint64_t block = blockers[w];
        reach[w] = ray[w] & (block ^ (block - 1)) & open;
        open &= block == 0 ? UINT64_MAX : 0;
    }
}

static inline void NAME(cut_falling)(const uint64_t *ray, const uint64_t *blockers, uint64_t *reach)
{
    uint64_t open = UINT64_MAX;
    for (int w = WORDS - 1; w >= 0; w--) {
        uint64_t block = blockers[w];
        reach[w] = ray[w] & (UINT64_MAX << word_highest(block | 1)) & open;
        open &= block == 0 ? UINT64_MAX : 0;
    }
}

static inline void NAME(cut)(bool falling, const uint64_t *ray, const uint64_t *stop,
                             uint64_t *reach)
{
    uint64_t blockers[WORDS];
    for (int w = 0; w < WORDS; w++)
        blockers[w] = ray[w] & stop[w];
    if (falling)
        NAME(cut_falling)(ray, blockers, reach);
    else
        NAME(cut_rising)(ray, blockers, reach);
}

/* Slides that only block and accept: one look at each ray. */
static inline void NAME(slide)(const struct NAME(board) * board, const struct slide_group *group,
                               const uint64_t *rays, uint64_t *targets)
{
    const uint64_t *block = board->sets[group->block], *accept = board->sets[group->accept];
    uint64_t sum[WORDS] = {0}, reach[WORDS];
    for (int i = 0; i < group->rising; i++, rays += WORDS) {
        NAME(cut)(false, rays, block, reach);
        for (int w = 0; w < WORDS; w++)
            sum[w] |= reach[w];
    }
    for (int i = 0; i < group->falling; i++, rays += WORDS) {
        NAME(cut)(true, rays, block, reach);
        for (int w = 0; w < WORDS; w++)
            sum[w] |= reach[w];
    }
    for (int w = 0; w < WORDS; w++)
        targets[w] |= sum[w] & accept[w];
}

/* Slides that may also shoot, or some of whose cells are another movement's targets. */
static void NAME(slide_far)(const struct NAME(board) * board, const struct slide_group *group,
                            const uint64_t *rays, const uint64_t *masks, uint64_t *targets)
{
    for (int i = 0; i < group->rising + group->falling; i++, rays += WORDS, masks += WORDS) {
        bool falling = i >= group->rising;
        uint64_t reach[WORDS], before[WORDS];
        NAME(cut)(falling, rays, board->sets[group->block], reach);
        NAME(cut)(falling, rays, board->sets[group->take], before);
        for (int w = 0; w < WORDS; w++) {
            uint64_t legal = reach[w] & board->sets[group->accept][w];
            if (group->shooting)
                legal |= reach[w] & ~before[w] & board->sets[group->free][w];
            targets[w] |= group->masked ? legal & masks[w] : legal;
        }
    }
}

static inline unsigned NAME(variant_of)(const struct position *position, const struct mover *mover,
                                        cell_index from)
{
    unsigned variant = 0;
    for (int i = 0; i < mover->guard_count; i++)
        if (rule_atom_holds(position, mover->guards[i], from, from))
            variant |= 1U << i;
    return variant;
}

/* Where the figure on `from` may go by its simple movements. */
static inline void NAME(simple_targets)(const struct position *position,
                                        const struct NAME(board) * board, const struct mover *mover,
                                        cell_index from, uint64_t *targets)
{
    const struct game *game = position->game;
    for (int w = 0; w < WORDS; w++)
        targets[w] = 0;
    if (!mover->recognised) {
        interpret_simple(position, from, targets);
        return;
    }
    const struct kernel_variant *variant =
        &game->variants[mover->first_variant + NAME(variant_of)(position, mover, from)];
    const struct leap_group *leaps = game->leaps + variant->first_leap;
    for (int i = 0; i < variant->leap_count; i++) {
        const uint64_t *cells = game->kernel_words + leaps[i].table + (size_t)from * WORDS;
        for (int w = 0; w < WORDS; w++)
            targets[w] |= cells[w] & board->sets[leaps[i].accept][w];
    }
    const struct slide_group *slides = game->slides + variant->first_slide;
    for (int i = 0; i < variant->slide_count; i++) {
        size_t row = (size_t)from * WORDS * (size_t)(slides[i].rising + slides[i].falling);
        const uint64_t *rays = game->kernel_words + slides[i].table + row;
        if (slides[i].shooting || slides[i].masked)
            NAME(slide_far)
            (board, &slides[i], rays, game->kernel_words + slides[i].mask + row, targets);
        else
            NAME(slide)(board, &slides[i], rays, targets);
    }
}

/* All targets of the figure on `from`; those that complex movements add are noted in `extra`. */
static inline void NAME(all_targets)(const struct position *position,
                                     const struct NAME(board) * board, cell_index from,
                                     uint64_t *targets, struct extra_targets *extra)
{
    const struct mover *mover = &position->game->movers[position->cells[from].code - 1];
    NAME(simple_targets)(position, board, mover, from, targets);
    extra->count = 0;
    if (mover->has_complex)
        interpret_complex(position, from, targets, extra);
}

static inline struct move *NAME(write_moves)(cell_index from, const uint64_t *targets,
                                             const struct extra_targets *extra, struct move *move)
{
    for (int w = 0; w < WORDS; w++)
        for (uint64_t left = targets[w]; left != 0; left &= left - 1) {
            cell_index to = (cell_index)((unsigned)w * WORD_BITS + word_lowest(left));
            uint16_t rule = extra->count > 0 ? extra_rule(extra, to) : 0;
            *move++ = (struct move){.from = from, .to = to, .rule = rule, .choice = CHOICE_NONE};
        }
    return move;
}

static int NAME(all)(const struct position *position, player_index player, struct move *moves)
{
    struct NAME(board) board;
    struct extra_targets extra;
    uint64_t targets[WORDS];
    const uint64_t *own = position_player_words(position, player);
    struct move *end = moves;
    NAME(survey)(position, player, &board);
    for (int w = 0; w < WORDS; w++)
        for (uint64_t left = own[w]; left != 0; left &= left - 1) {
            cell_index from = (cell_index)((unsigned)w * WORD_BITS + word_lowest(left));
            NAME(all_targets)(position, &board, from, targets, &extra);
            end = NAME(write_moves)(from, targets, &extra, end);
        }
    return (int)(end - moves);
}

static int NAME(from)(const struct position *position, player_index player, cell_index from,
                      struct move *moves)
{
    struct NAME(board) board;
    struct extra_targets extra;
    uint64_t targets[WORDS];
    NAME(survey)(position, player, &board);
    NAME(all_targets)(position, &board, from, targets, &extra);
    return (int)(NAME(write_moves)(from, targets, &extra, moves) - moves);
}

/* Counts legal moves, and stops as soon as there are more than `limit`. */
static uint64_t NAME(count)(const struct position *position, player_index player, uint64_t limit)
{
    struct NAME(board) board;
    struct extra_targets extra;
    uint64_t targets[WORDS], count = 0;
    const uint64_t *own = position_player_words(position, player);
    NAME(survey)(position, player, &board);
    for (int w = 0; w < WORDS; w++)
        for (uint64_t left = own[w]; left != 0 && count <= limit; left &= left - 1) {
            cell_index from = (cell_index)((unsigned)w * WORD_BITS + word_lowest(left));
            NAME(all_targets)(position, &board, from, targets, &extra);
            for (int k = 0; k < WORDS; k++)
                count += word_count(targets[k]);
        }
    return count;
}
