/* The loops of loops/ compiled twice: for every processor, and for those that count the ones of a word, and the zeros before
 * its first, in one instruction. Private to this folder. */
#ifndef ENGINE_FAST_VARIANTS_H
#define ENGINE_FAST_VARIANTS_H

#include "engine/fast/fast.h"

const struct fast_loops *fast_loops_plain(int words);
const struct fast_loops *fast_loops_counting(int words);

#endif
