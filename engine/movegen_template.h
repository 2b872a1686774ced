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
        work_spend((uint64_t)sets[i].part_count * WORDS);
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

/* Cuts a ray at the first cell of `stop`. */
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

/* Where each figure may go, by the cell it stands on. Only cells that were asked for are filled in. */
struct NAME(fan) {
    uint64_t targets[WORDS * WORD_BITS][WORDS];
};

/* The cells of a set one after the other: `for` with a word, what is left of it, and the cell. */
#define FOR_EACH_CELL(set, cell)                                                                   \
    for (int each = 0; each < WORDS; each++)                                                       \
        for (uint64_t left = (set)[each];                                                          \
             left != 0 &&                                                                          \
             ((cell) = (cell_index)((unsigned)each * WORD_BITS + word_lowest(left)), true);        \
             left &= left - 1)

static inline void NAME(clear_targets)(const uint64_t *cells, struct NAME(fan) * fan)
{
    cell_index from = 0;
    FOR_EACH_CELL(cells, from)
    {
        for (int w = 0; w < WORDS; w++)
            fan->targets[from][w] = 0;
    }
}

/* One group of leaps for all figures on `cells`; the first group writes, the others add. */
static inline void NAME(leap)(bool first, const struct leap_group *group,
                              const struct NAME(board) * board, const uint64_t *cells,
                              struct NAME(fan) * fan)
{
    cell_index from = 0;
    uint64_t accept[WORDS];
    memcpy(accept, board->sets[group->accept], sizeof accept);
    FOR_EACH_CELL(cells, from)
    {
        const uint64_t *reach = group->table + (size_t)from * WORDS;
        for (int w = 0; w < WORDS; w++)
            fan->targets[from][w] = (first ? 0 : fan->targets[from][w]) | (reach[w] & accept[w]);
    }
}

/* Slides that only block and accept: one look at each ray. */
static inline void NAME(slide)(const struct slide_group *group, const struct NAME(board) * board,
                               const uint64_t *cells, struct NAME(fan) * fan)
{
    cell_index from = 0;
    uint64_t accept[WORDS], block[WORDS];
    memcpy(accept, board->sets[group->accept], sizeof accept);
    memcpy(block, board->sets[group->block], sizeof block);
    int rising = group->rising, all = group->rising + group->falling;
    FOR_EACH_CELL(cells, from)
    {
        const uint64_t *rays = group->rays + (size_t)from * (size_t)all * WORDS;
        uint64_t sum[WORDS] = {0}, reach[WORDS];
        int i = 0;
        for (; i < rising; i++, rays += WORDS) {
            NAME(cut)(false, rays, block, reach);
            for (int w = 0; w < WORDS; w++)
                sum[w] |= reach[w];
        }
        for (; i < all; i++, rays += WORDS) {
            NAME(cut)(true, rays, block, reach);
            for (int w = 0; w < WORDS; w++)
                sum[w] |= reach[w];
        }
        for (int w = 0; w < WORDS; w++)
            fan->targets[from][w] |= sum[w] & accept[w];
    }
}

/* The board sets of a group of slides, taken out of the board. */
struct NAME(slide_sets) {
    uint64_t block[WORDS], accept[WORDS], take[WORDS], free[WORDS];
};

/* The legal targets on one ray that may be shot along, without those another movement decides. */
static inline void NAME(shoot)(bool falling, const uint64_t *ray, const uint64_t *mask,
                               const struct NAME(slide_sets) * sets, uint64_t *sum)
{
    uint64_t reach[WORDS], before[WORDS];
    NAME(cut)(falling, ray, sets->block, reach);
    NAME(cut)(falling, ray, sets->take, before);
    for (int w = 0; w < WORDS; w++)
        sum[w] |= reach[w] & mask[w] & (sets->accept[w] | (sets->free[w] & ~before[w]));
}

