#include "engine/fast/variants.h"

#define FAST_SUFFIX plain
#include "engine/fast/widths.h"
