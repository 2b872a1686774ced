#include "engine/fast_variants.h"

#define FAST_SUFFIX counting
#include "engine/fast_loops.h"
