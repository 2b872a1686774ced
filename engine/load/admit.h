/* Whether a game that has been compiled may be played where others play: engine/trial.h, in words for its author. */
#ifndef ENGINE_LOAD_ADMIT_H
#define ENGINE_LOAD_ADMIT_H

#include "engine/game.h"
#include "engine/load/diagnostic.h"

/* False, with an error that names the words that cost the most; where they stand is not looked for. */
bool game_admit(const struct game *game, struct diagnostics *diagnostics);

#endif
