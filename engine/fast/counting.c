#define FAST_SUFFIX counting
#include "engine/fast/widths.h"
