/* Move generation for one width of bit sets. movegen.c includes this once for each width with WORDS
 * and NAME defined, so that the loops over words have constant bounds and vanish where a board fits
 * one word. */

struct NAME(board) {
    uint64_t sets[BOARD_SETS_MAX][WORDS];
};

static inline void NAME(add_part)(const struct position *position, const struct board_part *part,
                                  uint64_t *result)
{
    const struct class_term *terms = part->contents.terms;
    uint64_t flip = part->contents.complement ? UINT64_MAX : 0;
    uint64_t sum[WORDS] = {0};
    for (int i = 0; i < part->contents.term_count; i++) {
        const uint64_t *first = position->words + terms[i].first;
        const uint64_t *second = position->words + terms[i].second;
        for (int w = 0; w < WORDS; w++)
            sum[w] |= first[w] & second[w];
    }
    for (int w = 0; w < WORDS; w++)
        result[w] |= (sum[w] ^ flip) & part->cells[w];
}

/* The board sets the player's kernels are made of. */
static inline void NAME(survey)(const struct position *position, player_index player,
                                struct NAME(board) * board)
{
    const struct board_set *sets = position->game->board_sets[player];
    int count = position->game->board_set_counts[player];
    for (int i = 0; i < count; i++) {
        uint64_t sum[WORDS] = {0};
        for (int k = 0; k < sets[i].part_count; k++)
            NAME(add_part)(position, &sets[i].parts[k], sum);
        memcpy(board->sets[i], sum, sizeof sum);
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
                            size_t row, uint64_t *targets)
{
    const uint64_t *rays = group->rays + row;
    const uint64_t *masks = group->masked ? group->masks + row : rays;
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
    const struct kernel_variant *variant =
        &mover->variants[NAME(variant_of)(position, mover, from)];
    uint64_t sum[WORDS] = {0};
    for (int i = 0; i < variant->leap_count; i++) {
        const uint64_t *cells = variant->leaps[i].table + (size_t)from * WORDS;
        const uint64_t *accept = board->sets[variant->leaps[i].accept];
        for (int w = 0; w < WORDS; w++)
            sum[w] |= cells[w] & accept[w];
    }
    for (int i = 0; i < variant->slide_count; i++) {
        const struct slide_group *slides = &variant->slides[i];
        size_t row = (size_t)from * WORDS * (size_t)(slides->rising + slides->falling);
        if (slides->shooting || slides->masked)
            NAME(slide_far)(board, slides, row, sum);
        else
            NAME(slide)(board, slides, slides->rays + row, sum);
    }
    memcpy(targets, sum, sizeof sum);
}

/* All targets of the figure on `from`; those that complex movements add are noted in `extra`. */
static inline void NAME(all_targets)(const struct position *position,
                                     const struct NAME(board) * board, cell_index from,
                                     uint64_t *targets, struct extra_targets *extra)
{
    const struct mover *mover = &position->game->movers[position->cells[from].code - 1];
    if (mover->recognised)
        NAME(simple_targets)(position, board, mover, from, targets);
    else
        interpret_simple(position, from, targets);
    extra->count = 0;
    if (bits_test(mover->complex_cells, from))
        interpret_complex(position, from, targets, extra);
}

static inline struct move *NAME(write_moves)(cell_index from, const uint64_t *targets,
                                             const struct extra_targets *extra, struct move *move)
{
    struct move *first = move;
    for (int w = 0; w < WORDS; w++)
        for (uint64_t left = targets[w]; left != 0; left &= left - 1) {
            cell_index to = (cell_index)((unsigned)w * WORD_BITS + word_lowest(left));
            *move++ = (struct move){.from = from, .to = to, .rule = 0, .choice = CHOICE_NONE};
        }
    if (extra->count > 0)
        name_rules(extra, first, move);
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
