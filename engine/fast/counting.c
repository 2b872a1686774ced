#include "engine/fast/variants.h"

#define FAST_SUFFIX counting
#include "engine/fast/widths.h"