/* Slides that may also shoot, or some of whose cells are another movement's targets. */
static inline void NAME(slide_far)(const struct slide_group *group,
                                   const struct NAME(board) * board, const uint64_t *cells,
                                   struct NAME(fan) * fan)
{
    cell_index from = 0;
    struct NAME(slide_sets) sets;
    memcpy(sets.block, board->sets[group->block], sizeof sets.block);
    memcpy(sets.accept, board->sets[group->accept], sizeof sets.accept);
    memset(sets.take, 0, sizeof sets.take);
    memset(sets.free, 0, sizeof sets.free);
    if (group->shooting) {
        memcpy(sets.take, board->sets[group->take], sizeof sets.take);
        memcpy(sets.free, board->sets[group->free], sizeof sets.free);
    }
    const uint64_t *masks = group->masked ? group->masks : group->rays;
    int rising = group->rising, all = group->rising + group->falling;
    FOR_EACH_CELL(cells, from)
    {
        size_t row = (size_t)from * (size_t)all * WORDS;
        uint64_t sum[WORDS] = {0};
        int i = 0;
        for (; i < rising; i++, row += WORDS)
            NAME(shoot)(false, group->rays + row, masks + row, &sets, sum);
        for (; i < all; i++, row += WORDS)
            NAME(shoot)(true, group->rays + row, masks + row, &sets, sum);
        for (int w = 0; w < WORDS; w++)
            fan->targets[from][w] |= sum[w];
    }
}

