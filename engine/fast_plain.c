#include "engine/fast_variants.h"

#define FAST_SUFFIX plain
#include "engine/fast_loops.h"
