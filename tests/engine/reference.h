/* What a legal move is in formats 0 and 1, written down once more as plainly as possible: straight
 * from the checked model of the file, with no table and no set. Slow, and therefore easy
 * to believe. */
#ifndef TESTS_ENGINE_REFERENCE_H
#define TESTS_ENGINE_REFERENCE_H

#include "engine/load/definition.h"
#include "engine/position.h"

bool reference_legal(const struct definition *definition, const struct position *position,
                     cell_index from, cell_index to);

#endif
