/* On which bit of a word each cell lies when random games are played on one word a set. Bits may be left out between
 * cells, so that cells that differ by the same coordinates lie the same number of bits apart wherever they are: a
 * movement is then one difference of bits, and all figures make it at once. The order of the cells stays. */
#ifndef ENGINE_FAST_SMALL_LAYOUT_H
#define ENGINE_FAST_SMALL_LAYOUT_H

#include "engine/tables.h"

struct small_layout {
    uint64_t cells;                              /* bits that are cells */
    uint8_t bits[WORD_BITS], numbers[WORD_BITS]; /* by cell; by bit */
};

/* Of a board of at most 64 cells. */
void small_layout_init(struct small_layout *layout, const struct game *game);

/* A set of cells by their numbers as one of bits, and back. */
static inline uint64_t small_layout_spread(const struct small_layout *layout, uint64_t numbers)
{
#ifdef __BMI2__
    return __builtin_ia32_pdep_di(numbers, layout->cells);
#else
    uint64_t spread = 0;
    for (; numbers != 0; numbers &= numbers - 1)
        spread |= UINT64_C(1) << layout->bits[word_lowest(numbers)];
    return spread;
#endif
}

static inline uint64_t small_layout_gather(const struct small_layout *layout, uint64_t bits)
{
#ifdef __BMI2__
    return __builtin_ia32_pext_di(bits, layout->cells);
#else
    uint64_t gathered = 0;
    for (; bits != 0; bits &= bits - 1)
        gathered |= UINT64_C(1) << layout->numbers[word_lowest(bits)];
    return gathered;
#endif
}

#endif
