/* The games engine tests play: every file in games/, the original configurations where they are at
 * hand, and texts written in a test. */
#ifndef TESTS_ENGINE_GAMES_H
#define TESTS_ENGINE_GAMES_H

#include "engine/load/load.h"
#include "engine/movegen.h"

/* A game that must load: the test fails with its diagnostics if it does not. A text may extend what is in games/. */
struct game *games_load_text(const char *text, const struct load_options *options);
struct game *games_load_file(const char *path, const struct load_options *options);

/* Calls `test` with each game in games/ and each original at hand; returns how many there were. */
int games_for_each(void (*test)(const char *path, struct game *game, void *context), void *context);

/* Fills a position with figures at random, of any player, with small moves_made and last_move, at
 * some player's turn. */
void games_scatter(struct position *position, uint64_t *seed);

#endif
