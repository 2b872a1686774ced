/* The loops of loops/, for each width of bit sets and compiled twice; private to this folder. */
#ifndef ENGINE_FAST_VARIANTS_H
#define ENGINE_FAST_VARIANTS_H

#include "engine/fast/fast.h"

struct fast_loops {
    void (*run)(const struct fast_view *view, struct fast_result *result);
    bool (*attacked)(const struct fast_view *view, figure_index figure);
};

/* For sets of so many words: for every processor, and for those that count the ones of a word in one instruction. */
const struct fast_loops *fast_loops_plain(int words);
const struct fast_loops *fast_loops_counting(int words);

#endif
