#define FAST_SUFFIX plain
#include "engine/fast/widths.h"
