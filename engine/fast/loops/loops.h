/* The loops of the fast path for one width of bit sets. widths.h includes this once for each width with WORDS and NAME
 * defined (until the end of this file), so that loops over words have constant bounds and vanish where a board fits one
 * word. The order matters: each file uses those before it. */

#include "engine/fast/loops/sets.h"

#include "engine/fast/loops/scene.h"

#include "engine/fast/loops/attacks.h"

#include "engine/fast/loops/lines.h"

#include "engine/fast/loops/spare.h"

#include "engine/fast/loops/targets.h"

#include "engine/fast/loops/sink.h"

#include "engine/fast/loops/seek.h"

#include "engine/fast/loops/jumps.h"

#include "engine/fast/loops/combined.h"

#include "engine/fast/loops/collect.h"

#include "engine/fast/loops/answers.h"

#undef SET
#undef WORDS
#undef NAME
