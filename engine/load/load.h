/* JSON text → compiled game, or everything that is wrong with it.
 *
 * The text is hostile input: whatever it says, loading takes bounded time and memory, and a game that loads can
 * neither hang nor crash afterwards. */
#ifndef ENGINE_LOAD_LOAD_H
#define ENGINE_LOAD_LOAD_H

#include "engine/game.h"
#include "engine/load/diagnostic.h"
#include "engine/load/options.h"

/* A new game with one reference, or NULL with at least one error in `diagnostics` (initialised by the caller).
 * Warnings may be there in either case. `options` may be NULL. */
struct game *game_load(const char *text, size_t length, const struct load_options *options,
                       struct diagnostics *diagnostics);

#endif
