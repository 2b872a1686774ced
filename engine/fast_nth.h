/* Drawing from a word: the position of the one before which there are so many others. */
#ifndef ENGINE_FAST_NTH_H
#define ENGINE_FAST_NTH_H

#include "engine/bits.h"

static inline unsigned word_nth(uint64_t word, unsigned index)
{
#ifdef __BMI2__
    word = __builtin_ia32_pdep_di(UINT64_C(1) << index, word);
#else
    for (; index > 0; index--)
        word &= word - 1;
#endif
    return word_lowest(word);
}

#endif
