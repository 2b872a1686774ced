/* Sets of small numbers as 64-bit words: bit `i % 64` of word `i / 64`.
 *
 * Counting zeros is the one thing here that C17 cannot say; gcc and clang have it as a builtin, and
 * it becomes one instruction. The count of ones is written out, because without a processor option
 * the builtin is a call; where a file is compiled with the option it is one instruction, too. */
#ifndef ENGINE_BITS_H
#define ENGINE_BITS_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { WORD_BITS = 64 };

static inline bool bits_test(const uint64_t *words, unsigned index)
{
    return (words[index / WORD_BITS] >> (index % WORD_BITS) & 1) != 0;
}

static inline void bits_set(uint64_t *words, unsigned index)
{
    words[index / WORD_BITS] |= UINT64_C(1) << (index % WORD_BITS);
}

static inline void bits_reset(uint64_t *words, unsigned index)
{
    words[index / WORD_BITS] &= ~(UINT64_C(1) << (index % WORD_BITS));
}

static inline bool bits_empty(const uint64_t *words, int count)
{
    for (int i = 0; i < count; i++)
        if (words[i] != 0)
            return false;
    return true;
}

/* The position of the lowest one; `word` is not zero. */
static inline unsigned word_lowest(uint64_t word)
{
    return (unsigned)__builtin_ctzll(word);
}

/* The lowest number of the set from `from` on; -1: there is none. */
static inline int bits_next(const uint64_t *words, int count, int from)
{
    int at = from / WORD_BITS;
    uint64_t left = at < count ? words[at] & UINT64_MAX << (from % WORD_BITS) : 0;
    while (left == 0 && ++at < count)
        left = words[at];
    return left != 0 ? at * WORD_BITS + (int)word_lowest(left) : -1;
}

/* A word of the numbers that are lower by `offset` than one of the set's. */
static inline uint64_t bits_word_before(const uint64_t *set, int words, int offset, int word)
{
    int first = word * WORD_BITS + offset;
    int at = first >= 0 ? first / WORD_BITS : -((WORD_BITS - 1 - first) / WORD_BITS);
    int rest = first - at * WORD_BITS;
    uint64_t low = at >= 0 && at < words ? set[at] >> rest : 0;
    uint64_t high = rest > 0 && at + 1 >= 0 && at + 1 < words ? set[at + 1] : 0;
    return rest > 0 ? low | high << (WORD_BITS - rest) : low;
}

/* EACH_BIT (number, set, words) goes through the numbers of a set from the lowest on; those it has come to may be taken out. */
#define EACH_BIT(number, set, words)                                                               \
    for (int32_t number = bits_next(set, words, 0); (number) >= 0;                                 \
         (number) = bits_next(set, words, (number) + 1))

/* The highest one and all above it; `word` is not zero. Shifted to the right, what is negative draws its sign after it. */
static inline uint64_t word_from_highest(uint64_t word)
{
    return (uint64_t)(INT64_MIN >> __builtin_clzll(word));
}

static inline unsigned word_count(uint64_t word)
{
#ifdef __POPCNT__
    return (unsigned)__builtin_popcountll(word);
#else
    word -= word >> 1 & UINT64_C(0x5555555555555555);
    word = (word & UINT64_C(0x3333333333333333)) + (word >> 2 & UINT64_C(0x3333333333333333));
    word = (word + (word >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    return (unsigned)((word * UINT64_C(0x0101010101010101)) >> 56);
#endif
}

/* The number in the set that comes behind so many others; there are more than that. */
static inline unsigned bits_behind(const uint64_t *words, int others)
{
    unsigned word = 0;
    for (; others >= (int)word_count(words[word]); word++)
        others -= (int)word_count(words[word]);
    uint64_t left = words[word];
    while (others-- > 0)
        left &= left - 1;
    return word * WORD_BITS + word_lowest(left);
}

static inline int bits_count(const uint64_t *words, int count)
{
    unsigned ones = 0;
    for (int i = 0; i < count; i++)
        ones += word_count(words[i]);
    return (int)ones;
}

#endif
