/* Sets of cells of one width. */

typedef struct {
    uint64_t w[WORDS];
} NAME(set);
#define SET NAME(set)

static inline SET NAME(load)(const uint64_t *words)
{
    SET set;
    for (int i = 0; i < WORDS; i++)
        set.w[i] = words[i];
    return set;
}

static inline SET NAME(none)(void)
{
    return (SET){{0}};
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

/* All cells moved on by `offset` numbers, by which none leaves the board. */
static inline SET NAME(shifted)(SET a, int offset)
{
    SET result = NAME(none)();
    if (WORDS == 1) { /* so a rotation is a shift either way */
        unsigned turn = (unsigned)offset % WORD_BITS;
        result.w[0] = a.w[0] << turn | a.w[0] >> (0U - turn) % WORD_BITS;
        return result;
    }
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
        ray.w[i] &= word_from_highest(block | 1) & open;
        open &= block == 0 ? UINT64_MAX : 0;
    }
    return ray;
}

static inline SET NAME(until)(bool falling, SET ray, SET occupied)
{
    SET blockers = NAME(and)(ray, occupied);
    return falling ? NAME(until_falling)(ray, blockers) : NAME(until_rising)(ray, blockers);
}

#ifndef EACH_CELL
/* EACH_CELL (cell, set) goes through the cells of a set one after the other. */
#define EACH_CELL(cell, set)                                                                       \
    for (cell_index cell = 0, each = 0; each < WORDS; each++)                                      \
        for (uint64_t left = (set).w[each];                                                        \
             left != 0 &&                                                                          \
             ((cell) = (cell_index)((unsigned)each * WORD_BITS + word_lowest(left)), true);        \
             left &= left - 1)
#endif
