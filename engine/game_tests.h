/* The tests a game file brings along ("tests"): positions, and what must be so in them. */
#ifndef ENGINE_GAME_TESTS_H
#define ENGINE_GAME_TESTS_H

#include "engine/game.h"

enum { GAME_TEST_WORDS_BYTES = 512 };

int game_test_count(const struct game *game);
const char *game_test_name(const struct game *game, int test);
int game_test_number(const struct game *game, int test);  /* its place in the file */
int game_test_players(const struct game *game, int test); /* how many players it is for; 0: all */

/* Whether all of it is so; if not, the first thing that is not, in a sentence. Takes bounded time. */
bool game_test_run(const struct game *game, int test, char words[GAME_TEST_WORDS_BYTES]);

#endif
