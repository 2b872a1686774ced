/* JSON text → compiled game, or everything that is wrong with it.
 *
 * The text is hostile input: whatever it says, loading takes bounded time and memory, and a game that loads can
 * neither hang nor crash afterwards. */
#ifndef ENGINE_LOAD_LOAD_H
#define ENGINE_LOAD_LOAD_H

#include "engine/game.h"
#include "engine/load/diagnostic.h"

/* What may be asked for when a game is loaded. */
struct load_options {
    bool ignore_movement_if; /* as the original program did: a movement's own "if" */
    int player_count;        /* one of the file's "player_counts"; 0: all players */
    bool unrevised; /* as files were read before LANGUAGE_REVISION: for games that began then */
    bool
        try_out; /* plays some games first, and refuses what takes too much work: for definitions that come from strangers
                            to be played anew. Not for those of games that have begun: these are bounded move by move */
    bool (*has_picture)(const void *context, const char *path); /* NULL: nobody looks for them */
    const void *pictures;                                       /* its context */
};

/* A new game with one reference, or NULL with at least one error in `diagnostics` (initialised by the caller).
 * Warnings may be there in either case. `options` may be NULL. */
struct game *game_load(const char *text, size_t length, const struct load_options *options,
                       struct diagnostics *diagnostics);

#endif