static inline void NAME(run_variant)(const struct kernel_variant *variant,
                                     const struct NAME(board) * board, const uint64_t *cells,
                                     struct NAME(fan) * fan)
{
    unsigned figures = 0, groups = 1U + variant->leap_count;
    for (int w = 0; w < WORDS; w++)
        figures += word_count(cells[w]);
    for (int i = 0; i < variant->slide_count; i++)
        groups += 2U * (variant->slides[i].rising + variant->slides[i].falling);
    work_spend(WORK_WORDS(WORDS) * figures * groups);
    if (variant->leap_count == 0)
        NAME(clear_targets)(cells, fan);
    else
        NAME(leap)(true, &variant->leaps[0], board, cells, fan);
    for (int i = 1; i < variant->leap_count; i++)
        NAME(leap)(false, &variant->leaps[i], board, cells, fan);
    for (int i = 0; i < variant->slide_count; i++) {
        const struct slide_group *group = &variant->slides[i];
        if (group->shooting || group->masked)
            NAME(slide_far)(group, board, cells, fan);
        else
            NAME(slide)(group, board, cells, fan);
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

/* Figures with guards are sorted by which of them hold, and each sort moves as one. */
static inline void NAME(run_guarded)(const struct position *position, const struct mover *mover,
                                     const struct NAME(board) * board, const uint64_t *cells,
                                     struct NAME(fan) * fan)
{
    cell_index from = 0;
    uint64_t sorts[1 << GUARDS_MAX][WORDS] = {{0}};
    FOR_EACH_CELL(cells, from)
    {
        bits_set(sorts[NAME(variant_of)(position, mover, from)], from);
    }
    for (unsigned i = 0; i < 1U << mover->guard_count; i++)
        if (!bits_empty(sorts[i], WORDS))
            NAME(run_variant)(&mover->variants[i], board, sorts[i], fan);
}

/* Where the figures of one mover, which stand on `cells`, may go by simple movements. */
static inline void NAME(run_mover)(const struct position *position, const struct mover *mover,
                                   const struct NAME(board) * board, const uint64_t *cells,
                                   struct NAME(fan) * fan)
{
    cell_index from = 0;
    if (!mover->recognised) {
        FOR_EACH_CELL(cells, from)
        {
            interpret_simple(position, from, fan->targets[from]);
        }
        return;
    }
    if (mover->guard_count > 0)
        NAME(run_guarded)(position, mover, board, cells, fan);
    else
        NAME(run_variant)(&mover->variants[0], board, cells, fan);
}

/* Which cells a player's figure of one kind stands on; false when there is none. */
static inline bool NAME(find_figures)(const struct position *position, player_index player,
                                      int figure, uint64_t *cells)
{
    const uint64_t *own = position_player_words(position, player);
    const uint64_t *same = position_figure_words(position, figure);
    uint64_t any = 0;
    for (int w = 0; w < WORDS; w++) {
        cells[w] = own[w] & same[w];
        any |= cells[w];
    }
    return any != 0;
}

static inline struct move *NAME(write_moves)(const struct move *plain, const uint64_t *targets,
                                             struct move *move)
{
    cell_index to = 0;
    FOR_EACH_CELL(targets, to)
    {
        *move = *plain;
        move->to = to;
        move++;
    }
    return move;
}

/* Adds what complex movements add, and writes all moves of the figure on `from`. */
static struct move *NAME(write_complex)(const struct position *position, cell_index from,
                                        uint64_t *targets, struct move *move)
{
    struct extra_targets extra;
    extra.count = 0;
    interpret_complex(position, from, targets, &extra);
    struct move *end = NAME(write_moves)(&position->game->plain_moves[from], targets, move);
    name_rules(&extra, move, end);
    return end;
}

static int NAME(all)(const struct position *position, player_index player, struct move *moves)
{
    const struct game *game = position->game;
    struct NAME(board) board;
    struct NAME(fan) fan;
    uint64_t complex[WORDS] = {0}, cells[WORDS];
    NAME(survey)(position, player, &board);
    const struct mover *mover = game->movers + player;
    for (int figure = 0; figure < game->figure_count; figure++, mover += game->player_count) {
        if (!NAME(find_figures)(position, player, figure, cells))
            continue;
        NAME(run_mover)(position, mover, &board, cells, &fan);
        for (int w = 0; w < WORDS; w++)
            complex[w] |= cells[w] & mover->complex_cells[w];
    }
    struct move *end = moves;
    cell_index from = 0;
    FOR_EACH_CELL(position_player_words(position, player), from)
    {
        if (bits_test(complex, from))
            end = NAME(write_complex)(position, from, fan.targets[from], end);
        else
            end = NAME(write_moves)(&game->plain_moves[from], fan.targets[from], end);
    }
    return (int)(end - moves);
}

static int NAME(from)(const struct position *position, player_index player, cell_index from,
                      struct move *moves)
{
    const struct mover *mover = &position->game->movers[position->cells[from].code - 1];
    struct NAME(board) board;
    struct NAME(fan) fan;
    uint64_t cells[WORDS] = {0};
    NAME(survey)(position, player, &board);
    bits_set(cells, from);
    NAME(run_mover)(position, mover, &board, cells, &fan);
    return (int)(NAME(write_complex)(position, from, fan.targets[from], moves) - moves);
}

/* Counts legal moves, and stops as soon as there are more than `limit`. */
static uint64_t NAME(count)(const struct position *position, player_index player, uint64_t limit)
{
    const struct game *game = position->game;
    struct NAME(board) board;
    struct NAME(fan) fan;
    uint64_t cells[WORDS], count = 0;
    NAME(survey)(position, player, &board);
    const struct mover *mover = game->movers + player;
    for (int figure = 0; figure < game->figure_count && count <= limit;
         figure++, mover += game->player_count) {
        cell_index from = 0;
        if (!NAME(find_figures)(position, player, figure, cells))
            continue;
        NAME(run_mover)(position, mover, &board, cells, &fan);
        FOR_EACH_CELL(cells, from)
        {
            if (bits_test(mover->complex_cells, from))
                interpret_complex(position, from, fan.targets[from], NULL);
            for (int w = 0; w < WORDS; w++)
                count += word_count(fan.targets[from][w]);
        }
    }
    return count;
}

#undef FOR_EACH_CELL
